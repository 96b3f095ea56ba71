"""A whole evening of Barbu on one phone, entered only by the names of the controls."""

from collections.abc import Iterator
from itertools import count as counting

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from referee import Counts, Hand, Match, ScoredHand
from tests.phone.evening import (
    NAMES,
    button,
    enter,
    redo,
    saved,
    sheet,
    start_match,
    totals,
    under_way,
    undo,
)
from tests.referee.strategies import random_match

pytestmark = pytest.mark.django_db(transaction=True)


def as_told(match: Match) -> Match:
    """The same match with only what a scorer enters at the table."""
    plain = {"declarer": None, "misdeals": 0, "adjustment": None, "note": ""}
    return match.with_hands([replace(hand, **plain) for hand in match.hands])


def evenings() -> Iterator[Match]:
    for seed in counting():
        yield as_told(random_match("barbu", seed=seed))


def doubles_of(scored: ScoredHand) -> Iterator[str]:
    """What was said: max, the flanks, redoubles, and doubles that were forced."""
    turn, pairs = scored.turn, scored.hand.pairs
    for who in turn.seats:
        others = {other for other in turn.seats if other != who}
        said = {other for other in others if (who, other) in pairs}
        if said == others:
            yield "max"
        if who != turn.declarer and said == others - {turn.declarer}:
            yield "flanks"
        if who in turn.forced and turn.declarer in said:
            yield "forced"
    if any((whom, who) in pairs for who, whom in pairs):
        yield "redouble"


def has_everything(match: Match) -> bool:
    said = {word for scored in match.scored for word in doubles_of(scored)}
    passed_out = sum(scored.passed_out for scored in match.scored)
    anyway = sum(hand.played_anyway for hand in match.hands)
    return said == {"max", "flanks", "forced", "redouble"} and 2 <= passed_out <= 8 and anyway == 1


def misheard(scored: ScoredHand) -> Hand:
    """The same hand with what was counted written down one seat too far."""
    counts = {
        item: {(seat + 1) % 4: number for seat, number in taken.items()}
        for item, taken in scored.hand.result.counts.items()
    }
    return replace(scored.hand, result=replace(scored.hand.result, counts=counts))


def scores(match: Match) -> dict[int, list[tuple[int, int]]]:
    """The referee's sheet: each seat's change and running total by hand number."""
    return {scored.number: list(zip(scored.total, scored.running, strict=True)) for scored in match.scored}


def expect_scores(page: Page, match: Match) -> None:
    assert totals(page) == list(match.turn.running)
    assert sheet(page) == scores(match)


def test_an_evening_of_28_hands_is_scored_as_the_referee_scores_it(phone: Page):
    right = next(match for match in evenings() if has_everything(match))
    wrong = next(scored for scored in right.scored[2:] if scored.hand.result and scored.hand.result.counts)
    hands = list(right.hands)
    hands[wrong.number - 1] = misheard(wrong)
    match = right.with_hands(hands)
    start_match(phone, first=NAMES[right.first_declarer])
    for scored in match.scored:
        if scored.number == wrong.number + 6:
            correct_counts(phone, wrong)
            match = right
            expect_scores(phone, match.with_hands(match.hands[: scored.number - 1]))
        enter(phone, scored.turn, scored.hand)
        saved(phone, scored.number)
        expect_scores(phone, match.with_hands(match.hands[: scored.number]))
        if scored.number == 9:
            undo(phone, 9)
            undo(phone, 8)
            expect_scores(phone, match.with_hands(match.hands[:7]))
            redo(phone, 8)
            redo(phone, 9)
            expect_scores(phone, match.with_hands(match.hands[:9]))
    expect_places(phone, match)
    play_again(phone)


def correct_counts(page: Page, right: ScoredHand) -> None:
    """Put an earlier hand right, by its figures."""
    page.get_by_role("link", name=f"Correct hand {right.number}", exact=True).click()
    assert isinstance(right.contract, Counts)
    for item in right.contract.items:
        for seat, name in enumerate(NAMES):
            number = right.hand.result.counts[item.code].get(seat, 0)
            if not item.is_single:
                page.get_by_role("spinbutton", name=f"{item.name} for {name}", exact=True).fill(str(number))
            elif number:
                page.get_by_role("radiogroup", name=item.name).get_by_role("radio", name=name, exact=True).check()
    expect(page.get_by_role("heading", name="What this changes")).to_be_visible()
    button(page, "Save correction").click()
    expect(page.get_by_role("table", name="Standings")).to_be_visible()


def expect_places(page: Page, match: Match) -> None:
    shown = [line.inner_text().split() for line in page.locator(".places li").all()]
    assert [(int(place), name) for place, name, _score in shown] == [
        (standing.place, NAMES[standing.seat]) for standing in match.standings
    ]


def play_again(page: Page) -> None:
    page.get_by_role("link", name="Play again").click()
    for number, name in enumerate(NAMES, start=1):
        expect(page.get_by_role("textbox", name=f"Player {number}", exact=True)).to_have_value(name)
    button(page, "Start match").click()
    expect(page.get_by_role("banner")).to_contain_text("Hand 1 of 28")
    assert totals(page) == [0, 0, 0, 0]


def test_the_end_can_be_undone_and_comes_again(phone: Page):
    match = as_told(random_match("barbu", seed=1))
    under_way(phone, *match.hands, first=match.first_declarer)
    expect(phone.get_by_role("banner")).to_contain_text("Finished")
    expect_places(phone, match)
    undo(phone, 28)
    expect_scores(phone, match.with_hands(match.hands[:27]))
    button(phone, "Redo").click()
    expect(phone.get_by_role("banner")).to_contain_text("Finished")
    expect_scores(phone, match)
