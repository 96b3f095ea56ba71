"""A table's page: its evenings, the latest first."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup, Tag
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import referee
from referee.rules import from_object, to_object
from scorekeeper.models import Hand, Match, Table, new_code

from .table import go_on, let_in, problems, soup, words
from .test_cases import ending_with

pytestmark = pytest.mark.django_db

CAST = ("Ann", "Bob", "Cy", "Dee")


@pytest.fixture
def table() -> Table:
    return Table.objects.create(name="Harbour", zone="Europe/Vienna", scorer_hash="-")


def played(table: Table, *contracts: str, began: datetime | None = None, zone: str = "Europe/Vienna") -> Match:
    """A match with these contracts passed out."""
    match = Match.start(
        ruleset=referee.load("barbu-classic"),
        names=CAST,
        first_declarer=0,
        key=new_code(),
        zone=zone,
        table=table,
    )
    if began:
        Match.objects.filter(pk=match.pk).update(began=began)
    for number, contract in enumerate(contracts, start=1):
        match.record(number, referee.Hand(contract=contract, doubles=()), key=new_code(), revision=0)
    return match


def finished(table: Table) -> Match:
    """A short match, of Misère alone: four times Bob takes no trick, Ann and Dee four, Cy five."""
    data = to_object(referee.load("barbu-classic"))
    short = from_object({**data, "contracts": data["contracts"][:1], "doubling": {}, "examples": []})
    match = Match.start(ruleset=short, names=CAST, first_declarer=0, key=new_code(), zone="UTC", table=table)
    result = referee.Result(counts={"tricks": {0: 4, 2: 5, 3: 4}})
    for number in range(1, 5):
        match.record(number, referee.Hand(contract="misere", result=result), key=new_code(), revision=0)
    return match


def main(client: Client, table: Table, query: str = "") -> Tag:
    return BeautifulSoup(client.get(f"/t/{table.code}/{query}").content, "html.parser").main


def numbers(page: Tag) -> list[int]:
    """The matches on a page by number, as they stand there."""
    return [int(link["href"].split("/")[3]) for link in page.select("a.match")]


def leaves(page: Tag) -> dict[str, str]:
    """The links to other pages of the list."""
    return {words(link): link["href"] for link in page.select("nav.leaf a")}


def evenings(page: Tag) -> list[str]:
    """The headings of the list."""
    return [words(day) for day in page.select("h2.day")]


def test_a_table_without_a_match_says_so(client: Client, table: Table):
    assert "Nothing has been played at this table yet." in main(client, table).text


def test_matches_stand_by_evening_the_latest_first(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 19, 19, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 26, 18, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 26, 21, tzinfo=UTC))
    shown = main(client, table)
    assert evenings(shown) == [
        "Thursday 26 November 2026",
        "Thursday 19 November 2026",
    ]
    assert [link["href"].split("/")[3] for link in shown.select("a.match")] == ["3", "2", "1"]


def test_the_evening_is_that_of_the_table_wherever_the_phone_was(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 26, 23, 30, tzinfo=UTC))  # half past midnight in Vienna
    played(table, began=datetime(2026, 11, 27, 3, 30, tzinfo=UTC), zone="Asia/Tokyo")  # half past four in Vienna
    assert evenings(main(client, table)) == ["Thursday 26 November 2026"]


CLOCKS = [
    # Vienna: on 28 March 2026 in summer time from 2 o'clock of the 29th; on 25 October at 3 o'clock back to 2.
    ("Europe/Vienna", "2026-03-28T19:00", "Saturday 28 March 2026"),
    ("Europe/Vienna", "2026-03-29T00:59", "Saturday 28 March 2026"),  # a minute before 2: then it is 3
    ("Europe/Vienna", "2026-03-29T01:00", "Saturday 28 March 2026"),
    ("Europe/Vienna", "2026-03-29T02:59", "Saturday 28 March 2026"),  # 4.59 in summer time
    ("Europe/Vienna", "2026-03-29T03:00", "Sunday 29 March 2026"),  # 5 in summer time
    ("Europe/Vienna", "2026-10-25T00:30", "Saturday 24 October 2026"),  # half past two, for the first time
    ("Europe/Vienna", "2026-10-25T01:30", "Saturday 24 October 2026"),  # half past two, for the second time
    ("Europe/Vienna", "2026-10-25T03:59", "Saturday 24 October 2026"),  # 4.59 in winter time
    ("Europe/Vienna", "2026-10-25T04:00", "Sunday 25 October 2026"),  # 5 in winter time
    ("America/Los_Angeles", "2026-11-27T06:00", "Thursday 26 November 2026"),  # ten in the evening
    ("America/Los_Angeles", "2026-11-27T12:59", "Thursday 26 November 2026"),
    ("America/Los_Angeles", "2026-11-27T13:00", "Friday 27 November 2026"),
    ("Pacific/Auckland", "2026-11-26T08:00", "Thursday 26 November 2026"),  # nine in the evening
    ("Pacific/Auckland", "2026-11-26T15:59", "Thursday 26 November 2026"),  # 4.59 on the 27th
    ("Pacific/Auckland", "2026-11-26T16:00", "Friday 27 November 2026"),
]


@pytest.mark.parametrize(("zone", "began", "evening"), CLOCKS)
def test_an_evening_ends_at_five_by_the_table_s_clock_right_across_a_change_of_clocks(
    client: Client, table: Table, zone: str, began: str, evening: str
):
    Table.objects.filter(pk=table.pk).update(zone=zone)
    moment = datetime.fromisoformat(began).replace(tzinfo=UTC)
    match = played(table, began=moment)
    assert evenings(main(client, table)) == [evening]
    day = datetime.strptime(evening, "%A %d %B %Y").date()
    assert numbers(main(client, table, f"?from={day}&to={day}")) == [match.number]
    for other in (f"?to={day - timedelta(days=1)}", f"?from={day + timedelta(days=1)}"):
        assert numbers(main(client, table, other)) == []


def test_a_match_that_runs_past_midnight_belongs_to_the_evening_it_began(client: Client, table: Table):
    late = played(table, "misere", began=datetime(2026, 10, 24, 21, tzinfo=UTC))  # eleven in the evening, Vienna
    Hand.objects.filter(match=late).update(at=datetime(2026, 10, 25, 5, tzinfo=UTC))  # eight hours, one of them twice
    shown = main(client, table)
    assert evenings(shown) == ["Saturday 24 October 2026"]
    assert words(shown.select_one(".match-foot")).startswith("23:00 · 1 hand · 8 h")


def test_a_running_match_says_its_hand_and_keeps_seat_order(client: Client, table: Table):
    played(table, "misere", "barbu")
    line = main(client, table).select_one("a.match")
    assert "Hand 3 of 28" in line.text
    assert [name.text for name in line.select("bdi")] == list(CAST)
    assert [figure.text for figure in line.select(".figure")] == ["+2", "−16", "−16", "−16"]


def test_a_finished_match_says_who_won_with_places_best_first(client: Client, table: Table):
    finished(table)
    line = main(client, table).select_one("a.match")
    assert "Bob won" in line.text
    assert [place.text for place in line.select("i")] == ["1", "2", "2", "4"]
    assert [words(won) for won in line.select(".won .name")] == ["Bob"]
    assert [name.text for name in line.select("bdi")] == ["Bob", "Ann", "Dee", "Cy"]
    assert "Continue" not in line.text


def test_only_who_may_score_is_offered_a_new_match(client: Client):
    names = {f"player-{number}": name for number, name in enumerate(CAST, start=1)}
    client.post("/new/", {"key": new_code(), "game": "barbu", "first": "1", **names})
    table = Table.objects.get()
    assert main(client, table).select_one(".start-match")["href"] == f"/t/{table.code}/new/"
    assert not main(Client(), table).select(".start-match")


def test_twenty_matches_a_page_with_links_to_earlier_and_to_later_ones(client: Client, table: Table):
    for number in range(1, 46):
        played(table, began=datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(days=number))
    first, second, third = (main(client, table, query) for query in ("", "?before=26", "?before=6"))
    assert [numbers(page) for page in (first, second, third)] == [
        list(range(45, 25, -1)),
        list(range(25, 5, -1)),
        list(range(5, 0, -1)),
    ]
    assert [leaves(page) for page in (first, second, third)] == [
        {"Earlier": "?before=26"},
        {"Later": "?after=25", "Earlier": "?before=6"},
        {"Later": "?after=5"},
    ]
    assert numbers(main(client, table, "?after=5")) == numbers(second)
    assert leaves(main(client, table, "?after=5")) == leaves(second)
    assert numbers(main(client, table, "?after=25")) == numbers(first)
    assert leaves(main(client, table, "?after=25")) == leaves(first)


def test_a_match_that_was_brought_in_later_stands_where_it_was_played(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 19, 19, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 26, 19, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 19, 21, tzinfo=UTC))
    shown = main(client, table)
    assert numbers(shown) == [2, 3, 1]
    assert len(shown.select("h2.day")) == 2


def test_matches_that_began_at_the_same_moment_are_all_found_by_leafing(client: Client, table: Table):
    for _ in range(25):
        played(table, began=datetime(2026, 11, 19, 19, tzinfo=UTC))
    first, second = main(client, table), main(client, table, "?before=6")
    assert [*numbers(first), *numbers(second)] == list(range(25, 0, -1))
    assert numbers(main(client, table, "?after=5")) == numbers(first)


@pytest.mark.parametrize(
    "query", ["?before=x", "?before=-1", "?before=" + "9" * 40, "?before=٣", "?after=x", "?after=7", "?before=1"]
)
def test_nonsense_for_the_page_shows_the_latest(client: Client, table: Table, query: str):
    played(table)
    assert len(main(client, table, query).select("a.match")) == 1


def test_an_unknown_table_says_what_to_do(client: Client):
    response = client.get("/t/no-such-table/")
    assert response.status_code == 404
    shown = BeautifulSoup(response.content, "html.parser").main
    assert shown.h1.text == "There is no table under this link."
    assert "ask for it once more" in shown.p.text


@pytest.mark.parametrize("query", ["", "?player={ann}&game=barbu-classic&from=2026-01-02", "?before=2", "?after=1"])
def test_sixty_matches_cost_the_same_queries_as_two(client: Client, query: str):
    asked = []
    for matches in (2, 60):
        table = Table.objects.create(name="Harbour", zone="Europe/Vienna", scorer_hash="-")
        for number in range(matches):
            played(table, "misere", began=datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(days=number))
        address = f"/t/{table.code}/" + query.format(ann=table.player("Ann").code)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        asked.append(len(captured))
    # A page of later matches that is the latest one is read as such.
    assert asked[0] - asked[1] in ((0, 1) if query == "?after=1" else (0,))
    assert asked[1] <= 12


def test_a_page_reads_no_more_hands_than_its_own_matches_have(client: Client, table: Table):
    for number in range(25):
        played(table, "misere", began=datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(days=number))
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/t/{table.code}/")
    [of_hands] = [query["sql"] for query in captured if '"record"' in query["sql"]]
    listed = re.search(r"IN \(([\d, ]+)\)", of_hands)
    assert listed
    assert len(listed[1].split(",")) == 20


def test_it_takes_no_post(client: Client, table: Table):
    assert client.post(f"/t/{table.code}/").status_code == 405


def test_ties_share_a_place_and_the_match_in_the_list(client: Client, table: Table):
    """A16: totals 40, 40, −10 and −70 are places 1, 1, 3 and 4, with two winners."""
    phone = go_on(ending_with(40, -70, 40, -10))
    line = main(client, phone.match.table).select_one("a.match")
    assert [words(figure) for figure in line.select(".figure")] == ["+40", "+40", "−10", "−70"]
    assert [place.text for place in line.select("i")] == ["1", "1", "3", "4"]
    assert [words(won) for won in line.select(".won .name")] == ["Ann", "Cy"]
    assert "Ann, Cy won" in words(line)


@pytest.mark.parametrize(
    ("minutes", "says"), [(42, "42 min"), (160, "2 h 40 min"), (180, "3 h"), (0, "1 min"), (60 * 24 * 7, "over 7 days")]
)
def test_the_length_runs_from_the_start_to_the_last_hand(client: Client, table: Table, minutes: int, says: str):
    began = datetime(2026, 11, 26, 18, tzinfo=UTC)
    match = played(table, "misere", "barbu", began=began)
    Hand.objects.filter(match=match, number=2).update(at=began + timedelta(minutes=minutes))
    Hand.objects.filter(match=match, number=1).update(at=began)
    assert words(main(client, table).select_one(".match-foot")).startswith(f"19:00 · 2 hands · {says}")


def test_a_correction_a_year_later_makes_no_match_longer(client: Client, table: Table):
    began = datetime(2025, 11, 26, 18, tzinfo=UTC)
    match = played(table, "misere", began=began)
    Hand.objects.filter(match=match).update(at=began + timedelta(minutes=30))
    match.correct(1, referee.Hand(contract="barbu", doubles=()), key=new_code(), revision=1)
    assert words(main(client, table).select_one(".match-foot")).startswith("19:00 · 1 hand · 30 min")


def test_a_match_without_a_hand_has_no_length(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 26, 18, tzinfo=UTC))
    assert words(main(client, table).select_one(".match-foot span")) == "19:00"


def test_a_match_leads_to_its_page_and_to_looking_back(client: Client, table: Table):
    match = played(table, "misere")
    shown = main(client, table)
    assert numbers(shown) == [1]
    [back] = [link for link in shown.select(".match-foot a") if words(link) == "Look back"]
    assert back["href"] == reverse("session", args=[table.code, match.number])


def test_the_table_s_page_names_its_other_pages(client: Client, table: Table):
    played(table)
    page = soup(client.get(f"/t/{table.code}/"))
    links = {words(link): link["href"] for link in page.select("nav.lines a, .crumb a")}
    assert (
        links.items()
        >= {"Players": f"/t/{table.code}/players/", "The table's own rules": f"/t/{table.code}/rules/"}.items()
    )
    assert "Rename this table" not in links


def test_matches_whose_numbers_are_large_are_leafed_through_as_well(client: Client, table: Table):
    for day in (1, 2):
        match = played(table, began=datetime(2026, 1, day, 19, tzinfo=UTC))
        Match.objects.filter(pk=match.pk).update(number=1_999_999_000 + day)
    assert numbers(main(client, table, "?before=1999999002")) == [1_999_999_001]


def test_the_scorer_renames_the_table(table: Table):
    client = Client()
    let_in(client, table)
    mark = table.mark
    assert "Rename this table" in words(main(client, table))
    shown = BeautifulSoup(client.get(f"/t/{table.code}/name/").content, "html.parser")
    assert shown.select_one("[name=name]")["value"] == "Harbour"
    response = client.post(f"/t/{table.code}/name/", {"name": "  Café "})
    assert (response.status_code, response["Location"]) == (302, f"/t/{table.code}/")
    assert words(main(client, table).h1) == "Café"
    table.refresh_from_db()
    assert (table.name, table.mark != mark) == ("Café", True)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "A table needs a name."),
        ("   ", "A table needs a name."),
        ("x" * 61, "A table's name has at most 60 plain characters; this has 61."),
        ("a\nb", "A table's name has at most 60 plain characters; this has 3."),
    ],
)
def test_a_name_that_no_table_can_have_is_refused_and_kept_in_the_field(table: Table, name: str, says: str):
    client = Client()
    let_in(client, table)
    response = client.post(f"/t/{table.code}/name/", {"name": name})
    assert problems(response) == [says]
    field = BeautifulSoup(response.content, "html.parser").select_one("[name=name]")
    assert field["value"].strip() == name.strip()
    table.refresh_from_db()
    assert table.name == "Harbour"


def test_only_the_scorer_renames_the_table(client: Client, table: Table):
    assert client.get(f"/t/{table.code}/name/").status_code == 403
    assert client.post(f"/t/{table.code}/name/", {"name": "Mine"}).status_code == 403
    table.refresh_from_db()
    assert table.name == "Harbour"
