"""A character of ours in a region of Luanti: told what is so, it says which cell to walk to."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Sequence, Set

from apprentice_serving import Apprentice, Refused

from .level import doors_that_bar, scenario

Document = Dict[str, Any]

#: Units of budget for a tick, and for whoever begins.
UNITS, FIRST_UNITS = 2_000, 200_000
#: Whoever has not come so far in so many seconds is told everything again: something that was thought to have
#: happened has not. Otherwise only what has changed is told, so that bodies that are a moment late are no
#: reason to think again.
STANDS, STANDS_SECONDS = 0.1, 1.0
NAME = "anna"


class Character:
    """Plans in the level that was read, and goes on in another when it is read anew."""

    def __init__(self, apprentice: Apprentice, name: str, goal: Sequence[float], shown: Optional[str] = None) -> None:
        self._apprentice, self._name, self._goal, self._shown = apprentice, name, goal, shown
        self._level: Document = {}
        self._state: Document = {}
        self._stood = 0.0
        self._stands_at: Sequence[float] = (0.0, 0.0)
        self._plans_before = 0
        self._order: Document = {}

    def begin(self, level: Document, at: Sequence[float], state: Document) -> None:
        """It is in a level, perhaps in another than before."""
        self._plans_before = self.plans
        self._level = level
        text = scenario(level, at, self._goal, state.get("open") or [])
        self._apprentice.ask(do="level", level=self._name, text=text)
        if self._shown is not None:
            self._apprentice.ask(do="show", level=self._name, name="shown", log=self._shown)
        self._apprentice.ask(do="character", level=self._name, character=NAME)
        self._state, self._order = _state(state), {}
        self._tick(0.0, self._seen(self._state, _things(level)), FIRST_UNITS)

    def plan(self) -> Document:
        """The plan from the start, as a document, with its bound."""
        answer: Document = self._apprentice.ask(do="plan", level=self._name)["plan"]
        return answer

    def tick(self, seconds: float, told: Document) -> Optional[List[float]]:
        """Where it goes now, or None where it stays."""
        if told.get("level") and told["level"] != self._level:
            self.begin(told["level"], told["at"], told)
            return self._order.get("to")
        before, self._state = self._state, _state(told)
        changed = {id for what in before for id in set(before[what]) ^ set(self._state[what])}
        if math.dist(told["at"], self._stands_at) > STANDS:
            self._stood, self._stands_at = 0.0, told["at"]
        self._stood += seconds
        if self._stood >= STANDS_SECONDS:
            self._stood, changed = 0.0, _things(self._level)
        seen = [{"agent": {"at": told["at"]}}, *self._seen(self._state, changed)]
        self._tick(min(seconds, 60.0), seen, UNITS)
        return self._order.get("to")

    def end(self) -> None:
        """It is not needed any longer."""
        try:
            self._apprentice.ask(do="forget", level=self._name)
        except Refused:
            pass  # Its level was never one.

    def _tick(self, seconds: float, seen: List[Document], units: int) -> None:
        try:
            answer = self._apprentice.ask(do="tick", level=self._name, seconds=seconds, seen=seen, units=units)
        except Refused:
            # A body may be pushed to where there is no floor; it is somewhere else soon.
            seen = [it for it in seen if "at" not in it.get("agent", {})]
            answer = self._apprentice.ask(do="tick", level=self._name, seconds=seconds, seen=seen, units=units)
        self._order = answer["orders"][0]

    def _seen(self, state: Document, things: Set[str]) -> List[Document]:
        """How some things are, whether that is news or not."""
        seen: List[Document] = []
        keys = [key["id"] for key in self._level["keys"] or []]
        if things.intersection(keys):
            holding = [key for key in keys if key in state["holding"]]
            seen.append({"agent": {"holding": holding}})
            seen += [{"item": {"id": key, "lies": key not in holding}} for key in keys]
        for lever in self._level["levers"] or []:
            if lever["id"] in things:
                seen.append({"lever": {"id": lever["id"], "pulled": lever["id"] in state["pulled"]}})
        for door in doors_that_bar(self._level):
            if door in things:
                seen.append({"door": {"id": door, "open": door in state["open"]}})
        return seen

    @property
    def plans(self) -> int:
        """How many plans it has made so far."""
        return self._plans_before + int(self._order.get("plans", 0))

    @property
    def doing(self) -> str:
        return str(self._order.get("doing", "thinking"))

    @property
    def why(self) -> Optional[str]:
        """Why it is stuck, or left its last plan."""
        return self._order.get("why")


def _things(level: Document) -> Set[str]:
    return {thing["id"] for what in ("doors", "levers", "keys") for thing in level[what] or []}


def _state(told: Document) -> Document:
    return {what: told.get(what) or [] for what in ("open", "pulled", "holding")}
