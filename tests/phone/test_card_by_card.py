"""A hand card by card on a phone, what is at stake in it, and what went wrong: tapped, pasted, looked at."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import Match
from tests.phone.evening import ANN, BOB, CY, NAMES, address, button, under_way
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]
WHOLE = "S W N E\n" + "\n".join(f"{rank}s {rank}h {rank}d {rank}c" for rank in "23456789tjqka")
REVOKE = "S W N E\nas 2s 3s 2h\n4s 5c 5s 6s\n- - - kh"


def declared(page: Page, contract: str = "misere", names: tuple[str, ...] = NAMES, **told: object) -> Match:
    """Ann has declared, Bob has doubled her, and the tricks are to come."""
    return under_way(page, record(contract, [(BOB, ANN)], **told), names=names, path="hand/1/play/")


def said(page: Page) -> str:
    return page.locator("[data-said]").inner_text()


def paste(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Tricks").fill(text)
    button(page, "Check the tricks").click()


def test_cards_are_tapped_and_walked_through_without_loading_the_page_anew(phone: Page):
    declared(phone)
    phone.evaluate("window.same = true")
    for card in ("5 of Hearts", "Ace of Hearts", "2 of Clubs", "7 of Hearts"):
        button(phone, card).click()
    expect(phone.locator("[data-said]")).to_have_text("Trick 1 goes to Bob.")
    expect(button(phone, "Ace of Hearts")).to_be_disabled()
    button(phone, "One card back").click()
    expect(phone.locator("[data-said]")).to_have_text("Trick 1: Cy plays 2♣.")
    expect(button(phone, "One card back")).to_be_focused()
    expect(phone.get_by_role("status")).to_have_text("Trick 1: Cy plays 2♣.")
    assert phone.evaluate("window.same") is True


def test_the_result_of_pasted_tricks_is_used_and_stands_on_the_match(phone: Page):
    match = declared(phone)
    paste(phone, WHOLE)
    expect(phone.get_by_role("table", name="What the tricks bring")).to_contain_text("−52")
    button(phone, "Use this result").click()
    expect(phone.get_by_role("table", name="Standings")).to_contain_text("−52")
    assert match.state().match.scored[0].hand.result.counts == {"tricks": {ANN: 13}}
    phone.goto(address(match) + "hand/1/play/?at=17")
    phone.evaluate("window.same = true")
    phone.get_by_role("link", name="One card back").click()
    expect(phone.locator(".count-of")).to_have_text("16 of 52")
    assert phone.url.endswith("?at=16")
    assert phone.evaluate("window.same") is True


def test_a_fault_is_shown_at_its_card(phone: Page):
    declared(phone)
    paste(phone, REVOKE)
    expect(phone.get_by_role("region", name="Against the rules")).to_contain_text("6♠ in trick 2 proves it")
    expect(phone.locator(".count-of")).to_have_text("4 of 9")
    expect(phone.get_by_role("img", name="2 of Hearts, against the rules")).to_be_visible()


def test_what_was_typed_survives_a_reload_and_a_lost_signal(phone: Page):
    declared(phone)
    phone.get_by_role("textbox", name="Tricks").fill(REVOKE)
    phone.reload()
    expect(phone.get_by_role("textbox", name="Tricks")).to_have_value(REVOKE)
    phone.context.set_offline(True)
    button(phone, "Check the tricks").click()
    expect(phone.get_by_role("status")).to_contain_text("No answer")
    expect(phone.get_by_role("textbox", name="Tricks")).to_have_value(REVOKE)
    phone.context.set_offline(False)
    button(phone, "Check the tricks").click()
    expect(phone.get_by_role("region", name="Against the rules")).to_be_visible()


def test_a_misdeal_forgets_what_was_half_filled_in_for_the_cards_before(phone: Page):
    under_way(phone, record("misere", [(BOB, ANN)]))
    phone.get_by_role("spinbutton", name="Tricks for Ann").fill("3")
    phone.get_by_role("link", name="Misdeal").click()
    button(phone, "Deal again").click()
    expect(phone.get_by_role("heading", name="Contract")).to_be_visible()
    expect(phone.get_by_role("heading", name="Result")).to_be_hidden()
    phone.get_by_role("group", name="Contract").get_by_role("button", name="Barbu", exact=True).click()
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()


def views(page: Page, names: tuple[str, ...]):
    """Take the phone to each of these pages, and name it."""
    ann = names[0]
    match = declared(page, names=names)
    yield "nothing played"
    paste(page, "S W N E\nas 2s xx 4s")
    expect(page.get_by_role("heading", name="This cannot be read")).to_be_visible()
    yield "unreadable"
    paste(page, REVOKE)
    expect(page.get_by_role("heading", name="Against the rules")).to_be_visible()
    yield "a fault"
    paste(page, WHOLE)
    expect(page.get_by_role("table", name="What the tricks bring")).to_be_visible()
    yield "a result"
    page.goto(address(match) + "stakes/?tricks-0=3&tricks-2=4")
    yield "stakes"
    page.goto(address(match) + "hand/1/misdeal/")
    yield "a misdeal"
    wrong = record("misere", [(BOB, ANN)], tricks={ANN: 12, CY: 1}, misdeals=1)
    under_way(page, wrong, names=names, path="hand/1/play/")
    paste(page, WHOLE)
    expect(page.get_by_role("heading", name="By the tricks")).to_be_visible()
    yield "a result that disagrees"
    page.goto(page.url.replace("play/", ""))
    page.get_by_text("Something went wrong").click()
    page.get_by_role("radio", name=f"{ann} pays").check()
    page.get_by_role("spinbutton", name=f"Points for {ann}").fill("30")
    button(page, "Save penalty").click()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    yield "a penalty that does not add up"
    under_way(page, record("dominoes", [(BOB, ANN)], start="7"), names=names, path="stakes/?out=1")
    yield "stakes of dominoes"
    under_way(page, record("barbu", [(BOB, ANN), (ANN, BOB)]), names=names, path="stakes/")
    yield "stakes of Barbu"


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 360, 740), ("dark", 320, 640)],
    ids=["light, 360 px", "dark, 320 px"],
)
def test_axe_finds_nothing_on_any_of_these_pages(open_phone: OpenPhone, axe: Axe, width: int, height: int):
    page, faults = open_phone(width, height), []
    page.emulate_media(reduced_motion="reduce")
    for view in views(page, NAMES):
        faults += [f"{view}: {fault}" for fault in [*axe(page), *page.evaluate(TOO_SMALL), *page.evaluate(SIDEWAYS)]]
    assert not faults, "\n".join(faults)


def test_long_names_and_double_text_size_keep_within_the_narrowest_phone(narrow: Page):
    faults = []
    for view in views(narrow, LONG_NAMES):
        for size in ("", "34px"):
            narrow.evaluate(f"document.documentElement.style.fontSize = '{size}'")
            faults += [f"{view}, {size}: {fault}" for fault in narrow.evaluate(SIDEWAYS)]
        narrow.evaluate("document.documentElement.style.fontSize = ''")
    assert not faults, "\n".join(faults)
