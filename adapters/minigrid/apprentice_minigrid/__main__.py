"""``python -m apprentice_minigrid --env ID --seeds A:B``: plays many levels, and prints how it went."""

from __future__ import annotations

import argparse
import json
import sys
from typing import List

import gymnasium
import minigrid  # noqa: F401  It makes its environments known.

from .drive import Attempt, attempt


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_minigrid", description=__doc__)
    parser.add_argument("--env", required=True, help="such as MiniGrid-DoorKey-8x8-v0")
    parser.add_argument("--seeds", required=True, type=seeds_of, help="A:B, B is the first that is not played")
    parser.add_argument("--sight", choices=["full", "7x7"], default="full")
    parser.add_argument("--demonstration", help="a recorded log, shown in every level")
    parser.add_argument("--bound", type=float, help="plans cost at most this many times the best")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    words = parser.parse_args()
    if words.sight != "full":
        print("error: nobody plans by what is seen only yet; try --sight full", file=sys.stderr)
        return 3
    log = None
    if words.demonstration is not None:
        with open(words.demonstration, "rb") as file:
            log = file.read()
    settings = {} if words.bound is None else {"bound": words.bound}
    try:
        env = gymnasium.make(words.env)
    except gymnasium.error.Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    attempts: List[Attempt] = [attempt(env, seed, log=log, **settings) for seed in words.seeds]
    solved = [it for it in attempts if it.solved]
    times = sorted(it.planning_ms for it in attempts if it.planning_ms is not None)
    bounds = [it.bound for it in solved if it.bound is not None]
    document = {
        "env": words.env,
        "seeds": len(attempts),
        "solved": len(solved),
        "moves_mean": sum(it.moves for it in solved) / len(solved) if solved else None,
        "planning_ms_p99": times[min(len(times) - 1, len(times) * 99 // 100)] if times else None,
        "worst_bound": max(bounds) if bounds else None,
        "unsolved": [seed for seed, it in zip(words.seeds, attempts) if not it.solved],
    }
    if words.format == "json":
        print(json.dumps(document))
    else:
        print(f"{words.env}: {len(solved)} of {len(attempts)} solved")
        for seed, it in zip(words.seeds, attempts):
            if not it.solved:
                print(f"  seed {seed}: {it.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
