"""Any hand opens to show why it scored what it did, and what became of it."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from referee.explain import signed
from scorekeeper.models import Hand
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, said, table_of, words

pytestmark = pytest.mark.django_db


def test_it_shows_each_player_and_each_pair():
    phone = begin()
    phone.record("no-last-two", [(BOB, CY), (CY, BOB)], trick_12=BOB, trick_13=CY)
    page = phone.see("hand", 1)
    assert table_of(page, "Scores")[1:] == [
        ["Ann", "0", "0", "0"],
        ["Bob 12th trick −10", "−10", "+20", "+10"],
        ["Cy 13th trick −20", "−20", "−20", "−40"],
        ["Dee", "0", "0", "0"],
    ]
    [pair] = page.select(".pairs li")
    assert words(pair) == ("Bob doubled Cy and Cy doubled back: Bob −10, Cy −20, difference 10, twice: Bob +20, Cy −20")


def test_a_hand_without_doubles_has_no_pairs_and_no_column_for_them():
    phone = begin()
    phone.record("trumps", trump="H", tricks=(13, 0, 0, 0))
    page = phone.see("hand", 1)
    assert table_of(page, "Scores")[0] == ["Player", "Basic", "Total"]
    assert not page.select(".pairs")


def test_a_passed_out_hand_says_so():
    phone = begin()
    phone.record("misere")
    page = phone.see("hand", 1)
    assert "passed out" in words(page.main)
    assert [row[-1] for row in table_of(page, "Scores")[1:]] == ["+1", "−9", "−9", "−9"]


def test_the_note_and_a_broken_duty_stand_there():
    phone = begin("barbu-classic")
    for contract in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two"):
        phone.record(contract)
    phone.record("trumps", trump="S", tricks=(13, 0, 0, 0), played_anyway="1", note="never mind")
    page = phone.see("hand", 6)
    assert len(page.select(".notice")) == 3
    assert "Bob owes Ann 2 and Ann declares 2 more" in words(page.select_one(".notice"))
    assert "Played anyway." in words(page.select_one(".notice"))
    assert "never mind" in words(page.main)


def test_a_hand_entered_once_in_several_steps_has_no_history():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "misere"})
    phone.send("hand", 1, fields=said("misere", [(BOB, ANN)]))
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    assert not phone.see("hand", 1).select(".history")


def test_the_history_lists_each_version_with_time_and_device_the_oldest_first():
    phone = begin()
    phone.match.zone = "Asia/Tokyo"
    phone.match.save()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    other = Phone(phone.match, Client(headers={"User-Agent": "Mozilla/5.0 (Linux; Android 15)"}))
    other.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    Hand.objects.update(at=datetime(2026, 11, 29, 20, 5, 7, tzinfo=UTC))
    entered, corrected = (words(line) for line in phone.see("hand", 1).select(".history li"))
    assert entered == ("entered 30 Nov 05:05:07 scorer's phone Misère · Bob → Ann · Tricks: Ann 2, Bob 3, Cy 5, Dee 3")
    assert corrected.startswith("corrected 30 Nov 05:05:07 Android phone Misère")
    assert corrected.endswith("Tricks: Ann 3, Bob 2, Cy 5, Dee 3")


def test_it_leads_to_the_hands_beside_it_and_to_its_correction():
    phone = go_on(random_match("barbu", seed=3, hands=3))
    links = {link.get("aria-label") or words(link): link["href"] for link in phone.see("hand", 2).select("a")}
    assert links["Explain hand 1"] == phone.address("hand", 1)
    assert links["Explain hand 3"] == phone.address("hand", 3)
    assert links["Correct hand 2"] == phone.address("hand", 2, "correct")


def test_a_watcher_sees_the_same_without_the_correction():
    phone = go_on(random_match("barbu", seed=3, hands=3))
    response = Client().get(phone.address("hand", 2))
    assert response.status_code == 200
    assert b"correct/" not in response.content


@pytest.mark.parametrize("number", [0, 3, 10**30])
def test_a_hand_that_was_not_played_is_not_found(number: int):
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.send("hand", 2, fields={"declare": "barbu"})
    response = phone.client.get(phone.address("hand", number))
    assert response.status_code == 404
    assert f"Hand {number} has not been played." in response.content.decode()


@pytest.mark.parametrize("is_taken_back", [False, True])
def test_the_address_of_the_hand_in_play_leads_to_the_match(is_taken_back: bool):
    phone = begin()
    if is_taken_back:
        phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
        phone.undo()
    response = phone.client.get(phone.address("hand", 1))
    assert (response.status_code, response.url) == (302, phone.address())


def test_after_the_end_there_is_no_hand_in_play():
    phone = go_on(random_match("barbu", seed=13))
    assert phone.client.get(phone.address("hand", 28)).status_code == 200
    assert phone.client.get(phone.address("hand", 29)).status_code == 404


@pytest.mark.parametrize("code", ["barbu", "barbu-classic", "barbu-quick"])
def test_every_hand_of_an_evening_can_be_explained(code: str):
    phone = go_on(random_match(code, seed=4))
    for scored in phone.state.match.finished_hands:
        totals = [row[-1] for row in table_of(phone.see("hand", scored.number), "Scores")[1:]]
        assert totals == [signed(points) for points in scored.total]


def test_who_doubled_whom_stands_in_the_right_order_of_speech():
    phone = begin(first=CY)
    phone.record("barbu", [(CY, DEE), (DEE, CY), (ANN, BOB)], king_of_hearts=DEE)
    said_there = [words(pair) for pair in phone.see("hand", 1).select(".pairs li")]
    assert said_there[0].startswith("Dee doubled Cy and Cy doubled back")
    assert said_there[1].startswith("Ann doubled Bob:")
