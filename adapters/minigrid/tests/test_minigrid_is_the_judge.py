"""MiniGrid says whether a level was solved. Needs the program apprentice; see `.ci/adapters`."""

import json

import gymnasium
import minigrid  # noqa: F401
import pytest

from apprentice_minigrid import Apprentice, NotExpressible, attempt, read
from apprentice_minigrid.bot import attempt_by_bot, record
from apprentice_minigrid.mission import Clause, Noun


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


@pytest.mark.parametrize("sight", ["full", "7x7"])
@pytest.mark.parametrize(
    "env",
    [
        "MiniGrid-DoorKey-8x8-v0",
        "MiniGrid-BlockedUnlockPickup-v0",
        "MiniGrid-ObstructedMaze-1Dlhb-v0",
        "MiniGrid-LavaCrossingS9N2-v0",
        "BabyAI-PutNextS5N2Carrying-v0",
        "BabyAI-GoToSeqS5R2-v0",
    ],
)
def test_ten_levels_of_a_family_are_solved(apprentice, env, sight):
    environment = gymnasium.make(env)
    attempts = [attempt(apprentice, environment, seed, sight=sight) for seed in range(10)]
    assert all(it.solved for it in attempts), [it.why for it in attempts]
    assert all(it.bound is not None and it.bound >= 1 for it in attempts)


def test_the_same_level_is_played_the_same_way(apprentice):
    environment = gymnasium.make("BabyAI-BossLevel-v0")
    moves = [attempt(apprentice, environment, 3, sight="7x7").moves for _ in range(2)]
    assert moves[0] == moves[1]


def test_what_the_bot_shows_is_followed_in_another_level(apprentice, tmp_path):
    environment = gymnasium.make("BabyAI-UnblockPickup-v0")
    path = tmp_path / "shown.jsonl"
    assert record(environment, 0, "bot", str(path)).solved
    shown = path.read_text()
    assert "rows" in json.loads(shown.splitlines()[0])
    taught = attempt(apprentice, environment, 5, shown=shown)
    assert taught.solved and taught.followed is not None


def test_the_bot_plays_by_the_same_judge():
    assert attempt_by_bot(gymnasium.make("BabyAI-GoToLocal-v0"), 1).solved


def test_missions_are_read_from_their_words():
    ball = Noun("ball", "red", "left")
    door = Noun("door", None)
    assert read("pick up the red ball on your left, then open a door").groups == [
        [Clause("take", ball)],
        [Clause("open", door)],
    ]
    assert read("open a door after you pick up the red ball on your left").groups == [
        [Clause("take", ball)],
        [Clause("open", door)],
    ]
    assert len(read("go to the grey key and put a box next to the blue door").groups[0]) == 2
    with pytest.raises(NotExpressible):
        read("sing a song")
