"""What a mission wants, from its own words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Dict, List, Optional

#: A goal as Apprentice reads it: groups one after the other, each group's parts in any order.
Goal = List[List[Dict[str, Any]]]


class NotExpressible(Exception):
    """A mission that there are no words for."""


@dataclasses.dataclass(frozen=True)
class Noun:
    """A thing or a door as a mission names it."""

    kind: Optional[str]
    colour: Optional[str]
    #: Where it was from the start: left, right, front or behind.
    where: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Clause:
    """One thing to be done."""

    verb: str
    what: Optional[Noun] = None
    beside: Optional[Noun] = None
    #: Whether touching by a corner is beside, too.
    corners: bool = False


@dataclasses.dataclass(frozen=True)
class Mission:
    """What is to be done."""

    groups: List[List[Clause]]
    #: Whether MiniGrid waits for the action that says so.
    says_done: bool = False
    #: Whether it ends badly to pick up anything else.
    picks_nothing_else: bool = False


_NOUN = r"(?:the|a|an) (?:(?P<{0}c>red|green|blue|purple|yellow|grey) )?(?P<{0}k>door|key|ball|box|object)(?P<{0}w> in front of you| behind you| on your left| on your right)?"
_WHERE = {"in front of you": "front", "behind you": "behind", "on your left": "left", "on your right": "right"}


def _noun(match: "re.Match[str]", name: str) -> Noun:
    kind, colour, where = (match.group(name + it) for it in "kcw")
    return Noun(None if kind == "object" else kind, colour, _WHERE.get((where or "").strip()))


_CLAUSES = [
    ("face", re.compile("go to " + _NOUN.format("a"))),
    ("take", re.compile("(?:pick up|go get|get|go fetch|fetch|you must fetch) " + _NOUN.format("a"))),
    ("open", re.compile("open " + _NOUN.format("a"))),
    ("put", re.compile("put " + _NOUN.format("a") + " (?P<how>next to|near) " + _NOUN.format("b"))),
]


def _clause(text: str) -> Clause:
    for verb, pattern in _CLAUSES:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if verb == "put":
            return Clause(verb, _noun(match, "a"), _noun(match, "b"), match.group("how") == "near")
        return Clause(verb, _noun(match, "a"))
    raise NotExpressible(text)


def _group(text: str) -> List[Clause]:
    return [_clause(part) for part in text.split(" and ")]


def read(text: str, env_id: str = "") -> Mission:
    """Reads a mission. The name of its environment only says by which rules MiniGrid judges it."""
    text = text.strip().lower()
    if text == "open the red door then the blue door":
        red, blue = (Clause("open", Noun("door", colour)) for colour in ("red", "blue"))
        return Mission([[red], [blue]])
    try:
        if ", then " in text:
            first, last = text.split(", then ")
            groups = [_group(first), _group(last)]
        elif " after you " in text:
            last, first = text.split(" after you ")
            groups = [_group(first), _group(last)]
        else:
            groups = [_group(text)]
    except NotExpressible:
        if "goal" in text:
            return Mission([[Clause("reach")]])
        raise
    return Mission(
        groups,
        says_done="-GoToDoor-" in env_id or "-GoToObject-" in env_id,
        picks_nothing_else="-Fetch-" in env_id or "-PutNear-" in env_id,
    )


def goal_of(mission: Mission, wanted: Any, goals: List[Any]) -> Goal:
    """A mission as a goal, with somebody who says what is meant by a noun."""

    def part(clause: Clause) -> Dict[str, Any]:
        if clause.verb == "reach":
            return {"reach": goals}
        if clause.verb == "put":
            return {
                "put": {
                    "what": wanted(clause.what),
                    "beside": wanted(clause.beside),
                    "corners": clause.corners,
                }
            }
        return {clause.verb: wanted(clause.what)}

    return [[part(clause) for clause in group] for group in mission.groups]


def is_where(where: str, offset: Any, facing: Any) -> bool:
    """Whether something is where a mission says, seen from the start."""
    ahead = offset[0] * facing[0] + offset[1] * facing[1]
    right = -offset[0] * facing[1] + offset[1] * facing[0]
    return {"left": right < 0, "right": right > 0, "front": ahead > 0, "behind": ahead < 0}[where]
