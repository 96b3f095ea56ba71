"""Everybody's phone follows: within three seconds, without moving what is read, and a scorer's loses nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.models import Match, Table, renew_links
from tests.phone.evening import (
    ANN,
    BOB,
    CY,
    DEE,
    PAGES,
    address,
    button,
    catch_up,
    count,
    declare,
    double,
    doubles_done,
    elsewhere,
    let_score_on,
    save,
    saved,
    settled,
    stay_behind,
    totals,
    under_way,
)
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

OpenPhone = Callable[..., Page]
MISÈRE = record("misere", [(BOB, ANN)], tricks={ANN: 2, BOB: 3, CY: 5, DEE: 3})
PASSED_OUT = record("misere", [])
SIGN = re.compile("^No connection since ")


@pytest.fixture
def watcher(open_phone: OpenPhone) -> Page:
    """A phone that may only watch."""
    return open_phone()


def watch(page: Page, match: Match, path: str = "") -> None:
    page.goto(address(match) + path)
    expect(page.locator(".as-of")).to_contain_text("As of")


def sign(page: Page) -> object:
    return page.locator("[data-gone]")


def asked(page: Page) -> list[str]:
    """What the page asks for from now on."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def look(page: Page, *, away: bool) -> None:
    """The phone is laid aside, or taken up again."""
    page.evaluate(
        """(away) => {
            const now = { hidden: away, visibilityState: away ? "hidden" : "visible" };
            for (const name in now) Object.defineProperty(document, name, { configurable: true, get: () => now[name] });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        away,
    )


# --- watching ---


def test_a_watcher_sees_each_step_and_the_saved_hand_without_doing_anything(phone: Page, watcher: Page):
    match = under_way(phone)
    watch(watcher, match)
    declare(phone, "Misère")
    expect(watcher.locator(".watching li").first).to_have_text("Misère")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    expect(watcher.locator(".watching")).to_contain_text("Bob → Ann")
    count(phone, "Tricks", {"Ann": 3, "Bob": 0, "Cy": 8})
    save(phone)
    saved(phone, 1)
    expect(watcher.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert totals(watcher) == totals(phone) == [-12, 6, -16, -4]
    expect(watcher.locator("[data-news]")).to_have_text("Saved: Hand 1 · Ann · Misère · Bob → Ann")


def test_while_nothing_happens_nothing_on_the_page_changes(phone: Page, watcher: Page):
    match = under_way(phone, MISÈRE)
    watch(watcher, match)
    watcher.evaluate(
        """() => {
            window.changes = [];
            const whose = ({ target }) => (target.localName ? target : target.parentElement).localName;
            new MutationObserver((seen) => changes.push(...seen.map(whose)))
                .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    for _poll in range(2):
        with watcher.expect_response(PAGES) as answer:
            pass
        assert answer.value.status == 204
    assert set(watcher.evaluate("() => changes")) <= {"time"}


def test_a_reader_s_place_and_focus_stay(phone: Page, watcher: Page):
    match = under_way(phone, *[record("misere", [])] * 4, *[record("barbu", [])] * 4, *[record("no-hearts", [])] * 4)
    watch(watcher, match)
    link = watcher.get_by_role("link", name="Explain hand 3", exact=True)
    link.scroll_into_view_if_needed()
    link.focus()
    before = link.bounding_box()["y"]
    elsewhere(match, 13, record("no-queens", []))
    expect(watcher.get_by_role("link", name="Explain hand 13")).to_be_attached()
    expect(link).to_be_focused()
    assert abs(link.bounding_box()["y"] - before) < 2


def test_laid_aside_it_asks_nothing_and_taken_up_again_at_once(phone: Page, watcher: Page):
    match = under_way(phone)
    watch(watcher, match)
    look(watcher, away=True)
    requests = asked(watcher)
    elsewhere(match, 1, MISÈRE)
    watcher.wait_for_timeout(3500)
    assert requests == []
    with watcher.expect_response(PAGES, timeout=1000):
        look(watcher, away=False)
    expect(watcher.get_by_role("banner")).to_contain_text("Hand 2 of 28")


def test_it_asks_again_within_three_seconds(phone: Page, watcher: Page):
    match = under_way(phone)
    watcher.clock.install()
    watch(watcher, match)
    for _poll in range(3):
        with watcher.expect_response(PAGES) as answer:
            watcher.clock.run_for(2999)
        assert answer.value.status == 204
        watcher.wait_for_timeout(50)


def test_after_quiet_minutes_it_asks_less_often(phone: Page, watcher: Page):
    match = under_way(phone)
    watcher.clock.install()
    watch(watcher, match)
    requests = asked(watcher)

    def in_a_minute() -> int:
        before = len(requests)
        for _step in range(60):
            watcher.clock.run_for(1000)
            watcher.wait_for_timeout(15)
        return len(requests) - before

    assert in_a_minute() > 15
    watcher.clock.fast_forward("11:00")
    assert 2 <= in_a_minute() <= 6
    watcher.clock.fast_forward("01:00:00")
    assert in_a_minute() <= 3


def test_without_a_signal_it_says_so_and_goes_on_by_itself(phone: Page, watcher: Page):
    match = under_way(phone)
    watch(watcher, match)
    watcher.context.set_offline(True)
    expect(sign(watcher)).to_have_text(SIGN, timeout=15_000)
    expect(sign(watcher)).to_be_visible()
    elsewhere(match, 1, MISÈRE)
    watcher.context.set_offline(False)
    expect(sign(watcher)).to_have_text("")
    expect(watcher.get_by_role("banner")).to_contain_text("Hand 2 of 28")


def test_a_failing_server_is_no_connection_either(phone: Page, watcher: Page, complaints: list[str]):
    match = under_way(phone)
    watch(watcher, match)
    watcher.route(PAGES, lambda route: route.fulfill(status=503, body="busy"))
    expect(sign(watcher)).to_have_text(SIGN, timeout=15_000)
    watcher.unroute(PAGES)
    expect(sign(watcher)).to_have_text("", timeout=15_000)
    complaints.clear()


def test_a_link_that_was_renewed_is_told_and_asked_no_more(phone: Page, watcher: Page):
    match = under_way(phone)
    watch(watcher, match)
    renew_links(Table.objects.get(pk=match.table.pk), None, watch=True)
    expect(sign(watcher)).to_have_text("This page cannot be seen any more. Ask for a new link.")
    requests = asked(watcher)
    watcher.wait_for_timeout(3500)
    assert requests == []


def test_an_answer_that_comes_late_does_not_put_an_old_page_in_place(phone: Page):
    match = under_way(phone)
    old = phone.evaluate("() => fetch(location.href).then((answer) => answer.text())")
    declare(phone, "Misère")
    settled(phone)
    phone.route(PAGES, lambda route: route.fulfill(body=old, content_type="text/html"), times=2)
    with phone.expect_response(PAGES):
        pass
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()
    assert match.state().match.unfinished_hand.contract == "misere"


# --- two scorers ---


@pytest.fixture
def other(open_phone: OpenPhone) -> Page:
    """Another phone that will score the same match."""
    return open_phone()


def join(page: Page, match: Match) -> None:
    """Let this phone score too."""
    let_score_on(page, match)
    page.goto(address(match))


def test_both_scorers_see_each_step_of_the_other(phone: Page, other: Page):
    match = under_way(phone)
    join(other, match)
    declare(phone, "Misère")
    expect(other.get_by_role("heading", name="Doubles")).to_be_visible(timeout=3500)
    double(other, "Bob", "Ann").check()
    doubles_done(other)
    expect(phone.get_by_role("heading", name="Result")).to_be_visible(timeout=3500)
    count(phone, "Tricks", {"Ann": 3, "Bob": 0, "Cy": 8})
    save(phone)
    saved(phone, 1)
    expect(other.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    expect(other.get_by_role("heading", name="Contract")).to_be_visible()
    assert totals(other) == [-12, 6, -16, -4]


def test_what_is_half_entered_stays_and_what_the_other_said_stands_above_it(phone: Page, other: Page):
    match = under_way(phone)
    join(other, match)
    declare(phone, "Misère")
    settled(phone)
    double(phone, "Bob", "Ann").check()
    elsewhere(match, 1, record("no-queens", [(CY, ANN)]))
    slip = phone.locator("[data-meanwhile]")
    expect(slip).to_contain_text("No Queens · Cy → Ann")
    expect(double(phone, "Bob", "Ann")).to_be_checked()
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()
    button(phone, "Doubles done").click()
    expect(phone.get_by_role("heading", name="Hand 1 was entered meanwhile")).to_be_visible()
    expect(phone.locator(".versions")).to_contain_text("Cy → Ann")
    expect(phone.locator(".versions")).to_contain_text("Bob → Ann")
    expect(button(phone, re.compile("^Change:"))).to_contain_text("Bob → Ann")


def test_theirs_is_taken_with_one_tap(phone: Page):
    match = under_way(phone)
    declare(phone, "Misère")
    settled(phone)
    double(phone, "Bob", "Ann").check()
    elsewhere(match, 1, record("no-queens", [(CY, ANN)]))
    button(phone, "Take theirs").click()
    expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    expect(button(phone, re.compile("^Change:"))).to_contain_text("Cy → Ann")
    expect(phone.locator("[data-meanwhile]")).to_be_hidden()
    phone.reload()
    expect(button(phone, re.compile("^Change:"))).to_contain_text("Cy → Ann")


def test_the_hand_that_the_other_saved_first_is_corrected_with_one_tap(phone: Page, other: Page):
    match = under_way(phone)
    join(other, match)
    for page in (phone, other):
        stay_behind(page)
    declare(phone, "Misère")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    settled(phone)
    other.reload()
    count(phone, "Tricks", {"Ann": 3, "Bob": 0, "Cy": 8})
    count(other, "Tricks", {"Ann": 2, "Bob": 3, "Cy": 5})
    save(phone)
    saved(phone, 1)
    save(other)
    expect(other.get_by_role("heading", name="Hand 1 was entered meanwhile")).to_be_visible()
    expect(other.locator(".versions")).to_contain_text("Ann 3, Cy 8, Dee 2")
    expect(other.locator(".versions")).to_contain_text("Ann 2, Bob 3, Cy 5, Dee 3")
    expect(other.locator(".consequences")).to_contain_text("Hand 1: Ann −12 becomes −2")
    for page in (phone, other):
        catch_up(page)
    button(other, "Correct hand 1 to yours").click()
    expect(other.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert totals(other) == [-2, -8, -10, -6]
    expect(phone.locator(".standings .figure").first).to_have_text("−2")


def test_a_whole_hand_saved_elsewhere_does_not_wipe_what_is_counted_here(phone: Page):
    match = under_way(phone)
    declare(phone, "Misère")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    settled(phone)
    count(phone, "Tricks", {"Ann": 3, "Bob": 4})
    elsewhere(match, 1, MISÈRE)
    expect(phone.locator("[data-meanwhile]")).to_contain_text("Hand 1 · Ann · Misère")
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert phone.get_by_role("spinbutton", name="Tricks for Bob").input_value() == "4"
    count(phone, "Tricks", {"Cy": 5})
    save(phone)
    expect(phone.get_by_role("heading", name="Hand 1 was entered meanwhile")).to_be_visible()
    expect(phone.locator(".versions")).to_contain_text("Ann 3, Bob 4, Cy 5, Dee 1")


def test_a_correction_elsewhere_is_seen_and_the_open_hand_is_left_alone(phone: Page):
    match = under_way(phone, MISÈRE)
    declare(phone, "Barbu")
    settled(phone)
    double(phone, "Cy", "Bob").check()
    match.correct(
        1,
        record("misere", [(BOB, ANN)], tricks={ANN: 3, BOB: 3, CY: 5, DEE: 2}),
        key="another-phones-key",
        revision=1,
    )
    expect(phone.locator(".standings .figure").first).to_have_text("−6")
    expect(double(phone, "Cy", "Bob")).to_be_checked()
    expect(phone.locator("[data-meanwhile]")).to_be_hidden()
    doubles_done(phone)
    settled(phone)
    assert match.state().match.unfinished_hand.doubles == ((CY, BOB),)


def test_one_s_own_steps_move_nothing_under_the_finger(phone: Page):
    under_way(phone)
    declare(phone, "Misère")
    settled(phone)
    form = phone.locator("form.hand").element_handle()
    double(phone, "Bob", "Ann").focus()
    with phone.expect_response(lambda answer: PAGES.search(answer.url) and answer.status == 200):
        pass
    with phone.expect_response(lambda answer: PAGES.search(answer.url) and answer.status == 204):
        pass
    assert form.evaluate("form => form.isConnected")
    expect(double(phone, "Bob", "Ann")).to_be_focused()


def test_without_script_a_watcher_asks_again_by_a_link(open_phone: OpenPhone, phone: Page):
    match = under_way(phone)
    context = phone.context.browser.new_context(java_script_enabled=False, base_url=phone.url.split("/t/")[0])
    page = context.new_page()
    page.goto(address(match))
    elsewhere(match, 1, MISÈRE)
    page.get_by_role("link", name="Reload").click()
    expect(page.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    context.close()
