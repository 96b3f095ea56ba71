"""Every step is a form that posts and a page that answers: a hand without a line of script."""

import pytest

from .browser import Browser
from .table import ANN, BOB, CY, DEE, PLAYERS, Phone, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    return begin()


@pytest.fixture
def screen(phone: Phone) -> Browser:
    screen = Browser(phone.client)
    screen.open(phone.address())
    return screen


def type_counts(screen: Browser, items: str, *counts: int) -> None:
    for name, number in zip(PLAYERS, counts, strict=True):
        screen.type(f"{items} for {name}", number)


def test_one_step_is_seen_at_a_time(screen: Browser):
    assert screen.step == "Contract"
    screen.press("Misère")
    assert screen.step == "Doubles"
    screen.tick("Bob doubles Cy")
    screen.press("Doubles done")
    assert screen.step == "Result"
    type_counts(screen, "Tricks", 2, 3, 5, 3)
    screen.press("Save hand")
    assert screen.step == "Contract"
    assert screen.status == 200


def test_misere(phone: Phone, screen: Browser):
    screen.press("Misère")
    screen.tick("Bob doubles Ann")
    screen.tick("Ann doubles Bob")
    screen.press("Doubles done")
    type_counts(screen, "Tricks", 2, 3, 5, 3)
    screen.type("Note", "a long one")
    screen.press("Save hand")
    assert phone.total == (0, -10, -10, -6)
    assert phone.state.hand(1).note == "a long one"


def test_no_hearts(phone: Phone, screen: Browser):
    screen.press("No Hearts")
    screen.tick("Dee doubles Bob")
    screen.press("Doubles done")
    type_counts(screen, "Hearts", 5, 4, 3, 1)
    screen.tick("Ann", group="Ace of hearts")
    screen.press("Save hand")
    assert phone.total == (-14, -14, -6, 4)


def test_no_queens(phone: Phone, screen: Browser):
    screen.press("No Queens")
    screen.tick("Dee doubles Bob")
    screen.press("Doubles done")
    type_counts(screen, "Queens", 0, 1, 0, 3)
    screen.press("Save hand")
    assert phone.total == (0, 6, 0, -30)


def test_barbu(phone: Phone, screen: Browser):
    screen.press("Barbu")
    screen.tick("Cy doubles Dee")
    screen.press("Doubles done")
    screen.tick("Dee", group="King of hearts")
    screen.press("Save hand")
    assert phone.total == (0, 0, 20, -40)


def test_no_last_two(phone: Phone, screen: Browser):
    screen.press("No Last Two")
    screen.tick("Cy doubles Dee")
    screen.press("Doubles done")
    screen.tick("Dee", group="12th trick")
    screen.tick("Dee", group="13th trick")
    screen.press("Save hand")
    assert phone.total == (0, 0, 30, -60)


def test_trumps_asks_for_the_suit_in_place_before_anything_is_stored(phone: Phone, screen: Browser):
    screen.press("Trumps")
    assert (screen.step, screen.status) == ("Contract", 200)
    assert phone.rows == []
    screen.press("Hearts")
    assert screen.step == "Doubles"
    screen.tick("Bob doubles Ann")
    screen.press("Doubles done")
    type_counts(screen, "Tricks", 7, 2, 3, 1)
    screen.press("Save hand")
    assert phone.state.hand(1).trump == "H"
    assert phone.total == (60, -15, 15, 5)


def test_another_suit_or_contract_can_be_chosen_as_long_as_none_is_stored(phone: Phone, screen: Browser):
    screen.press("Trumps")
    screen.press("Dominoes")
    assert not screen.may_press("Hearts")
    screen.press("Jack")
    assert (phone.state.hand(1).contract, phone.state.hand(1).start) == ("dominoes", "J")


def test_dominoes_is_tapped_in_order_and_the_last_fills_itself(phone: Phone, screen: Browser):
    screen.press("Dominoes")
    screen.press("10")
    screen.press("Doubles done")
    rows = phone.rows
    for name in ("Bob", "Dee"):
        screen.press(f"{name} is out")
    screen.press("Take the last one back")
    for name in ("Cy", "Dee"):
        screen.press(f"{name} is out")
    assert [line.get_text() for line in screen.page.select("ol.out li")] == ["Bob", "Cy", "Dee", "Ann"]
    screen.press("Take the last one back")
    assert [line.get_text() for line in screen.page.select("ol.out li")] == ["Bob", "Cy"]
    screen.press("Dee is out")
    assert phone.rows == rows
    screen.press("Save hand")
    assert phone.state.hand(1).start == "T"
    assert phone.state.hand(1).result.finish == (BOB, CY, DEE, ANN)
    assert phone.total == (-5, 45, 20, 5)


def test_back_to_the_doubles_keeps_the_ticks_and_what_was_counted(phone: Phone, screen: Browser):
    screen.press("Misère")
    screen.tick("Bob doubles Ann")
    screen.press("Doubles done")
    type_counts(screen, "Tricks", 2, 3, 5, 3)
    rows = phone.rows
    screen.press("Change: Misère")
    assert screen.step == "Doubles"
    assert screen.ticked() == ["Bob doubles Ann"]
    assert phone.rows == rows
    screen.tick("Cy doubles Ann")
    screen.press("Doubles done")
    assert screen.step == "Result"
    assert phone.state.hand(1).doubles == ((BOB, ANN), (CY, ANN))


def test_back_to_the_contract_and_another_is_declared(phone: Phone, screen: Browser):
    screen.press("Misère")
    screen.press("Change contract: Misère")
    assert screen.step == "Contract"
    screen.press("Barbu")
    assert (phone.state.hand(1).contract, screen.step) == ("barbu", "Doubles")


def test_a_reload_shows_the_step_that_was_stored_with_its_ticks(phone: Phone, screen: Browser):
    screen.press("Misère")
    screen.tick("Bob doubles Cy")
    screen.press("Doubles done")
    screen.open(phone.address())
    assert screen.step == "Result"
    assert screen.ticked() == ["Bob doubles Cy"]
    assert phone.total == (0, 0, 0, 0)


def test_a_mistake_is_shown_with_what_was_typed_and_mended(phone: Phone, screen: Browser):
    screen.press("Misère")
    screen.tick("Bob doubles Ann")
    screen.press("Doubles done")
    type_counts(screen, "Tricks", 2, 3, 5, 4)
    screen.press("Save hand")
    assert screen.status == 422
    assert screen.problems == ["14 tricks entered; 13 were played. 1 too many."]
    assert screen.step == "Result"
    screen.type("Tricks for Dee", 3)
    screen.press("Save hand")
    assert phone.total == (-2, -8, -10, -6)


def test_undo_and_redo_are_buttons(phone: Phone, screen: Browser):
    phone.record("misere")
    screen.open(phone.address())
    screen.press("Undo")
    assert phone.played == []
    assert not screen.may_press("Undo")
    screen.press("Redo")
    assert phone.played == ["misere"]
    assert not screen.may_press("Redo")


def test_a_hand_is_explained_and_corrected_from_the_sheet(phone: Phone, screen: Browser):
    phone.record("barbu", [(CY, DEE)], king_of_hearts=DEE)
    screen.open(phone.address())
    screen.follow("Explain hand 1")
    screen.follow("Correct hand 1")
    screen.tick("Bob", group="King of hearts")
    screen.press("Save correction")
    screen.press("Save correction")
    assert phone.total == (0, -20, 0, 0)


def test_nine_hands_in_a_row(phone: Phone, screen: Browser):
    for contract, items, counts in [("Misère", "Tricks", (2, 3, 5, 3)), ("No Queens", "Queens", (1, 1, 1, 1))] * 2:
        declarer = phone.state.match.turn.declarer
        screen.press(contract)
        screen.tick(f"{PLAYERS[declarer - 1]} doubles {PLAYERS[declarer]}")
        screen.press("Doubles done")
        type_counts(screen, items, *counts)
        screen.press("Save hand")
    screen.press("Barbu")
    screen.press("Nobody doubles: pass out (+1 / −7)")
    screen.press("No Hearts")
    screen.press("Nobody doubles: pass out (0 / −10)")
    screen.press("Undo")
    screen.press("No Last Two")
    screen.tick("Ann doubles Bob")
    screen.press("Doubles done")
    screen.tick("Ann", group="12th trick")
    screen.tick("Cy", group="13th trick")
    screen.press("Save hand")
    for suit in ("Clubs", "Spades", "Hearts"):
        screen.press("Trumps")
        screen.press(suit)
        screen.press("Doubles done")
        type_counts(screen, "Tricks", 13, 0, 0, 0)
        screen.press("Save hand")
    assert phone.played == ["misere", "no-queens"] * 2 + ["barbu", "no-last-two"] + ["trumps"] * 3
    assert sum(phone.total) == -26 - 24 - 26 - 24 - 20 - 30 + 3 * 65
    assert [row for row in phone.rows if row[2] == "undo"] == [(6, 3, "undo")]
