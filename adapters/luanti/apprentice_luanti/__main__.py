"""``python -m apprentice_luanti --seeds A:B``: plays many quests in Luanti, and prints how it went."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from typing import Any, Sequence

from apprentice_serving import Apprentice, Refused

from .attend import attend
from .play import Failed, play, record
from .quest import made
from .server import Missing


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def _interrupted(number: int, _: Any) -> None:
    """Ends by way of everything that cleans up, which nothing interrupts a second time."""
    for other in (signal.SIGINT, signal.SIGTERM):
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def _record(words: argparse.Namespace) -> int:
    attempt = record(made(words.seeds[0]))
    if not attempt.solved:
        print(f"error: nothing was written: {attempt.why}", file=sys.stderr)
        return 1
    with open(words.record, "w", encoding="utf-8") as file:
        file.write("\n".join(attempt.lines) + "\n")
    print(f"{words.record}: {len(attempt.lines) - 1} samples, {attempt.seconds:.1f} s")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_luanti", description=__doc__)
    parser.add_argument("--seeds", type=seeds_of, help="A:B, B is the first that is not played")
    parser.add_argument("--demonstration", help="a recording that --record or a player made, shown in every quest")
    parser.add_argument("--record", help="write to this file how a scripted player does the first seed's quest")
    parser.add_argument("--attend", type=int, metavar="PORT", help="plan for a server of yours until interrupted")
    parser.add_argument("--install", metavar="WORLD", help="with --attend: put the mod into this world before")
    parser.add_argument("--token", help="with --attend: the word of the setting apprentice.token; a new one if not given")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    words = parser.parse_args()
    seeds: Sequence[int] = words.seeds or []
    if bool(seeds) == (words.attend is not None):
        parser.error("either --seeds A:B, with A less than B, or --attend PORT")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    try:
        if words.record is not None:
            return _record(words)
        apprentice = Apprentice()
        if words.attend is not None:
            return attend(apprentice, words.attend, words.token, words.install)
        shown = None
        if words.demonstration is not None:
            with open(words.demonstration, encoding="utf-8") as file:
                shown = file.read()
        attempts = play(apprentice, [made(seed) for seed in seeds], shown)
        apprentice.close()
    except (OSError, Refused, Missing, Failed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    solved = [it for it in attempts if it.solved]
    times = sorted(it.planning_ms for it in attempts)
    bounds = [it.bound for it in solved if it.bound is not None]
    followed = [it.followed for it in solved if it.followed is not None]
    if words.format == "json":
        document = {
            "env": "quests of nodes",
            "seeds": len(attempts),
            "solved": len(solved),
            "seconds_mean": sum(it.seconds for it in solved) / len(solved) if solved else None,
            "planning_ms_p99": times[min(len(times) - 1, len(times) * 99 // 100)],
            "worst_bound": max(bounds) if bounds else None,
            "followed_mean": sum(followed) / len(followed) if words.demonstration and followed else None,
            "tricked": sum(it.tricked is not None for it in attempts),
            "plans_mean": sum(it.plans for it in solved) / len(solved) if solved else None,
            "unsolved": [it.seed for it in attempts if not it.solved],
        }
        print(json.dumps(document))
    else:
        print(f"{len(solved)} of {len(attempts)} have arrived, says Luanti")
        for it in attempts:
            trick = f", {it.tricked}" if it.tricked else ""
            print(f"  seed {it.seed}: {it.seconds:.1f} s, {it.plans} plans{trick}" + (f": {it.why}" if it.why else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
