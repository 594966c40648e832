"""A server of Luanti's with a world of its own, on loopback, which is gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from typing import Any, Dict, Optional

MOD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mod", "apprentice")
#: Where the server is, if it is not on the path. Debian's on the path is a script that names files of the system's.
KNOWN = ("/usr/lib/minetest/minetestserver", "/usr/lib/luanti/luantiserver")
NAMES = ("luantiserver", "minetestserver")
#: Mods of the package mesecons that quests need, and whatever those need.
MESECONS = (
    "mesecons",
    "mesecons_doors",
    "mesecons_extrawires",
    "mesecons_materials",
    "mesecons_mvps",
    "mesecons_receiver",
    "mesecons_walllever",
    "mesecons_wires",
)


class Missing(Exception):
    """Luanti is not here."""


def program() -> str:
    """The server; the variable `LUANTI_SERVER` says where it is, if it is neither on the path nor Debian's."""
    named = os.environ.get("LUANTI_SERVER")
    found = [named] if named else [*KNOWN, *(shutil.which(name) or "" for name in NAMES)]
    for path in found:
        if path and os.access(path, os.X_OK):
            return path
    raise Missing(
        "there is no server of Luanti's; install it (on Debian: minetest-server minetest-data minetest-mod-mesecons), "
        "or set LUANTI_SERVER"
    )


def install(world: str) -> None:
    """Puts the mod into a world of one's own."""
    if not os.path.isfile(os.path.join(world, "world.mt")):
        raise OSError(f"{world} is no world of Luanti's: it has no world.mt")
    shutil.copytree(MOD, os.path.join(world, "worldmods", "apprentice"), dirs_exist_ok=True)


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A running server whose mod asks a planner on loopback. To be used with `with`."""

    def __init__(self, planner_port: int, token: str, settings: Optional[Dict[str, Any]] = None) -> None:
        self.port = free_port()
        self._words = {
            "bind_address": "127.0.0.1",
            "port": self.port,
            "server_announce": "false",
            "secure.http_mods": "apprentice",
            "apprentice.port": planner_port,
            "apprentice.token": token,
            "apprentice.ends_with_planner": "true",
            "dedicated_server_step": 0.05,
            "max_forceloaded_blocks": 4096,
            "item_entity_ttl": -1,
            "mesecon.resumetime": 0,
            "enable_damage": "false",
            "disable_anticheat": "true",
            "time_speed": 0,
            "world_start_time": 12000,
            **(settings or {}),
        }
        self._folder: Optional[str] = None
        self._process: Optional[subprocess.Popen[bytes]] = None

    def __enter__(self) -> "Server":
        server = program()
        self._folder = tempfile.mkdtemp(prefix="apprentice-luanti-")
        try:
            self._start(server, self._folder)
        except BaseException:
            self._end()
            raise
        return self

    def _start(self, server: str, folder: str) -> None:
        world = os.path.join(folder, "world")
        os.makedirs(os.path.join(world, "worldmods"))
        shutil.copytree(MOD, os.path.join(world, "worldmods", "apprentice"))
        with open(os.path.join(world, "world.mt"), "w", encoding="utf-8") as file:
            file.write("gameid = minetest\nbackend = dummy\nplayer_backend = dummy\nauth_backend = sqlite3\n")
            file.write("mod_storage_backend = dummy\ncreative_mode = true\nserver_announce = false\n")
            file.writelines(f"load_mod_{mod} = true\n" for mod in MESECONS)
        with open(os.path.join(world, "map_meta.txt"), "w", encoding="utf-8") as file:
            file.write("mg_name = singlenode\nseed = 1\n[end_of_params]\n")
        config = os.path.join(folder, "minetest.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.writelines(f"{name} = {value}\n" for name, value in self._words.items())
        # Whatever else it writes stays in the folder, too.
        env = {**os.environ, "HOME": folder, "MINETEST_USER_PATH": folder, "LUANTI_USER_PATH": folder}
        with open(self._log_path(), "wb") as log:
            self._process = subprocess.Popen(
                [server, "--config", config, "--world", world, "--gameid", "minetest", "--logfile", ""],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=env,
                # Whoever interrupts means us, and we end it.
                start_new_session=True,
            )

    def _log_path(self) -> str:
        assert self._folder is not None
        return os.path.join(self._folder, "log.txt")

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def last_words(self) -> str:
        """What it has complained about."""
        with open(self._log_path(), encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if "ERROR" in line]
        return "; ".join(lines[:3]) or "it has not said why"

    def _end(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
                try:
                    self._process.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __exit__(self, *_: Any) -> None:
        self._end()
