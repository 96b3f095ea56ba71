"""How often one may: over the limit a page says when to try again, and nothing typed is lost."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scorekeeper import limits
from scorekeeper.limits import address_of
from scorekeeper.models import Device, Hand, Match, Table, Try, new_code
from scorekeeper.models import device as devices

from .phones import ask_to_score, at, everything_stored, join, may, phone_of
from .table import ANN, BOB, begin, new_key, soup, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
NAMES = {"player-1": "Ann", "player-2": "Bob", "player-3": "Cy", "player-4": "Dee"}


def start(client: Client, at: str = "/new/", **fields: str) -> HttpResponse:
    return client.post(at, {"key": new_code(), "game": "barbu", "first": "1", "table": "Ours", **NAMES, **fields})


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The server's clock stands at noon until a test moves it."""
    moment = [datetime(2026, 11, 29, 12, 0, tzinfo=UTC)]
    monkeypatch.setattr(limits.timezone, "now", lambda: moment[0])
    return moment


# --- new tables and matches ---


@override_settings(NEW_TABLES_AN_HOUR=3)
def test_one_address_makes_so_many_tables_an_hour_and_others_still_do(noon: list[datetime]):
    client = Client(REMOTE_ADDR="192.0.2.1")
    assert [start(client).status_code for _ in range(4)] == [302, 302, 302, 429]
    assert start(Client(REMOTE_ADDR="192.0.2.2")).status_code == 302
    noon[0] += timedelta(hours=1)
    assert start(client).status_code == 302
    assert Table.objects.count() == 5


@override_settings(NEW_TABLES_AN_HOUR=1)
def test_the_form_comes_back_with_every_name_and_says_when_to_try_again(noon: list[datetime]):
    client = Client()
    start(client)
    noon[0] += timedelta(minutes=20)
    response = start(client, table="The attic")
    assert response.status_code == 429
    page = soup(response)
    assert "Try again in 40 min" in words(page.select_one(".problems"))
    assert [page.select_one(f"#player-{number}")["value"] for number in range(1, 5)] == ["Ann", "Bob", "Cy", "Dee"]
    assert page.select_one("[name=table]")["value"] == "The attic"


@override_settings(NEW_TABLES_AN_HOUR=1)
def test_the_same_form_sent_again_is_no_second_table():
    client, key = Client(), new_code()
    for _ in range(3):
        assert start(client, key=key).status_code == 302
    assert Table.objects.count() == 1


def test_a_table_begins_so_many_matches_a_day(noon: list[datetime], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MATCHES_A_DAY", 2)
    phone = begin()
    address = at(phone.match.table, "new")
    assert [start(phone.client, address).status_code for _ in range(3)] == [302, 302, 429]
    assert start(begin().client, "/new/").status_code == 302
    noon[0] += timedelta(days=1)
    assert start(phone.client, address).status_code == 302


# --- wrong codes ---


def test_one_address_says_so_many_wrong_codes_an_hour_and_then_not_even_the_right_one(
    noon: list[datetime], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "WRONG_CODES_AN_HOUR", 3)
    table, elsewhere = begin().match.table, begin().match.table
    guesser = Client(REMOTE_ADDR="192.0.2.1")
    for where in (table, elsewhere, table):
        assert ask_to_score(where, guesser, link="0" * 43).status_code == 422
    refused = ask_to_score(table, guesser, link=table.secret())
    assert refused.status_code == 429
    assert refused["Retry-After"] == "3600"
    assert "Try again in 60 minutes" in words(soup(refused).main)
    assert not may(guesser, table)
    assert ask_to_score(table, Client(REMOTE_ADDR="192.0.2.2"), link=table.secret()).status_code == 302
    noon[0] += timedelta(hours=1)
    assert ask_to_score(table, guesser, link=table.secret()).status_code == 302


def test_a_table_is_guessed_at_so_often_an_hour_from_wherever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "WRONG_CODES_AT_A_TABLE", 3)
    table, elsewhere = begin().match.table, begin().match.table
    for number in range(3):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        assert ask_to_score(table, client, link="0" * 43).status_code == 422
    assert ask_to_score(table, Client(REMOTE_ADDR="192.0.2.9"), link=table.secret()).status_code == 429
    assert ask_to_score(elsewhere, Client(), link=elsewhere.secret()).status_code == 302


def test_a_right_code_is_not_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "WRONG_CODES_AN_HOUR", 1)
    table = begin().match.table
    for _ in range(3):
        join(table)


def test_so_many_phones_are_let_in_a_day(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "DEVICES_A_DAY", 2)
    table = begin().match.table
    codes = [ask_to_score(table, Client(), link=table.secret()).status_code for _ in range(3)]
    assert codes == [302, 302, 429]


# --- writes ---


def test_a_table_stores_so_many_steps_of_hands_a_minute_whichever_phone_sends_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 3)
    phone = begin()
    phone.record(**MISERE)
    other = phone_of(join(phone.match.table), phone.match)
    other.undo()
    phone.redo()
    refused = other.undo()
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) == 60
    assert "That was too often" in words(soup(refused).main)
    assert len(phone.rows) == 3
    Hand.objects.update(at=timezone.now() - timedelta(seconds=61))
    assert other.undo().status_code == 302


def test_one_table_s_haste_does_not_slow_another(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 1)
    phone, other = begin(), begin()
    phone.record(**MISERE)
    assert other.record(**MISERE).status_code == 302
    assert phone.undo().status_code == 429


def test_a_clock_that_is_set_back_locks_nobody_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 1)
    phone = begin()
    phone.record(**MISERE)
    Hand.objects.update(at=timezone.now() + timedelta(hours=1))
    assert phone.undo().status_code == 302


def test_reading_is_not_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 1)
    phone = begin()
    phone.record(**MISERE)
    for parts in ((), ("hand", 1), ("hand", 1, "correct")):
        phone.see(*parts)


def test_everything_else_that_is_sent_to_a_table_is_counted_too(monkeypatch: pytest.MonkeyPatch, noon: list[datetime]):
    monkeypatch.setattr(limits, "OTHER_POSTS_A_MINUTE", 2)
    phone = begin()
    address = at(phone.match.table, "links", "name")
    answers = [phone.client.post(address, {"name": f"Phone {n}"}).status_code for n in range(3)]
    assert answers == [302, 302, 429]
    assert Device.objects.get().name == "Phone 1"
    noon[0] += timedelta(minutes=1)
    assert phone.client.post(address, {"name": "Later"}).status_code == 302


def test_a_watcher_s_posts_use_nothing_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "OTHER_POSTS_A_MINUTE", 1)
    phone = begin()
    address = at(phone.match.table, "links", "name")
    for _ in range(3):
        assert Client().post(address, {"name": "x"}).status_code == 403
    assert phone.client.post(address, {"name": "x"}).status_code == 302


def test_the_limit_costs_a_save_one_question_that_an_index_answers():
    phone = begin()
    phone.record(**MISERE)
    with CaptureQueriesContext(connection) as asked:
        phone.undo()
    counts = [query["sql"] for query in asked if "COUNT(" in query["sql"] and "scorekeeper_hand" in query["sql"]]
    assert len(counts) == 1
    assert not [query for query in asked if "scorekeeper_try" in query["sql"]]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {counts[0]}")
            plan = " ".join(str(row[-1]) for row in cursor.fetchall())
        assert "saved_by_a_device" in plan
        assert "SCAN" not in plan


# --- what is kept of it ---


def test_no_address_is_kept_and_after_a_day_nothing_at_all():
    start(Client(REMOTE_ADDR="192.0.2.77"))
    assert "192.0.2.77" not in everything_stored()
    assert Try.objects.exists()
    Try.objects.update(since=timezone.now() - timedelta(days=1, seconds=1))
    start(Client(REMOTE_ADDR="192.0.2.78"))
    assert Try.objects.count() == 1


def test_the_count_goes_on_where_two_begin_it_at_once(monkeypatch: pytest.MonkeyPatch):
    since, updates = timezone.now(), []
    Try.counted("table", "somebody", since)
    update = devices.models.QuerySet.update

    def too_late(self, **values):
        updates.append(values)
        return 0 if len(updates) == 1 else update(self, **values)

    monkeypatch.setattr(devices.models.QuerySet, "update", too_late)
    assert Try.counted("table", "somebody", since) == 2


# --- where a request comes from ---


def came_from(rf: RequestFactory, **told: str) -> str:
    return address_of(rf.get("/", **told))


def test_at_home_it_is_the_other_end_of_the_line_whatever_the_browser_says(rf: RequestFactory):
    assert came_from(rf, REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="203.0.113.9") == "192.0.2.1"


@override_settings(HTTPS=True)
def test_behind_a_proxy_it_is_what_the_proxy_saw_last(rf: RequestFactory):
    told = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.9"}
    assert came_from(rf, **told) == "203.0.113.9"
    assert came_from(rf, REMOTE_ADDR="192.0.2.1") == "192.0.2.1"


def test_the_many_addresses_of_one_network_are_one(rf: RequestFactory):
    assert came_from(rf, REMOTE_ADDR="2001:db8:1:2:3::4") == came_from(rf, REMOTE_ADDR="2001:db8:1:2::9")
    assert came_from(rf, REMOTE_ADDR="2001:db8:1:2::9") != came_from(rf, REMOTE_ADDR="2001:db8:1:3::9")


def test_an_address_of_the_older_kind_is_one_by_itself_also_where_it_comes_as_one_of_the_newer(rf: RequestFactory):
    assert came_from(rf, REMOTE_ADDR="::ffff:192.0.2.1") == came_from(rf, REMOTE_ADDR="192.0.2.1")
    assert came_from(rf, REMOTE_ADDR="::ffff:192.0.2.1") != came_from(rf, REMOTE_ADDR="::ffff:192.0.2.2")


@pytest.mark.parametrize("seen", ["", "unix:", "not an address"])
def test_an_end_without_an_address_is_one_like_any_other(rf: RequestFactory, seen: str):
    assert came_from(rf, REMOTE_ADDR=seen) == seen


def test_a_retry_of_a_refused_hand_stores_it_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 0)
    phone, key = begin(), new_key()
    assert phone.record(**MISERE, key=key).status_code == 429
    monkeypatch.undo()
    for _ in range(2):
        assert phone.record(**MISERE, key=key, hand=1, revision=0).status_code == 302
    assert len(phone.rows) == 1
    assert Match.objects.get().version == 1
