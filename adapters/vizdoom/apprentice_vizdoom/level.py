"""A level as its WAD has it: lines, sectors and things, read by omgifol."""

from __future__ import annotations

import dataclasses
import os
from typing import List, Optional, Tuple

import omg

from .specials import HURTS

#: Things are there on easy levels, middling ones, hard ones, and only where several play.
EASY, MIDDLING, HARD, ONLY_TOGETHER = 1, 2, 4, 16
#: Lines nobody crosses.
BLOCKS = 1


@dataclasses.dataclass
class Line:
    """A wall, or a border between two sectors. Its front is to the right of whoever goes along it."""

    x1: float
    y1: float
    x2: float
    y2: float
    flags: int
    special: int
    tag: int
    front: int
    #: Nothing, of a wall.
    back: Optional[int]

    @property
    def middle(self) -> Tuple[float, float]:
        return ((self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2)

    @property
    def is_wall(self) -> bool:
        return self.back is None or bool(self.flags & BLOCKS)

    def is_before(self, x: float, y: float) -> bool:
        """Whether a point is on its front side."""
        return (x - self.x1) * (self.y2 - self.y1) - (y - self.y1) * (self.x2 - self.x1) > 0

    def nearest(self, x: float, y: float) -> Tuple[float, float]:
        """Its point that is nearest to another."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        part = ((x - self.x1) * dx + (y - self.y1) * dy) / ((dx * dx + dy * dy) or 1)
        part = min(max(part, 0), 1)
        return (self.x1 + part * dx, self.y1 + part * dy)

    def distance(self, x: float, y: float) -> float:
        px, py = self.nearest(x, y)
        return ((px - x) ** 2 + (py - y) ** 2) ** 0.5


@dataclasses.dataclass
class Sector:
    """A floor and a ceiling."""

    floor: float
    ceiling: float
    special: int
    tag: int


@dataclasses.dataclass
class Thing:
    """Whatever stands or lies about."""

    x: float
    y: float
    angle: int
    kind: int
    flags: int


@dataclasses.dataclass
class Level:
    """One level of a WAD."""

    name: str
    lines: List[Line]
    sectors: List[Sector]
    things: List[Thing]

    def tagged(self, tag: int) -> List[int]:
        """The sectors that lines with a tag move; nothing has the tag 0."""
        return [number for number, it in enumerate(self.sectors) if tag != 0 and it.tag == tag]

    def neighbours(self, sector: int) -> List[int]:
        """The sectors that have a line in common with one."""
        found = set()
        for line in self.lines:
            if line.back is not None and line.front != line.back and sector in (line.front, line.back):
                found.add(line.back if line.front == sector else line.front)
        return sorted(found)

    def borders(self, sector: int) -> List[Line]:
        """The lines around a sector."""
        return [it for it in self.lines if sector in (it.front, it.back) and it.front != it.back]

    def harmful(self) -> List[int]:
        """The sectors whose floors hurt, the widest first."""
        found = {number for number, it in enumerate(self.sectors) if it.special in HURTS}
        wide = {number: 0.0 for number in found}
        for line in self.lines:
            # Twice the area, by the lines around it.
            across = line.x1 * line.y2 - line.x2 * line.y1
            if line.front in found and line.front != line.back:
                wide[line.front] -= across
            if line.back in found and line.front != line.back:
                wide[line.back] += across
        return sorted(found, key=lambda it: (-abs(wide[it]), it))

    def there(self, skill: int) -> List[Thing]:
        """What is there for somebody alone at a skill from 1 to 5."""
        when = EASY if skill <= 2 else MIDDLING if skill == 3 else HARD
        return [it for it in self.things if it.flags & when and not it.flags & ONLY_TOGETHER]


class Unreadable(Exception):
    """A WAD, or a level in it, is not there or makes no sense."""


def levels_of(path: str) -> List[str]:
    """The names of the levels of a WAD."""
    return list(_opened(path).maps.keys())


def read(path: str, name: str) -> Level:
    """Reads a level in Doom's own format."""
    wad = _opened(path)
    if name not in wad.maps:
        known = " ".join(wad.maps.keys()) or "none"
        raise Unreadable(f"{path} has no level {name}; it has {known}")
    try:
        told = omg.MapEditor(wad.maps[name])
        return _taken(name, told)
    except Unreadable:
        raise
    except Exception as error:  # omgifol says what is wrong by whatever Python says.
        raise Unreadable(f"{name} of {path} cannot be read: {error!r}; is it in Doom's own format?") from error


def _opened(path: str) -> omg.WAD:
    # Where nothing is, omgifol would begin a WAD.
    if not os.path.isfile(path):
        raise Unreadable(f"there is no file {path}")
    try:
        return omg.WAD(path)
    except Exception as error:
        raise Unreadable(f"{path} cannot be read: {error!r}; is it a WAD?") from error


def _taken(name: str, told: omg.MapEditor) -> Level:
    if told.Linedef is not omg.mapedit.Linedef:
        raise Unreadable(f"{name} is in Hexen's format; levels in Doom's own are read")
    nothing = omg.mapedit.Linedef.NONE
    lines = []
    for it in told.linedefs:
        if it.front == nothing:
            continue
        one, other = told.vertexes[it.vx_a], told.vertexes[it.vx_b]
        front = told.sidedefs[it.front].sector
        back = None if it.back == nothing else told.sidedefs[it.back].sector
        flags = BLOCKS if it.impassable else 0
        lines.append(Line(one.x, one.y, other.x, other.y, flags, it.action, it.tag, front, back))
    sectors = [Sector(it.z_floor, it.z_ceil, it.type, it.tag) for it in told.sectors]
    things = []
    for it in told.things:
        bits = (it.easy, EASY), (it.medium, MIDDLING), (it.hard, HARD), (it.multiplayer, ONLY_TOGETHER)
        things.append(Thing(it.x, it.y, it.angle, it.type, sum(bit for is_set, bit in bits if is_set)))
    if not lines or not sectors:
        raise Unreadable(f"{name} has no lines; is it in Doom's own format?")
    return Level(name, lines, sectors, things)
