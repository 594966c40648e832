"""A scripted player, who is recorded: it goes from errand to errand and likes the north."""

from __future__ import annotations

import heapq
from typing import Any, Dict, List, Optional, Sequence, Tuple

Cell = Tuple[int, int]
Document = Dict[str, Any]

#: As near as this to the middle of a cell, and the next one's turn has come.
NEAR = 0.2
#: How much longer a cell is for each row that it lies farther to the south.
NORTH = 0.5


class Player:
    """Key, lever, doors from west to east, goal: each by the way it likes best. No planner of ours is asked."""

    def __init__(self, goal: Sequence[float]) -> None:
        self._goal = (int(goal[0]), int(goal[1]))
        self._way: List[Cell] = []

    def begin(self, level: Document, at: Sequence[float], _state: Document) -> None:
        rows = level["rows"]
        here = _cell(at)
        errands = [_cell(key["at"]) for key in level["keys"] or []]
        doors = sorted(_cell(door["at"]) for door in level["doors"] or [])
        lever = [_cell(it["at"]) for it in level["levers"] or []]
        # What is east of a door comes after it.
        errands = sorted(errands + lever + doors, key=lambda cell: cell[0]) + [self._goal]
        errands = _with_keys_first(errands, [_cell(key["at"]) for key in level["keys"] or []])
        self._way = []
        for errand in errands:
            self._way += _way(rows, here, errand)
            here = errand

    def tick(self, _seconds: float, told: Document) -> Optional[List[float]]:
        while self._way and abs(told["at"][0] - self._way[0][0]) + abs(told["at"][1] - self._way[0][1]) < NEAR:
            self._way.pop(0)
        return [float(number) for number in self._way[0]] if self._way else None


def _with_keys_first(errands: List[Cell], keys: List[Cell]) -> List[Cell]:
    return keys + [it for it in errands if it not in keys]


def _way(rows: List[str], start: Cell, end: Cell) -> List[Cell]:
    """The cells after the first, to four sides."""
    best: Dict[Cell, float] = {start: 0.0}
    before: Dict[Cell, Cell] = {}
    heap = [(0.0, start)]
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell == end:
            break
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            x, y = cell[0] + dx, cell[1] + dy
            if not (0 <= y < len(rows) and 0 <= x < len(rows[y])) or rows[y][x] == "#":
                continue
            longer = cost + 1 + NORTH * y
            if longer < best.get((x, y), float("inf")):
                best[x, y], before[x, y] = longer, cell
                heapq.heappush(heap, (longer, (x, y)))
    way: List[Cell] = []
    while end != start and end in before:
        way.append(end)
        end = before[end]
    return way[::-1]


def _cell(at: Sequence[float]) -> Cell:
    return (int(round(at[0])), int(round(at[1])))
