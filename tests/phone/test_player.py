"""A player's page on a phone: no fault that axe finds, nothing too small to tap, nothing wider than the phone."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import Player, Table
from tests.pages.looking_back import new_table, played
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS
from tests.referee.strategies import random_match

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]

TOO_LOW = """
    () => [...document.querySelectorAll("main a")]
        .filter((link) => !link.closest("p:not(.more)") && link.getBoundingClientRect().height < 37.5)
        .map((link) => `${link.textContent} is ${link.getBoundingClientRect().height} high`)
"""


def years(names: tuple[str, ...]) -> Table:
    """A table that has played many matches of Barbu, and one of most other games."""
    table = new_table("Sunday table")
    for seed in range(6):
        played(table, random_match("barbu", seed), names=names)
    for game in ("chinese-poker", "king", "get-barbara", "dragonmaster"):
        played(table, random_match(game, 1), names=names)
    played(table, random_match("coup-detat", 1, hands=5), names=names)
    return table


def views(page: Page, names: tuple[str, ...]) -> Iterator[str]:
    """Take the phone to each view in turn, and name it."""
    table = years(names)

    def go(player: Player, query: str = "", hands: str = "") -> None:
        page.goto(f"/t/{table.code}/players/{player.code}/{hands}{query}")

    player = table.players.get(name=names[0])
    for game in ("barbu", "chinese-poker", "king", "get-barbara", "dragonmaster", "coup-detat"):
        go(player, f"?game={game}")
        yield game
    go(player, "?game=barbu&doubled=any&doubled_by=1", "hands/")
    yield "hands behind a figure"
    go(player, "?game=barbu&match=finished", "hands/")
    yield "matches behind a figure"
    go(player, "?game=barbu&coup=1", "hands/")
    yield "no hand behind a figure"
    go(table.player("Gus"))
    yield "nothing played"


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 360, 740), ("dark", 360, 740), ("light", 320, 640), ("dark", 320, 640)],
)
def test_axe_finds_nothing_on_a_player_s_pages(open_phone: OpenPhone, axe: Axe, width: int, height: int):
    page, faults = open_phone(width, height), []
    for view in views(page, ("Ann", "Bob", "Cy", "Dee")):
        faults += [f"{view}: {fault}" for fault in [*axe(page), *page.evaluate(TOO_LOW), *page.evaluate(SIDEWAYS)]]
    assert not faults, "\n".join(faults)


def test_long_names_and_double_text_size_keep_within_the_narrowest_phone(narrow: Page):
    faults = []
    for view in views(narrow, LONG_NAMES):
        for text in ("", "34px"):
            narrow.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
            faults += [f"{view}, text {text or 'as it is'}: {fault}" for fault in narrow.evaluate(SIDEWAYS)]
    assert not faults, "\n".join(faults)


def test_a_figure_opens_its_hands_and_a_hand_its_explanation(phone: Page):
    table = years(("Ann", "Bob", "Cy", "Dee"))
    phone.goto(f"/t/{table.code}/players/")
    phone.get_by_role("link", name=re.compile("^Ann")).first.click()
    expect(phone.get_by_role("heading", name="Ann", level=1)).to_be_visible()
    chart = phone.get_by_role("img", name="Points a hand as declarer")
    expect(chart).to_have_accessible_description(chart.locator("desc").text_content() or "missing")
    row = phone.get_by_role("table", name="Points a hand").get_by_role("row").filter(has_text="Misère")
    row.get_by_role("link").first.click()
    expect(phone.get_by_role("heading", name="Misère · as declarer")).to_be_visible()
    phone.locator(".behind a").first.click()
    expect(phone.get_by_role("heading", name="Misère")).to_be_visible()
    expect(phone.get_by_role("table", name="Scores")).to_be_visible()
