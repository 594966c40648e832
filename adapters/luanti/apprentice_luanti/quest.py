"""Quests of four rooms in a row, which the mod builds out of nodes."""

from __future__ import annotations

import dataclasses
import random
from typing import Any, Dict, List, Optional, Tuple

Cell = Tuple[int, int]

WIDTH, HEIGHT = 29, 9
#: Where walls stand between rooms: the first door needs a key, the second a lever, the third bare hands.
WALLS = (7, 14, 21)
#: What becomes otherwise while somebody walks, by turns.
TRICKS = (None, "key_moved", "lever_back", "door_shut", "lock_changed")


@dataclasses.dataclass
class Quest:
    """A start, a goal, and what is between them."""

    seed: int
    rows: List[str]
    start: Cell
    goal: Cell
    #: The doors from west to east.
    doors: List[Cell]
    key: Cell
    #: The lever, and the row of the wall that it hangs on.
    lever: Cell
    lever_wall: int
    #: What becomes otherwise on the way, and where a key lies then.
    trick: Optional[str]
    elsewhere: Cell

    def told(self) -> Dict[str, Any]:
        """As the mod wants it."""
        secret = f"secret{self.seed}"
        tricks: Dict[Optional[str], Any] = {
            None: None,
            "key_moved": {"kind": "key_moved", "key": "key0", "to": self.elsewhere},
            "lever_back": {"kind": "lever_back", "lever": "lever0", "door": "door1"},
            "door_shut": {"kind": "door_shut", "door": "door0"},
            "lock_changed": {
                "kind": "lock_changed",
                "door": "door0",
                "secret": f"another{self.seed}",
                "to": self.elsewhere,
            },
        }
        return {
            "rows": self.rows,
            "start": self.start,
            "goal": self.goal,
            "doors": [
                {"at": self.doors[0], "kind": "steel", "secret": secret},
                {"at": self.doors[1], "kind": "steel", "is_locked": True},
                {"at": self.doors[2], "kind": "wood"},
            ],
            "keys": [{"at": self.key, "secret": secret}],
            "levers": [{"at": self.lever, "wall": self.lever_wall, "door": self.doors[1]}],
            "through": [f"door{number}" for number in range(len(self.doors))],
            "trick": tricks[self.trick],
        }


def made(seed: int) -> Quest:
    """A seed moves start, goal, doors, key, lever and pillars, and says what becomes otherwise on the way."""
    dice = random.Random(seed)
    edges = (0, WIDTH - 1, *WALLS)
    rows = [["#" if x in edges or y in (0, HEIGHT - 1) else "." for x in range(WIDTH)] for y in range(HEIGHT)]
    doors = [(x, dice.randrange(1, HEIGHT - 1)) for x in WALLS]
    for x, y in doors:
        rows[y][x] = "."
    rooms = [range(first + 1, last) for first, last in zip((0, *WALLS), (*WALLS, WIDTH - 1))]
    # A lever hangs on the wall to the north or to the south, before the second door.
    lever_wall, lever_row = dice.choice([(0, 1), (HEIGHT - 1, HEIGHT - 2)])
    lever = (dice.choice([*rooms[0], *rooms[1]]), lever_row)
    free: List[List[Cell]] = []
    for columns in rooms:
        # Pillars stand where nobody is shut in: with all eight cells around them free.
        middle = [(x, y) for x in list(columns)[1:-1] for y in range(2, HEIGHT - 2)]
        for x, y in dice.sample(middle, 3):
            around = [rows[y + dy][x + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            if "#" not in around:
                rows[y][x] = "#"
        cells = [(x, y) for x in columns for y in range(1, HEIGHT - 1) if rows[y][x] == "."]
        # Whoever begins does not stand at the lever, and keys do not lie there.
        cells = [(x, y) for x, y in cells if abs(x - lever[0]) + abs(y - lever[1]) > 1]
        free.append(dice.sample(cells, len(cells)))
    start, key, elsewhere = free[0].pop(), free[0].pop(), free[0].pop()
    return Quest(
        seed=seed,
        rows=["".join(row) for row in rows],
        start=start,
        goal=free[3].pop(),
        doors=doors,
        key=key,
        lever=lever,
        lever_wall=lever_wall,
        trick=TRICKS[seed % len(TRICKS)],
        elsewhere=elsewhere,
    )
