"""A whole table as one file, and back: everything as it was, nothing twice, and no file that could not have been."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import unified_diff
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

import referee
from referee import matchfile
from scorekeeper import backup, models
from scorekeeper.backup import Backup, NotABackup
from scorekeeper.match_files import given_in, take_in
from scorekeeper.models import Hand, Match, Player, Seat, Table, TableRules, new_code
from scorekeeper.restoring import make_table, restore
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, let_in, problems, soup, words

pytestmark = pytest.mark.django_db


def file_of(table: Table) -> bytes:
    """The backup of a table."""
    return "".join(backup.write(table)).encode()


def play(table: Table, game: str, seed: int, hands: int | None = None) -> Match:
    """A match of this table that was played hand by hand, each hand as its phone stores it."""
    played = random_match(game, seed, hands)
    match = Match.start(
        ruleset=played.ruleset,
        names=played.players,
        first_declarer=played.first_declarer,
        key=new_code(),
        zone="Europe/Berlin",
        table=table,
    )
    for number, hand in enumerate(played.hands, start=1):
        declared = referee.Hand(contract=hand.contract, trump=hand.trump, start=hand.start)
        if hand.contract and hand.coup is None and played.ruleset.has_declarer:
            match.record(number, declared, key=new_code(), revision=0, device="iPhone")
        revision = match.state().revision(number)
        saved = match.record(number, hand, key=new_code(), revision=revision, device="Ann's phone")
        if isinstance(saved, models.Refused):  # A compulsory double that nobody made: the table says so.
            hand = referee.from_record(referee.to_record(hand) | {"played_anyway": True})
            saved = match.record(number, hand, key=new_code(), revision=revision, device="Ann's phone")
        assert isinstance(saved, models.Saved)
    return match


@pytest.fixture
def phone() -> Phone:
    """A table with everything that a table can have: games, corrections, undos, notes, own rules, gone players."""
    phone = begin("barbu", ("Ann", "Bob", "أحمد", "<b>O'Brien & Zoë</b>"))
    phone.match.table.rename("Sunday & <i>friends</i>")
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3), note="a <b>note</b>, “quoted” \\u0000")
    phone.record("barbu", [])
    phone.record("no-queens", [(DEE, CY), (CY, DEE)], queens=(1, 1, 2, 0))
    phone.undo()
    phone.record("trumps", [(ANN, CY)], trump="S", tricks=(3, 3, 4, 3))
    phone.correct(1, "misere", [(BOB, ANN), (CY, ANN)], tricks=(3, 2, 5, 3))
    phone.record("dominoes", [], start="7", finish=(0, 1, 2, 3))
    phone.undo()
    table = Table.objects.get()
    for seed, game in enumerate(referee.names()):
        play(table, game, seed, 4)
    table.keep_rules(referee.load("king"), key=new_code())
    rules = table.keep_rules(referee.load("barbu"), key=new_code())
    table.keep_rules(referee.load("barbu-quick"), key=new_code(), code=rules.code)
    play(table, "barbu-quick", 77)
    table.players.create(name="Nobody", name_key="nobody").remove()
    table.player("Eve").remove()
    return phone


def pages(client: Client, table: Table) -> Iterator[tuple[str, HttpResponse]]:
    """Every page that shows what was played at a table, by its address without the table's code."""
    code = table.code
    yield "table", client.get(reverse("table", args=[code]))
    yield "people", client.get(reverse("people", args=[code]))
    yield "rules", client.get(reverse("own_rules", args=[code]))
    for rules in table.own_rules():
        yield rules.code, client.get(reverse("show_rules", args=[code, rules.code]))
    for player in table.players.order_by("name_key"):
        for name in ("player", "player_hands") if player.seats.exists() else ("player",):
            yield f"{name} {player.name}", client.get(reverse(name, args=[code, player.code]))
    for match in table.matches.order_by("number"):
        for name in ("match", "session", "match_rules", "match_file", "match_hands", "match_pairs"):
            yield f"{name} {match.number}", client.get(reverse(name, args=[code, match.number]))
        for hand in range(1, match.state().finished + 1):
            yield f"hand {match.number} {hand}", client.get(reverse("hand", args=[code, match.number, hand]))
            if hand < 3:
                yield f"correct {match.number} {hand}", client.get(reverse("correct", args=[code, match.number, hand]))


def without_identifiers(table: Table, response: HttpResponse) -> tuple[int, str, str]:
    """A page without what names the table, a form or a state of it, and is drawn anew each time."""
    text = response.content.decode().replace(table.code, "CODE")
    text = re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", text)
    text = re.sub(r'(name="key" value=)"[\w-]+"', r"\1", text)
    text = re.sub(r'data-seen="[^"]*"', "", text)
    text = re.sub(r"<time>[\d:]+</time>", "", text)
    return response.status_code, response.get("Content-Disposition", ""), text


def test_after_backup_and_restore_every_page_is_the_same(phone: Phone):
    table = phone.match.table
    table.refresh_from_db()
    before = {name: without_identifiers(table, page) for name, page in pages(phone.client, table)}
    assert len(before) > 100
    assert {name for name, (status, *_rest) in before.items() if status != 200} == set()
    text = file_of(table)
    Match.objects.all().delete()
    Table.objects.all().delete()
    again = make_table(Backup(text), key=new_code())
    other = Client()
    let_in(other, again)
    after = {name: without_identifiers(again, page) for name, page in pages(other, again)}
    assert list(after) == list(before)
    for name, page in before.items():
        assert list(unified_diff(page[2].splitlines(), after[name][2].splitlines(), lineterm="", n=0)) == [], name
        assert after[name] == page, name
    assert file_of(again) == text


def test_the_file_holds_nothing_that_opens_a_door(phone: Phone):
    table = phone.match.table
    table.refresh_from_db()
    text = file_of(table).decode()
    secrets = [table.code, table.mark, table.scorer_hash, table.secret_for(table.seed), "secret"]
    for device in table.devices.all():
        secrets += [device.code, device.token_hash]
    secrets += table.matches.values_list("mark", flat=True)
    assert [secret for secret in secrets if secret in text] == []


def small() -> Phone:
    """A table with one match of three hands, of which the first was corrected and the last taken back."""
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [])
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    phone.record("trumps", [], trump="S", tricks=(4, 3, 3, 3))
    phone.undo()
    phone.match.table.refresh_from_db()
    return phone


def stored() -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored of what was played."""
    return {
        "tables": list(Table.objects.order_by("pk").values_list("name", "zone", "created")),
        "players": list(Player.objects.order_by("pk").values_list("table", "code", "name", "name_key", "is_gone")),
        "rules": list(TableRules.objects.order_by("pk").values_list("table", "code", "version", "key", "created")),
        "matches": list(Match.objects.order_by("pk").values_list("table", "number", "key", "version", "extra")),
        "seats": list(Seat.objects.order_by("pk").values_list("match", "place", "player")),
        "hands": list(
            Hand.objects.order_by("pk").values_list("match", "number", "revision", "key", "action", "version", "at")
        ),
    }


def test_the_same_file_twice_changes_nothing(phone: Phone):
    table, before = phone.match.table, stored()
    table.refresh_from_db()
    for _time in range(2):
        done = restore(table, Backup(file_of(table)))
        assert (done.matches, done.entries, done.known) == (0, 0, table.matches.count())
        assert stored() == before


def test_what_is_missing_is_put_back_and_the_rest_stays(phone: Phone):
    table = phone.match.table
    table.refresh_from_db()
    text, before = file_of(table), stored()
    Match.objects.filter(number=3).delete()
    Hand.objects.filter(match__number=1, version__gt=3).delete()
    Match.objects.filter(number=1).update(version=3)
    table.players.filter(name="Ann").update(name="Anna", name_key="anna")
    done = restore(table, Backup(text))
    assert done.matches == 1
    assert done.entries == len(before["hands"]) - Hand.objects.count() + done.entries
    for what in ("rules", "matches", "seats", "hands"):
        assert len(stored()[what]) == len(before[what])
    assert table.players.get(name="Anna").code == table.matches.get(number=1).seats.get(place=0).player.code
    assert not table.players.filter(name="Ann").exists()


def test_what_was_played_since_the_backup_stays():
    phone = small()
    table, text = phone.match.table, file_of(phone.match.table)
    phone.record("dominoes", [], start="7", finish=(0, 1, 2, 3))
    before = stored()
    done = restore(table, Backup(text))
    assert (done.known, done.entries) == (1, 0)
    assert stored() == before


def test_a_match_that_went_on_differently_is_named_and_nothing_is_stored():
    phone = small()
    table = phone.match.table
    _more(table)
    text = file_of(table)
    Hand.objects.filter(version__gt=4).delete()
    Match.objects.filter(number=1).update(version=4)
    table.matches.filter(number=2).delete()
    phone.record("dominoes", [], start="7", finish=(0, 1, 2, 3))
    before = stored()
    with pytest.raises(NotABackup, match="Match 1 went on differently here and in the file"):
        restore(table, Backup(text))
    assert stored() == before


def test_a_table_that_played_something_else_takes_no_foreign_file():
    theirs = small()
    text = file_of(theirs.match.table)
    ours = begin("king")
    before = stored()
    with pytest.raises(NotABackup, match="the file of another table, “Ours”"):
        restore(ours.match.table, Backup(text))
    assert stored() == before


def test_an_empty_table_becomes_the_table_of_the_file_and_knows_its_players_by_name():
    theirs = small()
    theirs.match.table.rename("Theirs")
    text = file_of(Table.objects.get())
    empty = Table.objects.create(name="Empty", scorer_hash="")
    ann = empty.player("ANN")
    restore(empty, Backup(text))
    empty.refresh_from_db()
    assert empty.name == "Theirs"
    assert empty.matches.get().seats.get(place=0).player == ann
    assert empty.players.count() == 4


def test_another_match_of_the_same_number_keeps_it_and_the_one_of_the_file_gets_a_free_one():
    phone = small()
    table = phone.match.table
    lost = _more(table)
    text = file_of(table)
    key = lost.key
    lost.delete()
    _more(table)
    done = restore(table, Backup(text))
    assert (done.matches, done.renumbered) == (1, 1)
    assert table.matches.get(key=key).number == 3
    assert restore(table, Backup(text)).matches == 0


def test_two_who_became_one_are_not_put_on_two_seats():
    phone = small()
    table = phone.match.table
    text = file_of(table)
    extra = _more(table)
    both = file_of(table)
    extra.delete()
    eve = table.players.get(name="Eve")
    Player.objects.filter(name="Fay").delete()
    Player.objects.filter(pk=eve.pk).update(name="Fay", name_key="fay")
    with pytest.raises(NotABackup, match="Match 2: two of its players are one person at this table"):
        restore(table, Backup(both))
    assert restore(table, Backup(text)).known == 1


def send(client: Client, address: str, text: bytes, **fields: str) -> HttpResponse:
    file = SimpleUploadedFile("table.json", text, content_type="application/json")
    return client.post(address, {"file": file, **fields})


def test_who_scores_restores_on_the_page_and_is_told_what_came():
    phone = small()
    table = phone.match.table
    text = phone.client.get(f"/t/{table.code}/backup/")
    assert text["Content-Type"] == "application/json"
    sent = b"".join(text.streaming_content)
    assert sent == file_of(table)
    Hand.objects.filter(version__gt=4).delete()
    Match.objects.update(version=4)
    response = send(phone.client, f"/t/{table.code}/restore/", sent)
    assert response.status_code == 302
    assert words(soup(phone.client.get(response["Location"])).select_one("[role=status]")) == (
        "Done 1 entry was put back. 1 match was here already."
    )
    again = phone.client.get(send(phone.client, f"/t/{table.code}/restore/", sent)["Location"])
    assert "Everything in the file was here already; nothing was changed." in words(soup(again))


def test_a_new_table_from_a_file_is_scored_by_this_browser_and_made_once():
    text = file_of(small().match.table)
    browser = Client()
    key = soup(browser.get("/restore/")).select_one("[name=key]")["value"]
    first = send(browser, "/restore/", text, key=key)
    again = send(browser, "/restore/", text, key=key)
    assert first.status_code == again.status_code == 302
    assert first["Location"] == again["Location"]
    assert Table.objects.count() == 2
    assert browser.get(first["Location"] + "new/").status_code == 200
    assert Client().get(first["Location"] + "new/").status_code == 403
    assert send(browser, "/restore/", text, key=new_code())["Location"] != first["Location"]


def test_a_new_table_is_asked_for_on_the_first_page():
    assert "/restore/" in [link["href"] for link in soup(Client().get("/")).select("a")]


def test_who_only_watches_restores_nothing():
    phone = small()
    table, before = phone.match.table, stored()
    assert send(Client(), f"/t/{table.code}/restore/", file_of(table)).status_code == 403
    assert stored() == before


@pytest.mark.parametrize("address", ["/restore/", "/t/{code}/restore/"])
def test_a_form_without_a_file_or_without_its_key_says_so(address: str):
    phone = small()
    response = phone.client.post(address.format(code=phone.match.table.code), {"key": new_code()})
    assert problems(response) == ["Choose the file of a table."]
    response = send(Client(), "/restore/", file_of(phone.match.table), key="short")
    assert problems(response) == ["The form came incomplete. Look it over and send it again."]


def changed(text: bytes, *path: Any) -> bytes:
    """The file with another value at a place: the steps to it, then the value, or ``...`` to leave it out."""
    data = json.loads(text)
    *steps, last, value = path
    place = data
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data).encode()


@pytest.fixture(scope="module")
def sound(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """The file of a small table, made once and rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        text = file_of(small().match.table)
        transaction.set_rollback(True)
    return text


DAMAGE = [
    (("format", "table/2"), "This is no table that can be read: a “table/1” file with matches was expected."),
    (("format", "match/1"), "This is the file of one match. Choose it under “Take in matches” of a table."),
    (("matches", ...), "This is no table that can be read: a “table/1” file with matches was expected."),
    (("matches", {}), "This is no table that can be read: Expected a list, got an object."),
    (("matches", [0]), "This is no table that can be read: 1: Expected an object, got a whole number."),
    (("name", " "), "This is no table that can be read: name: Expected a text of the right form."),
    (("name", "x" * 61), "This is no table that can be read: name: Expected a text of at most 60 signs."),
    (("zone", "Mars/Olympus"), "The table: “Mars/Olympus” is no time zone that is known here."),
    (("created", "yesterday"), "This is no table that can be read: created: Invalid RFC3339 encoded datetime."),
    (("created", "0001-01-01T00:00:00Z"), "The table: a day is not between 1900 and 2199."),
    (("surprise", 1), "This is no table that can be read: Object contains unknown field “surprise”."),
    (
        ("players", 0, "name", ""),
        "This is no table that can be read: players 1, name: Expected a text of the right form.",
    ),
    (
        ("players", 0, "name", "x" * 41),
        "This is no table that can be read: players 1, name: Expected a text of at most 40",
    ),
    (("players", 0, "name", "BOB"), "Two players have one name or one code."),
    (("players", 0, "code", "../../admin"), "This is no table that can be read: players 1, code: Expected a text"),
    (("players", []), "Match 1: a seat is of nobody in this file, or somebody has two."),
    (("rulesets", []), "Match 1: its rules are not in the file."),
    (("rulesets", 0, {"code": "x"}), "Rules 1: "),
    (("matches", 0, "number", 0), "Match 1: number: Expected a whole number of at least 1."),
    (("matches", 0, "number", 10**99), "Match 1: number: Expected a whole number of at most 2000000000."),
    (("matches", 0, "number", "1"), "This is no table that can be read: 1, number: Expected a whole number"),
    (("matches", 0, "ruleset", True), "Match 1: ruleset: Expected a whole number, got true or false."),
    (("matches", 0, "players", 0, 7), "Match 1: players 1: Expected a text, got a whole number."),
    (("matches", 0, "first_declarer", 4), "Match 1: nobody sits where the first declarer should."),
    (("matches", 0, "zone", "<b>x</b>"), "Match 1: “<b>x</b>” is no time zone that is known here."),
    (("matches", 0, "began", "9999-12-31T23:59:59Z"), "Match 1: a day is not between 1900 and 2199."),
    (("matches", 0, "began", "2026-11-29T20:00:00"), "Match 1: began: "),
    (("matches", 0, "version", 2), "Match 1, hand 1: It has an entry that is newer than the match."),
    (("matches", 0, "hands", 0, "revision", 2), "Match 1, hand 1: Its entries do not follow each other."),
    (("matches", 0, "hands", 0, "version", 2), "Match 1, hand 1: "),
    (("matches", 0, "hands", 0, "key", " "), "Match 1: hands 1, key: Expected a text of the right form."),
    (
        ("matches", 0, "hands", 0, "action", "delete"),
        "Match 1: hands 1, action: “delete” is none of the words that fit here.",
    ),
    (("matches", 0, "hands", 0, "action", "correct"), "Match 1, hand 1: It was entered when another hand was to be"),
    (("matches", 0, "hands", 0, "action", "undo"), "Match 1, hand 1: It was taken back when there was nothing to"),
    (("matches", 0, "hands", 0, "record", None), "Match 1, hand 1: An entry says nothing."),
    (("matches", 0, "hands", 0, "record", "contract", "poker"), "Match 1, hand 1: Barbu has no contract “poker”"),
    (("matches", 0, "hands", 0, "record", "contract", 7), "Match 1, hand 1: An entry is no hand."),
    (("matches", 0, "hands", 0, "record", "points", {}), "Match 1, hand 1: An entry says more than a hand can say."),
    (("matches", 0, "hands", 0, "record", "doubles", [[4, 0]]), "Match 1, hand 1: An entry names a seat that nobody"),
    (("matches", 0, "hands", 0, "record", "doubles", [[-1, 0]]), "Match 1, hand 1: An entry names a seat that nobody"),
    (
        ("matches", 0, "hands", 0, "record", "result", "counts", "tricks", "0", 3),
        "Match 1, hand 1: 14 tricks entered; 13 were played.",
    ),
    (("matches", 0, "hands", 0, "device", "x" * 61), "Match 1: hands 1, device: Expected a text of at most 60 signs."),
    (("matches", 0, "extra", []), "Match 1: extra: Expected an object, got a list."),
    (("matches", 0, "extra", "x", "\0"), "Match 1: A character in it cannot be stored (NUL)."),
    (
        ("matches", 0, "extra", "x", "\ud800"),
        "This is no table that can be read: JSON is malformed: unexpected end",
    ),
    (("matches", 0, "extra", "x", 10**101), "Match 1: extra.x: a number of 102 digits is out of all reason."),
    (("matches", 0, "extra", "x", float("nan")), "This is no table that can be read: JSON is malformed"),
]


@pytest.mark.parametrize(("damage", "says"), DAMAGE, ids=lambda told: str(told)[:60])
def test_a_damaged_file_is_refused_whole_with_the_place(damage: tuple[Any, ...], says: str, sound: bytes):
    with pytest.raises(NotABackup) as refused:
        Backup(changed(sound, *damage))
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(("damage", "says"), DAMAGE[1::8], ids=lambda told: str(told)[:60])
def test_a_refused_file_is_answered_on_its_page_and_nothing_is_stored(damage: tuple[Any, ...], says: str):
    phone = small()
    text, before = changed(file_of(phone.match.table), *damage), stored()
    for address in ("/restore/", f"/t/{phone.match.table.code}/restore/"):
        response = send(phone.client, address, text, key=new_code())
        [problem] = problems(response)
        assert problem.startswith(says)
    assert stored() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "The file is empty."),
        (b" \n", "The file is empty."),
        (b"PK\x03\x04\x00", "This is no table that can be read: JSON is malformed: invalid character (byte 0)."),
        (b"\x1f\x8b\x08\x00", "This is no table that can be read: JSON is malformed: invalid character (byte 0)."),
        (b"[" * 100_000, "This is no table that can be read: Expected an object, got a list."),
        (b'{"format":"table/1","matches":' + b"[" * 100_000, "It is nested out of all reason."),
        (b'{"x":' * 100_000, "It is nested out of all reason."),
        (b'{"format":"table/1","matches":[' + b"{}," * 1_000_000 + b"{}]}", "This is no table that can be read: 1: "),
        (b"null", "This is no table that can be read: Expected an object, got nothing."),
    ],
    ids=lambda told: repr(told[:20]),
)
def test_what_is_no_table_is_refused_in_words(text: bytes, says: str):
    with pytest.raises(NotABackup) as refused:
        Backup(text)
    assert str(refused.value).startswith(says)


def test_a_file_that_was_cut_off_anywhere_is_refused():
    text = file_of(small().match.table)
    for length in range(1, len(text) - 2, 97):
        with pytest.raises(NotABackup):
            Backup(text[:length])


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        (b'"name":"Ours"', b'"name":"Ours","name":"Theirs"'),
        (b'"number":1,"key"', b'"number":1,"number":2,"key"'),
        (b'"contract":"misere"', b'"contract":"misere","contract":"barbu"'),
        (b'"rulesets":[', b'"matches":[],"rulesets":['),
    ],
)
def test_a_key_that_stands_twice_in_one_object_is_refused(once: bytes, twice: bytes):
    text = file_of(small().match.table)
    assert once in text
    with pytest.raises(NotABackup):
        Backup(text.replace(once, twice, 1))


def test_a_file_that_is_not_utf_8_is_refused():
    with pytest.raises(NotABackup):
        Backup(file_of(small().match.table).replace(b"Ours", b"Our\xff"))


def test_too_much_of_anything_is_refused(monkeypatch: pytest.MonkeyPatch):
    text = file_of(small().match.table)
    for limit, says in (
        ("LARGEST", "The file has more than 10 bytes."),
        ("LARGEST_HEAD", "It has "),
        ("LARGEST_MATCH", "Match 1 has "),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(backup, limit, 10)
            with pytest.raises(NotABackup) as refused:
                Backup(text)
        assert str(refused.value).startswith(says)
    monkeypatch.setattr(backup, "MOST_MATCHES", 0)
    with pytest.raises(NotABackup, match="It has more than 0 matches"):
        Backup(text)


def test_a_mark_at_the_beginning_of_the_text_does_no_harm():
    text = file_of(small().match.table)
    assert Backup(b"\xef\xbb\xbf" + text).count == 1


def test_a_history_that_was_never_written_is_refused():
    data = json.loads(file_of(small().match.table))
    hands = data["matches"][0]["hands"]
    assert [(entry["action"], entry["number"]) for entry in hands][-2:] == [("enter", 3), ("undo", 3)]
    back = hands[-2] | {"action": "redo", "key": "back", "version": hands[-1]["version"] + 1, "revision": 3}
    data["matches"][0] |= {"hands": [*hands, back], "version": back["version"]}
    assert Backup(json.dumps(data).encode()).count == 1
    for wrong in ({"number": 4, "revision": 1}, {"action": "enter", "key": hands[0]["key"]}, {"revision": 2}):
        data["matches"][0]["hands"] = [*hands, back | wrong]
        with pytest.raises(NotABackup):
            Backup(json.dumps(data).encode())


def test_a_remark_such_as_a_double_that_nobody_made_is_no_refusal():
    match = next(match for match in map(unforced, range(99)) if any(hand.remarks for hand in match.scored))
    made, _new = _taken(match)
    assert Backup(file_of(made.table)).count == 1


def unforced(seed: int) -> referee.Match:
    """A match in which nobody ever doubles."""
    match = random_match("barbu-quick", seed)
    hands = [referee.from_record(referee.to_record(hand) | {"doubles": ()}) for hand in match.hands]
    positive = {contract.code for contract in match.ruleset.contracts if not contract.is_negative}
    bare = [hand if hand.contract in positive else referee.Hand(contract=hand.contract, doubles=()) for hand in hands]
    return match.with_hands(bare)


def _taken(match: referee.Match) -> tuple[Match, bool]:
    table = Table.objects.create(name="Ours", scorer_hash="")
    [given] = given_in(matchfile.write(match).encode(), "match.json")
    return take_in(table, given)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("into", ["the same table", "an empty table", "a new table"])
def test_the_same_file_twice_at_the_same_time_doubles_nothing(into: str):
    phone = small()
    table = phone.match.table
    text = file_of(table)
    if into == "an empty table":
        table = Table.objects.create(name="Empty", scorer_hash="")
    elif into == "the same table":
        Hand.objects.filter(version__gt=4).delete()
        Match.objects.update(version=4)
    before, gate, found, failed = Table.objects.count(), Barrier(4), Backup(text), []
    key = new_code()

    def run() -> None:
        gate.wait()
        try:
            make_table(found, key=key) if into == "a new table" else restore(table, found)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert Table.objects.count() == before + (into == "a new table")
    table = Table.objects.exclude(pk=phone.match.table.pk).get() if into != "the same table" else table
    assert file_of(table) == text


def test_a_thousand_matches_cost_as_many_queries_to_write_as_a_few(django_assert_num_queries: Any):
    phone = small()
    list(backup.write(phone.match.table))
    few = 7
    with django_assert_num_queries(few):
        list(backup.write(phone.match.table))
    for _number in range(10):
        _more(phone.match.table)
    with django_assert_num_queries(few):
        list(backup.write(phone.match.table))


def _more(table: Table) -> Match:
    """One more match of this table, of four others."""
    names = ("Eve", "Fay", "Gus", "Hal")
    return Match.start(
        ruleset=referee.load("king"), names=names, first_declarer=0, key=new_code(), zone="UTC", table=table
    )
