"""MiniHack says whether a level was solved. Needs the program apprentice; see `.ci/adapters`."""

import json

import gymnasium
import minihack  # noqa: F401
import numpy
import pytest
from nle import nethack

from apprentice_minihack import Sight, attempt
from apprentice_minihack.drive import OBSERVATIONS
from apprentice_serving import Apprentice

#: Somebody takes a key in quite another room, and opens a door.
SHOWN = "\n".join(
    json.dumps(it)
    for it in [
        {
            "rows": ["#######", "#...#.#", "#.....#", "#######"],
            "start": [1, 1],
            "things": [{"id": "k", "kind": "key", "at": [2, 1]}],
            "doors": [{"id": "d", "at": [4, 2], "is": "locked"}],
            "goal": [[{"reach": [[5, 1]]}]],
        },
        *[{"action": it} for it in "take turn_right forward turn_left forward forward open".split()],
    ]
)


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


def made(name):
    return gymnasium.make(f"MiniHack-{name}-v0", observation_keys=OBSERVATIONS)


@pytest.mark.parametrize("name", ["KeyRoom-S5", "KeyRoom-Dark-S5", "Corridor-R2"])
def test_levels_are_solved_by_what_is_seen(apprentice, name):
    env = made(name)
    attempts = [attempt(apprentice, env, seed) for seed in range(5)]
    assert all(it.solved for it in attempts), [it.why for it in attempts]
    assert all(it.bound is None or it.bound >= 1 for it in attempts)


def test_the_same_level_is_played_the_same_way(apprentice):
    env = made("KeyRoom-S15")
    moves = [attempt(apprentice, env, 3).moves for _ in range(2)]
    assert moves[0] == moves[1] > 0


def test_what_was_shown_in_another_game_is_followed(apprentice):
    taught = attempt(apprentice, made("KeyRoom-S5"), 1, shown=SHOWN)
    assert taught.solved and taught.followed == 1


def view(rows):
    """What NetHack shows of a map, with somebody at the `@`."""
    symbols = {" ": 0, "|": 1, "-": 2, ".": 19, "#": 21, ">": 24, "+": 15, "@": 19}
    glyphs = numpy.array([[nethack.GLYPH_CMAP_OFF + symbols[it] for it in row] for row in rows])
    [(y, x)] = [(y, row.index("@")) for y, row in enumerate(rows) if "@" in row]
    return {"glyphs": glyphs, "blstats": numpy.array([x, y])}


def test_rock_is_known_by_standing_beside_it_and_the_dark_is_not():
    sight = Sight(opens_by_force=False)
    told = {tuple(it["at"]): it["is"] for it in sight.look(view(["     ", " @#  ", "     "]))}
    assert told[0, 0] == "wall" and told[2, 1] == "floor"
    assert (4, 1) not in told and (3, 0) not in told


def test_a_passage_past_a_corner_is_a_way_and_one_through_a_door_is_not():
    sight = Sight(opens_by_force=False)
    sight.look(view(["    ", " @  ", "  # "]))
    assert len(sight.cut) == 1 and len(sight.ways()[2, 2]) == 1
    sight = Sight(opens_by_force=False)
    sight.look(view(["    ", " @  ", "  + "]))
    assert not sight.cut and (2, 2) not in sight.ways()


def test_a_door_that_was_found_locked_needs_a_key_unless_one_may_kick():
    for by_force, is_then in [(False, "locked"), (True, "shut")]:
        sight = Sight(opens_by_force=by_force)
        shown = view(["    ", " @+ ", "    "])
        assert {"at": [2, 1], "is": {"door": ["", "shut"]}} in sight.look(shown)
        sight.lock((2, 1))
        sight.look(shown)
        assert sight.cells[2, 1] == {"door": ["", is_then]}
