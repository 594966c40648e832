"""A plan of ours walked in Doom, whose own exit is the judge."""

from __future__ import annotations

import dataclasses
import math
import os
import tempfile
from typing import Any, List, Optional, Tuple

import vizdoom

from apprentice_serving import Apprentice

from .export import CELL, Quest, wad

#: After so many tics it has failed.
LONGEST = 35 * 300
#: Of the distance that is left, so much is asked for in a tic: Doom's bodies slide on.
EAGERNESS = 0.3
#: As near as this to a place is there, in Doom's units.
NEAR = 10
#: How many tics a door takes to rise, and some more.
DOOR_TICS = 40
#: The step of a plan after which a picture is taken.
PICTURED = 3
#: Whoever has not come on for so many tics does something else.
PATIENCE = 70


@dataclasses.dataclass
class Attempt:
    """How a level went."""

    #: Whether Doom's own exit ended it.
    solved: bool = False
    tics: int = 0
    planning_ms: float = 0.0
    bound: Optional[float] = None
    why: Optional[str] = None


class Over(Exception):
    """Doom has ended the level."""


class Stuck(Exception):
    """Somebody does not get on."""


def attempt(apprentice: Apprentice, quest: Quest, picture: Optional[str] = None) -> Attempt:
    """Plans a quest, exports it, and walks there; `picture` takes a view on the way, as a PPM file."""
    result = Attempt()
    apprentice.ask(do="level", level="doom", text=quest.scenario())
    plan = apprentice.ask(do="plan", level="doom")["plan"]
    result.planning_ms, result.bound = plan["time_ms"], plan["bound"]
    if plan["status"] != "found":
        result.why = plan["guarantee"]
        return result
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "quest.wad")
        with open(path, "wb") as file:
            file.write(wad(quest))
        game = vizdoom.DoomGame()
        game.set_doom_config_path(os.path.join(folder, "vizdoom.ini"))
        game.set_doom_game_path(os.path.join(os.path.dirname(vizdoom.__file__), "freedoom2.wad"))
        game.set_doom_scenario_path(path)
        game.set_doom_map("MAP01")
        game.set_window_visible(False)
        game.set_screen_resolution(vizdoom.ScreenResolution.RES_320X240)
        game.set_screen_format(vizdoom.ScreenFormat.RGB24)
        game.set_mode(vizdoom.Mode.PLAYER)
        game.set_map_exit_reward(1)
        game.set_seed(1)
        game.set_available_buttons(
            [
                vizdoom.Button.TURN_LEFT_RIGHT_DELTA,
                vizdoom.Button.MOVE_FORWARD_BACKWARD_DELTA,
                vizdoom.Button.USE,
            ]
        )
        game.init()
        try:
            _walk(game, quest, [(step["x"], step["y"]) for step in plan["steps"]], result, picture)
        except Over:
            result.solved = game.get_total_reward() == 1 and not game.is_player_dead()
            result.why = None if result.solved else "Doom ended it otherwise than by its exit"
        except Stuck:
            pass
        finally:
            game.close()
    return result


def _walk(game: Any, quest: Quest, way: List[Tuple[float, float]], result: Attempt, picture: Optional[str]) -> None:
    closed = {door for _, door in quest.keys}
    for number, (column, row) in enumerate(way):
        if picture is not None and number == PICTURED:
            _save(game, picture)
        cell = (round(column), round(row))
        to = ((column + 0.5) * CELL, -(row + 0.5) * CELL)
        if cell in closed:
            closed.remove(cell)
            _face(game, to, result)
            _act(game, result, use=1)
            for _ in range(DOOR_TICS):
                _act(game, result)
        _go(game, to, result)
    result.why = "everything was done, and Doom did not end"


def _save(game: Any, picture: str) -> None:
    state = game.get_state()
    height, width, _ = state.screen_buffer.shape
    with open(picture, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (width, height) + state.screen_buffer.tobytes())


def _turn(game: Any, to: Tuple[float, float]) -> Tuple[float, float]:
    """How far it is, and how many degrees to the left one must turn."""
    dx = to[0] - game.get_game_variable(vizdoom.GameVariable.POSITION_X)
    dy = to[1] - game.get_game_variable(vizdoom.GameVariable.POSITION_Y)
    angle = math.degrees(math.atan2(dy, dx)) - game.get_game_variable(vizdoom.GameVariable.ANGLE)
    return math.hypot(dx, dy), (angle + 180) % 360 - 180


def _face(game: Any, to: Tuple[float, float], result: Attempt) -> None:
    for _ in range(PATIENCE):
        _, left = _turn(game, to)
        if abs(left) < 2:
            return
        _act(game, result, turn=-left)


def _go(game: Any, to: Tuple[float, float], result: Attempt) -> None:
    for waited in range(PATIENCE * 4):
        far, left = _turn(game, to)
        if far < NEAR:
            return
        if waited and waited % PATIENCE == 0:
            # Perhaps a door is in the way.
            _act(game, result, use=1)
        forward = min(far * EAGERNESS, 25) if abs(left) < 20 else 0
        _act(game, result, turn=-left, forward=forward)
    result.why = f"stuck at {far:.0f} units from {to}"
    raise Stuck


def _act(game: Any, result: Attempt, turn: float = 0, forward: float = 0, use: int = 0) -> None:
    game.make_action([turn, forward, use])
    result.tics += 1
    if game.is_episode_finished() or result.tics >= LONGEST:
        raise Over
