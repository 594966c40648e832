"""What lines move: the sectors with their tag, and how high they are afterwards."""

from __future__ import annotations

import dataclasses
from typing import Dict, List, Sequence, Set, Tuple

from .level import Level, Line
from .specials import SPECIALS, By, Does, Special

#: Where a floor and a ceiling are.
Heights = Tuple[float, float]
#: Doors leave so much of themselves to be seen.
LINTEL = 4
#: A lift may be called from so far away.
CALLED_FROM = 96


@dataclasses.dataclass
class Mover:
    """Sectors that are moved together, by one of some lines."""

    tag: int
    special: Special
    #: Where its sectors are afterwards.
    after: Dict[int, Heights]
    lines: List[int]


def doors_of(level: Level) -> Dict[int, Set[str]]:
    """The sectors that open to whoever presses against them, each with the colours that are asked for."""
    doors: Dict[int, Set[str]] = {}
    for line in level.lines:
        special = SPECIALS.get(line.special)
        if special is None or special.by is not By.DOOR or line.back is None:
            continue
        doors.setdefault(line.back, set())
        if special.colour is not None:
            doors[line.back].add(special.colour)
    return doors


def opened(level: Level, sector: int, heights: Sequence[Heights]) -> Heights:
    """A door when it is open: as high as the lowest ceiling around."""
    floor, ceiling = heights[sector]
    around = [heights[it][1] for it in level.neighbours(sector)]
    return (floor, max(ceiling, min(around) - LINTEL) if around else ceiling)


def lowered(level: Level, sector: int, heights: Sequence[Heights]) -> Heights:
    """A lift when it is down: as low as the lowest floor around."""
    floor, ceiling = heights[sector]
    return (min([floor] + [heights[it][0] for it in level.neighbours(sector)]), ceiling)


def lifts_of(level: Level) -> Set[int]:
    """The lifts that are called from where they are; others have a switch somewhere else."""
    lifts = set()
    for line in level.lines:
        special = SPECIALS.get(line.special)
        if special is None or special.does is not Does.LIFT:
            continue
        for sector in level.tagged(line.tag):
            if any(border.distance(*line.middle) <= CALLED_FROM for border in level.borders(sector)):
                lifts.add(sector)
    return lifts


def movers_of(level: Level, heights: Sequence[Heights]) -> List[Mover]:
    """Everything that is moved from afar, in the order of the tags. Lines that would move something by
    itself, and those that do nothing any more, are left out."""
    lifts = lifts_of(level)
    found: Dict[Tuple[int, Special], Mover] = {}
    for number, line in enumerate(level.lines):
        special = SPECIALS.get(line.special)
        if special is None or special.by is By.DOOR or special.does in (Does.TELEPORT, Does.EXIT):
            continue
        key = (line.tag, special)
        if key not in found:
            after: Dict[int, Heights] = {}
            for sector in level.tagged(line.tag):
                if special.does is Does.LIFT and sector in lifts:
                    continue
                after.update(_after(level, sector, special, heights))
            after = {sector: there for sector, there in after.items() if there != tuple(heights[sector])}
            found[key] = Mover(line.tag, special, after, [])
        found[key].lines.append(number)
    movers = [mover for mover in found.values() if mover.after]
    return sorted(movers, key=lambda it: (it.tag, it.lines))


def _after(level: Level, sector: int, special: Special, heights: Sequence[Heights]) -> Dict[int, Heights]:
    floor, ceiling = heights[sector]
    around = level.neighbours(sector)
    floors = [heights[it][0] for it in around] or [floor]
    ceilings = [heights[it][1] for it in around] or [ceiling]
    does = special.does
    if does is Does.OPEN:
        return {sector: opened(level, sector, heights)}
    if does in (Does.LIFT, Does.FLOOR_TO_LOWEST):
        return {sector: (min(floors + [floor]), ceiling)}
    if does is Does.FLOOR_TO_HIGHEST:
        return {sector: (max(floors) + special.far, ceiling)}
    if does is Does.FLOOR_TO_NEXT:
        return {sector: (min([it for it in floors if it > floor] or [floor]), ceiling)}
    if does is Does.FLOOR_TO_CEILING:
        return {sector: (min(ceilings + [ceiling]), ceiling)}
    if does is Does.FLOOR_BY:
        return {sector: (floor + special.far, ceiling)}
    if does is Does.CEILING_TO_HIGHEST:
        return {sector: (floor, max(ceilings))}
    if does is Does.DONUT:
        ring = min(around, default=sector)
        outer = [heights[it][0] for it in level.neighbours(ring) if it != sector]
        low = outer[0] if outer else floor
        return {sector: (low, ceiling), ring: (low, heights[ring][1])}
    return _stairs(level, sector, special.far, heights)


def _stairs(level: Level, sector: int, rise: float, heights: Sequence[Heights]) -> Dict[int, Heights]:
    """A step for each sector that follows, from front to back of a line between two."""
    after: Dict[int, Heights] = {}
    high = heights[sector][0]
    here: int = sector
    while here not in after:
        high += rise
        after[here] = (high, heights[here][1])
        following = [it.back for it in level.lines if it.front == here and _leads_on(level, it, after)]
        if not following or following[0] is None:
            break
        here = following[0]
    return after


def _leads_on(level: Level, line: Line, after: Dict[int, Heights]) -> bool:
    return line.back is not None and line.back != line.front and line.back not in after
