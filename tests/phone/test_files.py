"""Files on a phone: chosen by the file chooser, looked at, taken in, put back; in light and dark, wide and narrow."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.http import HttpResponse
from playwright.sync_api import Page, expect

import referee
from referee import matchfile
from scorekeeper import backup
from scorekeeper.access import let_score
from scorekeeper.match_files import given_in, take_in
from scorekeeper.models import Match, Table, new_code
from tests.referee.strategies import random_match

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]

NAMES = ("<b>x</b>", "O'Brien & Zoë", "أحمد", "Wilhelmina van der Hoogen-Smith of Leeds")


def sit_down(phone: Page, *, matches: int = 1) -> Table:
    """A table that this phone may score, with matches that are over."""
    key = new_code()
    table = Table.objects.create(name="Sunday table", key=key, scorer_hash=Table.hash_of(Table.secret_for(key)))
    response = HttpResponse()
    let_score(response, table, Table.secret_for(key))
    cookie = {"value": response.cookies["scorer"].coded_value, "path": f"/t/{table.code}/"}
    phone.context.add_cookies([{"name": "scorer", "domain": "localhost", **cookie}])
    for seed in range(matches):
        [given] = given_in(match_text(seed), "match.json")
        take_in(table, given)
    return table


def match_text(seed: int, **claims: object) -> bytes:
    """A match of four people with difficult names, as a file."""
    played = random_match("barbu", seed)
    match = referee.Match(played.ruleset, NAMES, played.first_declarer, played.hands)
    return matchfile.write(match, played_on="2026-11-29", extra=claims).encode()


def choose(phone: Page, name: str, *files: Path) -> None:
    with phone.expect_file_chooser() as chooser:
        phone.get_by_label(name).click()
    chooser.value.set_files(list(files))


def press(phone: Page, name: str) -> None:
    phone.get_by_role("button", name=name, exact=True).click()


def fits(phone: Page, axe: Axe) -> None:
    """The page is accessible and needs no scrolling sideways, with small letters and with large ones."""
    width = phone.viewport_size["width"]
    assert not axe(phone), phone.url
    assert phone.evaluate("document.documentElement.scrollWidth") == width, phone.url
    phone.evaluate("document.documentElement.style.fontSize = '34px'")
    assert phone.evaluate("document.documentElement.scrollWidth") == width, phone.url
    phone.evaluate("document.documentElement.style.fontSize = ''")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_a_match_is_chosen_looked_at_and_taken_in(phone: Page, tmp_path: Path):
    file = tmp_path / "elsewhere.json"
    file.write_bytes(match_text(3))
    table = sit_down(phone, matches=0)
    phone.goto(f"/t/{table.code}/")
    phone.get_by_role("link", name="Files").click()
    phone.get_by_role("link", name="Take in matches").click()
    choose(phone, "Match files, one or several", file)
    press(phone, "Look at them")
    expect(phone.get_by_text("29 November 2026 · 28 hands")).to_be_visible()
    assert not Match.objects.exists()
    press(phone, "Take in 1 match")
    expect(phone.get_by_text("The match is over")).to_be_visible()
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Match file").click()
    assert download.value.suggested_filename == "Sunday-table-2026-11-29-match-1.json"
    assert json.loads(download.value.path().read_bytes()) == json.loads(file.read_bytes())


def test_a_table_is_saved_and_comes_back_as_a_new_one(phone: Page):
    table = sit_down(phone, matches=2)
    phone.goto(f"/t/{table.code}/files/")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Save a backup").click()
    assert download.value.suggested_filename.startswith("Sunday-table-")
    saved = Path(download.value.path())
    phone.goto("/")
    phone.get_by_role("link", name="A table from a file").click()
    choose(phone, "The file of a table", saved)
    press(phone, "Make the table")
    expect(phone.get_by_role("heading", name="Sunday table")).to_be_visible()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    again = Table.objects.exclude(pk=table.pk).get()
    assert "".join(backup.write(again)) == saved.read_text("utf-8")


def test_a_file_that_is_no_table_is_told_where_it_was_chosen(phone: Page, tmp_path: Path):
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": "table/2"}')
    table = sit_down(phone)
    phone.goto(f"/t/{table.code}/files/")
    choose(phone, "The file of a table", wrong)
    press(phone, "Restore")
    region = phone.get_by_role("region", name="Problems")
    expect(region).to_be_focused()
    region.get_by_role("link").click()
    expect(phone.get_by_label("The file of a table")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 320])
def test_every_page_of_files_is_accessible_and_fits(
    open_phone: Callable[..., Page], axe: Axe, tmp_path: Path, width: int
):
    phone = open_phone(width=width, height=640)
    table = sit_down(phone)
    for address in (f"/t/{table.code}/files/", "/restore/", f"/t/{table.code}/import/", f"/t/{table.code}/1/"):
        phone.goto(address)
        fits(phone, axe)
    for name, text in (
        ("sound", match_text(5, total={"أحمد": 7, "<b>x</b>": "many"})),
        ("here", match_text(0)),
        ("a-name-without-any-space-that-goes-on-and-on-and-on-and-on", b"{"),
    ):
        (tmp_path / f"{name}.json").write_bytes(text)
    phone.goto(f"/t/{table.code}/import/")
    choose(phone, "Match files, one or several", *sorted(tmp_path.glob("*.json")))
    press(phone, "Look at them")
    expect(phone.get_by_text("The file counts differently")).to_be_visible()
    expect(phone.get_by_role("link", name="Was here already: match 1")).to_be_visible()
    fits(phone, axe)
    phone.goto(f"/t/{table.code}/files/")
    choose(phone, "The file of a table", tmp_path / "sound.json")
    press(phone, "Restore")
    fits(phone, axe)
    small = """[...document.querySelectorAll("main :is(a, button, input, textarea)")]
        .filter(one => one.offsetWidth && one.type !== "hidden" && !one.closest("[hidden]"))
        .map(one => [one.name || one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.height < 48).map(([text, box]) => text + " " + box.height)"""
    for address in (f"/t/{table.code}/files/", "/restore/", f"/t/{table.code}/import/"):
        phone.goto(address)
        assert phone.evaluate(small) == [], address


def test_a_watcher_finds_no_backup(phone: Page, axe: Axe):
    code = sit_down(phone).code
    phone.context.clear_cookies()
    phone.goto(f"/t/{code}/files/")
    expect(phone.get_by_text("A backup of the whole table is for those who score it")).to_be_visible()
    fits(phone, axe)
