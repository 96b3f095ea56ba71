"""A whole table as one file, and back: everything as it was, nothing twice, and no file that could not have been."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

import referee
from scorekeeper import backup, models
from scorekeeper.backup import Backup, NotABackup
from scorekeeper.models import Hand, Match, Player, Table, new_code
from scorekeeper.restoring import make_table, restore
from tests.referee.strategies import random_match

from .backups import file_of, send, small, stored
from .table import ANN, BOB, CY, DEE, Phone, begin, let_in, problems, soup, words

pytestmark = pytest.mark.django_db


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
