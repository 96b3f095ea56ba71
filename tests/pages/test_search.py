"""Looking for matches on a table's page: by player, by game, by evening."""

from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup, Tag
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import referee
from referee.rules import from_object, to_object
from scorekeeper.models import Match, Table, new_code

from .table import problems, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """Four evenings: with Eve instead of Dee on the second, King on the third, and Eve gone since."""
    table = Table.objects.create(name="Harbour", zone="Europe/Vienna", scorer_hash="-")
    play(table, datetime(2026, 1, 1, 19, tzinfo=UTC))
    play(table, datetime(2026, 1, 8, 23, 30, tzinfo=UTC), fourth="Eve")  # half past midnight
    play(table, datetime(2026, 1, 15, 19, tzinfo=UTC), game="king")
    play(table, datetime(2026, 1, 22, 19, tzinfo=UTC))
    table.player("Eve").remove()
    return table


def play(table: Table, began: datetime, fourth: str = "Dee", game: str = "barbu") -> Match:
    ruleset = referee.load(game)
    names = ("Ann", "Bob", "Cy", fourth)
    match = Match.start(ruleset=ruleset, names=names, first_declarer=0, key=new_code(), zone="UTC", table=table)
    Match.objects.filter(pk=match.pk).update(began=began)
    return match


def code(table: Table, name: str) -> str:
    return table.players.get(name=name).code


def look(client: Client, table: Table, query: str = "") -> Tag:
    response = client.get(f"/t/{table.code}/{query}")
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser").main


def found(page: Tag) -> list[int]:
    return [int(link["href"].split("/")[3]) for link in page.select("a.match")]


def summary(page: Tag) -> str:
    return words(page.select_one("summary"))


def test_without_a_search_all_matches_are_there_and_counted(client: Client, table: Table):
    page = look(client, table)
    assert found(page) == [4, 3, 2, 1]
    assert summary(page) == "4 matches Search"
    assert not page.select("details[open], a.clear")


def test_a_table_without_matches_offers_no_search(client: Client):
    table = Table.objects.create(name="Harbour", scorer_hash="-")
    assert not look(client, table).select("form[role=search]")


def test_everybody_who_ever_played_can_be_looked_for_gone_ones_apart(client: Client, table: Table):
    page = look(client, table)
    assert [words(option) for option in page.select("#player > option")] == ["Everybody", "Ann", "Bob", "Cy", "Dee"]
    gone = page.select_one("#player optgroup")
    assert (gone["label"], words(gone)) == ("No longer playing", "Eve")


def test_a_player_s_matches(client: Client, table: Table):
    page = look(client, table, f"?player={code(table, 'Eve')}&game=&from=&to=")
    assert found(page) == [2]
    assert summary(page) == "1 match Eve Search"
    assert words(page.select_one("#player option[selected]")) == "Eve"
    assert page.select_one("a.clear")["href"] == f"/t/{table.code}/"


def test_only_games_that_were_played_can_be_looked_for(client: Client, table: Table):
    page = look(client, table)
    king = referee.load("king")
    assert [words(option) for option in page.select("#game option")] == ["Any game", "Barbu", king.name]
    page = look(client, table, "?game=king")
    assert found(page) == [3]
    assert page.select_one("#game option[selected]")["value"] == "king"


def test_rules_of_the_table_s_own_are_games_by_their_newest_name(client: Client, table: Table):
    data = to_object(referee.load("barbu"))
    first = table.keep_rules(from_object({**data, "name": "Old name"}), key=new_code())
    match = play(table, datetime(2026, 2, 1, 19, tzinfo=UTC))
    Match.objects.filter(pk=match.pk).update(game=first.code, ruleset=first.ruleset)
    table.keep_rules(from_object({**data, "name": "Our <b>Barbu</b>"}), key=new_code(), code=first.code)
    page = look(client, table, f"?game={first.code}")
    assert found(page) == [match.number]
    assert words(page.select_one("#game option[selected]")) == "Our <b>Barbu</b>"


def test_rules_that_came_with_a_match_from_elsewhere_are_a_game_too(client: Client, table: Table):
    match = play(table, datetime(2026, 2, 1, 19, tzinfo=UTC))
    theirs = {**to_object(referee.load("barbu")), "code": "own-theirs", "name": "Theirs"}
    Match.objects.filter(pk=match.pk).update(game="own-theirs", ruleset=theirs)
    page = look(client, table, "?game=own-theirs")
    assert found(page) == [match.number]
    assert words(page.select_one("#game option[selected]")) == "Theirs"


@pytest.mark.parametrize(
    ("query", "numbers", "says"),
    [
        ("?from=2026-01-08", [4, 3, 2], "from 8 January 2026"),
        ("?from=2026-01-09", [4, 3], "from 9 January 2026"),
        ("?to=2026-01-08", [2, 1], "until 8 January 2026"),
        ("?to=2026-01-07", [1], "until 7 January 2026"),
        ("?from=2026-01-08&to=2026-01-15", [3, 2], "8 Jan 2026 to 15 Jan 2026"),
        ("?from=2026-01-08&to=2026-01-08", [2], "8 January 2026"),
        ("?to=2199-12-31", [4, 3, 2, 1], "until 31 December 2199"),
        ("?from=1900-01-01", [4, 3, 2, 1], "from 1 January 1900"),
    ],
)
def test_evenings_both_ends_included(client: Client, table: Table, query: str, numbers: list[int], says: str):
    page = look(client, table, query)
    assert found(page) == numbers
    assert words(page.select_one(".said")) == says


def test_everything_at_once(client: Client, table: Table):
    page = look(client, table, f"?player={code(table, 'Dee')}&game=barbu&from=2026-01-02")
    assert found(page) == [4]
    assert summary(page) == "1 match Dee Barbu from 2 January 2026 Search"


def test_no_match_like_that_says_so_and_offers_all(client: Client, table: Table):
    page = look(client, table, "?from=2027-01-01")
    assert "No match of this table is like that." in words(page)
    assert [link["href"] for link in page.select("a") if words(link) == "Show all matches"] == [f"/t/{table.code}/"]
    assert "Nothing has been played" not in words(page)


def test_leafing_keeps_the_search(client: Client, table: Table):
    for day in range(1, 26):
        play(table, datetime(2026, 3, day, 19, tzinfo=UTC), game="king")
    page = look(client, table, "?player=&game=king&from=2026-03-01&to=")
    [earlier] = page.select("nav.leaf a")
    assert earlier["href"] == "?game=king&from=2026-03-01&before=10"
    second = look(client, table, earlier["href"])
    assert found(second) == [9, 8, 7, 6, 5]
    assert summary(second).startswith("25 matches")
    [later] = second.select("nav.leaf a")
    assert found(look(client, table, later["href"])) == found(page)


NONSENSE = [
    ("?from=2026-02-31", ["“2026-02-31” is no date; write it as year, month and day: 2026-11-26."]),
    ("?to=26.11.2026", ["“26.11.2026” is no date; write it as year, month and day: 2026-11-26."]),
    ("?from=0002-11-26", ["“0002-11-26” is no date; write it as year, month and day: 2026-11-26."]),
    ("?to=9999-12-31", ["“9999-12-31” is no date; write it as year, month and day: 2026-11-26."]),
    ("?from=%D9%A2%D9%A0%D9%A2%D9%A6-01-01", ["“٢٠٢٦-01-01” is no date; write it as year, month and day: 2026-11-26."]),
    (
        "?from=2026-02-01&to=2026-01-01",
        ["These evenings end before they begin: 1 February 2026 is after 1 January 2026."],
    ),
    ("?player=nobody", ["Nobody at this table is found under this link; choose a player."]),
    ("?player=%00", ["Nobody at this table is found under this link; choose a player."]),
    ("?game=whist", ["This table has not played this game; choose another."]),
    ("?game=chinese-poker", ["This table has not played this game; choose another."]),
]


@pytest.mark.parametrize(("query", "says"), NONSENSE)
def test_nonsense_is_told_in_a_sentence(client: Client, table: Table, query: str, says: list[str]):
    response = client.get(f"/t/{table.code}/{query}")
    assert problems(response) == says
    page = BeautifulSoup(response.content, "html.parser")
    assert page.select("details[open]")
    assert not page.select("a.match")


def test_what_was_typed_stays_when_something_is_wrong(client: Client, table: Table):
    response = client.get(f"/t/{table.code}/?player={code(table, 'Bob')}&game=king&from=%3Cb%3Ex&to=2026-01-08")
    page = BeautifulSoup(response.content, "html.parser")
    assert page.select_one("#from")["value"] == "<b>x"
    assert page.select_one("#from")["type"] == "text"  # a date field would drop what is none
    assert (page.select_one("#to")["value"], page.select_one("#to")["type"]) == ("2026-01-08", "date")
    assert words(page.select_one("#player option[selected]")) == "Bob"
    assert page.select_one("#game option[selected]")["value"] == "king"


def test_a_player_of_another_table_is_nobody_here(client: Client, table: Table):
    other = Table.objects.create(name="Attic", scorer_hash="-").player("Zoë")
    assert client.get(f"/t/{table.code}/?player={other.code}").status_code == 422


def test_a_name_from_right_to_left_does_not_turn_the_page(client: Client, table: Table):
    player = table.player("Ann")
    player.rename("أحمد")
    page = look(client, table, f"?player={player.code}")
    assert "أحمد" in words(page.select_one(".said"))
    assert all(name.name == "bdi" for name in (line.select_one(".name").contents[0] for line in page.select("a.match")))


def test_a_search_by_player_reads_indexes_only_and_never_a_whole_table(client: Client, table: Table):
    if connection.vendor != "sqlite":
        # Another database plans by how many rows there are, and four matches it rightly reads whole.
        assert found(look(client, table, f"?player={code(table, 'Ann')}")) == [4, 3, 2, 1]
        return
    address = f"/t/{table.code}/?player={code(table, 'Ann')}&game=barbu&from=2026-01-02"
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    plans = []
    with connection.cursor() as cursor:
        for query in captured:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
            plans += [row[3] for row in cursor.fetchall()]
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN")]
