"""Contracts of every kind, through their forms: rows of poker, coups, cards out of play, Barbaras, longest suits."""

import pytest
from msgspec.structs import replace

from referee import load
from scorekeeper.models import Match

from .table import ANN, BOB, CY, DEE, PLAYERS, Phone, begin, new_key, problems, said, words

pytestmark = pytest.mark.django_db

ROWS = {"row-front": ["0", "1", "2", "3"], "row-middle": ["0", "1", "2", "3"], "row-back": ["0", "1", "2", "3"]}


def poker(**changed):
    """A hand of Chinese Poker that nobody doubled; Ann beats Bob beats Cy beats Dee in every row."""
    return {"contract": "chinese-poker", "double": []} | ROWS | changed


def test_rows_are_placed_best_first():
    phone = begin("chinese-poker")
    phone.send("hand", 1, fields=poker() | {"step": "save"})
    assert phone.total == (40, 24, 12, 0)


def test_ties_share_what_they_beat():
    phone = begin("chinese-poker")
    phone.send("hand", 1, fields=poker(**{"row-front": ["0", "=1", "2", "=3"]}) | {"step": "save"})
    assert phone.state.hand(1).result.beats["front"] == {0: 2.5, 1: 2.5, 2: 0.5, 3: 0.5}


def test_a_fouled_hand_beats_nobody_wherever_it_was_placed():
    phone = begin("chinese-poker")
    phone.send("hand", 1, fields=poker(foul="0") | {"step": "save"})
    assert phone.state.hand(1).result.beats["back"] == {1: 3, 2: 2, 3: 1, 0: 0}


def test_two_fouled_hands_tie():
    phone = begin("chinese-poker")
    phone.send("hand", 1, fields=poker(foul=["0", "1"]) | {"step": "save"})
    assert phone.state.hand(1).result.beats["middle"] == {2: 3, 3: 2, 0: 0.5, 1: 0.5}


def test_whoever_is_not_placed_is_named_and_the_order_stays():
    phone = begin("chinese-poker")
    answer = phone.send("hand", 1, fields=poker(**{"row-back": ["2", "0"]}) | {"step": "save"})
    assert answer.status_code == 422
    assert problems(answer) == ["In the back row nobody has placed Bob, Dee."]
    assert b'name="row-back" value="2"' in answer.content
    assert phone.total == (0, 0, 0, 0)


@pytest.mark.parametrize("rows", [["0", "0", "1", "2"], ["9", "0", "1", "2"], ["x", "0", "1", "2"], ["", "", "", ""]])
def test_nonsense_in_a_row_is_refused(rows: list[str]):
    phone = begin("chinese-poker")
    answer = phone.send("hand", 1, fields=poker(**{"row-front": rows}) | {"step": "save"})
    assert answer.status_code == 422
    assert phone.state.hand(1) is None


def test_the_overall_unit_is_asked_only_where_it_ties():
    phone = begin("chinese-poker")
    all_tied = {row: ["0", "=1", "=2", "=3"] for row in ROWS}
    answer = phone.send("hand", 1, fields=poker(**all_tied) | {"step": "save"})
    assert answer.status_code == 422
    phone.send("hand", 1, fields=poker(best=str(CY), **all_tied) | {"step": "save"})
    assert phone.total == (18, 18, 22, 18)


def test_a_name_that_was_not_needed_is_left_out():
    phone = begin("chinese-poker")
    phone.send("hand", 1, fields=poker(best=str(CY)) | {"step": "save"})
    assert phone.state.hand(1).result.best is None


def test_the_buttons_of_a_row_place_tie_and_take_back_without_storing_anything():
    phone = begin("chinese-poker")
    fields = {"contract": "chinese-poker", "double": [], "row-front": ["2"]}
    answer = phone.send("hand", 1, fields=fields | {"place": "front-0"})
    assert b'name="row-front" value="2"' in answer.content
    assert b'name="row-front" value="0"' in answer.content
    answer = phone.send("hand", 1, fields=fields | {"row-front": ["2", "0"], "tie": "front"})
    assert b'name="row-front" value="=0"' in answer.content
    answer = phone.send("hand", 1, fields=fields | {"row-front": ["2", "=0"], "unplace": "front"})
    assert b'value="=0"' not in answer.content
    assert phone.state.hand(1) is None


def coup(**told):
    return said("queens", **told)


def test_a_coup_needs_no_counts():
    phone = begin("coup-detat")
    phone.send("hand", 1, fields=coup(coup=str(BOB), **{"coup-made": "yes"}) | {"step": "save"})
    assert phone.total == (9000, 13000, 9000, 9000)


def test_a_coup_that_failed_pays_the_bank():
    phone = begin("coup-detat")
    phone.send("hand", 1, fields=coup(coup=str(DEE), **{"coup-made": "no"}) | {"step": "save"})
    assert phone.total == (10000, 10000, 10000, 9200)
    assert phone.state.match.turn.bank == 800


def test_a_coup_that_neither_failed_nor_was_made_is_asked_about():
    phone = begin("coup-detat")
    answer = phone.send("hand", 1, fields=coup(coup=str(DEE)) | {"step": "save"})
    assert problems(answer) == ["Say whether the coup was made or failed."]


def test_nobody_took_the_king_that_lies_out_of_play():
    phone = begin("coup-detat")
    phone.send("hand", 1, fields=said("king-of-hearts", **{"king-of-hearts": "nobody"}) | {"step": "save"})
    assert phone.total == (10000, 10000, 10000, 10000)


def test_nobody_is_no_answer_where_every_card_is_in_play():
    phone = begin()
    answer = phone.send(
        "hand", 1, fields=said("barbu", [(BOB, ANN)], **{"king-of-hearts": "nobody"}) | {"step": "save"}
    )
    assert answer.status_code == 422


def test_longest_suits_stand_beside_the_result():
    phone = begin("ravage-city")
    fields = said("ravage-city", [(BOB, ANN)], ravaged=str(CY), **{"longest-2": "8", "longest-1": "6"})
    phone.send("hand", 1, fields=fields | {"step": "save"})
    assert phone.state.hand(1).longest == {CY: 8, BOB: 6}


@pytest.mark.parametrize("given", ["-1", "14", "3.5", "eight", "٣"])
def test_a_longest_suit_that_cannot_be_is_refused_at_its_place(given: str):
    phone = begin("ravage-city")
    fields = said("ravage-city", [(BOB, ANN)], ravaged=str(CY), **{"longest-2": given})
    answer = phone.send("hand", 1, fields=fields | {"step": "save"})
    assert answer.status_code == 422
    assert phone.total == (0, 0, 0, 0)


def test_who_has_which_barbara_is_kept_with_the_unfinished_round():
    phone = begin("get-barbara")
    phone.send("hand", 1, fields={"barbara-S": str(CY), "barbara-H": str(ANN), "step": ""})
    assert phone.state.hand(1).barbaras == {"S": CY, "H": ANN}
    assert phone.state.number == 1
    page = phone.see()
    assert [box["value"] for box in page.select("[name=barbara-S][checked]")] == [str(CY)]


def test_whoever_was_dealt_the_barbara_of_spades_starts_though_it_has_moved_since():
    phone = begin("get-barbara")
    for holder in (CY, DEE):
        phone.send("hand", 1, fields={"barbara-S": str(holder), "step": ""})
    assert words(phone.see().select_one(".now b")) == "Cy starts"


def test_a_third_declaration_in_king_is_barred_in_words():
    phone = begin("king")
    for taker in (BOB, CY):
        phone.send(
            "hand", phone.state.number, fields=said("barbu", **{"king-of-hearts": str(taker)}) | {"step": "save"}
        )
    button = phone.see().select_one('[name=declare][value="barbu"]')
    assert button["aria-label"] == "Barbu, declared twice already"
    assert button.has_attr("disabled")


def test_a_contract_that_rules_leave_out_is_not_on_offer_and_breaks_no_page():
    barbu = load("barbu")
    contracts = tuple(replace(c, times=0) if c.code == "misere" else c for c in barbu.contracts)
    rules = replace(barbu, code="without", contracts=contracts, examples=(), rulings=())
    match = Match.start(ruleset=rules, names=PLAYERS, first_declarer=ANN, key=new_key(), zone="UTC", table_name="T")
    page = Phone(match).see()
    assert page.select_one('[name=declare][value="misere"]') is None
    assert page.select_one('[name=declare][value="barbu"]') is not None
