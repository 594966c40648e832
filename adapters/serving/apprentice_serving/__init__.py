"""Apprentice on the other side of a pipe: ``apprentice serve --stdio``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any, Dict


class Refused(Exception):
    """Apprentice did not do what was asked."""


class Apprentice:
    """A running ``apprentice serve --stdio``. The variable ``APPRENTICE`` says where the program is."""

    def __init__(self) -> None:
        program = os.environ.get("APPRENTICE") or shutil.which("apprentice")
        if program is None:
            raise Refused("the program apprentice is not on the path; set APPRENTICE, or cargo install it")
        self._process = subprocess.Popen(
            [program, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **question: Any) -> Dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Refused("apprentice has ended")
        answer: Dict[str, Any] = json.loads(line)
        if answer["is"] == "error":
            raise Refused(answer["message"])
        return answer

    def close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
