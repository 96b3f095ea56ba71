"""Nothing entered is lost and nothing is stored twice: slow networks, none, two phones, sleep, double taps."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from referee import from_record
from referee.cards import RANK_NAMES, SUIT_NAMES
from scorekeeper.models import Hand, Match
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
    enter_doubles,
    enter_result,
    let_score_on,
    pass_out,
    redo,
    save,
    saved,
    settled,
    sheet,
    stay_behind,
    take,
    totals,
    under_way,
    undo,
)
from tests.phone.test_evening import as_told
from tests.referee.strategies import random_match
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

OpenPhone = Callable[..., Page]
POSTS = re.compile(r"/hand/\d+/")
UNSAVED = re.compile("^Not saved yet: no signal")
UNSAVED_BY_SERVER = re.compile("^Not saved yet: the server")


def spin(page: Page, name: str, items: str = "Tricks") -> Locator:
    return page.get_by_role("spinbutton", name=f"{items} for {name}", exact=True)


def status(page: Page) -> Locator:
    return page.get_by_role("status")


def finished() -> list[int]:
    """The hands that are stored with a result or as passed out, by number; each revision of one counts."""
    match = Match.objects.latest("pk")
    rows = Hand.objects.filter(match=match).exclude(record=None).order_by("pk")
    turn = match.state().match.first_turn
    return [row.number for row in rows if turn.is_finished(from_record(row.record))]


def misère_up_to_save(page: Page) -> None:
    """Misère with one double and all its tricks counted; only Save is left to tap."""
    declare(page, "Misère")
    double(page, "Bob", "Ann").check()
    doubles_done(page)
    count(page, "Tricks", {"Ann": 3, "Bob": 0, "Cy": 8})


# --- a slow network ---


def slow_down(page: Page, seconds: float) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 1000 * seconds, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)


def test_a_double_tap_and_enter_on_a_slow_network_save_one_hand(phone: Page):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    slow_down(phone, 3)
    spot = button(phone, "Save hand").bounding_box()
    for _tap in range(2):
        phone.touchscreen.tap(spot["x"] + 100, spot["y"] + 20)
    phone.keyboard.press("Enter")
    expect(button(phone, "Save hand")).to_be_disabled()
    expect(button(phone, "Save hand")).to_have_attribute("aria-busy", "true")
    expect(status(phone)).to_have_text("Saving …")
    assert totals(phone) == [0, 0, 0, 0]
    saved(phone, 1)
    assert finished() == [1]
    assert totals(phone) == [-12, 6, -16, -4]


def test_no_step_waits_for_the_network(phone: Page):
    under_way(phone)
    with held(phone) as posts:
        misère_up_to_save(phone)
        save(phone)
        expect(button(phone, "Save hand")).to_have_attribute("aria-busy", "true")
        assert len(posts) == 1
    saved(phone, 1)
    assert finished() == [1]


def test_what_is_on_its_way_can_not_be_changed_any_more(phone: Page):
    under_way(phone)
    misère_up_to_save(phone)
    with held(phone):
        save(phone)
        expect(status(phone)).to_have_text("Saving …")
        button(phone, re.compile("^Change:")).click(force=True)
        spin(phone, "Ann").focus()
        phone.keyboard.press("9")
        expect(spin(phone, "Ann")).to_have_value("3")
        expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    saved(phone, 1)
    assert totals(phone) == [-12, 6, -16, -4]


@contextmanager
def held(page: Page) -> Iterator[list[Route]]:
    """Posts of hands stay unanswered until the end of the block."""
    routes, is_over = list[Route](), False
    page.route(POSTS, lambda route: route.continue_() if is_over else routes.append(route))
    yield routes
    is_over = True
    for route in routes:
        route.continue_()


# --- double taps ---


@pytest.mark.parametrize("contract", ["Misère", "No Hearts", "No Queens", "Barbu", "No Last Two"])
def test_a_double_tap_on_a_contract_does_not_tick_a_double(phone: Page, contract: str):
    under_way(phone)
    tap_twice(phone, contract_button(phone, contract))
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()
    expect(phone.locator("[name=double]:checked")).to_have_count(0)


def test_a_double_tap_that_passes_a_hand_out_presses_nothing_after_it(phone: Page):
    under_way(phone, record("misere", []))
    declare(phone, "Misère")
    tap_twice(phone, button(phone, re.compile("^Nobody doubles")))
    saved(phone, 2)
    phone.wait_for_timeout(400)
    expect(phone.get_by_role("heading", name="Contract")).to_be_visible()
    assert finished() == [1, 2]


def tap_twice(page: Page, control: Locator) -> None:
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    for shift in (0, 3):
        page.touchscreen.tap(box["x"] + box["width"] / 2 + shift, box["y"] + box["height"] / 2)
        page.wait_for_timeout(60)


def test_quick_taps_on_different_controls_all_count(phone: Page):
    under_way(phone)
    contract_button(phone, "Misère").tap()
    double(phone, "Bob", "Ann").tap()
    double(phone, "Cy", "Dee").tap()
    button(phone, "Doubles done").tap()
    for _player in range(3):
        phone.locator(".pad button").nth(2).tap()
    expect(spin(phone, "Dee")).to_have_value("7")


# --- sleep, reload, a closed tab ---


def half_a_hand(page: Page) -> None:
    declare(page, "Misère")
    double(page, "Bob", "Ann").check()
    double(page, "Cy", "Bob").check()
    doubles_done(page)
    count(page, "Tricks", {"Ann": 3, "Bob": 4})


def expect_half_a_hand(page: Page) -> None:
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    assert [spin(page, name).input_value() for name in NAMES] == ["3", "4", "", ""]
    expect(page.get_by_role("group", name="Tricks for Cy")).to_be_visible()
    assert [box.get_attribute("aria-label") for box in page.locator("[name=double]:checked").all()] == [
        "Bob doubles Ann",
        "Cy doubles Bob",
    ]
    assert totals(page) == [0, 0, 0, 0]


def test_a_half_entered_hand_survives_a_reload_and_a_closed_tab(phone: Page):
    match = under_way(phone)
    half_a_hand(phone)
    phone.reload()
    expect_half_a_hand(phone)
    context = phone.context
    phone.close()
    again = context.new_page()
    again.goto(address(match))
    expect_half_a_hand(again)
    count(again, "Tricks", {"Cy": 6})
    save(again)
    saved(again, 1)
    assert finished() == [1]


def test_ticks_survive_a_reload_before_doubling_is_done(phone: Page):
    under_way(phone)
    declare(phone, "No Queens")
    double(phone, "Bob", "Ann").check()
    double(phone, "Ann", "Bob").check()
    phone.reload()
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()
    expect(double(phone, "Bob", "Ann")).to_be_checked()
    expect(double(phone, "Ann", "Bob")).to_be_checked()


def test_going_out_and_the_note_survive_a_reload(phone: Page):
    under_way(phone)
    declare(phone, "Dominoes", "10")
    doubles_done(phone)
    button(phone, "Cy is out").click()
    button(phone, "Ann is out").click()
    phone.get_by_text("Note", exact=True).click()
    phone.get_by_role("textbox", name="Note").fill("Dee was eating")
    phone.reload()
    expect(phone.get_by_role("list", name="Out").get_by_role("listitem")).to_have_text(["Cy", "Ann"])
    expect(phone.get_by_role("textbox", name="Note")).to_have_value("Dee was eating")
    button(phone, "Bob is out").click()
    expect(button(phone, "Save hand")).to_be_enabled()


@contextmanager
def reloaded_too_early(page: Page) -> Iterator[None]:
    """The page is reloaded, and what comes was made before the posts of this block had arrived."""
    early = page.evaluate("() => fetch(location.href).then((answer) => answer.text())")
    yield
    page.route(page.url, lambda route: route.fulfill(body=early, content_type="text/html"), times=1)
    page.reload()


def test_a_page_made_before_the_last_step_arrived_shows_the_step(phone: Page):
    under_way(phone)
    with reloaded_too_early(phone):
        declare(phone, "Misère")
        settled(phone)
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()
    pass_out(phone)
    saved(phone, 1)


def test_a_page_made_before_the_last_hand_arrived_asks_again(phone: Page):
    under_way(phone)
    with reloaded_too_early(phone):
        declare(phone, "Misère")
        pass_out(phone)
        saved(phone, 1)
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert totals(phone) == [1, -9, -9, -9]


def test_two_matches_keep_their_half_entered_hands_apart(phone: Page):
    one = under_way(phone)
    half_a_hand(phone)
    other = under_way(phone)
    declare(phone, "Trumps", "Hearts")
    doubles_done(phone)
    count(phone, "Tricks", {"Ann": 9})
    phone.goto(address(one))
    expect_half_a_hand(phone)
    phone.goto(address(other))
    assert [spin(phone, name).input_value() for name in NAMES] == ["9", "", "", ""]


def test_redo_brings_a_half_entered_hand_back_with_what_was_counted(phone: Page):
    under_way(phone, record("barbu", []))
    declare(phone, "Misère")
    double(phone, "Ann", "Bob").check()
    doubles_done(phone)
    count(phone, "Tricks", {"Ann": 3, "Bob": 4})
    undo(phone, 1)
    redo(phone, 1)
    expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    assert [spin(phone, name).input_value() for name in NAMES] == ["3", "4", "", ""]
    count(phone, "Tricks", {"Cy": 6})
    save(phone)
    saved(phone, 2)


def test_a_correction_that_was_left_comes_back_with_what_it_would_change(phone: Page):
    match = under_way(phone, record("barbu", [(BOB, ANN)], king_of_hearts={CY: 1}))
    phone.goto(address(match) + "hand/1/correct/")
    take(phone, "King of hearts", "Dee")
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    phone.goto(address(match))
    phone.goto(address(match) + "hand/1/correct/")
    expect(phone.get_by_role("heading", name="What this changes")).to_be_visible()
    expect(phone.get_by_role("radio", name="Dee", exact=True)).to_be_checked()


# --- no network, no answer, a failing server ---


def test_without_a_signal_a_hand_is_kept_and_sent_once(phone: Page):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    phone.context.set_offline(True)
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    assert totals(phone) == [0, 0, 0, 0]
    assert [spin(phone, name).input_value() for name in NAMES] == ["3", "0", "8", "2"]
    expect(button(phone, "Save hand")).to_be_disabled()
    phone.context.set_offline(False)
    saved(phone, 1)
    assert finished() == [1]
    assert totals(phone) == [-12, 6, -16, -4]


def test_a_whole_hand_can_be_entered_without_a_signal(phone: Page):
    under_way(phone)
    phone.context.set_offline(True)
    declare(phone, "Barbu")
    expect(status(phone)).to_have_text(UNSAVED)
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    take(phone, "King of hearts", "Cy")
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    phone.context.set_offline(False)
    saved(phone, 1)
    assert finished() == [1]


def test_a_hand_that_was_never_answered_is_sent_after_a_reload(phone: Page):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    phone.route(POSTS, lambda route: route.abort())
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    phone.unroute(POSTS)
    phone.reload()
    saved(phone, 1)
    assert finished() == [1]


def test_a_hand_that_waited_behind_an_earlier_step_is_sent_after_the_tab_was_closed(phone: Page):
    match = under_way(phone)
    phone.route(POSTS, lambda route: None)
    misère_up_to_save(phone)
    save(phone)
    context = phone.context
    phone.close()
    again = context.new_page()
    again.goto(address(match))
    saved(again, 1)
    assert finished() == [1]
    assert totals(again) == [-12, 6, -16, -4]


@pytest.mark.parametrize("reload", [False, True], ids=["page stays", "page is reloaded"])
def test_a_hand_whose_answer_was_lost_is_stored_once(phone: Page, reload: bool):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    lose_answers(phone)
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    assert finished() == [1]
    phone.unroute(POSTS)
    if reload:
        phone.reload()
        settled(phone)
    else:
        try_again(phone)
        saved(phone, 1)
    assert finished() == [1]
    assert totals(phone) == [-12, 6, -16, -4]
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")


def try_again(page: Page) -> None:
    """As if the signal came back just now."""
    page.evaluate("dispatchEvent(new Event('online'))")


def lose_answers(page: Page) -> None:
    """The server gets what is posted, and the phone never hears of it."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(POSTS, lose)


def test_steps_that_waited_behind_a_lost_answer_are_shown_after_a_reload_as_they_are_stored(phone: Page):
    under_way(phone)
    lose_answers(phone)
    declare(phone, "Misère")
    expect(status(phone)).to_have_text(UNSAVED)
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    phone.unroute_all(behavior="wait")
    phone.reload()
    settled(phone)
    expect(phone.get_by_role("heading", name="Result")).to_be_visible()
    expect(button(phone, re.compile("^Change:"))).to_contain_text("Bob → Ann")
    assert Match.objects.latest("pk").state().match.unfinished_hand.doubles == ((BOB, ANN),)


def test_five_hands_on_a_bad_line_are_each_stored_once(phone: Page):
    told, line = as_told(random_match("barbu", seed=0)), Random(0)
    under_way(phone, first=told.first_declarer)

    def answer(route: Route) -> None:
        """Half of the posts get through; some do not arrive, and of some the answer does not."""
        luck = line.random()
        if luck < 0.5:
            route.continue_()
            return
        if luck < 0.75:
            route.fetch()
        route.abort()

    def perhaps_reload() -> None:
        if line.random() < 0.3:
            phone.reload()

    phone.route(POSTS, answer)
    for scored in told.scored[:5]:
        turn, hand, contract = scored.turn, scored.hand, scored.contract
        declare(phone, contract.name, SUIT_NAMES.get(hand.trump or "") or RANK_NAMES.get(hand.start or ""))
        perhaps_reload()
        enter_doubles(phone, turn, hand)
        perhaps_reload()
        if scored.passed_out:
            pass_out(phone)
        else:
            doubles_done(phone)
            perhaps_reload()
            enter_result(phone, turn, contract, hand)
            perhaps_reload()
            save(phone)
        perhaps_reload()
        for _attempt in range(50):
            if f"Hand {turn.number + 1} of" in phone.get_by_role("banner").inner_text():
                break
            try_again(phone)
            phone.wait_for_timeout(100)
        assert totals(phone) == list(scored.running)
    assert finished() == [1, 2, 3, 4, 5]


def test_a_step_whose_answer_was_lost_does_not_stand_in_the_way_of_the_next_hand(phone: Page):
    under_way(phone)
    lose_answers(phone)
    declare(phone, "Misère")
    expect(status(phone)).to_have_text(UNSAVED)
    match = Match.objects.latest("pk")
    elsewhere(match, 1, record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1}))
    phone.unroute(POSTS)
    phone.reload()
    settled(phone)
    declare(phone, "No Queens")
    pass_out(phone)
    saved(phone, 2)
    assert finished() == [1, 2]


def test_the_last_hand_whose_answer_was_lost_leaves_undo_alive(phone: Page):
    told = next(m for m in (as_told(random_match("barbu", seed=n)) for n in range(99)) if m.scored[-1].passed_out)
    under_way(phone, *told.hands[:27], first=told.first_declarer)
    lose_answers(phone)
    declare(phone, told.scored[-1].contract.name)
    for box in phone.locator("[name=double]:checked").all():
        box.uncheck()
    if told.hands[-1].played_anyway:
        phone.get_by_role("checkbox", name="Played anyway").check()
    pass_out(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    phone.unroute(POSTS)
    phone.reload()
    settled(phone)
    expect(phone.get_by_role("banner")).to_contain_text("Finished")
    assert totals(phone) == list(told.turn.running)
    undo(phone, 28)


def test_a_failing_server_or_a_stranger_s_page_is_no_answer(phone: Page, complaints: list[str]):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    answers = [500, 429, 200]
    phone.route(POSTS, lambda route: route.fulfill(status=answers[0], body="<h1>Café Wi-Fi</h1>"))
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED_BY_SERVER)
    for words in (UNSAVED_BY_SERVER, UNSAVED):
        answers.pop(0)
        try_again(phone)
        expect(status(phone)).to_have_text(words)
    assert totals(phone) == [0, 0, 0, 0]
    assert [spin(phone, name).input_value() for name in NAMES] == ["3", "0", "8", "2"]
    phone.unroute(POSTS)
    try_again(phone)
    saved(phone, 1)
    assert finished() == [1]
    complaints.clear()


def test_undo_without_a_signal_says_so_and_changes_nothing(phone: Page):
    under_way(phone, record("barbu", []))
    phone.context.set_offline(True)
    button(phone, "Undo").click()
    expect(status(phone)).to_have_text(re.compile("^No answer"))
    assert totals(phone) == [1, -7, -7, -7]
    phone.context.set_offline(False)
    undo(phone, 1)
    assert totals(phone) == [0, 0, 0, 0]


def test_undo_while_a_step_has_no_answer_says_so(phone: Page):
    under_way(phone, record("barbu", []))
    phone.context.set_offline(True)
    declare(phone, "Misère")
    expect(status(phone)).to_have_text(UNSAVED)
    button(phone, "Undo").click()
    expect(status(phone)).to_have_text(re.compile("^No answer"))
    phone.context.set_offline(False)
    settled(phone)
    assert totals(phone) == [1, -7, -7, -7]


def test_undo_waits_for_a_step_that_is_on_its_way(phone: Page):
    under_way(phone, record("barbu", []))
    with held(phone):
        declare(phone, "Misère")
        button(phone, "Undo").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 1 of 28")
    redo(phone, 1)
    expect(phone.get_by_role("heading", name="Doubles")).to_be_visible()


BREAKS = ["connectionrefused", "connectionreset", "timedout", "the answer is lost"]


@pytest.mark.parametrize("reload", [False, True], ids=["page stays", "page is reloaded"])
@pytest.mark.parametrize("line", BREAKS)
def test_wherever_the_line_breaks_the_page_says_not_saved_yet_and_then_saved_and_there_is_one_hand(
    phone: Page, line: str, reload: bool
):
    under_way(phone)
    misère_up_to_save(phone)
    settled(phone)
    if line == "the answer is lost":
        lose_answers(phone)
    else:
        phone.route(POSTS, lambda route: route.abort(line))
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    assert totals(phone) == [0, 0, 0, 0]
    assert finished() == ([1] if line == "the answer is lost" else [])
    if reload:
        phone.reload()
        if line != "the answer is lost":
            expect(status(phone)).to_have_text(UNSAVED)
    phone.unroute_all(behavior="wait")
    try_again(phone)
    settled(phone)
    expect(phone.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    if not reload:
        saved(phone, 1)
    assert finished() == [1]
    assert totals(phone) == [-12, 6, -16, -4]


def test_a_server_that_cannot_store_just_now_is_tried_again_though_its_page_is_one_of_ours(
    phone: Page, complaints: list[str]
):
    match = under_way(phone)
    ours = phone.evaluate("() => fetch(location.href).then((answer) => answer.text())")
    misère_up_to_save(phone)
    settled(phone)
    phone.route(POSTS, lambda route: route.fulfill(status=503, body=ours, content_type="text/html"))
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED_BY_SERVER)
    assert [spin(phone, name).input_value() for name in NAMES] == ["3", "0", "8", "2"]
    phone.unroute_all(behavior="wait")
    try_again(phone)
    saved(phone, 1)
    assert finished() == [1]
    assert len(match.hands.all()) == 3
    complaints.clear()


def test_a_phone_whose_clock_is_set_back_loses_and_doubles_nothing(phone: Page):
    phone.context.add_init_script("let now = 1e12; Date.now = () => (now -= 3600000);")
    under_way(phone)
    misère_up_to_save(phone)
    phone.reload()
    settled(phone)
    lose_answers(phone)
    save(phone)
    expect(status(phone)).to_have_text(UNSAVED)
    phone.unroute_all(behavior="wait")
    try_again(phone)
    saved(phone, 1)
    assert finished() == [1]


def test_an_undo_without_an_answer_is_not_said_to_have_changed_nothing(phone: Page):
    match = under_way(phone, record("misere", []), record("barbu", []))
    lose_answers(phone)
    button(phone, "Undo").click()
    expect(status(phone)).to_have_text(re.compile("^No answer: it may have been done or not"))
    phone.unroute_all(behavior="wait")
    undo(phone, 2)
    assert [hand.action for hand in match.hands.order_by("pk")] == ["enter", "enter", "undo"]


# --- two tabs of one phone ---


@pytest.fixture
def tabs(phone: Page) -> tuple[Page, Page]:
    """The same match in two tabs of one browser."""
    match = under_way(phone)
    other = phone.context.new_page()
    other.goto(address(match))
    return phone, other


def test_what_is_typed_in_one_tab_stands_in_the_other_and_is_saved_once(tabs: tuple[Page, Page]):
    one, other = tabs
    half_a_hand(one)
    expect_half_a_hand(other)
    count(other, "Tricks", {"Cy": 6})
    expect(spin(one, "Cy")).to_have_value("6")
    save(other)
    saved(other, 1)
    expect(one.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    assert finished() == [1]


def test_a_hand_that_waits_for_a_signal_in_one_tab_can_not_be_saved_again_in_the_other(tabs: tuple[Page, Page]):
    one, other = tabs
    misère_up_to_save(one)
    settled(one)
    one.context.set_offline(True)
    save(one)
    expect(status(one)).to_have_text(UNSAVED)
    expect(button(other, "Save hand")).to_be_disabled()
    one.close()
    other.context.set_offline(False)
    try_again(other)
    saved(other, 1)
    assert finished() == [1]


# --- two phones ---


@pytest.fixture
def phones(open_phone: OpenPhone) -> tuple[Page, Page]:
    """Two phones that score the same match, both at hand 1."""
    one, other = open_phone(), open_phone()
    match = under_way(one)
    let_score_on(other, match)
    other.goto(address(match))
    return one, other


def test_the_second_phone_is_told_and_loses_nothing(phones: tuple[Page, Page]):
    one, other = phones
    for page in phones:
        stay_behind(page)
    declare(other, "Barbu")
    double(other, "Dee", "Ann").check()
    doubles_done(other)
    take(other, "King of hearts", "Bob")
    settled(other)
    misère_up_to_save(one)
    conflict = one.get_by_role("region", name="Hand 1 was entered meanwhile")
    expect(conflict).to_contain_text("Barbu")
    expect(conflict).to_contain_text("Misère")
    save(one)
    saved(one, 1)
    save(other)
    clash = other.get_by_role("region", name="Hand 1 was entered meanwhile")
    expect(clash).to_be_focused()
    expect(clash).to_contain_text("Misère")
    expect(clash).to_contain_text("Barbu")
    assert finished() == [1]
    assert totals(other) == [-12, 6, -16, -4]
    other.reload()
    expect(clash).to_contain_text("King of hearts: Bob")
    button(other, "Correct hand 1 to yours").click()
    expect(other.get_by_role("banner")).to_contain_text("Hand 2 of 28")
    expect(clash).to_have_count(0)
    assert totals(other) == [0, -20, 0, 0]
    assert finished() == [1, 1]


def test_a_conflict_is_over_once_the_next_hand_is_entered(phones: tuple[Page, Page]):
    one, other = phones
    declare(one, "Misère")
    settled(one)
    other.reload()
    for page in (one, other):
        if page is other:
            expect(page.get_by_role("heading", name="Doubles")).to_be_visible()
        pass_out(page)
        if page is one:
            saved(page, 1)
    expect(other.get_by_role("region", name="Hand 1 was entered meanwhile")).to_be_visible()
    declare(other, "Barbu")
    settled(other)
    other.reload()
    expect(other.get_by_role("region", name="Hand 1 was entered meanwhile")).to_have_count(0)
    expect(other.get_by_role("heading", name="Doubles")).to_be_visible()
    assert finished() == [1]


def test_what_was_typed_stays_when_a_step_meets_another_phone_s(phones: tuple[Page, Page]):
    one, other = phones
    declare(one, "Barbu")
    settled(one)
    declare(other, "Misère")
    expect(other.get_by_role("region", name="Hand 1 was entered meanwhile")).to_contain_text("Barbu")
    expect(other.get_by_role("heading", name="Doubles")).to_be_visible()
    double(other, "Bob", "Ann").check()
    other.reload()
    expect(double(other, "Bob", "Ann")).to_be_checked()
    doubles_done(other)
    count(other, "Tricks", {"Ann": 13})
    save(other)
    saved(other, 1)
    assert totals(other) == [-52, 26, 0, 0]


def test_a_draft_does_not_overwrite_unseen_what_another_phone_stored(phones: tuple[Page, Page]):
    one, _other = phones
    half_a_hand(one)
    settled(one)
    match = Match.objects.latest("pk")
    elsewhere(match, 1, record("no-queens", [(DEE, BOB)]))
    one.reload()
    expect_half_a_hand(one)
    count(one, "Tricks", {"Cy": 6})
    save(one)
    conflict = one.get_by_role("region", name="Hand 1 was entered meanwhile")
    expect(conflict).to_contain_text("No Queens")
    assert finished() == []
    save(one)
    saved(one, 1)
    assert finished() == [1]


def test_a_phone_that_has_typed_nothing_shows_what_the_other_one_stored(phones: tuple[Page, Page]):
    one, _other = phones
    declare(one, "Barbu")
    settled(one)
    elsewhere(Match.objects.latest("pk"), 1, record("no-queens", [(DEE, BOB)]))
    one.reload()
    expect(one.get_by_role("heading", name="Result")).to_be_visible()
    expect(button(one, re.compile("^Change:"))).to_contain_text("No Queens")


# --- the back button ---


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_going_back_saves_no_second_hand(phone: Page):
    match = under_way(phone, *[record("misere", [])] * 3)
    phone.get_by_role("link", name="Explain hand 3", exact=True).click()
    phone.get_by_role("link", name="Match", exact=True).click()
    contract_button(phone, "Misère").click()
    double(phone, "Ann", "Dee").check()
    button(phone, "Doubles done").click()
    for name, number in zip(NAMES, (3, 3, 3, 4), strict=True):
        spin(phone, name).fill(str(number))
    button(phone, "Save hand").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 5 of 28")
    now = totals(phone)
    for _step in range(2):
        phone.go_back()
        if button(phone, "Save hand").is_visible():
            button(phone, "Save hand").click()
    phone.go_forward()
    phone.goto(address(match))
    expect(phone.get_by_role("banner")).to_contain_text("Hand 5 of 28")
    assert totals(phone) == now
    assert finished().count(4) == 1
    assert sorted(sheet(phone)) == [1, 2, 3, 4]


def test_a_page_out_of_the_browser_s_cache_refreshes_itself_and_keeps_the_draft(phone: Page):
    match = under_way(phone, record("misere", []))
    declare(phone, "Barbu")
    double(phone, "Dee", "Bob").check()
    settled(phone)
    from_the_cache = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    phone.evaluate(from_the_cache)
    expect(double(phone, "Dee", "Bob")).to_be_checked()
    elsewhere(match, 2, record("barbu", []))
    phone.evaluate(from_the_cache)
    expect(phone.get_by_role("banner")).to_contain_text("Hand 3 of 28")
    assert totals(phone) == [1 - 7, 1 - 9, -16, -16]


def test_coming_back_shows_a_whole_page_with_current_totals(phone: Page):
    match = under_way(phone, record("misere", []))
    phone.get_by_role("link", name="Explain hand 1", exact=True).click()
    elsewhere(match, 2, record("barbu", []))
    phone.go_back()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 3 of 28")
    assert totals(phone) == [1 - 7, 1 - 9, -16, -16]
