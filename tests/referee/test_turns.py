"""Whose turn it is, who deals and cuts, what is left, where everybody stands, and when the match is over."""

import msgspec
from strategies import random_match
from table import ANN, BOB, CY, DEE, played, record

from referee import Adjustment, Coup, Match, load


def codes(contracts):
    return [contract.code for contract in contracts]


def declarers(match):
    return [scored.turn.declarer for scored in match.scored]


def test_the_turn_to_declare_moves_one_seat_after_every_deal():
    match = random_match("barbu", 1)
    first = match.first_declarer
    assert declarers(match) == [(first + i) % 4 for i in range(28)]


def test_or_one_player_declares_seven_in_a_row():
    match = random_match("barbu-classic", 1)
    first = match.first_declarer
    assert declarers(match) == [(first + i // 7) % 4 for i in range(28)]


def test_the_declarer_deals_and_the_player_before_cuts():
    turn = played(ruleset="barbu", first=BOB).turn
    assert (turn.declarer, turn.dealer, turn.cutter) == (BOB, BOB, ANN)


def test_or_the_player_before_the_declarer_deals_and_the_one_before_cuts():
    for ruleset in ("barbu-classic", "barbu-quick"):
        turn = played(ruleset=ruleset, first=BOB).turn
        assert (turn.declarer, turn.dealer, turn.cutter) == (BOB, ANN, DEE)


def test_where_nobody_declares_nobody_deals():
    turn = played(ruleset="get-barbara").turn
    assert (turn.declarer, turn.dealer, turn.cutter) == (None, None, None)
    assert turn.may_declare(ANN) == ()


def test_each_player_declares_each_contract_once():
    for code in ("barbu", "barbu-classic", "barbu-quick"):
        match = random_match(code, 2)
        assert match.is_over
        for seat in range(4):
            declared = [contract for _, contract in match.turn.declared_by(seat)]
            assert sorted(declared) == sorted(codes(load(code).contracts))


def test_what_is_left_stands_in_the_order_of_the_rule_set():
    match = played(record("no-queens"), record("misere"))
    assert codes(match.turn.may_declare(ANN)) == [
        "misere",
        "no-hearts",
        "barbu",
        "no-last-two",
        "trumps",
        "dominoes",
    ]
    assert match.turn.declarations_left(ANN) == 6


def test_after_the_end_nothing_is_left():
    turn = random_match("barbu", 3).turn
    assert turn.is_over
    assert turn.may_declare(ANN) == ()
    assert turn.forced == ()


def test_an_unfinished_hand_leaves_the_turn_where_it_was():
    match = played(record("misere"), record("barbu", None))
    assert match.turn.number == 2
    assert match.unfinished_hand == match.hands[1]
    assert len(match.finished_hands) == 1
    assert "barbu" in codes(match.turn.may_declare(BOB))
    assert match.scored[1].total == ()


def test_a_hand_without_a_contract_has_no_score():
    scored = played().turn.score(record(None))
    assert not scored.is_finished


def test_every_hand_finished_none_is_under_way():
    assert played(record("misere")).unfinished_hand is None
    assert played().unfinished_hand is None


def test_the_turn_of_any_hand_can_be_asked_for():
    match = played(record("misere"), record("barbu"))
    assert [match.turn_of(number).declarer for number in (1, 2, 3)] == [ANN, BOB, CY]
    assert match.scored[1].number == 2


def test_equal_scores_share_a_place_in_seat_order():
    match = played(record("misere"), record("misere"))
    assert [(s.seat, s.score, s.place) for s in match.standings] == [
        (ANN, -8, 1),
        (BOB, -8, 1),
        (CY, -18, 3),
        (DEE, -18, 3),
    ]


def test_where_the_lowest_wins_the_lowest_stands_first():
    counts = {"barbaras": {BOB: 3, DEE: 1}, "fives": {ANN: 2}, "ones": {}}
    match = played(record(None, None, counts=counts), ruleset="get-barbara")
    assert [(s.seat, s.place) for s in match.standings] == [(CY, 1), (ANN, 2), (DEE, 2), (BOB, 4)]


def test_nobody_has_won_before_the_end():
    assert played(record("misere")).winners == ()


def test_the_highest_total_wins_and_ties_share():
    match = random_match("barbu", 4)
    best = max(match.turn.running)
    assert match.winners == tuple(seat for seat in range(4) if match.turn.running[seat] == best)


def test_in_king_everybody_above_zero_has_won():
    match = random_match("king", 1)
    assert match.winners == tuple(seat for seat in range(4) if match.turn.running[seat] > 0)


def test_get_barbara_is_over_after_a_round_in_which_somebody_reaches_a_hundred():
    counts = {"barbaras": {BOB: 3, DEE: 1}, "fives": {BOB: 4}, "ones": {}}
    hand = record(None, None, counts=counts)
    assert [played(*[hand] * n, ruleset="get-barbara").is_over for n in (0, 1, 2)] == [False, False, True]
    match = played(hand, hand, ruleset="get-barbara")
    assert match.winners == (ANN, CY)


def test_in_king_a_negative_is_declared_twice_in_a_match_at_most():
    misere = record("misere", tricks={ANN: 13})
    match = played(misere, misere, ruleset="king")
    assert "misere" not in codes(match.turn.may_declare(CY))
    assert match.with_hands((*match.hands, misere)).problems[0].code == "contract-quota"


def test_in_king_a_player_declares_two_trumps_and_three_negatives():
    match = random_match("king", 2)
    for seat in range(4):
        signs = [load("king").contract(code).sign for _, code in match.turn.declared_by(seat)]
        assert sorted(signs) == ["negative"] * 3 + ["positive"] * 2


def test_in_king_a_player_may_declare_the_same_negative_twice():
    misere, trumps = record("misere", tricks={ANN: 13}), record("trumps", trump="S", tricks={ANN: 13})
    match = played(misere, trumps, trumps, trumps, misere, ruleset="king")
    assert match.problems == ()


QUEENS = record("queens", queens={ANN: 4})


def test_in_a_round_each_hand_is_played_once_and_chosen_by_the_declarer():
    match = played(QUEENS, ruleset="coup-detat")
    assert match.turn.declarer == ANN
    assert "queens" not in codes(match.turn.may_declare(ANN))
    assert match.turn.may_declare(BOB) == ()
    assert match.with_hands((QUEENS, QUEENS)).problems[0].code == "contract-used"


def test_who_makes_a_coup_declares_to_the_end_of_the_round():
    hands = [
        record("queens", coup=Coup(by=CY, made=True)),
        record("king-of-hearts", king_of_hearts={ANN: 1}),
        record("spades", spades={ANN: 8}),
        record("first-and-last", first_trick={ANN: 1}, last_trick={ANN: 1}),
        record("tableau", start="9", finish=(ANN, BOB, CY, DEE)),
        record("all-of-these", coup=Coup(by=DEE, made=False)),
        QUEENS,
    ]
    match = played(*hands, ruleset="coup-detat")
    assert match.problems == ()
    assert declarers(match) == [ANN, CY, CY, CY, CY, CY, BOB]
    assert match.turn.round == 1


def test_the_bank_goes_to_the_declarer_of_the_last_hand_of_the_round():
    hands = [
        record("queens", coup=Coup(by=CY, made=False)),
        record("king-of-hearts", king_of_hearts={ANN: 1}),
        record("spades", spades={ANN: 8}),
        record("first-and-last", first_trick={ANN: 1}, last_trick={ANN: 1}),
        record("tableau", start="9", finish=(BOB, CY, DEE, ANN)),
    ]
    match = played(*hands, ruleset="coup-detat")
    assert match.turn.bank == 800
    whole = match.with_hands((*hands, record("all-of-these", coup=Coup(by=DEE, made=False))))
    assert whole.turn.bank == 0
    assert whole.scored[-1].basic == (0, 0, 0, -800)
    assert whole.scored[-1].total == (1600, 0, 0, -800)
    assert sum(whole.turn.running) == 40_000


def test_adjustments_count_in_the_running_total_and_nowhere_else():
    adjusted = msgspec.structs.replace(record("misere"), adjustment=Adjustment(points={ANN: -10, BOB: 10}))
    scored = played(adjusted).scored[0]
    assert scored.total == (1, -9, -9, -9)
    assert scored.running == (-9, 1, -9, -9)


def test_a_match_without_hands_stands_at_nothing():
    match = Match(load("barbu"), ("Ann", "Bob", "Cy", "Dee"))
    assert [standing.score for standing in match.standings] == [0, 0, 0, 0]
    assert not match.is_over


def test_a_seat_that_nobody_has_is_named_by_its_number():
    assert played().turn.name(7) == "seat 8"


def test_a_contract_with_no_times_is_not_played_at_this_table():
    barbu = load("barbu")
    misere = msgspec.structs.replace(barbu.contracts[0], times=0)
    house = msgspec.structs.replace(barbu, contracts=(misere, *barbu.contracts[1:]))
    match = played(record("misere"), ruleset=house)
    assert match.problems[0].says == "Misère is not played at this table."
    assert "misere" not in codes(match.turn.may_declare(ANN))
    assert house.hands_in_all(4) == 24
