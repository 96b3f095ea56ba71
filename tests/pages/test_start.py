"""The first page: what to do first, and one tap to go on with a match."""

import gzip

import pytest
from bs4 import BeautifulSoup, Tag
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import referee
from scorekeeper.models import Match, Table, new_code

pytestmark = pytest.mark.django_db


def begin(client: Client, *, table: str = "Harbour", game: str = "barbu", at: str = "/new/") -> Match:
    names = {"player-1": "Ann", "player-2": "Bob", "player-3": "Cy", "player-4": "Dee"}
    client.post(at, {"key": new_code(), "game": game, "first": "1", "table": table, **names})
    return Match.objects.latest("pk")


def pass_out(match: Match, contract: str) -> None:
    hand = referee.Hand(contract=contract, doubles=())
    match.record(match.state().number, hand, key=new_code(), revision=0)


def main(client: Client) -> Tag:
    return BeautifulSoup(client.get("/").content, "html.parser").main


def test_a_first_visit_is_told_what_to_do_and_has_a_big_button_for_it(client: Client):
    shown = main(client)
    assert "Start a match" in shown.ol.li.text
    [link] = shown.select("a")
    assert (link.text, link["href"]) == ("New match", "/new/")


def test_a_running_match_is_one_tap_away_with_its_players_game_and_hand(client: Client):
    match = begin(client)
    pass_out(match, "misere")
    shown = main(client)
    line = shown.select_one(f'a[href="/t/{match.table.code}/1/"]')
    assert "Barbu" in line.text
    assert "Hand 2 of 28" in line.text
    assert "Continue" in line.text
    assert [name.text for name in line.select("bdi")] == ["Ann", "Bob", "Cy", "Dee"]
    assert [figure.text for figure in line.select(".figure")] == ["+1", "−9", "−9", "−9"]
    assert "Start a match" not in shown.text


def test_a_hand_taken_back_no_longer_counts(client: Client):
    match = begin(client)
    pass_out(match, "misere")
    match.undo(1, key=new_code(), revision=1)
    assert "Hand 1 of 28" in main(client).text


def test_a_game_that_ends_at_a_score_says_the_round(client: Client):
    begin(client, game="get-barbara")
    assert "Round 1" in main(client).text


def test_each_table_leads_to_its_page_the_last_one_first(client: Client):
    harbour, attic = begin(client, table="Harbour").table, begin(client, table="Attic").table
    links = [(link.text, link["href"]) for link in main(client).select("h2 a")]
    assert links == [("Attic", f"/t/{attic.code}/"), ("Harbour", f"/t/{harbour.code}/")]


def test_the_last_three_matches_of_a_table_are_shown(client: Client):
    address = f"/t/{begin(client).table.code}/"
    for _ in range(4):
        begin(client, at=f"{address}new/")
    assert [link["href"] for link in main(client).select("a.match")] == [f"{address}{number}/" for number in (5, 4, 3)]


def test_a_stranger_sees_no_table(client: Client):
    begin(client)
    assert not main(Client()).select("h2")


def test_a_link_that_was_opened_is_remembered(client: Client):
    code = begin(client).table.code
    watcher = Client()
    watcher.get(f"/t/{code}/")
    assert main(watcher).h2.text == "Harbour"


def test_a_cookie_that_was_tampered_with_is_as_good_as_none(client: Client):
    begin(client)
    client.cookies["tables"] = "x" + client.cookies["tables"].value
    assert "Start a match" in main(client).text


def test_three_tables_and_nine_matches_cost_the_same_queries_as_one(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
):
    begin(client)
    with django_assert_num_queries(5):
        client.get("/")
    for name in ("Attic", "Cellar"):
        address = f"/t/{begin(client, table=name).table.code}/new/"
        for _ in range(3):
            pass_out(begin(client, at=address), "barbu")
    with django_assert_num_queries(5):
        client.get("/")


def test_a_first_visit_asks_the_database_nothing(client: Client, django_assert_num_queries: DjangoAssertNumQueries):
    with django_assert_num_queries(0):
        client.get("/")


def test_it_takes_no_post(client: Client):
    assert client.post("/").status_code == 405


def test_it_is_never_kept_by_a_cache(client: Client):
    assert "no-store" in client.get("/")["Cache-Control"]


def test_page_and_stylesheet_are_light(client: Client):
    begin(client)
    sheet = (settings.BASE_DIR / "static/tafferan.css").read_bytes()
    assert len(gzip.compress(client.get("/").content)) + len(gzip.compress(sheet)) < 8000


def test_there_is_no_style_or_script_inside_the_page(client: Client):
    match = begin(client)
    for address in ("/", "/new/", f"/t/{match.table.code}/", "/rules/barbu/"):
        shown = BeautifulSoup(client.get(address).content, "html.parser")
        assert not shown.select("style, [style], script:not([src]), [onclick]")


def test_pinching_is_allowed_and_the_scheme_is_the_phones(client: Client):
    shown = BeautifulSoup(client.get("/").content, "html.parser")
    viewport = shown.select_one("meta[name=viewport]")["content"]
    assert "user-scalable" not in viewport
    assert "maximum-scale" not in viewport
    assert len(shown.select("meta[name=theme-color]")) == 2


def test_tables_without_matches_are_still_listed(client: Client):
    match = begin(client)
    Table.objects.create(name="Attic", scorer_hash="-")
    code = Table.objects.get(name="Attic").code
    client.get(f"/t/{code}/")
    assert [link.text for link in main(client).select("h2 a")] == ["Attic", match.table.name]
