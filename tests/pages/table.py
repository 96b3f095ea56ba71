"""A table of four for the pages' tests: Ann, Bob, Cy and Dee, and the phone that scores for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from bs4 import BeautifulSoup
from django.http import HttpResponse
from django.test import Client

import referee
from scorekeeper import access, models
from scorekeeper.models import Hand, State

PLAYERS = ("Ann", "Bob", "Cy", "Dee")
ANN, BOB, CY, DEE = range(4)
KEYS = count(1)

Told = Any
"""What a keyword of :func:`said` tells: counts by seat, a taker, a suit, an order of going out."""


def new_key() -> str:
    """A key that no other post of the tests has."""
    return f"key-of-the-tests-{next(KEYS)}"


def said(contract: str, doubles: Iterable[tuple[int, int]] = (), **told: Told) -> dict[str, Any]:
    """A whole hand as the form says it: ``said("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))``.

    Four counts in seat order, one seat where there is one taker, ``trump``, ``start``, ``finish`` and what
    else stands in the form by its name. A negative contract that nobody doubled is passed out.
    """
    fields: dict[str, Any] = {"contract": contract, "double": [f"{who}-{whom}" for who, whom in doubles]}
    for name, value in told.items():
        item = name.replace("_", "-") if name != "played_anyway" else name
        if isinstance(value, Sequence) and not isinstance(value, str) and item not in ("finish", "ravaged"):
            fields |= {f"{item}-{seat}": number for seat, number in enumerate(value)}
        else:
            fields[item] = value
    fields.setdefault("step", "save" if told.keys() - {"played_anyway", "note"} else "doubles")
    return fields


class Phone:
    """A browser that scores a match, and the match as the server has it."""

    def __init__(self, match: models.Match, client: Client | None = None) -> None:
        self.match = match
        self.client = client or Client()
        let_in(self.client, match.table)

    @property
    def state(self) -> State:
        return self.match.state()

    @property
    def total(self) -> tuple[float, ...]:
        return self.state.match.turn.running

    @property
    def played(self) -> list[str | None]:
        """The contracts of the finished hands."""
        return [scored.hand.contract for scored in self.state.match.finished_hands]

    @property
    def rows(self) -> list[tuple[int, int, str]]:
        """All that is stored: hand, revision and deed, in the order in which it came."""
        return list(self.match.hands.order_by("pk").values_list("number", "revision", "action"))

    def address(self, *parts: object) -> str:
        return "/".join(["/t", self.match.table.code, str(self.match.number), *map(str, parts), ""])

    def see(self, *parts: object) -> BeautifulSoup:
        """A page of the match as it stands now."""
        response = self.client.get(self.address(*parts))
        assert response.status_code == 200
        return soup(response)

    def send(self, *parts: object, fields: Mapping[str, Any], in_place: bool = False, **changed: Any) -> HttpResponse:
        """Post a form of the match, on the newest revision and with a key of its own where it brings none."""
        number = next((part for part in parts if isinstance(part, int)), 0)
        sent = {"key": new_key(), "revision": self.state.revision(number)} | dict(fields) | changed
        headers = {"X-In-Place": "1"} if in_place else {}
        return self.client.post(self.address(*parts), sent, headers=headers)

    def record(self, contract: str, doubles: Iterable[tuple[int, int]] = (), **told: Told) -> HttpResponse:
        """Save the hand that is next, whole; ``hand``, ``key``, ``revision`` and ``in_place`` say how."""
        how = {name: told.pop(name) for name in ("key", "revision", "in_place") if name in told}
        number = told.pop("hand", self.state.number)
        return self.send("hand", number, fields=said(contract, doubles, **told), **how)

    def undo(self, number: int | None = None, **how: Any) -> HttpResponse:
        return self.send("hand", number or self.state.finished, "undo", fields=how)

    def redo(self, number: int | None = None, **how: Any) -> HttpResponse:
        return self.send("hand", number or self.state.number, "redo", fields=how)

    def correct(
        self, number: int, contract: str, doubles: Iterable[tuple[int, int]] = (), **told: Told
    ) -> HttpResponse:
        """Correct a hand as somebody does who reads what it changes and saves it then."""
        told.setdefault("step", "save")
        shown = self.send("hand", number, "correct", fields=said(contract, doubles, **told))
        seen = soup(shown).select_one("[name=seen]")
        if shown.status_code != 200 or seen is None:
            return shown
        return self.send("hand", number, "correct", fields=said(contract, doubles, **told), seen=seen["value"])


def begin(game: str = "barbu", players: Sequence[str] = PLAYERS, first: int = ANN) -> Phone:
    """A match at a new table, and the phone that scores it."""
    return go_on(referee.Match(referee.load(game), tuple(players), first))


def go_on(played: referee.Match) -> Phone:
    """A match that was played elsewhere so far, and the phone that scores it from here."""
    match = models.Match.start(
        ruleset=played.ruleset,
        names=played.players,
        first_declarer=played.first_declarer,
        key=new_key(),
        zone="UTC",
        table_name="Ours",
    )
    told = enumerate(map(referee.to_record, played.hands), start=1)
    Hand.objects.bulk_create(
        Hand(match=match, number=n, revision=1, key=new_key(), action="enter", record=record, version=n)
        for n, record in told
    )
    models.Match.objects.filter(pk=match.pk).update(version=len(played.hands))
    return Phone(match)


def let_in(client: Client, table: models.Table) -> None:
    """Give a browser the scorer's cookie of a table, as making the table does."""
    secret = models.Table.secret_for(table.seed)
    if not table.may_score(secret):
        table.scorer_hash = models.Table.hash_of(secret)
        table.save(update_fields=["scorer_hash"])
    response = HttpResponse()
    access.let_score(response, table, secret)
    client.cookies.update(response.cookies)


def soup(response: HttpResponse) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


def words(tag: Any) -> str:
    """What a part of a page says, on one line."""
    return " ".join(tag.get_text(" ").split())


def problems(response: HttpResponse) -> list[str]:
    """What the region Problems of an answer lists."""
    assert response.status_code == 422, response.status_code
    return [words(line) for line in soup(response).select("section[aria-labelledby=problems] li")]


def table_of(page: BeautifulSoup, caption: str) -> list[list[str]]:
    """The rows of the table with this caption, each cell as words."""
    [table] = [found for found in page.select("table") if found.caption and words(found.caption) == caption]
    return [[words(cell) for cell in row.select("th, td")] for row in table.select("tr")]
