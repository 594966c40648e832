"""The bot that comes with BabyAI: somebody to compare with, and to be shown something by."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any, Iterator

from .convert import whole_level
from .drive import ACTIONS, Attempt, Judge, Over
from .mission import read

NAMES = {number: name for name, number in ACTIONS.items()}
#: What stands for each action in a recording that is made by hand.
LETTERS = {"l": "turn_left", "r": "turn_right", "f": "forward", "t": "take", "p": "put", "o": "open"}


def bot_actions(env: Any) -> Iterator[int]:
    """What the bot does next, again and again. It knows BabyAI's levels only."""
    from minigrid.utils.baby_ai_bot import BabyAIBot

    bot = BabyAIBot(env)
    last = None
    while True:
        last = bot.replan(last)
        yield int(last)


def attempt_by_bot(env: Any, seed: int) -> Attempt:
    """How the bot does in a level."""
    with contextlib.redirect_stdout(sys.stderr):
        env.reset(seed=seed)
    result = Attempt()
    try:
        for action in bot_actions(env):
            Judge(env, result).act(action)
    except Over:
        pass
    except Exception as error:  # The bot gives up by an assertion, or whatever else goes wrong in it.
        result.why = f"the bot gave up: {error!r}"
    return result


def record(env: Any, seed: int, by: str, path: str) -> Attempt:
    """Writes down how the bot, or somebody whose actions are letters, solves a level."""
    with contextlib.redirect_stdout(sys.stderr):
        observation, _ = env.reset(seed=seed)
    name = env.spec.id if env.spec is not None else ""
    mission = read(observation["mission"], name)
    lines = [json.dumps(whole_level(env, mission))]
    actions = bot_actions(env) if by == "bot" else (ACTIONS[LETTERS[it]] for it in by)
    result = Attempt(why="the actions ended, and MiniGrid did not")
    try:
        for action in actions:
            if action in NAMES:
                lines.append(json.dumps({"action": NAMES[action]}))
            Judge(env, result).act(action)
    except Over:
        pass
    if result.solved:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return result
