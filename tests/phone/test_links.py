"""A second phone scores: let in by the scorer link or by a spoken code, named, and locked out again."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Request, expect

from scorekeeper import limits
from scorekeeper.models import Device, Match, SpokenCode, renew_links
from tests.phone.evening import (
    address,
    button,
    contract_button,
    count,
    declare,
    double,
    doubles_done,
    pass_out,
    save,
    saved,
    settled,
    under_way,
)
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL
from tests.referee.table import record

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]


@pytest.fixture
def heard() -> list[Request]:
    """Every request of the phones that are listened to."""
    return []


def links(page: Page, match: Match) -> None:
    """Open the page of phones and links from the match."""
    page.goto(address(match))
    page.get_by_role("link", name="Phones and links").click()


def scorer_link(page: Page, match: Match) -> str:
    """The scorer link, as this phone shows it."""
    links(page, match)
    page.locator("summary", has_text="Scorer link").click()
    return page.get_by_label("Scorer link", exact=True).input_value()


def spoken(page: Page, match: Match) -> str:
    """Ask for a code, and read it out."""
    links(page, match)
    button(page, "Show a code").click()
    return page.locator(".digits b").inner_text()


def named(page: Page, name: str) -> None:
    """Name this phone, and go on to the match."""
    page.get_by_label("Name of this phone").fill(name)
    button(page, "Score on this phone").click()
    expect(page.get_by_role("table", name="Standings")).to_be_visible()


def half_a_hand(page: Page) -> None:
    declare(page, "Misère")
    double(page, "Bob", "Ann").check()
    doubles_done(page)
    count(page, "Tricks", {"Ann": 2, "Bob": 3})


def test_a_phone_with_the_scorer_link_names_itself_and_its_name_stands_in_the_history(
    open_phone: OpenPhone, heard: list[Request]
):
    one, other = open_phone(), open_phone()
    other.context.on("request", lambda request: heard.append(request))
    match = under_way(one)
    link = scorer_link(one, match)
    secret = link.partition("#")[2]
    other.goto(link)
    assert secret not in other.url
    assert secret not in other.evaluate("location.href + document.title + JSON.stringify(history.state)")
    expect(other.get_by_label("Spoken code")).to_be_hidden()
    named(other, "Ann's phone")
    pass_out_barbu(other)
    one.goto(address(match) + "hand/1/correct/")
    double(one, "Bob", "Ann").check()
    one.get_by_role("radiogroup", name="King of hearts").get_by_role("radio", name="Bob").check()
    button(one, "Save correction").click()
    expect(one.get_by_role("banner")).to_contain_text("Hand 2 of")
    other.goto(address(match) + "hand/1/")
    expect(other.locator(".history li").first).to_contain_text("Ann's phone")
    sent = [request for request in heard if secret in (request.post_data or "")]
    assert [(request.method, request.url) for request in sent] == [("POST", link.partition("#")[0])]
    assert [request.url for request in heard if secret in request.url] == []
    assert [request.url for request in heard if secret in str(request.all_headers())] == []


def pass_out_barbu_unanswered(page: Page) -> None:
    contract_button(page, "Barbu").click()
    pass_out(page)


def pass_out_barbu(page: Page) -> None:
    pass_out_barbu_unanswered(page)
    saved(page, 1)


def test_going_back_brings_no_secret_into_the_address_again(open_phone: OpenPhone):
    one, other = open_phone(), open_phone()
    match = under_way(one)
    link = scorer_link(one, match)
    other.goto("/rules/")
    other.goto(link)
    named(other, "Ann's phone")
    other.go_back()
    assert link.partition("#")[2] not in other.url
    expect(other.get_by_text("This phone scores already")).to_be_visible()


def test_a_new_scorer_link_locks_the_other_phone_out_in_words_and_loses_nothing_that_it_typed(open_phone: OpenPhone):
    one, other = open_phone(), open_phone()
    match = under_way(one)
    other.goto(scorer_link(one, match))
    named(other, "Ann's phone")
    half_a_hand(other)
    settled(other)
    links(one, match)
    one.locator("summary", has_text="New links").click()
    button(one, "New scorer link").click()
    expect(one.get_by_text("This is the only phone that scores now")).to_be_visible()
    count(other, "Tricks", {"Cy": 5})
    save(other)
    expect(other.get_by_role("heading", name="may watch this table, but not score it any more")).to_be_visible()
    assert match.state().finished == 0
    code = spoken(one, match)
    other.get_by_role("link", name="Score on this phone").click()
    other.get_by_label("Spoken code").fill(code)
    named(other, "Ann's phone")
    expect(other.get_by_role("spinbutton", name="Tricks for Cy")).to_have_value("5")
    expect(button(other, re.compile("^Change:"))).to_contain_text("Bob → Ann")
    save(other)
    saved(other, 1)
    assert match.hands.latest("pk").by.name == "Ann's phone"


def test_too_much_at_once_is_not_saved_yet_and_sent_again_by_itself(phone: Page, monkeypatch: pytest.MonkeyPatch):
    match = under_way(phone, record("misere", []))
    button(phone, "Undo").click()
    expect(phone.get_by_role("banner")).to_contain_text("Hand 1 of")
    monkeypatch.setattr(limits, "HANDS_A_MINUTE", 0)
    button(phone, "Redo").click()
    expect(phone.get_by_role("status")).to_contain_text("too often")
    pass_out_barbu_unanswered(phone)
    expect(phone.get_by_role("status")).to_contain_text("Not saved yet")
    assert match.state().finished == 0
    monkeypatch.undo()
    saved(phone, 1)
    assert match.state().finished == 1


def test_new_links_for_everything_take_this_phone_along_with_what_it_had_typed(phone: Page):
    match = under_way(phone)
    half_a_hand(phone)
    settled(phone)
    old = phone.url
    phone.get_by_role("link", name="Phones and links").click()
    phone.locator("summary", has_text="New links").click()
    button(phone, "New watch link and scorer link").click()
    expect(phone.get_by_text("There are new links.")).to_be_visible()
    assert phone.request.get(old).status == 404
    phone.get_by_role("link", name="Match", exact=True).click()
    expect(phone.get_by_role("spinbutton", name="Tricks for Bob")).to_have_value("3")
    count(phone, "Tricks", {"Cy": 5})
    save(phone)
    saved(phone, 1)
    assert match.state().finished == 1


def test_a_spoken_code_goes_from_one_phone_to_the_other(open_phone: OpenPhone):
    one, other = open_phone(), open_phone()
    match = under_way(one)
    code = spoken(one, match)
    assert re.fullmatch(r"\d{3} \d{3}", code)
    other.goto(address(match))
    other.get_by_role("link", name="Score on this phone").click()
    field = other.get_by_label("Spoken code")
    assert field.get_attribute("inputmode") == "numeric"
    field.fill(f"{(int(code.replace(' ', '')) + 1) % 10**6:06}")
    other.get_by_label("Name of this phone").fill("Bob's phone")
    button(other, "Score on this phone").click()
    expect(other.get_by_role("region", name="Problems")).to_contain_text("Attempts left: 4.")
    expect(other.get_by_label("Name of this phone")).to_have_value("Bob's phone")
    field.fill(code)
    button(other, "Score on this phone").click()
    pass_out_barbu(other)
    one.reload()
    expect(one.locator(".phones")).to_contain_text("Bob's phone")
    button(one, "Remove Bob's phone").click()
    expect(one.locator(".phones")).not_to_contain_text("Bob's phone")
    other.reload()
    expect(other.get_by_text("You are watching.")).to_be_visible()
    expect(contract_button(other, "Misère")).to_have_count(0)


@pytest.mark.parametrize("javascript", [False])
def test_without_script_the_link_is_pasted_into_a_field(open_phone: OpenPhone):
    phone = open_phone()
    match = under_way(open_phone())
    phone.goto(address(match) + "../score/")
    phone.locator("summary").click()
    phone.get_by_label("Scorer link").fill(f"http://cards/t/{match.table.code}/score/#{match.table.secret()}")
    named(phone, "Ann's phone")
    assert Device.objects.filter(name="Ann's phone").exists()


def test_a_link_is_copied_where_there_is_no_clipboard_but_the_old_one(phone: Page):
    match = under_way(phone)
    phone.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    links(phone, match)
    button(phone, "Copy: Watch link").click()
    expect(phone.get_by_role("status")).to_have_text("Copied.")
    assert phone.evaluate("getSelection().toString()").endswith(f"/t/{match.table.code}/")


def test_a_link_goes_to_the_share_sheet_where_there_is_one(phone: Page):
    match = under_way(phone)
    links(phone, match)
    expect(button(phone, "Share: Watch link")).to_be_hidden()
    phone.add_init_script("navigator.share = async ({ url }) => { window.shared = url; }")
    phone.reload()
    button(phone, "Share: Watch link").click()
    assert phone.evaluate("window.shared").endswith(f"/t/{match.table.code}/")


def test_a_code_that_has_run_out_leaves_the_page(phone: Page):
    match = under_way(phone)
    phone.clock.install()
    spoken(phone, match)
    phone.clock.fast_forward(301_000)
    expect(phone.get_by_text("The code has run out.")).to_be_visible()
    expect(phone.locator(".digits")).to_have_count(0)


def views(page: Page, names: tuple[str, ...] = LONG_NAMES) -> Iterator[str]:
    """Take the phone to each view of links and phones, and name it."""
    match = under_way(page, record("misere", []))
    for name in names:
        Device.let_in(match.table, Device.token_for(match.table, name), name)
    links(page, match)
    yield "links"
    button(page, "Show a code").click()
    for summary in ("Scorer link", "New links"):
        page.locator("summary", has_text=summary).click()
    yield "links, all open"
    page.goto(address(match) + "../score/")
    yield "already scoring"
    SpokenCode.make(match.table)
    page.context.clear_cookies()
    page.goto(address(match) + "../links/")
    yield "share"
    page.get_by_role("link", name="Score on this phone").click()
    page.locator("summary").click()
    yield "score"
    page.get_by_label("Spoken code").fill("12")
    page.get_by_label("Name of this phone").fill(names[-1])
    button(page, "Score on this phone").click()
    yield "score, wrong"
    page.goto("/rules/")
    page.goto(f"/t/{match.table.code}/score/#{match.table.secret()}")
    yield "score, by the link"
    renew_links(match.table, None, watch=False)
    page.goto(f"/t/{match.table.code}/new/")
    yield "locked out"


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
        page.evaluate("document.documentElement.style.fontSize = '34px'")
        faults += [f"{view}, text at 200 %: {fault}" for fault in page.evaluate(SIDEWAYS)]
        page.evaluate("document.documentElement.style.fontSize = ''")
    assert not faults, "\n".join(faults)
