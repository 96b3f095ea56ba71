"""The table's page and its people on a phone: searched and changed by thumb, with long names, in every light."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import Match, Table
from tests.phone.evening import BOB, address, button, under_way
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL
from tests.phone.test_evening import as_told
from tests.referee.strategies import random_match
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]
NAMES = ("Ann", "Bob", "Cy", "Dee")


def many(page: Page, names: tuple[str, ...] = NAMES) -> Table:
    """A table with 24 matches that have begun, the last one with a hand, and one that is over; Zoë is gone."""
    whole = as_told(random_match("barbu", seed=1))
    over = under_way(page, *whole.hands, names=names, first=whole.first_declarer)
    table = over.table
    others = [("Zoë", *names[1:]), names, names[::-1]]
    for number in range(24):
        match = Match.start(
            ruleset=whole.ruleset, names=others[number % 3], first_declarer=0, key=f"{number}", zone="UTC", table=table
        )
        began = datetime(2026, 11, 1, 19, tzinfo=UTC) + timedelta(days=number)
        Match.objects.filter(pk=match.pk).update(began=began)
    match.record(1, record("misere", [(BOB, 0)], tricks={0: 13}), key="first", revision=0)
    Match.objects.filter(pk=over.pk).update(began=datetime(2026, 11, 26, 19, tzinfo=UTC))
    table.player("Zoë").remove()
    page.goto(f"/t/{table.code}/")
    return table


def views(page: Page, names: tuple[str, ...]) -> Iterator[str]:
    """Take the phone to each view in turn, and name it."""
    table = many(page, names)
    bob, zoe = (table.players.get(name=name) for name in (names[1], "Zoë"))
    yield "the table"
    page.locator("summary").click()
    yield "the search, open"
    page.goto(f"/t/{table.code}/?player={bob.code}&from=2026-11-03&to=2026-11-20&before=20")
    yield "matches found"
    page.goto(f"/t/{table.code}/?from=nonsense&to=2026-02-31&player=nobody")
    yield "a search that makes no sense"
    page.goto(f"/t/{table.code}/?from=2030-01-01")
    yield "nothing found"
    page.goto(f"/t/{table.code}/name/")
    yield "the table's name"
    page.goto(f"/t/{table.code}/players/")
    yield "the people"
    page.goto(f"/t/{table.code}/players/{bob.code}/change/")
    yield "somebody"
    page.get_by_role("textbox", name="Name").fill(names[0])
    button(page, "Save name").click()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    yield "a name that somebody has"
    page.goto(f"/t/{table.code}/players/{zoe.code}/change/")
    page.get_by_role("combobox").select_option(names[0])
    button(page, "Show what this does").click()
    expect(page.get_by_role("link", name="Leave them as they are")).to_be_visible()
    yield "two names, one person"
    page.goto("/")
    yield "the start"


@pytest.mark.parametrize(
    ("scheme", "width", "height"), [("light", 360, 740), ("dark", 320, 640)], ids=["light, 360 px", "dark, 320 px"]
)
def test_axe_finds_nothing_and_every_control_can_be_hit(open_phone: OpenPhone, axe: Axe, width: int, height: int):
    page, faults = open_phone(width, height), []
    page.emulate_media(reduced_motion="reduce")
    for view in views(page, NAMES):
        faults += [f"{view}: {fault}" for fault in [*axe(page), *page.evaluate(TOO_SMALL), *page.evaluate(SIDEWAYS)]]
    assert not faults, "\n".join(faults)


def test_long_names_and_double_text_size_keep_within_the_narrowest_phone(narrow: Page):
    faults = []
    for view in views(narrow, LONG_NAMES):
        for text in ("100 %", "200 %"):
            narrow.evaluate(f"document.documentElement.style.fontSize = '{'34px' if text == '200 %' else ''}'")
            faults += [f"{view}, text at {text}: {fault}" for fault in narrow.evaluate(SIDEWAYS)]
        narrow.evaluate("document.documentElement.style.fontSize = ''")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("javascript", [True, False], ids=["with script", "without script"])
def test_matches_are_searched_by_thumb(phone: Page):
    many(phone)
    expect(phone.get_by_text("25 matches")).to_be_visible()
    phone.locator("summary").tap()
    phone.get_by_role("combobox", name="Player").select_option("Zoë")
    phone.get_by_label("From").fill("2026-11-04")
    phone.get_by_label("To").fill("2026-11-13")
    phone.get_by_role("search").get_by_role("button", name="Search").tap()
    expect(phone.get_by_text("4 matches")).to_be_visible()
    assert phone.locator("h2.day").all_inner_texts() == [
        "Friday 13 November 2026",
        "Tuesday 10 November 2026",
        "Saturday 7 November 2026",
        "Wednesday 4 November 2026",
    ]
    phone.get_by_role("link", name="Clear the search").tap()
    expect(phone.get_by_text("25 matches")).to_be_visible()
    phone.get_by_role("link", name="Earlier").tap()
    expect(phone.locator("a.match")).to_have_count(5)
    phone.get_by_role("link", name="Later").tap()
    expect(phone.locator("a.match")).to_have_count(20)


@pytest.mark.parametrize("javascript", [True, False], ids=["with script", "without script"])
def test_a_player_is_renamed_made_one_with_another_removed_and_brought_back(phone: Page):
    table = many(phone)
    phone.get_by_role("link", name="Players").tap()
    phone.get_by_role("link", name="Change Bob").tap()
    phone.get_by_role("textbox", name="Name").fill("Robert")
    button(phone, "Save name").tap()
    robert = phone.get_by_role("listitem").filter(has_text="Robert")
    expect(robert).to_be_in_viewport()
    phone.get_by_role("link", name="Change Zoë").tap()
    phone.get_by_role("combobox").select_option("Robert")
    button(phone, "Show what this does").tap()
    expect(phone.get_by_role("region", name="Problems")).to_contain_text("sat together in 8 matches")
    phone.get_by_role("combobox").select_option("Ann")
    button(phone, "Show what this does").tap()
    expect(phone.get_by_text("Zoë's 8 matches become Ann's.")).to_be_visible()
    button(phone, "Make Zoë and Ann one").tap()
    expect(phone.get_by_text("Zoë")).to_have_count(0)
    phone.get_by_role("link", name="Change Cy").tap()
    button(phone, "Remove Cy").tap()
    gone = phone.get_by_role("region", name="No longer playing")
    expect(gone).to_contain_text("Cy")
    button(phone, "Bring Cy back").tap()
    expect(gone).to_be_hidden()
    assert sorted(table.names_lately()) == ["Ann", "Cy", "Dee", "Robert"]


def test_a_watcher_s_match_shows_a_new_name_with_the_next_load(phone: Page, open_phone: OpenPhone):
    match = under_way(phone, record("misere", []), names=NAMES)
    watcher = open_phone()
    watcher.goto(address(match))
    expect(watcher.get_by_role("columnheader", name="Bob").first).to_be_visible()
    match.table.players.get(name="Bob").rename("Robert")
    watcher.reload()
    expect(watcher.get_by_role("columnheader", name="Robert").first).to_be_visible()
