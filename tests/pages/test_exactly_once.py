"""A double tap, a retry, the back button and a second phone give one hand, and a clear answer.

What many phones do at once is tried with real threads; each of those tests has a control in which the guard is
taken away and more than one hand is stored, so that it is known to look at the right thing.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from scorekeeper.models import Hand, Match, State

from .browser import Browser
from .table import ANN, BOB, CY, DEE, Phone, begin, new_key, said, soup, words

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
OTHER = {**MISERE, "tricks": (3, 3, 5, 2)}


def versions(response) -> list[str]:
    """Both versions that a conflict shows, the saved one first."""
    assert response.status_code == 409
    return [words(version) for version in soup(response).select(".versions > div")]


def head(response) -> str:
    return words(soup(response).select_one("#conflict"))


@pytest.mark.django_db
@pytest.mark.parametrize("in_place", [False, True])
def test_the_same_post_again_stores_nothing_and_gets_the_same_answer(in_place: bool):
    phone = begin()
    sent = {**MISERE, "hand": 1, "key": new_key(), "revision": 0, "in_place": in_place}
    first, second, third = (phone.record(**sent) for _ in range(3))
    assert phone.rows == [(1, 1, "enter")]
    assert first.status_code == second.status_code == third.status_code == (200 if in_place else 302)
    assert first.headers.get("Location") == second.headers.get("Location")
    if in_place:
        assert words(soup(second).select_one("[role=status]")) == "Hand 1 is saved."


@pytest.mark.django_db
def test_a_retried_step_gets_the_revision_it_made_the_first_time():
    phone = begin()
    step = said("misere", [(CY, ANN)]) | {"key": new_key(), "revision": 0}
    first = phone.send("hand", 1, fields=step, in_place=True)
    phone.send("hand", 1, fields=said("misere", [(CY, ANN), (ANN, CY)]), in_place=True)
    again = phone.send("hand", 1, fields=step, in_place=True)
    assert (first["Hand-Revision"], again["Hand-Revision"], again.status_code) == ("1", "1", 204)
    assert len(phone.rows) == 2


@pytest.mark.django_db
def test_a_retry_is_known_though_the_hand_went_on_meanwhile():
    phone = begin()
    sent = {**MISERE, "hand": 1, "key": new_key(), "revision": 0}
    phone.record(**sent)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=CY)
    assert phone.record(**sent).status_code == 302
    assert phone.played == ["misere", "barbu"]


@pytest.mark.django_db
def test_the_same_key_with_other_figures_is_a_conflict_that_shows_both():
    phone = begin()
    key = new_key()
    phone.record(**MISERE, key=key)
    response = phone.record(**OTHER, hand=1, key=key, revision=0)
    saved, yours = versions(response)
    assert "Ann 2, Bob 3, Cy 5, Dee 3" in saved
    assert "Ann 3, Bob 3, Cy 5, Dee 2" in yours
    assert phone.rows == [(1, 1, "enter")]
    assert phone.total == (-2, -8, -10, -6)


@pytest.mark.django_db
def test_a_key_does_one_kind_of_deed_only():
    phone = begin()
    key = new_key()
    phone.record(**MISERE, key=key)
    assert phone.undo(key=key).status_code == 409
    assert phone.played == ["misere"]


@pytest.mark.django_db
def test_a_key_of_another_match_is_a_key_like_any_other():
    phone, other = begin(), begin()
    key = new_key()
    assert phone.record(**MISERE, key=key).status_code == 302
    assert other.record(**MISERE, key=key).status_code == 302
    assert phone.played == other.played == ["misere"]


@pytest.mark.django_db
def test_a_second_phone_is_told_that_the_hand_was_entered_and_loses_nothing():
    phone = begin()
    phone.record(**MISERE)
    second = Phone(phone.match)
    response = second.record(**OTHER, note="mine", hand=1, revision=0)
    assert head(response) == "Hand 1 was entered meanwhile"
    saved, yours = versions(response)
    assert "Ann 2, Bob 3, Cy 5, Dee 3" in saved
    assert "Ann 3, Bob 3, Cy 5, Dee 2" in yours
    assert "Note: mine" in yours
    assert phone.played == ["misere"]
    assert "Bob declares" in words(soup(response).select_one(".now"))


@pytest.mark.django_db
def test_one_tap_makes_a_correction_of_what_came_too_late():
    phone = begin()
    phone.record(**MISERE)
    browser = Browser(phone.client)
    browser._show(phone.record(**OTHER, hand=1, revision=0))
    assert "Hand 1: Ann −2 becomes −6" in words(browser.page.select_one(".consequences"))
    browser.press("Correct hand 1 to yours")
    assert browser.address == phone.address()
    assert phone.rows == [(1, 1, "enter"), (1, 2, "correct")]
    assert phone.total == (-6, -6, -10, -4)


@pytest.mark.django_db
def test_what_came_too_late_and_incomplete_is_not_lost_either():
    phone = begin()
    phone.record(**MISERE)
    response = phone.record("misere", [(CY, ANN)], tricks=(3, "", "x", ""), hand=1, revision=0)
    assert head(response) == "Hand 1 was entered meanwhile"
    browser = Browser(phone.client)
    browser._show(response)
    browser.press("Correct hand 1 to yours")
    assert [browser.value(f"Tricks for {name}") for name in ("Ann", "Bob", "Cy", "Dee")] == ["3", "", "x", ""]
    assert browser.ticked() == ["Cy doubles Ann"]
    assert phone.rows == [(1, 1, "enter")]


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"declare": "trumps"}, {"contract": "dominoes", "out": "1", "finish": "2"}])
def test_a_button_that_stores_nothing_is_told_too_that_the_hand_was_entered(fields: dict[str, str]):
    phone = begin()
    phone.record(**MISERE)
    assert head(phone.send("hand", 1, fields=fields, revision=0)) == "Hand 1 was entered meanwhile"


@pytest.mark.django_db
def test_two_phones_in_the_same_hand_see_both_versions_and_the_later_may_go_on():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "misere"})
    response = phone.send("hand", 1, fields=said("barbu", [(CY, ANN)]), revision=0)
    assert head(response) == "Hand 1 was entered meanwhile"
    saved, yours = versions(response)
    assert "Misère" in saved
    assert "Barbu Cy → Ann" in yours
    page = soup(response)
    assert page.select_one("form.hand [name=contract]")["value"] == "barbu"
    assert page.select_one("form.hand [name=revision]")["value"] == "1"
    browser = Browser(phone.client)
    browser._show(response)
    browser.press("Doubles done")
    assert phone.state.match.unfinished_hand.contract == "barbu"


@pytest.mark.django_db
def test_the_hand_before_was_taken_back_while_the_next_was_entered():
    phone = begin()
    phone.record(**MISERE)
    phone.undo()
    response = phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE, hand=2, revision=0)
    assert head(response) == "Hand 1 was taken back meanwhile"
    saved, yours = versions(response)
    assert saved == "Saved not played"
    assert "Barbu" in yours
    assert "Dee" in yours
    assert soup(response).select_one("form.hand [name=contract]")["value"] == ""
    assert phone.played == []


@pytest.mark.django_db
def test_a_half_entered_hand_that_was_set_aside_meanwhile_is_no_form_of_the_one_before():
    phone = begin()
    phone.record(**MISERE)
    phone.send("hand", 2, fields={"declare": "barbu"})
    phone.undo(1)
    response = phone.send("hand", 2, fields=said("barbu", [(CY, BOB)]), revision=1)
    assert head(response) == "Hand 1 was taken back meanwhile"
    assert soup(response).select_one("form.hand [name=contract]")["value"] == ""


@pytest.mark.django_db
def test_a_hand_that_was_taken_back_while_it_was_corrected_stands_in_the_form():
    phone = begin()
    phone.record(**MISERE)
    phone.undo()
    response = phone.send("hand", 1, "correct", fields=said(**OTHER), revision=1)
    assert head(response) == "Hand 1 was taken back meanwhile"
    browser = Browser(phone.client)
    browser._show(response)
    assert browser.value("Tricks for Ann") == "3"
    browser.press("Save hand")
    assert phone.total == (-6, -6, -10, -4)


@pytest.mark.django_db
def test_a_stale_correction_shows_both_versions_and_the_next_tap_saves_it():
    phone = begin()
    phone.record(**MISERE)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(2, 3, 4, 4))
    response = phone.send("hand", 1, "correct", fields=said(**OTHER), revision=1)
    saved, yours = versions(response)
    assert "Cy 4, Dee 4" in saved
    assert "Cy 5, Dee 2" in yours
    browser = Browser(phone.client)
    browser._show(response)
    browser.press("Save correction")
    assert phone.total == (-6, -6, -10, -4)
    assert [row[2] for row in phone.rows] == ["enter", "correct", "correct"]


@pytest.mark.django_db
def test_a_correction_sent_twice_is_stored_once():
    phone = begin()
    phone.record(**MISERE)
    fields = said(**OTHER) | {"key": new_key(), "revision": 1}
    seen = soup(phone.send("hand", 1, "correct", fields=fields)).select_one("[name=seen]")["value"]
    for _ in range(3):
        assert phone.send("hand", 1, "correct", fields=fields, seen=seen).url == phone.address()
    phone.correct(1, **MISERE)
    assert phone.send("hand", 1, "correct", fields=fields, seen=seen).url == phone.address()
    assert [row[2] for row in phone.rows] == ["enter", "correct", "correct"]


@pytest.mark.django_db
@pytest.mark.parametrize("in_place", [False, True])
def test_undo_and_redo_sent_twice_are_done_once(in_place: bool):
    phone = begin()
    phone.record(**MISERE)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    for deed in ("undo", "redo"):
        sent = {"key": new_key(), "revision": phone.state.revision(2)}
        answers = [phone.send("hand", 2, deed, fields=sent, in_place=in_place) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200 if in_place else 302] * 2
    assert [row[2] for row in phone.rows] == ["enter", "enter", "undo", "redo"]


@pytest.mark.django_db
@pytest.mark.parametrize("deed", ["undo", "redo"])
def test_undo_and_redo_of_a_stale_page_change_nothing_and_say_so(deed: str):
    phone = begin()
    phone.record(**MISERE)
    if deed == "redo":
        phone.undo()
    phone.send("hand", 1, deed, fields={})
    rows = phone.rows
    response = phone.send("hand", 1, deed, fields={}, revision=rows[-1][1] - 1)
    assert response.status_code == 409
    assert head(response) == "The match has gone on meanwhile"
    assert phone.rows == rows


@pytest.mark.django_db
def test_undo_of_a_hand_that_is_no_longer_the_last_changes_nothing_and_says_so():
    phone = begin()
    phone.record(**MISERE)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    assert head(phone.undo(1)) == "The match has gone on meanwhile"
    assert phone.played == ["misere", "barbu"]


@pytest.mark.django_db
@pytest.mark.parametrize("number", [0, 2, 28, 29, 10**6])
@pytest.mark.parametrize("deed", ["undo", "redo", "correct"])
def test_a_hand_that_nobody_has_played_is_not_taken_back_nor_brought_back_nor_corrected(number: int, deed: str):
    phone = begin()
    phone.record(**MISERE)
    phone.send("hand", 2, fields={"declare": "barbu"})
    response = phone.send("hand", number, deed, fields=said(**MISERE), revision=phone.state.revision(number))
    assert response.status_code in (404, 409)
    assert [row[2] for row in phone.rows] == ["enter", "enter"]


@pytest.mark.django_db
def test_the_first_hand_cannot_be_taken_back_before_it_is_played():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "barbu"})
    assert phone.undo(0).status_code == 409
    assert phone.rows == [(1, 1, "enter")]


EIGHT = 8


def at_once(phone: Phone, post: Callable[[Phone, int], int]) -> Counter[int]:
    """Eight phones post at the same time; how often each status came back."""
    together = Barrier(EIGHT)

    def one(number: int) -> int:
        try:
            other = Phone.__new__(Phone)
            other.match, other.client = Match.objects.select_related("table").get(pk=phone.match.pk), Client()
            other.client.cookies.update(phone.client.cookies)
            together.wait()
            return post(other, number)
        finally:
            connection.close()

    with ThreadPoolExecutor(EIGHT) as pool:
        return Counter(pool.map(one, range(EIGHT)))


def save_with_a_key_of_its_own(phone: Phone, number: int) -> int:
    return phone.record(**MISERE, note=f"phone {number}", hand=1, revision=0).status_code


def declare_something(phone: Phone, number: int) -> int:
    contract = ["misere", "barbu"][number % 2]
    return phone.send("hand", 1, fields={"declare": contract}, revision=0).status_code


def retry(phone: Phone, number: int) -> int:
    return phone.record(**MISERE, hand=1, key="the-same-key", revision=0).status_code


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("post", [save_with_a_key_of_its_own, declare_something])
def test_of_eight_phones_at_once_one_is_stored_and_seven_are_told(post: Callable[[Phone, int], int]):
    phone = begin()
    assert at_once(phone, post) == {302: 1, 409: 7}
    assert phone.rows == [(1, 1, "enter")]


@pytest.mark.django_db(transaction=True)
def test_control_without_the_revision_check_eight_phones_overwrite_each_other(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(State, "is_stale", lambda *_: False)
    phone = begin()
    assert at_once(phone, declare_something) == {302: 8}
    assert len(phone.rows) == 8


@pytest.mark.django_db(transaction=True)
def test_eight_retries_at_once_store_one_hand_and_all_get_the_same_answer():
    phone = begin()
    assert at_once(phone, retry) == {302: 8}
    assert phone.rows == [(1, 1, "enter")]


@pytest.mark.django_db(transaction=True)
def test_control_without_the_key_seven_of_eight_retries_are_told_of_a_conflict(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Hand, "did", lambda *_: False)
    phone = begin()
    assert at_once(phone, retry) == {302: 1, 409: 7}


@pytest.mark.django_db(transaction=True)
def test_eight_undos_at_once_take_back_one_hand():
    phone = begin()
    phone.record(**MISERE)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    assert at_once(phone, lambda other, _: other.undo(2, revision=1).status_code) == {302: 1, 409: 7}
    assert phone.played == ["misere"]


@pytest.mark.django_db
def test_a_retried_step_is_known_though_another_phone_has_gone_on_with_the_hand():
    phone = begin()
    step = {"contract": "misere", "step": "", "key": new_key(), "revision": 0}
    phone.send("hand", 1, fields=step, in_place=True)
    phone.send("hand", 1, fields=said("misere", [(CY, ANN)]), in_place=True)
    again = phone.send("hand", 1, fields=step, in_place=True)
    assert (again.status_code, again.headers.get("Hand-Revision")) == (204, "1")
    assert len(phone.rows) == 2


@pytest.mark.django_db
def test_a_retried_hand_is_known_though_another_phone_has_added_a_penalty():
    phone = begin()
    sent = {**MISERE, "hand": 1, "key": new_key(), "revision": 0, "in_place": True}
    phone.record(**sent)
    penalty = {"sign-0": "pays", "points-0": "10", "sign-1": "gets", "points-1": "10", "reason": "revoke"}
    phone.send("hand", 1, "penalty", fields=penalty)
    assert len(phone.rows) == 2
    assert phone.record(**sent).status_code == 200
    assert len(phone.rows) == 2
