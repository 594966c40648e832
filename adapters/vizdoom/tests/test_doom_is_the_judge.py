"""Doom's own exit says whether a quest was solved. Needs the program apprentice; see `.ci/adapters`."""

import struct

import pytest

from apprentice_serving import Apprentice
from apprentice_vizdoom import attempt, drive, wad
from apprentice_vizdoom.export import made, textmap


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


def test_quests_end_by_the_exit(apprentice):
    attempts = [attempt(apprentice, made(seed)) for seed in (100, 101)]
    assert all(it.solved for it in attempts), attempts


def test_without_their_keys_doors_stay_shut(apprentice, monkeypatch):
    def without_keys(quest):
        text = wad(quest)
        # A bonus of health lies in place of the red key.
        assert b"type = 13;" in text
        changed = text.replace(b"type = 13;", b"type = 2014;")
        return _resized(changed, len(changed) - len(text))

    monkeypatch.setattr(drive, "wad", without_keys)
    result = attempt(apprentice, made(100))
    assert not result.solved and "stuck" in result.why


def _resized(text, more):
    """A WAD of one map whose text has become longer."""
    magic, count, directory = struct.unpack("<4sii", text[:12])
    text = bytearray(text)
    text[:12] = struct.pack("<4sii", magic, count, directory + more)
    at = directory + more + 16
    start, size, name = struct.unpack("<ii8s", text[at : at + 16])
    text[at : at + 16] = struct.pack("<ii8s", start, size + more, name)
    end, size, name = struct.unpack("<ii8s", text[at + 16 : at + 32])
    text[at + 16 : at + 32] = struct.pack("<ii8s", end + more, size, name)
    return bytes(text)


def test_a_seed_is_always_the_same_level_and_another_has_its_keys_elsewhere():
    assert wad(made(3)) == wad(made(3))
    assert len({tuple(made(seed).keys) for seed in range(20)}) == 20


@pytest.mark.parametrize("seed", range(20))
def test_every_square_of_the_floor_is_closed_by_walls_or_other_floor(seed):
    quest = made(seed)
    edges = 0
    for y, row in enumerate(quest.rows):
        for x in range(len(row)):
            if not quest.is_wall((x, y)):
                edges += sum(quest.is_wall((x + dx, y + dy)) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)))
    text = textmap(quest)
    assert text.count("blocking = true") == edges
    # A door has two sides to come through, the goal up to four.
    assert text.count("special = 13;") == 4 and 1 <= text.count("special = 243;") <= 4
