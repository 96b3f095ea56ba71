"""The focus is where the next tap is, and a hand can be entered by the keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import new_code
from tests.phone.evening import (
    ANN,
    BOB,
    CY,
    button,
    contract_button,
    declare,
    double,
    doubles_done,
    save,
    saved,
    take,
    totals,
    under_way,
)
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)


def focused(page: Page) -> str:
    """What has the focus: its name for assistive technology, or its text."""
    return page.evaluate(
        "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
    )


def tab_to(page: Page, name: str) -> None:
    for _step in range(60):
        page.keyboard.press("Tab")
        if focused(page) == name:
            return
    raise AssertionError(f"no Tab leads to {name}; the focus is at {focused(page)}")


def test_each_step_begins_with_the_focus_on_its_heading(phone: Page):
    under_way(phone)
    declare(phone, "Barbu")
    expect(phone.get_by_role("heading", name="Doubles")).to_be_focused()
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    expect(phone.get_by_role("heading", name="Result")).to_be_focused()
    take(phone, "King of hearts", "Cy")
    save(phone)
    saved(phone, 1)
    expect(phone.get_by_role("heading", name="Contract")).to_be_focused()
    button(phone, "Undo").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 1 of 28")
    expect(phone.get_by_role("heading", name="Contract")).to_be_focused()


def test_the_suit_has_the_focus_once_trumps_are_declared(phone: Page):
    under_way(phone)
    contract_button(phone, "Trumps").click()
    expect(button(phone, "Spades")).to_be_focused()


def test_what_is_used_up_hands_the_focus_on(phone: Page):
    under_way(phone)
    declare(phone, "Dominoes", "7")
    doubles_done(phone)
    button(phone, "Ann is out").click()
    expect(button(phone, "Bob is out")).to_be_focused()
    button(phone, "Bob is out").click()
    button(phone, "Dee is out").click()
    expect(button(phone, "Save hand")).to_be_focused()


def test_a_problem_takes_the_focus(phone: Page):
    match = under_way(phone, *[record("misere", [])] * 4)
    contract_button(phone, "Barbu").wait_for()
    stored = match.correct(1, record("barbu", []), key=new_code(), revision=1)
    assert stored.row.revision == 2
    contract_button(phone, "Barbu").click()
    problems = phone.get_by_role("region", name="Problems")
    expect(problems).to_be_focused()
    expect(problems).to_contain_text("Barbu was declared in hand 1 already")


def test_a_hand_is_entered_by_the_keyboard_alone(phone: Page):
    under_way(phone)
    tab_to(phone, "Misère")
    phone.keyboard.press("Enter")
    tab_to(phone, "Bob doubles Ann")
    phone.keyboard.press("Space")
    tab_to(phone, "Doubles done")
    phone.keyboard.press("Enter")
    tab_to(phone, "Tricks for Ann")
    phone.keyboard.type("3")
    tab_to(phone, "Tricks for Bob")
    phone.keyboard.type("0")
    tab_to(phone, "Tricks for Cy")
    phone.keyboard.type("8")
    phone.keyboard.press("Enter")
    saved(phone, 1)
    assert totals(phone) == [-12, 6, -16, -4]


def test_the_pad_works_by_the_keyboard(phone: Page):
    under_way(phone)
    declare(phone, "Misère")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    for number in ("9", "4"):
        tab_to(phone, number)
        phone.keyboard.press("Enter")
    tab_to(phone, "Save hand")
    phone.keyboard.press("Enter")
    saved(phone, 1)
    assert totals(phone) == [-28, 2, 0, 0]


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_enter_in_a_field_saves_and_declares_nothing_else(phone: Page):
    under_way(phone, record("misere", [(BOB, ANN)], tricks={CY: 13}))
    contract_button(phone, "No Queens").click()
    double(phone, "Ann", "Bob").check()
    button(phone, "Doubles done").click()
    fields = [phone.get_by_role("spinbutton", name=f"Queens for {name}") for name in ("Ann", "Bob", "Cy", "Dee")]
    fields[0].fill("1")
    fields[0].press("Enter")
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    expect(button(phone, re.compile("^Change: No Queens"))).to_be_visible()
    for field, number in zip(fields, (1, 1, 2, 0), strict=True):
        field.fill(str(number))
    fields[3].press("Enter")
    expect(phone.get_by_role("banner")).to_contain_text("Hand 3 of 28")
