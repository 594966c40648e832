"""Levels of Doom's own format as levels of ours: small ones made here, and Freedoom's."""

import math

import pytest

from apprentice_serving import Apprentice
from apprentice_vizdoom.engine import wad_of
from apprentice_vizdoom.ground import SPACING, Ground
from apprentice_vizdoom.level import Unreadable, levels_of, read
from apprentice_vizdoom.quest import METRE, NoQuest, quest_of
from rows import Room, write

START, RED, BLUE, BARREL, LANDING = (1, 32, 64), 13, 5, 2035, 14


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


def made(tmp_path, rooms, things=(), last=11, **more):
    path = str(tmp_path / "rows.wad")
    write(path, rooms, [START, *things], last=last)
    return Ground(read(path, "MAP01"), **more)


def planned(apprentice, quest, holding=()):
    apprentice.ask(do="level", level="rows", text=quest.text(holding), files={"doom.mesh": quest.mesh()})
    return apprentice.ask(do="plan", level="rows")["plan"]


def events(plan):
    return [event for step in plan["steps"] for event in step["events"]]


@pytest.mark.parametrize(
    "room, goes, comes_back",
    [
        (Room(128), True, True),
        (Room(128, floor=24), True, True),
        (Room(128, floor=25), False, True),
        (Room(128, floor=-24), True, True),
        (Room(128, floor=-25), True, False),
        (Room(128, ceiling=56), True, True),
        (Room(128, ceiling=55), False, False),
        (Room(128, floor=24, ceiling=79), False, False),
    ],
)
def test_a_step_is_at_most_24_high_and_a_head_needs_56(tmp_path, room, goes, comes_back):
    ground = made(tmp_path, [Room(128), room])
    west, east = ground.nearest(64, 64), ground.nearest(192, 64)
    assert (east in ground.reach(west)) == goes
    there = east if ground.exits(east) else None
    assert (there is not None and west in ground.reach(there)) == comes_back


def test_a_body_is_32_wide(tmp_path):
    ground = made(tmp_path, [Room(128)])
    places = ground.reach(ground.nearest(64, 64))
    xs = sorted({ground.point(cell)[0] for cell in places})
    assert min(xs) >= 16 and max(xs) <= 128 - 16 and xs[1] - xs[0] == SPACING
    barred = made(tmp_path, [Room(128), Room(128)], [(BARREL, 128, 64), (BARREL, 128, 108), (BARREL, 128, 20)])
    assert barred.nearest(192, 64) not in barred.reach(barred.nearest(64, 64))


def test_the_exit_is_the_goal(tmp_path, apprentice):
    quest = quest_of(made(tmp_path, [Room(128), Room(128)]))
    plan = planned(apprentice, quest)
    assert plan["status"] == "found"
    last = plan["steps"][-1]
    west, north = quest.ground.west, quest.ground.north
    x, y = west + last["x"] * METRE, north - last["y"] * METRE
    assert x > 256 - 40 and math.isclose(y, 64, abs_tol=SPACING)
    with pytest.raises(NoQuest, match="no exit"):
        quest_of(made(tmp_path, [Room(128), Room(128)], last=0))


LOCKED = [Room(128), Room(128, special=28), Room(16, ceiling=0, special=28, is_turned=True), Room(128)]


def test_a_locked_door_wants_its_key(tmp_path, apprentice):
    quest = quest_of(made(tmp_path, LOCKED, [(RED, 200, 100)]))
    assert list(quest.keys) == ["red_card"] and [it.colour for it in quest.doors.values()] == ["red"]
    happened = events(planned(apprentice, quest))
    assert happened == ["picked_up:red_card", f"door_opened:{list(quest.doors)[0]}"]
    assert events(planned(apprentice, quest, holding=["red_card"])) == happened[1:]
    without = quest_of(made(tmp_path, LOCKED, [(BLUE, 200, 100)]))
    assert planned(apprentice, without)["status"] == "impossible"


def test_a_plain_door_is_opened_from_its_front_only(tmp_path):
    handled = [Room(128, special=1), Room(16, ceiling=0), Room(128)]
    ground = made(tmp_path, handled)
    west, east = ground.nearest(64, 64), ground.nearest(220, 64)
    assert east in ground.reach(west) and west not in ground.reach(east)


@pytest.mark.parametrize("special, after", [(103, None), (61, None), (2, "walk")])
def test_a_switch_or_a_line_opens_what_has_its_tag(tmp_path, apprentice, special, after):
    if after == "walk":
        rooms = [Room(128, special=special, line_tag=7), Room(128), Room(32, ceiling=0, tag=7), Room(128)]
    else:
        rooms = [Room(128, south=special, south_tag=7), Room(128), Room(32, ceiling=0, tag=7), Room(128)]
    quest = quest_of(made(tmp_path, rooms))
    assert len(quest.levers) == 1 and not quest.keys
    happened = events(planned(apprentice, quest))
    assert happened == [f"lever_pulled:{list(quest.levers)[0]}", f"door_opened:{list(quest.doors)[0]}"]


@pytest.mark.parametrize("special", [62, 88])
def test_a_lift_is_a_way_up(tmp_path, special):
    rooms = [Room(128, special=special, line_tag=7), Room(64, floor=96, ceiling=256, tag=7), Room(128, floor=96, ceiling=256)]
    ground = made(tmp_path, rooms)
    assert ground.nearest(280, 64) in ground.reach(ground.nearest(64, 64))
    still = made(tmp_path, [Room(128), Room(64, floor=96, ceiling=256, tag=7), Room(128, floor=96, ceiling=256)])
    assert still.nearest(280, 64) not in still.reach(still.nearest(64, 64))


def test_a_teleporter_leads_to_its_landing_and_nobody_walks_past(tmp_path):
    rooms = [Room(128, special=97, line_tag=7), Room(128), Room(64, floor=80), Room(128, tag=7)]
    ground = made(tmp_path, rooms, [(LANDING, 384, 64)])
    reached = ground.reach(ground.nearest(64, 64))
    assert ground.nearest(384, 64) in reached and ground.nearest(192, 64) not in reached


def test_a_level_is_looked_at_as_it_is_now(tmp_path):
    rooms = [Room(128, south=103, south_tag=7), Room(128), Room(32, ceiling=0, tag=7), Room(128)]
    ground = made(tmp_path, rooms)
    assert len(ground.gates) == 1
    heights = list(ground.heights)
    heights[2] = (0, 124)
    assert not made(tmp_path, rooms, heights=heights).gates


def test_what_is_no_level_is_an_error(tmp_path):
    path = tmp_path / "no.wad"
    path.write_bytes(b"PWAD")
    with pytest.raises(Unreadable):
        levels_of(str(path))
    write(str(path), [Room(128)], [START])
    with pytest.raises(Unreadable, match="no level MAP02; it has MAP01"):
        read(str(path), "MAP02")


@pytest.mark.parametrize("name, keys", [("E1M1", {"blue_card"}), ("MAP02", {"red_card", "blue_card", "yellow_card"})])
def test_freedoms_levels_have_plans(apprentice, name, keys):
    quest = quest_of(Ground(read(wad_of(name), name)))
    assert set(quest.keys) == keys
    assert planned(apprentice, quest)["status"] == "found"
    # The same level is the same text.
    again = quest_of(Ground(read(wad_of(name), name)))
    assert (quest.text(), quest.mesh()) == (again.text(), again.mesh())
