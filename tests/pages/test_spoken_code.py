"""Six digits said aloud let one more phone score: for minutes, for a few attempts, once."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Device, SpokenCode, Table
from scorekeeper.models import device as devices

from .phones import ask_to_score, at, join, may
from .table import Phone, begin, problems, soup, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    return begin()


@pytest.fixture
def table(phone: Phone) -> Table:
    return phone.match.table


def shown(phone: Phone) -> str:
    """Ask for a code, and read it from the page."""
    page = soup(phone.client.post(at(phone.match.table, "links", "code"), follow=True))
    return words(page.select_one(".digits b"))


def wrong(digits: str) -> str:
    return f"{(int(digits.replace(' ', '')) + 1) % 10**6:06}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[timedelta]]:
    """The server's clock; what stands in the list is added to it."""
    moved, now = [timedelta()], timezone.now
    monkeypatch.setattr(devices.timezone, "now", lambda: now() + moved[0])
    return moved


def test_the_code_is_shown_in_two_groups_of_three_with_the_time_at_which_it_ends(phone: Phone, table: Table):
    Table.objects.filter(pk=table.pk).update(zone="Asia/Tokyo")
    digits = shown(phone)
    assert [len(group) for group in digits.split()] == [3, 3]
    assert digits.replace(" ", "").isdecimal()
    code = SpokenCode.objects.get()
    assert timedelta(minutes=4, seconds=50) < code.until - timezone.now() <= timedelta(minutes=5)
    page = words(soup(phone.client.get(at(table, "links"))).select_one("#spoken"))
    assert f"until {code.until + timedelta(hours=9):%H:%M}." in page
    assert "tried 5 times" in page
    assert digits in page


@pytest.mark.parametrize("grouped", ["{}", "{} ", "{0[0]}{0[1]}{0[2]}-{0[3]}{0[4]}{0[5]}"])
def test_a_phone_that_knows_it_scores_under_its_name(phone: Phone, table: Table, grouped: str):
    digits, client = shown(phone), Client()
    said = digits if grouped == "{} " else grouped.format(digits.replace(" ", ""))
    response = ask_to_score(table, client, spoken=said, name="Bob's phone")
    assert (response.status_code, response["Location"]) == (302, phone.address())
    assert may(client, table)
    assert Device.objects.filter(name="Bob's phone").count() == 1


def test_the_digits_of_any_script_will_do(phone: Phone, table: Table):
    arabic = shown(phone).translate({ord("0") + digit: chr(0x0660 + digit) for digit in range(10)})
    assert ask_to_score(table, Client(), spoken=arabic).status_code == 302


def test_it_lets_in_one_phone_only(phone: Phone, table: Table):
    digits = shown(phone)
    assert ask_to_score(table, Client(), spoken=digits).status_code == 302
    second = ask_to_score(table, Client(), spoken=digits)
    assert problems(second) == ["There is no such code any more. Ask the phone that scores for a new one."]


def test_the_same_form_sent_twice_is_answered_twice_with_the_same(phone: Phone, table: Table):
    digits, client = shown(phone), Client()
    for _ in range(2):
        assert ask_to_score(table, client, spoken=digits, key="k" * 22).status_code == 302
    assert may(client, table)


def test_a_wrong_code_tells_how_often_it_can_still_be_tried_and_after_five_it_is_gone(phone: Phone, table: Table):
    digits = shown(phone)
    for left in (4, 3, 2, 1):
        response = ask_to_score(table, Client(), spoken=wrong(digits), name="Zoë")
        assert f"Attempts left: {left}." in problems(response)[0]
        assert soup(response).select_one("#name")["value"] == "Zoë"
    for said in (wrong(digits), digits):
        assert "Ask the phone that scores for a new one" in problems(ask_to_score(table, Client(), spoken=said))[0]
    assert ask_to_score(table, Client(), spoken=shown(phone)).status_code == 302


def test_the_fifth_attempt_still_counts(phone: Phone, table: Table):
    digits = shown(phone)
    for _ in range(4):
        ask_to_score(table, Client(), spoken=wrong(digits))
    assert ask_to_score(table, Client(), spoken=digits).status_code == 302


@pytest.mark.parametrize("said", ["", "12345", "1234567", "hello"])
def test_what_is_no_code_costs_no_attempt(phone: Phone, table: Table, said: str):
    shown(phone)
    assert "six digits" in problems(ask_to_score(table, Client(), spoken=said))[0]
    assert SpokenCode.objects.get().left == 5


@pytest.mark.parametrize(("minutes", "good"), [(4.9, True), (5.1, False)])
def test_it_runs_out_after_five_minutes_by_the_server_s_clock(
    phone: Phone, table: Table, clock: list[timedelta], minutes: float, good: bool
):
    digits = shown(phone)
    clock[0] = timedelta(minutes=minutes)
    assert (ask_to_score(table, Client(), spoken=digits).status_code == 302) == good
    assert ("#spoken" in str(soup(phone.client.get(at(table, "links"))).select(".digits"))) is False


def test_a_new_code_ends_the_one_before(phone: Phone, table: Table):
    old = shown(phone)
    new = shown(phone)
    assert SpokenCode.objects.count() == 1
    if old != new:
        assert ask_to_score(table, Client(), spoken=old).status_code == 422
    assert ask_to_score(table, Client(), spoken=new).status_code == 302


def test_a_code_is_good_at_its_own_table_only(phone: Phone):
    digits = shown(phone)
    other = begin()
    assert ask_to_score(other.match.table, Client(), spoken=digits).status_code == 422


def test_removing_a_phone_that_may_have_seen_it_ends_it(phone: Phone, table: Table):
    join(table, "Ann's phone")
    digits = shown(phone)
    Device.objects.get(name="Ann's phone").remove()
    assert ask_to_score(table, Client(), spoken=digits).status_code == 422


def test_a_watcher_neither_asks_for_a_code_nor_sees_it(phone: Phone, table: Table):
    assert Client().post(at(table, "links", "code")).status_code == 403
    digits = shown(phone)
    assert digits not in Client().get(at(table, "links")).content.decode()


def test_codes_are_drawn_from_all_six_digits(table: Table):
    drawn = {SpokenCode.make(table).digits for _ in range(50)}
    assert len(drawn) > 40
    assert all(len(digits) == 6 for digits in drawn)
    assert any(digits < "500000" for digits in drawn)
    assert any(digits >= "500000" for digits in drawn)


# --- many at once, each with a connection of its own, as server processes have ---


def at_once(table: Table, said: list[str]) -> list[int]:
    """So many phones say a code in the same moment; how each was answered."""
    answers, ready = [], threading.Barrier(len(said))

    def one(digits: str) -> None:
        try:
            client = Client()
            ready.wait()
            answers.append(ask_to_score(table, client, spoken=digits).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(digits,)) for digits in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(answers)


@pytest.mark.django_db(transaction=True)
def test_of_eight_phones_with_the_right_code_at_once_one_is_let_in():
    phone = begin()
    table = phone.match.table
    assert at_once(table, [shown(phone)] * 8) == [302, *[422] * 7]
    assert Device.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_eight_guesses_at_once_are_five_attempts():
    phone = begin()
    table, digits = phone.match.table, shown(phone)
    looked_at: list[str] = []
    compare = devices.constant_time_compare

    def watched(one: str, other: str) -> bool:
        looked_at.append(other)
        return compare(one, other)

    devices.constant_time_compare = watched
    try:
        assert at_once(table, [wrong(digits)] * 8) == [422] * 8
    finally:
        devices.constant_time_compare = compare
    assert looked_at.count(wrong(digits)) == 5
    assert SpokenCode.objects.get().left == 0


def test_the_moment_at_which_it_ends_is_a_moment(phone: Phone):
    assert isinstance(SpokenCode.make(phone.match.table).until, datetime)
