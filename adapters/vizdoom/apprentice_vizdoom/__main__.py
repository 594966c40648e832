"""``python -m apprentice_vizdoom --seeds A:B``: plays many quests, and prints how it went."""

from __future__ import annotations

import argparse
import json
import sys

from apprentice_serving import Apprentice, Refused

from .drive import attempt
from .export import made, wad


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_vizdoom", description=__doc__)
    parser.add_argument("--seeds", required=True, type=seeds_of, help="A:B, B is the first that is not played")
    parser.add_argument("--wad", help="write the first seed's level to this file, and play nothing")
    parser.add_argument("--picture", help="write what is seen on the way in the last seed, as PPM")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    words = parser.parse_args()
    try:
        if words.wad is not None:
            with open(words.wad, "wb") as file:
                file.write(wad(made(words.seeds[0])))
            return 0
        apprentice = Apprentice()
        attempts = [attempt(apprentice, made(seed), words.picture) for seed in words.seeds]
        apprentice.close()
    except (OSError, Refused) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    solved = [it for it in attempts if it.solved]
    times = sorted(it.planning_ms for it in attempts)
    bounds = [it.bound for it in solved if it.bound is not None]
    if words.format == "json":
        document = {
            "env": "grid quests",
            "seeds": len(attempts),
            "solved": len(solved),
            "tics_mean": sum(it.tics for it in solved) / len(solved) if solved else None,
            "planning_ms_p99": times[min(len(times) - 1, len(times) * 99 // 100)] if times else None,
            "worst_bound": max(bounds) if bounds else None,
            "unsolved": [seed for seed, it in zip(words.seeds, attempts) if not it.solved],
        }
        print(json.dumps(document))
    else:
        print(f"{len(solved)} of {len(attempts)} ended by Doom's own exit")
        for seed, it in zip(words.seeds, attempts):
            if not it.solved:
                print(f"  seed {seed}: {it.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
