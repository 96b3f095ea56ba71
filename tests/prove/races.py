"""Two phones save the same hand at once, four taps each: one is stored, and everybody gets a straight answer.

Each phone has figures and a key of its own, and its four taps come over four lines. The phones are served by
two server processes on one database. Of each round exactly one row may stand in the database; every tap of the
phone that was first must be told that the hand is saved, and every tap of the other one must be shown both.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from .house import House, house
from .phones import PLAYERS, Answer, Phone, counted, new_key

TAPS = 4
FIGURES = ((2, 3, 5, 3), (3, 3, 5, 2))


def words(figures: tuple[int, ...]) -> str:
    """Figures as the page shows them."""
    return ", ".join(f"{name} {number}" for name, number in zip(PLAYERS, figures, strict=True))


def plain(page: str) -> str:
    """A page without the signs that keep names apart from the sentences around them."""
    return page.replace("\u2068", "").replace("\u2069", "")


def race(lines: list[list[Phone]], pool: ThreadPoolExecutor, address: str, hand: int) -> list[list[Answer]]:
    """All taps of both phones at once; the answers by phone."""
    together = Barrier(len(lines) * TAPS)
    keys = [new_key() for _phone in lines]

    def tap(phone: int, number: int) -> Answer:
        fields = counted(hand, FIGURES[phone], f"phone {phone}") | {"key": keys[phone], "revision": 0}
        together.wait()
        return lines[phone][number].insist("POST", f"{address}hand/{hand}/", fields)

    waiting = [[pool.submit(tap, phone, number) for number in range(TAPS)] for phone in range(len(lines))]
    return [[one.result() for one in phone] for phone in waiting]


def judge(answers: list[list[Answer]]) -> int:
    """Which phone was first; everything else but one saved hand and four conflicts that show both is a fault."""
    seen = [Counter(answer.status for answer in phone) for phone in answers]
    assert sorted(map(str, seen)) == sorted(map(str, (Counter({200: TAPS}), Counter({409: TAPS})))), seen
    for answer in answers[seen.index(Counter({409: TAPS}))]:
        assert all(words(figures) in plain(answer.text) for figures in FIGURES), answer.text
    return seen.index(Counter({200: TAPS}))


def run(one: House, other: House, rounds: int) -> Counter[str]:
    """So many rounds, a new match after every four; how often each phone was first."""
    first = Phone(one.port)
    address = first.begin()
    table = address.rsplit("/", 2)[0]
    lines = [[Phone(server.port, first.cookies) for _tap in range(TAPS)] for server in (one, other)]
    stored, figures = {}, Counter[str]()
    with ThreadPoolExecutor(2 * TAPS) as pool:
        for number in range(rounds):
            hand = number % len(PLAYERS) + 1
            if hand == 1:
                address = first.begin(f"{table}/new/")
            winner = judge(race(lines, pool, address, hand))
            stored[(int(address.split("/")[3]), hand)] = f"phone {winner}"
            figures[f"phone {winner} first"] += 1
    rows = [(row[1], row[2], note(row[6])) for row in one.rows()]
    assert sorted(rows) == sorted((match, hand, winner) for (match, hand), winner in stored.items())
    assert one.integrity() == "ok"
    return figures


def note(record: object) -> str:
    """The note of a stored hand; SQLite keeps JSON as text."""
    told = json.loads(record) if isinstance(record, str) else record
    return told["note"] if isinstance(told, dict) else ""


def prove(kind: str, rounds: int) -> str:
    """So many rounds on this database; one line of what was seen."""
    began = time.perf_counter()
    with house(kind) as one:
        one.open()
        assert one.is_open()
        other = House(one.folder, one.database)
        try:
            other.open()
            assert other.is_open()
            figures = run(one, other, rounds)
        finally:
            other.kill()
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(figures.items()))
    took = time.perf_counter() - began
    return f"{kind}: {rounds:,} rounds of {2 * TAPS} posts in {took:.0f} s, one stored each: {told}"


def main(rounds: int = 1_000) -> list[str]:
    """On both databases."""
    return [prove(kind, rounds) for kind in ("SQLite", "PostgreSQL")]
