"""Every address of the house, tried by everybody: who may see it, and who may send something there.

The table below is the whole of it; an address that is missing from it fails a test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

import referee
from scorekeeper import models
from scorekeeper.models import Device, SpokenCode, new_code, renew_links

from .phones import everything_stored, join
from .table import ANN, BOB, CY, DEE, PLAYERS, Phone, begin, let_in

pytestmark = pytest.mark.django_db

PEOPLE = ("stranger", "watcher", "scorer", "revoked", "removed", "elsewhere")
"""Without the table's link; with it; scoring; with an older scorer link; removed; scoring at another table."""

OTHERS = tuple(who for who in PEOPLE if who != "scorer")


@dataclass(frozen=True)
class May:
    """What somebody gets who asks: the scorer, everybody else with the table's link, and who has not even that."""

    scorer: int
    watcher: int
    stranger: int

    def of(self, who: str) -> int:
        return {"scorer": self.scorer, "stranger": self.stranger}.get(who, self.watcher)


def everybody(status: int) -> May:
    """The same for all, with or without a link."""
    return May(status, status, status)


def readers(status: int = 200) -> May:
    """Whoever has the table's link."""
    return May(status, status, 404)


def scorers(status: int) -> May:
    """Only a phone that scores."""
    return May(status, 403, 404)


NOBODY = everybody(405)
"""Nothing is taken in this way."""


@dataclass(frozen=True)
class Address:
    """What each gets who looks, and each who sends an empty form.

    ``at`` is another place than hand 2 of the first match; ``query`` goes with a look.
    """

    look: May
    send: May
    at: dict[str, int] = field(default_factory=dict)
    query: str = ""


ADDRESSES = {
    "start": Address(everybody(200), NOBODY),
    "new_match": Address(everybody(200), everybody(422)),
    "restore_table": Address(everybody(200), everybody(422)),
    "rules": Address(everybody(200), NOBODY),
    "ruleset": Address(everybody(200), NOBODY),
    "rulings": Address(everybody(200), NOBODY),
    "ruling": Address(everybody(200), NOBODY),
    "robots": Address(everybody(200), NOBODY),
    "health": Address(everybody(200), NOBODY),
    "ready": Address(everybody(200), NOBODY),
    # A table, its people and its rules.
    "table": Address(readers(), NOBODY),
    "rename_table": Address(scorers(200), scorers(422)),
    "people": Address(readers(), NOBODY),
    "player": Address(readers(), NOBODY),
    "player_hands": Address(readers(), NOBODY),
    "change_player": Address(scorers(200), scorers(422)),
    "table_new_match": Address(scorers(200), scorers(422)),
    "own_rules": Address(readers(), NOBODY),
    "new_rules": Address(scorers(200), scorers(404), query="?from=king"),
    "take_rules": Address(NOBODY, scorers(422)),
    "show_rules": Address(readers(), NOBODY),
    "change_rules": Address(scorers(200), scorers(422)),
    "rules_file": Address(readers(), NOBODY),
    "own_ruling": Address(readers(), NOBODY),
    # Links and phones. Everybody with the link may ask to score: it is the code that counts.
    "links": Address(readers(), NOBODY),
    "new_links": Address(NOBODY, scorers(302)),
    "spoken_code": Address(NOBODY, scorers(302)),
    "name_device": Address(NOBODY, scorers(302)),
    "remove_device": Address(NOBODY, scorers(404)),
    "score": Address(readers(), readers(422)),
    # Files. A backup holds the whole table, so it is for who may also put it back.
    "files": Address(readers(), NOBODY),
    "backup": Address(scorers(200), NOBODY),
    "restore": Address(scorers(302), scorers(422)),
    "import_matches": Address(scorers(200), scorers(422)),
    "match_file": Address(readers(), NOBODY),
    "match_hands": Address(readers(), NOBODY),
    "match_pairs": Address(readers(), NOBODY),
    # A match and its hands. Poker hands are only compared there, nothing is stored.
    "match": Address(readers(), NOBODY),
    "large": Address(readers(), NOBODY),
    "match_rules": Address(readers(), NOBODY),
    "match_ruling": Address(readers(), NOBODY),
    "session": Address(readers(), NOBODY),
    "stakes": Address(readers(), NOBODY),
    "hand": Address(readers(), scorers(409)),
    "correct": Address(scorers(200), scorers(422)),
    "poker": Address(readers(), readers(), at={"number": 2, "hand": 1}),
    "play": Address(readers(), scorers(200)),
    "penalty": Address(readers(302), scorers(422)),
    "misdeal": Address(scorers(200), scorers(422), at={"hand": 3}),
    "undo": Address(readers(302), scorers(422)),
    "redo": Address(readers(302), scorers(422)),
}
"""Who gets what at each address."""


@pytest.fixture
def phone() -> Phone:
    """Two hands are played and a third is half entered; the table has rules of its own and a hand of poker."""
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    phone.send("hand", 3, fields={"declare": "no-queens"})
    poker = models.Match.start(
        ruleset=referee.load("chinese-poker"),
        names=PLAYERS,
        first_declarer=ANN,
        key=new_code(),
        zone="UTC",
        table=phone.match.table,
    )
    Phone(poker, phone.client).record("chinese-poker", [], step="doubles")
    phone.match.table.keep_rules(referee.load("king"), key=new_code(), code="own-king")
    return phone


@pytest.fixture
def browsers(phone: Phone) -> dict[str, Client]:
    """A browser for each of the people."""
    table = phone.match.table
    revoked = join(table, "Revoked")
    renew_links(table, Device.objects.get(table=table, name=""), watch=False)
    removed = join(table, "Removed")
    Device.objects.get(name="Removed").remove()
    return {
        "stranger": Client(),
        "watcher": Client(),
        "scorer": phone.client,
        "revoked": revoked,
        "removed": removed,
        "elsewhere": begin().client,
    }


def patterns() -> list[URLPattern]:
    return [pattern for pattern in get_resolver().url_patterns if isinstance(pattern, URLPattern)]


def address(name: str, phone: Phone, who: str) -> str:
    """The address of this name at the phone's table; a stranger has to guess the table's code."""
    pattern = next(pattern for pattern in patterns() if pattern.name == name)
    route = str(pattern.pattern)
    table = phone.match.table
    code = table.code if route.startswith("t/") else "barbu"
    values: dict[str, Any] = {
        "code": new_code() if who == "stranger" and route.startswith("t/") else code,
        "number": phone.match.number,
        "hand": 2,
        "rules": "own-king",
        "player": table.players.get(name="Ann").code,
        **ADDRESSES[name].at,
    }
    return reverse(name, kwargs={key: values[key] for key in pattern.pattern.converters})


def table_addresses() -> list[str]:
    """The names of the addresses below a table."""
    return [str(pattern.name) for pattern in patterns() if str(pattern.pattern).startswith("t/")]


def test_every_address_is_in_the_table():
    named = [str(pattern.name) for pattern in get_resolver().url_patterns]
    assert [name for name in named if name not in ADDRESSES] == []
    assert [name for name in ADDRESSES if name not in named] == []


def test_an_address_below_a_table_is_for_nobody_without_its_link():
    below = table_addresses()
    for name, may in ADDRESSES.items():
        assert {may.look.stranger, may.send.stranger} <= ({404, 405} if name in below else {200, 405, 422}), name


@pytest.mark.parametrize("name", ADDRESSES)
def test_each_gets_what_the_table_says(phone: Phone, browsers: dict[str, Client], name: str):
    may, before = ADDRESSES[name], everything_said(phone)
    looked = {who: browsers[who].get(address(name, phone, who) + may.query).status_code for who in PEOPLE}
    assert looked == {who: may.look.of(who) for who in PEOPLE}
    assert everything_said(phone) == before
    sent = {who: browsers[who].post(address(name, phone, who)).status_code for who in OTHERS}
    assert everything_said(phone) == before
    sent["scorer"] = browsers["scorer"].post(address(name, phone, "scorer")).status_code
    assert sent == {who: may.send.of(who) for who in PEOPLE}


def test_a_form_from_another_site_is_taken_nowhere(phone: Phone):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies.update(phone.client.cookies)
    before = everything_stored()
    answers = {name: strict.post(address(name, phone, "scorer")).status_code for name in ADDRESSES}
    assert {name: status for name, status in answers.items() if status not in (403, 405)} == {}
    assert everything_stored() == before


def test_only_the_page_of_the_links_tells_what_opens_the_table(phone: Phone):
    table = phone.match.table
    digits = SpokenCode.make(table).digits
    [device] = Device.objects.filter(table=table)
    for name in ADDRESSES:
        response = phone.client.get(address(name, phone, "scorer") + ADDRESSES[name].query)
        body = response.getvalue().decode()
        hashes = [device.token_hash, table.scorer_hash]
        # A backup says which table it is of; what comes of that needs the server's secret key.
        assert [word for word in hashes + [table.seed] * (name != "backup") if word in body] == [], name
        assert (table.secret() in body) == (name == "links"), name
        assert (f"{digits[:3]} {digits[3:]}" in body) == (name == "links"), name
        title = body.partition("<title>")[2].partition("</title>")[0]
        assert table.code not in title
        assert table.secret() not in title
        assert response["Referrer-Policy"] == "same-origin", name
        if name in table_addresses():
            assert response["X-Robots-Tag"] == "noindex", name
            assert "public" not in response.get("Cache-Control", ""), name


def test_a_file_that_is_taken_away_holds_no_link(phone: Phone):
    table, taken = phone.match.table, []
    for name in table_addresses():
        response = phone.client.get(address(name, phone, "scorer") + ADDRESSES[name].query)
        if "attachment" in response.get("Content-Disposition", ""):
            taken.append(name)
            assert table.code not in response.getvalue().decode(), name
            assert table.code not in response["Content-Disposition"], name
    assert {"backup", "match_file"} <= set(taken)


def test_a_match_is_not_found_at_another_table(phone: Phone):
    client, other = Client(), begin().match.table
    let_in(client, other)
    for name in table_addresses():
        path = address(name, phone, "scorer")
        if f"{phone.match.table.code}/1/" in path:
            wrong = path.replace(f"{phone.match.table.code}/1/", f"{other.code}/2/")
            assert client.get(wrong + ADDRESSES[name].query).status_code == 404, name


def everything_said(phone: Phone) -> list[Any]:
    """What the table's people said so far: each hand, name and rule, and its links."""
    table = models.Table.objects.get(pk=phone.match.table.pk)
    return [
        list(models.Hand.objects.filter(match__table=table).order_by("pk").values_list("match", "number", "revision")),
        list(table.players.order_by("pk").values_list("name", "is_gone")),
        list(table.matches.order_by("pk").values_list("number", "version")),
        list(table.rules.order_by("pk").values_list("code", "version")),
        [(device.name, device.removed, device.link) for device in table.devices.order_by("pk")],
        [table.name, table.code, table.scorer_hash, SpokenCode.objects.filter(table=table).count()],
    ]
