"""What the mod has read of nodes, as a level of ours."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Sequence

#: How many cells a second a body walks: as the mod's `apprentice.SPEED`.
SPEED = 4.0


def scenario(level: Dict[str, Any], start: Sequence[float], goal: Sequence[float], is_open: List[str]) -> str:
    """The text of a scenario file. Doors that are neither locked nor a lever's are opened by whoever comes."""
    cells = [int(round(number)) for number in start]
    lines = [
        "format = 1",
        'name = "Luanti"',
        f"start = {cells}",
        f"goal = {{ within = {{ at = {[int(number) for number in goal]}, radius = 0.0 }} }}",
        f"map = {{ rows = {json.dumps(level['rows'])} }}",
        f"rules = {{ walk = {SPEED}, sneak = {SPEED / 2}, run = 0.0 }}",
    ]
    barred = doors_that_bar(level)
    for key in level["keys"] or []:
        opens = [door for door in key["opens"] if door in barred]
        lines += ["[[key]]", f'id = "{key["id"]}"', f"at = {_cell(key['at'])}", f"opens = {json.dumps(opens)}"]
    for lever in level["levers"] or []:
        opens = [door for door in lever["opens"] or [] if door in barred]
        lines += ["[[lever]]", f'id = "{lever["id"]}"', f"at = {_cell(lever['at'])}", f"opens = {json.dumps(opens)}"]
    for door in level["doors"] or []:
        if door["id"] in barred:
            words = f'id = "{door["id"]}"', f"at = [{_cell(door['at'])}]", f"open = {json.dumps(door['id'] in is_open)}"
            lines += ["[[door]]", *words]
    return "\n".join(lines) + "\n"


def doors_that_bar(level: Dict[str, Any]) -> List[str]:
    """The doors that not everybody can open with bare hands."""
    return [door["id"] for door in level["doors"] or [] if door["locked"]]


def _cell(at: Sequence[float]) -> List[int]:
    return [int(round(number)) for number in at]
