"""What has been seen of a level of NetHack, as an explorer of rooms is told it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set, Tuple, Union

from nle import nethack

Cell = Tuple[int, int]

#: The sides one walks to in rooms, and all that NetHack knows.
SIDES: Dict[str, Cell] = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
CORNERS: List[Cell] = [(1, 1), (-1, 1), (-1, -1), (1, -1)]

# What NetHack's map symbols mean (its file defsym.h).
STONE = 0
WALLS = range(1, 12)
OPEN_DOORS = (13, 14)
CLOSED_DOORS = (15, 16)
IMPASSABLE = (17, 18, 30, 37, 38)
STAIRS_DOWN = 24
DEADLY = (32, 34)

#: Of rooms: the words of a sighting.
Is = Union[str, Dict[str, Any]]


class Sight:
    """Everything that was seen so far.

    Rooms are walked through to four sides, NetHack's to eight. Where a passage goes on by a corner only, one
    of the two cells beside it is said to be floor: whoever is sent there goes past the corner instead.
    """

    def __init__(self, opens_by_force: bool) -> None:
        self._opens_by_force = opens_by_force
        self.cells: Dict[Cell, Is] = {}
        self.at: Cell = (0, 0)
        self.stood: Set[Cell] = set()
        #: Cells that are no way, and stand for a corner.
        self.cut: Set[Cell] = set()
        self.locked: Set[Cell] = set()
        self._blocked: Set[Cell] = set()
        self._told: Dict[Cell, Is] = {}

    def look(self, observation: Dict[str, Any]) -> List[Dict[str, Any]]:
        """Looks at what NetHack shows; the answer is what has changed since."""
        glyphs = observation["glyphs"]
        self.at = (int(observation["blstats"][0]), int(observation["blstats"][1]))
        self.stood.add(self.at)
        for y in range(glyphs.shape[0]):
            for x in range(glyphs.shape[1]):
                is_near = max(abs(x - self.at[0]), abs(y - self.at[1])) <= 1
                seen = self._read(int(glyphs[y, x]), (x, y), is_near)
                if seen is not None:
                    self.cells[x, y] = seen
        self._cut_corners()
        return self._news()

    def lock(self, door: Cell) -> None:
        """A door turned out to be locked."""
        self.locked.add(door)

    def block(self, cell: Cell) -> None:
        """A cell turned out to be no way."""
        self._blocked.add(cell)

    def is_way(self, cell: Cell) -> bool:
        """Whether somebody can stand in a cell."""
        known = self.cells.get(cell)
        return known in ("floor", "goal") or isinstance(known, dict)

    def _read(self, glyph: int, cell: Cell, is_near: bool) -> Optional[Is]:
        if cell in self._blocked:
            return "wall"
        if not nethack.glyph_is_cmap(glyph):
            if nethack.glyph_is_normal_object(glyph) and cell != self.at:
                name = nethack.OBJ_NAME(nethack.objclass(nethack.glyph_to_obj(glyph)))
                if name == "skeleton key":
                    return {"thing": ["key", ""]}
            # Somebody who stands in a doorway hides the door, which is open then.
            return self.cells[cell] if self._is_open_door(cell) else "floor"
        symbol = nethack.glyph_to_cmap(glyph)
        if symbol == STONE:
            # What is right beside somebody and shows nothing is rock; elsewhere it is only dark.
            return "wall" if is_near and not self.is_way(cell) else None
        if symbol in WALLS or symbol in IMPASSABLE:
            return "wall"
        if symbol in CLOSED_DOORS:
            needs_key = cell in self.locked and not self._opens_by_force
            return {"door": ["", "locked" if needs_key else "shut"]}
        if symbol in OPEN_DOORS:
            return {"door": ["", "open"]}
        if symbol in DEADLY:
            return "deadly"
        return "goal" if symbol == STAIRS_DOWN else "floor"

    def _is_open_door(self, cell: Cell) -> bool:
        return self.cells.get(cell) == {"door": ["", "open"]}

    def _is_cornered(self, cell: Cell) -> bool:
        """Whether one may go past a corner from or to a cell: through doors nobody does."""
        return self.cells.get(cell) in ("floor", "goal")

    def _cut_corners(self) -> None:
        for cell in [it for it in self.cells if self._is_cornered(it)]:
            for dx, dy in CORNERS:
                other = (cell[0] + dx, cell[1] + dy)
                beside = [(cell[0] + dx, cell[1]), (cell[0], cell[1] + dy)]
                if not self._is_cornered(other) or any(self.is_way(it) for it in beside):
                    continue
                if any(it in self.cut for it in beside):
                    continue
                self.cut.add(beside[0])

    def _news(self) -> List[Dict[str, Any]]:
        news = []
        self.cut = {it for it in self.cut if not self.is_way(it)}
        for cell in [*self.cells, *self.cut]:
            now = "floor" if cell in self.cut else self.cells[cell]
            if self._told.get(cell) != now:
                self._told[cell] = now
                news.append({"at": list(cell), "is": now})
        return sorted(news, key=lambda it: (it["at"][1], it["at"][0]))

    def ways(self, to: Optional[Cell] = None) -> Dict[Cell, List[Cell]]:
        """NetHack's moves to every cell that can be reached, or to one that nobody knows to be a way."""
        found: Dict[Cell, List[Cell]] = {self.at: []}
        queue = [self.at]
        for cell in queue:
            if cell == to:
                break
            for dx, dy in [*SIDES.values(), *CORNERS]:
                other = (cell[0] + dx, cell[1] + dy)
                is_corner = dx != 0 and dy != 0
                if is_corner and not (self._is_cornered(cell) and self._is_cornered(other)):
                    continue
                if other not in found and (other == to or self.is_way(other)):
                    found[other] = [*found[cell], (dx, dy)]
                    queue.append(other)
        return found
