"""Small levels in Doom's own format: rooms in a row, from west to east, 128 units from north to south."""

from __future__ import annotations

import dataclasses
from typing import List, Optional, Tuple

import omg
from omg.mapedit import Linedef, MapEditor, Sector, Sidedef, Thing, Vertex

DEEP = 128


@dataclasses.dataclass
class Room:
    """A room, and the line to the next one: what it does, with which tag, and whether its front is to the east."""

    width: int
    floor: int = 0
    ceiling: int = 128
    tag: int = 0
    special: int = 0
    line_tag: int = 0
    is_turned: bool = False
    #: What the wall in the south does.
    south: int = 0
    south_tag: int = 0
    #: What the floor does: 7 hurts.
    kind: int = 0


def write(path: str, rooms: List[Room], things: List[Tuple[int, int, int]], name: str = "MAP01", last: int = 11) -> None:
    """`things` are kinds and places; `last` is what the wall in the east does."""
    told = MapEditor()
    at = [0]
    for room in rooms:
        at.append(at[-1] + room.width)
    for x in at:
        told.vertexes += [Vertex(x=x, y=0), Vertex(x=x, y=DEEP)]
    for room in rooms:
        told.sectors.append(Sector(z_floor=room.floor, z_ceil=room.ceiling, tag=room.tag, type=room.kind))

    def line(a: int, b: int, front: int, back: Optional[int] = None, action: int = 0, tag: int = 0) -> None:
        sides = [front] if back is None else [front, back]
        numbers = []
        for sector in sides:
            texture = "STARTAN2" if back is None else "-"
            told.sidedefs.append(Sidedef(sector=sector, tx_mid=texture, tx_up="BIGDOOR2", tx_low="STEP1"))
            numbers.append(len(told.sidedefs) - 1)
        made = Linedef(vx_a=a, vx_b=b, action=action, tag=tag, front=numbers[0])
        made.back = numbers[1] if back is not None else Linedef.NONE
        made.impassable, made.two_sided = back is None, back is not None
        told.linedefs.append(made)

    # A line's front is to the right of whoever goes along it.
    line(0, 1, 0)
    for number, room in enumerate(rooms):
        south, north = 2 * number, 2 * number + 1
        line(south + 2, south, number, action=room.south, tag=room.south_tag)
        line(north, north + 2, number)
        if number + 1 == len(rooms):
            line(north + 2, south + 2, number, action=last)
        elif room.is_turned:
            line(south + 2, north + 2, number + 1, number, room.special, room.line_tag)
        else:
            line(north + 2, south + 2, number, number + 1, room.special, room.line_tag)
    for kind, x, y in things:
        thing = Thing(x=x, y=y, type=kind, angle=0)
        thing.easy = thing.medium = thing.hard = True
        told.things.append(thing)
    wad = omg.WAD()
    wad.maps[name] = told.to_lumps()
    wad.to_file(path)
