"""What a player did in a level of Doom, as a demonstration of ours: positions at an interval, in metres.

It comes from a demo of Doom's own (an LMP file), which the engine plays again, or from somebody who plays in a
window: one key begins and ends the recording, another begins the level anew and hands the body over to a
character that was shown what was recorded.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from typing import List, Optional, Tuple

import vizdoom

from .engine import Body
from .ground import Ground
from .quest import METRE
from .specials import KEYS

#: Seconds between two samples, and tics in a second.
INTERVAL = 0.5
TICS = 35


class Recording:
    """A log of ours, sample by sample."""

    def __init__(self, ground: Ground, interval: float = INTERVAL) -> None:
        self.ground = ground
        self.lines: List[str] = []
        head = {"format": 1, "scenario": ground.level.name, "interval": interval, "unit": "metre"}
        self.lines.append(json.dumps(head))
        self._every = max(1, round(interval * TICS))
        self._began: Optional[int] = None
        self._held: List[str] = []

    def see(self, tic: int, at: Tuple[float, float], health: float, holding: List[str]) -> None:
        """Takes a sample if it is time for one, or if something was taken."""
        self._began = tic if self._began is None else self._began
        passed = tic - self._began
        taken = sorted(set(holding) - set(self._held))
        if passed % self._every and not taken:
            return
        self._held = list(holding)
        sample = {
            "t": round(passed / TICS, 3),
            "x": round((at[0] - self.ground.west) / METRE, 3),
            "y": round((self.ground.north - at[1]) / METRE, 3),
            "gait": "walk",
            "health": min(health, 100.0),
            "holding": holding,
            "events": [f"picked_up:{name}" for name in taken],
        }
        self.lines.append(json.dumps(sample))

    @property
    def samples(self) -> int:
        return len(self.lines) - 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Keys:
    """Which keys of a level somebody has taken, by which of them lie no more."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._there = {where: "_".join(KEYS[kind]) for where, kind in body.keys().items()}

    def held(self) -> List[str]:
        lying = self.body.keys()
        return sorted(name for where, name in self._there.items() if where not in lying)


def replayed(body: Body, path: str, ground: Ground, interval: float = INTERVAL) -> Recording:
    """Lets the engine play a demo of its own again, and looks on."""
    game = body.game
    keys = Keys(body)
    game.replay_episode(path)
    recording = Recording(ground, interval)
    tic = 0
    while not game.is_episode_finished() and tic < body.longest:
        recording.see(tic, body.at, body.health, keys.held())
        game.advance_action(1, True)
        tic += 1
    return recording


class Asked(enum.Enum):
    """What somebody who plays has asked for by a key."""

    NOTHING = "nothing"
    RECORDS = "records"
    STOPS = "stops"
    HANDS_OVER = "hands over"


@dataclasses.dataclass
class Switches:
    """Two keys, each of which counts when it goes down, and not as long as it is held."""

    records: bool = False
    _down: Tuple[bool, bool] = (False, False)

    def press(self, record: bool, hand_over: bool) -> Asked:
        before, self._down = self._down, (record, hand_over)
        if hand_over and not before[1]:
            self.records = False
            return Asked.HANDS_OVER
        if record and not before[0]:
            self.records = not self.records
            return Asked.RECORDS if self.records else Asked.STOPS
        return Asked.NOTHING


#: Buttons that no weapon of Doom's uses.
RECORD, HAND_OVER = vizdoom.Button.RELOAD, vizdoom.Button.ZOOM
#: What the keyboard's keys do in the window.
BOUND = {
    "r": "+reload",
    "h": "+zoom",
    "w": "+forward",
    "s": "+back",
    "a": "+moveleft",
    "d": "+moveright",
    "uparrow": "+forward",
    "downarrow": "+back",
    "leftarrow": "+left",
    "rightarrow": "+right",
    "space": "+use",
    "e": "+use",
    "shift": "+speed",
    "mouse1": "+attack",
}
#: What somebody plays with.
PLAYED_WITH = [
    RECORD,
    HAND_OVER,
    vizdoom.Button.TURN_LEFT,
    vizdoom.Button.TURN_RIGHT,
    vizdoom.Button.MOVE_FORWARD,
    vizdoom.Button.MOVE_BACKWARD,
    vizdoom.Button.MOVE_LEFT,
    vizdoom.Button.MOVE_RIGHT,
    vizdoom.Button.USE,
    vizdoom.Button.ATTACK,
    vizdoom.Button.SPEED,
    vizdoom.Button.TURN_LEFT_RIGHT_DELTA,
]


def watched(body: Body, ground: Ground, interval: float = INTERVAL) -> Optional[Recording]:
    """Looks on while somebody plays in a window, until the body is handed over; the last recording, if there is
    one. The level may also end before that."""
    game, keys, switches = body.game, Keys(body), Switches()
    recording: Optional[Recording] = None
    tic = 0
    while not game.is_episode_finished():
        game.advance_action(1, True)
        pressed = dict(zip(PLAYED_WITH, game.get_last_action()))
        asked = switches.press(bool(pressed[RECORD]), bool(pressed[HAND_OVER]))
        if asked is Asked.HANDS_OVER or game.is_episode_finished():
            break
        if asked is Asked.RECORDS:
            recording = Recording(ground, interval)
        if recording is not None and switches.records:
            recording.see(tic, body.at, body.health, keys.held())
        tic += 1
    return recording
