"""What a game in Python does with it, and everything it can do wrong."""

import gc
import pathlib
import threading

import pytest

import apprentice

ROOT = pathlib.Path(__file__).resolve().parents[3]
HALL = """
format = 1
start = [0, 1]
goal = { within = { at = [8, 1], radius = 0.0 } }
map = { rows = ["....#....", ".........", "....#....", "........."] }
door = [{ id = "gate", at = [[4, 1]], open = true }]
key = [{ id = "red", at = [2, 0], opens = ["gate"] }]
"""


def hall():
    return apprentice.Level.read("hall", HALL)


def test_a_character_goes_another_way_when_the_gate_is_shut():
    cast = apprentice.Cast(hall())
    anna = cast.add("anna")
    for frame in range(600):
        cast.pass_time(0.05)
        if frame == 30:
            cast.observe(door={"id": "gate", "open": False})
        assert cast.think(300)["units"] <= 300
        if anna.now()["doing"] == "done":
            break
    assert anna.now()["doing"] == "done"
    assert anna.now()["plans"] >= 2
    anna.pursue({"within": {"at": [0, 3], "radius": 0}})
    # She looks up in one frame, and thinks in this one or in the next.
    for _ in range(2):
        cast.tick(0.05, 5000)
    assert anna.ahead()[-1]["at"] == [0, 3]
    anna.dismiss()
    with pytest.raises(apprentice.ApprenticeError):
        anna.now()


def test_what_is_shown_is_followed():
    level = hall()
    level.show("below", points=[(0, 1), (2, 3), (6, 3), (8, 1)])
    assert level.demonstrations == ["below"]
    assert level.plan()["followed"] > level.plan(no_demos=True)["followed"]
    level.show("log", log='{"format":1}\n{"t":0,"x":0,"y":1}\n{"t":8,"x":8,"y":1}\n')
    assert "below" in level.explain()
    assert level.picture().startswith("<svg")


@pytest.mark.parametrize(
    "wrong, code, words",
    [
        (lambda: apprentice.Level.load("nowhere.toml"), "bad_file", "cannot be read"),
        (lambda: apprentice.Level.read("x", "format = 1\nstrat = 1"), "bad_file", "strat"),
        (lambda: hall().plan(planner="aut"), "bad_settings", "did you mean `auto`?"),
        (lambda: hall().plan(bund=2), "not_understood", "bund"),
        (lambda: hall().plan(bound=0.5), "bad_settings", "bound"),
        (lambda: hall().show("x", points=[]), "bad_value", "points"),
        (lambda: hall().show("x", points=[(float("nan"), 0)]), "bad_value", "nowhere"),
        (lambda: hall().show("x", log="{}"), "bad_file", "log"),
        (lambda: hall().verify({}), "bad_file", "no plan"),
        (lambda: apprentice.Cast(hall()).add("a", goal={"holds": "gold"}), "no_such", "gold"),
        (lambda: apprentice.Cast(hall()).pass_time(-1), "bad_value", "seconds"),
        (lambda: apprentice.Cast(hall()).observe(door={"id": "gat", "open": True}), "no_such", "gate"),
        (lambda: apprentice.Tasks("task A( {"), "bad_file", "E0"),
        (lambda: apprentice.Tasks("task A() { { true; } }").plan(), "bad_value", "no problem"),
        (lambda: apprentice.rate("winners\n"), "bad_file", "losers"),
        (lambda: apprentice.rate("winners,losers\na,b\n", system="elk"), "bad_settings", "elk"),
        (lambda: apprentice.Playstyles.learn("{"), "bad_file", ""),
    ],
)
def test_what_is_wrong_is_said_by_one_exception(wrong, code, words):
    with pytest.raises(apprentice.ApprenticeError) as caught:
        wrong()
    assert caught.value.code == code
    assert words in str(caught.value)


class Corridor(apprentice.Game):
    """Ten places in a row, a key in the first, a door in the eighth."""

    places = [(x, 0) for x in range(10)]
    ways = [way for x in range(9) for way in ((x, x + 1, 1), (x + 1, x, 1))]
    goals = [9]
    locks = [("key", 0, False, [], False), ("door", 7, True, [0], False)]

    def start(self):
        return (4, False)

    def place(self, state):
        return state[0]

    def successors(self, state):
        at, key = state
        for name, to in (("west", at - 1), ("east", at + 1)):
            if 0 <= to < 10 and (to != 7 or key):
                yield name, (to, key or to == 0), 1.0

    def is_done(self, state, lock):
        return state[1] if lock == 0 else state[1] and state[0] >= 7


def test_a_game_of_ones_own_is_planned():
    plan = Corridor().plan()
    assert plan["status"] == "found" and plan["cost"] == 13
    assert [step["action"] for step in plan["steps"]] == ["west"] * 4 + ["east"] * 9
    assert plan["steps"][-1]["state"] == (9, True)
    best = Corridor().plan(planner="astar")
    assert best["cost"] == 13
    assert Corridor().plan(units=1)["status"] == "budget"


def test_exceptions_in_rules_are_told_with_their_cause():
    class Broken(Corridor):
        def successors(self, state):
            raise KeyError("oh")

    class Nowhere(Corridor):
        def place(self, state):
            return 99

    class Backwards(Corridor):
        def successors(self, state):
            return [("back", (0, False), -1.0)]

    with pytest.raises(apprentice.ApprenticeError) as caught:
        Broken().plan()
    assert isinstance(caught.value.__cause__, KeyError)
    for game in (Nowhere(), Backwards()):
        with pytest.raises(apprentice.ApprenticeError):
            game.plan()
    with pytest.raises(NotImplementedError):
        apprentice.Game().plan()


def test_other_threads_run_while_a_plan_is_made():
    level = apprentice.Level.load(ROOT / "scenarios/quest_compound.toml")
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    level.plan(planner="astar", expansions=300_000)
    after = counted[0]
    done.set()
    other.join()
    assert after > before, "nobody else could run"


def test_one_cast_on_several_threads_is_busy_or_right():
    cast = apprentice.Cast(hall())
    cast.add("anna")
    wrong = []

    def think():
        for _ in range(300):
            try:
                cast.think(20)
            except apprentice.ApprenticeError as error:
                if error.code != "busy":
                    wrong.append(error)

    threads = [threading.Thread(target=think) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="nobody says how much memory")
def test_a_hundred_thousand_calls_take_no_more_memory():
    cast = apprentice.Cast(hall())
    anna = cast.add("anna")

    def call(times):
        for number in range(times // 3):
            cast.pass_time(0.016)
            cast.think(50)
            anna.now()
            if number % 2000 == 0:
                anna.pursue({"within": {"at": [number // 2000 % 2 * 8, 3], "radius": 0}})

    call(30_000)
    gc.collect()
    before = resident()
    call(100_000)
    gc.collect()
    assert resident() - before < 4_000
