"""Chinese Poker: three rows of rankings, fouled hands, and an overall unit."""

import pytest
from table import ANN, BOB, CY, DEE, last, record, refused, said

from referee import Hand, explain, load
from referee.explain import cost
from referee.rules import from_object, to_object
from referee.scoring import row_order, row_units

STEPS = {ANN: 3, BOB: 2, CY: 1, DEE: 0}
SWAPPED = {BOB: 3, ANN: 2, CY: 1, DEE: 0}
SPLIT = {ANN: 2.5, BOB: 2.5, CY: 1}


def rows(*beats: dict[int, float], best: int | None = None, doubles: list[tuple[int, int]] | None = None) -> Hand:
    told = dict(zip(("front", "middle", "back"), beats, strict=False))
    return record("chinese-poker", doubles or (), beats=told, best=best)


def test_the_overall_unit_goes_to_whoever_has_most_units():
    assert last(rows(STEPS, STEPS, SWAPPED), ruleset="chinese-poker").total == (36, 28, 12, 0)


def test_the_balanced_game_has_no_overall_unit():
    assert last(rows(STEPS, STEPS, SWAPPED), ruleset="chinese-poker-72").total == (32, 28, 12, 0)


def test_where_most_units_tie_the_table_names_who_takes_the_overall_unit():
    assert last(rows(STEPS, SWAPPED, SPLIT, best=BOB), ruleset="chinese-poker").total == (30, 34, 12, 0)


@pytest.mark.parametrize("best", [None, CY])
def test_the_name_is_asked_for_where_it_is_absent_or_not_one_of_those_who_tie(best: int | None):
    hand = rows(STEPS, SWAPPED, SPLIT, best=best)

    assert refused(hand, ruleset="chinese-poker") == [("best-needed", "best")]
    assert "Ann, Bob tie for most units" in said(hand, ruleset="chinese-poker")[0]


@pytest.mark.parametrize("best", [ANN, BOB])
def test_nobody_is_named_where_one_player_has_most_units(best: int):
    hand = rows(STEPS, STEPS, STEPS, best=best)

    assert refused(hand, ruleset="chinese-poker") == [("best-not-needed", "best")]


def test_nobody_is_named_where_there_is_no_overall_unit():
    assert last(rows(STEPS, SWAPPED, SPLIT), ruleset="chinese-poker-72").total == (30, 30, 12, 0)
    hand = rows(STEPS, SWAPPED, SPLIT, best=ANN)
    assert refused(hand, ruleset="chinese-poker-72") == [("best-not-needed", "best")]


def test_nobody_is_named_in_another_contract():
    hand = record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1}, best=ANN)

    assert refused(hand, ruleset="chinese-poker") == [("best-not-needed", "best")]


@pytest.mark.parametrize(
    "row",
    [
        (3, 2, 1, 0),
        (3, 2, 0.5, 0.5),
        (3, 1.5, 1.5, 0),
        (3, 1, 1, 1),
        (2.5, 2.5, 1, 0),
        (2.5, 2.5, 0.5, 0.5),
        (2, 2, 2, 0),
        (1.5, 1.5, 1.5, 1.5),
    ],
)
def test_every_ranking_with_its_ties_makes_a_row(row: tuple[float, ...]):
    beats = dict(enumerate(row))

    assert sum(last(rows(beats, beats, beats), ruleset="chinese-poker-72").total) == 72
    assert row_units(row_order(beats, players=4)) == beats


@pytest.mark.parametrize("row", [(3, 3, 0, 0), (3, 2, 1, 1), (2, 2, 1, 1), (3, 2.5, 0.5, 0), (3, 2, 1, 0.5)])
def test_units_that_no_ranking_gives_are_refused(row: tuple[float, ...]):
    hand = rows(STEPS, dict(enumerate(row)), STEPS)

    assert refused(hand, ruleset="chinese-poker-72") == [("beats-mismatch", "middle")]


def test_no_row_is_missing():
    assert refused(rows(STEPS, STEPS), ruleset="chinese-poker") == [("missing-result", "back")]


def test_there_is_no_fourth_row():
    four = record("chinese-poker", beats={"front": STEPS, "middle": STEPS, "back": STEPS, "top": STEPS})

    assert refused(four, ruleset="chinese-poker") == [("unknown-item", "top")]


def test_nobody_beats_less_than_nobody():
    hand = rows(STEPS, STEPS, STEPS | {DEE: -1})

    assert ("negative-count", "back") in refused(hand, ruleset="chinese-poker")


def test_a_fouled_hand_is_beaten_by_everybody_wherever_it_was_placed():
    assert row_units([[ANN], [BOB], [CY], [DEE]], fouled=[ANN]) == {BOB: 3, CY: 2, DEE: 1, ANN: 0}


def test_two_fouled_hands_tie_with_each_other():
    assert row_units([[ANN, BOB], [CY], [DEE]], fouled=[ANN, CY]) == {BOB: 3, DEE: 2, ANN: 0.5, CY: 0.5}


def test_four_fouled_hands_tie():
    assert row_units([[ANN], [BOB], [CY], [DEE]], fouled=range(4)) == dict.fromkeys(range(4), 1.5)


def test_the_overall_unit_is_doubled_too():
    hand = rows(STEPS, STEPS, STEPS, doubles=[(BOB, ANN)])

    assert last(hand, ruleset="chinese-poker").total == (40 + 16, 24 - 16, 12, 0)


def test_only_the_declarer_is_doubled():
    hand = rows(STEPS, STEPS, STEPS, doubles=[(BOB, CY)])

    assert refused(hand, ruleset="chinese-poker") == [("double-not-allowed", "doubles")]


def test_half_units_make_half_points_only_where_the_unit_is_odd():
    data = to_object(load("chinese-poker-72"))
    data["contracts"][8]["unit"] = 3

    odd = last(rows(STEPS, STEPS, SPLIT), ruleset=from_object(data)).total
    even = last(rows(STEPS, STEPS, SPLIT), ruleset="chinese-poker-72").total

    assert odd == (25.5, 19.5, 9, 0)
    assert [type(points) for points in even] == [int] * 4


def test_units_explain_themselves():
    ann, bob, *_ = explain(last(rows(STEPS, STEPS, SPLIT), ruleset="chinese-poker")).players

    assert [(part.what.says, part.points) for part in ann.parts] == [
        ("8.5 units", 34),
        ("the overall unit", 4),
    ]
    assert [(part.what.says, part.points) for part in bob.parts] == [("6.5 units", 26)]


def test_the_cost_is_told_by_the_unit():
    assert [says.says for says in cost(load("chinese-poker").contracts[8])] == [
        "+4 for each opponent beaten in each of the rows front, middle, back",
        "+4 for the most units",
    ]
