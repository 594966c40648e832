"""What Doom's lines do: who sets them off, and what becomes of the sectors they move."""

from __future__ import annotations

import dataclasses
import enum
from typing import Dict, Optional


class By(enum.Enum):
    """How a line is set off."""

    #: Pressing against it moves the sector behind it.
    DOOR = "door"
    #: Pressing against it moves the sectors with its tag.
    SWITCH = "switch"
    #: Walking over it does.
    WALK = "walk"
    #: Shooting at it does.
    SHOT = "shot"


class Does(enum.Enum):
    """What a line does."""

    #: The ceiling rises; of some it comes down again.
    OPEN = "open"
    #: The floor goes down to the lowest around, and comes up again.
    LIFT = "lift"
    FLOOR_TO_LOWEST = "floor to lowest"
    FLOOR_TO_HIGHEST = "floor to highest"
    #: As far as the next floor that is higher.
    FLOOR_TO_NEXT = "floor to next"
    FLOOR_TO_CEILING = "floor to ceiling"
    FLOOR_BY = "floor by"
    STAIRS = "stairs"
    CEILING_TO_HIGHEST = "ceiling to highest"
    DONUT = "donut"
    TELEPORT = "teleport"
    EXIT = "exit"


@dataclasses.dataclass(frozen=True)
class Special:
    """What a line does, and how it is set off."""

    by: By
    does: Does
    #: What is needed: `red`, `blue` or `yellow`.
    colour: Optional[str] = None
    #: How far, where the kind does not say it.
    far: int = 0
    #: Whether it goes back by itself.
    returns: bool = False


def _table() -> Dict[int, Special]:
    table: Dict[int, Special] = {}

    def add(by: By, does: Does, *numbers: int, **more: object) -> None:
        table.update({number: Special(by, does, **more) for number in numbers})  # type: ignore[arg-type]

    add(By.DOOR, Does.OPEN, 1, 117, returns=True)
    add(By.DOOR, Does.OPEN, 31, 118)
    for colour, returning, staying in (("blue", 26, 32), ("yellow", 27, 34), ("red", 28, 33)):
        add(By.DOOR, Does.OPEN, returning, colour=colour, returns=True)
        add(By.DOOR, Does.OPEN, staying, colour=colour)
    add(By.SWITCH, Does.OPEN, 99, 133, colour="blue")
    add(By.SWITCH, Does.OPEN, 134, 135, colour="red")
    add(By.SWITCH, Does.OPEN, 136, 137, colour="yellow")
    add(By.SWITCH, Does.OPEN, 29, 63, 111, 114, returns=True)
    add(By.SWITCH, Does.OPEN, 61, 103, 112, 115)
    add(By.WALK, Does.OPEN, 4, 90, 105, 108, returns=True)
    add(By.WALK, Does.OPEN, 2, 86, 106, 109)
    add(By.SHOT, Does.OPEN, 46)
    add(By.SWITCH, Does.LIFT, 21, 62, 122, 123, returns=True)
    add(By.WALK, Does.LIFT, 10, 53, 87, 88, 120, 121, returns=True)
    add(By.SWITCH, Does.FLOOR_TO_LOWEST, 23, 60)
    add(By.WALK, Does.FLOOR_TO_LOWEST, 37, 38, 82, 84)
    add(By.SWITCH, Does.FLOOR_TO_HIGHEST, 45, 102)
    add(By.WALK, Does.FLOOR_TO_HIGHEST, 19, 83)
    # These stop eight units above the highest floor around, and are there at once.
    add(By.SWITCH, Does.FLOOR_TO_HIGHEST, 70, 71, far=8)
    add(By.WALK, Does.FLOOR_TO_HIGHEST, 36, 98, far=8)
    add(By.SWITCH, Does.FLOOR_TO_NEXT, 18, 20, 68, 69, 131, 132)
    add(By.WALK, Does.FLOOR_TO_NEXT, 22, 95, 119, 128, 129, 130)
    add(By.SHOT, Does.FLOOR_TO_NEXT, 47)
    add(By.SWITCH, Does.FLOOR_TO_CEILING, 64, 101)
    add(By.WALK, Does.FLOOR_TO_CEILING, 5, 91)
    add(By.SHOT, Does.FLOOR_TO_CEILING, 24)
    add(By.SWITCH, Does.FLOOR_BY, 14, 67, far=32)
    add(By.SWITCH, Does.FLOOR_BY, 15, 66, far=24)
    add(By.SWITCH, Does.FLOOR_BY, 140, far=512)
    add(By.WALK, Does.FLOOR_BY, 58, 59, 92, 93, far=24)
    add(By.SWITCH, Does.STAIRS, 7, far=8)
    add(By.WALK, Does.STAIRS, 8, far=8)
    add(By.SWITCH, Does.STAIRS, 127, far=16)
    add(By.WALK, Does.STAIRS, 100, far=16)
    add(By.WALK, Does.CEILING_TO_HIGHEST, 40)
    add(By.SWITCH, Does.DONUT, 9)
    add(By.WALK, Does.TELEPORT, 39, 97)
    add(By.SWITCH, Does.EXIT, 11)
    add(By.WALK, Does.EXIT, 52)
    return table


SPECIALS = _table()

#: Doom's keys, by the number of the thing: cards and skulls open the same doors.
KEYS = {
    5: ("blue", "card"),
    6: ("yellow", "card"),
    13: ("red", "card"),
    40: ("blue", "skull"),
    39: ("yellow", "skull"),
    38: ("red", "skull"),
}
#: The same by the engine's names for things.
KEY_NAMES = {"BlueCard": 5, "YellowCard": 6, "RedCard": 13, "BlueSkull": 40, "YellowSkull": 39, "RedSkull": 38}
START, LANDING = 1, 14
#: What stands in the way, and how wide it is to each side.
SOLID = {2035: 10, 54: 32, 2028: 16}
SOLID.update({number: 16 for number in (30, 31, 32, 33, 35, 36, 37, 41, 43, 44, 45, 46, 47, 48, 55, 56, 57)})
SOLID.update({number: 16 for number in (25, 26, 27, 28, 29, 42, 70, 85, 86, 49, 50, 51, 52, 53)})
SOLID.update({number: 16 for number in (73, 74, 75, 76, 77, 78)})
#: Floors that hurt.
HURTS = {4, 5, 7, 11, 16}
