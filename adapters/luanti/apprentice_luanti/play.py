"""Quests played in one run of Luanti's server, side by side; Luanti is the judge."""

from __future__ import annotations

import dataclasses
import json
import threading
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from apprentice_serving import Apprentice, Refused

from .character import Character
from .loopback import Loopback
from .player import Player
from .quest import HEIGHT, WIDTH, Quest
from .server import Server

Document = Dict[str, Any]

#: How many quests are played at the same time.
AT_ONCE = 10
#: After so many seconds of Luanti's it has failed.
LONGEST = 120.0
#: Whoever knows no way for so many seconds has failed.
STUCK = 20.0
#: The server must have asked for the first time after so many seconds, and go on asking.
PATIENCE = 60.0
#: Regions lie so far apart, whole blocks, and their floors at such a height that a block holds all of them.
APART, FLOOR = 32, 6


@dataclasses.dataclass
class Attempt:
    """How a quest went."""

    seed: int
    #: Whether Luanti says that it arrived, on its feet and through open doors.
    solved: bool = False
    #: Seconds of Luanti's.
    seconds: float = 0.0
    planning_ms: float = 0.0
    bound: Optional[float] = None
    #: The part of what was shown that the first plan follows.
    followed: Optional[float] = None
    #: How many plans it made.
    plans: int = 0
    #: What became otherwise on the way.
    tricked: Optional[str] = None
    why: Optional[str] = None
    #: What was recorded, a line each.
    lines: List[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class _Running:
    quest: Quest
    walker: Union[Character, Player]
    attempt: Attempt
    stuck: float = 0.0
    #: Seconds of Luanti's since anything was heard of it.
    unheard: float = 0.0


class _Game:
    """Answers the mod: hands out quests, asks whoever walks, and keeps how it went."""

    def __init__(self, quests: Sequence[Quest], walker: Callable[[Quest], Union[Character, Player]], records: bool) -> None:
        self._waiting = list(quests)
        self._walker, self._records = walker, records
        self._running: Dict[int, _Running] = {}
        self._places = list(range(AT_ONCE))[::-1]
        self._place_of: Dict[int, int] = {}
        self._left = len(self._waiting)
        self.attempts: Dict[int, Attempt] = {}
        self.changed = threading.Condition()
        self.asked = 0
        self._commands: List[Document] = []

    def is_over(self) -> bool:
        return self._left == 0

    def answer(self, question: Document) -> Document:
        with self.changed:
            self.asked += 1
            self._commands = []
            orders: List[Document] = []
            for told in question.get("news") or []:
                self._heard(told)
            seconds = float(question["seconds"])
            for running in list(self._running.values()):
                running.unheard += seconds
                # An answer that came too late may have been lost, and what was to be done with it.
                if running.unheard > STUCK + PATIENCE:
                    self._end(running, "nothing was heard of it any more")
            for told in question.get("bodies") or []:
                walking = self._running.get(int(told["id"]))
                if walking is not None:
                    walking.unheard = 0.0
                    try:
                        orders += self._walked(walking, told, seconds)
                    except Refused as refused:
                        self._end(walking, str(refused))
            while self._waiting and self._places:
                self._build(self._waiting.pop(0))
            self.changed.notify_all()
            return {"orders": orders, "do": self._commands}

    def _build(self, quest: Quest) -> None:
        place = self._places.pop()
        self._place_of[quest.seed] = place
        self._running[quest.seed] = _Running(quest, self._walker(quest), Attempt(quest.seed))
        # The north-west corner; rows go to the south, which is along falling z.
        z = place * APART + HEIGHT - 1
        region = {"x": 0, "y": FLOOR, "z": z, "width": WIDTH, "height": HEIGHT}
        self._do("build", quest.seed, region=region, quest=quest.told(), records=self._records)

    def _do(self, what: str, seed: int, **words: Any) -> None:
        self._commands.append({"what": what, "id": seed, **words})

    def _heard(self, told: Document) -> None:
        running = self._running.get(int(told["id"]))
        if running is None:
            return
        if told["what"] == "failed":
            self._end(running, told["why"])
        elif told["what"] == "built":
            walker, attempt = running.walker, running.attempt
            try:
                walker.begin(told["level"], running.quest.start, {})
                if isinstance(walker, Character):
                    plan = walker.plan()
                    attempt.planning_ms, attempt.bound = plan["time_ms"], plan["bound"]
                    attempt.followed = plan["followed"]
                    if plan["status"] != "found":
                        self._end(running, plan["guarantee"])
                        return
            except Refused as refused:
                self._end(running, str(refused))
                return
            self._do("start", running.quest.seed)

    def _walked(self, running: _Running, told: Document, seconds: float) -> List[Document]:
        attempt, walker = running.attempt, running.walker
        attempt.seconds += seconds
        attempt.lines += [json.dumps(line) for line in told.get("samples") or []]
        judged = told.get("judged")
        if judged:
            attempt.seconds = judged["seconds"]
            attempt.tricked = judged.get("tricked")
            attempt.solved = judged["arrived"] and not judged.get("foul")
            self._end(running, judged.get("foul"))
            return []
        if told.get("gone"):
            self._end(running, "its body is gone")
            return []
        to = walker.tick(seconds, told)
        is_stuck = isinstance(walker, Character) and walker.doing in ("stuck", "dead")
        running.stuck = running.stuck + seconds if is_stuck else 0.0
        if attempt.seconds > LONGEST or running.stuck > STUCK:
            said = walker.why if isinstance(walker, Character) else None
            self._end(running, f"not there after {attempt.seconds:.0f} s, at {told['at']}" + (f": {said}" if said else ""))
            return []
        return [{"id": running.quest.seed, "to": to}]

    def _end(self, running: _Running, why: Optional[str]) -> None:
        seed = running.quest.seed
        running.attempt.why = why
        if isinstance(running.walker, Character):
            running.attempt.plans = running.walker.plans
            running.walker.end()
        self.attempts[seed] = running.attempt
        self._places.append(self._place_of.pop(seed))
        del self._running[seed]
        self._left -= 1
        self._do("stop", seed)


class Failed(Exception):
    """Luanti's server has ended, or says nothing."""


def play(apprentice: Apprentice, quests: Sequence[Quest], shown: Optional[str] = None) -> List[Attempt]:
    """Plays quests, ten at the same time; `shown` is a recording, as text."""
    return _run(quests, lambda quest: Character(apprentice, f"luanti{quest.seed}", quest.goal, shown), False)


def record(quest: Quest) -> Attempt:
    """A scripted player in a quest, whose recording is in the lines of the attempt."""
    attempt = _run([quest], lambda quest: Player(quest.goal), True)[0]
    header = {"format": 1, "scenario": "luanti", "interval": 0.25, "unit": "cell"}
    attempt.lines.insert(0, json.dumps(header))
    return attempt


def _run(quests: Sequence[Quest], walker: Callable[[Quest], Union[Character, Player]], records: bool) -> List[Attempt]:
    game = _Game(quests, walker, records)
    with Loopback(game.answer) as loopback, Server(loopback.port, loopback.token) as server:
        with game.changed:
            while not game.is_over():
                asked = game.asked
                # In slices, so that a server that ends is noticed.
                for _ in range(int(PATIENCE)):
                    if game.asked != asked or game.is_over() or loopback.error or server.has_ended():
                        break
                    game.changed.wait(timeout=1.0)
                if loopback.error is not None:
                    raise loopback.error
                if server.has_ended():
                    raise Failed(f"Luanti's server has ended: {server.last_words()}")
                if game.asked == asked and not game.is_over():
                    raise Failed(f"Luanti's server says nothing: {server.last_words()}")
    return [game.attempts[quest.seed] for quest in quests]
