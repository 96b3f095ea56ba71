"""Every view of the match page: no fault that axe finds, nothing too small to tap, nothing wider than the phone."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from referee import Match
from scorekeeper.models import Saved, new_code
from tests.phone.evening import (
    ANN,
    BOB,
    CY,
    DEE,
    NAMES,
    address,
    button,
    contract_button,
    count,
    declare,
    double,
    doubles_done,
    elsewhere,
    go_out,
    pass_out,
    save,
    saved,
    settled,
    take,
    under_way,
)
from tests.phone.test_evening import as_told
from tests.referee.strategies import random_match
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]
LONG_NAMES = ("Wilhelmina", "أحمد", "👩‍👩‍👧 Zoë", "Bartholomew the Younger of Kirkcaldy-on-"[:40])
FIVE_IN_A_ROW = [
    record("misere", [(BOB, ANN)], tricks={ANN: 13}),
    record("no-queens", [(CY, ANN), (ANN, CY)], queens={ANN: 4}),
    record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1}),
    record("no-hearts", [(BOB, CY)], hearts={ANN: 13}, ace_of_hearts={ANN: 1}, note="Cy had all the queens"),
    record("no-last-two", []),
]


def whole_match() -> Match:
    return as_told(random_match("barbu", seed=1))


def views(page: Page, names: tuple[str, ...] = NAMES) -> Iterator[str]:
    """Take the phone to each view in turn, and name it."""
    ann, bob, cy, dee = names
    under_way(page, names=names)
    yield "the contract, before the first hand"
    contract_button(page, "Dominoes").click()
    yield "the starting rank"
    button(page, "10").click()
    double(page, bob, ann).check()
    yield "doubles of the declarer only"
    doubles_done(page)
    go_out(page, cy, dee)
    yield "going out"
    match = under_way(page, *FIVE_IN_A_ROW, names=names, game="barbu-classic")
    yield "the contract, in the middle of a match"
    contract_button(page, "Trumps").click()
    yield "the trump suit"
    button(page, "Hearts").click()
    yield "a forced double"
    double(page, dee, ann).uncheck()
    yield "a forced double taken back"
    page.goto(address(match) + "hand/2/")
    yield "an explanation"
    page.goto(address(match) + "hand/4/correct/")
    yield "a correction"
    double(page, dee, ann).check()
    expect(page.get_by_role("heading", name="What this changes")).to_be_visible()
    yield "a correction with its consequences"
    yield from results(page, names)
    yield from trouble(page, names)
    match = whole_match()
    under_way(page, *match.hands, names=names, first=match.first_declarer)
    yield "the end"


def results(page: Page, names: tuple[str, ...]) -> Iterator[str]:
    ann, bob, cy, dee = names
    under_way(page, record("no-last-two", []), names=names, first=DEE)
    declare(page, "No Hearts")
    button(page, f"{bob} doubles everyone").click()
    double(page, dee, cy).check()
    double(page, cy, dee).check()
    double(page, ann, bob).check()
    yield "doubles with answers"
    doubles_done(page)
    yield "nothing counted"
    count(page, "Hearts", {ann: 3, bob: 5, cy: 4})
    take(page, "Ace of hearts", dee)
    yield "everything counted"
    under_way(page, names=names)
    declare(page, "No Last Two")
    double(page, bob, ann).check()
    doubles_done(page)
    take(page, "12th trick", cy)
    yield "the last two"


def trouble(page: Page, names: tuple[str, ...]) -> Iterator[str]:
    ann, bob, _cy, _dee = names
    match = under_way(page, *[record("misere", [])] * 4, names=names)
    stored = match.correct(1, record("barbu", []), key=new_code(), revision=1)
    assert isinstance(stored, Saved)
    contract_button(page, "Barbu").click()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    yield "a problem"
    match = under_way(page, names=names)
    declare(page, "Misère")
    settled(page)
    elsewhere(match, 1, record("barbu", [(BOB, ANN)]))
    double(page, bob, ann).check()
    doubles_done(page)
    expect(page.get_by_role("region", name="Hand 1 was entered meanwhile")).to_be_visible()
    yield "a conflict in the middle of a hand"
    match = under_way(page, names=names)
    declare(page, "Misère")
    settled(page)
    elsewhere(match, 1, record("barbu", []))
    pass_out(page)
    expect(page.get_by_role("region", name="Hand 1 was entered meanwhile")).to_be_visible()
    yield "a conflict that came too late"
    under_way(page, names=names)
    declare(page, "Barbu")
    settled(page)
    page.context.set_offline(True)
    pass_out(page)
    expect(page.get_by_role("status")).to_contain_text("Not saved yet")
    yield "no signal"
    page.context.set_offline(False)
    expect(page.get_by_role("status")).to_contain_text("saved.")


TOO_SMALL = """
    () => [...document.querySelectorAll("a, button, summary, label, input:not([type=hidden])")].flatMap((control) => {
        const box = (control.closest("label") ?? control).getBoundingClientRect();
        const seen = control.checkVisibility({ visibilityProperty: true, opacityProperty: false });
        if (!seen || control.closest("[aria-hidden=true], .visually-hidden")) return [];
        const least = control.closest(".sheet") ? 40 : 48;
        return box.width < least - 0.5 || box.height < least - 0.5
            ? [`${control.getAttribute("aria-label") ?? control.textContent} is ${box.width} × ${box.height}`] : [];
    })
"""
SIDEWAYS = """
    () => {
        const page = document.documentElement, width = screen.width;
        if (page.scrollWidth <= width) return [];
        return [...document.querySelectorAll("body *")]
            .filter((part) => part.getBoundingClientRect().right > width + 1 && !part.closest(".dock"))
            .slice(-2)
            .map((part) => `${part.className || part.tagName} reaches to ${part.getBoundingClientRect().right}`);
    }
"""


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 360, 740), ("dark", 320, 640)],
    ids=["light, 360 px", "dark, 320 px"],
)
def test_axe_finds_nothing_in_any_view(open_phone: OpenPhone, axe: Axe, width: int, height: int):
    page, faults = open_phone(width, height), []
    page.emulate_media(reduced_motion="reduce")
    for view in views(page):
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


def test_columns_of_the_sheet_are_of_one_width_whatever_the_names(narrow: Page):
    match = whole_match()
    under_way(narrow, *match.hands[:20], names=LONG_NAMES, first=match.first_declarer)
    for table in ("Standings", "Hands"):
        cells = narrow.get_by_role("table", name=table).locator("tbody tr").first.locator("td:has(b), td:has(.figure)")
        widths = cells.evaluate_all("cells => cells.map((cell) => cell.getBoundingClientRect().width)")
        assert len(widths) == 4
        assert max(widths) - min(widths) < 1.5
    figures = narrow.locator(".standings .figure, .sheet td b")
    assert figures.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length") == 0


def test_thirteen_hands_are_in_view(phone: Page):
    match = whole_match()
    under_way(phone, *match.hands[:20], first=match.first_declarer)
    rows = phone.get_by_role("table", name="Hands").locator("tbody tr")
    heights = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert max(heights) <= 44
    phone.get_by_role("table", name="Hands").evaluate("table => table.scrollIntoView()")
    foot = phone.locator(".sheet tfoot").bounding_box()["y"]
    tops = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect())")
    assert sum(box["top"] >= 0 and box["bottom"] <= foot + 1 for box in tops) >= 13


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 640), (412, 915)])
def test_after_a_save_nothing_pressable_lies_where_the_finger_still_is(open_phone: OpenPhone, width: int, height: int):
    page = open_phone(width, height)
    under_way(page, *[record("misere", [])] * 4)
    declare(page, "Barbu")
    double(page, "Dee", "Ann").check()
    doubles_done(page)
    take(page, "King of hearts", "Dee")
    last = button(page, "Save hand").bounding_box()
    save(page)
    saved(page, 5)
    finger = [last["x"] + last["width"] / 2, last["y"] + last["height"] / 2]
    under = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('a, button, label')?.textContent", finger
    )
    assert under is None
