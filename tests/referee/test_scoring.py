"""Basic points, from what each player took, went out as, or beat."""

import pytest
from table import ANN, BOB, CY, DEE, last, record

from referee import Coup, Hand, load
from referee.scoring import beaten, passed_out, whole


def basic(hand: Hand, ruleset: str = "barbu") -> tuple[float, ...]:
    return last(hand, ruleset=ruleset).basic


DOUBLED = [(BOB, ANN)]


def test_misere_costs_two_a_trick():
    assert basic(record("misere", DOUBLED, tricks={ANN: 5, BOB: 2, CY: 3, DEE: 3})) == (-10, -4, -6, -6)


def test_a_player_left_out_took_none():
    assert basic(record("misere", DOUBLED, tricks={BOB: 13})) == (0, -26, 0, 0)


def test_the_ace_of_hearts_costs_six_in_all():
    hand = record("no-hearts", DOUBLED, hearts={ANN: 5, BOB: 4, CY: 3, DEE: 1}, ace_of_hearts={ANN: 1})
    assert basic(hand) == (-14, -8, -6, -2)


def test_a_lone_ace_of_hearts_costs_six():
    hand = record("no-hearts", DOUBLED, hearts={ANN: 12, DEE: 1}, ace_of_hearts={DEE: 1})
    assert basic(hand) == (-24, 0, 0, -6)


def test_no_queens_costs_six_a_queen():
    assert basic(record("no-queens", DOUBLED, queens={DEE: 2, ANN: 1, CY: 1})) == (-6, 0, -6, -12)


def test_the_king_of_hearts_costs_twenty():
    assert basic(record("barbu", DOUBLED, king_of_hearts={CY: 1})) == (0, 0, -20, 0)


def test_the_last_two_tricks_cost_ten_and_twenty():
    assert basic(record("no-last-two", DOUBLED, trick_12={BOB: 1}, trick_13={CY: 1})) == (0, -10, -20, 0)


def test_one_player_may_win_both_of_the_last_two_tricks():
    assert basic(record("no-last-two", DOUBLED, trick_12={BOB: 1}, trick_13={BOB: 1})) == (0, -30, 0, 0)


def test_trumps_bring_five_a_trick():
    assert basic(record("trumps", trump="S", tricks={ANN: 7, BOB: 2, CY: 3, DEE: 1})) == (35, 10, 15, 5)


def test_dominoes_pay_by_the_order_of_going_out():
    assert basic(record("dominoes", start="7", finish=(BOB, CY, DEE, ANN))) == (-5, 45, 20, 5)


def test_the_ravaged_share_the_penalty():
    for ravaged, points in (
        ((BOB,), (0, -24, 0, 0)),
        ((BOB, DEE), (0, -12, 0, -12)),
        ((BOB, DEE, ANN), (-8, -8, 0, -8)),
        ((ANN, BOB, CY, DEE), (-6, -6, -6, -6)),
    ):
        assert basic(record("ravage-city", DOUBLED, ravaged=ravaged), "ravage-city") == points


ROWS = {
    "front": {ANN: 3, BOB: 2, CY: 1},
    "middle": {ANN: 1.5, BOB: 1.5, CY: 1.5, DEE: 1.5},
    "back": {BOB: 2.5, CY: 2.5, DEE: 1},
}


def test_chinese_poker_pays_each_opponent_beaten_in_each_row():
    hand = record("chinese-poker", beats=ROWS)
    assert basic(hand, "chinese-poker-72") == (18, 24, 20, 10)


def test_the_most_units_take_the_overall_unit():
    hand = record("chinese-poker", beats=ROWS)
    assert basic(hand, "chinese-poker") == (18, 28, 20, 10)


def test_where_the_most_units_tie_the_table_names_who_takes_the_overall_unit():
    row = {ANN: 2.5, BOB: 2.5, CY: 0.5, DEE: 0.5}
    hand = record("chinese-poker", beats={"front": row, "middle": row, "back": row}, best=BOB)
    assert basic(hand, "chinese-poker") == (30, 34, 6, 6)


def test_half_units_show_only_where_they_make_half_points():
    assert [str(whole(points)) for points in (7.0, 7.5, 7, -0.0)] == ["7", "7.5", "7", "0"]
    hand = record("chinese-poker", beats=ROWS)
    assert beaten(hand.result, 4) == (4.5, 6, 5, 2.5)


def test_all_four_barbaras_are_good_for_their_owner():
    hand = record(None, None, counts={"barbaras": {BOB: 4}, "fives": {}, "ones": {}})
    assert basic(hand, "get-barbara") == (0, -25, 0, 0)


def test_three_barbaras_are_bad_and_so_are_cards_left_in_hand():
    counts = {"barbaras": {BOB: 3, DEE: 1}, "fives": {ANN: 2, DEE: 1}, "ones": {CY: 4}}
    hand = record(None, None, counts=counts)
    assert basic(hand, "get-barbara") == (10, 30, 4, 15)


def test_takers_pay_the_declarer_whose_own_take_costs_nothing():
    hand = record("queens", queens={ANN: 1, BOB: 2, DEE: 1})
    assert basic(hand, "coup-detat") == (600, -400, 0, -200)


def test_the_last_of_a_tableau_pays_the_declarer():
    assert basic(record("tableau", start="9", finish=(BOB, ANN, CY, DEE)), "coup-detat") == (800, 0, 0, -800)


def test_the_declarer_who_goes_out_last_pays_nobody():
    assert basic(record("tableau", start="9", finish=(BOB, CY, DEE, ANN)), "coup-detat") == (0, 0, 0, 0)


def test_a_coup_made_is_paid_by_each_opponent():
    assert basic(record("queens", coup=Coup(by=CY, made=True)), "coup-detat") == (-1000, -1000, 3000, -1000)


def test_a_coup_failed_is_paid_into_the_bank():
    assert basic(record("queens", coup=Coup(by=CY, made=False)), "coup-detat") == (0, 0, -800, 0)


PASSED_OUT = {
    "barbu": {
        "barbu": (1, -7),
        "misere": (1, -9),
        "no-queens": (0, -8),
        "no-hearts": (0, -10),
        "no-last-two": (0, -10),
    },
    "ravage-city": {"ravage-city": (0, -8), "misere": (0, -13), "no-queens": (1, -11), "barbu": (0, -7)},
    "ravage-city-36": {"ravage-city": (0, -12), "misere": (1, -9)},
    "chinese-poker-72": {
        "misere": (0, -13),
        "no-queens": (1, -11),
        "barbu": (0, -10),
        "no-last-two": (1, -12),
        "ravage-city": (0, -12),
    },
}


@pytest.mark.parametrize(
    ("ruleset", "contract", "declarer", "other"),
    [(r, c, *shares) for r, contracts in PASSED_OUT.items() for c, shares in contracts.items()],
)
def test_passed_out_the_opponents_take_a_third_each_and_the_declarer_the_rest(ruleset, contract, declarer, other):
    assert passed_out(load(ruleset).contract(contract), CY, 4) == (other, other, declarer, other)
