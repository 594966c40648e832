"""Where somebody can stand in a level of Doom: points of a lattice, as far apart as half of a body is wide.

In Doom no floor lies above another, so that places are flat; a step up may be 24 units high, a step down as
deep as it likes, and somebody is 56 high and 32 wide. Doors, lifts and whatever else moves is looked at as it
is, and as it will be.
"""

from __future__ import annotations

import dataclasses
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple

import numpy as np

from .level import Level, Line
from .movers import Heights, doors_of, lifts_of, lowered, movers_of, opened
from .specials import LANDING, SOLID, SPECIALS, By, Does

Cell = Tuple[int, int]
Edge = Tuple[Cell, Cell]

#: Doom's units from place to place; a body is twice as wide.
SPACING = 16
RADIUS = 16
STEP = 24
TALL = 56
#: How far one can press, and a little less.
PRESSES = 56
#: Bodies and walls that touch are not in each other's way.
TOUCH = 0.5
SIDES: List[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]


@dataclasses.dataclass
class Gate:
    """Places that are shut until a mover has moved, or somebody has a key."""

    cells: Set[Cell]
    mover: Optional[int] = None
    colour: Optional[str] = None


class Ground:
    """The places of a level, and the steps between them."""

    def __init__(
        self,
        level: Level,
        heights: Optional[Sequence[Heights]] = None,
        skill: int = 3,
        shunned: Iterable[Edge] = (),
        avoided: Iterable[int] = (),
    ) -> None:
        """`heights` is where floors and ceilings are now; `shunned` are steps that are known not to be, and
        `avoided` sectors on which nobody is to stand."""
        self.level = level
        self.heights: List[Heights] = list(heights or [(it.floor, it.ceiling) for it in level.sectors])
        self._measure()
        self._touch(skill, set(avoided))
        self.doors = doors_of(level)
        self.lifts = lifts_of(level)
        self.movers = movers_of(level, self.heights)
        self._step(set(shunned))
        self.gates = self._gates()

    def point(self, cell: Cell) -> Tuple[float, float]:
        """Where a place is in Doom."""
        return (self.west + cell[0] * SPACING, self.north - cell[1] * SPACING)

    def around(self, x: float, y: float) -> Cell:
        """The lattice's point that is nearest, whether somebody can stand there or not."""
        return (round((x - self.west) / SPACING), round((self.north - y) / SPACING))

    def is_place(self, cell: Cell) -> bool:
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and bool(self.stands[y, x])

    def nearest(self, x: float, y: float, among: Optional[Set[Cell]] = None, within: int = 4) -> Optional[Cell]:
        """The nearest place, if one is no farther than so many steps."""
        column, row = self.around(x, y)
        best: Optional[Tuple[float, Cell]] = None
        for dy in range(-within, within + 1):
            for dx in range(-within, within + 1):
                cell = (column + dx, row + dy)
                if not self.is_place(cell) or among is not None and cell not in among:
                    continue
                px, py = self.point(cell)
                far = (px - x) ** 2 + (py - y) ** 2
                if best is None or (far, cell) < best:
                    best = (far, cell)
        return best[1] if best else None

    def exits(self, cell: Cell) -> List[Cell]:
        """Where steps lead, when all gates are open."""
        x, y = cell
        steps = [(x + dx, y + dy) for side, (dx, dy) in enumerate(SIDES) if self.steps[side, y, x]]
        return steps + self.leaps.get(cell, [])

    def reach(self, start: Cell, shut: Optional[Set[Cell]] = None) -> Set[Cell]:
        """Every place one can come to, without those that are shut."""
        shut = shut or set()
        reached, waiting = {start}, [start]
        while waiting:
            for to in self.exits(waiting.pop()):
                if to not in reached and to not in shut:
                    reached.add(to)
                    waiting.append(to)
        return reached

    def sectors_at(self, cell: Cell) -> List[int]:
        """The sectors somebody who stands there touches."""
        x, y = cell
        number = y * self.width + x
        begin, end = np.searchsorted(self._cells, [number, number + 1])
        return [int(it) for it in self._sectors[begin:end]]

    def crossed(self, line: Line) -> List[Edge]:
        """The steps that lead over a line, from its front to its back first."""
        found = []
        west, north = self.around(min(line.x1, line.x2), max(line.y1, line.y2))
        east, south = self.around(max(line.x1, line.x2), min(line.y1, line.y2))
        for y in range(north - 1, south + 2):
            for x in range(west - 1, east + 2):
                for dx, dy in ((1, 0), (0, 1)):
                    here, there = (x, y), (x + dx, y + dy)
                    if self.is_place(here) and self.is_place(there) and self._crosses(line, here, there):
                        is_before = line.is_before(*self.point(here))
                        found.append((here, there) if is_before else (there, here))
        return found

    def _crosses(self, line: Line, here: Cell, there: Cell) -> bool:
        (ax, ay), (bx, by) = self.point(here), self.point(there)
        if line.is_before(ax, ay) == line.is_before(bx, by):
            return False
        step = Line(ax, ay, bx, by, 0, 0, 0, 0, 0)
        return step.is_before(line.x1, line.y1) != step.is_before(line.x2, line.y2)

    def _measure(self) -> None:
        xs = [x for it in self.level.lines for x in (it.x1, it.x2)]
        ys = [y for it in self.level.lines for y in (it.y1, it.y2)]
        # Levels are built on multiples of eight: half a step beside sixteen few lines pass through a place.
        self.west = np.floor(min(xs) / SPACING) * SPACING - SPACING / 2
        self.north = np.ceil(max(ys) / SPACING) * SPACING + SPACING / 2
        self.width = int((max(xs) - self.west) // SPACING) + 2
        self.height = int((self.north - min(ys)) // SPACING) + 2

    def _touch(self, skill: int, avoided: Set[int]) -> None:
        """Which sectors a body touches at each point of the lattice, and where it fits in."""
        centre = self._centres()
        self.stands = centre >= 0
        cells, sectors = [np.flatnonzero(self.stands)], [centre[self.stands]]
        xs = self.west + np.arange(self.width) * SPACING
        ys = self.north - np.arange(self.height) * SPACING
        body = RADIUS - TOUCH
        for line in self.level.lines:
            columns = np.flatnonzero((xs + body > min(line.x1, line.x2)) & (xs - body < max(line.x1, line.x2)))
            rows = np.flatnonzero((ys + body > min(line.y1, line.y2)) & (ys - body < max(line.y1, line.y2)))
            if not len(columns) or not len(rows):
                continue
            dx, dy = line.x2 - line.x1, line.y2 - line.y1
            off = (xs[columns][None, :] - line.x1) * dy - (ys[rows][:, None] - line.y1) * dx
            touched = np.abs(off) < body * (abs(dx) + abs(dy))
            row, column = np.nonzero(touched)
            if line.is_wall:
                self.stands[rows[row], columns[column]] = False
            else:
                numbers = rows[row] * self.width + columns[column]
                for sector in (line.front, line.back):
                    cells.append(numbers)
                    sectors.append(np.full(len(numbers), sector))
        for thing in self.level.there(skill):
            far = SOLID.get(thing.kind, 0) + body
            if far > body:
                is_near = (np.abs(ys - thing.y)[:, None] < far) & (np.abs(xs - thing.x)[None, :] < far)
                self.stands &= ~is_near
        pairs = np.unique(np.stack([np.concatenate(cells), np.concatenate(sectors)]), axis=1)
        self._cells, self._sectors = pairs[0], pairs[1]
        self.stands &= ~np.isin(centre, sorted(avoided))
        self.centre = centre

    def _centres(self) -> np.ndarray:
        """The sector under each point of the lattice, or -1 in the void."""
        lines = self.level.lines
        ends = np.array([(it.x1, it.y1, it.x2, it.y2) for it in lines], dtype=float)
        x1, y1, x2, y2 = ends.T
        front = np.array([it.front for it in lines])
        back = np.array([-1 if it.back is None else it.back for it in lines])
        centre = np.full((self.height, self.width), -1)
        xs = self.west + np.arange(self.width) * SPACING
        for row in range(self.height):
            # A hair beside the row, so that no line ends on it.
            y = self.north - row * SPACING + 0.01
            met = np.flatnonzero((y1 > y) != (y2 > y))
            at = x1[met] + (y - y1[met]) * (x2[met] - x1[met]) / (y2[met] - y1[met])
            order = np.argsort(at, kind="stable")
            met, at = met[order], at[order]
            # To the east of a line that goes up is its front.
            east = np.where(y2[met] > y1[met], front[met], back[met])
            before = np.searchsorted(at, xs, side="right") - 1
            centre[row] = np.where(before >= 0, east[before] if len(met) else -1, -1)
        return centre

    def _state(self, changed: Dict[int, Heights]) -> np.ndarray:
        """Which steps are possible when some sectors are elsewhere: by side, row and column."""
        floors = np.array([it[0] for it in self.heights], dtype=float)
        ceilings = np.array([it[1] for it in self.heights], dtype=float)
        for sector, there in changed.items():
            floors[sector], ceilings[sector] = there
        lowest: np.ndarray = np.full(self.height * self.width, -np.inf)
        highest: np.ndarray = np.full(self.height * self.width, np.inf)
        np.maximum.at(lowest, self._cells, floors[self._sectors])
        np.minimum.at(highest, self._cells, ceilings[self._sectors])
        floor = lowest.reshape(self.height, self.width)
        ceiling = highest.reshape(self.height, self.width)
        fits = self.stands & (ceiling - floor >= TALL)
        steps = np.zeros((4, self.height, self.width), dtype=bool)
        for side, (dx, dy) in enumerate(SIDES):
            here = (slice(max(0, -dy), self.height - max(0, dy)), slice(max(0, -dx), self.width - max(0, dx)))
            beside = (slice(max(0, dy), self.height + min(0, dy)), slice(max(0, dx), self.width + min(0, dx)))
            up = floor[beside] - floor[here]
            room = np.minimum(ceiling[here], ceiling[beside]) - np.maximum(floor[here], floor[beside])
            with np.errstate(invalid="ignore"):
                steps[(side, *here)] = fits[here] & fits[beside] & (up <= STEP) & (room >= TALL)
        return steps

    def _step(self, shunned: Set[Edge]) -> None:
        """Which steps are possible when everything is open, and which of them are at once."""
        with np.errstate(invalid="ignore"):
            openings = {sector: opened(self.level, sector, self.heights) for sector in self.doors}
            sinking = {sector: lowered(self.level, sector, self.heights) for sector in self.lifts}
            locked = {it for it, colours in self.doors.items() if colours}
            plain = {sector: there for sector, there in openings.items() if sector not in locked}
            at_once = self._state(plain) | self._state({**plain, **sinking})
            everything = dict(openings)
            for mover in self.movers:
                everything.update(mover.after)
            steps = at_once | self._state(openings) | self._state({**openings, **sinking}) | self._state(everything)
            for mover in self.movers:
                steps |= self._state({**openings, **mover.after})
        self.at_once = at_once
        self.steps = steps
        self.leaps: Dict[Cell, List[Cell]] = {}
        #: Where one walks to be taken elsewhere.
        self.portals: Dict[Edge, Cell] = {}
        for line in self.level.lines:
            special = SPECIALS.get(line.special)
            if special is None or special.does is not Does.TELEPORT:
                continue
            landing = self._landing(line.tag)
            for here, there in self.crossed(line):
                self._forbid(here, there)
                if landing is not None and landing not in self.leaps.setdefault(here, []):
                    self.leaps[here].append(landing)
                    self.portals[here, landing] = there
        self._bar_doors_without_handles()
        for here, there in sorted(shunned):
            corners = [(here[0], there[1]), (there[0], here[1])]
            for beside in corners + [here]:
                self._forbid(beside, there)
            self.leaps[here] = [it for it in self.leaps.get(here, []) if it != there]

    def _forbid(self, here: Cell, there: Cell, for_good: bool = True) -> None:
        side = (there[0] - here[0], there[1] - here[1])
        if side in SIDES:
            if for_good:
                self.steps[SIDES.index(side), here[1], here[0]] = False
            self.at_once[SIDES.index(side), here[1], here[0]] = False

    def _landing(self, tag: int) -> Optional[Cell]:
        tagged = set(self.level.tagged(tag))
        for thing in self.level.things:
            if thing.kind == LANDING:
                x, y = self.around(thing.x, thing.y)
                is_there = 0 <= y < self.height and 0 <= x < self.width and int(self.centre[y, x]) in tagged
                if is_there:
                    return self.nearest(thing.x, thing.y)
        return None

    def _bar_doors_without_handles(self) -> None:
        """Doors are pressed against from the fronts of their lines: from elsewhere nobody comes in."""
        moved = {sector for mover in self.movers for sector in mover.after}
        for sector in self.doors:
            floor, ceiling = self.heights[sector]
            if ceiling - floor >= TALL:
                continue
            touched = self._touching({sector})
            handles = [
                line
                for line in self.level.lines
                if line.back == sector and line.special in SPECIALS and SPECIALS[line.special].by is By.DOOR
            ]
            for row, column in np.argwhere(touched):
                there = (int(column), int(row))
                for dx, dy in SIDES:
                    here = (there[0] - dx, there[1] - dy)
                    if not self.is_place(here) or touched[here[1], here[0]]:
                        continue
                    x, y = self.point(here)
                    if not any(it.is_before(x, y) and it.distance(x, y) <= PRESSES for it in handles):
                        # What is moved from afar, too, is entered when it was.
                        self._forbid(here, there, for_good=sector not in moved)

    def _touching(self, sectors: Set[int]) -> np.ndarray:
        """Where somebody touches one of some sectors."""
        touched = np.zeros(self.height * self.width, dtype=bool)
        touched[self._cells[np.isin(self._sectors, list(sectors))]] = True
        return touched.reshape(self.height, self.width)

    def _gates(self) -> List[Gate]:
        """What is shut until something happens, each as places that hang together."""
        late = self.steps & ~self.at_once
        gates: List[Gate] = []
        locked = {it: colours for it, colours in self.doors.items() if colours}
        for colour in ("blue", "yellow", "red"):
            behind = {it for it, colours in locked.items() if colour in colours}
            gates += [Gate(cells, colour=colour) for cells in self._shut(late, behind)]
        for number, mover in enumerate(self.movers):
            behind = set(mover.after) - set(locked)
            gates += [Gate(cells, mover=number) for cells in self._shut(late, behind)]
        return gates

    def _shut(self, late: np.ndarray, behind: Set[int]) -> List[Set[Cell]]:
        touched = self._touching(behind)
        usable = self.at_once.any(axis=0)
        shut: Set[Cell] = set()
        for side, row, column in np.argwhere(late):
            here = (int(column), int(row))
            there = (here[0] + SIDES[side][0], here[1] + SIDES[side][1])
            ends = [it for it in (here, there) if touched[it[1], it[0]]]
            unused = [it for it in ends if not usable[it[1], it[0]]]
            inside = [it for it in ends if int(self.centre[it[1], it[0]]) in behind]
            shut.update(unused or inside or ends)
        return parts(shut)


def parts(cells: Set[Cell]) -> List[Set[Cell]]:
    """Cells as sets of those that hang together."""
    parts, left = [], set(cells)
    while left:
        first = min(left)
        left.remove(first)
        part, waiting = {first}, [first]
        while waiting:
            x, y = waiting.pop()
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    other = (x + dx, y + dy)
                    if other in left:
                        left.remove(other)
                        part.add(other)
                        waiting.append(other)
        parts.append(part)
    return parts
