"""A table makes its own rules on a phone: by thumb, in light and dark, with script and without."""

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from playwright.sync_api import Locator, Page, expect

import referee
from scorekeeper.access import let_score
from scorekeeper.models import Match, Table, TableRules, new_code

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]


def sit_down(phone: Page) -> Table:
    """A table that this phone may score."""
    key = new_code()
    table = Table.objects.create(name="Sunday table", scorer_hash=Table.hash_of(Table.secret_for(key)))
    response = HttpResponse()
    let_score(response, table, Table.secret_for(key))
    cookie = {"value": response.cookies["scorer"].coded_value, "path": f"/t/{table.code}/"}
    phone.context.add_cookies([{"name": "scorer", "domain": "localhost", **cookie}])
    return table


def start_from(phone: Page, game: str) -> Table:
    """The form of own rules that start from a game, reached from the table's page."""
    table = sit_down(phone)
    phone.goto(f"/t/{table.code}/")
    phone.get_by_role("link", name="The table's own rules").click()
    phone.get_by_role("link", name=game, exact=True).click()
    return table


def contract(phone: Page, name: str) -> Locator:
    return phone.get_by_role("group", name=name, exact=True)


def switch(phone: Page, name: str, choice: str) -> None:
    phone.get_by_role("radiogroup", name=name).get_by_role("radio", name=choice, exact=True).check()


def press(phone: Page, name: str) -> None:
    phone.get_by_role("button", name=name, exact=True).click()


def width(phone: Page) -> int:
    return phone.evaluate("document.documentElement.scrollWidth")


def play_with(phone: Page, game: str) -> Match:
    phone.get_by_role("link", name="New match").click()
    expect(phone.get_by_role("radiogroup", name="Game").get_by_role("radio", name=game)).to_be_checked()
    for number, name in enumerate(("Ann", "Bob", "Cy", "Dee"), start=1):
        phone.get_by_role("textbox", name=f"Player {number}", exact=True).fill(name)
    press(phone, "Start match")
    phone.wait_for_url(re.compile(r"/t/[\w-]+/\d+/"))
    return Match.objects.get()


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_a_table_makes_its_own_barbu_and_plays_it(phone: Page, javascript: bool):
    start_from(phone, "Barbu")
    sums = phone.get_by_role("status")
    expect(sums).to_have_text("28 hands · adds up to 0")
    contract(phone, "No Queens").get_by_role("textbox", name="Each queen").fill("8")
    switch(phone, "How often Dominoes", "left out")
    if not javascript:
        press(phone, "Work it out")
    expect(contract(phone, "No Queens").locator("b.total")).to_have_text("−32")
    expect(sums).to_have_text("24 hands · does not add up to zero: all scores together make −292")
    assert not TableRules.objects.exists()
    phone.get_by_role("textbox", name="Name", exact=True).fill("Eight a queen")
    press(phone, "Save rules")
    expect(phone.get_by_role("heading", name="Eight a queen")).to_be_visible()
    match = play_with(phone, "Eight a queen")
    assert match.state().match.ruleset.contract("no-queens").items[0].each == -8
    phone.get_by_role("button", name="No Queens", exact=True).click()
    phone.get_by_role("link", name="Rules of Eight a queen").click()
    expect(phone.get_by_text("−8 for each queen")).to_be_in_viewport()
    assert phone.url.endswith("/1/rules/#no-queens")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_problems_are_focused_lead_to_their_fields_and_lose_nothing(phone: Page):
    start_from(phone, "Ravage City")
    penalty = contract(phone, "Ravage City").get_by_role("textbox", name="Most cards of one suit")
    penalty.fill("25")
    phone.get_by_role("textbox", name="Name", exact=True).fill("Flood")
    press(phone, "Save rules")
    region = phone.get_by_role("region", name="Problems")
    expect(region).to_be_focused()
    says = "Ravage City, Most cards of one suit: 25 cannot be shared evenly by up to 4 players; 24 and 36 can."
    expect(region.get_by_role("listitem")).to_have_text([says])
    region.get_by_role("link").click()
    expect(penalty).to_be_focused()
    expect(penalty).to_have_value("25")
    penalty.fill("36")
    press(phone, "Save rules")
    expect(phone.get_by_role("heading", name="Flood")).to_be_visible()


def test_a_field_that_makes_no_sense_is_told_while_typing(phone: Page):
    start_from(phone, "Barbu")
    contract(phone, "Misère").get_by_role("textbox", name="Each trick").fill("two")
    expect(phone.get_by_role("status")).to_contain_text("“two” is not a whole number")
    expect(contract(phone, "Misère").locator("b.total")).to_have_text("?")


def test_only_what_matters_is_asked(phone: Page):
    start_from(phone, "Barbu")
    owed = phone.get_by_role("radiogroup", name="Doubles owed to each declarer")
    expect(owed).to_be_visible()
    switch(phone, "Who may be doubled", "nobody")
    expect(owed).to_be_hidden()
    value = contract(phone, "Misère").get_by_role("textbox", name="Each trick")
    switch(phone, "How often Misère", "left out")
    expect(value).to_be_hidden()
    limit = contract(phone, "No Hearts").get_by_role("textbox", name="At most in a match")
    expect(limit).to_be_hidden()
    phone.get_by_role("textbox", name="Negative contracts each").fill("3")
    expect(limit).to_be_visible()


def test_a_place_that_costs_turns_its_sign_with_a_tap(phone: Page):
    start_from(phone, "Barbu")
    phone.get_by_role("textbox", name="Name", exact=True).fill("Turned")
    contract(phone, "Dominoes").get_by_role("checkbox", name="Out third: costs points").check()
    expect(contract(phone, "Dominoes").locator("b.total")).to_have_text("+55")
    press(phone, "Save rules")
    expect(phone.get_by_role("heading", name="Turned")).to_be_visible()
    assert TableRules.objects.get().game.contract("dominoes").places == (45, 20, -5, -5)


def test_a_contract_of_another_game_is_added(phone: Page):
    start_from(phone, "Barbu")
    phone.get_by_role("textbox", name="Name", exact=True).fill("With men")
    phone.get_by_text("More contracts").click()
    switch(phone, "How often No Men", "1×")
    expect(contract(phone, "No Men").locator("b.total")).to_have_text("−480")
    press(phone, "Save rules")
    expect(phone.locator("#no-men")).to_contain_text("To enter: the kings and jacks of each player, 8 in all.")


def test_the_back_button_finds_the_form_and_its_next_version_keeps_the_name(phone: Page):
    start_from(phone, "Barbu")
    phone.get_by_role("textbox", name="Name", exact=True).fill("Ours")
    press(phone, "Save rules")
    expect(phone.get_by_role("heading", name="Ours")).to_be_visible()
    phone.go_back()
    expect(phone.get_by_role("textbox", name="Name", exact=True)).to_have_value("Ours")
    contract(phone, "Misère").get_by_role("textbox", name="Each trick").fill("3")
    press(phone, "Save rules")
    expect(phone.get_by_text("−3 for each trick")).to_be_visible()
    assert list(TableRules.objects.values_list("code", "version")) == [("own-ours", 1), ("own-ours", 2)]


def test_rules_are_pasted_from_another_table(phone: Page):
    table = start_from(phone, "King (Rıfkı)")
    phone.get_by_role("textbox", name="Name", exact=True).fill("Our King")
    press(phone, "Save rules")
    expect(phone.get_by_role("heading", name="Our King")).to_be_visible()
    text = phone.request.get(f"/t/{table.code}/rules/own-our-king/file/").text()
    there = sit_down(phone)
    phone.goto(f"/t/{there.code}/rules/")
    phone.get_by_role("textbox", name="or its text, pasted").fill(text)
    press(phone, "Take these rules")
    expect(phone.get_by_role("heading", name="Our King")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(open_phone: Callable[..., Page], axe: Axe):
    phone = open_phone(width=320, height=640)
    code = sit_down(phone).code
    for address in ("", *(f"new/?from={game}" for game in ("barbu", "king", "get-barbara", "coup-detat"))):
        phone.goto(f"/t/{code}/rules/{address}")
        for details in phone.locator("summary").all():
            details.click()
        assert not axe(phone), address
        assert width(phone) == 320, address
        phone.evaluate("document.documentElement.style.fontSize = '34px'")
        assert width(phone) == 320, address
    phone.goto(f"/t/{code}/rules/new/?from=get-barbara")
    phone.get_by_role("textbox", name="Each Barbara").fill("ten")
    phone.get_by_role("combobox", name="Card").nth(1).select_option("Ace")
    press(phone, "Save rules")
    expect(phone.get_by_role("region", name="Problems").get_by_role("listitem")).to_have_count(3)
    assert not axe(phone)
    assert width(phone) == 320
    phone.get_by_role("textbox", name="Each Barbara").fill("10")
    phone.get_by_role("combobox", name="Card").nth(1).select_option("Jack")
    phone.get_by_role("textbox", name="Name", exact=True).fill("Wilhelmina van der Hoogen-Smiths Barbara")
    press(phone, "Save rules")
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    assert not axe(phone)
    assert width(phone) == 320
    phone.goto(f"/t/{code}/rules/")
    assert not axe(phone)
    assert width(phone) == 320


def test_everything_that_is_pressed_is_big_enough_for_a_thumb(phone: Page):
    code = sit_down(phone).code
    small = """[...document.querySelectorAll("main :is(a, button, .chip, summary, select, .sign, input)")]
        .filter(one => one.offsetWidth && !one.closest("[aria-hidden], p") && one.type !== "hidden")
        .map(one => [one.name || one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 48 || box.height < 48)
        .map(([text, box]) => text + " " + box.width + "×" + box.height)"""
    for address in ("", *(f"new/?from={game}" for game in referee.names())):
        phone.goto(f"/t/{code}/rules/{address}")
        for details in phone.locator("summary").all():
            details.click()
        assert phone.evaluate(small) == [], address
