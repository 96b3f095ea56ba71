"""A dispute at the table: settled in a few taps, readable, with a script and without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.phone.evening import button, declare, double, doubles_done, settled, under_way
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL
from tests.phone.test_taps import COUNT_TAPS

pytestmark = pytest.mark.django_db(transaction=True)


def in_trumps(page: Page, names: tuple[str, ...] = ("Ann", "Bob", "Cy", "Dee")) -> None:
    """A hand of Trumps, spades, is being played."""
    under_way(page, names=names)
    declare(page, "Trumps", "Spades")
    double(page, names[1], names[0]).check()
    doubles_done(page)
    settled(page)


def verdict(page: Page) -> Locator:
    return page.locator(".verdict")


def holds(page: Page, what: str, answer: str) -> Locator:
    return page.get_by_role("group", name=f"Holds {what}", exact=True).get_by_role("button", name=answer, exact=True)


def test_a_dispute_is_settled_in_five_taps(phone: Page):
    phone.add_init_script(
        COUNT_TAPS.replace("window.taps = 0", "window.taps = Number(sessionStorage.taps || 0)").replace(
            "window.taps += 1", "sessionStorage.taps = window.taps += 1"
        )
    )
    in_trumps(phone)
    phone.evaluate("sessionStorage.taps = window.taps = 0")
    phone.get_by_role("link", name="Ruling").tap()
    button(phone, "Queen of clubs").tap()
    button(phone, "9 of spades").tap()
    button(phone, "6 of spades").tap()
    holds(phone, "Clubs", "No").tap()
    expect(phone.locator(".because")).to_have_text("6♠ is allowed only if no trump above 9♠ is held.")
    expect(phone.locator(".wins")).to_have_text("9♠ wins so far: Bob.")
    assert phone.evaluate("window.taps") == 5


def test_who_holds_the_suit_led_and_does_not_follow_is_refused_in_five_taps(phone: Page):
    in_trumps(phone)
    phone.get_by_role("link", name="Ruling").tap()
    for card in ("Queen of clubs", "9 of spades", "4 of hearts"):
        button(phone, card).tap()
    holds(phone, "Clubs", "Yes").tap()
    expect(verdict(phone)).to_contain_text("4♥ is not allowed")


def test_quick_taps_are_all_heard_and_the_address_can_be_shared(phone: Page):
    phone.goto("/ruling/barbu/?contract=trumps&trump=S")
    phone.evaluate(
        """() => ["QC", "9S", "6S"].forEach((card) => document.querySelector(`[value="add ${card}"]`).click())"""
    )
    expect(verdict(phone)).to_contain_text("6♠: it depends")
    assert "trick=QC.9S.6S" in phone.url
    phone.reload()
    expect(verdict(phone)).to_contain_text("6♠: it depends")


def test_the_cards_stay_under_the_thumb_while_a_trick_is_tapped(phone: Page):
    phone.goto("/ruling/barbu/?contract=trumps&trump=S")
    places = set()
    for card in ("Queen of clubs", "9 of spades", "6 of spades"):
        places.add(round(phone.locator(".picker").bounding_box()["y"] + phone.evaluate("scrollY")))
        button(phone, card).tap()
        expect(button(phone, card)).to_be_disabled()
    assert max(places) - min(places) <= 2


def test_a_hand_is_judged_as_it_is_tapped(phone: Page):
    phone.goto("/ruling/barbu/?contract=barbu&ask=hand")
    for card in ("King of hearts", "2 of clubs"):
        button(phone, card).tap()
    expect(phone.locator(".hand-cards")).to_contain_text("2♣")
    expect(phone.locator(".why-not")).to_contain_text("K♥ may not be led while another suit is held")
    button(phone, "2 of clubs").tap()
    expect(verdict(phone)).to_contain_text("Any of these may be played")


def test_doubling_is_told_turn_by_turn(phone: Page):
    under_way(phone)
    declare(phone, "Misère")
    settled(phone)
    phone.get_by_role("link", name="Ruling").tap()
    phone.get_by_role("link", name="Doubles").tap()
    expect(verdict(phone)).to_contain_text("Bob speaks")
    button(phone, "Bob doubles Ann").tap()
    button(phone, "Bob is done").tap()
    expect(verdict(phone)).to_contain_text("Cy speaks")
    expect(phone.locator(".answer")).to_contain_text("Somebody has doubled, so Misère is played.")


def test_without_a_signal_the_taps_are_kept(phone: Page):
    phone.goto("/ruling/barbu/?contract=misere")
    phone.context.set_offline(True)
    button(phone, "9 of diamonds").tap()
    expect(phone.get_by_role("status")).to_contain_text("No answer")
    phone.context.set_offline(False)
    expect(verdict(phone)).to_contain_text("9♦ is allowed")


def test_a_card_that_is_used_up_hands_the_focus_to_the_next(phone: Page):
    phone.goto("/ruling/barbu/?contract=misere")
    button(phone, "9 of diamonds").focus()
    phone.keyboard.press("Enter")
    expect(button(phone, "8 of diamonds")).to_be_focused()


@pytest.mark.parametrize("javascript", [False])
def test_without_a_script_each_tap_is_a_page(phone: Page):
    in_trumps_without_a_script(phone)
    phone.get_by_role("link", name="Ruling").click()
    for card in ("Queen of clubs", "9 of spades", "6 of spades"):
        button(phone, card).click()
    holds(phone, "Clubs", "No").click()
    expect(phone.locator(".because")).to_have_text("6♠ is allowed only if no trump above 9♠ is held.")
    assert "do=" not in phone.url


def in_trumps_without_a_script(page: Page) -> None:
    under_way(page)
    page.get_by_role("group", name="Contract").get_by_role("button", name="Trumps").click()
    button(page, "Spades").click()


VIEWS = {
    "games": "/ruling/",
    "contracts": "/ruling/barbu/",
    "trump suit": "/ruling/barbu/?contract=trumps",
    "starting rank": "/ruling/coup-detat/?contract=tableau",
    "an empty trick": "/ruling/barbu/?contract=trumps&trump=S",
    "it depends": "/ruling/barbu/?contract=trumps&trump=S&trick=QC.9S.6S&holds=play-revoke-no",
    "not allowed": "/ruling/barbu/?contract=trumps&trump=S&trick=QC.9S.6S&holds=play-revoke-yes",
    "allowed": "/ruling/king/?contract=barbu&trick=4H&heart_discarded=1",
    "a hand": "/ruling/barbu/?contract=trumps&trump=S&ask=hand&trick=QC.9S&hand=JS.6S.4H",
    "a layout": "/ruling/barbu/?contract=dominoes&start=7&layout=7S.8S&hand=9S.2H&into=hand",
    "doubles": "/ruling/barbu/?contract=misere&ask=doubles&doubles=1-0&spoken=1",
    "a move": "/ruling/get-barbara/?top=KH&card=AS&barbaras=S.D&led=1",
    "problems": "/ruling/barbu/?contract=misere&trick=ZZ.9D.9D",
}


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 360, 740), ("dark", 320, 640)],
    ids=["light, 360 px", "dark, 320 px"],
)
def test_axe_finds_nothing_in_any_ruling(
    open_phone: Callable[..., Page], axe: Callable[[Page], list[str]], width: int, height: int
):
    page, faults = open_phone(width, height), []
    page.emulate_media(reduced_motion="reduce")
    for view, address in VIEWS.items():
        page.goto(address)
        faults += [f"{view}: {fault}" for fault in [*axe(page), *page.evaluate(TOO_SMALL), *page.evaluate(SIDEWAYS)]]
    assert not faults, "\n".join(faults)


def test_long_names_and_double_text_size_keep_within_the_narrowest_phone(narrow: Page):
    in_trumps(narrow, LONG_NAMES)
    here, faults = narrow.url, []
    for query in ("?trick=QC.9S.6S.4H", "?ask=hand&trick=QC.9S&hand=JS.6S", "?ask=doubles&spoken=0"):
        narrow.goto(here + "ruling/" + query)
        for text in ("", "34px"):
            narrow.evaluate(f"document.documentElement.style.fontSize = '{text}'")
            faults += [f"{query} {text}: {fault}" for fault in narrow.evaluate(SIDEWAYS)]
    assert not faults, "\n".join(faults)
