"""Levels of MiniGrid are solved, and MiniGrid says so."""

import gymnasium
import minigrid  # noqa: F401
import pytest

from apprentice_minigrid import attempt

FAMILIES = [
    "MiniGrid-Empty-Random-6x6-v0",
    "MiniGrid-FourRooms-v0",
    "MiniGrid-DoorKey-8x8-v0",
    "MiniGrid-MultiRoom-N6-v0",
    "MiniGrid-KeyCorridorS3R3-v0",
    "MiniGrid-Unlock-v0",
    "MiniGrid-UnlockPickup-v0",
    "MiniGrid-LavaGapS7-v0",
    "MiniGrid-LavaCrossingS9N3-v0",
    "MiniGrid-SimpleCrossingS9N3-v0",
]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_seed_is_solved(family):
    env = gymnasium.make(family)
    attempts = [attempt(env, seed) for seed in range(20)]
    assert [it.why for it in attempts if not it.solved] == []
    assert all(it.bound is not None and it.bound <= 10 for it in attempts)


def test_what_has_no_words_is_said():
    env = gymnasium.make("MiniGrid-PutNear-6x6-N2-v0")
    result = attempt(env, 0)
    assert not result.solved and "no words for" in result.why
