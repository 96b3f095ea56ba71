"""Without JavaScript every step is a form that posts and a page that answers."""

import re

import pytest
from playwright.sync_api import Page, expect

from referee import Contract, Counts, Finish, Hand, Match, Turn, load
from referee.cards import RANK_NAMES, SUIT_NAMES
from scorekeeper.models import Match as StoredMatch
from tests.phone.evening import (
    ANN,
    BOB,
    CY,
    DEE,
    NAMES,
    button,
    contract_button,
    double,
    sheet,
    start_match,
    take,
    totals,
    under_way,
)
from tests.referee.table import record

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.parametrize("javascript", [False])]

NINE_HANDS = [
    record("misere", [(BOB, ANN)], tricks={ANN: 5, BOB: 2, CY: 3, DEE: 3}),
    record("barbu", []),
    record("no-queens", [(DEE, CY), (CY, DEE), (ANN, BOB)], queens={DEE: 2, ANN: 1, BOB: 1}),
    record("no-hearts", [(ANN, DEE)], hearts={ANN: 1, BOB: 4, CY: 8}, ace_of_hearts={CY: 1}),
    record("no-last-two", [(BOB, DEE)], trick_12={DEE: 1}, trick_13={DEE: 1}),
    record("trumps", [(ANN, BOB), (BOB, ANN)], trump="H", tricks={BOB: 8, ANN: 5}),
    record("dominoes", [(DEE, CY)], start="T", finish=(DEE, ANN, CY, BOB)),
    record("misere", []),
    record("barbu", [(BOB, ANN), (BOB, CY), (BOB, DEE), (ANN, BOB)], king_of_hearts={BOB: 1}),
]


def enter(page: Page, turn: Turn, hand: Hand) -> None:
    contract = turn.ruleset.contract(hand.contract)
    contract_button(page, contract.name).click()
    if hand.trump:
        button(page, SUIT_NAMES[hand.trump]).click()
    if hand.start:
        page.get_by_role("group", name="Starting rank").get_by_role("button", name=RANK_NAMES[hand.start]).click()
    for who, whom in hand.doubles:
        double(page, NAMES[who], NAMES[whom]).check()
    if turn.is_passed_out(hand):
        button(page, re.compile("^Nobody doubles")).click()
        return
    button(page, "Doubles done").click()
    enter_result(page, contract, hand)
    button(page, "Save hand").click()


def enter_result(page: Page, contract: Contract, hand: Hand) -> None:
    match contract:
        case Finish():
            for seat in hand.result.finish[:-1]:
                button(page, f"{NAMES[seat]} is out").click()
        case Counts(items=items):
            for item in items:
                taken = hand.result.counts[item.code]
                if item.is_single:
                    take(page, item.name, next(NAMES[seat] for seat in taken))
                    continue
                for seat, name in enumerate(NAMES):
                    field = page.get_by_role("spinbutton", name=f"{item.name} for {name}", exact=True)
                    field.fill(str(taken.get(seat, 0)))


def test_nine_hands_of_every_kind_are_scored(phone: Page):
    start_match(phone)
    match = Match(load("barbu"), NAMES)
    for hand in NINE_HANDS:
        turn = match.turn
        enter(phone, turn, hand)
        match = match.with_hands([*match.hands, hand])
        expect(phone.get_by_role("banner")).to_contain_text(f"Hand {turn.number + 1} of 28")
        assert totals(phone) == list(match.turn.running)
    assert [[change for change, _running in sheet(phone)[n]] for n in range(1, 10)] == [
        list(scored.total) for scored in match.scored
    ]


def test_undo_and_redo_are_pages_too(phone: Page):
    under_way(phone, *NINE_HANDS[:3])
    before = totals(phone)
    button(phone, "Undo").click()
    assert totals(phone) != before
    expect(phone.get_by_role("banner")).to_contain_text("Hand 3 of 28")
    button(phone, "Redo").click()
    assert totals(phone) == before


def test_a_count_that_does_not_add_up_comes_back_as_it_was_typed(phone: Page):
    under_way(phone)
    contract_button(phone, "Misère").click()
    double(phone, "Bob", "Ann").check()
    button(phone, "Doubles done").click()
    fields = [phone.get_by_role("spinbutton", name=f"Tricks for {name}") for name in NAMES]
    for field, number in zip(fields, [5, 2, 3, 2], strict=True):
        field.fill(str(number))
    button(phone, "Save hand").click()
    problems = phone.get_by_role("region", name="Problems")
    expect(problems).to_contain_text("12 tricks entered; 13 were played")
    expect(problems).to_be_focused()
    assert [field.input_value() for field in fields] == ["5", "2", "3", "2"]
    expect(phone.locator("[name=double]:checked")).to_have_value(f"{BOB}-{ANN}")
    assert StoredMatch.objects.get().state().match.finished_hands == ()


def test_a_hand_is_corrected_with_its_consequences_shown_first(phone: Page):
    under_way(phone, *NINE_HANDS[:2])
    phone.get_by_role("link", name="Correct hand 1", exact=True).click()
    double(phone, "Ann", "Bob").check()
    button(phone, "Save correction").click()
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    assert StoredMatch.objects.get().history(1).count() == 1
    button(phone, "Save correction").click()
    expect(phone.get_by_role("table", name="Standings")).to_be_visible()
    assert StoredMatch.objects.get().history(1).count() == 2
