"""A table's page: its evenings, the latest first."""

from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import referee
from referee.rules import from_object, to_object
from scorekeeper.models import Match, Table, new_code

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


def test_a_table_without_a_match_says_so(client: Client, table: Table):
    assert "Nothing has been played at this table yet." in main(client, table).text


def test_matches_stand_by_evening_the_latest_first(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 19, 19, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 26, 18, tzinfo=UTC))
    played(table, began=datetime(2026, 11, 26, 21, tzinfo=UTC))
    shown = main(client, table)
    assert [day.text for day in shown.select("h2")] == [
        "Thursday 26 November 2026",
        "Thursday 19 November 2026",
    ]
    assert [link["href"].split("/")[3] for link in shown.select("a.match")] == ["3", "2", "1"]


def test_the_evening_is_that_of_the_place_and_ends_before_dawn(client: Client, table: Table):
    played(table, began=datetime(2026, 11, 26, 23, 30, tzinfo=UTC))  # half past midnight in Vienna
    played(table, began=datetime(2026, 11, 27, 3, 30, tzinfo=UTC), zone="America/New_York")
    assert [day.text for day in main(client, table).select("h2")] == ["Thursday 26 November 2026"]


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
    assert [name.text for name in line.select("bdi")] == ["Bob", "Ann", "Dee", "Cy"]
    assert "Continue" not in line.text


def test_only_who_may_score_is_offered_a_new_match(client: Client):
    names = {f"player-{number}": name for number, name in enumerate(CAST, start=1)}
    client.post("/new/", {"key": new_code(), "game": "barbu", "first": "1", **names})
    table = Table.objects.get()
    assert main(client, table).select_one(".dock a")["href"] == f"/t/{table.code}/new/"
    assert not main(Client(), table).select(".dock")


def test_thirty_matches_a_page_and_a_link_to_earlier_ones(client: Client, table: Table):
    for _ in range(31):
        played(table)
    shown = main(client, table)
    assert len(shown.select("a.match")) == 30
    assert shown.select_one("a.button")["href"] == "?before=2"
    earlier = main(client, table, "?before=2")
    assert [link["href"] for link in earlier.select("a.match")] == [f"/t/{table.code}/1/"]


@pytest.mark.parametrize("query", ["?before=x", "?before=-1", "?before=" + "9" * 40, "?before=٣"])
def test_nonsense_for_the_page_shows_the_latest(client: Client, table: Table, query: str):
    played(table)
    assert len(main(client, table, query).select("a.match")) == 1


def test_an_unknown_table_says_what_to_do(client: Client):
    response = client.get("/t/no-such-table/")
    assert response.status_code == 404
    shown = BeautifulSoup(response.content, "html.parser").main
    assert shown.h1.text == "There is no table under this link."
    assert "ask for it once more" in shown.p.text


@pytest.mark.parametrize("matches", [1, 4])
def test_more_matches_cost_no_more_queries(
    client: Client, table: Table, django_assert_num_queries: DjangoAssertNumQueries, matches: int
):
    for _ in range(matches):
        played(table, "misere", "barbu")
    with django_assert_num_queries(4):
        client.get(f"/t/{table.code}/")


def test_it_takes_no_post(client: Client, table: Table):
    assert client.post(f"/t/{table.code}/").status_code == 405
