"""The long run of the network: 10,000 schedules in as many processes as there are processors, and its controls.

Each process has a database of its own in memory and takes every schedule back at its end. A server that forgets
keys, and one that does not look whether a page is stale, must each be caught by the same machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .house import House, house

PAGES = Path(__file__).parent / "pages"
BROKEN = ("a server that forgets keys", "a server that takes stale pages")


def in_house(deed: Callable[[], Any]) -> Any:
    """Do this in a house with a blank database, its match page cut down to what the script reads."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import override_settings

    [engine] = settings.TEMPLATES
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    call_command("migrate", verbosity=0)
    with override_settings(
        TEMPLATES=[engine | {"DIRS": [PAGES, *engine["DIRS"]]}], STORAGES=plain, ALLOWED_HOSTS=["testserver"]
    ):
        return deed()


def run(schedules: int) -> dict[str, int]:
    """So many schedules; what happened in them."""
    from . import network

    return network.prove(schedules)


def control(broken: str, schedules: int) -> str:
    """How a broken server was caught."""
    from . import network

    with network.broken(broken):
        try:
            network.prove(schedules, shrink=False)
        except network.Fault as fault:
            return f"network, control, {broken}: caught. {fault}"
    raise AssertionError(f"{broken} was not caught in {schedules} schedules")


def started(here: House, *command: object) -> subprocess.Popen[str]:
    """This module in a process of its own."""
    return here.run(
        "-W", "ignore", "-m", "tests.prove.schedules", *map(str, command), stdout=subprocess.PIPE, text=True
    )


def told(process: subprocess.Popen[str]) -> Any:
    """What a process had to say."""
    text = process.communicate()[0]
    if process.returncode:
        raise AssertionError("a schedule ended badly; its steps are told above")
    return json.loads(text.splitlines()[-1])


def main(schedules: int = 10_000) -> list[str]:
    """All of them, and the controls."""
    began, shares = time.perf_counter(), os.cpu_count() or 1
    with house() as here:
        here.database = "sqlite://:memory:"
        running = [started(here, "run", -(-schedules // shares)) for _share in range(shares)]
        figures = sum((Counter(told(process)) for process in running), Counter[str]())
        seen = ", ".join(f"{name} {number:,}" for name, number in sorted(figures.items()))
        lines = [f"network: {time.perf_counter() - began:.0f} s, after each schedule all agreed: {seen}"]
        return lines + [told(started(here, "control", broken, 1_000)) for broken in BROKEN]


if __name__ == "__main__":
    [what, *how] = sys.argv[1:]
    outcome = in_house(lambda: run(int(how[0])) if what == "run" else control(how[0], int(how[1])))
    sys.stdout.write(f"{json.dumps(outcome)}\n")
