"""Levels of Doom's own are played, and Doom's own exit is the judge."""

import json

import pytest

from apprentice_serving import Apprentice
from apprentice_vizdoom.engine import Body, wad_of
from apprentice_vizdoom.follow import LONGEST, Follower, Played, play
from apprentice_vizdoom.ground import Ground
from apprentice_vizdoom.level import read
from apprentice_vizdoom.levels import Wishes, done, told
from apprentice_vizdoom.record import Asked, Switches
from rows import Room, write

START, RED = (1, 32, 64), 13
#: A key, a door with its lock, a lift, and a door that a switch opens.
QUEST = [
    Room(192, special=28),
    Room(16, ceiling=0, special=28, is_turned=True),
    Room(128, special=62, line_tag=7),
    Room(96, floor=96, ceiling=256, tag=7),
    Room(192, floor=96, ceiling=256, south=103, south_tag=9),
    Room(32, floor=96, ceiling=96, tag=9),
    Room(128, floor=96, ceiling=256),
]


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


def wishes(tmp_path, key, **more):
    path = str(tmp_path / f"quest{key[0]}.wad")
    write(path, QUEST, [START, (RED, *key)])
    return Wishes("MAP01", path, **more)


def test_a_level_of_ones_own_is_left_by_its_exit_and_its_demo_is_shown_with_the_key_elsewhere(tmp_path, apprentice):
    lmp, log = str(tmp_path / "played.lmp"), tmp_path / "played.jsonl"
    first = wishes(tmp_path, (150, 100), lmp=lmp)
    played = done(apprentice, first)
    assert played.solved, played
    assert played.keys == ["red_card"] and len(played.doors) == 1 and len(played.levers) == 1
    # Doom's own demo of it is played again, and recorded; then the key lies elsewhere.
    again = done(apprentice, wishes(tmp_path, (150, 100), replay=lmp, log=str(log)))
    assert again.solved, again
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[0] == {"format": 1, "scenario": "MAP01", "interval": 0.5, "unit": "metre"}
    assert ["picked_up:red_card"] in [line["events"] for line in lines[1:]]
    assert lines[-1]["holding"] == ["red_card"] and lines[-1]["t"] > played.tics / 35 - 3
    moved = done(apprentice, wishes(tmp_path, (60, 20), shown=str(log)))
    assert moved.solved and moved.keys == ["red_card"], moved


def test_without_its_key_a_level_is_not_left(tmp_path, apprentice):
    path = str(tmp_path / "without.wad")
    write(path, QUEST, [START])
    played = done(apprentice, Wishes("MAP01", path))
    assert not played.solved and played.tics < LONGEST and played.why


def test_whoever_hears_that_a_door_stays_shut_gives_up(tmp_path, apprentice):
    path = str(tmp_path / "shut.wad")
    write(path, QUEST, [START])
    level = read(path, "MAP01")
    # Whoever plans does not know of the lock, which is there.
    for line in level.lines:
        line.special = 1 if line.special == 28 else line.special
    body = Body(path, "MAP01", LONGEST, resource=wad_of("MAP01"))
    try:
        played = play(apprentice, level, body)
    finally:
        body.close()
    assert not played.solved and played.looks > 1
    assert "does not open" in played.why


def test_floors_that_hurt_are_gone_over_only_where_there_is_no_other_way(tmp_path, apprentice):
    path = str(tmp_path / "slime.wad")
    # The one in the west, the wider one, leads nowhere; the exit is behind the one in the east.
    rooms = [Room(256, kind=7), Room(128), Room(96, kind=7), Room(128)]
    write(path, rooms, [(1, 320, 64)])
    level = read(path, "MAP01")
    assert level.harmful() == [0, 2]
    body = Body(path, "MAP01", LONGEST, resource=wad_of("MAP01"))
    try:
        follower = Follower(apprentice, level, body, Played("MAP01"), 3, set(), None)
        under = {follower.ground.centre[y, x] for x, y in follower.quest.places}
        assert under == {1, 2, 3}
    finally:
        body.close()
    assert done(apprentice, Wishes("MAP01", path)).solved


def test_freedoms_first_level_is_played_to_its_exit(apprentice):
    played = done(apprentice, Wishes("E1M1"))
    assert played.solved, played
    assert played.tics < 35 * 60 and played.health > 0
    row = json.loads(told([played], "json"))
    assert row["env"] == "E1M1" and row["solved"] == 1 and row["bound"] >= 1


def test_monsters_are_left_out_and_floors_are_as_the_wad_has_them():
    level = read(wad_of("E1M1"), "E1M1")
    body = Body(wad_of("E1M1"), "E1M1", LONGEST)
    try:
        assert body.heights() == [(it.floor, it.ceiling) for it in level.sectors]
        names = {it.name for it in body.game.get_state().objects}
        assert "BlueCard" in names and not names & {"ZombieMan", "ShotgunGuy", "DoomImp", "Demon"}
        assert Ground(level, body.heights()).nearest(*body.at) is not None
    finally:
        body.close()


@pytest.mark.parametrize(
    "presses, asked",
    [
        # Whether each of the two keys is down, tic by tic.
        (["", "r", "r", ""], ["nothing", "records", "nothing", "nothing"]),
        (["r", "", "r", ""], ["records", "nothing", "stops", "nothing"]),
        (["r", "", "h", "h"], ["records", "nothing", "hands over", "nothing"]),
        (["rh", "h", "", "r"], ["hands over", "nothing", "nothing", "records"]),
    ],
)
def test_a_key_counts_when_it_goes_down(presses, asked):
    switches = Switches()
    assert [switches.press("r" in it, "h" in it) for it in presses] == [Asked(it) for it in asked]
