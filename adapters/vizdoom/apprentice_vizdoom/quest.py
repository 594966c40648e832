"""A level of Doom as a level of ours: a mesh of the places one can come to, keys, doors, levers and the exit."""

from __future__ import annotations

import dataclasses
import json
from typing import Dict, Iterable, List, Optional, Set, Tuple

from .ground import SIDES, SPACING, Cell, Gate, Ground, parts
from .level import Level, Line, Thing
from .specials import KEYS, SPECIALS, START, By, Does

#: A metre of ours in Doom's units: so somebody is a metre wide, and reaches what is a metre away.
METRE = 32
#: In metres: from place to place.
STEP = SPACING / METRE
#: How fast somebody is, in metres a second: about as fast as the follower drives Doom's body.
SPEED = 6
#: From the place in front of a switch its line is at most this many steps away; whoever shoots may stand farther off.
REACH, SHOT = 4, 16
#: There can be as many doors, levers and items in a level of ours.
MOST = 32
#: What keeps somebody without a key from a switch with a lock: more than a metre, from which levers are pulled.
LOCK_RADIUS = 1.25


class NoQuest(Exception):
    """A level has no start, or no exit one could come to."""


@dataclasses.dataclass
class Lever:
    """A line that moves something, and the place from which it is set off."""

    line: Line
    cell: Cell
    #: The ids of the doors it opens.
    opens: List[str]
    #: Whether what it opened closes again.
    returns: bool


@dataclasses.dataclass
class Quest:
    """A level of ours, and what its ids are in Doom."""

    ground: Ground
    start: Cell
    #: Where each key lies.
    keys: Dict[str, Thing]
    key_cells: Dict[str, Cell]
    doors: Dict[str, Gate]
    #: Which keys open a door.
    opened_by: Dict[str, List[str]]
    levers: Dict[str, Lever]
    #: Each place from which the level is left, and by which line.
    goals: Dict[Cell, Line]
    places: Set[Cell]

    def text(self, holding: Iterable[str] = ()) -> str:
        """The level. Whoever plays it may hold some keys already."""
        goals = [f"{{ within = {{ at = {at(cell)}, radius = 0.0 }} }}" for cell in sorted(self.goals)]
        lines = [
            "format = 1",
            f"name = {json.dumps(self.ground.level.name)}",
            f"start = {at(self.start)}",
            "goal = { any = [" + ", ".join(goals) + "] }",
            f'map = {{ file = "doom.mesh", spacing = {STEP:g} }}',
            f"rules = {{ walk = {SPEED}, sneak = {SPEED / 2:g}, run = 0 }}",
        ]
        opens: Dict[str, List[str]] = {key: [] for key in self.keys}
        for door, keys in self.opened_by.items():
            for key in keys:
                opens[key].append(door)
        for key in self.keys:
            lines += ["[[key]]", f'id = "{key}"', f"at = {at(self.key_cells[key])}"]
            lines += [f"opens = {json.dumps(opens[key])}"]
        for door, gate in self.doors.items():
            radius = LOCK_RADIUS if door.startswith("lock_") else STEP
            lines += ["[[door]]", f'id = "{door}"', f"at = {json.dumps([at(it) for it in walked(gate.cells)])}"]
            lines += [f"radius = {radius:g}"]
        for name, lever in self.levers.items():
            lines += ["[[lever]]", f'id = "{name}"', f"at = {at(lever.cell)}", f"opens = {json.dumps(lever.opens)}"]
        for here in sorted(self.places):
            for there in self.ground.exits(here):
                if there in self.places and not self.is_joined(here, there):
                    lines += ["[[link]]", f"from = {at(here)}", f"to = {at(there)}"]
        held = sorted(set(holding) & set(self.keys))
        if held:
            lines += ["[midway.npc]", f"holding = {json.dumps(held)}"]
        return "\n".join(lines) + "\n"

    def mesh(self) -> str:
        """The places as squares, in the format of Polyanya. Squares between which one cannot go to and fro
        have no edge in common: one of the two has a corner more there."""
        vertices: Dict[Tuple[float, float], int] = {}

        def vertex(x: float, y: float) -> int:
            return vertices.setdefault((x, y), len(vertices))

        polygons = []
        for x, y in sorted(self.places):
            ring = [(x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5), (x - 0.5, y - 0.5)]
            corners = []
            # Each side begins at one corner and ends at the next.
            for (dx, dy), corner in zip(SIDES, ring):
                corners.append(vertex(*corner))
                other = (x + dx, y + dy)
                if (dx > 0 or dy > 0) and other in self.places and not self.is_joined((x, y), other):
                    corners.append(vertex(x + dx / 2, y + dy / 2))
            polygons.append(corners)
        lines = ["mesh", "2", f"{len(vertices)} {len(polygons)}"]
        lines += [f"{x * STEP:g} {y * STEP:g} 0" for x, y in vertices]
        lines += [f"{len(it)} {' '.join(map(str, it))} {' '.join(['-1'] * len(it))}" for it in polygons]
        return "\n".join(lines) + "\n"

    def is_joined(self, here: Cell, there: Cell) -> bool:
        side = (there[0] - here[0], there[1] - here[1])
        if side not in SIDES:
            return False
        back = SIDES.index((-side[0], -side[1]))
        steps = self.ground.steps
        return bool(steps[SIDES.index(side), here[1], here[0]] and steps[back, there[1], there[0]])


def at(cell: Cell) -> List[float]:
    """A place in metres."""
    return [cell[0] * STEP, cell[1] * STEP]


def cell_of(point: List[float]) -> Cell:
    """The place of a point in metres."""
    return (round(point[0] / STEP), round(point[1] / STEP))


def walked(cells: Set[Cell]) -> List[Cell]:
    """Cells that hang together as one line that comes by all of them and by nothing else."""
    left = set(cells)
    first = min(left)
    left.remove(first)
    line, trail = [first], [first]
    while left:
        x, y = trail[-1]
        around = [(x + dx, y + dy) for dy in (0, -1, 1) for dx in (0, -1, 1)]
        following = next((it for it in around if it in left), None)
        if following is None:
            trail.pop()
            line.append(trail[-1])
        else:
            left.remove(following)
            trail.append(following)
            line.append(following)
    return line


def quest_of(ground: Ground, start: Optional[Cell] = None, skill: int = 3) -> Quest:
    """Finds out what is to be had in a level, from where it begins or from somewhere else."""
    level = ground.level
    start = start or _start(ground)
    reached = ground.reach(start)
    goals = _goals(ground, reached)
    if not goals:
        raise NoQuest(f"{level.name} has no exit one can come to from its start")
    keys, key_cells = _keys(ground, reached, skill)
    kept = _kept(ground, reached, {start, *goals, *key_cells.values()})
    shut = {cell for number, gate in enumerate(ground.gates) if number not in kept for cell in gate.cells}
    shut -= {cell for number in kept for cell in ground.gates[number].cells} | {start}
    quest = Quest(ground, start, {}, {}, {}, {}, {}, goals, ground.reach(start, shut))
    _add_doors(quest, kept)
    colours = {gate.colour for gate in quest.doors.values()}
    quest.keys = {name: thing for name, thing in keys.items() if KEYS[thing.kind][0] in colours}
    quest.key_cells = {name: key_cells[name] for name in quest.keys}
    for door, gate in quest.doors.items():
        quest.opened_by[door] = [name for name, it in quest.keys.items() if KEYS[it.kind][0] == gate.colour]
    quest.goals = {cell: line for cell, line in goals.items() if cell in quest.places}
    if not quest.goals:
        raise NoQuest(f"{level.name} has no exit one can come to from its start")
    for what, count in (("doors", len(quest.doors)), ("levers", len(quest.levers)), ("keys", len(quest.keys))):
        if count > MOST:
            raise NoQuest(f"{level.name} has {count} {what}; levels of ours have at most {MOST}")
    return quest


def _start(ground: Ground) -> Cell:
    for thing in ground.level.things:
        if thing.kind == START:
            cell = ground.nearest(thing.x, thing.y)
            if cell is not None:
                return cell
    raise NoQuest(f"{ground.level.name} has no start")


def _goals(ground: Ground, reached: Set[Cell]) -> Dict[Cell, Line]:
    goals: Dict[Cell, Line] = {}
    for line in ground.level.lines:
        special = SPECIALS.get(line.special)
        if special is not None and special.does is Does.EXIT:
            cell = stand(ground, line, special.by, reached)
            if cell is not None:
                goals.setdefault(cell, line)
    return goals


def _keys(ground: Ground, reached: Set[Cell], skill: int) -> Tuple[Dict[str, Thing], Dict[str, Cell]]:
    keys: Dict[str, Thing] = {}
    cells: Dict[str, Cell] = {}
    for thing in ground.level.there(skill):
        if thing.kind not in KEYS:
            continue
        cell = ground.nearest(thing.x, thing.y, reached, within=2)
        name = "_".join(KEYS[thing.kind])
        name = name if name not in keys else f"{name}_{len(keys)}"
        if cell is not None:
            keys[name], cells[name] = thing, cell
    return keys, cells


def stand(ground: Ground, line: Line, by: By, reached: Set[Cell]) -> Optional[Cell]:
    """Where one stands to set a line off: in front of it, or where one begins to walk over it."""
    x, y = line.middle
    if by is By.WALK:
        edges = [edge for edge in ground.crossed(line) if edge[0] in reached or edge[1] in reached]
        cells = [(cell, edge) for edge in edges for cell in edge if cell in reached]
        near = [(_far(ground, cell, x, y), cell) for cell, _ in cells]
        return min(near)[1] if near else None
    steps = SHOT if by is By.SHOT else REACH
    column, row = ground.around(x, y)
    best = None
    for dy in range(-steps, steps + 1):
        for dx in range(-steps, steps + 1):
            cell = (column + dx, row + dy)
            if cell in reached and line.is_before(*ground.point(cell)):
                far = (_far(ground, cell, x, y), cell)
                best = far if best is None or far < best else best
    return best[1] if best else None


def _far(ground: Ground, cell: Cell, x: float, y: float) -> float:
    px, py = ground.point(cell)
    return (px - x) ** 2 + (py - y) ** 2


def _kept(ground: Ground, reached: Set[Cell], wanted: Set[Cell]) -> List[int]:
    """The gates that matter: those between regions in which there is something, or which lead on. What
    only shuts monsters in stays shut."""
    gates = {number: gate.cells & reached for number, gate in enumerate(ground.gates) if gate.cells & reached}
    beside = _beside(ground, reached)
    region = _regions(ground, reached - {cell for cells in gates.values() for cell in cells})
    pulled = {number: set(_pulled_from(ground, ground.gates[number].mover, reached)) for number in gates}
    # Where one drops down, or is taken elsewhere.
    crossings = {it for it in region if any(region.get(to, region[it]) != region[it] for to in beside[it])}
    around = {number: {to for cell in cells for to in beside[cell]} for number, cells in gates.items()}
    while True:
        useful = wanted | {cell for number in gates for cell in pulled[number]}
        lively_always = {region[it] for it in useful | crossings if it in region}
        idle = None
        for number, cells in gates.items():
            others = [other for other in gates if other != number]
            if cells & useful or any((cells | around[number]) & gates[other] for other in others):
                continue
            lively = lively_always | {region[it] for other in others for it in around[other] if it in region}
            if len({region[it] for it in around[number] if it in region} & lively) <= 1:
                idle = number
                break
        if idle is None:
            return sorted(gates)
        del gates[idle]


def _beside(ground: Ground, cells: Set[Cell]) -> Dict[Cell, Set[Cell]]:
    """From where to where there is a step, in one way or the other."""
    beside: Dict[Cell, Set[Cell]] = {cell: set() for cell in cells}
    for cell in cells:
        for to in ground.exits(cell):
            if to in cells:
                beside[cell].add(to)
                beside[to].add(cell)
    return beside


def _regions(ground: Ground, cells: Set[Cell]) -> Dict[Cell, int]:
    """Numbers for cells between which one can go to and fro."""
    region: Dict[Cell, int] = {}
    count = 0
    for first in sorted(cells):
        if first in region:
            continue
        region[first] = count
        waiting = [first]
        while waiting:
            here = waiting.pop()
            for to in ground.exits(here):
                if to in cells and to not in region and here in ground.exits(to):
                    region[to] = count
                    waiting.append(to)
        count += 1
    return region


def _pulled_from(ground: Ground, mover: Optional[int], reached: Set[Cell]) -> Dict[Cell, Line]:
    """Where a mover is set off: places, and the line of each."""
    cells: Dict[Cell, Line] = {}
    if mover is not None:
        for number in ground.movers[mover].lines:
            line = ground.level.lines[number]
            cell = stand(ground, line, ground.movers[mover].special.by, reached)
            if cell is not None:
                cells.setdefault(cell, line)
    return cells


def _add_doors(quest: Quest, kept: List[int]) -> None:
    """The doors of a quest, and what opens those that no key opens."""
    ground = quest.ground
    opens: Dict[int, List[str]] = {}
    for number in kept:
        gate = ground.gates[number]
        for index, part in enumerate(parts(gate.cells & quest.places)):
            name = f"{gate.colour or 'moved'}_{number}" + (f"_{index}" if index else "")
            quest.doors[name] = Gate(part, gate.mover, gate.colour)
            if gate.mover is not None:
                opens.setdefault(gate.mover, []).append(name)
    for mover, doors in opens.items():
        special = ground.movers[mover].special
        near: Dict[Tuple[int, int], Cell] = {}
        for cell, line in _pulled_from(ground, mover, quest.places).items():
            # Lines beside each other do the same.
            x, y = cell
            if any(abs(x - px) + abs(y - py) <= 2 * REACH for px, py in near):
                continue
            near[x, y] = cell
            name = f"line_{ground.level.lines.index(line)}"
            quest.levers[name] = Lever(line, cell, doors, special.returns)
            if special.colour is not None:
                quest.doors[f"lock_{name}"] = Gate({cell}, mover, special.colour)
