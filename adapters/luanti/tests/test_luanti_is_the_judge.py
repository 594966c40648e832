"""Luanti says whether a quest was solved. Needs its server and the program apprentice; see `.ci/adapters`."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

import apprentice_luanti.play
from apprentice_luanti import made, play, server
from apprentice_luanti.attend import Attendant
from apprentice_luanti.character import Character
from apprentice_luanti.level import scenario
from apprentice_luanti.loopback import Loopback
from apprentice_luanti.play import record
from apprentice_luanti.player import Player
from apprentice_luanti.quest import TRICKS, Quest
from apprentice_luanti.server import Missing, Server, program
from apprentice_serving import Apprentice

playing = sys.modules["apprentice_luanti.play"]


def _is_missing():
    try:
        program()
    except Missing as missing:
        return str(missing)
    return None


needs_luanti = pytest.mark.skipif(_is_missing() is not None, reason=str(_is_missing()))


@pytest.fixture(scope="module")
def apprentice():
    running = Apprentice()
    yield running
    running.close()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where worlds are made; nothing is left there."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield tmp_path
    assert list(tmp_path.glob("apprentice-luanti-*")) == []


@needs_luanti
def test_whoever_is_tricked_arrives_all_the_same(apprentice):
    attempts = play(apprentice, [made(seed) for seed in range(300, 305)])
    assert all(it.solved for it in attempts), attempts
    assert [it.followed for it in attempts] == [0.0] * 5
    assert [it.tricked for it in attempts] == [TRICKS[seed % 5] for seed in range(300, 305)]
    # Keys elsewhere, levers thrown back and other locks need another plan.
    assert all(it.plans > 1 for it in attempts if it.tricked not in (None, "door_shut"))


@pytest.fixture(scope="module")
def recorded():
    """What a scripted player did in a quest, and what was read of it."""
    read = []
    begin = Player.begin
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Player, "begin", lambda self, level, *rest: (read.append(level), begin(self, level, *rest)))
        attempt = record(made(300))
    assert attempt.solved, attempt.why
    return attempt, read[0]


@needs_luanti
def test_a_recording_of_one_quest_is_followed_in_another(apprentice, recorded):
    lines = [json.loads(line) for line in recorded[0].lines]
    assert lines[0]["unit"] == "cell" and len(lines) > 20
    happened = [event for line in lines for event in line.get("events", [])]
    assert {"picked_up:key0", "lever_pulled:lever0", "door_opened:door0"} <= set(happened)
    assert (round(lines[1]["x"]), round(lines[1]["y"])) == made(300).start

    shown = play(apprentice, [made(301), made(302)], "\n".join(recorded[0].lines))
    assert all(it.solved for it in shown)
    assert all(it.followed > 0.3 for it in shown)


@needs_luanti
def test_what_was_built_is_read_from_nodes(recorded):
    quest, read = made(300), recorded[1]
    assert read["rows"] == quest.rows
    assert [tuple(door["at"]) for door in read["doors"]] == quest.doors
    assert [door["locked"] for door in read["doors"]] == [True, True, False]
    assert [(tuple(key["at"]), key["opens"]) for key in read["keys"]] == [(quest.key, ["door0"])]
    assert [(tuple(lever["at"]), lever["opens"]) for lever in read["levers"]] == [(quest.lever, ["door1"])]


@needs_luanti
def test_a_key_of_another_lock_opens_nothing(apprentice, monkeypatch):
    told = Quest.told

    def with_another_key(self):
        quest = told(self)
        quest["keys"][0]["secret"] = "of another lock"
        return quest

    monkeypatch.setattr(Quest, "told", with_another_key)
    monkeypatch.setattr(playing, "LONGEST", 8.0)
    quest = made(300)
    planned = play(apprentice, [quest])[0]
    assert not planned.solved and "no solution" in planned.why
    # Whoever walks into the door all the same is held up by it.
    walked = record(quest)
    assert not walked.solved and "not there after" in walked.why
    xs = [json.loads(line)["x"] for line in walked.lines[1:]]
    assert quest.doors[0][0] - 1.5 < max(xs) < quest.doors[0][0]


@needs_luanti
def test_walls_are_walls(monkeypatch):
    # A player who goes straight on, whatever is there.
    monkeypatch.setattr(Player, "tick", lambda self, seconds, told: [28.0, told["at"][1]])
    monkeypatch.setattr(playing, "LONGEST", 5.0)
    quest = dataclasses.replace(made(300), trick=None)
    walked = record(quest)
    xs = [json.loads(line)["x"] for line in walked.lines[1:]]
    assert not walked.solved and quest.start[0] <= max(xs) < 7


@needs_luanti
def test_whoever_does_not_walk_has_not_arrived(folder, monkeypatch):
    # A mod whose bodies are put where they are to go.
    mod = folder / "mod"
    shutil.copytree(server.MOD, mod)
    body = (mod / "body.lua").read_text()
    walking = "object:set_velocity({x = dx / far * speed, y = falling, z = dz / far * speed})"
    assert walking in body
    (mod / "body.lua").write_text(body.replace(walking, "object:set_pos({x = to.x, y = pos.y, z = to.z})"))
    monkeypatch.setattr(server, "MOD", str(mod))
    put = record(made(300))
    assert not put.solved and put.why == "it did not walk"


@needs_luanti
def test_nothing_listens_but_on_loopback():
    asked = []
    with Loopback(lambda question: asked.append(question) or {}) as loopback:
        with Server(loopback.port, loopback.token) as running:
            for _ in range(100):
                if asked:
                    break
                time.sleep(0.2)
            assert asked, running.last_words()
            with open("/proc/net/udp", encoding="ascii") as file:
                lines = [line.split()[1] for line in file.readlines()[1:]]
            assert [line for line in lines if line.endswith(f":{running.port:04X}")] == [f"0100007F:{running.port:04X}"]
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://127.0.0.1:{loopback.port}/", data=b"{}")
            assert refused.value.code == 403


@needs_luanti
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_interrupted_leaves_nothing(folder, number):
    words = [sys.executable, "-m", "apprentice_luanti", "--seeds", "300:305"]
    with subprocess.Popen(words, env={**os.environ, "TMPDIR": str(folder)}) as running:
        for _ in range(100):
            if list(folder.glob("apprentice-luanti-*/world/worldmods")):
                break
            time.sleep(0.1)
        time.sleep(2)
        running.send_signal(number)
        running.send_signal(number)
        assert running.wait(timeout=30) == 128 + number
    commands = [path.read_bytes() for path in _processes()]
    assert not any(str(folder).encode() in command for command in commands)


def _processes():
    from pathlib import Path

    for process in Path("/proc").iterdir():
        if process.name.isdigit() and (process / "cmdline").exists():
            yield process / "cmdline"


def test_where_luanti_is_missing_it_says_so(folder, monkeypatch):
    monkeypatch.setenv("LUANTI_SERVER", str(folder / "nothing"))
    with pytest.raises(Missing, match="minetest-server"):
        with Server(1, "word"):
            pass


def test_a_seed_is_always_the_same_quest_and_another_has_its_things_elsewhere():
    assert made(3) == made(3)
    assert len({(made(seed).key, made(seed).lever, tuple(made(seed).doors)) for seed in range(20)}) == 20


@pytest.mark.parametrize("seed", range(20))
def test_every_quest_has_a_plan_by_its_key_and_its_lever_only(apprentice, seed):
    quest = made(seed)
    level = {
        "rows": quest.rows,
        "doors": [{"id": f"door{n}", "at": at, "locked": n < 2} for n, at in enumerate(quest.doors)],
        "keys": [{"id": "key0", "at": quest.key, "opens": ["door0"]}],
        "levers": [{"id": "lever0", "at": quest.lever, "opens": ["door1"]}],
    }
    for without in (None, "keys", "levers"):
        known = {**level, without: []} if without else level
        character = Character(apprentice, "tried", quest.goal)
        character.begin(known, quest.start, {})
        assert character.plan()["status"] == ("impossible" if without else "found")


def test_whoever_is_handed_over_is_told_where_to_walk_and_the_player_why(apprentice):
    attendant = Attendant(apprentice)
    level = {"rows": ["....."] * 2, "doors": None, "levers": None, "keys": None}
    handed = {"what": "handed_over", "id": "of anna", "by": "anna", "from": [0, 0], "goal": [4, 0], "level": level}
    shown = [{"format": 1, "unit": "cell"}, {"t": 0, "x": 0, "y": 0}, {"t": 2, "x": 4, "y": 1}]
    handed["shown"] = "\n".join(json.dumps(line) for line in shown)

    def ask(**told):
        return attendant.answer({"seconds": 0.05, "news": None, "bodies": None, **told})

    begun = ask(news=[handed])["do"]
    assert [it["what"] for it in begun] == ["say", "start"] and "as you did" in begun[0]["text"]
    assert ask(bodies=[{"id": "of anna", "at": [0, 0]}])["orders"][0]["to"][0] == 1
    # A wall has been built across, so that there is no way any more.
    walled = {**level, "rows": ["..#.."] * 2}
    said = ask(bodies=[{"id": "of anna", "at": [0.5, 0], "level": walled}])
    assert said["orders"][0]["to"] is None
    reopened = {**level, "rows": ["..#..", "....."]}
    said = ask(bodies=[{"id": "of anna", "at": [0.5, 0], "level": reopened}])
    assert said["orders"][0]["to"] is not None and "another plan" in said["do"][0]["text"]
    arrived = {"arrived": True, "seconds": 3.0}
    assert ask(bodies=[{"id": "of anna", "at": [4, 0], "judged": arrived}])["do"][0]["text"] == "there, after 3.0 s"
    assert ask(bodies=[{"id": "of anna", "at": [4, 0]}]) == {"orders": [], "do": []}


def test_doors_that_anybody_opens_are_floor():
    level = {"rows": ["..."], "doors": [{"id": "door0", "at": [1, 0], "locked": False}], "keys": None, "levers": None}
    assert "[[door]]" not in scenario(level, (0, 0), (2, 0), [])
