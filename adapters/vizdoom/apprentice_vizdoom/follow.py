"""A level of Doom's own, played by a character of ours: it goes the ways that are planned, hears what happened,
and makes another plan where something is not as expected. Doom's own exit is the judge."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from apprentice_serving import Apprentice

from .engine import Body, Over
from .ground import PRESSES, STEP, TALL, Cell, Edge, Ground
from .level import Level, Line
from .movers import Heights
from .quest import SPEED, Lever, NoQuest, Quest, at, cell_of, quest_of, stand
from .quest import STEP as PLACES_APART
from .specials import SPECIALS, By, Does

#: After so many tics it has failed: ten minutes.
LONGEST = 35 * 600
#: As near as this to a place is there, in Doom's units.
NEAR = 10
#: Whoever has not come on for so many tics does something else.
PATIENCE = 70
#: The slowest lift of Freedoom is back after less than this.
SLOWEST = 35 * 12
#: A door that was pressed is open, or up and down again, after so many tics.
PRESS_EVERY = 80
#: What has not moved for so many tics stands still; lifts wait longer below, and are a way then.
SETTLED = 8
#: A plan is walked so many steps ahead in a straight line, where nothing moves.
AHEAD = 14
#: So often is a level looked at anew before somebody gives up.
LOOKS = 16
#: What a plan may take; most take a hundredth of it.
UNITS = 5_000_000
#: So often somebody may say that it is still thinking.
THOUGHTS = 10
#: In seconds.
MOMENT = 0.01
#: So many floors that hurt are tried to be done without, one by one.
MOST_TRIED = 24


@dataclasses.dataclass
class Played:
    """How a level went."""

    level: str
    #: Whether Doom's own exit ended it.
    solved: bool = False
    tics: int = 0
    #: The keys that were taken, of how many that matter.
    keys: List[str] = dataclasses.field(default_factory=list)
    keys_there: int = 0
    #: The doors with a lock that were gone through, and the lines that were set off on purpose.
    doors: List[str] = dataclasses.field(default_factory=list)
    levers: List[str] = dataclasses.field(default_factory=list)
    #: How many plans the character made, and how often the level was looked at anew.
    plans: int = 0
    looks: int = 0
    planning_ms: List[float] = dataclasses.field(default_factory=list)
    #: The bound of the first plan.
    bound: Optional[float] = None
    health: float = 100.0
    why: Optional[str] = None


class Otherwise(Exception):
    """Something is not as the level was read: it is looked at anew."""

    def __init__(self, why: str, shunned: Optional[Edge] = None) -> None:
        super().__init__(why)
        self.shunned = shunned


def play(
    apprentice: Apprentice,
    level: Level,
    body: Body,
    *,
    skill: int = 3,
    show: Optional[Callable[[Apprentice, Quest], None]] = None,
) -> Played:
    """Plays a level from where the body is; `show` shows something in the level before it is planned."""
    played = Played(level.name)
    shunned: Set[Edge] = set()
    try:
        for look in range(LOOKS):
            played.looks = look + 1
            try:
                Follower(apprentice, level, body, played, skill, shunned, show).go()
            except Otherwise as other:
                played.why = str(other)
                if other.shunned is not None:
                    shunned.add(other.shunned)
    except Over:
        played.solved = body.has_left
        if played.solved:
            played.why = None
        elif body.game.is_player_dead():
            played.why = "it died on the way"
        elif body.tics < body.longest:
            played.why = "Doom ended it otherwise than by its exit"
        else:
            played.why = f"it takes longer than {body.longest // 35} s" + (f"; {played.why}" if played.why else "")
    except NoQuest as nothing:
        played.why = f"{nothing}; before that: {played.why}" if played.why else str(nothing)
    played.tics = body.tics
    return played


class Follower:
    """Somebody who follows a plan in a level as it is now."""

    def __init__(
        self,
        apprentice: Apprentice,
        level: Level,
        body: Body,
        played: Played,
        skill: int,
        shunned: Set[Edge],
        show: Optional[Callable[[Apprentice, Quest], None]],
    ) -> None:
        self.apprentice, self.level, self.body, self.played = apprentice, level, body, played
        self.quest = self._quest(skill, shunned, show)
        self.ground = self.quest.ground
        moving = set(self.ground.doors) | self.ground.lifts | {it for mover in self.ground.movers for it in mover.after}
        self.moving = moving
        self._cells: Dict[Cell, List[int]] = {}
        self._seen: Tuple[int, List[Heights]] = (-1, [])
        self.failures: Dict[str, int] = {}

    def _quest(self, skill: int, shunned: Set[Edge], show: Optional[Callable[[Apprentice, Quest], None]]) -> Quest:
        """Reads the level as it is now, and plans. Floors that hurt are gone over only where there is no other
        way: the widest of them are done without first."""

        def attempt(avoided: Set[int]) -> Quest:
            ground = Ground(self.level, self.body.heights(), skill, shunned, avoided)
            start = ground.nearest(*self.body.at)
            if start is None:
                raise NoQuest("somebody stands where nobody can stand")
            quest = quest_of(ground, start, skill)
            files = {"doom.mesh": quest.mesh()}
            self.apprentice.ask(do="level", level="doom", text=quest.text(self._held(quest)), files=files)
            if show is not None:
                show(self.apprentice, quest)
            plan = self.apprentice.ask(do="plan", level="doom", ask={"expansions": UNITS})["plan"]
            self.played.planning_ms.append(plan["time_ms"])
            if plan["status"] != "found":
                raise NoQuest(plan["guarantee"])
            self.played.bound = self.played.bound or plan["bound"]
            self.played.keys_there = max(self.played.keys_there, len(quest.keys))
            return quest

        self._settle()
        under = self._under(skill)
        harmful = [it for it in self.level.harmful() if it not in under]
        try:
            return attempt(set(harmful))
        except NoQuest:
            if not harmful:
                raise
        avoided: Set[int] = set()
        quest, is_asked = attempt(avoided), True
        for sector in harmful[:MOST_TRIED]:
            try:
                quest, is_asked = attempt(avoided | {sector}), True
                avoided.add(sector)
            except NoQuest:
                is_asked = False
        return quest if is_asked else attempt(avoided)

    def _settle(self) -> None:
        """Waits until nothing moves, or for as long as it takes whatever moves to come back."""
        before = self.body.heights()
        for _ in range(SLOWEST // SETTLED):
            self.body.wait(SETTLED)
            now = self.body.heights()
            if now == before:
                return
            before = now

    def _under(self, skill: int) -> Set[int]:
        """The sectors somebody touches now."""
        ground = Ground(self.level, self.body.heights(), skill)
        return set(ground.sectors_at(ground.around(*self.body.at)))

    def _held(self, quest: Quest) -> List[str]:
        """The keys that lie no more where they lay."""
        lying = self.body.keys()
        return sorted(name for name, it in quest.keys.items() if lying.get((round(it.x), round(it.y))) != it.kind)

    def go(self) -> None:
        """Goes the way until Doom ends it, or something is otherwise."""
        self.apprentice.ask(do="character", level="doom", character="player")
        self.pulled: Set[str] = set()
        self.plans = 0
        order = self._tick(0.0)
        thought = 0
        while True:
            if order["doing"] == "done":
                self._leave()
            if order["doing"] == "thinking" and thought < THOUGHTS:
                thought += 1
                order = self._tick(0.0)
                continue
            if order["doing"] != "following":
                raise Otherwise(order.get("why", order["doing"]))
            thought, before = 0, self.body.tics
            order = self._carry_out(self.apprentice.ask(do="ahead", level="doom", character="player")["steps"])
            if self.body.tics == before:
                # Whoever only thinks gets no older.
                self.body.act()

    def _tick(self, seconds: float, here: Optional[Cell] = None, is_told: bool = True) -> Dict[str, Any]:
        """Tells what is so now, and hears what is to be done. Whoever is `here` is on the way."""
        seen = self._news(here or self._here()) if is_told else []
        answer = self.apprentice.ask(do="tick", level="doom", seconds=max(seconds, 0.0), units=UNITS, seen=seen)
        order: Dict[str, Any] = answer["orders"][0]
        self.played.plans += order["plans"] - self.plans
        self.plans = order["plans"]
        return order

    def _here(self) -> Cell:
        cell = self.ground.nearest(*self.body.at, self.quest.places)
        if cell is None:
            raise Otherwise("somebody is off every way")
        return cell

    def _news(self, here: Cell) -> List[Dict[str, Any]]:
        held = self._held(self.quest)
        for name in held:
            if name not in self.played.keys:
                self.played.keys.append(name)
        self.played.health = self.body.health
        news: List[Dict[str, Any]] = [{"agent": {"at": at(here), "holding": held}}]
        for name, door in self.quest.doors.items():
            if name.startswith("lock_") or door.mover is None:
                continue
            is_open = self._has_moved(door.mover)
            news.append({"door": {"id": name, "open": is_open}})
            for line, lever in self.quest.levers.items():
                if not is_open and name in lever.opens and line in self.pulled:
                    self.pulled.discard(line)
                    news.append({"lever": {"id": line, "pulled": False}})
        return news

    def _has_moved(self, mover: int) -> bool:
        """Whether something is where a line moves it, and no longer where it was."""
        now = self._heights()
        after = self.ground.movers[mover].after
        return all(abs(now[it][0] - there[0]) <= 1 and abs(now[it][1] - there[1]) <= 1 for it, there in after.items())

    def _heights(self) -> List[Heights]:
        if self._seen[0] != self.body.tics:
            self._seen = (self.body.tics, self.body.heights())
        return self._seen[1]

    def _sectors(self, cell: Cell) -> List[int]:
        if cell not in self._cells:
            self._cells[cell] = self.ground.sectors_at(cell)
        return self._cells[cell]

    def _is_still(self, cell: Cell) -> bool:
        return not self.moving.intersection(self._sectors(cell))

    def _carry_out(self, ahead: List[Dict[str, Any]]) -> Dict[str, Any]:
        """Goes along a plan until it is done, or is no longer the plan."""
        cells = [cell_of(step["at"]) for step in ahead]
        plans, before, at_step, idle = self.plans, self._here(), 0, 0
        lasting = [_lasts(ahead, cells, number, before) for number in range(len(ahead))]
        order: Dict[str, Any] = {"doing": "done"}
        while at_step < len(ahead):
            action = ahead[at_step]["action"]
            reached: Optional[int] = at_step
            if action.startswith("use"):
                self._pull(ahead[at_step]["events"])
            elif "leap" in action and (before, cells[at_step]) in self.ground.portals:
                self._be_taken(self.ground.portals[before, cells[at_step]], cells[at_step])
            elif cells[at_step] != before:
                if not self._clear(before, cells[at_step]):
                    return self._tick(MOMENT)
                last = self._straight(ahead, cells, at_step) if idle < PATIENCE else at_step
                self.body.toward(self.ground.point(self._detour(before, cells[last], idle)))
                reached = self._come(cells, at_step, last)
            if reached is None:
                idle += 1
                if idle > PATIENCE * 3:
                    raise Otherwise(f"nobody gets from {before} to {cells[at_step]}", (before, cells[at_step]))
                continue
            idle = 0
            for number in range(at_step, reached + 1):
                self._note(ahead[number]["events"])
                # What is seen is told where somebody is, not for every place that was passed.
                order = self._tick(lasting[number], cells[number], number == reached)
            before, at_step = cells[reached], reached + 1
            if order["plans"] != plans or order["doing"] != "following" or cell_of(order["at"]) != before:
                return order
        return order

    def _straight(self, ahead: List[Dict[str, Any]], cells: List[Cell], first: int) -> int:
        """The last step that can be walked to straight, with nothing to be done and nothing that moves before."""
        last = first
        while last + 1 < min(len(cells), first + AHEAD):
            following = ahead[last + 1]["action"]
            if ahead[last]["events"] or "leap" in following or following.startswith("use"):
                break
            if not self._is_still(cells[last]) or not self._is_still(cells[last + 1]):
                break
            if not self._is_free(self._here(), cells[last + 1]):
                break
            last += 1
        return last

    def _detour(self, here: Cell, there: Cell, idle: int) -> Cell:
        """Where to go: across a corner at which somebody hangs, first to one side, then to the other."""
        corners = [(here[0], there[1]), (there[0], here[1])]
        turn = idle // (PATIENCE // 2)
        if turn < 2 or here in corners or turn % 3 == 2:
            return there
        return corners[turn % 2]

    def _is_free(self, here: Cell, there: Cell) -> bool:
        """Whether one can go straight: each place on the line leads to the next, and back."""
        count = max(abs(there[0] - here[0]), abs(there[1] - here[1])) * 2
        line = [here]
        for part in range(1, count + 1):
            cell = (
                round(here[0] + (there[0] - here[0]) * part / count),
                round(here[1] + (there[1] - here[1]) * part / count),
            )
            if cell != line[-1]:
                line.append(cell)
        return all(self._leads(one, other) for one, other in zip(line, line[1:]))

    def _leads(self, here: Cell, there: Cell) -> bool:
        corners = [(here[0], there[1]), (there[0], here[1])]
        if here in corners:
            return self._joined(here, there)
        return all(self._joined(here, corner) and self._joined(corner, there) for corner in corners)

    def _joined(self, here: Cell, there: Cell) -> bool:
        places = self.quest.places
        return here in places and there in places and self.quest.is_joined(here, there)

    def _come(self, cells: List[Cell], first: int, last: int) -> Optional[int]:
        """The last of the steps one has come to, if that is one."""
        x, y = self.body.at
        for number in range(last, first - 1, -1):
            px, py = self.ground.point(cells[number])
            if max(abs(px - x), abs(py - y)) < NEAR:
                return number
        return None

    def _fits(self, here: Cell, there: Cell) -> bool:
        """Whether somebody could step there now: across a corner, by one of the two places beside it."""
        corners = [(here[0], there[1]), (there[0], here[1])]
        high = self.body.high
        if here in corners:
            return self._rises(high, there) is not None
        for corner in corners:
            beside = self._rises(high, corner) if self.ground.is_place(corner) else None
            if beside is not None and self._rises(beside, there) is not None:
                return True
        return False

    def _rises(self, high: float, cell: Cell) -> Optional[float]:
        """How high one is on a place, coming from so high; nothing if one cannot."""
        now = self._heights()
        floor = max(now[it][0] for it in self._sectors(cell))
        ceiling = min(now[it][1] for it in self._sectors(cell))
        return floor if ceiling - max(floor, high) >= TALL and floor - high <= STEP else None

    def _clear(self, here: Cell, there: Cell) -> bool:
        """Opens what is shut, and waits for what moves, until one can step there. Whether one is still here:
        lifts may have to be called from elsewhere."""
        if self._is_still(there) and self._is_still(here):
            return True
        went = False
        for waited in range(SLOWEST):
            if self._rises(self.body.high, there) is not None if went else self._fits(here, there):
                return not went
            if not went and self._board(here, there):
                return False
            if waited == 0:
                went = self._stand_clear(here)
            if waited % PRESS_EVERY == 0 and self._press_what_is_shut(self._here(), there):
                return False
            self.body.act()
        shut = [name for name, door in self.quest.doors.items() if there in door.cells]
        raise Otherwise(f"{' and '.join(shut) or 'the way'} does not open at {there}", (here, there))

    def _board(self, here: Cell, there: Cell) -> bool:
        """Whoever would cut a corner over a lift gets onto it first."""
        for corner in [(here[0], there[1]), (there[0], here[1])]:
            if corner in (here, there) or self._is_still(corner) or not self._joined(here, corner):
                continue
            if self._rises(self.body.high, corner) is not None:
                return self._approach(self.ground.point(corner), NEAR / 2)
        return False

    def _stand_clear(self, here: Cell) -> bool:
        """Whoever stands half on a lift is in its way: goes to its middle, if one is near."""
        lift = self.ground.lifts.intersection(self._sectors(here))
        if not lift or set(self._sectors(here)) <= lift:
            return False
        x, y = here
        near = [(abs(dx) + abs(dy), (x + dx, y + dy)) for dx in range(-4, 5) for dy in range(-4, 5)]
        for _, cell in sorted(near):
            if cell in self.quest.places and set(self._sectors(cell)) <= lift:
                self._approach(self.ground.point(cell), NEAR)
                return True
        return False

    def _press_what_is_shut(self, here: Cell, there: Cell) -> bool:
        """Sets off what is in the way; whether one had to go elsewhere for it."""
        now, high = self._heights(), self.body.high
        for sector in self._sectors(there):
            floor, ceiling = now[sector]
            if sector in self.ground.doors and ceiling - max(floor, high) < TALL:
                if self._press_one_of(
                    [it for it in self.level.lines if it.back == sector and _is(it, By.DOOR, Does.OPEN)]
                ):
                    return False
        for sector in sorted(self.ground.lifts.intersection(self._sectors(here) + self._sectors(there))):
            tag = self.level.sectors[sector].tag
            lines = [it for it in self.level.lines if it.tag == tag and _does(it, Does.LIFT)]
            if self._press_one_of([it for it in lines if _is(it, By.SWITCH, Does.LIFT)]):
                return False
            if now[sector][0] == self.ground.heights[sector][0]:
                return self._set_off_nearest(lines)
        return False

    def _press_one_of(self, lines: List[Line]) -> bool:
        """Presses against the nearest line one can press against from here."""
        x, y = self.body.at
        near = [(it.distance(x, y), number) for number, it in enumerate(lines) if it.is_before(x, y)]
        near = [it for it in near if it[0] <= PRESSES]
        if not near:
            return False
        self.body.face(_beyond((x, y), lines[min(near)[1]]))
        self.body.act(use=1)
        return True

    def _set_off_nearest(self, lines: List[Line]) -> bool:
        """Goes to where a line is set off, if that is not far; whether it was."""
        here, (x, y) = self._here(), self.body.at
        for _, number in sorted((it.distance(x, y), number) for number, it in enumerate(lines)):
            line = lines[number]
            cell = stand(self.ground, line, SPECIALS[line.special].by, self.quest.places)
            way = None if cell is None else self._route(here, cell)
            if cell is not None and way is not None:
                self._walk(way)
                self._set_off(line, cell)
                return True
        return False

    def _route(self, here: Cell, there: Cell) -> Optional[List[Cell]]:
        """A way on ground that is still, or is what one stands on; not a far one."""
        carried = self.moving.intersection(self._sectors(here))
        came: Dict[Cell, Cell] = {here: here}
        waiting = [here]
        for cell in waiting:
            if cell == there or len(waiting) > 4000:
                break
            for to in self.ground.exits(cell):
                if to not in came and to in self.quest.places and (
                    to == there or self.moving.intersection(self._sectors(to)) <= carried
                ):
                    came[to] = cell
                    waiting.append(to)
        if there not in came:
            return None
        way = [there]
        while way[-1] != here:
            way.append(came[way[-1]])
        return way[::-1]

    def _walk(self, way: List[Cell]) -> None:
        for cell in way:
            self._approach(self.ground.point(cell), NEAR)

    def _approach(self, to: Tuple[float, float], near: float) -> bool:
        """Goes straight to a point; whether it came there."""
        for _ in range(PATIENCE):
            if self.body.to_go(to)[0] < near:
                return True
            self.body.toward(to)
        return False

    def _be_taken(self, portal: Cell, landing: Cell) -> None:
        """Walks into a teleporter, until one is where it leads."""
        to = self.ground.point(landing)
        for _ in range(PATIENCE * 2):
            if self.body.to_go(to)[0] < 2 * PRESSES:
                # Nobody moves for half a second then.
                self.body.wait(20)
                return
            self.body.toward(self.ground.point(portal))
        raise Otherwise("a teleporter takes nobody", (self._here(), landing))

    def _pull(self, events: List[str]) -> None:
        """Sets off the lines that a step of the plan pulls, and waits until they have done what they do."""
        for name in [it.partition(":")[2] for it in events if it.startswith("lever_pulled:")]:
            lever = self.quest.levers[name]
            self._walk(self._route(self._here(), lever.cell) or [])
            self._set_off(lever.line, lever.cell)
            self.pulled.add(name)
            self._wait_for(lever)
            if name not in self.played.levers:
                self.played.levers.append(name)
            self._walk(self._route(self._here(), lever.cell) or [])

    def _wait_for(self, lever: Lever) -> None:
        movers = [self.quest.doors[it].mover for it in lever.opens]
        before = self._heights()
        for waited in range(SLOWEST):
            if all(mover is None or self._has_moved(mover) for mover in movers):
                return
            self.body.act()
            if waited % 35 == 34:
                now = self._heights()
                if now == before:
                    return
                before = now

    def _set_off(self, line: Line, cell: Cell) -> None:
        """Sets off a line, from where that is done."""
        by = SPECIALS[line.special].by
        if by is By.WALK:
            for edge in self.ground.crossed(line):
                if cell in edge:
                    other = edge[0] if edge[1] == cell else edge[1]
                    self._approach(self.ground.point(other), 4)
                    self.body.wait(4)
                    return
        self._approach(self.ground.point(cell), 4)
        self.body.face(_beyond(self.body.at, line))
        if by is By.SHOT:
            for _ in range(20):
                self.body.act(attack=1)
        else:
            self.body.act(use=1)
        self.body.wait(4)

    def _note(self, events: List[str]) -> None:
        """Does what a plan takes for done: takes keys, and says which doors were gone through."""
        for event in events:
            what, _, name = event.partition(":")
            if what == "picked_up":
                self._take(name)
            elif what == "door_opened" and self.quest.doors[name].colour is not None:
                if not name.startswith("lock_") and name not in self.played.doors:
                    self.played.doors.append(name)

    def _take(self, name: str) -> None:
        thing = self.quest.keys[name]
        if name in self._held(self.quest):
            return
        here = self._here()
        for _ in range(PATIENCE):
            self.body.toward((thing.x, thing.y))
            if name in self._held(self.quest):
                break
        self._approach(self.ground.point(here), NEAR)
        if name not in self._held(self.quest):
            self.failures[name] = self.failures.get(name, 0) + 1
            if self.failures[name] > 2:
                raise NoQuest(f"{name} is not to be had where it lies")

    def _leave(self) -> None:
        """Everything is done but the last step."""
        here = self._here()
        for cell, line in self.quest.goals.items():
            if cell == here:
                for _ in range(3):
                    self._set_off(line, cell)
                    self.body.wait(35)
                    self._walk([cell])
        raise Otherwise("the exit lets nobody out")


def _lasts(ahead: List[Dict[str, Any]], cells: List[Cell], number: int, here: Cell) -> float:
    """How many seconds a step of a plan takes; of the first, when it began is not said."""
    if number > 0:
        return float(ahead[number]["t"] - ahead[number - 1]["t"])
    if ahead[0]["action"].startswith("use"):
        return 1.0
    dx, dy = cells[0][0] - here[0], cells[0][1] - here[1]
    # Of a step that is all but done, a moment is left.
    return max(math.hypot(dx, dy) * PLACES_APART / SPEED, MOMENT)


def _is(line: Line, by: By, does: Does) -> bool:
    special = SPECIALS.get(line.special)
    return special is not None and special.by is by and special.does is does


def _does(line: Line, does: Does) -> bool:
    special = SPECIALS.get(line.special)
    return special is not None and special.does is does


def _beyond(here: Tuple[float, float], line: Line) -> Tuple[float, float]:
    """A point of a line to look at: the nearest one, and not an end of it."""
    x, y = line.nearest(*here)
    mx, my = line.middle
    return (x + (mx - x) * 0.2, y + (my - y) * 0.2)
