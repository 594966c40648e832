"""A level of MiniGrid as a scenario file."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Dict, List, Optional, Tuple

Cell = Tuple[int, int]


class NotExpressible(Exception):
    """A mission that a scenario file has no words for."""


@dataclasses.dataclass
class Converted:
    """A scenario file's text, and where things are that must be picked up or opened."""

    text: str
    pickups: Dict[Cell, str]
    doors: Dict[Cell, str]
    #: What there is to open in the end, if that is the mission.
    opens: Optional[Cell]


def _target(mission: str) -> Optional[Tuple[str, Optional[str], str]]:
    """What a mission wants: how, and the colour and kind of what."""
    match = re.fullmatch(r"(?:.* )?(pick up|open) (?:the|a) (?:(\w+) )?(\w+)", mission)
    if match is None:
        return None
    how, colour, kind = match.groups()
    return how, colour, kind


def convert(env: Any) -> Converted:
    """The level of an environment that was just reset."""
    level = env.unwrapped
    grid, (width, height) = level.grid, (level.grid.width, level.grid.height)
    rows: List[List[str]] = [["." for _ in range(width)] for _ in range(height)]
    goals: List[Cell] = []
    things: Dict[Cell, Any] = {}
    doors: Dict[Cell, Any] = {}
    for y in range(height):
        for x in range(width):
            thing = grid.get(x, y)
            if thing is None or thing.type == "floor":
                continue
            if thing.type in ("wall", "lava"):
                rows[y][x] = "#"
            elif thing.type == "goal":
                goals.append((x, y))
            elif thing.type == "door":
                doors[(x, y)] = thing
            else:
                things[(x, y)] = thing
    wanted = _target(level.mission)
    opens: Optional[Cell] = None
    target: Optional[Cell] = None
    if wanted is not None:
        how, colour, kind = wanted
        among = doors if kind == "door" else things
        matching = [
            cell
            for cell, thing in among.items()
            if thing.type == kind and colour in (None, thing.color)
        ]
        if not matching:
            raise NotExpressible(level.mission)
        if how == "open":
            opens = matching[0]
        else:
            target = matching[0]
    elif not goals:
        raise NotExpressible(level.mission)

    locked = {cell: door for cell, door in doors.items() if door.is_locked}
    colours = {door.color for door in locked.values()}
    pickups: Dict[Cell, str] = {}
    parts: List[str] = []
    for (x, y), thing in things.items():
        name = f"{thing.color}_{thing.type}_{x}_{y}"
        if (x, y) == target:
            pickups[(x, y)] = name
            parts.append(f'[[item]]\nid = "{name}"\nat = [{x}, {y}]\n')
        elif thing.type == "key" and thing.color in colours:
            pickups[(x, y)] = name
            opened = [f'"door_{a}_{b}"' for (a, b), door in locked.items() if door.color == thing.color]
            parts.append(f'[[key]]\nid = "{name}"\nat = [{x}, {y}]\nopens = [{", ".join(opened)}]\n')
        else:
            # It stands in the way; nobody moves it.
            rows[y][x] = "#"
    for x, y in locked:
        parts.append(f'[[door]]\nid = "door_{x}_{y}"\nat = [[{x}, {y}]]\n')
    if target is not None:
        goal = f'{{ holds = "{pickups[target]}" }}'
    elif opens is not None and opens in locked:
        goal = f'{{ open = "door_{opens[0]}_{opens[1]}" }}'
    elif opens is not None:
        goal = _within([opens])
    else:
        goal = _within(goals)
    start = level.agent_pos
    walls = ",\n".join(f'    "{"".join(row)}"' for row in rows)
    text = (
        f"format = 1\nname = {_quoted(level.mission)}\n"
        f"start = [{start[0]}, {start[1]}]\ngoal = {goal}\n\n[map]\nrows = [\n{walls},\n]\n\n"
    )
    return Converted(text + "\n".join(parts), pickups, {cell: "door" for cell in doors}, opens)


def _within(cells: List[Cell]) -> str:
    parts = [f"{{ within = {{ at = [{x}, {y}], radius = 0.0 }} }}" for x, y in cells]
    return parts[0] if len(parts) == 1 else f"{{ any = [{', '.join(parts)}] }}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
