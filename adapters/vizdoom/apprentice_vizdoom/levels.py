"""Doom's own levels from the command line: they are played, recorded, shown and handed over."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, List, Optional

from apprentice_serving import Apprentice

from .engine import Body, wad_of
from .follow import LONGEST, Played, play
from .ground import Ground
from .level import Level, read
from .quest import Quest
from .record import BOUND, PLAYED_WITH, replayed, watched


@dataclasses.dataclass
class Wishes:
    """What is to be done with a level."""

    name: str
    #: The WAD it is in, if that is not Freedoom's.
    wad: Optional[str] = None
    skill: int = 3
    #: Files: a demo of Doom's own to be written, one to be played again, a log of ours to be written, and
    #: one to be shown.
    lmp: Optional[str] = None
    replay: Optional[str] = None
    log: Optional[str] = None
    shown: Optional[str] = None
    picture: Optional[str] = None
    #: Whether somebody plays in a window first.
    window: bool = False


def done(apprentice: Apprentice, wishes: Wishes) -> Played:
    """Does what is wished, and plays the level."""
    wad = wishes.wad or wad_of(wishes.name)
    level = read(wad, wishes.name)
    log = _recorded(wad, level, wishes)
    if wishes.shown is not None:
        with open(wishes.shown, encoding="utf-8") as file:
            log = file.read()

    def show(running: Apprentice, _: Quest) -> None:
        if log is not None:
            running.ask(do="show", level="doom", name="shown", log=log)

    body = _body(wad, wishes, lmp=wishes.lmp, is_seen=wishes.picture is not None)
    if wishes.picture is not None:
        body.take_picture(wishes.picture)
    try:
        return play(apprentice, level, body, skill=wishes.skill, show=show)
    finally:
        body.close()


def _body(wad: str, wishes: Wishes, **more: Any) -> Body:
    resource = wad_of(wishes.name) if wishes.wad is not None else None
    return Body(wad, wishes.name, LONGEST, wishes.skill, resource=resource, **more)


def _recorded(wad: str, level: Level, wishes: Wishes) -> Optional[str]:
    """What was recorded of a demo or of somebody in a window, if anything was."""
    if wishes.replay is None and not wishes.window:
        return None
    body = _body(wad, wishes, played_with=PLAYED_WITH, bound=BOUND, is_seen=True) if wishes.window else _body(wad, wishes)
    try:
        ground = Ground(level, body.heights(), wishes.skill)
        if wishes.window:
            recording = watched(body, ground)
        else:
            recording = replayed(body, wishes.replay or "", ground)
    finally:
        body.close()
    if recording is None or not recording.samples:
        return None
    if wishes.log is not None:
        with open(wishes.log, "w", encoding="utf-8") as file:
            file.write(recording.text())
    return recording.text()


def told(played: List[Played], format: str) -> str:
    """How it went: a line of JSON for each level, or sentences."""
    if format == "json":
        return "\n".join(json.dumps(_row(it)) for it in played)
    lines = []
    for it in played:
        how = f"left by Doom's own exit after {it.tics / 35:.1f} s" if it.solved else f"not left: {it.why}"
        lines.append(f"{it.level}: {how}")
        lines.append(
            f"  {len(it.keys)} of {it.keys_there} keys, {len(it.doors)} locked doors, "
            f"{len(it.levers)} switches and lines, {it.plans} plans, {it.looks} looks at the level"
        )
    return "\n".join(lines)


def _row(played: Played) -> Any:
    row = dataclasses.asdict(played)
    times = sorted(row.pop("planning_ms"))
    row["planning_ms_most"] = times[-1] if times else None
    return {"env": row.pop("level"), "seeds": 1, "solved": int(row.pop("solved")), **row}
