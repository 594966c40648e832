"""A level of MiniGrid as rooms: all of it, or what was seen of it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set, Tuple

from .mission import Goal, Mission, Noun, goal_of, is_where

Cell = Tuple[int, int]

#: Where each direction of MiniGrid leads.
DIRECTIONS: List[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
FACINGS = ["east", "south", "west", "north"]
DOOR_STATES = ["open", "shut", "locked"]


def whole_level(env: Any, mission: Mission) -> Dict[str, Any]:
    """The level of an environment that was just reset, with what is inside its boxes."""
    level = env.unwrapped
    width, height = level.grid.width, level.grid.height
    rows = [["." for _ in range(width)] for _ in range(height)]
    things: List[Dict[str, Any]] = []
    doors: List[Dict[str, Any]] = []
    goals: List[List[int]] = []

    def add(thing: Any, at: Optional[List[int]]) -> str:
        name = f"{thing.color}_{thing.type}_{len(things)}"
        entry = {"id": name, "kind": thing.type, "colour": thing.color, "at": at}
        things.append(entry)
        inside = getattr(thing, "contains", None)
        if inside is not None:
            entry["inside"] = {"thing": add(inside, None)}
        return name

    for y in range(height):
        for x in range(width):
            thing = level.grid.get(x, y)
            if thing is None or thing.type == "floor":
                continue
            if thing.type == "wall":
                rows[y][x] = "#"
            elif thing.type == "lava":
                rows[y][x] = "~"
            elif thing.type == "goal":
                goals.append([x, y])
            elif thing.type == "door":
                state = "open" if thing.is_open else "locked" if thing.is_locked else "shut"
                if mission.says_done:
                    # Who opens anything here has lost.
                    state = "locked"
                doors.append({"id": f"door_{x}_{y}", "colour": thing.color, "at": [x, y], "is": state})
            else:
                add(thing, [x, y])
    carries = None
    if level.carrying is not None:
        carries = add(level.carrying, None)
    start = (int(level.agent_pos[0]), int(level.agent_pos[1]))
    facing = int(level.agent_dir)
    room = _room(start, lambda cell: rows[cell[1]][cell[0]] != "#", {tuple(it["at"]) for it in doors})
    named = [(it["id"], it["kind"], it["colour"], it["at"]) for it in things if it["at"] is not None]
    named += [(it["id"], "door", it["colour"], it["at"]) for it in doors]

    def wanted(noun: Noun) -> Dict[str, Any]:
        return described(noun, named, room, start, facing)

    for thing in things:
        thing["fixed"] = not may_be_lifted(mission, thing["kind"], thing["colour"])
    return {
        "rows": ["".join(row) for row in rows],
        "start": list(start),
        "facing": FACINGS[facing],
        "carries": carries,
        "things": things,
        "doors": doors,
        "goal": goal_of(mission, wanted, goals),
    }


def may_be_lifted(mission: Mission, kind: str, colour: str) -> bool:
    """Whether MiniGrid lets somebody pick a thing up without ending the episode."""
    if not mission.picks_nothing_else:
        return True
    nouns = [clause.what for group in mission.groups for clause in group]
    return any(
        noun is not None and noun.kind in (None, kind) and noun.colour in (None, colour) for noun in nouns
    )


def described(noun: Noun, named: Any, room: Set[Cell], start: Cell, facing: int) -> Dict[str, Any]:
    """What a noun means; where it says where, by the ids of what was there at the start."""
    words: Dict[str, Any] = {}
    if noun.kind is not None:
        words["kind"] = noun.kind
    if noun.colour is not None:
        words["colour"] = noun.colour
    if noun.where is not None:
        words["ids"] = [
            name
            for name, kind, colour, (x, y) in named
            if (x, y) in room and is_where(noun.where, (x - start[0], y - start[1]), DIRECTIONS[facing])
        ]
    return words


def _room(start: Cell, is_way: Any, doors: Any) -> Set[Cell]:
    """The room somebody is in, with its doors."""
    room, queue = {start}, [start]
    while queue:
        x, y = queue.pop()
        if (x, y) in doors:
            continue
        for dx, dy in DIRECTIONS:
            cell = (x + dx, y + dy)
            if cell not in room and is_way(cell):
                room.add(cell)
                queue.append(cell)
    return room


class Seen:
    """What was seen of a level so far, in columns and rows from the start."""

    def __init__(self, mission: Mission, direction: int) -> None:
        self.mission = mission
        self.at: Cell = (0, 0)
        self.facing = direction
        self._first_facing = direction
        self._ways: Set[Cell] = {(0, 0)}
        self._first: Dict[Cell, Tuple[str, str, str, Cell]] = {}
        self._doors: Set[Cell] = set()
        self._goal: Optional[Goal] = None

    @staticmethod
    def carries(observation: Dict[str, Any]) -> Optional[List[str]]:
        """What is carried: MiniGrid shows it where one stands."""
        from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT

        image = observation["image"]
        kind, colour, _ = (int(it) for it in image[image.shape[0] // 2, image.shape[1] - 1])
        it = IDX_TO_OBJECT[kind]
        return [it, IDX_TO_COLOR[colour]] if it in ("key", "ball", "box") else None

    def look(self, observation: Dict[str, Any]) -> List[Dict[str, Any]]:
        """The cells in an observation of MiniGrid, whoever looks being in the middle of its last row."""
        from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT

        image = observation["image"]
        self.facing = int(observation["direction"])
        ahead, right = DIRECTIONS[self.facing], DIRECTIONS[(self.facing + 1) % 4]
        width, depth = image.shape[0], image.shape[1]
        sees = []
        for i in range(width):
            for j in range(depth):
                aside, far = i - width // 2, depth - 1 - j
                if (aside, far) == (0, 0):
                    continue
                kind, colour, state = (int(it) for it in image[i, j])
                kind, colour = IDX_TO_OBJECT[kind], IDX_TO_COLOR[colour]
                if kind == "unseen":
                    continue
                cell = (
                    self.at[0] + ahead[0] * far + right[0] * aside,
                    self.at[1] + ahead[1] * far + right[1] * aside,
                )
                sees.append(self._sighting(cell, kind, colour, state))
        return sees

    def _sighting(self, cell: Cell, kind: str, colour: str, state: int) -> Dict[str, Any]:
        entry: Dict[str, Any] = {"at": list(cell)}
        if kind != "wall":
            self._ways.add(cell)
        if kind in ("empty", "floor"):
            entry["is"] = "floor"
        elif kind == "wall":
            entry["is"] = "wall"
        elif kind == "lava":
            entry["is"] = "deadly"
        elif kind == "goal":
            entry["is"] = "goal"
        elif kind == "door":
            self._doors.add(cell)
            entry["is"] = {"door": [colour, "locked" if self.mission.says_done else DOOR_STATES[state]]}
        else:
            is_loose = may_be_lifted(self.mission, kind, colour)
            entry["is"] = {"thing" if is_loose else "fixed": [kind, colour]}
        if isinstance(entry["is"], dict):
            entry["id"] = f"{colour}_{kind}_{cell[0]}_{cell[1]}"
            self._first.setdefault(cell, (entry["id"], kind, colour, cell))
        elif cell not in self._first:
            # Whatever lies here later was not here at the start.
            self._first[cell] = ("", "", "", cell)
        return entry

    def goal(self) -> Optional[Goal]:
        """The goal in the words that are known by now; nothing if they have not changed."""
        room = _room((0, 0), lambda cell: cell in self._ways, self._doors)
        named = [it for it in self._first.values() if it[0]]

        def wanted(noun: Noun) -> Dict[str, Any]:
            return described(noun, named, room, (0, 0), self._first_facing)

        goal = goal_of(self.mission, wanted, [])
        if goal == self._goal:
            return None
        self._goal = goal
        return goal
