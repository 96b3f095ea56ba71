"""Coup d'État and Dragonmaster: rounds, purses, coups, the bank, and one card out of play."""

from functools import partial
from itertools import combinations

import pytest
import table
from table import ANN, BOB, CY, DEE, record

from referee import Coup, Hand, Match, explain, load
from referee.explain import customs, play_customs
from referee.report import report

played = partial(table.played, ruleset="coup-detat")
last = partial(table.last, ruleset="coup-detat")
refused = partial(table.refused, ruleset="coup-detat")
said = partial(table.said, ruleset="coup-detat")

ROUND = ("king-of-hearts", "queens", "spades", "first-and-last", "all-of-these", "tableau")
MADE, FAILED = True, False


def coup(contract: str, by: int, made: bool) -> Hand:
    return record(contract, None, start="K" if contract == "tableau" else None, coup=Coup(by=by, made=made))


def tableau(*order: int, start: str = "9") -> Hand:
    return record("tableau", None, start=start, finish=order)


def all_to_bob(contract: str, players: int = 4) -> Hand:
    if contract == "tableau":
        return tableau(*[ANN, CY, DEE][: players - 1], BOB)
    found = load("coup-detat").contract(contract)
    return record(contract, None, counts={item.code: {BOB: item.in_play(players)} for item in found.items})


def all_of_these(king: int = 1, queens: int = 4, spades: int = 8) -> Hand:
    return record(
        "all-of-these",
        king_of_hearts={BOB: king},
        queens={BOB: queens},
        spades={BOB: spades},
        first_trick={BOB: 1},
        last_trick={BOB: 1},
    )


def sound(*hands: Hand, ruleset: str = "coup-detat", players: int = 4) -> Match:
    match = table.played(*hands, ruleset=ruleset, players=players)
    assert match.problems == ()
    return match


# Payments


def test_takers_pay_the_declarer_whose_own_take_costs_nothing():
    scored = last(record("queens", queens={ANN: 1, BOB: 1, DEE: 2}))

    assert scored.total == (600, -200, 0, -400)
    assert scored.running == (10_600, 9_800, 10_000, 9_600)


def test_payments_explain_themselves():
    ann, bob, *_ = explain(last(record("queens", queens={ANN: 1, BOB: 2, CY: 1}))).players

    assert [(part.what.says, part.points) for part in ann.parts] == [("paid by the others", 600)]
    assert [(part.what.says, part.points) for part in bob.parts] == [("2 queens", -400)]


def test_the_last_in_the_tableau_pays_the_declarer():
    assert last(tableau(ANN, BOB, CY, DEE)).total == (800, 0, 0, -800)
    assert last(tableau(ANN, BOB, CY), players=3).total == (800, 0, -800)


def test_a_declarer_who_is_last_in_the_tableau_pays_nobody():
    assert last(tableau(DEE, BOB, CY, ANN)).total == (0, 0, 0, 0)


def test_dragonmaster_is_ten_times_as_dear():
    hand = record(
        "staff-of-power",
        prince_of_warriors={BOB: 1},
        wizards={BOB: 1, CY: 1, DEE: 1},
        dragonlords={ANN: 4, BOB: 3},
        first_trick={CY: 1},
        last_trick={DEE: 1},
    )

    assert last(hand, ruleset="dragonmaster").total == (25_000, -13_000, -6_000, -6_000)


def test_a_purse_may_go_below_zero():
    hands = ("runesword", "wizards", "dragonlords", "first-or-last", "staff-of-power")

    match = sound(*[coup(code, ANN, MADE) for code in hands] * 4, ruleset="dragonmaster")

    assert match.turn.running == (100_000 + 12 * 47_000, *[100_000 - 4 * 47_000] * 3)


# Coups


@pytest.mark.parametrize(
    ("contract", "price"),
    [
        ("king-of-hearts", 600),
        ("first-and-last", 600),
        ("tableau", 600),
        ("queens", 1000),
        ("spades", 1000),
        ("all-of-these", 1500),
    ],
)
def test_each_opponent_pays_for_a_coup_that_is_made(contract: str, price: int):
    assert last(coup(contract, CY, MADE)).total == (-price, -price, 3 * price, -price)
    assert last(coup(contract, CY, MADE), players=3).total == (-price, -price, 2 * price)


@pytest.mark.parametrize(
    ("contract", "price"),
    [
        ("runesword", 6_000),
        ("first-or-last", 6_000),
        ("wizards", 10_000),
        ("dragonlords", 10_000),
        ("staff-of-power", 15_000),
    ],
)
def test_in_dragonmaster_too(contract: str, price: int):
    made = last(coup(contract, ANN, MADE), ruleset="dragonmaster")
    failed = last(coup(contract, ANN, FAILED), ruleset="dragonmaster")

    assert made.total == (3 * price, -price, -price, -price)
    assert (failed.total, failed.bank) == ((-8_000, 0, 0, 0), 8_000)


def test_coups_explain_themselves():
    made = explain(last(coup("queens", CY, MADE))).players[CY]
    failed = explain(last(coup("queens", CY, FAILED))).players[CY]

    assert [(part.what.says, part.points) for part in made.parts] == [("Cy made the coup", 3000)]
    assert [(part.what.says, part.points) for part in failed.parts] == [("Cy failed in the coup", -800)]


def test_who_makes_a_coup_declares_to_the_end_of_the_round_and_no_further():
    match = sound(coup("queens", DEE, MADE), *(all_to_bob(code) for code in ROUND if code != "queens"))

    assert [scored.turn.declarer for scored in match.scored] == [ANN, DEE, DEE, DEE, DEE, DEE]
    assert [scored.turn.dealer for scored in match.scored] == [DEE, CY, CY, CY, CY, CY]
    assert (match.turn.declarer, match.turn.dealer) == (BOB, ANN)


def test_a_coup_in_the_last_hand_of_a_round_brings_no_hand_to_declare():
    match = sound(*map(all_to_bob, ROUND[:5]), coup("tableau", DEE, MADE))

    assert match.turn.declarer == BOB


def test_a_hand_that_ended_in_a_coup_has_no_result():
    both = record("queens", queens={BOB: 4}, coup=Coup(by=BOB, made=True))

    assert refused(both) == [("result-not-expected", "result")]


def test_a_tableau_that_ended_in_a_coup_has_a_starting_rank():
    assert refused(record("tableau", coup=Coup(by=BOB, made=True))) == [("start-missing", "start")]


def test_a_coup_is_undertaken_by_a_player_where_coups_are_known():
    assert refused(coup("queens", 5, MADE)) == [("unknown-player", "coup")]
    assert refused(coup("barbu", ANN, MADE), ruleset="king") == [("not-for-this-contract", "coup")]


# The bank


def test_a_failed_coup_pays_the_bank_and_the_declarer_of_the_last_hand_takes_it():
    match = sound(coup("queens", BOB, FAILED), *(all_to_bob(code) for code in ROUND if code != "queens"))

    final = match.scored[-1]
    assert match.scored[0].total == (0, -800, 0, 0)
    assert [scored.bank for scored in match.scored] == [800, 800, 800, 800, 800, 0]
    assert (final.basic, final.total) == ((800, -800, 0, 0), (1600, -800, 0, 0))
    assert explain(final).players[ANN].from_bank == 800


def test_the_report_tells_what_is_in_the_bank():
    assert report(sound(coup("queens", BOB, FAILED)))["bank"] == 800


def test_a_coup_that_fails_in_the_last_hand_pays_that_hands_declarer():
    final = sound(*map(all_to_bob, ROUND[:5]), coup("tableau", ANN, FAILED)).scored[-1]

    assert (final.basic, final.total, final.bank) == ((-800, 0, 0, 0), (0, 0, 0, 0), 0)


def test_whoever_took_over_by_a_coup_and_declares_the_last_hand_takes_the_bank():
    others = [all_to_bob(code) for code in ROUND if code not in ("queens", "spades")]

    match = sound(coup("queens", BOB, FAILED), coup("spades", CY, MADE), *others)

    assert match.scored[-1].total == (0, -800, 1600, 0)


# Rounds


def test_a_round_has_each_hand_once_and_only_its_declarer_is_offered_any():
    left = report(sound(all_to_bob("queens"), coup("spades", DEE, MADE)))["left"]

    assert left["Dee"] == ["king-of-hearts", "first-and-last", "all-of-these", "tableau"]
    assert [left[name] for name in ("Ann", "Bob", "Cy")] == [[], [], []]
    assert refused(all_to_bob("queens"), all_to_bob("queens")) == [("contract-used", "contract")]


def test_the_next_round_has_every_hand_again():
    turn = sound(*map(all_to_bob, ROUND), all_to_bob("queens")).turn

    assert [contract.code for contract in turn.may_declare(BOB)] == [code for code in ROUND if code != "queens"]


@pytest.mark.parametrize(("players", "hands"), [(3, 18), (4, 24)])
def test_there_are_as_many_rounds_as_players(players: int, hands: int):
    match = sound(*[all_to_bob(code, players) for code in ROUND] * players, players=players)

    assert len(match.scored) == hands
    assert match.is_over
    assert sum(match.turn.running) == 10_000 * players


def test_it_is_for_three_or_four():
    (problem,) = played(players=5).problems

    assert problem.says == "Coup d'État is for 3–4 players; 5 are named."


# Cards


@pytest.mark.parametrize("rank", "789JQKTA")
def test_the_tableau_starts_with_any_rank_of_the_deck(rank: str):
    assert last(tableau(ANN, BOB, CY, DEE, start=rank)).total == (800, 0, 0, -800)


def test_the_tableau_starts_with_no_other_rank():
    assert said(tableau(ANN, BOB, CY, DEE, start="6")) == ["There is no rank “6”; ranks are 7 8 9 J Q K T A."]


def test_with_three_players_the_two_lowest_ranks_are_gone():
    assert refused(tableau(ANN, BOB, CY, start="8"), players=3) == [("unknown-card", "start")]


@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("coup-detat", record("queens", play=[])),
        ("dragonmaster", record("wizards", play=[])),
        ("get-barbara", record(None, play=[])),
        ("barbu", record("dominoes", start="7", play=[])),
    ],
)
def test_play_is_recorded_only_where_tricks_are_played_without_a_wild_card(ruleset: str, hand: Hand):
    assert table.refused(hand, ruleset=ruleset) == [("not-for-this-contract", "play")]


@pytest.mark.parametrize("contract", ROUND[:3])
def test_one_card_may_be_out_of_play_and_no_more(contract: str):
    (item,) = load("coup-detat").contract(contract).items

    def taken(number: int) -> Hand:
        return record(contract, counts={contract: {BOB: number}})

    assert last(taken(item.count - 1)).total[BOB] == item.each * (item.count - 1)
    assert ("count-mismatch", contract) in refused(taken(item.count - 2))
    assert refused(taken(item.count + 1)) == [("count-mismatch", contract)]


def test_a_count_two_short_says_that_one_card_may_be_out_of_play():
    assert said(record("spades", spades={BOB: 6})) == [
        "6 spades entered; there are 8, and one of them may lie out of play."
    ]


@pytest.mark.parametrize("missing", ["first-trick", "last-trick"])
def test_the_first_and_the_last_trick_are_never_out_of_play(missing: str):
    counts = {"first-trick": {BOB: 1}, "last-trick": {BOB: 1}} | {missing: {}}

    assert refused(record("first-and-last", counts=counts)) == [("count-mismatch", missing)]


ITEMS = {"king": 1, "queens": 4, "spades": 8}
ONE_CARD = [(), ("king",), ("queens",), ("spades",), ("queens", "spades")]


@pytest.mark.parametrize("short", [items for number in range(4) for items in combinations(ITEMS, number)])
def test_in_the_mixed_hand_all_that_is_short_is_short_by_one_and_the_same_card(short: tuple[str, ...]):
    hand = all_of_these(**{item: count - (item in short) for item, count in ITEMS.items()})

    assert (refused(hand) == []) == (short in ONE_CARD)


def test_the_refusal_names_what_no_one_card_is():
    assert said(all_of_these(king=0, queens=3)) == [
        "One card may lie out of play, but no card is at once of the king of hearts, queens, each one short."
    ]


def test_three_players_have_six_spades():
    assert last(all_of_these(spades=6), players=3).total == (3000, -3000, 0)
    assert last(all_of_these(queens=3, spades=5), players=3).total == (2700, -2700, 0)
    assert said(all_of_these(spades=8), players=3) == ["8 spades entered; 6 were played. 2 too many."]


# Words


def test_the_rules_tell_the_money():
    rules = load("coup-detat")
    says = [sentence.says for sentence in customs(rules) + play_customs(rules)]

    assert "Each player begins with 10,000." in says
    assert "Each opponent pays 1,000 for a coup in Queens, Spades." in says
    assert any("fails costs 800, into the bank" in sentence for sentence in says)
    assert not any("hearts may be led" in sentence for sentence in says)
