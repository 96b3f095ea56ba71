"""What the hand being played still holds for everybody, and who has business with whom."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from .browser import Browser
from .table import ANN, BOB, CY, DEE, Phone, begin, said, soup, table_of, words

pytestmark = pytest.mark.django_db


def declared(contract: str, doubles=(), game: str = "barbu", **told) -> Phone:
    phone = begin(game)
    assert phone.send("hand", 1, fields=said(contract, doubles, step="doubles", **told)).status_code == 302
    return phone


def fair(page) -> list[str]:
    return [words(line) for line in page.select(".fair li")]


def captions(page) -> list[str]:
    return [words(caption) for caption in page.select(".stakes caption")]


def test_before_a_contract_stands_nothing_is_at_stake():
    assert "Nothing is declared yet." in words(begin().see("stakes").main)


def test_the_king_of_hearts_to_each_possible_taker():
    page = declared("barbu", [(BOB, ANN), (BOB, CY), (BOB, DEE)]).see("stakes")
    assert table_of(page, "The king of hearts") == [
        ["If it goes to goes to", "Ann", "Bob", "Cy", "Dee"],
        ["Ann", "−40", "+20", "0", "0"],
        ["Bob", "+20", "−80", "+20", "+20"],
        ["Cy", "0", "+20", "−40", "0"],
        ["Dee", "0", "+20", "0", "−40"],
    ]


def test_business_is_0_1_or_2():
    page = declared("misere", [(BOB, ANN), (ANN, BOB), (CY, BOB)]).see("stakes")
    assert table_of(page, "Business doubles between two players")[1:3] == [
        ["Ann", "·", "2", "0", "0"],
        ["Bob", "2", "·", "1", "0"],
    ]


def test_equal_business_is_pointed_out_in_the_words_of_fair_play():
    page = declared("barbu", [(BOB, ANN), (BOB, CY), (BOB, DEE)]).see("stakes")
    assert any(line.startswith("Bob has equal business with everybody") for line in fair(page))
    [ann] = [line for line in fair(page) if line.startswith("Ann ")]
    assert "favour" in ann
    assert "Cy, Dee" in ann


def test_one_more_trick_to_each_and_how_many_are_still_out():
    page = declared("trumps", [(BOB, ANN)], trump="S").see("stakes")
    assert captions(page)[0] == "One more trick 13 still out"
    assert table_of(page, "One more trick 13 still out")[1:3] == [
        ["Ann", "+10", "−5", "0", "0"],
        ["Bob", "−5", "+10", "0", "0"],
    ]


def test_each_finishing_place():
    page = declared("dominoes", [(BOB, ANN)], start="7").see("stakes")
    assert captions(page)[:4] == [f"Out as number {place}" for place in (1, 2, 3, 4)]
    assert table_of(page, "Out as number 1")[1] == ["Ann", "+90", "−45", "0", "0"]


def test_who_is_out_is_taken_off():
    phone = declared("dominoes", [(BOB, ANN)], start="7")
    page = soup(phone.client.get(phone.address("stakes"), {"out": [BOB, CY]}))
    assert captions(page)[0] == "Out as number 3"
    assert [row[0] for row in table_of(page, "Out as number 3")[1:]] == ["Ann", "Dee"]


def test_what_is_counted_is_taken_off_with_a_tap_each_and_no_script():
    phone = declared("no-queens", [(BOB, ANN)])
    first = phone.client.get(phone.address("stakes"), {"queens-0": "1", "more": "queens-2"})
    assert (first.status_code, first["Location"]) == (303, phone.address("stakes") + "?queens-0=1&queens-2=1")
    page = soup(phone.client.get(first["Location"]))
    assert captions(page)[0] == "One more queen 2 still out"
    less = phone.client.get(phone.address("stakes"), {"queens-0": "1", "less": "queens-0"})
    assert less["Location"] == phone.address("stakes") + "?none=1"


def test_one_of_a_kind_that_was_taken_is_not_open_any_more():
    phone = declared("no-last-two", [(BOB, ANN)])
    page = soup(phone.client.get(phone.address("stakes"), {"trick-12": CY}))
    assert captions(page)[0] == "The 13th trick"


def test_the_tricks_kept_with_the_hand_are_taken_off():
    phone = declared("no-hearts", [(BOB, ANN)])
    phone.send("hand", 1, "play", fields={"tricks": "S W N E\n2s 3h 4h ah\n", "step": "keep"})
    page = phone.see("stakes")
    assert captions(page)[:2] == ["One more heart 10 still out", "Business doubles between two players"]
    assert "As the tricks that are kept with the hand tell." in words(page.main)


def test_before_doubles_are_told_it_says_so():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "barbu"})
    page = phone.see("stakes")
    assert "Doubles are not told yet" in words(page.main)
    assert table_of(page, "The king of hearts")[1] == ["Ann", "−20", "0", "0", "0"]


def test_in_coup_d_etat_the_declarer_is_paid():
    phone = begin("coup-detat")
    phone.send("hand", 1, fields={"declare": "king-of-hearts"})
    assert table_of(phone.see("stakes"), "The king of hearts")[2] == ["Bob", "+800", "−800", "0", "0"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"queens-0": "x"}, "Queens for Ann: “x” is not a whole number from 0 to 4."),
        ({"queens-0": "5"}, "Queens for Ann: “5” is not a whole number from 0 to 4."),
        ({"queens-0": "3", "queens-1": "3"}, "6 queens entered; 4 were played. 2 too many."),
        ({"more": "queens-9"}, "“9” is no player of this match."),
        ({"more": "queens-\x00"}, "is no player of this match."),
        ({"queens-0": "4", "more": "queens-1"}, "5 queens entered; 4 were played. 1 too many."),
    ],
)
def test_counters_that_cannot_be_are_named(asked: dict[str, str], message: str):
    phone = declared("no-queens", [(BOB, ANN)])
    response = phone.client.get(phone.address("stakes"), asked)
    assert response.status_code == 422
    assert message in words(soup(response).select_one("[aria-labelledby=problems]"))


def test_strange_parameters_change_nothing():
    phone = declared("no-queens", [(BOB, ANN)])
    assert phone.client.get(phone.address("stakes"), {"nonsense": "1", "out": "9", "more": "x"}).status_code < 400


def test_a_watcher_reads_it_one_tap_from_the_match():
    phone = declared("barbu", [(BOB, ANN)])
    browser = Browser(Client())
    browser.open(phone.address())
    browser.follow("Stakes")
    assert words(browser.page.h1) == "Hand 1 · Barbu"


@pytest.mark.parametrize(
    "contract", ["misere", "no-hearts", "no-queens", "barbu", "no-last-two", "dominoes", "ravage-city", "chinese-poker"]
)
def test_every_contract_has_its_stakes(contract: str):
    phone = declared(contract, [(BOB, ANN)], game="chinese-poker", **({"start": "7"} if contract == "dominoes" else {}))
    assert len(captions(phone.see("stakes"))) >= 2


def test_it_asks_the_database_at_most_four_times():
    phone = declared("barbu", [(BOB, ANN)])
    with CaptureQueriesContext(connection) as asked:
        phone.see("stakes")
    assert len(asked) <= 4
