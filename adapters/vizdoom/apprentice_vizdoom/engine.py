"""A body in a level of Doom: what it does, and what the engine says of the level."""

from __future__ import annotations

import math
import os
import tempfile
from typing import Dict, List, Optional, Tuple

import vizdoom

from .movers import Heights
from .specials import KEY_NAMES

#: Of the distance that is left, so much is asked for in a tic: Doom's bodies slide on.
EAGERNESS = 0.3
#: Nobody is faster than this, by Doom's own numbers for a walk.
FASTEST = 25
#: What is drawn takes most of a tic.
SEEN, UNSEEN = vizdoom.ScreenResolution.RES_320X240, vizdoom.ScreenResolution.RES_160X120
#: Tics between two pictures.
PICTURED_EVERY = 350


class Over(Exception):
    """Doom has ended the level."""


def wad_of(name: str) -> str:
    """The WAD of Freedoom that has a level: its first part has episodes, its second one numbered maps."""
    return os.path.join(os.path.dirname(vizdoom.__file__), "freedoom1.wad" if name.startswith("E") else "freedoom2.wad")


class Body:
    """Somebody in a level. Monsters are left out."""

    def __init__(
        self,
        wad: str,
        level: str,
        longest: int,
        skill: int = 3,
        *,
        resource: Optional[str] = None,
        lmp: Optional[str] = None,
        played_with: Optional[List[vizdoom.Button]] = None,
        bound: Optional[Dict[str, str]] = None,
        is_seen: bool = False,
    ) -> None:
        """`resource` is a WAD with textures and the like for one that has only levels; `lmp` is where Doom's own
        demo of what the body does goes. With `played_with`, somebody plays in a window with these buttons, and
        `bound` says which keys set which of them off. What is seen is drawn small unless somebody looks."""
        self.longest = longest
        self.tics = 0
        self._picture: Optional[str] = None
        self._folder = tempfile.TemporaryDirectory()
        self.game = game = vizdoom.DoomGame()
        game.set_doom_config_path(os.path.join(self._folder.name, "vizdoom.ini"))
        game.set_doom_game_path(resource or wad)
        if resource is not None:
            game.set_doom_scenario_path(wad)
        game.set_doom_map(level)
        game.set_doom_skill(skill)
        game.add_game_args("-nomonsters")
        game.set_window_visible(played_with is not None)
        game.set_screen_resolution(SEEN if is_seen else UNSEEN)
        game.set_screen_format(vizdoom.ScreenFormat.RGB24)
        game.set_mode(vizdoom.Mode.PLAYER if played_with is None else vizdoom.Mode.SPECTATOR)
        game.set_map_exit_reward(1)
        game.set_sectors_info_enabled(True)
        game.set_objects_info_enabled(True)
        game.set_seed(1)
        game.set_available_buttons(BUTTONS if played_with is None else played_with)
        game.init()
        for key, command in (bound or {}).items():
            game.send_game_command(f"bind {key} {command}")
        if lmp is not None:
            game.new_episode(lmp)

    def close(self) -> None:
        self.game.close()
        self._folder.cleanup()

    @property
    def has_left(self) -> bool:
        """Whether Doom's own exit has ended the level."""
        game = self.game
        return bool(game.is_episode_finished() and game.get_total_reward() == 1 and not game.is_player_dead())

    def act(self, turn: float = 0, forward: float = 0, use: int = 0, attack: int = 0) -> None:
        """Lets a tic pass."""
        self.game.make_action([turn, forward, use, attack])
        self.tics += 1
        if self._picture is not None and self.tics % PICTURED_EVERY == 0:
            self._save(self._picture)
        if self.game.is_episode_finished() or self.tics >= self.longest:
            raise Over

    def wait(self, tics: int) -> None:
        for _ in range(tics):
            self.act()

    @property
    def at(self) -> Tuple[float, float]:
        variable = self.game.get_game_variable
        return (variable(vizdoom.GameVariable.POSITION_X), variable(vizdoom.GameVariable.POSITION_Y))

    @property
    def high(self) -> float:
        return float(self.game.get_game_variable(vizdoom.GameVariable.POSITION_Z))

    @property
    def health(self) -> float:
        return float(self.game.get_game_variable(vizdoom.GameVariable.HEALTH))

    def heights(self) -> List[Heights]:
        """Where every floor and ceiling is now."""
        return [(it.floor_height, it.ceiling_height) for it in self.game.get_state().sectors]

    def keys(self) -> Dict[Tuple[int, int], int]:
        """The keys that still lie somewhere, by where that is."""
        keys = [it for it in self.game.get_state().objects if it.name in KEY_NAMES]
        return {(round(it.position_x), round(it.position_y)): KEY_NAMES[it.name] for it in keys}

    def to_go(self, to: Tuple[float, float]) -> Tuple[float, float]:
        """How far it is, and how many degrees to the left one must turn."""
        x, y = self.at
        dx, dy = to[0] - x, to[1] - y
        angle = math.degrees(math.atan2(dy, dx)) - self.game.get_game_variable(vizdoom.GameVariable.ANGLE)
        return math.hypot(dx, dy), (angle + 180) % 360 - 180

    def toward(self, to: Tuple[float, float]) -> None:
        """A tic on the way to a point."""
        far, left = self.to_go(to)
        forward = min(far * EAGERNESS, FASTEST) if abs(left) < 30 else 0
        self.act(turn=-left, forward=forward)

    def face(self, to: Tuple[float, float]) -> None:
        for _ in range(35):
            _, left = self.to_go(to)
            if abs(left) < 2:
                return
            self.act(turn=-left)

    def take_picture(self, path: str) -> None:
        """From now on what somebody sees is written to a file, every ten seconds over the one before, as PPM."""
        self._picture = path

    def _save(self, path: str) -> None:
        state = self.game.get_state()
        if state is not None:
            height, width, _ = state.screen_buffer.shape
            with open(path, "wb") as file:
                file.write(b"P6 %d %d 255\n" % (width, height) + state.screen_buffer.tobytes())


BUTTONS = [
    vizdoom.Button.TURN_LEFT_RIGHT_DELTA,
    vizdoom.Button.MOVE_FORWARD_BACKWARD_DELTA,
    vizdoom.Button.USE,
    vizdoom.Button.ATTACK,
]
