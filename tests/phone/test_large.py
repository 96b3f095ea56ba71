"""The large view: a tablet on the table shows the score to everybody, and follows by itself."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.phone.evening import ANN, BOB, CY, DEE, address, button, elsewhere, totals, under_way
from tests.phone.test_evening import as_told
from tests.referee.strategies import random_match
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

OpenPhone = Callable[..., Page]
SCREENS = [(1024, 768), (768, 1024), (740, 360), (360, 740), (320, 640)]
HARD_NAMES = ("Ann", "Bartholomew the Third of Nottingham-upon", "أحمد", "<b>x</b>")


def figure_height(page: Page) -> float:
    """How tall the figures of the standings are, in pixels."""
    sizes = page.locator(".seats .figure").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    return min(sizes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen_and_is_fit_for_everybody(open_phone: OpenPhone, axe: Callable[[Page], list[str]]):
    told = as_told(random_match("barbu", seed=3))
    match = under_way(open_phone(), *told.hands[:9], first=told.first_declarer, names=HARD_NAMES)
    for width, height in SCREENS:
        page = open_phone(width=width, height=height)
        page.goto(address(match) + "large/")
        size = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [width, height]
        inside = page.locator(".seats .figure").evaluate_all(
            "all => all.every((one) => one.scrollWidth <= one.closest('li').clientWidth)"
        )
        assert inside
        assert axe(page) == []


@pytest.mark.parametrize(("width", "height", "at_least"), [(1024, 768, 80), (768, 1024, 120), (740, 360, 50)])
def test_the_figures_can_be_read_from_afar(open_phone: OpenPhone, width: int, height: int, at_least: int):
    """On a tablet 80 pixels are some 15 millimetres."""
    match = under_way(open_phone(), record("misere", [(BOB, ANN)], tricks={ANN: 13}))
    page = open_phone(width=width, height=height)
    page.goto(address(match) + "large/")
    assert figure_height(page) >= at_least


def test_it_follows_a_hand_from_its_contract_to_its_score(phone: Page, open_phone: OpenPhone):
    match = under_way(phone, record("misere", []))
    tablet = open_phone(width=1024, height=768)
    tablet.goto(address(match) + "large/")
    expect(tablet.locator(".now")).to_contain_text("Bob declares")
    elsewhere(match, 2, record("barbu", None))
    expect(tablet.locator(".under-way")).to_contain_text("Barbu")
    elsewhere(match, 2, record("barbu", [(CY, BOB)]))
    expect(tablet.locator(".under-way")).to_contain_text("Cy → Bob")
    elsewhere(match, 2, record("barbu", [(CY, BOB)], king_of_hearts={DEE: 1}))
    expect(tablet.locator(".seats .change")).to_have_text(["0", "0", "0", "−20"])
    expect(tablet.locator(".now")).to_contain_text("Cy declares")
    expect(tablet.locator(".under-way")).to_have_count(0)
    expect(tablet.locator(".last")).to_contain_text("Hand 2 · Bob · Barbu · Cy → Bob")


def test_it_is_opened_from_the_match_and_leads_back(phone: Page):
    under_way(phone, record("misere", []))
    phone.get_by_role("link", name="Large view").click()
    expect(phone.get_by_role("list", name="Standings").get_by_role("listitem")).to_have_count(4)
    phone.get_by_role("link", name="Match").click()
    expect(button(phone, "Undo")).to_be_visible()
    assert totals(phone) == [1, -9, -9, -9]


def test_who_won_stands_there_at_the_end(phone: Page):
    told = as_told(random_match("barbu", seed=3))
    match = under_way(phone, *told.hands, first=told.first_declarer)
    phone.goto(address(match) + "large/")
    expect(phone.locator(".now")).to_contain_text(f"{told.players[told.winners[0]]}")
    expect(phone.locator(".seats .wins")).to_have_count(len(told.winners))
    expect(phone.get_by_role("banner")).to_contain_text("Finished")
