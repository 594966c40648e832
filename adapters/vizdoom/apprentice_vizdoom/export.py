"""A quest on a grid as a level of Doom: a WAD with a map in UDMF."""

from __future__ import annotations

import dataclasses
import json
import random
import struct
from typing import Any, Dict, List, Tuple

Cell = Tuple[int, int]

#: How many of Doom's units a cell is wide: twice as wide as somebody is.
CELL = 64
#: Doom's keys: the number of the thing, and of the lock it opens.
KEYS = [(13, 1), (5, 2), (6, 3), (38, 4), (40, 5), (39, 6)]
EXIT_NORMAL = 243
DOOR_LOCKED_RAISE = 13
#: How fast doors rise, in eighths of a unit a tic.
DOOR_SPEED = 64
SIDES: List[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]


@dataclasses.dataclass
class Quest:
    """Rooms behind locked doors: a start, a goal, and for each door its key."""

    rows: List[str]
    start: Cell
    goal: Cell
    #: Where each key lies, and the door it opens.
    keys: List[Tuple[Cell, Cell]]

    def scenario(self) -> str:
        """The same as a level of ours."""
        lines = [
            "format = 1",
            f"start = {list(self.start)}",
            f"goal = {{ within = {{ at = {list(self.goal)}, radius = 0.0 }} }}",
            f"map = {{ rows = {json.dumps(self.rows)} }}",
        ]
        for number, (key, door) in enumerate(self.keys):
            lines += ["[[key]]", f'id = "key{number}"', f"at = {list(key)}", f'opens = ["door{number}"]']
            lines += ["[[door]]", f'id = "door{number}"', f"at = [{list(door)}]"]
        return "\n".join(lines) + "\n"

    def is_wall(self, cell: Cell) -> bool:
        x, y = cell
        return not (0 <= y < len(self.rows) and 0 <= x < len(self.rows[y])) or self.rows[y][x] == "#"


def made(seed: int) -> Quest:
    """Three rooms in a row with pillars; a seed moves doors, pillars and keys. Each key lies before its door."""
    dice = random.Random(seed)
    width, height = 23, 9
    walls = [7, 15]
    rows = [["#" if x in (0, width - 1, *walls) or y in (0, height - 1) else "." for x in range(width)] for y in range(height)]
    doors = [(x, dice.randrange(1, height - 1)) for x in walls]
    rooms = [range(1, 7), range(8, 15), range(16, 22)]
    free: List[List[Cell]] = []
    for columns in rooms:
        cells = [(x, y) for x in columns for y in range(1, height - 1)]
        free.append(dice.sample(cells, len(cells)))
        # Pillars stand where nobody is shut in: with all eight cells around them free, and no two alike near.
        middle = [(x, y) for x in list(columns)[2:-2] for y in range(2, height - 2)]
        for x, y in dice.sample(middle, 2):
            around = [rows[y + dy][x + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            if "#" not in around:
                rows[y][x] = "#"
    for x, y in doors:
        rows[y][x] = "."
    places = [[(x, y) for x, y in cells if rows[y][x] == "."] for cells in free]
    second = dice.choice([0, 1])
    keys = [(places[0].pop(), doors[0]), (places[second].pop(), doors[1])]
    return Quest(["".join(row) for row in rows], places[0].pop(), places[2].pop(), keys)


def textmap(quest: Quest) -> str:
    """The level in UDMF: each cell a square, each door and the goal a sector of its own."""
    out: List[str] = ['namespace = "zdoom";']

    def block(kind: str, **fields: Any) -> None:
        def told(value: Any) -> str:
            if isinstance(value, bool):
                return "true" if value else "false"
            return json.dumps(value)

        out.append(kind + " { " + " ".join(f"{name} = {told(value)};" for name, value in fields.items()) + " }")

    doors = {door: number for number, (_, door) in enumerate(quest.keys)}
    sectors = [quest.goal, *doors]
    sector = {cell: number + 1 for number, cell in enumerate(sectors)}
    looks = {"texturefloor": "FLOOR4_8", "textureceiling": "CEIL3_5", "lightlevel": 208}
    block("sector", heightfloor=0, heightceiling=128, **looks)
    for cell in sectors:
        block("sector", heightfloor=0, heightceiling=0 if cell in doors else 128, **looks)
    vertices: Dict[Cell, int] = {}

    def vertex(x: int, y: int) -> int:
        if (x, y) not in vertices:
            vertices[x, y] = len(vertices)
            block("vertex", x=x * CELL, y=-y * CELL)
        return vertices[x, y]

    sides = 0

    def side(of: Cell, is_seen_through: bool) -> int:
        nonlocal sides
        texture = {} if is_seen_through else {"texturemiddle": "STARTAN2"}
        block("sidedef", sector=sector.get(of, 0), texturetop="BIGDOOR2", **texture)
        sides += 1
        return sides - 1

    for y, row in enumerate(quest.rows):
        for x in range(len(row)):
            here = (x, y)
            if quest.is_wall(here):
                continue
            corners = {(1, 0): (1, 0, 1, 1), (0, 1): (1, 1, 0, 1), (-1, 0): (0, 1, 0, 0), (0, -1): (0, 0, 1, 0)}
            for dx, dy in SIDES:
                other = (x + dx, y + dy)
                ax, ay, bx, by = corners[dx, dy]
                # In Doom a line's front is to its right.
                ends = {"v1": vertex(x + ax, y + ay), "v2": vertex(x + bx, y + by)}
                ends = {"v1": ends["v2"], "v2": ends["v1"]} if _is_left(dx, dy, ax, ay, bx, by) else ends
                if quest.is_wall(other):
                    block("linedef", **ends, sidefront=side(here, False), blocking=True)
                    continue
                if sector.get(here, 0) == sector.get(other, 0) or sector.get(here, 0) != 0 and sector.get(other, 0) == 0:
                    continue
                does: Dict[str, Any] = {}
                if other in doors:
                    lock = KEYS[doors[other]][1]
                    does = {"special": DOOR_LOCKED_RAISE, "arg1": DOOR_SPEED, "arg3": lock, "playeruse": True, "repeatspecial": True}
                elif other == quest.goal:
                    does = {"special": EXIT_NORMAL, "playercross": True}
                block("linedef", **ends, sidefront=side(here, True), sideback=side(other, True), twosided=True, **does)

    def thing(kind: int, cell: Cell) -> None:
        at = {"x": cell[0] * CELL + CELL / 2, "y": -(cell[1] * CELL + CELL / 2)}
        when = {f"skill{it}": True for it in range(1, 6)} | {f"class{it}": True for it in range(1, 4)}
        block("thing", **at, type=kind, angle=0, single=True, coop=True, dm=True, **when)

    thing(1, quest.start)
    for number, (key, _) in enumerate(quest.keys):
        thing(KEYS[number][0], key)
    return "\n".join(out) + "\n"


def _is_left(dx: int, dy: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Whether the cell a side belongs to is to the left of it, rows going down."""
    along = (bx - ax, -(by - ay))
    inward = (-dx, dy)
    return along[0] * inward[1] - along[1] * inward[0] > 0


def wad(quest: Quest) -> bytes:
    """A WAD whose map MAP01 is the quest."""
    lumps = [(b"MAP01", b""), (b"TEXTMAP", textmap(quest).encode("ascii")), (b"ENDMAP", b"")]
    data, directory, at = b"", b"", 12
    for name, lump in lumps:
        directory += struct.pack("<ii8s", at + len(data), len(lump), name)
        data += lump
    return struct.pack("<4sii", b"PWAD", len(lumps), at + len(data)) + data + directory
