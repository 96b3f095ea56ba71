"""Each player doubles each declarer at least twice; the page knows who owes what, and who must."""

import pytest

from .browser import Browser
from .table import ANN, BOB, CY, DEE, Phone, begin, problems, said, soup, table_of, words

pytestmark = pytest.mark.django_db

NEGATIVES = ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
OWED = "{} owes Ann 2 and Ann declares 2 more, this one included: the double was compulsory."


def duties(phone: Phone) -> list[list[str]]:
    """The table of doubles owed, without its head and its names."""
    return [row[1:] for row in table_of(phone.see(), "Doubles owed")[1:]]


@pytest.fixture
def phone() -> Phone:
    """Ann declares seven in a row; five negatives are passed out, and now all three others are forced."""
    phone = begin("barbu-classic")
    for contract in NEGATIVES:
        phone.record(contract)
    return phone


def test_at_first_everybody_owes_everybody_two():
    phone = begin()
    assert duties(phone) == [
        ["·", "2", "2", "2"],
        ["2", "·", "2", "2"],
        ["2", "2", "·", "2"],
        ["2", "2", "2", "·"],
    ]
    assert words(phone.see().select_one(".standings tbody td .owes")) == "owes 6"


def test_only_doubles_of_the_declarer_by_others_count():
    phone = begin()
    phone.record("no-queens", [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)], queens=(1, 0, 1, 2))
    assert duties(phone) == [
        ["·", "2", "2", "2"],
        ["1 1 made", "·", "2", "2"],
        ["1 1 made", "2", "·", "2"],
        ["2", "2", "2", "·"],
    ]


def test_doubles_in_positive_contracts_count_too_and_two_are_enough():
    phone = begin("barbu-classic")
    phone.record("trumps", [(BOB, ANN)], trump="S", tricks=(13, 0, 0, 0))
    phone.record("dominoes", [(BOB, ANN)], start="7", finish=(0, 1, 2, 3))
    assert duties(phone)[BOB][ANN] == "✓ met 2 made"


def test_who_is_forced_stands_in_the_table_and_is_ticked_beforehand_with_the_reason(phone: Phone):
    assert [row[ANN] for row in duties(phone)] == ["·", "2 now", "2 now", "2 now"]
    phone.send("hand", 6, fields=said("trumps", trump="S", step=""))
    page = phone.see()
    ticked = page.select("[name=double][checked]")
    assert [box["aria-label"] for box in ticked] == ["Bob doubles Ann", "Cy doubles Ann", "Dee doubles Ann"]
    reasons = [words(page.select_one(f"#{box['aria-describedby']}")) for box in ticked]
    assert reasons == ["owes Ann 2, Ann declares 2 more"] * 3


def test_a_duty_that_is_not_done_is_refused_with_every_name(phone: Phone):
    response = phone.send("hand", 6, fields=said("trumps", [(CY, ANN)], trump="S", step="doubles"))
    assert problems(response) == [OWED.format("Bob"), OWED.format("Dee")]
    assert words(soup(response).select_one(".doubles > .wrong")) == OWED.format("Bob")
    assert [box["value"] for box in soup(response).select("[name=double][checked]")] == ["2-0"]
    assert phone.state.match.unfinished_hand is None


def test_the_table_says_that_it_was_played_anyway_and_it_stands_there_for_ever(phone: Phone):
    browser = Browser(phone.client)
    browser.open(phone.address())
    browser.press("Trumps")
    browser.press("Spades")
    for name in ("Bob", "Dee"):
        browser.untick(f"{name} doubles Ann")
    browser.press("Doubles done")
    assert browser.problems == [OWED.format("Bob"), OWED.format("Dee")]
    browser.tick("Played anyway")
    browser.press("Doubles done")
    assert browser.step == "Result"
    for name, tricks in zip(("Ann", "Bob", "Cy", "Dee"), (7, 2, 3, 1), strict=True):
        browser.type(f"Tricks for {name}", tricks)
    browser.press("Save hand")
    assert phone.state.hand(6).played_anyway
    assert phone.state.finished == 6
    assert words(phone.see().select_one(".sheet tbody .notice")) == "!"
    assert [words(line) for line in phone.see("hand", 6).select(".notice")] == [
        f"{OWED.format(name)} Played anyway." for name in ("Bob", "Dee")
    ]


def test_a_forced_hand_is_not_passed_out_before_the_table_says_so():
    phone = begin("barbu-classic")
    phone.record("trumps", trump="S", tricks=(13, 0, 0, 0))
    phone.record("dominoes", start="7", finish=(0, 1, 2, 3))
    for contract in ("barbu", "misere", "no-queens"):
        phone.record(contract)
    assert len(problems(phone.record("no-hearts"))) == 3
    assert phone.state.finished == 5
    assert phone.record("no-hearts", played_anyway="1").status_code == 302
    assert phone.state.finished == 6
    assert phone.state.match.scored[5].passed_out


def test_played_anyway_is_offered_only_where_somebody_is_forced(phone: Phone):
    assert phone.see().select("[name=played_anyway]")
    assert not begin().see().select("[name=played_anyway]")


def test_a_game_without_duties_shows_none():
    phone = begin("king")
    page = phone.see()
    assert not [table for table in page.select("table") if table.caption and words(table.caption) == "Doubles owed"]
    assert not page.select(".owes")
    assert not page.select("[data-step=doubles]")
