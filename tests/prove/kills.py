"""The server is killed under load, again and again: every hand that it called saved is there, and there once.

Six phones at three tables enter hands as fast as they are answered, two in each match, so that some posts meet
others. At a moment that chance chooses all processes of the server are killed with ``kill -9``; its database is
asked whether it is whole, and every hand that was ever acknowledged is looked for: its key once, with what the
phone had said. Then the server is opened again, and every phone repeats the post that had no answer, with its
key. The control is a server that says "saved" a moment before it stores: the same comparison must catch it.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock
from typing import Any

from .house import House, house
from .phones import CONTRACTS, PLAYERS, Answer, Phone, new_key, passed_out

TABLES, PHONES = 3, 2
HANDS_BETWEEN = 16
"""Before a kill fewer than so many hands more are acknowledged; every tenth time the server is still starting."""

HANDS = len(CONTRACTS) * len(PLAYERS)


class Lost(AssertionError):
    """A hand that was acknowledged is not there, or not as it was, or twice."""


@dataclass
class Ledger:
    """What the server called saved: the note and contract of each key, in the match where it was sent."""

    saved: dict[tuple[str, int, str], dict[str, Any]] = field(default_factory=dict)
    figures: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def enter(self, address: str, fields: dict[str, Any], answer: Answer) -> None:
        """Keep what was answered to a post."""
        _, _, table, match, _ = address.split("/")
        with self.lock:
            self.figures[f"answered {answer.status}"] += 1
            if answer.is_saved:
                self.saved[table, int(match), fields["key"]] = {name: fields[name] for name in ("contract", "note")}

    def grows_by(self, hands: int, patience: float) -> None:
        """Wait until so many more hands were acknowledged, or so many seconds."""
        enough, until = len(self.saved) + hands, time.monotonic() + patience
        while len(self.saved) < enough and time.monotonic() < until:
            time.sleep(0.002)

    def compare(self, rows: list[tuple[Any, ...]]) -> None:
        """Every hand that was acknowledged is stored once, as it was said; no revision of a hand is left out."""
        stored: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
        revisions: dict[tuple[str, int, int], list[int]] = {}
        for table, match, number, revision, key, _action, record, _version in rows:
            told = json.loads(record) if isinstance(record, str) else record
            stored.setdefault((table, match, key), []).append(told)
            revisions.setdefault((table, match, number), []).append(revision)
        with self.lock:
            saved = dict(self.saved)
        for place, said in saved.items():
            found = stored.get(place, [])
            if [{name: told[name] for name in said} for told in found] != [said]:
                raise Lost(f"{place}: {said} was acknowledged, {found} is stored")
        for place, seen in revisions.items():
            if seen != list(range(1, len(seen) + 1)):
                raise Lost(f"{place}: revisions {seen}")


def evening(phone: Phone, rival: bool, table: str, here: list[str], ledger: Ledger, is_over: Event) -> None:
    """One phone scores match after match at its table; of two in one match the rival declares only."""
    for number in steps(is_over):
        address = here[0]
        found = phone.form(address)
        if found is None or found[0] > HANDS:
            if not rival:
                here[0] = phone.begin(f"{table}/new/")
            continue
        hand, revision = found
        note = f"{'rival' if rival else 'scorer'} {number}"
        for is_final in (False,) if rival else (False, True):
            fields = passed_out(hand, note, is_final=is_final) | {"key": new_key(), "revision": revision}
            answer = phone.insist("POST", f"{address}hand/{hand}/", fields)
            ledger.enter(address, fields, answer)
            if number % 10 == 0:  # A late double of the same post.
                ledger.enter(address, fields, phone.insist("POST", f"{address}hand/{hand}/", fields))
            if answer.status != 204:
                break
            revision = int(answer.headers["Hand-Revision"])


def steps(is_over: Event) -> Iterator[int]:
    """Numbers, until the evening is over."""
    number = 0
    while not is_over.is_set():
        number += 1
        yield number


def run(here: House, kills: int, chance: random.Random, *options: str) -> Counter[str]:
    """Kill the server so many times while phones enter hands, and compare after each; what was seen."""
    ledger, is_over = Ledger(), Event()
    here.open(*options)
    assert here.is_open()
    with ThreadPoolExecutor(TABLES * PHONES) as pool:
        playing = []
        for _table in range(TABLES):
            phone = Phone(here.port)
            address = [phone.begin()]
            table = address[0].rsplit("/", 2)[0]
            for number in range(PHONES):
                one = Phone(here.port, phone.cookies)
                playing.append(pool.submit(evening, one, number > 0, table, address, ledger, is_over))
        try:
            for kill in range(kills):
                is_starting = kill % 10 == 9
                if is_starting:
                    time.sleep(chance.uniform(0, 2))
                else:
                    assert here.is_open()
                    ledger.grows_by(chance.randrange(HANDS_BETWEEN), patience=10)
                    time.sleep(chance.uniform(0, 0.1))
                before = len(ledger.saved)
                here.kill()
                compare(here, ledger)
                ledger.figures["kills"] += 1
                ledger.figures["kills while starting"] += is_starting
                ledger.figures["kills without a save since the last"] += before == ledger.figures["acknowledged"]
                ledger.figures["acknowledged"] = before
                here.open(*options)
            assert here.is_open()
        finally:
            is_over.set()
            if here.process is None:
                here.open(*options)
        for phone in playing:
            phone.result()
    here.kill()
    compare(here, ledger)
    ledger.figures["acknowledged"] = len(ledger.saved)
    ledger.figures["stored"] = len(here.rows())
    return ledger.figures


def compare(here: House, ledger: Ledger) -> None:
    """The database is whole, and holds what was acknowledged."""
    found = here.integrity()
    if found != "ok":
        raise Lost(f"integrity_check: {found}")
    ledger.compare(here.rows())


def control(kills: int = 40, seed: int = 1, folder: Path | None = None) -> str:
    """A server that acknowledges first is caught, within so many kills."""
    with house(folder=folder) as here:
        try:
            run(here, kills, random.Random(seed), "--acknowledge-first")
        except Lost as lost:
            return f"control, a server that acknowledges before it commits: caught. {lost}"
    raise AssertionError(f"a server that acknowledges before it commits was not caught in {kills} kills")


def prove(kind: str, kills: int, seed: int = 1, folder: Path | None = None) -> str:
    """So many kills on this database; one line of what was seen."""
    began = time.perf_counter()
    with house(kind, folder) as here:
        figures = run(here, kills, random.Random(seed))
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(figures.items()))
    return f"{kind}: {kills} kills in {time.perf_counter() - began:.0f} s, none lost, none doubled: {told}"


def main(kills: int = 200) -> list[str]:
    """On SQLite so many, on PostgreSQL a fifth, and the control."""
    return [prove("SQLite", kills), prove("PostgreSQL", max(2, kills // 5)), control()]
