"""``python -m apprentice_minihack --env ID --seeds A:B``: plays many levels, and prints how it went."""

from __future__ import annotations

import argparse
import json
import sys

import gymnasium
import minihack  # noqa: F401  It makes its environments known.

from apprentice_serving import Apprentice, Refused

from .drive import OBSERVATIONS, attempt


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_minihack", description=__doc__)
    parser.add_argument("--env", required=True, help="such as MiniHack-KeyRoom-S15-v0")
    parser.add_argument("--seeds", required=True, type=seeds_of, help="A:B, B is the first that is not played")
    parser.add_argument("--demonstration", help="a recording in rooms, shown in every level")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    words = parser.parse_args()
    try:
        shown = None
        if words.demonstration is not None:
            with open(words.demonstration, encoding="utf-8") as file:
                shown = file.read()
        env = gymnasium.make(words.env, observation_keys=OBSERVATIONS)
        apprentice = Apprentice()
        attempts = [attempt(apprentice, env, seed, shown=shown) for seed in words.seeds]
        apprentice.close()
    except (gymnasium.error.Error, OSError, Refused) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    solved = [it for it in attempts if it.solved]
    times = sorted(time for it in attempts for time in it.planning_ms)
    followed = [it.followed for it in solved if it.followed is not None]
    bounds = [it.bound for it in solved if it.bound is not None]
    if words.format == "json":
        document = {
            "env": words.env,
            "seeds": len(attempts),
            "solved": len(solved),
            "moves_mean": sum(it.moves for it in solved) / len(solved) if solved else None,
            "planning_ms_p99": times[min(len(times) - 1, len(times) * 99 // 100)] if times else None,
            "worst_bound": max(bounds) if bounds else None,
            "followed_mean": sum(followed) / len(followed) if followed else None,
            "unsolved": [seed for seed, it in zip(words.seeds, attempts) if not it.solved],
        }
        print(json.dumps(document))
    else:
        print(f"{words.env}: {len(solved)} of {len(attempts)} solved")
        for seed, it in zip(words.seeds, attempts):
            if not it.solved:
                print(f"  seed {seed}: {it.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
