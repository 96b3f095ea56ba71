"""How many taps a hand takes, from the match page to the saved hand."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.phone.evening import button, contract_button, double, saved, under_way

pytestmark = pytest.mark.django_db(transaction=True)

COUNT_TAPS = """
    window.taps = 0;
    addEventListener("click", (event) => { if (event.isTrusted && event.detail) window.taps += 1; }, true);
"""


@pytest.fixture
def thumb(phone: Page) -> Page:
    """A phone at an empty match that counts how often it is tapped."""
    phone.add_init_script(COUNT_TAPS)
    under_way(phone)
    return phone


def taps(page: Page, *controls: Locator) -> int:
    for control in controls:
        control.tap()
    saved(page, 1)
    return page.evaluate("window.taps")


def pad(page: Page, items: str, name: str, number: int) -> Locator:
    group = page.get_by_role("group", name=f"{items} for {name}", exact=True)
    return group.get_by_role("button", name=str(number), exact=True)


def taker(page: Page, item: str, name: str) -> Locator:
    return page.get_by_role("radiogroup", name=item).get_by_role("radio", name=name, exact=True)


def test_a_passed_out_hand_takes_two_taps(thumb: Page):
    assert taps(thumb, contract_button(thumb, "Misère"), button(thumb, re.compile("^Nobody doubles"))) == 2


def test_barbu_with_one_double_takes_five(thumb: Page):
    assert 5 == taps(
        thumb,
        contract_button(thumb, "Barbu"),
        double(thumb, "Bob", "Ann"),
        button(thumb, "Doubles done"),
        taker(thumb, "King of hearts", "Cy"),
        button(thumb, "Save hand"),
    )


def test_no_last_two_with_a_double_that_is_not_answered_takes_six(thumb: Page):
    assert 6 == taps(
        thumb,
        contract_button(thumb, "No Last Two"),
        double(thumb, "Cy", "Ann"),
        button(thumb, "Doubles done"),
        taker(thumb, "12th trick", "Dee"),
        taker(thumb, "13th trick", "Dee"),
        button(thumb, "Save hand"),
    )


def test_misère_with_one_double_takes_seven(thumb: Page):
    assert 7 == taps(
        thumb,
        contract_button(thumb, "Misère"),
        double(thumb, "Dee", "Bob"),
        button(thumb, "Doubles done"),
        pad(thumb, "Tricks", "Ann", 3),
        pad(thumb, "Tricks", "Bob", 0),
        pad(thumb, "Tricks", "Cy", 8),
        button(thumb, "Save hand"),
    )


def test_undoubled_dominoes_take_seven_with_the_rank(thumb: Page):
    assert 7 == taps(
        thumb,
        contract_button(thumb, "Dominoes"),
        thumb.get_by_role("group", name="Starting rank").get_by_role("button", name="7", exact=True),
        button(thumb, "Doubles done"),
        button(thumb, "Cy is out"),
        button(thumb, "Ann is out"),
        button(thumb, "Dee is out"),
        button(thumb, "Save hand"),
    )


def test_one_player_with_all_the_tricks_is_one_tap_on_the_pad(thumb: Page):
    assert 5 == taps(
        thumb,
        contract_button(thumb, "Misère"),
        double(thumb, "Dee", "Bob"),
        button(thumb, "Doubles done"),
        pad(thumb, "Tricks", "Ann", 13),
        button(thumb, "Save hand"),
    )
