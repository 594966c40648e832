"""Plans for a server of one's own, whose players record and hand characters over by chat."""

from __future__ import annotations

import sys
import time
from typing import Any, Dict, List, Optional

from apprentice_serving import Apprentice, Refused

from .character import Character
from .loopback import Loopback
from .server import install

Document = Dict[str, Any]


class Attendant:
    """Plans for whoever was handed over."""

    def __init__(self, apprentice: Apprentice) -> None:
        self._apprentice = apprentice
        self._characters: Dict[str, Character] = {}
        self._players: Dict[str, str] = {}
        self._plans: Dict[str, int] = {}

    def answer(self, question: Document) -> Document:
        do: List[Document] = []
        orders: List[Document] = []
        for told in question.get("news") or []:
            do += self._heard(told)
        for told in question.get("bodies") or []:
            do += self._walked(told, float(question["seconds"]), orders)
        return {"orders": orders, "do": do}

    def _heard(self, told: Document) -> List[Document]:
        id = str(told["id"])
        self._leave(id)
        if told["what"] != "handed_over":
            return []
        self._players[id] = told["by"]
        character = Character(self._apprentice, id, told["goal"], told.get("shown"))
        try:
            character.begin(told["level"], told["from"], {})
            plan = character.plan()
        except Refused as refused:
            return [self._say(id, f"no: {refused}")]
        self._characters[id], self._plans[id] = character, character.plans
        followed = f", {plan['followed']:.0%} as you did" if told.get("shown") else ""
        return [self._say(id, f"{plan['guarantee']}{followed}"), {"what": "start", "id": id}]

    def _walked(self, told: Document, seconds: float, orders: List[Document]) -> List[Document]:
        id = str(told["id"])
        character = self._characters.get(id)
        if character is None:
            return []
        if told.get("gone"):
            self._leave(id)
            return [self._say(id, "its body is gone")]
        judged = told.get("judged")
        if judged:
            self._leave(id)
            text = f"there, after {judged['seconds']:.1f} s" if judged["arrived"] else str(judged.get("foul"))
            return [self._say(id, text)]
        try:
            orders.append({"id": id, "to": character.tick(seconds, told)})
        except Refused as refused:
            self._leave(id)
            return [self._say(id, f"no: {refused}")]
        if character.plans == self._plans[id]:
            return []
        self._plans[id] = character.plans
        return [self._say(id, f"another plan: {character.why or 'something lies elsewhere'}")]

    def _leave(self, id: str) -> None:
        character = self._characters.pop(id, None)
        if character is not None:
            character.end()

    def _say(self, id: str, text: str) -> Document:
        return {"what": "say", "id": id, "to": self._players[id], "text": text}


def attend(apprentice: Apprentice, port: int, token: Optional[str], world: Optional[str]) -> int:
    """Until interrupted. Prints what the settings of the server must say."""
    with Loopback(Attendant(apprentice).answer, port, token) as loopback:
        if world is not None:
            install(world)
        print(f"secure.http_mods = apprentice\napprentice.port = {loopback.port}\napprentice.token = {loopback.token}")
        sys.stdout.flush()
        while loopback.error is None:
            time.sleep(0.5)
        print(f"error: {loopback.error}", file=sys.stderr)
        return 3
