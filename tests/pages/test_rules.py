"""The rules in plain words, from the rulebook."""

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import referee


def main(client: Client, address: str) -> Tag:
    response = client.get(address)
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser").main


def test_every_game_is_listed(client: Client):
    links = [link["href"] for link in main(client, "/rules/").select("a")]
    assert links == [f"/rules/{code}/" for code in referee.names()]


@pytest.mark.parametrize("code", referee.names())
def test_every_contract_can_be_linked_to(client: Client, code: str):
    shown = main(client, f"/rules/{code}/")
    for contract in referee.load(code).contracts:
        assert shown.find(id=contract.code).dt.text.startswith(contract.name)
    assert shown.h1.text == referee.load(code).name


@pytest.mark.parametrize("code", referee.names())
def test_every_worked_example_stands_there_with_its_scores(client: Client, code: str):
    shown = main(client, f"/rules/{code}/")
    for example, drawn in zip(referee.load(code).examples, shown.select(".example"), strict=True):
        assert example.says in drawn.text
        assert len(drawn.select(".figure")) == len(example.total)


def test_a_contract_says_what_it_costs_and_when_it_stops(client: Client):
    text = main(client, "/rules/barbu/").find(id="barbu").text
    assert "−20 for the king of hearts." in text
    assert "The hand may stop once the king of hearts has been taken." in text


def test_a_positive_contract_is_never_passed_out(client: Client):
    assert "Trumps" not in main(client, "/rules/barbu/").select_one(".passed-out").text


def test_a_game_without_doubling_says_nothing_of_passing_out(client: Client):
    assert main(client, "/rules/king/").select_one(".passed-out") is None


def test_duties_turn_and_choices_are_there(client: Client):
    text = main(client, "/rules/barbu/").text
    assert "Each player doubles each other player as declarer at least 2 times." in text
    assert "The turn to declare moves on after every deal." in text
    assert referee.load("barbu").chosen[0] in text


@pytest.mark.parametrize("address", ["/rules/", "/rules/barbu/"])
def test_it_may_be_kept_for_a_while_and_needs_no_database(
    client: Client, address: str, django_assert_num_queries: DjangoAssertNumQueries
):
    response = client.get(address)
    assert "public" in response["Cache-Control"]
    assert "Cookie" not in response.get("Vary", "")
    assert not response.cookies


def test_an_unknown_game_is_not_found(client: Client):
    response = client.get("/rules/whist/")
    assert response.status_code == 404
    assert "There is no game of this name in the rulebook." in response.content.decode()
