"""Four hands entered as cards by tapping them, compared, and saved as the result of the hand."""

import random
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from referee import Hand, Match, load
from referee.cards import RANK_NAMES, SUIT_NAMES
from referee.poker import CARDS, SIZES, showdown
from tests.phone.evening import (
    ANN,
    BOB,
    NAMES,
    button,
    declare,
    double,
    doubles_done,
    preview,
    save,
    saved,
    totals,
    under_way,
)
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL

pytestmark = pytest.mark.django_db(transaction=True)

Laid = Sequence[dict[str, list[str]]]


def deal(seed: int) -> Laid:
    deck = random.Random(seed).sample(sorted(CARDS), 52)
    hands = [deck[start : start + 13] for start in range(0, 52, 13)]
    return [{"front": hand[:3], "middle": hand[3:8], "back": hand[8:]} for hand in hands]


def scored(hands: Laid, game: str = "chinese-poker-72") -> tuple[float, ...]:
    """What the referee makes of these cards."""
    hand = Hand(contract="chinese-poker", doubles=((BOB, ANN),), result=showdown(hands).result)
    match = Match(load(game), NAMES, ANN).with_hands([hand])
    assert not match.problems
    return match.scored[0].total


def open_the_cards(page: Page, names: Sequence[str] = NAMES) -> None:
    under_way(page, names=names, game="chinese-poker-72")
    declare(page, "Chinese Poker")
    double(page, names[BOB], names[ANN]).check()
    doubles_done(page)
    page.wait_for_function("() => localStorage.getItem(`outbox ${location.pathname}`) === null")
    button(page, "Enter the cards").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand 1, the cards")


def tap(page: Page, card: str) -> None:
    page.get_by_role("button", name=f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}", exact=True).click()


def lay(page: Page, hands: Laid) -> None:
    """Tap the cards in order; the rows come by themselves."""
    for hand in hands:
        for row in SIZES:
            for card in hand[row]:
                tap(page, card)


@pytest.mark.parametrize("seed", [1, 2])
def test_four_hands_are_tapped_compared_and_saved(phone: Page, seed: int):
    hands = deal(seed)
    open_the_cards(phone)
    lay(phone, hands)
    button(phone, "Compare the hands").click()
    expected = [f"{number:+}".replace("-", "−").replace("+0", "0") for number in scored(hands)]
    assert preview(phone)["Total"] == expected
    button(phone, "Use this result").click()
    expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    assert preview(phone)["Total"] == expected
    save(phone)
    saved(phone, 1)
    assert totals(phone) == list(scored(hands))


def test_a_card_that_is_used_cannot_be_tapped_again(phone: Page):
    open_the_cards(phone)
    tap(phone, "KH")
    king = button(phone, "King of Hearts")
    expect(king).to_be_disabled()
    expect(phone.get_by_role("textbox", name="Front for Ann")).to_have_value("K♥")
    button(phone, "Take the last card back").click()
    expect(king).to_be_enabled()


def test_any_row_may_be_filled_first(phone: Page):
    open_the_cards(phone)
    phone.get_by_role("textbox", name="Back for Cy").click()
    tap(phone, "TS")
    expect(phone.get_by_role("textbox", name="Back for Cy")).to_have_value("10♠")


def test_what_was_tapped_survives_a_reload_and_a_look_at_the_match(phone: Page):
    open_the_cards(phone)
    for card in ("KH", "KD", "5S", "TC"):
        tap(phone, card)
    phone.goto(phone.url)
    expect(phone.get_by_role("textbox", name="Front for Ann")).to_have_value("K♥ K♦ 5♠")
    phone.get_by_role("link", name="Match").click()
    button(phone, "Enter the cards").click()
    expect(phone.get_by_role("textbox", name="Middle for Ann")).to_have_value("10♣")


def test_what_is_missing_is_said_at_its_row(phone: Page):
    open_the_cards(phone)
    lay(phone, deal(1)[:3])
    button(phone, "Compare the hands").click()
    problems = phone.get_by_role("region", name="Problems")
    expect(problems.get_by_role("listitem")).to_have_count(3)
    expect(phone.get_by_role("textbox", name="Front for Dee")).to_have_attribute("aria-invalid", "true")
    lay(phone, deal(1)[3:])
    button(phone, "Compare the hands").click()
    expect(button(phone, "Use this result")).to_be_visible()


def test_a_note_typed_before_is_still_there_afterwards(phone: Page):
    under_way(phone, game="chinese-poker-72")
    declare(phone, "Chinese Poker")
    doubles_done(phone)
    phone.get_by_text("Note", exact=True).click()
    phone.get_by_role("textbox", name="Note").fill("by candle light")
    phone.wait_for_function("() => localStorage.getItem(`outbox ${location.pathname}`) === null")
    button(phone, "Enter the cards").click()
    lay(phone, deal(3))
    button(phone, "Compare the hands").click()
    button(phone, "Use this result").click()
    expect(phone.get_by_role("textbox", name="Note")).to_have_value("by candle light")


def test_a_correction_is_entered_as_cards(phone: Page):
    before, after = deal(5), deal(6)
    hand = Hand(contract="chinese-poker", doubles=((BOB, ANN),), result=showdown(before).result)
    under_way(phone, hand, game="chinese-poker-72", path="hand/1/correct/")
    button(phone, "Enter the cards").click()
    lay(phone, after)
    button(phone, "Compare the hands").click()
    button(phone, "Use this result").click()
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    button(phone, "Save correction").click()
    expect(phone.get_by_role("table", name="Standings")).to_be_visible()
    assert totals(phone) == list(scored(after))


@pytest.mark.parametrize("javascript", [False])
def test_without_a_script_the_cards_are_typed(phone: Page, javascript: bool):
    hands = deal(4)
    under_way(phone, game="chinese-poker-72")
    phone.get_by_role("group", name="Contract").get_by_role("button", name="Chinese Poker").click()
    double(phone, "Bob", "Ann").check()
    button(phone, "Doubles done").click()
    button(phone, "Enter the cards").click()
    for name, hand in zip(NAMES, hands, strict=True):
        for row, cards in hand.items():
            phone.get_by_role("textbox", name=f"{row.capitalize()} for {name}").fill(" ".join(cards))
    button(phone, "Compare the hands").click()
    button(phone, "Use this result").click()
    save(phone)
    assert totals(phone) == list(scored(hands))


@pytest.mark.parametrize(
    ("scheme", "width", "height", "names"),
    [("light", 360, 740, NAMES), ("dark", 320, 640, NAMES), ("light", 320, 640, LONG_NAMES)],
    ids=["light, 360 px", "dark, 320 px", "long names"],
)
def test_axe_finds_nothing(
    open_phone: Callable[..., Page],
    axe: Callable[[Page], list[str]],
    scheme: str,
    width: int,
    height: int,
    names: Sequence[str],
):
    page, faults = open_phone(width, height), []
    page.emulate_media(reduced_motion="reduce")
    audits = (axe, lambda page: page.evaluate(TOO_SMALL), lambda page: page.evaluate(SIDEWAYS))
    open_the_cards(page, names)
    faults += [f"empty: {fault}" for audit in audits for fault in audit(page)]
    lay(page, deal(1)[:3])
    button(page, "Compare the hands").click()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    faults += [f"problems: {fault}" for audit in audits for fault in audit(page)]
    lay(page, deal(1)[3:])
    button(page, "Compare the hands").click()
    expect(page.get_by_role("region", name="What the cards bring")).to_be_visible()
    faults += [f"compared: {fault}" for audit in audits for fault in audit(page)]
    page.evaluate("document.documentElement.style.fontSize = '34px'")
    faults += [f"double text: {fault}" for fault in page.evaluate(SIDEWAYS)]
    assert not faults, "\n".join(faults)
