"""An earlier hand is corrected by its inputs; what changes elsewhere is shown before it is saved."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import referee
from referee import matchfile
from scorekeeper.models import Hand
from scorekeeper.words import consequences as consequences_of
from tests.referee.strategies import random_match

from .browser import Browser, values
from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, new_key, problems, said, soup, words

pytestmark = pytest.mark.django_db

TAKEN = {"misere": {"tricks": (2, 3, 5, 3)}, "no-hearts": {"hearts": (4, 3, 3, 3), "ace-of-hearts": ANN}}
MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
CASES = Path(__file__).parents[1] / "referee" / "cases"
EVENINGS = [
    pytest.param(case["match"], id=f"{code}-{index}")
    for code in ("barbu", "barbu-classic", "barbu-quick")
    for index, case in enumerate(json.loads((CASES / f"{code}.json").read_text("utf-8")))
]


def consequences(page: Any) -> list[str]:
    """What the page says a correction changes."""
    return [words(line) for line in page.select(".consequences li")]


def open_correction(phone: Phone, number: int) -> Browser:
    browser = Browser(phone.client)
    browser.open(phone.address())
    browser.follow(f"Correct hand {number}")
    return browser


def save_untouched(phone: Phone) -> None:
    """Open the correction of every hand, and save it as it stands there."""
    before, rows = phone.state.match.hands, phone.rows
    for number in range(1, phone.state.finished + 1):
        form = phone.see("hand", number, "correct").select_one("form.hand")
        sent: dict[str, list[str]] = {"step": ["save"]}
        for field, value in values(form):
            sent.setdefault(field, []).append(value)
        response = phone.client.post(form["action"], sent)
        assert (response.status_code, response.headers.get("Location")) == (302, phone.address()), number
    assert phone.state.match.hands == before
    assert phone.rows == rows


@pytest.mark.parametrize("match", EVENINGS)
def test_saved_untouched_no_hand_of_an_evening_changes(match: dict[str, Any]):
    played = matchfile.parse(json.dumps(match).encode()).match
    save_untouched(go_on(played))


@pytest.mark.parametrize("code", referee.names())
def test_saved_untouched_no_hand_of_any_game_changes(code: str):
    save_untouched(go_on(random_match(code, seed=5)))


def test_a_note_of_several_lines_and_outer_spaces_is_not_changed_by_saving_it_untouched():
    phone = begin()
    note = "  first\nsecond " + "long " * 120
    hand = referee.Hand(contract="misere", doubles=(), note=note)
    phone.match.record(1, hand, key=new_key(), revision=0)
    fields = said("misere", note=note.replace("\n", ""))
    assert phone.send("hand", 1, "correct", fields=fields | {"step": "save"}).url == phone.address()
    assert phone.state.hand(1) == hand


def test_what_it_changes_is_shown_before_it_is_saved():
    phone = begin()
    phone.record(**MISERE)
    browser = open_correction(phone, 1)
    assert words(browser.page.select_one("[data-consequences]")) == "Nothing is changed yet."
    browser.tick("Cy doubles Ann")
    browser.type("Tricks for Cy", 4)
    browser.type("Tricks for Dee", 4)
    browser.press("Save correction")
    assert browser.status == 200
    assert consequences(browser.page) == [
        "Hand 1: Ann −2 becomes +2",
        "Hand 1: Cy −10 becomes −12",
        "Hand 1: Dee −6 becomes −8",
        "Total of Ann: −2 becomes +2",
        "Total of Cy: −10 becomes −12",
        "Total of Dee: −6 becomes −8",
        "Cy owes Ann 1 instead of 2",
    ]
    assert phone.rows == [(1, 1, "enter")]
    browser.press("Save correction")
    assert browser.address == phone.address()
    assert phone.total == (2, -8, -12, -8)
    assert phone.rows == [(1, 1, "enter"), (1, 2, "correct")]


def test_the_preview_in_place_is_the_consequences_alone():
    phone = begin()
    phone.record(**MISERE)
    response = phone.send(
        "hand", 1, "correct", fields=said("misere", [(BOB, ANN)], tricks=(3, 3, 5, 2)), in_place=True, preview="1"
    )
    page = soup(response)
    assert consequences(page)[0] == "Hand 1: Ann −2 becomes −6"
    assert page.html is None
    assert page.select_one("[name=seen]")["value"]
    assert phone.rows == [(1, 1, "enter")]


def test_the_preview_of_what_cannot_have_happened_says_why():
    phone = begin()
    phone.record(**MISERE)
    response = phone.send(
        "hand", 1, "correct", fields=said("misere", [(BOB, ANN)], tricks=(3, 3, 5, 3)), in_place=True, preview="1"
    )
    assert response.status_code == 422
    assert words(soup(response)) == "14 tricks entered; 13 were played. 1 too many."


def test_a_change_that_no_score_knows_is_saved_after_saying_so():
    phone = begin()
    phone.record(**MISERE)
    shown = phone.send("hand", 1, "correct", fields=said(**MISERE, note="late"))
    assert "No score changes." in words(soup(shown).select_one("[data-consequences]"))
    phone.correct(1, **MISERE, note="late")
    assert phone.state.hand(1).note == "late"


def test_what_was_shown_must_still_be_true_when_it_is_saved():
    phone = begin()
    for contract in ("misere", "no-hearts"):
        phone.record(contract, [(CY, ANN), *([(BOB, ANN)] if contract == "no-hearts" else [])], **TAKEN[contract])
        for _hand in "Bob", "Cy", "Dee":
            phone.record(contract)
    fields = said("misere", [(CY, ANN), (BOB, ANN)], **TAKEN["misere"])
    shown = soup(phone.send("hand", 1, "correct", fields=fields))
    assert "Bob owes Ann 0 instead of 1" in consequences(shown)
    phone.record("no-queens", [(BOB, ANN)], queens=(1, 1, 1, 1))
    response = phone.send("hand", 1, "correct", fields=fields, seen=shown.select_one("[name=seen]")["value"])
    assert response.status_code == 200
    assert not any("Bob owes Ann" in line for line in consequences(soup(response)))
    assert "correct" not in {row[2] for row in phone.rows}
    seen = soup(response).select_one("[name=seen]")["value"]
    assert phone.send("hand", 1, "correct", fields=fields, seen=seen).status_code == 302
    assert phone.rows[-1][2] == "correct"


def test_another_contract_frees_the_one_and_uses_up_the_other():
    phone = begin()
    phone.record(**MISERE)
    shown = phone.send("hand", 1, "correct", fields=said("barbu", [(BOB, ANN)], king_of_hearts=BOB))
    assert {"Misère is free again for Ann", "Barbu is used up for Ann"} <= set(consequences(soup(shown)))
    phone.correct(1, "barbu", [(BOB, ANN)], king_of_hearts=BOB)
    assert phone.played == ["barbu"]


def test_a_change_that_makes_a_later_hand_impossible_is_refused_and_names_that_hand():
    phone = begin("barbu-classic")
    phone.record(**MISERE)
    phone.record("barbu", [(CY, ANN)], king_of_hearts=DEE)
    response = phone.send("hand", 1, "correct", fields=said("barbu", [(BOB, ANN)], king_of_hearts=BOB))
    assert problems(response) == ["Hand 2: Barbu was declared in hand 1 already."]
    assert soup(response).select_one("[name='king-of-hearts'][checked]")["value"] == str(BOB)
    assert [row[2] for row in phone.rows] == ["enter", "enter"]


def test_a_later_duty_that_it_breaks_is_told_before_it_is_saved_and_stands_there_as_a_remark():
    phone = begin("barbu-classic")
    phone.record("misere", [(DEE, ANN)], tricks=(13, 0, 0, 0))
    for contract in ("no-hearts", "no-queens", "barbu", "no-last-two"):
        phone.record(contract)
    phone.record("trumps", [(BOB, ANN), (CY, ANN)], trump="S", tricks=(13, 0, 0, 0))
    shown = phone.send("hand", 1, "correct", fields=said("misere", step="save"))
    lines = consequences(soup(shown))
    assert "Dee owes Ann 2 instead of 1" in lines
    [remark] = [line for line in lines if line.startswith("Hand 6:")]
    assert "Dee owes Ann 2 and Ann declares 2 more" in remark
    assert phone.correct(1, "misere").status_code == 302
    assert len(phone.see("hand", 6).select(".notice")) == 1


def test_a_played_hand_becomes_passed_out_when_its_doubles_go():
    phone = begin()
    phone.record(**MISERE)
    browser = open_correction(phone, 1)
    browser.untick("Bob doubles Ann")
    browser.press("Save correction")
    assert "Hand 1: Ann −2 becomes +1" in consequences(browser.page)
    assert browser.value("Tricks for Cy") == "5"
    browser.press("Save correction")
    assert phone.state.hand(1) == referee.Hand(contract="misere", doubles=())


def test_a_passed_out_hand_is_given_a_result():
    phone = begin()
    phone.record("misere")
    browser = open_correction(phone, 1)
    browser.tick("Bob doubles Ann")
    browser.press("Save correction")
    assert browser.problems[0] == "Tricks for Ann: nothing is entered."
    for name, tricks in zip(("Ann", "Bob", "Cy", "Dee"), (2, 3, 5, 3), strict=True):
        browser.type(f"Tricks for {name}", tricks)
    browser.press("Save correction")
    browser.press("Save correction")
    assert phone.total == (-2, -8, -10, -6)


def test_another_contract_is_chosen_without_script_and_the_doubles_stay():
    phone = begin()
    phone.record(**MISERE)
    browser = open_correction(phone, 1)
    browser.tick("Cy doubles Dee")
    browser.press("No Queens")
    assert browser.status == 200
    assert browser.problems == []
    assert browser.ticked() == ["Bob doubles Ann", "Cy doubles Dee"]
    assert words(browser.page.select_one("[data-consequences]")) == (
        "What a correction changes is shown here before it is saved."
    )
    browser.press("Save correction")
    assert "Queens for Ann: nothing is entered." in browser.problems
    browser.type("Queens for Ann", 4)
    for name in ("Bob", "Cy", "Dee"):
        browser.type(f"Queens for {name}", 0)
    browser.press("Save correction")
    browser.press("Save correction")
    assert phone.state.hand(1).contract == "no-queens"
    assert phone.total == (-48, 24, 0, 0)


def test_doubles_that_the_other_contract_does_not_know_are_dropped_with_it():
    phone = begin()
    phone.record("misere", [(BOB, ANN), (CY, DEE), (ANN, BOB)], tricks=(2, 3, 5, 3))
    browser = open_correction(phone, 1)
    browser.press("Trumps")
    browser.press("Hearts")
    assert browser.ticked() == ["Bob doubles Ann", "Ann doubles Bob"]
    for name, tricks in zip(("Ann", "Bob", "Cy", "Dee"), (2, 3, 5, 3), strict=True):
        browser.type(f"Tricks for {name}", tricks)
    browser.press("Save correction")
    browser.press("Save correction")
    assert phone.state.hand(1).trump == "H"


def test_the_order_of_going_out_is_tapped_again_without_script():
    phone = begin()
    phone.record("dominoes", start="7", finish=(BOB, DEE, ANN, CY))
    browser = open_correction(phone, 1)
    browser.press("Take the last one back")
    browser.press("Cy is out")
    browser.press("Save correction")
    browser.press("Save correction")
    assert phone.state.hand(1).result.finish == (BOB, DEE, CY, ANN)


def test_a_finished_hand_stays_finished():
    phone = begin()
    phone.record(**MISERE)
    for fields in ({"declare": "barbu"}, {"declare": ""}, said("misere", [(BOB, ANN)]), {"declare": "trumps"}):
        assert phone.send("hand", 1, "correct", fields=fields).status_code == 200
    assert phone.rows == [(1, 1, "enter")]
    unfinished = referee.Hand(contract="misere", doubles=((BOB, ANN),))
    outcome = phone.match.correct(1, unfinished, key=new_key(), revision=1)
    assert [found.says for found in outcome.problems] == ["Hand 1 was played to its end and needs a result."]
    assert phone.rows == [(1, 1, "enter")]


def test_a_post_without_a_receipt_says_so_and_keeps_what_was_typed():
    phone = begin()
    phone.record(**MISERE)
    response = phone.send("hand", 1, "correct", fields=said("misere", tricks=(3, 3, 5, 2)), key="")
    assert problems(response) == ["The form came incomplete. Nothing was stored; send it again."]
    assert soup(response).select_one("[name=tricks-0]")["value"] == "3"


def test_a_duty_that_is_still_owed_must_be_owned_up_to():
    phone = begin("barbu-classic")
    for contract in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two"):
        phone.record(contract)
    everyone = [(BOB, ANN), (CY, ANN), (DEE, ANN)]
    phone.record("trumps", everyone, trump="S", tricks=(13, 0, 0, 0))
    less = said("trumps", everyone[:2], trump="S", tricks=(13, 0, 0, 0))
    assert "Dee owes Ann 2 and Ann declares 2 more" in problems(phone.send("hand", 6, "correct", fields=less))[0]
    assert phone.correct(6, "trumps", everyone[:2], trump="S", tricks=(13, 0, 0, 0), played_anyway="1").url
    assert phone.state.hand(6).played_anyway


def test_it_works_after_the_end_and_the_places_follow():
    phone = go_on(random_match("barbu", seed=6))
    last = phone.state.match.scored[27]
    browser = open_correction(phone, 28)
    browser.type("Note", "at last")
    browser.press("Save correction")
    browser.press("Save correction")
    assert phone.state.hand(28).note == "at last"
    assert phone.state.match.is_over
    assert phone.state.match.scored[27].total == last.total


def test_another_winner_is_told_before_it_is_saved():
    played = random_match("barbu", seed=6)
    phone = go_on(played)
    ahead, behind = (standing.seat for standing in played.standings[::3])
    adjustment = referee.Adjustment(points={ahead: -1000, behind: 1000})
    other = replace(played.hands[-1], adjustment=adjustment)
    names = [played.players[seat] for seat in (ahead, behind)]
    assert consequences_of(phone.state, 28, other)[-1] == "The winner: {} becomes {}".format(*names)


def test_a_corrected_hand_keeps_its_number_its_declarer_and_what_comes_next():
    phone = go_on(random_match("barbu-classic", seed=7, hands=9))
    before = phone.state.match
    browser = open_correction(phone, 4)
    browser.type("Note", "x")
    browser.press("Save correction")
    browser.press("Save correction")
    after = phone.state.match
    assert [scored.total for scored in after.scored] == [scored.total for scored in before.scored]
    assert after.turn.declarer == before.turn.declarer
    assert Hand.objects.filter(match=phone.match).count() == 10


@pytest.mark.parametrize("number", [0, 2, 3, 29, 10**30])
def test_a_hand_that_is_not_finished_has_no_correction(number: int):
    phone = begin()
    phone.record(**MISERE)
    phone.send("hand", 2, fields={"declare": "barbu"})
    assert phone.client.get(phone.address("hand", number, "correct")).status_code == 404


def test_a_hand_that_only_its_tricks_tell_opens_filled_in_and_saved_untouched_does_not_change():
    deck = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    tricks = tuple(referee.Trick(led_by=0, cards=tuple(deck[seat * 13 + n] for seat in range(4))) for n in range(13))
    phone = begin()
    hand = referee.Hand(contract="misere", doubles=((1, 0),), play=tricks)
    phone.match.record(1, hand, key=new_key(), revision=0)
    browser = open_correction(phone, 1)
    assert browser.value("Tricks for Ann") == "13"
    save_untouched(phone)
    assert phone.state.hand(1) == hand
