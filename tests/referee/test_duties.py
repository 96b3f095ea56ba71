"""Compulsory doubles: each player doubles each other player, as declarer, at least twice."""

import msgspec
import pytest
from table import ANN, BOB, CY, DEE, last, played, record, refused

from referee import load
from referee.doubling import is_forced, owed

MISERE = {"tricks": {ANN: 13}}


def row_of(*contracts, doubles=()):
    """Ann's hands, seven in a row, each undoubled but for those said; results as they come."""
    results = {
        "misere": {"tricks": {ANN: 13}},
        "no-hearts": {"hearts": {ANN: 13}, "ace_of_hearts": {ANN: 1}},
        "no-queens": {"queens": {ANN: 4}},
        "barbu": {"king_of_hearts": {ANN: 1}},
        "no-last-two": {"trick_12": {ANN: 1}, "trick_13": {ANN: 1}},
        "trumps": {"trump": "S", "tricks": {ANN: 13}},
        "dominoes": {"start": "7", "finish": (ANN, BOB, CY, DEE)},
    }
    hands = []
    for contract, pairs in zip(contracts, doubles or [()] * len(contracts), strict=True):
        is_played = pairs or contract in ("trumps", "dominoes")
        hands.append(record(contract, pairs, **(results[contract] if is_played else {})))
    return hands


NEGATIVES = ("barbu", "misere", "no-queens", "no-hearts", "no-last-two")


def test_two_are_owed_to_each_other_player_and_none_to_oneself():
    turn = played().turn
    assert [[turn.owed(who, declarer) for declarer in turn.seats] for who in turn.seats] == [
        [0, 2, 2, 2],
        [2, 0, 2, 2],
        [2, 2, 0, 2],
        [2, 2, 2, 0],
    ]


def test_a_double_of_the_declarer_counts():
    turn = played(record("misere", [(BOB, ANN)], **MISERE)).turn
    assert (turn.owed(BOB, ANN), turn.made[BOB][ANN]) == (1, 1)


def test_a_double_of_the_declarer_counts_in_a_positive_too():
    turn = played(record("trumps", [(BOB, ANN)], trump="S", **MISERE)).turn
    assert turn.owed(BOB, ANN) == 1


def test_doubling_somebody_who_does_not_declare_counts_for_nothing():
    turn = played(record("misere", [(BOB, CY), (CY, BOB)], **MISERE)).turn
    assert (turn.owed(BOB, CY), turn.owed(CY, BOB)) == (2, 2)


def test_the_declarers_redouble_and_being_doubled_count_for_nothing():
    turn = played(record("misere", [(BOB, ANN), (ANN, BOB)], **MISERE)).turn
    assert turn.owed(ANN, BOB) == 2


def test_more_than_two_are_not_carried_over():
    assert [owed(2, made) for made in (0, 1, 2, 3)] == [2, 1, 0, 0]


@pytest.mark.parametrize(
    ("owing", "left", "forced"),
    [(2, 3, False), (2, 2, True), (2, 1, True), (1, 2, False), (1, 1, True), (0, 1, False)],
)
def test_a_double_is_forced_when_the_declarations_left_are_no_more_than_the_doubles_owed(owing, left, forced):
    assert is_forced(owing, left) is forced


def test_nobody_is_forced_when_no_declaration_is_left():
    assert not is_forced(2, 0)


def test_in_the_sixth_of_seven_everybody_who_has_not_doubled_is_forced():
    hands = row_of(*NEGATIVES, doubles=[[(BOB, ANN)], [(CY, ANN)], [(BOB, ANN)], (), ()])
    assert played(*hands, ruleset="barbu-classic").turn.forced == (DEE,)


def test_in_the_last_everybody_who_owes_one_is_forced():
    hands = row_of(*NEGATIVES, "trumps", doubles=[[(BOB, ANN)], [(CY, ANN)], [(BOB, ANN)], (), (), [(DEE, ANN)]])
    assert played(*hands, ruleset="barbu-classic").turn.forced == (CY, DEE)


def test_each_declarer_has_duties_of_his_own_in_rotation_too():
    match = played(*[record(contract) for contract in NEGATIVES for _ in range(4)])
    assert match.problems == ()
    assert (match.turn.declarer, match.turn.declarations_left(ANN)) == (ANN, 2)
    assert match.turn.forced == (BOB, CY, DEE)


def test_a_compulsory_double_that_is_missing_is_scored_and_remarked_on():
    hands = row_of(*NEGATIVES, "trumps", doubles=[[(BOB, ANN)], [(CY, ANN)], [(BOB, ANN)], (), (), ()])
    hand = last(*hands, ruleset="barbu-classic")
    assert hand.total == (65, 0, 0, 0)
    assert [(remark.code, remark.where, remark.hand, remark.says) for remark in hand.remarks] == [
        (
            "double-owed",
            "doubles",
            6,
            "Dee owes Ann 2 and Ann declares 2 more, this one included: the double was compulsory.",
        )
    ]


def test_played_anyway_changes_neither_score_nor_remark():
    *before, sixth = row_of(*NEGATIVES, "trumps", doubles=[[(BOB, ANN)], [(CY, ANN)], [(BOB, ANN)], (), (), ()])
    plain = last(*before, sixth, ruleset="barbu-classic")
    knowing = last(*before, msgspec.structs.replace(sixth, played_anyway=True), ruleset="barbu-classic")
    assert knowing.total == plain.total
    assert knowing.remarks == plain.remarks


def test_a_negative_is_passed_out_though_somebody_was_forced_and_each_is_remarked_on():
    hands = row_of("trumps", "dominoes", *NEGATIVES[:4])
    hand = last(*hands, ruleset="barbu-classic")
    assert hand.passed_out
    assert [remark.values["player"] for remark in hand.remarks] == ["Bob", "Cy", "Dee"]


def test_the_remark_is_there_before_the_result_is():
    hands = row_of(*NEGATIVES)
    turn = played(*hands, ruleset="barbu-classic").turn
    unfinished = record("trumps", [(BOB, ANN)], trump="S")
    assert [remark.values["player"] for remark in turn.remarks(unfinished)] == ["Cy", "Dee"]
    assert turn.remarks(record("trumps", None, trump="S")) == ()


def test_all_duties_met_nobody_is_forced_and_nothing_is_remarked():
    everybody = [(BOB, ANN), (CY, ANN), (DEE, ANN)]
    hands = row_of(*NEGATIVES, doubles=[everybody, everybody, (), (), ()])
    match = played(*hands, ruleset="barbu-classic")
    assert match.turn.forced == ()
    assert match.turn.remarks(record("trumps", trump="S")) == ()


def test_a_table_may_ask_for_none():
    barbu = load("barbu-classic")
    house = msgspec.structs.replace(barbu, doubling=msgspec.structs.replace(barbu.doubling, compulsory=0))
    match = played(*row_of(*NEGATIVES, "trumps"), ruleset=house)
    assert match.turn.forced == ()
    assert match.scored[-1].remarks == ()


def test_games_without_a_declarer_have_no_duties():
    turn = played(ruleset="get-barbara").turn
    assert turn.forced == ()
    assert turn.remarks(record(None)) == ()


def test_after_the_last_hand_nobody_is_forced():
    match = played(*row_of(*NEGATIVES, "trumps", "dominoes"), ruleset="barbu-classic")
    assert match.turn.declarer == BOB
    assert refused(*match.hands, ruleset="barbu-classic") == []
