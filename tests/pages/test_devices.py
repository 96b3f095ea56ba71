"""The phones that score: each with its name, the time of its last save, and a way to lock it out."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from scorekeeper.models import Device, Hand, Match, Outcome, Table, new_code, renew_links

from .phones import ANDROID, IPHONE, at, device, join, may, phone_of
from .table import ANN, BOB, CY, DEE, Phone, begin, soup, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
NAMES = ["<b>x</b>", "O'Brien & Zoë", "أحمد", "W" * 40, "👩‍👩‍👧"]


@pytest.fixture
def phone() -> Phone:
    return begin()


@pytest.fixture
def table(phone: Phone) -> Table:
    return phone.match.table


def listed(client: Client, table: Table) -> list[str]:
    return [words(line) for line in soup(client.get(at(table, "links"))).select(".phones li")]


def remove(client: Client, table: Table, code: str) -> int:
    return client.post(at(table, "links", "remove"), {"device": code}).status_code


def start(client: Client, key: str) -> Match:
    names = {"player-1": "Ann", "player-2": "Bob", "player-3": "Cy", "player-4": "Dee"}
    client.post("/new/", {"key": key, "game": "barbu", "first": "1", "table": "Ours", **names})
    return Match.objects.latest("pk")


# --- who saved what ---


def test_a_hand_knows_the_phone_that_saved_it_and_what_it_was_called(phone: Phone, table: Table):
    phone_of(join(table, "Ann's phone"), phone.match).record(**MISERE)
    row = phone.match.hands.latest("pk")
    assert (row.by, row.device) == (device("Ann's phone"), "Ann's phone")


def test_every_deed_knows_it(phone: Phone, table: Table):
    ann = phone_of(join(table, "Ann's phone"), phone.match)
    ann.record(**MISERE)
    ann.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    ann.undo()
    ann.redo()
    saved = phone.match.hands.values_list("action", "by__name", "device")
    assert {deed for deed, _by, _device in saved} == {"enter", "correct", "undo", "redo"}
    assert {(by, name) for _deed, by, name in saved} == {("Ann's phone", "Ann's phone")}


def test_the_history_of_a_hand_names_the_phones_also_after_they_were_renamed_or_removed(phone: Phone, table: Table):
    ann, bob = join(table, "Ann's phone"), join(table, "Bob's phone")
    phone_of(ann, phone.match).record(**MISERE)
    phone_of(bob, phone.match).correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    ann.post(at(table, "links", "name"), {"name": "Anna"})
    device("Bob's phone").remove()
    history = [words(line) for line in soup(Client().get(phone.address("hand", 1))).select(".history li")]
    assert "Ann's phone" in history[0]
    assert "Bob's phone" in history[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_it_was_typed_and_runs_nowhere(phone: Phone, table: Table, name: str):
    other = join(table, name)
    assert any(line.startswith(name) for line in listed(phone.client, table))
    phone_of(other, phone.match).record(**MISERE)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    page = soup(phone.client.get(phone.address("hand", 1)))
    assert name in words(page.select_one(".history li"))
    assert not page.select(".history b b, .history x")


@pytest.mark.parametrize(
    ("browser", "kind"),
    [(ANDROID, "Android phone"), (IPHONE, "iPhone"), ("(X11; Linux)", "Linux computer")],
)
def test_a_phone_that_nobody_named_is_called_what_it_is(phone: Phone, table: Table, browser: str, kind: str):
    client = join(table, "", browser)
    assert soup(Client(headers={"User-Agent": browser}).get(at(table, "score"))).select_one("#name")["value"] == kind
    phone_of(client, phone.match).record(**MISERE)
    assert phone.match.hands.latest("pk").device == kind == Device.objects.latest("pk").name


# --- the phone that makes the table ---


def test_the_phone_that_makes_the_table_scores_it_and_is_on_the_list():
    client = Client(headers={"User-Agent": IPHONE})
    match = start(client, new_code())
    assert listed(client, match.table) == ["iPhone this phone · nothing saved yet"]
    assert match.table.secret() is not None


def test_the_start_form_sent_twice_gives_one_table_and_one_phone_that_works():
    client, key = Client(), new_code()
    first = start(client, key)
    cookie = client.cookies["scorer"].value
    assert start(client, key) == first
    assert (Table.objects.count(), Device.objects.count()) == (1, 1)
    assert may(client, first.table)
    client.cookies["scorer"] = cookie
    assert may(client, first.table)


def test_the_start_form_sent_again_after_its_phone_was_removed_does_not_let_it_in():
    client, key = Client(), new_code()
    match = start(client, key)
    Device.objects.get().remove()
    start(client, key)
    assert not may(client, match.table)


# --- the list ---


def test_the_list_tells_which_phone_is_this_one_and_when_each_saved_last_by_the_table_s_clock(
    phone: Phone, table: Table
):
    Table.objects.filter(pk=table.pk).update(zone="Asia/Tokyo")
    ann = join(table, "Ann's phone")
    join(table, "Bob's phone")
    phone_of(ann, phone.match).record(**MISERE)
    phone_of(ann, phone.match).record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    for number, hour in ((1, 20), (2, 21)):
        Hand.objects.filter(number=number).update(at=datetime(2026, 11, 29, hour, 5, tzinfo=UTC))
    assert listed(ann, table) == [
        "Phone without a name nothing saved yet Remove",
        "Ann's phone this phone · last saved 30 Nov 06:05",
        "Bob's phone nothing saved yet Remove",
    ]


def test_a_watcher_sees_no_phones(table: Table):
    join(table, "Ann's phone")
    assert "Ann's phone" not in Client().get(at(table, "links")).content.decode()


def test_a_removed_phone_is_out_at_once_and_no_longer_listed(phone: Phone, table: Table):
    ann, mark = join(table, "Ann's phone"), table.mark
    assert remove(phone.client, table, device("Ann's phone").code) == 302
    assert phone_of(ann, phone.match).record(**MISERE).status_code == 403
    assert not may(ann, table)
    assert [line for line in listed(phone.client, table) if "Ann" in line] == []
    table.refresh_from_db()
    assert table.mark != mark, "its page asks whether something is new, and must learn of it"
    assert may(phone.client, table)


def test_a_phone_does_not_remove_itself_nor_one_of_another_table(phone: Phone, table: Table):
    join(begin().match.table, "Far away")
    own = Device.objects.filter(table=table).get()
    assert remove(phone.client, table, own.code) == 404
    assert remove(phone.client, table, device("Far away").code) == 404
    assert remove(phone.client, table, "") == 404
    assert remove(phone.client, table, "\0") == 404
    assert not Device.objects.exclude(removed=None).exists()


def test_a_phone_that_was_removed_may_be_let_in_again(phone: Phone, table: Table):
    join(table, "Ann's phone")
    device("Ann's phone").remove()
    assert may(join(table, "Ann's phone"), table)


# --- its own name ---


def test_a_phone_is_named_anew_and_saves_under_the_new_name(phone: Phone, table: Table):
    assert phone.client.post(at(table, "links", "name"), {"name": "  The tablet "}).status_code == 302
    assert listed(phone.client, table)[0].startswith("The tablet")
    phone.record(**MISERE)
    assert phone.match.hands.latest("pk").device == "The tablet"


@pytest.mark.parametrize("name", ["x" * 41, "a\nb", "\u200b"])
def test_a_name_that_does_not_do_is_refused_and_stays_in_its_field(phone: Phone, table: Table, name: str):
    response = phone.client.post(at(table, "links", "name"), {"name": name})
    assert response.status_code == 422
    page = soup(response)
    assert page.select_one("[name=name][aria-invalid]")["value"] == name.strip()
    assert words(page.select_one("#name-wrong"))
    assert Device.objects.get(table=table).name == ""


@pytest.mark.parametrize("how", ["removed", "new links"])
def test_a_post_that_was_under_way_when_its_phone_was_locked_out_stores_nothing(
    phone: Phone, table: Table, monkeypatch: pytest.MonkeyPatch, how: str
):
    late, before = phone_of(join(table), phone.match), phone.rows
    write = Match._write

    def when_its_turn_comes(match: Match, *deed: Any) -> Outcome:
        device("Ann's phone").remove() if how == "removed" else renew_links(table, None, watch=False)
        return write(match, *deed)

    monkeypatch.setattr(Match, "_write", when_its_turn_comes)
    assert late.record("misere", tricks=(2, 3, 5, 3)).status_code == 403
    assert phone.rows == before
