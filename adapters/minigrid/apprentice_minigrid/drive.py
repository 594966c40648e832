"""A plan of ours as MiniGrid's actions, with MiniGrid as the judge."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple

import apprentice

from .convert import Cell, Converted, NotExpressible, convert

LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE = range(6)
#: Where each direction of MiniGrid leads.
DIRECTIONS: List[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]


@dataclasses.dataclass
class Attempt:
    """How a level went."""

    solved: bool
    moves: int = 0
    planning_ms: Optional[float] = None
    bound: Optional[float] = None
    why: Optional[str] = None


class _Over(Exception):
    """MiniGrid has ended the episode."""


class _Driver:
    def __init__(self, env: Any, level: Converted) -> None:
        self.env = env
        self.grid = env.unwrapped.grid
        self.level = level
        self.moves = 0
        self.solved = False

    def act(self, action: int) -> None:
        _, reward, terminated, truncated, _ = self.env.step(action)
        self.moves += 1
        if terminated or truncated:
            self.solved = bool(terminated and reward > 0)
            raise _Over

    @property
    def at(self) -> Cell:
        x, y = self.env.unwrapped.agent_pos
        return int(x), int(y)

    def face(self, direction: Cell) -> None:
        wanted = DIRECTIONS.index(direction)
        turns = (wanted - self.env.unwrapped.agent_dir) % 4
        for action in [RIGHT] * turns if turns < 3 else [LEFT]:
            self.act(action)

    def empty_hands(self, ahead: Cell) -> None:
        """Puts down what is carried, where nobody has to pass."""
        for direction in DIRECTIONS:
            cell = (self.at[0] + direction[0], self.at[1] + direction[1])
            if cell != ahead and self.grid.get(*cell) is None:
                self.face(direction)
                self.act(DROP)
                return
        raise NotExpressible("there is nowhere to put down what is carried")

    def step_to(self, cell: Cell) -> None:
        direction = (cell[0] - self.at[0], cell[1] - self.at[1])
        thing = self.grid.get(*cell)
        if thing is not None and cell in self.level.pickups:
            if self.env.unwrapped.carrying is not None:
                self.empty_hands(cell)
            self.face(direction)
            self.act(PICKUP)
        self.face(direction)
        if thing is not None and thing.type == "door" and not thing.is_open:
            self.act(TOGGLE)
        self.act(FORWARD)
        if self.at != cell:
            raise NotExpressible(f"something is in the way at {cell}")

    def crossing(self, cell: Cell) -> Cell:
        """Between two cells that touch by a corner, the one that is best gone through."""
        between = [(cell[0], self.at[1]), (self.at[0], cell[1])]
        facing = DIRECTIONS[self.env.unwrapped.agent_dir]

        def worse(it: Cell) -> Tuple[bool, bool]:
            direction = (it[0] - self.at[0], it[1] - self.at[1])
            return self.grid.get(*it) is not None, direction != facing

        return min(between, key=worse)


def attempt(env: Any, seed: int, *, log: Optional[bytes] = None, **settings: Any) -> Attempt:
    """Resets an environment, plans, and does what the plan says until MiniGrid ends it."""
    env.reset(seed=seed)
    try:
        level = convert(env)
    except NotExpressible as error:
        return Attempt(False, why=f"no words for: {error}")
    ours = apprentice.Level.read("minigrid", level.text)
    if log is not None:
        ours.show("demonstration", log=log)
    plan: Dict[str, Any] = ours.plan(**settings)
    result = Attempt(False, planning_ms=plan["time_ms"], bound=plan["bound"])
    if plan["status"] != "found":
        result.why = plan["status"]
        return result
    driver = _Driver(env, level)
    try:
        for step in plan["steps"][1:]:
            cell = (step["x"], step["y"])
            if cell == driver.at:
                continue
            if cell[0] != driver.at[0] and cell[1] != driver.at[1]:
                driver.step_to(driver.crossing(cell))
            driver.step_to(cell)
        if level.opens is not None:
            # Our world opens a door where it is entered; MiniGrid already did.
            result.why = "the door was opened, and MiniGrid did not end"
        else:
            result.why = "the plan ended, and MiniGrid did not"
    except _Over:
        result.why = None if driver.solved else "MiniGrid ended it without a reward"
    except NotExpressible as error:
        result.why = str(error)
    result.solved, result.moves = driver.solved, driver.moves
    return result
