"""``python -m apprentice_minigrid --env ID --seeds A:B``: plays many levels, and prints how it went."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import gymnasium
import minigrid  # noqa: F401  It makes its environments known.

from .bot import LETTERS, attempt_by_bot, record
from .drive import attempt
from .mission import NotExpressible
from apprentice_serving import Apprentice, Refused


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def _record(env: Any, words: argparse.Namespace) -> int:
    unknown = sorted(set(words.by) - set(LETTERS)) if words.by != "bot" else []
    if unknown:
        print(f"error: no action has the letter {unknown[0]!r}; try --by bot, or l r f t p o", file=sys.stderr)
        return 3
    result = record(env, words.seeds[0], words.by, words.record)
    if not result.solved:
        print(f"error: nothing was written: {result.why}", file=sys.stderr)
        return 1
    print(f"{words.record}: {result.moves} moves")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_minigrid", description=__doc__)
    parser.add_argument("--env", required=True, help="such as MiniGrid-DoorKey-8x8-v0")
    parser.add_argument("--seeds", required=True, type=seeds_of, help="A:B, B is the first that is not played")
    parser.add_argument("--sight", choices=["full", "7x7"], default="full")
    parser.add_argument("--demonstration", help="a recording that --record made, shown in every level")
    parser.add_argument("--record", help="write the first seed's level to this file, as --by solves it")
    parser.add_argument(
        "--by",
        default="apprentice",
        help="who plays: apprentice, the bot of BabyAI's levels, or for --record letters: l and r turn, f "
        "goes forward, t takes, p puts, o opens",
    )
    parser.add_argument("--bound", type=float, help="plans cost at most this many times the best")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    words = parser.parse_args()
    ask = {} if words.bound is None else {"bound": words.bound}
    try:
        env = gymnasium.make(words.env)
        if words.record is not None:
            return _record(env, words)
        shown = None
        if words.demonstration is not None:
            with open(words.demonstration, encoding="utf-8") as file:
                shown = file.read()
        if words.by == "bot":
            attempts = [attempt_by_bot(env, seed) for seed in words.seeds]
        else:
            apprentice = Apprentice()
            attempts = [
                attempt(apprentice, env, seed, sight=words.sight, shown=shown, ask=ask)
                for seed in words.seeds
            ]
            apprentice.close()
    except (gymnasium.error.Error, OSError, Refused, NotExpressible) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    solved = [it for it in attempts if it.solved]
    times = sorted(time for it in attempts for time in it.planning_ms)
    bounds = [it.bound for it in solved if it.bound is not None]
    followed = [it.followed for it in solved if it.followed is not None]
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
