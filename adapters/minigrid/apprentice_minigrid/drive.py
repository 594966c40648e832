"""A plan of ours as MiniGrid's actions, with MiniGrid as the judge."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from typing import Any, Dict, List, Optional

from .convert import DIRECTIONS, FACINGS, Seen, whole_level
from .mission import NotExpressible, read
from apprentice_serving import Apprentice, Refused

ACTIONS = {"turn_left": 0, "turn_right": 1, "forward": 2, "take": 3, "put": 4, "open": 5}
DONE = 6


@dataclasses.dataclass
class Attempt:
    """How a level went."""

    solved: bool = False
    moves: int = 0
    #: How long each plan took to make.
    planning_ms: List[float] = dataclasses.field(default_factory=list)
    #: The bound of the plan for the whole mission: of the first, or of the last by sight.
    bound: Optional[float] = None
    #: How much of what was shown was done, in the same order.
    followed: Optional[float] = None
    why: Optional[str] = None


class Over(Exception):
    """MiniGrid has ended the episode."""


class Judge:
    """MiniGrid, who counts moves and says how it ends."""

    def __init__(self, env: Any, attempt: Attempt) -> None:
        self.env = env
        self.attempt = attempt

    def act(self, action: int) -> Dict[str, Any]:
        if action == ACTIONS["put"] and self.attempt.moves == 0:
            # MiniGrid does not know yet what was carried before the first move.
            self.act(DONE)
        observation, reward, terminated, truncated, _ = self.env.step(action)
        self.attempt.moves += 1
        if terminated or truncated:
            self.attempt.solved = bool(terminated and reward > 0)
            self.attempt.why = None if self.attempt.solved else (
                "MiniGrid ended it without a reward" if terminated else "it took too many moves"
            )
            raise Over
        result: Dict[str, Any] = observation
        return result


def attempt(
    apprentice: Apprentice,
    env: Any,
    seed: int,
    *,
    sight: str = "full",
    shown: Optional[str] = None,
    ask: Optional[Dict[str, Any]] = None,
) -> Attempt:
    """Resets an environment, and does what plans say until MiniGrid ends it."""
    # Some levels say to standard output that they try again; only ours goes there.
    with contextlib.redirect_stdout(sys.stderr):
        observation, _ = env.reset(seed=seed)
    result = Attempt()
    name = env.spec.id if env.spec is not None else ""
    try:
        mission = read(observation["mission"], name)
        judge = Judge(env, result)
        if sight == "full":
            _by_plan(apprentice, judge, mission, shown, ask or {})
        else:
            _by_sight(apprentice, judge, mission, observation, shown, ask or {})
        if mission.says_done:
            judge.act(DONE)
        result.why = result.why or "everything was done, and MiniGrid did not end"
    except NotExpressible as error:
        result.why = f"no words for: {error}"
    except Refused as error:
        result.why = str(error)
    except Over:
        pass
    return result


def _by_plan(
    apprentice: Apprentice, judge: Judge, mission: Any, shown: Optional[str], ask: Dict[str, Any]
) -> None:
    level = whole_level(judge.env, mission)
    answer = apprentice.ask(do="plan_rooms", rooms=level, shown=shown, ask=ask)
    plan = answer["plan"]
    judge.attempt.planning_ms.append(answer["time_ms"])
    judge.attempt.bound = plan["bound"]
    judge.attempt.followed = plan["followed"]
    if plan["status"] != "found":
        judge.attempt.why = f"{plan['status']}: {plan['guarantee']}"
        raise Over
    for step in plan["steps"]:
        judge.act(ACTIONS[step["action"]])


def _by_sight(
    apprentice: Apprentice,
    judge: Judge,
    mission: Any,
    observation: Dict[str, Any],
    shown: Optional[str],
    ask: Dict[str, Any],
) -> None:
    seen = Seen(mission, int(observation["direction"]))
    sees = seen.look(observation)
    apprentice.ask(do="explorer", explorer="minigrid", goal=seen.goal(), shown=shown, ask=ask)
    while True:
        answer = apprentice.ask(
            do="look",
            explorer="minigrid",
            at=list(seen.at),
            facing=FACINGS[seen.facing],
            sees=sees,
            carries=seen.carries(observation),
            goal=seen.goal(),
        )
        if "plan" in answer:
            judge.attempt.planning_ms.append(answer["time_ms"])
            if not answer["explores"]:
                judge.attempt.bound = answer["plan"]["bound"]
        step = answer["step"]
        if step is None and judge.attempt.moves == 0:
            # What is carried from the start shows only after the first move.
            observation = judge.act(DONE)
            sees = seen.look(observation)
            continue
        if step is None:
            plan = answer.get("plan")
            if plan is not None and plan["status"] != "found":
                judge.attempt.why = f"{plan['status']}: {plan['guarantee']}"
                raise Over
            return
        facing = DIRECTIONS[seen.facing]
        observation = judge.act(ACTIONS[step["action"]])
        if step["action"] == "forward":
            seen.at = (seen.at[0] + facing[0], seen.at[1] + facing[1])
        sees = seen.look(observation)
