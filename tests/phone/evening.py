"""The acts of whoever holds the phone, each by the name that the page gives its control; and matches under way."""

import re
from collections.abc import Mapping, Sequence

from django.http import HttpResponse
from playwright.sync_api import Locator, Page, Route, expect

from referee import Beats, Contract, Counts, Finish, Hand, Ravaged, RuleSet, Turn, load
from referee.cards import RANK_NAMES, SUIT_NAMES
from referee.scoring import row_order
from scorekeeper.access import let_score
from scorekeeper.models import Match, Saved, Table, new_code

NAMES = ("Ann", "Bob", "Cy", "Dee")
ANN, BOB, CY, DEE = range(4)
PAGES = re.compile(r"/t/[^/]+/\d+/(large/)?$")


# --- a match ---


def start_match(page: Page, names: Sequence[str] = NAMES, first: str = "Ann", game: str = "Barbu") -> None:
    """Begin a match at a new table, from the start page."""
    page.goto("/")
    page.get_by_role("link", name="New match").click()
    page.get_by_role("radio", name=game, exact=True).check()
    for number, name in enumerate(names, start=1):
        page.get_by_role("textbox", name=f"Player {number}", exact=True).fill(name)
    if first != names[0]:
        declarers = page.get_by_role("radiogroup", name="First declarer")
        declarers.get_by_role("radio", name=first, exact=True).check()
    page.get_by_role("button", name="Start match").click()
    expect(page.get_by_role("table", name="Standings")).to_be_visible()


def under_way(
    page: Page,
    *hands: Hand,
    names: Sequence[str] = NAMES,
    first: int = ANN,
    game: str | RuleSet = "barbu",
    path: str = "",
) -> Match:
    """A match with these hands, as if this phone had entered them; the phone shows it, or a page below it."""
    key = new_code()
    ruleset = game if isinstance(game, RuleSet) else load(game)
    match = Match.start(
        ruleset=ruleset, names=names, first_declarer=first, key=key, zone="UTC", table_name="Sunday table"
    )
    for number, hand in enumerate(hands, start=1):
        stored = match.record(number, hand, key=new_code(), revision=0)
        assert isinstance(stored, Saved), stored
    let_score_on(page, match)
    page.goto(address(match) + path)
    return match


def let_score_on(page: Page, match: Match) -> None:
    """Give a phone the cookie that lets it score this match's table."""
    response = HttpResponse()
    let_score(response, match.table, Table.secret_for(match.key))
    cookie = {"value": response.cookies["scorer"].coded_value, "path": f"/t/{match.table.code}/"}
    page.context.add_cookies([{"name": "scorer", "domain": "localhost", **cookie}])


def address(match: Match) -> str:
    """Where the match page is."""
    return f"/t/{match.table.code}/{match.number}/"


def elsewhere(match: Match, number: int, hand: Hand) -> None:
    """Another phone stores this hand, and has seen whatever stands there."""
    stored = match.record(number, hand, key=new_code(), revision=match.state().revision(number))
    assert isinstance(stored, Saved), stored


def stay_behind(page: Page) -> None:
    """The phone does not hear what others store, as in a hole of the signal; its own pages and posts still go."""

    def hold(route: Route) -> None:
        if "seen" in route.request.headers:
            route.abort()
        else:
            route.continue_()

    page.route(PAGES, hold)


def catch_up(page: Page) -> None:
    """The phone hears again what others store."""
    page.unroute(PAGES)


# --- one hand, act by act ---


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def contract_button(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Contract").get_by_role("button", name=name, exact=True)


def declare(page: Page, contract: str, pick: str | None = None) -> None:
    """Declare a contract; ``pick`` is the suit of Trumps or the rank that starts Dominoes."""
    contract_button(page, contract).click()
    if pick:
        group = "Trump suit" if pick in SUIT_NAMES.values() else "Starting rank"
        page.get_by_role("group", name=group).get_by_role("button", name=pick, exact=True).click()
    expect(page.get_by_role("heading", name="Contract")).to_be_hidden()


def double(page: Page, who: str, whom: str) -> Locator:
    """The checkbox of one double."""
    return page.get_by_role("checkbox", name=f"{who} doubles {whom}", exact=True)


def doubles_done(page: Page) -> None:
    button(page, "Doubles done").click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()


def pass_out(page: Page) -> None:
    button(page, re.compile("^Nobody doubles")).click()


def count(page: Page, items: str, counts: Mapping[str, int]) -> None:
    """Count on the pad, which moves on by itself, until everything is accounted for."""
    for name, number in counts.items():
        field = page.get_by_role("spinbutton", name=f"{items} for {name}", exact=True)
        if field.input_value() == str(number):
            continue
        pad = page.get_by_role("group", name=f"{items} for {name}", exact=True)
        if not pad.is_visible():
            field.click()
        pad.get_by_role("button", name=str(number), exact=True).click()
        expect(field).to_have_value(str(number))


def take(page: Page, item: str, name: str) -> None:
    """Say who took the one card or won the one trick."""
    page.get_by_role("radiogroup", name=item, exact=True).get_by_role("radio", name=name, exact=True).check()


def go_out(page: Page, *names: str) -> None:
    """Players in order of going out; the last one may be left to the page."""
    for name in names:
        button(page, f"{name} is out").click()


def save(page: Page) -> None:
    button(page, "Save hand").click()


def saved(page: Page, number: int) -> None:
    """Wait until the hand is saved."""
    expect(page.get_by_role("status")).to_have_text(f"Hand {number} is saved.")


def settled(page: Page) -> None:
    """Wait until everything that was entered has an answer."""
    page.wait_for_function("() => localStorage.getItem(`outbox ${location.pathname}`) === null")


def undo(page: Page, number: int) -> None:
    """Take back the last hand, and wait until its turn has come again."""
    button(page, "Undo").click()
    expect(page.get_by_role("banner")).to_contain_text(f"Hand {number} of")


def redo(page: Page, number: int) -> None:
    """Bring the hand back, and wait for what comes after it."""
    button(page, "Redo").click()
    expect(page.get_by_role("banner")).to_contain_text(f"Hand {number + 1} of")


# --- a whole hand of the referee's ---


def enter(page: Page, turn: Turn, hand: Hand) -> None:
    """Enter a hand by the names of its controls, from the contract to the last tap."""
    contract = turn.ruleset.contract(hand.contract)
    assert contract is not None
    if turn.ruleset.has_declarer:
        declare(page, contract.name, SUIT_NAMES.get(hand.trump or "") or RANK_NAMES.get(hand.start or ""))
    if turn.ruleset.doubling.who != "none":
        enter_doubles(page, turn, hand)
        if turn.is_passed_out(hand):
            pass_out(page)
            return
        doubles_done(page)
    enter_result(page, turn, contract, hand)
    save(page)


def enter_doubles(page: Page, turn: Turn, hand: Hand) -> None:
    """Each in turn, the declarer last; a double that is set and was not made is taken back."""
    names, pairs = turn.players, hand.pairs
    for who in turn.speaking_order:
        others = [other for other in turn.seats if other != who]
        said = [other for other in others if (who, other) in pairs]
        if len(said) == len(others):
            button(page, f"{names[who]} doubles everyone").click()
        elif who != turn.declarer and said == [other for other in others if other != turn.declarer]:
            button(page, f"{names[who]} doubles the flanks").click()
        else:
            for other in said:
                double(page, names[who], names[other]).check()
            if who in turn.forced and turn.declarer not in said:
                double(page, names[who], names[turn.declarer]).uncheck()
    if hand.played_anyway:
        page.get_by_role("checkbox", name="Played anyway").check()


def enter_result(page: Page, turn: Turn, contract: Contract, hand: Hand) -> None:
    """What was taken, or the order of going out."""
    names, result = turn.players, hand.result
    if hand.coup is not None:
        take(page, "Coup", names[hand.coup.by])
        take(page, "Coup made", "Made" if hand.coup.made else "Failed")
        return
    assert result is not None
    match contract:
        case Ravaged():
            for seat in result.ravaged:
                page.get_by_role("checkbox", name=f"{names[seat]} is ravaged", exact=True).check()
        case Beats():
            for row, title in (("front", "Front"), ("middle", "Middle"), ("back", "Back")):
                place_row(page, title, [[names[s] for s in g] for g in row_order(result.beats[row], len(names))])
            if result.best is not None:
                take(page, "Overall unit", names[result.best])
        case Finish():
            go_out(page, *(names[seat] for seat in result.finish[:-1]))
        case Counts(items=items):
            for item in items:
                taken = result.counts[item.code]
                if item.is_single:
                    takers = [names[seat] for seat, number in taken.items() if number]
                    take(page, item.name, takers[0] if takers else "Nobody")
                else:
                    count(page, item.name, {names[seat]: taken.get(seat, 0) for seat in turn.seats})


def place_row(page: Page, title: str, groups: Sequence[Sequence[str]]) -> None:
    """The order of one row of poker, best first; who share a group tie."""
    row = page.get_by_role("group", name=title, exact=True)
    for group in groups:
        for name in group:
            row.get_by_role("button", name=name, exact=True).click()
            if name != group[0]:
                row.get_by_role("button", name="Ties with the one before").click()


# --- what the page shows ---


def number(text: str) -> int:
    """Points as the page writes them: a real minus sign, a plus on gains, groups of three."""
    return int(text.replace("−", "-").replace("+", "").replace(",", ""))


def totals(page: Page) -> list[int]:
    """The running totals in the standings, in seat order."""
    return [number(text) for text in page.get_by_role("table", name="Standings").locator(".figure").all_inner_texts()]


SHEET = """
    (rows) => rows.map((row) => [
        row.querySelector(".n").textContent,
        [...row.querySelectorAll("td:has(b)")]
            .map((cell) => ["small", "b"].map((part) => cell.querySelector(part).textContent)),
    ])
"""


def sheet(page: Page) -> dict[int, list[tuple[int, int]]]:
    """The sheet by hand number: each seat's change and running total."""
    rows = page.get_by_role("table", name="Hands", exact=True).locator("tbody tr").evaluate_all(SHEET)
    return {int(n): [(number(change), number(running)) for change, running in cells] for n, cells in rows}


def preview(page: Page) -> dict[str, list[str]]:
    """The score that the page shows while a hand is being entered, row by row."""
    rows = page.get_by_role("table", name="What this hand would score").locator("tbody tr").all()
    return {row.get_by_role("rowheader").inner_text(): row.locator("td").all_inner_texts() for row in rows}
