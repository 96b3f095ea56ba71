"""Two phones score: both see each step, neither loses anything, and of one hand there is one."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from .table import ANN, BOB, CY, DEE, Phone, begin, let_in, new_key, problems, said, soup, words

pytestmark = pytest.mark.django_db

MINE = said("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
YOURS = said("misere", [(BOB, ANN)], tricks=(3, 3, 5, 2))


@pytest.fixture
def phone() -> Phone:
    return begin()


@pytest.fixture
def other(phone: Phone) -> Phone:
    """The second phone of the same match."""
    browser = Client()
    let_in(browser, phone.match.table)
    second = object.__new__(Phone)
    second.match, second.client = phone.match, browser
    return second


def versions(response: HttpResponse) -> dict[str, list[str]]:
    """What a conflict shows side by side."""
    assert response.status_code == 409
    blocks = soup(response).select(".versions > div")
    return {words(block.h3): [words(line) for line in block.select("li")] for block in blocks}


def press(phone: Phone, response: HttpResponse, label: str) -> HttpResponse:
    """Tap a button of an answer once: its form goes off as it stands."""
    [button] = [button for button in soup(response).select("button") if words(button) == label]
    form = button.find_parent("form")
    sent: dict[str, Any] = {}
    for field in form.select("input[name]"):
        sent.setdefault(field["name"], []).append(field["value"])
    return phone.client.post(form["action"], sent)


def correct(phone: Phone, number: int, fields: dict[str, Any], **sent: Any) -> HttpResponse:
    return phone.send("hand", number, "correct", fields=fields, **sent)


def digest(response: HttpResponse) -> str:
    return str(soup(response).select_one("[name=seen]")["value"])


# --- the same hand ---


def test_both_phones_see_each_finished_step(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=said("misere", step=""))
    assert "Doubles" in words(other.see().select_one("form.hand [data-step]:not([hidden]) h2"))
    other.send("hand", 1, fields=said("misere", [(BOB, ANN)], step="doubles"))
    assert "Result" in words(phone.see().select_one("form.hand [data-step]:not([hidden]) h2"))


def test_the_same_hand_saved_the_same_way_by_both_is_one_hand_and_both_are_shown(phone: Phone, other: Phone):
    revision = phone.state.revision(1)
    assert phone.send("hand", 1, fields=MINE, revision=revision).status_code == 302
    shown = versions(other.send("hand", 1, fields=MINE, revision=revision))
    assert shown["Saved"] == shown["Yours"]
    assert phone.played == ["misere"]


def test_the_same_hand_saved_differently_ends_with_one_and_the_other_phone_sees_both(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE, revision=0)
    answer = other.send("hand", 1, fields=YOURS, revision=0)
    shown = versions(answer)
    assert "Tricks: Ann 2, Bob 3, Cy 5, Dee 3" in shown["Saved"]
    assert "Tricks: Ann 3, Bob 3, Cy 5, Dee 2" in shown["Yours"]
    assert phone.total == (-2, -8, -10, -6)
    assert [row[:2] for row in phone.rows] == [(1, 1)]


def test_one_tap_corrects_it_and_what_that_changes_was_shown_before(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE, revision=0)
    answer = other.send("hand", 1, fields=YOURS, revision=0)
    changes = [words(line) for line in soup(answer).select(".consequences li")]
    assert "Hand 1: Ann −2 becomes −6" in changes
    response = press(other, answer, "Correct hand 1 to yours")
    assert response.status_code == 302
    assert [row[2] for row in phone.rows] == ["enter", "correct"]
    assert phone.state.hand(1).result.counts["tricks"] == {ANN: 3, BOB: 3, CY: 5, DEE: 2}


def test_one_tap_still_corrects_it_after_the_next_hand_was_saved(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE, revision=0)
    answer = other.send("hand", 1, fields=YOURS, revision=0)
    phone.record("misere")
    assert press(other, answer, "Correct hand 1 to yours").status_code == 302
    assert phone.rows[-1] == (1, 2, "correct")


def test_a_third_version_meanwhile_is_shown_and_not_overwritten(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE, revision=0)
    answer = other.send("hand", 1, fields=YOURS, revision=0)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(4, 3, 5, 1))
    again = press(other, answer, "Correct hand 1 to yours")
    shown = versions(again)
    assert "Tricks: Ann 4, Bob 3, Cy 5, Dee 1" in shown["Saved"]
    assert "Tricks: Ann 3, Bob 3, Cy 5, Dee 2" in shown["Yours"]
    assert len(phone.rows) == 2


def test_a_step_on_an_old_form_shows_both_and_one_more_tap_stores_it(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=said("misere", [(BOB, ANN)], step="doubles"), revision=0)
    answer = other.send("hand", 1, fields=said("no-queens", [(CY, ANN)], step="doubles"), revision=0)
    shown = versions(answer)
    assert shown["Saved"][:2] == ["Misère", "Bob → Ann"]
    assert shown["Yours"][:2] == ["No Queens", "Cy → Ann"]
    revision = soup(answer).select_one("form.hand [name=revision]")["value"]
    fields = said("no-queens", [(CY, ANN)], step="doubles")
    assert other.send("hand", 1, fields=fields, revision=revision).status_code == 302
    assert phone.state.match.unfinished_hand.contract == "no-queens"


# --- a correction here, a hand there ---


def test_a_correction_while_another_hand_is_saved_is_no_conflict_and_asks_nothing(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE)
    phone.record("misere")
    shown = correct(phone, 1, YOURS)
    other.record("no-hearts")
    response = correct(phone, 1, YOURS, seen=digest(shown))
    assert response.status_code == 302
    assert phone.played == ["misere", "misere", "no-hearts"]
    assert phone.state.hand(1).result.counts["tricks"] == {ANN: 3, BOB: 3, CY: 5, DEE: 2}


def test_a_hand_that_is_being_entered_while_another_is_corrected_is_no_conflict(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE)
    phone.send("hand", 2, fields=said("barbu", [(CY, BOB)], step="doubles"))
    revision = phone.state.revision(2)
    other.correct(1, "misere", [(BOB, ANN)], tricks=(3, 3, 5, 2))
    response = phone.send(
        "hand", 2, fields=said("barbu", [(CY, BOB)], king_of_hearts=DEE), revision=revision, key=new_key()
    )
    assert response.status_code == 302
    assert phone.played == ["misere", "barbu"]


def a_round(phone: Phone) -> None:
    """Four hands, one of each player, all passed out."""
    for contract in ("misere", "misere", "misere", "misere"):
        phone.record(contract)


def test_a_correction_that_the_new_hand_rules_out_is_refused_with_the_reason(phone: Phone, other: Phone):
    """Ann's Misère was a Barbu all along, says the one; meanwhile the other saves Ann's Barbu."""
    a_round(phone)
    fields = said("barbu", [(BOB, ANN)], king_of_hearts=CY)
    shown = correct(phone, 1, fields)
    assert shown.status_code == 200
    other.record("barbu")
    answer = correct(phone, 1, fields, seen=digest(shown))
    assert answer.status_code == 409
    page = soup(answer)
    assert "The match has gone on meanwhile" in words(page.select_one("[aria-labelledby=conflict]"))
    [reason] = [words(line) for line in page.select("section[aria-labelledby=problems] li")]
    assert reason.startswith("Hand 5:")
    assert "Barbu" in reason
    assert page.select_one('input[name="contract"]')["value"] == "barbu"
    assert phone.state.hand(1).contract == "misere"


def test_a_hand_that_the_correction_rules_out_is_refused_with_the_reason(phone: Phone, other: Phone):
    """The other way round: the correction comes first, and the form of the new hand is open."""
    a_round(phone)
    revision = phone.state.revision(5)
    other.correct(1, "barbu", [(BOB, ANN)], king_of_hearts=CY)
    [reason] = problems(phone.send("hand", 5, fields=said("barbu"), revision=revision))
    assert "Barbu" in reason
    assert "hand 1" in reason.lower()
    assert phone.state.finished == 4


def test_a_refusal_in_the_last_moment_is_explained_too(phone: Phone, other: Phone, monkeypatch: pytest.MonkeyPatch):
    """The other phone's hand is stored between the look at the match and the write."""
    a_round(phone)
    fields = said("barbu", [(BOB, ANN)], king_of_hearts=CY)
    seen = digest(correct(phone, 1, fields))
    written = type(phone.match).correct

    def late(match: Any, *told: Any, **how: Any) -> Any:
        monkeypatch.undo()
        other.record("barbu")
        return written(match, *told, **how)

    monkeypatch.setattr(type(phone.match), "correct", late)
    answer = correct(phone, 1, fields, seen=seen)
    assert answer.status_code == 409
    assert "Barbu" in words(soup(answer).select_one("section[aria-labelledby=problems]"))
    assert phone.state.hand(1).contract == "misere"


def test_a_phone_that_undoes_what_the_other_has_gone_past_is_told(phone: Phone, other: Phone):
    phone.send("hand", 1, fields=MINE)
    revision = phone.state.revision(1)
    other.record("misere")
    response = phone.send("hand", 1, "undo", fields={}, revision=revision)
    assert response.status_code == 409
    assert phone.state.finished == 2
