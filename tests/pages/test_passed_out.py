"""A negative contract that nobody doubles is recorded without a result."""

import pytest

import referee

from .browser import Browser
from .table import ANN, BOB, CY, begin, problems, said, table_of, words

pytestmark = pytest.mark.django_db

SHARES = {"barbu": (1, -7), "misere": (1, -9), "no-queens": (0, -8), "no-hearts": (0, -10), "no-last-two": (0, -10)}


@pytest.mark.parametrize(("contract", "share"), SHARES.items())
def test_done_with_doubles_nobody_doubled_and_it_is_recorded_at_once(contract: str, share: tuple[int, int]):
    phone = begin()
    assert phone.record(contract).url == phone.address()
    declarer, other = share
    assert phone.total == (declarer, other, other, other)
    assert phone.state.hand(1) == referee.Hand(contract=contract, doubles=())
    assert "passed out" in table_of(phone.see(), "Hands")[1][0]


@pytest.mark.parametrize(("contract", "share"), SHARES.items())
def test_the_button_says_what_it_costs(contract: str, share: tuple[int, int]):
    phone = begin()
    phone.send("hand", 1, fields={"declare": contract})
    declarer, other = (f"{points:+d}".replace("-", "−") if points else "0" for points in share)
    assert words(phone.see().select_one(".pass-out")) == f"Nobody doubles: pass out ({declarer} / {other})"


def test_two_buttons_record_it_without_script():
    phone = begin()
    browser = Browser(phone.client)
    browser.open(phone.address())
    browser.press("Misère")
    browser.press("Nobody doubles: pass out (+1 / −9)")
    assert phone.total == (1, -9, -9, -9)
    assert browser.step == "Contract"


@pytest.mark.parametrize("contract", ["trumps", "dominoes"])
def test_a_positive_contract_is_never_passed_out(contract: str):
    phone = begin()
    needs = {"trump": "S"} if contract == "trumps" else {"start": "7"}
    phone.send("hand", 1, fields=said(contract, **needs, step="doubles"))
    assert phone.state.match.unfinished_hand.doubles == ()
    page = phone.see()
    assert words(page.select_one(".pass-out [data-pass]")) == ""
    assert not page.select(".can-pass")
    assert words(page.select_one("[data-step=result]:not([hidden]) h2")) == "Result"


def test_one_double_of_anybody_and_a_result_is_asked():
    phone = begin()
    phone.send("hand", 1, fields=said("misere", [(BOB, CY)]))
    assert phone.state.finished == 0
    assert problems(phone.record("misere", [(BOB, CY)], step="save"))[0] == "Tricks for Ann: nothing is entered."


def test_it_is_said_in_words_wherever_the_hand_is_shown():
    phone = begin()
    phone.record("misere")
    assert "Misère · passed out" in words(phone.see().select_one(".last"))
    assert "Nobody doubled: passed out, not played." in words(phone.see("hand", 1).main)
    assert table_of(phone.see(), "Hands")[1][1:5] == ["+1 +1", "−9 −9", "−9 −9", "−9 −9"]


def test_it_is_taken_back_and_played_after_all():
    phone = begin()
    phone.record("misere")
    phone.undo()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    assert phone.total == (-2, -8, -10, -6)
