"""The long runs: ``python -m tests.prove [part …] [--short]``.

Parts: play, races, writers, kills, network, mutants; without any, all of them. ``--short`` tries each on a small
scale. A line for each part at the end says what was seen; a fault ends the run with its report.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable

from . import kills, mutants, play, races, schedules, writers


def played(deals: int) -> list[str]:
    """The rules of play."""
    play.main(deals)
    return [f"play: {deals:,} deals of each contract, the referee and the slow rules alike"]


PARTS: dict[str, tuple[Callable[[int], Iterable[str]], int, int]] = {
    "play": (played, 10_000, 100),
    "races": (races.main, 1_000, 20),
    "writers": (writers.main, 10_000, 400),
    "kills": (kills.main, 200, 5),
    "network": (schedules.main, 10_000, 100),
    "mutants": (mutants.main, 10**6, 4),
}
"""Each part with the size of its long and its short run."""


def main() -> None:
    """Run the parts that were asked for, and sum up."""
    asked = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    asked.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    asked.add_argument("--short", action="store_true", help="on a small scale")
    asked.add_argument("--size", type=int, help="another number of rounds, kills, schedules …")
    given = asked.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        asked.error(f"no such part: {', '.join(sorted(unknown))}")
    summary = []
    for name in given.parts or PARTS:
        run, long, short = PARTS[name]
        began = time.perf_counter()
        for line in run(given.size or (short if given.short else long)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
            summary.append(line)
        summary.append(f"  {name}: {time.perf_counter() - began:.0f} s")
    sys.stdout.write("\n".join(["", "In short:", *summary, ""]))


if __name__ == "__main__":
    main()
