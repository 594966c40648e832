"""An explorer of ours as MiniHack's actions, with MiniHack as the judge."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple

from nle.nethack import Command, CompassDirection

from apprentice_serving import Apprentice, Refused

from .sight import SIDES, Cell, Sight

COMPASS = {
    (0, -1): CompassDirection.N,
    (1, 0): CompassDirection.E,
    (0, 1): CompassDirection.S,
    (-1, 0): CompassDirection.W,
    (1, -1): CompassDirection.NE,
    (1, 1): CompassDirection.SE,
    (-1, 1): CompassDirection.SW,
    (-1, -1): CompassDirection.NW,
}
#: Something that blocks a way this often is no monster that steps aside.
PATIENCE = 6
#: So often somebody searches a place for hidden doors before going to another.
SEARCHES = 8
#: What an environment must show.
OBSERVATIONS = ("glyphs", "chars", "colors", "blstats", "message", "inv_strs", "inv_letters")


@dataclasses.dataclass
class Attempt:
    """How a level went."""

    solved: bool = False
    moves: int = 0
    #: How long each plan took to make.
    planning_ms: List[float] = dataclasses.field(default_factory=list)
    #: The bound of the last plan for the whole goal, by what was known then.
    bound: Optional[float] = None
    #: How much of what was shown was done, in the same order.
    followed: Optional[float] = None
    why: Optional[str] = None


class Over(Exception):
    """MiniHack has ended the episode."""


class Judge:
    """MiniHack, who counts moves and says how it ends."""

    def __init__(self, env: Any, attempt: Attempt, observation: Dict[str, Any]) -> None:
        self.env = env
        self.attempt = attempt
        self.observation = observation
        self._numbers = {int(action): number for number, action in enumerate(env.unwrapped.actions)}

    def can(self, action: int) -> bool:
        return int(action) in self._numbers

    def act(self, action: int) -> None:
        self.observation, reward, terminated, truncated, info = self.env.step(self._numbers[int(action)])
        self.attempt.moves += 1
        if terminated or truncated:
            ended = info["end_status"]
            self.attempt.solved = ended.name == "TASK_SUCCESSFUL" and reward > 0
            if not self.attempt.solved:
                self.attempt.why = f"it ended so: {ended.name}"
            raise Over

    @property
    def message(self) -> str:
        return bytes(self.observation["message"]).rstrip(b"\0").decode("latin-1")

    def has_key(self) -> bool:
        return any(b"key" in bytes(line).lower() for line in self.observation["inv_strs"])


def attempt(
    apprentice: Apprentice,
    env: Any,
    seed: int,
    *,
    shown: Optional[str] = None,
    ask: Optional[Dict[str, Any]] = None,
) -> Attempt:
    """Resets an environment, and does what an explorer says until MiniHack ends it."""
    env.unwrapped.seed(seed, seed, False, seed)
    observation, _ = env.reset()
    result = Attempt()
    judge = Judge(env, result, observation)
    try:
        _explore(apprentice, judge, shown, ask or {})
    except Over:
        pass
    except Refused as error:
        result.why = str(error)
    return result


def _explore(apprentice: Apprentice, judge: Judge, shown: Optional[str], ask: Dict[str, Any]) -> None:
    sight = Sight(opens_by_force=judge.can(Command.KICK))
    apprentice.ask(
        do="explorer", explorer="minihack", moves="four", goal=[[{"reach": []}]], shown=shown, ask=ask
    )
    virtual: Optional[Cell] = None
    searched: Dict[Cell, int] = {}
    tries: Dict[Cell, int] = {}
    while True:
        news = sight.look(judge.observation)
        at = virtual if virtual is not None else sight.at
        question: Dict[str, Any] = {"do": "look", "explorer": "minihack", "at": list(at), "sees": news}
        if judge.has_key():
            question["carries"] = ["key", ""]
        answer = apprentice.ask(**question)
        plan = answer.get("plan")
        if plan is not None:
            judge.attempt.planning_ms.append(answer["time_ms"])
            if not answer["explores"] and plan["status"] == "found":
                judge.attempt.bound = plan["bound"]
                judge.attempt.followed = plan["followed"]
        step = answer["step"]
        if step is None:
            virtual = None
            _search(judge, sight, searched)
            continue
        dx, dy = SIDES[step["facing"]]
        ahead = (at[0] + dx, at[1] + dy)
        if step["action"] == "forward" and ahead in sight.cut:
            virtual = ahead
            continue
        if virtual is not None:
            virtual = None
            if step["action"] != "forward":
                # Beside a corner nothing can be done, but from where one really is.
                _walk(judge, sight, ahead, tries, stop_before=True)
        if step["action"] == "forward":
            _walk(judge, sight, ahead, tries)
        elif step["action"] == "take":
            _walk(judge, sight, ahead, tries)
            judge.act(Command.PICKUP)
        elif step["action"] == "open":
            _open(judge, sight, ahead, tries)
        else:
            judge.attempt.why = f"NetHack has no move for {step['action']}"
            return


def _walk(judge: Judge, sight: Sight, to: Cell, tries: Dict[Cell, int], stop_before: bool = False) -> None:
    way = sight.ways(to).get(to)
    if way is None:
        sight.block(to)
        return
    for side in way[:-1] if stop_before else way:
        before = sight.at
        judge.act(COMPASS[side])
        now = (int(judge.observation["blstats"][0]), int(judge.observation["blstats"][1]))
        if now == before:
            cell = (before[0] + side[0], before[1] + side[1])
            tries[cell] = tries.get(cell, 0) + 1
            if tries[cell] >= PATIENCE:
                sight.block(cell)
            return
        sight.at = now


def _open(judge: Judge, sight: Sight, door: Cell, tries: Dict[Cell, int]) -> None:
    side = (door[0] - sight.at[0], door[1] - sight.at[1])
    if side not in COMPASS:
        return
    if door not in sight.locked:
        # Whoever walks against a shut door opens it, or hears that it is locked.
        judge.act(COMPASS[side])
        if "locked" in judge.message:
            sight.lock(door)
    elif judge.can(Command.APPLY):
        judge.act(Command.APPLY)
    elif judge.can(Command.KICK):
        judge.act(Command.KICK)
        judge.act(COMPASS[side])


def _search(judge: Judge, sight: Sight, searched: Dict[Cell, int]) -> None:
    """Nothing that is known leads on: looks for hidden doors, first where passages end."""
    if not judge.can(Command.SEARCH):
        judge.attempt.why = "nothing that is known leads on"
        raise Over
    ways = sight.ways()

    def worth(cell: Cell) -> Tuple[int, int, int, Cell]:
        x, y = cell
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        is_end = sum(sight.is_way(it) for it in around) <= 1
        rounds = searched.get(cell, 0) + sum(searched.get(it, 0) for it in around)
        beyond = [(x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        dark = sum(it not in sight.cells for it in beyond)
        return (rounds - 2 * is_end, -dark, len(ways[cell]), cell)

    target = min((it for it in ways if sight.cells.get(it) in ("floor", "goal")), key=worth)
    searched[target] = searched.get(target, 0) + 1
    _walk(judge, sight, target, {})
    for _ in range(SEARCHES):
        judge.act(Command.SEARCH)
