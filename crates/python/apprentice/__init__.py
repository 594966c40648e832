"""Game characters that learn from demonstrations.

>>> level = Level.read("hall", '''
... format = 1
... start = [0, 0]
... goal = { within = { at = [2, 0], radius = 0.0 } }
... map = { rows = ["..."] }
... ''')
>>> level.plan()["cost"]
2.0
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _apprentice
from ._apprentice import ApprenticeError, __version__

__all__ = [
    "ApprenticeError",
    "Cast",
    "Character",
    "Game",
    "Level",
    "Playstyles",
    "Tasks",
    "rate",
]

Document = Dict[str, Any]
Points = Iterable[Sequence[float]]


def _line(points: Points) -> List[List[float]]:
    return [[float(number) for number in point] for point in points]


def _settings(given: Mapping[str, Any]) -> Dict[str, Any]:
    """What is asked for, apart from the planner's numbers."""
    apart = {"agent", "branching", "expansions", "explain", "in_order", "no_demos"}
    ask: Dict[str, Any] = {name: value for name, value in given.items() if name in apart}
    ask["settings"] = {name: value for name, value in given.items() if name not in apart}
    return ask


class Level:
    """A level and what was shown in it."""

    def __init__(self, native: _apprentice.Level) -> None:
        self._native = native

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Level":
        """Reads a scenario file, with whatever it names from beside it."""
        return cls(_apprentice.Level.load(os.fspath(path)))

    @classmethod
    def read(
        cls, name: str, text: str, files: Optional[Mapping[str, Union[str, bytes]]] = None
    ) -> "Level":
        """Reads a level from a text, and the files it names from a dictionary."""
        given = {
            name: content.encode() if isinstance(content, str) else content
            for name, content in (files or {}).items()
        }
        return cls(_apprentice.Level.read(name, text, given))

    @property
    def id(self) -> str:
        """What it goes by: the name of its file."""
        return self._native.id()

    @property
    def name(self) -> str:
        """Its name for people."""
        return self._native.name()

    @property
    def demonstrations(self) -> List[str]:
        """The names of what was shown in it."""
        return self._native.demonstrations()

    def show(
        self, name: str, *, log: Union[str, bytes, None] = None, points: Optional[Points] = None
    ) -> None:
        """Shows a recorded log, or a line of points, to plans and to casts that are made later."""
        if (log is None) == (points is None):
            raise TypeError("show a `log`, or `points`, and not both")
        if log is not None:
            self._native.show_log(name, log.encode() if isinstance(log, str) else log)
        if points is not None:
            self._native.show_line(name, _line(points))

    def plan_text(self, **ask: Any) -> str:
        """The document that `apprentice plan --format json` prints, as it prints it."""
        return self._native.plan(json.dumps(_settings(ask)))

    def plan(self, **ask: Any) -> Document:
        """Plans. Takes what `apprentice plan` takes: planner, bound, faithful, w, epsilon, w1, w2,
        events, improve, …; and agent, branching, expansions, explain, in_order, no_demos."""
        plan: Document = json.loads(self.plan_text(**ask))
        return plan

    def explain(self, **ask: Any) -> str:
        """Plans, and says in words what was found, what is proven, what is followed, and why."""
        return self._native.explain(json.dumps(_settings(ask)))

    def picture(self, **ask: Any) -> str:
        """Plans, and draws it: an SVG picture."""
        return self._native.picture(json.dumps(_settings(ask)))

    def verify(self, plan: Union[Document, str]) -> Document:
        """Lives through a plan, without any search code: whether it is `valid`, and `why` not."""
        text = plan if isinstance(plan, str) else json.dumps(plan)
        verdict: Document = json.loads(self._native.verify(text))
        return verdict

    def recognise(
        self,
        goals: Mapping[str, Document],
        log: Union[str, bytes],
        *,
        mistake: float = 4.0,
        expansions: int = 2_000_000,
    ) -> Document:
        """What somebody is after, from where a log says that they were. Goals are written as in
        scenario files: ``{"gold": {"holds": "chest"}}``."""
        asked = [(name, json.dumps(goal)) for name, goal in goals.items()]
        seen = log.encode() if isinstance(log, str) else log
        told: Document = json.loads(self._native.recognise(asked, seen, mistake, expansions))
        return told


class Character:
    """Somebody in a cast."""

    def __init__(self, cast: "Cast", name: str, number: int) -> None:
        self._cast = cast
        self.name = name
        self.number = number

    def now(self) -> Document:
        """What it is to do now, and why: order, to, at, doing, plans, why."""
        intention: Document = json.loads(self._cast._native.intention(self.number))
        return intention

    def ahead(self) -> List[Document]:
        """What it means to do, step by step."""
        steps: List[Document] = json.loads(self._cast._native.ahead(self.number))
        return steps

    def pursue(self, goal: Document) -> None:
        """It is after something else from now on."""
        self._cast._native.pursue(self.number, json.dumps(goal))

    def dismiss(self) -> None:
        """It leaves."""
        self._cast._native.dismiss(self.number)


class Cast:
    """The characters of a level, and what each of them sees. They share one budget."""

    def __init__(self, level: Level) -> None:
        self._native = _apprentice.Cast(level._native)

    def add(
        self,
        name: str,
        *,
        agent: Optional[str] = None,
        at: Optional[Sequence[float]] = None,
        goal: Optional[Document] = None,
        importance: Optional[int] = None,
        looks_every: Optional[float] = None,
        tick: Optional[float] = None,
        branching: Optional[int] = None,
        no_demos: bool = False,
        **settings: Any,
    ) -> Character:
        """Somebody joins: the character of the level, or another of its agents, or one of many."""
        recruit = {
            "agent": agent,
            "at": None if at is None else [float(number) for number in at],
            "goal": goal,
            "importance": importance,
            "looks_every": looks_every,
            "tick": tick,
            "branching": branching,
            "no_demos": no_demos,
            "settings": settings,
        }
        return Character(self, name, self._native.add(name, json.dumps(recruit)))

    def observe(self, by: Optional[Character] = None, **seen: Any) -> None:
        """Something is so in the game, for one or for all: agent={"at": [3, 4]},
        door={"id": "gate", "open": False}, item={"id": "key", "lies": False},
        lever={"id": "winch", "pulled": True}."""
        self._native.observe(None if by is None else by.number, json.dumps(seen))

    def pass_time(self, seconds: float) -> None:
        """Time passes: everybody goes on by its last order."""
        self._native.pass_time(seconds)

    def think(self, units: int) -> Document:
        """Everybody looks up and thinks, for at most so many units together, and has an order."""
        spent: Document = json.loads(self._native.think(units))
        return spent

    def tick(self, seconds: float, units: int) -> Document:
        """Time passes, and everybody thinks. Observe in between with `pass_time` and `think`."""
        self.pass_time(seconds)
        return self.think(units)


class Tasks:
    """A domain of tasks, in the designers' language: one text, or several by their names."""

    def __init__(self, texts: Union[str, Mapping[str, str]]) -> None:
        named = {"tasks.htn": texts} if isinstance(texts, str) else dict(texts)
        self._native = _apprentice.Tasks(list(named.items()))

    @property
    def warnings(self) -> str:
        """What looks wrong, and is no error."""
        return self._native.warnings()

    def plan(
        self,
        goal: Optional[str] = None,
        *,
        best: bool = False,
        iterations: Optional[int] = None,
        steps: Optional[int] = None,
    ) -> Document:
        """Plans, for a goal such as ``ordered(Guard(gate))`` or for the problem of the texts."""
        ask = {"goal": goal, "best": best, "iterations": iterations, "steps": steps}
        document: Document = json.loads(self._native.plan(json.dumps(ask)))
        return document


class Playstyles:
    """Ways to play, learned from logs."""

    def __init__(self, model: str) -> None:
        self.model = model

    @classmethod
    def learn(cls, plays: str, *, name: str = "plays.jsonl", labelled: bool = False) -> "Playstyles":
        """From plays as JSON Lines or CSV; the ending of the name says which."""
        return cls(_apprentice.learn_styles(plays, name, labelled))

    def classify(
        self, plays: str, *, name: str = "plays.jsonl", until: Optional[float] = None
    ) -> List[Document]:
        """Tells the style of each play, from all of it or up to a time."""
        told: List[Document] = json.loads(_apprentice.classify(self.model, plays, name, until))
        return told


def rate(
    matches: str,
    *,
    system: str = "weng-lin",
    profile: Optional[str] = None,
    passes: int = 1,
    orders: Optional[int] = None,
    seed: Optional[int] = None,
    predict: Iterable[Tuple[Sequence[str], Sequence[str]]] = (),
) -> Document:
    """Rates players from matches in comma-separated values. With a `seed` matches are shuffled."""
    pairs = [(list(one), list(other)) for one, other in predict]
    told: Document = json.loads(
        _apprentice.rate(matches, system, profile, passes, orders, seed, pairs)
    )
    return told


class Game:
    """A game of one's own, to try something out: slow, because every rule is asked in Python.

    Override `place` and `successors`, and `is_goal` unless goals are given by place. States and actions
    are anything that can be a key of a dictionary.
    """

    #: Where places are.
    places: Points = ()
    #: The ways between them: from, to, length. Every step from one place to another is one of these,
    #: and takes no less time; bounds rest on it.
    ways: Iterable[Tuple[int, int, float]] = ()
    #: The greatest speed over them.
    top_speed: float = 1.0
    #: The places where it may end; if there are none, `is_goal` is asked.
    goals: Iterable[int] = ()
    #: Keys and doors: name, place, whether it bars, numbers of what opens it, whether it uses that up.
    locks: Iterable[Tuple[str, int, bool, Sequence[int], bool]] = ()

    def start(self) -> Hashable:
        """The state it begins in."""
        raise NotImplementedError

    def place(self, state: Any) -> int:
        """The number of the place somebody is at."""
        raise NotImplementedError

    def successors(self, state: Any) -> Iterable[Tuple[Hashable, Hashable, float]]:
        """The steps that leave a state, always in the same order: action, next state, seconds."""
        raise NotImplementedError

    def is_goal(self, state: Any) -> bool:
        """Whether it may end here."""
        return False

    def is_done(self, state: Any, lock: int) -> bool:
        """Whether a lock is open, or its key taken."""
        return False

    def plan(
        self,
        *,
        shown: Optional[Mapping[str, Points]] = None,
        units: Optional[int] = None,
        **settings: Any,
    ) -> Document:
        """Plans, by any planner: status, cost, bound, guarantee, and steps with action, state and t."""
        rules = _Rules(self)
        document: Document = json.loads(
            _apprentice.plan_game(
                rules,
                _line(self.places),
                [(start, end, float(length)) for start, end, length in self.ways],
                float(self.top_speed),
                rules.states.number(self.start()),
                list(self.goals),
                [(name, at, bars, list(keys), used) for name, at, bars, keys, used in self.locks],
                [(name, _line(points)) for name, points in (shown or {}).items()],
                json.dumps(settings),
                units,
            )
        )
        for step in document["steps"]:
            step["action"] = rules.actions.thing(step["action"])
            step["state"] = rules.states.thing(step["state"])
        return document


class _Numbers:
    """Numbers for things, in the order in which they are met."""

    def __init__(self) -> None:
        self._numbers: Dict[Hashable, int] = {}
        self._things: List[Hashable] = []

    def number(self, thing: Hashable) -> int:
        number = self._numbers.setdefault(thing, len(self._things))
        if number == len(self._things):
            self._things.append(thing)
        return number

    def thing(self, number: int) -> Hashable:
        return self._things[number]


class _Rules:
    """A game as the library asks about it: states and actions are numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = _Numbers()
        self.actions = _Numbers()

    def place(self, state: int) -> int:
        return self.game.place(self.states.thing(state))

    def successors(self, state: int) -> List[Tuple[int, int, float]]:
        return [
            (self.actions.number(action), self.states.number(after), float(seconds))
            for action, after, seconds in self.game.successors(self.states.thing(state))
        ]

    def is_goal(self, state: int) -> bool:
        return bool(self.game.is_goal(self.states.thing(state)))

    def is_done(self, state: int, lock: int) -> bool:
        return bool(self.game.is_done(self.states.thing(state), lock))
