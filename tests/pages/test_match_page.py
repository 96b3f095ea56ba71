"""The match page: what stands where, for whom, and that looking changes nothing."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

import referee
from scorekeeper import models
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, PLAYERS, Phone, begin, go_on, said, soup, table_of, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    return phone


def test_players_stand_in_seat_order_with_score_and_part():
    phone = go_on(random_match("barbu-classic", seed=10, hands=8))
    turn = phone.state.match.turn
    head, figures = table_of(phone.see(), "Standings")
    assert head == list(turn.players)
    parts = {turn.declarer: "declares", turn.dealer: "deals", turn.cutter: "cuts"}
    for seat, figure in enumerate(figures):
        owes = sum(turn.owed(seat, other) for other in range(4))
        assert figure.split()[1:] == [*filter(None, [parts.get(seat)]), *(["owes", str(owes)] if owes else [])]


def test_one_line_says_what_happens_now(phone: Phone):
    page = phone.see()
    assert "Hand 2 of 28" in words(page.select_one("header"))
    assert words(page.select_one(".now p")) == "Bob declares Bob deals, Ann cuts"
    assert words(page.title) == "Hand 2 · Bob · Tafferan"


def test_every_control_has_the_name_that_the_table_says(phone: Phone):
    page = phone.see()
    names = [button["aria-label"] for button in page.select("[aria-label=Contract] button")]
    assert names == ["Misère", "No Hearts", "No Queens", "Barbu", "No Last Two", "Trumps", "Dominoes"]
    suits = [button["aria-label"] for button in page.select("[aria-label='Trump suit'] button")]
    assert sorted(suits) == ["Clubs", "Diamonds", "Hearts", "Spades"]
    ranks = [button["aria-label"] for button in page.select("[aria-label='Starting rank'] button")]
    assert ranks == [*map(str, range(2, 11)), "Jack", "Queen", "King", "Ace"]
    doubles = [box["aria-label"] for box in page.select("[name=double]")]
    assert len(doubles) == 12
    assert doubles[:3] == ["Cy doubles Ann", "Cy doubles Bob", "Cy doubles Dee"]
    assert [words(row.select_one(".who")).split()[0] for row in page.select(".doubles-row")] == [
        "Cy",
        "Dee",
        "Ann",
        "Bob",
    ]
    counts = [field["aria-label"] for field in page.select("[type=number]")]
    for items in ("Tricks", "Hearts", "Queens"):
        assert [name for name in counts if name.startswith(items)] == [f"{items} for {name}" for name in PLAYERS]
    assert [words(button) for button in page.select(".takeback button")] == ["Undo"]


def test_the_hands_stand_there_the_last_first_with_change_and_total(phone: Phone):
    phone.record("barbu")
    rows = table_of(phone.see(), "Hands")
    assert [row[0].split()[0] for row in rows[1:3]] == ["2", "1"]
    assert rows[1][1:5] == ["−9 −7", "−7 +1", "−17 −7", "−13 −7"]
    assert rows[-1][:5] == ["Total", "−9", "−7", "−17", "−13"]


def test_before_the_first_hand_it_says_what_to_do_first():
    page = begin().see()
    assert "Tap the contract to begin." in words(page.select_one(".sheet"))
    assert not page.select(".takeback button")


def test_what_each_player_may_still_declare(phone: Phone):
    left = [words(line) for line in phone.see().select(".left div")]
    assert left[0] == "Ann NH NQ B NL2 T D"
    assert left[1] == "Bob M NH NQ B NL2 T D"


@pytest.mark.parametrize("done", ["begun", "doubled", "taken back", "over"])
def test_looking_changes_nothing(phone: Phone, done: str):
    if done == "begun":
        phone.send("hand", 2, fields={"declare": "trumps", "pick": "S"})
    if done == "doubled":
        phone.send("hand", 2, fields=said("barbu", [(CY, BOB)]))
    if done == "taken back":
        phone.undo()
    if done == "over":
        phone = go_on(random_match("barbu", seed=11))
    before = everything()
    last = phone.state.finished or 1
    for client in (phone.client, Client()):
        for parts in ((), ("hand", last), ("hand", last, "correct"), ("hand", last, "undo"), ("hand", 99)):
            for method in (client.get, client.head):
                assert method(phone.address(*parts)).status_code in (200, 302, 403, 404)
    assert everything() == before


def everything() -> dict[str, list[dict[str, object]]]:
    """All that is stored."""
    kinds = (models.Table, models.Player, models.Match, models.Seat, models.Hand)
    return {kind.__name__: list(kind.objects.order_by("pk").values()) for kind in kinds}


@pytest.mark.parametrize("parts", [(), ("hand", 1), ("hand", 1, "correct")])
def test_head_is_answered_like_get_without_the_page(phone: Phone, parts: tuple[object, ...]):
    response = phone.client.head(phone.address(*parts))
    assert (response.status_code, response.content) == (200, b"")


@pytest.mark.parametrize("parts", [(), ("hand", 1), ("hand", 1, "correct")])
def test_no_cache_keeps_it(phone: Phone, parts: tuple[object, ...]):
    assert "no-store" in phone.client.get(phone.address(*parts))["Cache-Control"]


def test_an_answer_to_a_post_is_not_kept_either(phone: Phone):
    for response in (
        phone.record("barbu", [(CY, BOB)], step="save"),
        phone.undo(7),
        phone.send("hand", 1, "undo", fields={}, in_place=True),
    ):
        assert "no-store" in response["Cache-Control"], response.status_code


def test_all_that_the_script_needs_stands_in_the_page_as_data(phone: Phone):
    rules = json.loads(phone.see().select_one("script#rules").text)
    assert rules["players"] == ["Ann", "Bob", "Cy", "Dee"]
    assert rules["declarer"] == BOB
    assert rules["contracts"]["misere"]["pass"] == "Nobody doubles: pass out (+1 / −9)"
    assert rules["contracts"]["trumps"]["onlyDeclarer"] is True


def test_names_cannot_break_out_of_that_data():
    phone = begin(players=("</script><script>alert(1)", "Bob", "Cy", "Dee"))
    page = phone.see()
    assert json.loads(page.select_one("script#rules").text)["players"][ANN] == "</script><script>alert(1)"
    assert not [script for script in page.select("script:not([type])") if "alert" in script.text]


def test_ids_stand_once(phone: Phone):
    phone.send("hand", 2, fields=said("barbu", [(CY, BOB)]))
    for response in (
        phone.client.get(phone.address()),
        phone.client.get(phone.address("hand", 1)),
        phone.client.get(phone.address("hand", 1, "correct")),
        phone.record("misere", [(CY, BOB)], tricks=("x", "", 3, 3)),
        phone.record("misere", [(CY, BOB)], tricks=("x", "", 3, 3), hand=1, revision=0),
    ):
        ids = [tag["id"] for tag in soup(response).select("[id]")]
        assert sorted(ids) == sorted(set(ids))
        for tag in soup(response).select("[aria-describedby], [aria-labelledby]"):
            named = " ".join([tag.get("aria-describedby", ""), tag.get("aria-labelledby", "")]).split()
            assert set(named) <= set(ids)


def test_a_game_without_doubling_and_one_without_a_declarer_have_their_page_too():
    for code in referee.names():
        played = random_match(code, seed=12, hands=3)
        phone = go_on(played)
        assert [words(cell) for cell in phone.see().select(".standings thead th")] == list(played.players)


def test_addresses_are_those_that_were_shared(phone: Phone):
    code, number = phone.match.table.code, phone.match.number
    assert reverse("match", args=[code, number]) == f"/t/{code}/{number}/"
    assert reverse("hand", args=[code, number, 9]) == f"/t/{code}/{number}/hand/9/"


def test_the_models_and_the_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_what_was_played_under_older_rules_keeps_them(phone: Phone):
    rules = phone.match.ruleset
    [misere] = [contract for contract in rules["contracts"] if contract["code"] == "misere"]
    misere["items"][0]["each"] = -3
    phone.match.save()
    assert phone.total == (-3, -12, -15, -9)
