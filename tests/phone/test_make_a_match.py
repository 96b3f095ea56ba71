"""A match is made on a phone: by thumb, at 360 and 320 px, in light and dark, with script and without."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.models import Match, Table

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
AT_A_MATCH = re.compile(r"/t/[\w-]+/\d+/")


def player(phone: Page, number: int) -> Locator:
    return phone.get_by_role("textbox", name=f"Player {number}", exact=True)


def name_players(phone: Page, *names: str) -> None:
    for number, name in enumerate(names or ("Ann", "Bob", "Cy", "Dee"), start=1):
        player(phone, number).fill(name)


def names(phone: Page) -> list[str]:
    fields = phone.locator(".seat input:not([disabled])")
    return [field.input_value() for field in fields.all()]


def press(phone: Page, name: str) -> None:
    phone.get_by_role("button", name=name, exact=True).click()


def first_declarer(phone: Page, name: str) -> Locator:
    group = phone.get_by_role("radiogroup", name="First declarer")
    return group.get_by_role("radio", name=name, exact=True)


def game(phone: Page, name: str) -> Locator:
    return phone.get_by_role("radiogroup", name="Game").get_by_role("radio", name=name, exact=True)


def begin(phone: Page, *cast: str) -> Match:
    phone.goto("/new/")
    name_players(phone, *cast)
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    return Match.objects.latest("pk")


def width(phone: Page) -> int:
    return phone.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_a_first_visit_leads_to_a_match(phone: Page):
    phone.goto("/")
    phone.get_by_role("link", name="New match").click()
    name_players(phone)
    game(phone, "Quick rotation").check()
    first_declarer(phone, "Draw").check()
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    match = Match.objects.get()
    assert match.ruleset["code"] == "barbu-quick"
    assert match.state().match.players == ("Ann", "Bob", "Cy", "Dee")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_seats_are_reordered_and_the_focus_stays_with_the_name(phone: Page, javascript: bool):
    phone.goto("/new/")
    name_players(phone)
    press(phone, "Move Dee up" if javascript else "Move player 4 up")
    expect(phone.get_by_role("button", name="Move Dee up", exact=True)).to_be_focused()
    press(phone, "Move Dee up")
    expect(player(phone, 2)).to_have_value("Dee")
    expect(phone.get_by_role("button", name="Move Dee up", exact=True)).to_be_focused()
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.get().state().match.players == ("Ann", "Dee", "Bob", "Cy")


def test_nothing_goes_to_the_server_until_the_match_starts(phone: Page):
    phone.goto("/new/")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url))
    name_players(phone)
    press(phone, "Move Bob up")
    game(phone, "King (Rıfkı)").check()
    first_declarer(phone, "Cy").check()
    assert not [url for url in sent if "/static/" not in url]


def test_a_name_at_the_top_keeps_the_focus_on_its_other_button(phone: Page):
    phone.goto("/new/")
    name_players(phone)
    press(phone, "Move Bob up")
    assert names(phone) == ["Bob", "Ann", "Cy", "Dee"]
    expect(phone.get_by_role("button", name="Move Bob up", exact=True)).to_be_disabled()
    expect(phone.get_by_role("button", name="Move Bob down", exact=True)).to_be_focused()


def test_the_first_declarer_is_called_by_name_and_moves_with_the_name(phone: Page):
    phone.goto("/new/")
    name_players(phone)
    first_declarer(phone, "Cy").check()
    press(phone, "Move Cy up")
    expect(first_declarer(phone, "Cy")).to_be_checked()
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.get().first_declarer == 1


def test_only_the_fields_that_the_game_needs_are_shown(phone: Page):
    phone.goto("/new/")
    expect(player(phone, 4)).to_be_visible()
    expect(player(phone, 5)).to_be_hidden()
    game(phone, "Get Barbara").check()
    expect(player(phone, 6)).to_be_visible()
    expect(phone.get_by_role("radiogroup", name="First declarer")).to_be_hidden()
    name_players(phone, "Ann", "Bob", "Cy", "Dee", "Eve")
    game(phone, "Barbu").check()
    expect(player(phone, 5)).to_be_hidden()
    game(phone, "Get Barbara").check()
    expect(player(phone, 5)).to_have_value("Eve")
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.get().state().match.players == ("Ann", "Bob", "Cy", "Dee", "Eve")


def test_enter_goes_to_the_next_name_and_starts_after_the_last(phone: Page):
    phone.goto("/new/")
    for number, name in enumerate(("Ann", "Bob", "Cy", "Dee"), start=1):
        expect(player(phone, number)).to_be_focused() if number > 1 else player(phone, 1).focus()
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.get().state().match.players == ("Ann", "Bob", "Cy", "Dee")


@pytest.mark.parametrize("javascript", [False])
def test_enter_without_script_starts_the_match_and_moves_nobody(phone: Page):
    phone.goto("/new/")
    name_players(phone)
    player(phone, 2).press("Enter")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.get().state().match.players == ("Ann", "Bob", "Cy", "Dee")


def test_the_clock_of_the_phone_is_the_clock_of_the_match(phone: Page):
    phone.context.new_cdp_session(phone).send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    begin(phone)
    assert Match.objects.get().zone == "Asia/Tokyo"


def test_a_double_tap_makes_one_match(phone: Page):
    phone.goto("/new/")
    name_players(phone)
    phone.get_by_role("button", name="Start match").dblclick()
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.count() == Table.objects.count() == 1


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_problems_are_focused_lead_to_their_fields_and_lose_nothing(phone: Page):
    phone.goto("/new/")
    name_players(phone, "Ann", "ann", "", "Dee")
    press(phone, "Start match")
    region = phone.get_by_role("region", name="Problems")
    expect(region).to_be_focused()
    expect(region.get_by_role("listitem")).to_have_text(
        [
            "Player 1 is Ann already; case and spaces do not count.",
            "Player 3 has no name; Barbu needs 4 players.",
        ]
    )
    assert names(phone)[:4] == ["Ann", "ann", "", "Dee"]
    region.get_by_role("link").last.click()
    expect(player(phone, 3)).to_be_focused()
    name_players(phone)
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)


def test_the_back_button_finds_the_form_as_it_was(phone: Page):
    phone.goto("/new/")
    game(phone, "King (Rıfkı)").check()
    name_players(phone)
    first_declarer(phone, "Dee").check()
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    phone.go_back()
    assert names(phone) == ["Ann", "Bob", "Cy", "Dee"]
    expect(game(phone, "King (Rıfkı)")).to_be_checked()
    expect(first_declarer(phone, "Dee")).to_be_checked()
    expect(phone.get_by_role("button", name="Move Bob up", exact=True)).to_be_visible()
    press(phone, "Start match")
    phone.wait_for_url(AT_A_MATCH)
    assert Match.objects.count() == 1


def test_the_second_match_needs_one_tap_and_the_next_player_begins(phone: Page):
    table = begin(phone).table
    phone.goto(f"/t/{table.code}/")
    phone.get_by_role("link", name="New match").click()
    assert names(phone) == ["Ann", "Bob", "Cy", "Dee"]
    expect(first_declarer(phone, "Bob")).to_be_checked()
    press(phone, "Start match")
    phone.wait_for_url(f"**/t/{table.code}/2/")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_a_known_name_takes_an_empty_seat_in_one_tap(phone: Page):
    code = begin(phone).table.code
    phone.goto(f"/t/{code}/new/")
    player(phone, 2).fill("Eve")
    press(phone, "Start match")
    phone.wait_for_url("**/2/")
    phone.goto(f"/t/{code}/new/")
    player(phone, 1).fill("")
    press(phone, "Bob")
    expect(player(phone, 1)).to_have_value("Bob")
    expect(phone.get_by_role("button", name="Bob", exact=True)).to_be_hidden()
    expect(phone.get_by_role("button", name="Ann", exact=True)).to_be_visible()


def test_with_no_seat_empty_a_known_name_takes_the_one_that_was_touched(phone: Page):
    code = begin(phone).table.code
    phone.goto(f"/t/{code}/new/")
    player(phone, 2).fill("Eve")
    press(phone, "Bob")
    assert names(phone) == ["Ann", "Bob", "Cy", "Dee"]


LONG = ["Wilhelmina Theodora van der Hoogen-Smith", "أحمد", "<b>x</b>", "👩‍👩‍👧"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("javascript", [True])
def test_every_page_is_accessible_and_fits(open_phone: Callable[..., Page], axe: Axe):
    phone = open_phone(width=320, height=640)
    assert not axe_at(phone, "/", axe)
    code = begin(phone, *LONG).table.code
    for address in ("/", "/new/", f"/t/{code}/", f"/t/{code}/new/", "/rules/", "/rules/barbu/", "/t/none/"):
        assert not axe_at(phone, address, axe), address
        assert width(phone) == 320, address
    phone.goto("/new/")
    name_players(phone, "Ann", "ann", "", "x" * 60)
    press(phone, "Start match")
    expect(phone.get_by_role("region", name="Problems")).to_be_visible()
    assert not axe(phone)
    assert width(phone) == 320


def axe_at(phone: Page, address: str, axe: Axe) -> list[str]:
    phone.goto(address)
    return axe(phone)


def test_text_of_twice_the_size_still_fits(narrow: Page):
    code = begin(narrow, *LONG).table.code
    for address in ("/", "/new/", f"/t/{code}/", f"/t/{code}/new/", "/rules/", "/rules/barbu/"):
        narrow.goto(address)
        narrow.evaluate("document.documentElement.style.fontSize = '34px'")
        assert width(narrow) == 320, address


def test_everything_that_is_pressed_is_big_enough_for_a_thumb(phone: Page):
    code = begin(phone).table.code
    small = """[...document.querySelectorAll("main a, main button, main label, .crumb a, input[type=text]")]
        .filter(one => one.offsetWidth && !one.closest("[aria-hidden], p, .card-head") && !one.htmlFor)
        .map(one => [one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 48 || box.height < 48)
        .map(([text, box]) => text + " " + box.height)"""
    for address in ("/", "/new/", f"/t/{code}/", f"/t/{code}/new/", "/rules/"):
        phone.goto(address)
        assert phone.evaluate(small) == [], address
    size = phone.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 16


def test_the_next_tap_is_always_in_view(phone: Page):
    for address, name in (("/", "New match"), ("/new/", "Start match")):
        phone.goto(address)
        box = phone.locator(".dock .button").bounding_box()
        assert box, name
        assert box["y"] + box["height"] <= 740
        assert box["width"] > 320
