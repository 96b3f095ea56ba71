"""Eight writers at once on SQLite: 10,000 hands, none failed, and nobody waits out of turn.

Four processes of two threads each store hands as fast as they can, every writer in a match of its own. A write
is timed from its call until it stands on the disk (``synchronous=FULL``). Then the same once more without the
line in which writers stand, to see what it is good for.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from .house import House, house

PROCESSES, THREADS = 4, 2


def write(hands: int, in_line: bool) -> None:
    """One process of the writers: say when ready, wait for the sign, write, and tell how long each hand took."""
    import django

    django.setup()
    from django.db import OperationalError, connection, transaction

    import referee
    from scorekeeper.models import Match, Saved, match, new_code

    if not in_line:
        match.writing = transaction.atomic
    names = ("Ann", "Bob", "Cy", "Dee")
    matches = [
        Match.start(ruleset=referee.load("barbu"), names=names, first_declarer=0, key=new_code(), zone="UTC")
        for _writer in range(THREADS)
    ]

    def one(mine: Match) -> tuple[list[float], int]:
        took, failed, revision = [], 0, 0
        for number in range(hands):
            hand = referee.Hand(contract="misere", note=str(number))
            began = time.perf_counter()
            try:
                stored = mine.record(1, hand, key=new_code(), revision=revision)
            except OperationalError:
                failed += 1
                continue
            took.append(time.perf_counter() - began)
            assert isinstance(stored, Saved), stored
            revision = stored.row.revision
        connection.close()
        return took, failed

    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(one, matches))
    json.dump([[seconds for took, _ in told for seconds in took], sum(failed for _, failed in told)], sys.stdout)


def measured(here: House, hands: int, *, in_line: bool = True) -> str:
    """So many hands by eight writers; one line with the figures."""
    migrating = here.run("manage.py", "migrate", "--verbosity", "0")
    assert migrating.wait() == 0
    each = hands // (PROCESSES * THREADS)
    command = ["-m", "tests.prove.writers", str(each), "in-line" if in_line else ""]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [here.run(*command, **pipes) for _process in range(PROCESSES)]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    began = time.perf_counter()
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    told = [json.loads(writer.communicate()[0]) for writer in writers]
    seconds = time.perf_counter() - began
    times, failed = sorted(time for took, _ in told for time in took), sum(failed for _, failed in told)
    rows = here.rows()
    assert here.integrity() == "ok"
    assert len(rows) == len(times) == len({row[4] for row in rows})
    middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
    return (
        f"{'in line' if in_line else 'without the line'}: {len(times):,} hands by {PROCESSES} processes of {THREADS} "
        f"threads in {seconds:.0f} s, {failed} failed; median {1000 * middle:.1f} ms, p99 {1000 * late:.1f} ms "
        f"({late / middle:.1f} times the median), slowest {1000 * times[-1]:.0f} ms"
    )


def main(hands: int = 10_000) -> list[str]:
    """In line, all of them; without the line a tenth of them."""
    with house() as one, house() as other:
        return [measured(one, hands), measured(other, hands // 10, in_line=False)]


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2] == "in-line")
