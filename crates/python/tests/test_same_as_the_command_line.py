"""What Python is told is what the command line says, on every scenario that ships."""

import json
import os
import pathlib
import subprocess

import pytest

import apprentice

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("APPRENTICE")
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

if PROGRAM is None:
    pytest.skip("APPRENTICE names no command line to compare with", allow_module_level=True)


def said(*words, codes=(0, 1, 2)):
    ended = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert ended.returncode in codes, ended.stderr
    return ended.stdout


def without_clocks(text):
    """The same bytes but for the lines that tell the time."""
    clocks = ('"time_ms": ', '"preparation_ms": ')
    lines = text.splitlines(keepends=True)
    return [it for it in lines if not (it.lstrip().startswith(clocks) and "null" not in it)]


def test_there_are_scenarios():
    assert len(SCENARIOS) > 10


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_plans_are_the_same_bytes(path):
    level = apprentice.Level.load(path)
    ours = level.plan_text(expansions=200_000, explain=True)
    theirs = said("plan", path, "--expansions", 200_000, "--explain", "--format", "json")
    assert without_clocks(ours) == without_clocks(theirs)
    verdict = level.verify(ours)
    assert verdict["valid"] == (json.loads(ours)["status"] == "found")


@pytest.mark.parametrize("planner", ["wastar", "tgraph", "mha"])
def test_settings_mean_the_same(planner):
    path = ROOT / "scenarios/quest_compound.toml"
    level = apprentice.Level.load(path)
    ours = level.plan_text(planner=planner, bound=3, expansions=100_000, no_demos=planner == "wastar")
    words = ["plan", path, "--planner", planner, "--bound", 3, "--expansions", 100_000]
    words += ["--no-demos"] if planner == "wastar" else []
    assert without_clocks(ours) == without_clocks(said(*words, "--format", "json"))


def test_tasks_are_the_same(tmp_path):
    text = "task Nap() { { true; } } problem p { goal ordered(Nap(), Nap()); }"
    path = tmp_path / "nap.htn"
    path.write_text(text)
    theirs = json.loads(said("htn", "plan", path, "--format", "json"))
    ours = apprentice.Tasks(text).plan()
    for field in ("cost", "iterations", "plan", "status"):
        assert ours[field] == theirs[field]


MATCHES = "winners,losers\nanna,ben\nben,carl\nanna,carl\ncarl,ben\n"


@pytest.mark.parametrize("system", ["weng-lin", "trueskill", "elo", "glicko2"])
def test_ratings_are_the_same(tmp_path, system):
    path = tmp_path / "matches.csv"
    path.write_text(MATCHES)
    theirs = json.loads(said("rate", path, "--system", system, "--in-file-order", "--format", "json"))
    ours = apprentice.rate(MATCHES, system=system)
    rows = [(row["name"], row["rating"], row["deviation"]) for row in theirs["ratings"]]
    assert [(row["name"], row["rating"], row["deviation"]) for row in ours["ratings"]] == rows


def plays(labelled):
    lines = []
    for number in range(12):
        style = "sneak" if number % 2 else "fight"
        events = [{"t": t, "e": f"{style}_{t % 3}"} for t in range(1, 12)]
        play = {"id": f"play {number}", "events": events}
        if labelled:
            play["label"] = style
        lines.append(json.dumps(play))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("labelled", [False, True])
def test_playstyles_are_the_same(tmp_path, labelled):
    log, model = tmp_path / "plays.jsonl", tmp_path / "styles.json"
    log.write_text(plays(labelled))
    more = ["--labelled"] if labelled else []
    said("playstyle", "learn", log, "--out", model, *more)
    styles = apprentice.Playstyles.learn(plays(labelled), labelled=labelled)
    assert styles.model == model.read_text()
    theirs = json.loads(said("playstyle", "classify", model, log, "--format", "json"))
    assert styles.classify(plays(labelled)) == theirs


def test_recognition_is_the_same(tmp_path):
    path = ROOT / "scenarios/quest_key.toml"
    log = ROOT / "testdata/demonstrations/quest.jsonl"
    some = tmp_path / "some.jsonl"
    some.write_text("".join(log.read_text().splitlines(keepends=True)[:12]))
    level = apprentice.Level.load(path)
    goals = {"near": {"within": {"at": [4, 4], "radius": 0.5}}}
    ours = level.recognise(goals, some.read_bytes())
    theirs = said("recognise", path, "--goal", "near=4,4", "--observed", some, "--format", "json")
    assert ours == json.loads(theirs)
