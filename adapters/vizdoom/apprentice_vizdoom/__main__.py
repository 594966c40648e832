"""``python -m apprentice_vizdoom --seeds A:B`` plays quests of ours, ``--wad-level NAME`` levels of Doom's own."""

from __future__ import annotations

import argparse
import json
import sys

from apprentice_serving import Apprentice, Refused

from .drive import attempt
from .export import made, wad
from .level import Unreadable
from .levels import Wishes, done, told


def seeds_of(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last)) if last else range(int(first), int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="apprentice_vizdoom", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seeds", type=seeds_of, help="A:B, B is the first that is not played")
    what.add_argument("--wad-level", nargs="+", metavar="NAME", help="levels of Freedoom, such as E1M1 or MAP02")
    parser.add_argument("--wad", help="write the first seed's level to this file, and play nothing")
    parser.add_argument("--picture", help="write what is seen on the way in the last seed or level, as PPM")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    own = parser.add_argument_group("of a level of Doom's own")
    own.add_argument("--from-wad", metavar="FILE", help="the WAD it is in, if that is not Freedoom's")
    own.add_argument("--skill", type=int, choices=range(1, 6), default=3, help="Doom's; there are no monsters at any")
    own.add_argument("--shown", metavar="LOG", help="a demonstration to follow")
    own.add_argument("--replay", metavar="LMP", help="a demo of Doom's own is the demonstration")
    own.add_argument("--window", action="store_true", help="play it yourself first: r records, h hands over")
    own.add_argument("--log", metavar="LOG", help="write what was recorded of the demo, or in the window")
    own.add_argument("--lmp", help="write a demo of Doom's own of what the character does")
    words = parser.parse_args()
    if words.wad_level is not None:
        return played(words)
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


def played(words: argparse.Namespace) -> int:
    try:
        apprentice = Apprentice()
        all_of_them = []
        for name in words.wad_level:
            wishes = Wishes(name, words.from_wad, words.skill, words.lmp, words.replay, words.log, words.shown)
            wishes.picture, wishes.window = words.picture, words.window
            all_of_them.append(done(apprentice, wishes))
        apprentice.close()
    except (OSError, Refused, Unreadable) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(told(all_of_them, words.format))
    return 0


if __name__ == "__main__":
    sys.exit(main())
