"""Redo brings back what Undo took, and a half-entered hand that was set aside with it."""

import pytest

import referee
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, said, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
BARBU = {"contract": "barbu", "doubles": [(CY, BOB)], "king_of_hearts": DEE}
QUEENS = {"contract": "no-queens", "doubles": [(DEE, CY)], "queens": (1, 1, 1, 1)}


def offered(phone: Phone) -> int | None:
    """The hand that the page offers to bring back."""
    found = phone.see().select_one("form[action$='/redo/']")
    return int(found["action"].split("/")[-3]) if found else None


def two_hands() -> Phone:
    phone = begin()
    phone.record(**MISERE)
    phone.record(**BARBU)
    return phone


def test_it_brings_the_hand_back_as_it_was():
    phone = two_hands()
    hands, total = phone.state.match.hands, phone.total
    phone.undo()
    assert offered(phone) == 2
    assert phone.redo().url == phone.address()
    assert phone.state.match.hands == hands
    assert phone.total == total
    assert offered(phone) is None


def test_taken_back_twice_it_is_brought_back_twice():
    phone = two_hands()
    hands = phone.state.match.hands
    phone.undo()
    phone.undo()
    assert offered(phone) == 1
    phone.redo()
    assert (phone.played, offered(phone)) == (["misere"], 2)
    phone.redo()
    assert (phone.state.match.hands, offered(phone)) == (hands, None)


def test_a_half_entered_hand_that_was_set_aside_comes_back_too():
    phone = two_hands()
    phone.send("hand", 3, fields=said("no-queens", [(DEE, CY)]))
    phone.undo(2)
    assert phone.state.match.unfinished_hand is None
    phone.redo(2)
    assert phone.played == ["misere", "barbu"]
    assert phone.state.match.unfinished_hand == referee.Hand(contract="no-queens", doubles=((DEE, CY),))


def test_a_half_entered_hand_comes_back_last_when_more_was_taken_back():
    phone = two_hands()
    phone.send("hand", 3, fields={"declare": "no-queens"})
    for _ in range(2):
        phone.undo()
    phone.redo()
    assert (len(phone.state.match.hands), offered(phone)) == (1, 2)
    phone.redo()
    assert phone.state.match.unfinished_hand == referee.Hand(contract="no-queens")


def test_to_and_fro_as_often_as_one_likes():
    phone = two_hands()
    hands = phone.state.match.hands
    for _ in range(3):
        phone.undo()
        phone.undo()
        phone.redo()
        phone.undo()
        phone.redo()
        phone.redo()
    assert phone.state.match.hands == hands


def test_it_is_gone_after_a_new_finished_hand():
    phone = two_hands()
    phone.undo()
    phone.record("misere", [(CY, BOB)], tricks=(13, 0, 0, 0))
    assert offered(phone) is None
    assert phone.redo(3).status_code == 409
    phone.undo()
    assert offered(phone) == 2
    phone.redo()
    assert phone.played == ["misere", "misere"]


def test_it_is_gone_for_all_that_was_taken_back_before_a_new_finished_hand():
    phone = two_hands()
    phone.record(**QUEENS)
    for _ in range(3):
        phone.undo()
    phone.record(**BARBU | {"doubles": [(CY, ANN)]})
    assert offered(phone) is None
    phone.undo()
    phone.redo()
    assert (phone.played, offered(phone)) == (["barbu"], None)


def test_a_stray_tap_on_a_contract_does_not_lose_it():
    phone = two_hands()
    phone.undo()
    phone.send("hand", 2, fields={"declare": "misere"})
    assert offered(phone) == 2
    phone.redo()
    assert phone.played == ["misere", "barbu"]
    assert phone.state.match.unfinished_hand is None


def test_a_hand_begun_after_an_undo_is_set_aside_by_the_next_and_comes_back_before_the_older_one():
    phone = two_hands()
    phone.undo()
    phone.send("hand", 2, fields={"declare": "no-hearts"})
    phone.undo()
    phone.redo()
    assert phone.state.match.unfinished_hand == referee.Hand(contract="no-hearts")
    assert offered(phone) == 2
    phone.redo()
    assert (phone.played, offered(phone)) == (["misere", "barbu"], None)


def test_a_correction_in_between_is_no_new_hand():
    phone = two_hands()
    phone.undo()
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 3, 5, 2))
    assert offered(phone) == 2
    phone.redo()
    assert phone.state.hand(1).result.counts["tricks"][ANN] == 3
    assert phone.played == ["misere", "barbu"]


def test_it_brings_a_corrected_hand_back_as_corrected():
    phone = two_hands()
    phone.correct(2, "barbu", [(CY, BOB)], king_of_hearts=ANN)
    phone.undo()
    phone.redo()
    assert phone.state.hand(2).result.counts == {"king-of-hearts": {ANN: 1}}


def test_it_is_not_offered_where_the_referee_would_refuse_it():
    phone = begin("barbu-classic")
    phone.record(**MISERE)
    phone.record(**BARBU | {"doubles": [(CY, ANN)]})
    phone.undo()
    phone.correct(1, "barbu", [(BOB, ANN)], king_of_hearts=DEE)
    assert offered(phone) is None
    rows = phone.rows
    assert phone.redo(2).status_code == 409
    assert phone.rows == rows


def test_a_match_that_was_over_is_over_again():
    phone = go_on(random_match("barbu", seed=2))
    total = phone.total
    phone.undo()
    phone.redo()
    assert phone.state.match.is_over
    assert phone.total == total
    assert phone.see().select(".places")


def test_undo_and_redo_stand_in_the_hand_s_history():
    phone = two_hands()
    phone.undo()
    phone.redo()
    history = [words(line.b) for line in phone.see("hand", 2).select(".history li")]
    assert history == ["entered", "taken back", "brought back"]
