"""Undo takes back the last finished hand whole, pressed again the one before."""

import pytest

from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, begin, go_on, said, soup, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
BARBU = {"contract": "barbu", "doubles": [(CY, BOB)], "king_of_hearts": DEE}


def test_the_last_hand_is_taken_back_whole_and_its_declarer_declares_again():
    phone = begin()
    phone.record(**MISERE)
    before = phone.total
    phone.record(**BARBU)
    assert phone.undo().url == phone.address()
    assert phone.played == ["misere"]
    assert phone.total == before
    page = phone.see()
    assert "Bob declares" in words(page.select_one(".now"))
    assert page.select_one("button[value=barbu]").get("disabled") is None
    assert page.select_one("form.hand [name=contract]")["value"] == ""


def test_pressed_again_it_takes_back_the_one_before():
    phone = begin()
    phone.record(**MISERE)
    phone.record(**BARBU)
    phone.undo()
    phone.undo()
    assert phone.played == []
    assert phone.total == (0, 0, 0, 0)
    assert not phone.see().select("form[action$='/undo/']")


def test_there_is_nothing_to_take_back_before_the_first_hand_is_finished():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "misere"})
    assert not phone.see().select("form[action$='/undo/']")


def test_a_half_entered_next_hand_is_set_aside_with_it():
    phone = begin()
    phone.record(**MISERE)
    phone.send("hand", 2, fields=said("barbu", [(CY, BOB)]))
    phone.undo(1)
    assert phone.state.match.hands == ()
    assert phone.rows[-2:] == [(1, 2, "undo"), (2, 2, "undo")]


def test_a_hand_that_was_corrected_is_taken_back_whole_too():
    phone = begin()
    phone.record(**MISERE)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 3, 5, 2))
    phone.undo()
    assert phone.played == []


def test_the_last_hand_of_a_match_is_taken_back_and_the_match_goes_on():
    phone = go_on(random_match("barbu", seed=1))
    assert phone.state.match.is_over
    phone.undo()
    assert not phone.state.match.is_over
    assert phone.state.number == 28
    page = phone.see()
    assert page.select_one("form.hand")
    assert not page.select(".places")


def test_hand_numbers_have_no_gap_after_taking_back_and_playing_on():
    phone = begin()
    for _ in range(3):
        phone.record(**MISERE)
        phone.record(**BARBU)
        phone.undo()
        phone.undo()
    phone.record(**BARBU | {"doubles": [(CY, ANN)]})
    phone.record(**MISERE | {"doubles": [(CY, BOB)]})
    numbers = [row.find("span", class_="n").text for row in phone.see().select(".sheet tbody tr")]
    assert numbers == ["2", "1"]
    assert phone.played == ["barbu", "misere"]


def test_the_page_says_what_was_done_where_it_was_asked_in_place():
    phone = begin()
    phone.record(**MISERE)
    response = phone.send("hand", 1, "undo", fields={}, in_place=True)
    assert words(soup(response).select_one("[role=status]")) == "Hand 1 is taken back."
    response = phone.send("hand", 1, "redo", fields={}, in_place=True)
    assert words(soup(response).select_one("[role=status]")) == "Hand 1 is back."


@pytest.mark.parametrize("deed", ["undo", "redo"])
def test_its_address_opened_again_leads_to_the_match_and_takes_nothing_back(deed: str):
    phone = begin()
    phone.record(**MISERE)
    response = phone.client.get(phone.address("hand", 1, deed))
    assert (response.status_code, response.url) == (302, phone.address())
    assert phone.played == ["misere"]
