"""However long an evening is, a page asks the database as little as at its beginning."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.referee.strategies import random_match

from .table import Phone, go_on

pytestmark = pytest.mark.django_db


def queries(phone: Phone, *parts: object, client: Client | None = None) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert (client or phone.client).get(phone.address(*parts)).status_code == 200
    return len(asked)


def evening(hands: int) -> Phone:
    return go_on(random_match("barbu", seed=8, hands=hands))


def taken_back(phone: Phone) -> None:
    phone.undo()


def taken_back_twice_and_begun_anew(phone: Phone) -> None:
    phone.undo()
    phone.undo()
    turn = phone.state.match.turn
    phone.send("hand", turn.number, fields={"declare": turn.may_declare(turn.declarer)[0].code})


def nothing(phone: Phone) -> None:
    pass


@pytest.mark.parametrize("done", [nothing, taken_back, taken_back_twice_and_begun_anew])
def test_the_match_page_asks_at_most_five_times_after_3_hands_as_after_28(done: Callable[[Phone], None]):
    short, long = evening(3), evening(28)
    done(short)
    done(long)
    assert queries(short) == queries(long) <= 5


def test_the_page_before_the_first_hand_asks_at_most_five_times():
    assert queries(evening(0)) <= 5


def test_a_watcher_s_page_asks_less():
    phone = evening(28)
    assert queries(phone, client=Client()) < 5


@pytest.mark.parametrize(("page", "most"), [((), 5), (("correct",), 5)], ids=["explain", "correct"])
def test_a_hand_s_pages_ask_the_same_for_3_hands_and_for_28(page: tuple[str, ...], most: int):
    short, long = evening(3), evening(28)
    assert queries(short, "hand", 2, *page) == queries(long, "hand", 2, *page) <= most


def test_saving_a_hand_asks_the_same_after_3_hands_and_after_27():
    asked = []
    for phone in (evening(3), evening(27)):
        turn = phone.state.match.turn
        with CaptureQueriesContext(connection) as captured:
            phone.send("hand", turn.number, fields={"declare": turn.may_declare(turn.declarer)[0].code})
        asked.append(len(captured))
        assert phone.state.match.unfinished_hand is not None
    assert asked[0] == asked[1] <= 20
