"""Get Barbara: rounds without a declarer, cards left in hand, the end at 100."""

from functools import partial

import msgspec
import pytest
import table
from table import ANN, BOB, CY, DEE, record

from referee import BadRuleSet, Hand, explain, load
from referee.explain import cost, customs, play_customs
from referee.report import report
from referee.rules import from_object, to_object

played = partial(table.played, ruleset="get-barbara")
last = partial(table.last, ruleset="get-barbara")
refused = partial(table.refused, ruleset="get-barbara")


def around(barbaras: dict[int, int], fives: dict[int, int] | None = None, ones: dict[int, int] | None = None) -> Hand:
    """A round, by what lies before each player and what is left in each hand."""
    return record(None, None, counts={"barbaras": barbaras, "fives": fives or {}, "ones": ones or {}})


def test_a_round_counts_barbaras_and_the_cards_left_in_hand():
    assert last(around({ANN: 1, BOB: 3}, {CY: 1}, {BOB: 7, CY: 13}), players=3).total == (10, 37, 18)


def test_all_four_barbaras_before_one_player_score_minus_25_and_the_cards_in_hand_count_on():
    scored = last(around({CY: 4}, {CY: 2}, {CY: 3, DEE: 1}))

    assert scored.total == (0, 0, -12, 1)
    assert [part.points for part in explain(scored).players[CY].parts] == [-25, 10, 3]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_three_to_six_play(players: int):
    assert last(around({ANN: 4}, {BOB: 14}, {BOB: 36}), players=players).total[:2] == (-25, 106)


def test_two_do_not_play():
    (problem,) = played(players=2).problems

    assert (problem.hand, problem.code) == (None, "player-count")
    assert "3–6 players" in problem.says


@pytest.mark.parametrize(
    ("hand", "item"),
    [
        (around({ANN: 3}), "barbaras"),
        (around({ANN: 5}), "barbaras"),
        (around({ANN: 4}, {BOB: 15}), "fives"),
        (around({ANN: 4}, {}, {BOB: 37}), "ones"),
    ],
)
def test_barbaras_are_four_and_there_are_only_so_many_other_cards(hand: Hand, item: str):
    assert refused(hand) == [("count-mismatch", item)]


def test_no_hand_has_less_than_no_card():
    assert ("negative-count", "fives") in refused(around({ANN: 4}, {BOB: -1}))


def test_somebody_has_no_card_left_when_a_round_ends():
    everybody = around({ANN: 4}, {ANN: 1, BOB: 1}, {CY: 1, DEE: 1})

    assert [code for code, _ in refused(everybody)] == ["nobody-out"]


NINETY_FIVE = around({ANN: 1, BOB: 3}, {BOB: 13})


def test_the_match_goes_on_below_100():
    match = played(NINETY_FIVE)

    assert match.turn.running == (10, 95, 0, 0)
    assert not match.is_over
    assert match.winners == ()


def test_the_match_is_over_after_a_round_in_which_somebody_reaches_100_and_the_lowest_wins():
    over = played(NINETY_FIVE, around({ANN: 4}, {BOB: 1}, {CY: 2, DEE: 3}))

    assert over.turn.running == (-15, 100, 2, 3)
    assert over.is_over
    assert over.winners == (ANN,)


def test_no_round_follows_the_last():
    assert refused(NINETY_FIVE, around({ANN: 4}, {BOB: 1}), NINETY_FIVE) == [("match-over", "hand")]


def test_the_lowest_totals_share_the_win():
    over = played(around({BOB: 4}, {DEE: 14}, {BOB: 25, DEE: 11}), around({CY: 1, DEE: 3}))

    assert over.turn.running == (0, 0, 10, 111)
    assert [(standing.seat, standing.place) for standing in over.standings] == [
        (0, 1),
        (1, 1),
        (2, 3),
        (3, 4),
    ]
    assert over.winners == (ANN, BOB)


def test_a_round_has_no_declarer_no_dealer_and_no_contract():
    data = report(played(NINETY_FIVE))

    hand = data["hands"][0]
    assert (hand["declarer"], hand["dealer"], hand["contract"], hand["passed_out"]) == (
        None,
        None,
        None,
        False,
    )
    assert set(hand["doubling"].values()) == {0}
    assert (data["left"], data["owed"], data["forced"]) == ({}, {}, {})
    assert data["next"] == {"number": 2, "declarer": None, "dealer": None}
    assert "bank" not in data


def test_nobody_declares_or_doubles():
    turn = played().turn

    assert turn.may_declare(ANN) == ()
    assert turn.may_double(turn.ruleset.contracts[0], ANN) == ()


def test_a_round_names_no_contract():
    hand = record("round", None, counts=NINETY_FIVE.result.counts)

    assert refused(hand) == [("unknown-contract", "contract")]


def test_a_round_names_no_declarer():
    hand = record(None, None, counts=NINETY_FIVE.result.counts, declarer=ANN)

    assert refused(hand) == [("wrong-declarer", "declarer")]


def test_who_holds_which_barbara_is_kept_with_the_unfinished_round():
    match = played(record(None, None, barbaras={"S": ANN, "H": ANN, "D": CY}))

    assert match.problems == ()
    assert match.unfinished_hand.barbaras == {"S": ANN, "H": ANN, "D": CY}


def test_barbaras_have_suits_and_lie_before_players():
    assert refused(record(None, None, barbaras={"X": ANN})) == [("unknown-card", "barbaras")]
    assert refused(record(None, None, barbaras={"S": 7})) == [("unknown-player", "barbaras")]


@pytest.mark.parametrize("hand", [record("misere"), record("dominoes", start="7")])
def test_there_are_no_barbaras_in_other_games(hand: Hand):
    hand = msgspec.structs.replace(hand, barbaras={"S": ANN}, doubles=None)

    assert table.refused(hand, ruleset="barbu") == [("not-for-this-contract", "barbaras")]


def test_rounds_in_which_nobody_gains_points_never_end():
    data = to_object(load("get-barbara"))
    for item in data["contracts"][0]["items"]:
        item["each"] = 0

    with pytest.raises(BadRuleSet, match="nobody can ever reach 100 points"):
        from_object(data)


def test_the_rules_tell_who_starts_what_cards_do_and_when_it_ends():
    rules = load("get-barbara")
    says = [sentence.says for sentence in customs(rules) + play_customs(rules)]
    costs = [sentence.says for sentence in cost(rules.contracts[0])]

    assert "The player with the Barbara of Spades starts, with any card but a joker." in says
    assert "The match is over after a round in which somebody reaches 100." in says
    assert "Jack: Pass. Everybody passes all Barbaras to the left, or to the right." in says
    assert costs[1:3] == [
        "−25 instead for all 4 Barbaras",
        "+5 for each ace, jack, king or joker left in hand",
    ]


REVERSE = {"card": "8", "name": "Reverse", "says": "The turn goes the other way."}


def test_a_table_may_add_moves_of_its_own_and_set_what_jokers_do():
    data = to_object(load("get-barbara"))
    data["play"]["moves"] = [*data["play"]["moves"], REVERSE]
    data["play"] |= {"joker_to_blocked": True, "joker_bars_suits": True}

    move, blocked, barred = play_customs(from_object(data))[-3:]

    assert move.says == "8: Reverse. The turn goes the other way."
    assert blocked.says == "The blocked player takes the joker into his hand."
    assert "may not be played, until the second joker" in barred.says


def test_a_card_has_one_move():
    data = to_object(load("get-barbara"))
    data["play"]["moves"] = [REVERSE, REVERSE]

    with pytest.raises(BadRuleSet, match="two moves"):
        from_object(data)
