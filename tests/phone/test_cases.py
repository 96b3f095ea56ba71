"""Evenings that go wrong, as a phone shows them."""

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import Match
from tests.phone.evening import (
    ANN,
    BOB,
    CY,
    DEE,
    address,
    button,
    contract_button,
    count,
    declare,
    double,
    doubles_done,
    go_out,
    save,
    saved,
    sheet,
    start_match,
    take,
    totals,
    under_way,
    undo,
)
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = ("South", "West", "North", "East")
SOUTH, WEST, NORTH, EAST = range(4)


def spin(page: Page, items: str, name: str):
    return page.get_by_role("spinbutton", name=f"{items} for {name}", exact=True)


def changes(page: Page, number: int) -> list[int]:
    return [change for change, _running in sheet(page)[number]]


def test_a_double_is_corrected_to_a_redouble(phone: Page):
    start_match(phone, SEATS, first="North")
    declare(phone, "Misère")
    double(phone, "South", "North").check()
    doubles_done(phone)
    count(phone, "Tricks", {"South": 2, "West": 3, "North": 5, "East": 3})
    save(phone)
    saved(phone, 1)
    assert totals(phone) == [2, -6, -16, -6]
    phone.get_by_role("link", name="Correct hand 1", exact=True).click()
    double(phone, "North", "South").check()
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    assert Match.objects.get().history(1).exclude(action="enter").count() == 0
    button(phone, "Save correction").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert totals(phone) == [8, -6, -22, -6]


def test_the_declarer_may_answer_only_whoever_doubled(phone: Page):
    under_way(phone, names=SEATS, first=NORTH)
    declare(phone, "Misère")
    for name in ("South", "West", "East"):
        expect(double(phone, "North", name)).to_be_hidden()
    double(phone, "South", "North").check()
    expect(double(phone, "North", "South")).to_be_visible()
    double(phone, "North", "South").check()
    double(phone, "South", "North").uncheck()
    expect(phone.locator("[name=double]:checked")).to_have_count(0)


SIX_IN_A_ROW = [
    record("misere", [(BOB, ANN)], tricks={ANN: 13}),
    record("no-queens", [(CY, ANN)], queens={ANN: 4}),
    record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1}),
    record("no-hearts", [(BOB, CY)], hearts={ANN: 13}, ace_of_hearts={ANN: 1}),
    record("no-last-two", []),
]


def test_a_forced_double_is_set_and_says_why(phone: Page):
    under_way(phone, *SIX_IN_A_ROW, game="barbu-classic")
    declare(phone, "Trumps", "Clubs")
    forced = double(phone, "Dee", "Ann")
    expect(forced).to_be_checked()
    expect(forced).to_have_accessible_description("owes Ann 2, Ann declares 2 more")
    for name in ("Bob", "Cy"):
        expect(double(phone, name, "Ann")).not_to_be_checked()
    expect(phone.get_by_role("checkbox", name="Played anyway")).to_be_hidden()
    forced.uncheck()
    done = button(phone, "Doubles done")
    expect(done).to_be_disabled()
    expect(done).to_have_accessible_description("Dee must double Ann, or tick Played anyway")
    phone.get_by_role("checkbox", name="Played anyway").check()
    expect(done).to_be_enabled()
    forced.check()
    doubles_done(phone)
    count(phone, "Tricks", {"Ann": 13})
    save(phone)
    saved(phone, 6)
    declare(phone, "Dominoes", "Jack")
    for name, is_forced in (("Bob", False), ("Cy", True), ("Dee", True)):
        expect(double(phone, name, "Ann")).to_be_checked(checked=is_forced)
    doubles_done(phone)
    go_out(phone, "Ann", "Bob", "Cy")
    save(phone)
    saved(phone, 7)
    owed = phone.get_by_role("table", name="Doubles owed")
    for name in ("Bob", "Cy", "Dee"):
        expect(owed.get_by_role("row").filter(has=phone.get_by_role("rowheader", name=name))).to_contain_text("met")


def test_a_broken_duty_stands_beside_the_hand(phone: Page):
    match = under_way(phone, *SIX_IN_A_ROW, game="barbu-classic")
    declare(phone, "Trumps", "Clubs")
    double(phone, "Dee", "Ann").uncheck()
    phone.get_by_role("checkbox", name="Played anyway").check()
    doubles_done(phone)
    count(phone, "Tricks", {"Ann": 5, "Bob": 4, "Cy": 4})
    save(phone)
    saved(phone, 6)
    expect(phone.get_by_title("played anyway")).to_be_visible()
    phone.goto(address(match) + "hand/6/")
    expect(phone.get_by_text("Played anyway.")).to_be_visible()


def test_a_passed_out_table_is_scored_without_a_result(phone: Page):
    under_way(phone, game="barbu-classic")
    expected = [(1, -7), (1, -9), (0, -8), (0, -10), (0, -10)]
    for number, contract in enumerate(["Barbu", "Misère", "No Queens", "No Hearts", "No Last Two"], start=1):
        declarer, others = expected[number - 1]
        contract_button(phone, contract).click()
        passes = button(phone, re.compile("^Nobody doubles"))
        shown = f"({declarer:+d} / −{-others})" if declarer else f"(0 / −{-others})"
        expect(passes).to_contain_text(shown)
        passes.click()
        saved(phone, number)
        assert changes(phone, number) == [declarer, others, others, others]
        used = contract_button(phone, f"{contract}, declared in hand {number}")
        expect(used).to_be_disabled()
        row = phone.get_by_role("table", name="Hands").get_by_role("row").nth(1)
        expect(row.get_by_role("rowheader")).to_contain_text("passed out")
    assert totals(phone) == [2, -44, -44, -44]
    declare(phone, "Trumps", "Spades")
    for name in ("Bob", "Cy", "Dee"):
        expect(double(phone, name, "Ann")).to_be_checked()
        double(phone, name, "Ann").uncheck()
    phone.get_by_role("checkbox", name="Played anyway").check()
    doubles_done(phone)
    expect(spin(phone, "Tricks", "Ann")).to_be_visible()


def test_a_hand_in_which_all_are_forced_does_not_offer_to_pass_it_out(phone: Page):
    hands = [
        record("trumps", [], trump="S", tricks={ANN: 13}),
        record("dominoes", [], start="7", finish=(ANN, BOB, CY, DEE)),
        *[record(code, []) for code in ("barbu", "misere", "no-queens")],
    ]
    under_way(phone, *hands, game="barbu-classic")
    declare(phone, "No Hearts")
    expect(button(phone, re.compile("^Nobody doubles"))).to_be_hidden()
    expect(button(phone, "Doubles done")).to_be_enabled()
    for name in ("Bob", "Cy", "Dee"):
        double(phone, name, "Ann").uncheck()
    passes = button(phone, re.compile("^Nobody doubles"))
    expect(passes).to_be_disabled()
    expect(passes).to_have_accessible_description("Bob, Cy, Dee must double Ann, or tick Played anyway")


def test_one_player_may_win_both_last_tricks(phone: Page):
    under_way(phone)
    declare(phone, "No Last Two")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    take(phone, "12th trick", "Bob")
    take(phone, "13th trick", "Bob")
    save(phone)
    saved(phone, 1)
    assert totals(phone) == [30, -60, 0, 0]
    phone.get_by_role("link", name="Correct hand 1", exact=True).click()
    take(phone, "13th trick", "Cy")
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    button(phone, "Save correction").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert totals(phone) == [10, -20, -20, 0]


def test_hearts_that_do_not_add_up_can_not_be_saved_and_stay_as_they_were_typed(phone: Page):
    under_way(phone, names=SEATS)
    declare(phone, "No Hearts")
    double(phone, "West", "South").check()
    double(phone, "East", "West").check()
    doubles_done(phone)
    take(phone, "Ace of hearts", "South")
    last = button(phone, "Save hand")
    for typed, why in {
        (5, 4, 3, 0): "1 heart missing",
        (5, 4, 3, 2): "1 heart too many",
        (0, 9, 3, 1): "South took the ace of hearts but has no hearts",
    }.items():
        for name, number in zip(SEATS, typed, strict=True):
            spin(phone, "Hearts", name).fill(str(number))
        expect(last).to_be_disabled()
        expect(last).to_have_accessible_description(why)
        assert [spin(phone, "Hearts", name).input_value() for name in SEATS] == [str(number) for number in typed]
    for name, number in zip(SEATS, (5, 4, 3, 1), strict=True):
        spin(phone, "Hearts", name).fill(str(number))
    save(phone)
    saved(phone, 1)
    assert totals(phone) == [-20, -8, -6, 4]


def test_in_a_positive_contract_only_the_declarer_is_doubled(phone: Page):
    under_way(phone, names=SEATS)
    declare(phone, "Trumps", "Diamonds")
    for other in ("North", "East"):
        expect(double(phone, "West", other)).to_be_hidden()
    expect(button(phone, "West doubles the flanks")).to_be_hidden()
    double(phone, "West", "South").check()
    button(phone, "East doubles everyone").click()
    double(phone, "South", "East").check()
    doubles_done(phone)
    count(phone, "Tricks", {"South": 7, "West": 2, "North": 3})
    save(phone)
    saved(phone, 1)
    assert totals(phone) == [120, -15, 15, -55]


def test_doubles_that_a_positive_contract_does_not_know_are_dropped(phone: Page):
    under_way(phone)
    declare(phone, "Misère")
    button(phone, "Bob doubles everyone").click()
    button(phone, re.compile("^Change contract")).click()
    declare(phone, "Trumps", "Spades")
    assert [box.get_attribute("aria-label") for box in phone.locator("[name=double]:checked").all()] == [
        "Bob doubles Ann"
    ]


def test_dominoes_takes_each_player_once(phone: Page):
    under_way(phone, names=SEATS)
    declare(phone, "Dominoes", "Queen")
    for who, whom in (("West", "South"), ("South", "West"), ("East", "South")):
        double(phone, who, whom).check()
    doubles_done(phone)
    go_out(phone, "West")
    expect(button(phone, "West is out")).to_be_disabled()
    expect(button(phone, "Save hand")).to_be_disabled()
    expect(button(phone, "Save hand")).to_have_accessible_description("3 still to go out")
    go_out(phone, "East")
    button(phone, "Take the last one back").click()
    go_out(phone, "North", "East")
    expect(phone.get_by_role("list", name="Out").get_by_role("listitem")).to_have_text(
        ["West", "North", "East", "South"]
    )
    save(phone)
    saved(phone, 1)
    assert totals(phone) == [-115, 145, 20, 15]


PHONES = [{"width": 390, "height": 664}, {"width": 360, "height": 640}]


def test_every_contract_is_entered_without_a_minus_and_without_zooming(phone: Page):
    under_way(phone)
    zoom = phone.locator("meta[name=viewport]").get_attribute("content")
    assert "user-scalable" not in zoom
    assert "maximum-scale" not in zoom
    picks = {"Trumps": "Spades", "Dominoes": "Ace"}
    for number, contract in enumerate(phone.locator(".contracts b").all_inner_texts()):
        size = PHONES[number % 2]
        phone.set_viewport_size(size)
        declare(phone, contract, picks.get(contract))
        double(phone, "Bob", "Ann").check()
        doubles_done(phone)
        fields = phone.locator("form.hand input[type=number]:visible")
        sizes = fields.evaluate_all("fields => fields.map((field) => parseFloat(getComputedStyle(field).fontSize))")
        assert all(size >= 16 for size in sizes)
        assert fields.evaluate_all("fields => fields.every((field) => field.min === '0')")
        assert phone.locator(".standings .name").all_inner_texts() == ["Ann", "Bob", "Cy", "Dee"]
        expect_save_above_the_keyboard(phone, size)
        button(phone, re.compile("^Change: ")).click()
        button(phone, re.compile("^Change contract")).click()


def expect_save_above_the_keyboard(page: Page, size: dict[str, int]) -> None:
    """The keyboard of a phone takes the lower half of the screen, and the page is laid out above it."""
    assert "interactive-widget=resizes-content" in page.locator("meta[name=viewport]").get_attribute("content")
    note = page.get_by_role("textbox", name="Note")
    if not note.is_visible():
        page.get_by_text("Note", exact=True).click()
    note.focus()
    assert float(note.evaluate("field => parseFloat(getComputedStyle(field).fontSize)")) >= 16
    above = size["height"] // 2
    page.set_viewport_size({"width": size["width"], "height": above})
    box = button(page, "Save hand").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= above
    page.set_viewport_size(size)


def test_the_turn_to_declare_moves_on_and_comes_back_by_undo(phone: Page):
    under_way(phone, record("misere", []), record("barbu", []), record("misere", []), names=SEATS)
    expect(phone.get_by_text("East declares")).to_be_visible()
    expect(phone.get_by_text("East deals, North cuts")).to_be_visible()
    left = {line.inner_text().split()[0]: line.inner_text().split()[1:] for line in phone.locator(".left dl div").all()}
    assert "M" not in left["South"]
    assert "M" in left["West"]
    assert "M" in left["East"]
    assert "B" not in left["West"]
    undo(phone, 3)
    undo(phone, 2)
    expect(phone.get_by_text("West declares")).to_be_visible()
    expect(contract_button(phone, "Barbu")).to_be_enabled()
    expect(phone.get_by_role("columnheader", name="West 7 left")).to_be_visible()
