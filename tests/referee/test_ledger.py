"""Looking back: the paper sheet, the ledger of pairs, swings, the lead, best and worst hands, duties."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from strategies import random_match, sound_matches
from table import ANN, BOB, CY, DEE, played, record

from referee import Match, load, names
from referee.doubling import settle
from referee.ledger import (
    Settled,
    accounts,
    best_and_worst,
    blocks,
    duties,
    leading,
    leads,
    swings,
    won_by_doubling,
)


def barbu(taker: int, *doubles: tuple[int, int]):
    """A hand of Barbu: who takes the king, and who doubled whom."""
    return record("barbu", doubles, king_of_hearts={taker: 1})


def trumps(*tricks: tuple[int, ...]) -> Match:
    """Trumps by each in turn, undoubled: tricks in seat order, five points each."""
    told = [record("trumps", [], trump="S", tricks=dict(enumerate(taken))) for taken in tricks]
    return played(*told)


# --- the ledger of pairs ---


def test_a_pair_s_ledger_says_hand_by_hand_what_moved_and_sums_it_up():
    match = played(barbu(CY, (BOB, CY)), barbu(BOB, (CY, BOB), (BOB, CY)), barbu(ANN, (DEE, CY)), first=ANN)
    [account] = [account for account in accounts(match) if (account.one, account.other) == (BOB, CY)]
    assert [(hand.number, hand.business, hand.moved) for hand in account.hands] == [(1, 1, 20), (2, 2, -40)]
    assert account.moved == -20
    assert account.hands[0].says.says == "Bob doubled Cy: Bob 0, Cy −20, difference 20: Bob +20, Cy −20"
    assert account.hands[1].says.says.endswith("Cy +40, Bob −40")


def test_every_pair_has_a_ledger_in_seat_order_even_an_empty_one():
    kept = accounts(played(barbu(CY, (BOB, CY))))
    assert [(account.one, account.other) for account in kept] == list(combinations(range(4), 2))
    assert [len(account.hands) for account in kept] == [0, 0, 0, 1, 0, 0]


def test_the_table_of_the_ledgers_has_what_each_won_from_each_and_in_sum():
    match = played(barbu(CY, (BOB, CY)), barbu(BOB, (ANN, BOB), (BOB, ANN), (CY, BOB)))
    rows = won_by_doubling(match, accounts(match))
    assert [row.of for row in rows] == [(None, 40, 0, 0), (-40, None, 0, 0), (0, 0, None, 0), (0, 0, 0, None)]
    assert [row.total for row in rows] == [40, -40, 0, 0]


def test_games_without_doubling_have_no_ledger_and_no_duties():
    match = random_match("king", seed=1)
    assert (accounts(match), won_by_doubling(match, ()), duties(match)) == ((), (), ())


@given(sound_matches())
def test_the_ledgers_add_up_to_the_doubling_points_of_each_hand(match: Match):
    kept = accounts(match)
    for scored in match.finished_hands:
        moved = [0] * len(match.players)
        for account in kept:
            for hand in account.hands:
                if hand.number == scored.number:
                    moved[account.one] += hand.moved
                    moved[account.other] -= hand.moved
        assert tuple(moved) == tuple(scored.doubling)
    for row in won_by_doubling(match, kept):
        assert row.total == sum(scored.doubling[row.seat] for scored in match.finished_hands)


@given(sound_matches(complete=True))
def test_each_pair_is_settled_as_if_it_were_alone(match: Match):
    for account in accounts(match):
        assert account.moved == sum(hand.moved for hand in account.hands)
        for hand in account.hands:
            scored = match.scored[hand.number - 1]
            between = [pair for pair in scored.hand.doubles if set(pair) == {account.one, account.other}]
            assert settle(scored.basic, between)[account.one] == hand.moved
            assert hand.business == len(between)
            assert isinstance(hand, Settled)


# --- swings ---


def test_swings_are_the_hands_that_moved_somebody_furthest_the_largest_first():
    match = played(barbu(ANN, (BOB, DEE)), barbu(CY, (ANN, CY)), record("misere", [(ANN, CY)], tricks={CY: 13}))
    found = swings(match, most=2)
    assert [(swing.number, swing.moved) for swing in found] == [(3, ((CY, -52),)), (2, ((CY, -40),))]
    assert found[0].contract is not None
    assert found[0].contract.code == "misere"


def test_of_equal_swings_the_earlier_comes_first_and_both_who_moved_as_far_are_named():
    match = played(
        barbu(CY, (BOB, CY), (BOB, ANN)),
        record("no-queens", [(BOB, CY), (CY, BOB)], queens={CY: 1, ANN: 3}),
        barbu(DEE, (BOB, DEE)),
    )
    found = swings(match)
    assert [swing.number for swing in found] == [1, 3, 2]
    assert [swing.moved for swing in found] == [((CY, -40),), ((DEE, -40),), ((ANN, -18), (CY, -18))]


def test_a_hand_that_moved_nobody_is_no_swing():
    assert swings(played()) == ()
    match = played(record("tableau", None, start="9", finish=(ANN, BOB, CY, DEE)), ruleset="coup-detat")
    assert [swing.moved for swing in swings(match)] == [((ANN, 800), (DEE, -800))]
    nothing = played(record("tableau", None, start="9", finish=(BOB, CY, DEE, ANN)), ruleset="coup-detat")
    assert swings(nothing) == ()


@pytest.mark.parametrize("code", names())
def test_no_hand_moved_anybody_further_than_the_first_swing(code: str):
    match = random_match(code, seed=9)
    found = swings(match)
    furthest = max(abs(points) for scored in match.finished_hands for points in scored.total)
    assert abs(found[0].moved[0][1]) == furthest
    for swing in found:
        assert all(match.scored[swing.number - 1].total[seat] == points for seat, points in swing.moved)


# --- the lead ---


def said_of(match: Match) -> list[tuple[int, str]]:
    return [(lead.number, lead.says.says) for lead in leads(match)]


def test_who_leads_first_and_who_draws_level_until_all_are():
    assert said_of(trumps((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4))) == [
        (1, "Ann takes the lead."),
        (2, "Bob draws level with Ann."),
        (3, "Cy draws level with Ann, Bob."),
        (4, "All are level."),
    ]


def test_a_shared_lead_is_said_and_a_hand_that_changes_nothing_is_not():
    assert said_of(trumps((4, 4, 4, 1), (4, 4, 3, 2), (1, 1, 1, 10), (4, 4, 3, 2))) == [
        (1, "Ann, Bob, Cy share the lead."),
        (2, "Ann, Bob still share the lead."),
        (3, "Dee takes the lead from Ann, Bob."),
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((3, 3, 4, 3), (13, 0, 0, 0), "Ann takes the lead from Cy."),
        ((3, 3, 4, 3), (4, 4, 3, 2), "Ann, Bob draw level with Cy."),
        ((3, 3, 4, 3), (5, 5, 0, 3), "Ann, Bob share the lead; Cy led before."),
        ((2, 3, 4, 4), (6, 1, 2, 4), "Ann, Dee share the lead; Cy, Dee led before."),
        ((2, 3, 4, 4), (13, 0, 0, 0), "Ann takes the lead from Cy, Dee."),
        ((2, 3, 4, 4), (3, 3, 3, 4), "Dee leads alone."),
    ],
)
def test_every_change_of_the_lead_has_its_words(first: tuple[int, ...], second: tuple[int, ...], expected: str):
    assert said_of(trumps(first, second))[-1] == (2, expected)


def test_where_the_lowest_wins_the_lowest_leads():
    assert leading(load("get-barbara"), (30, 12, 12)) == (1, 2)
    assert leading(load("barbu"), (30, 12, 12)) == (0,)
    assert leading(load("king"), (-30, -12, -50, -12)) == (1, 3)


@given(sound_matches())
def test_who_leads_at_last_is_first_in_the_standings(match: Match):
    first = tuple(sorted(standing.seat for standing in match.standings if standing.place == 1))
    changes = leads(match)
    assert (changes[-1].leaders if changes else tuple(range(len(match.players)))) == first
    for earlier, later in pairwise(changes):
        assert later.before == earlier.leaders != later.leaders


# --- best and worst ---


def test_best_and_worst_hand_of_each_player_with_every_hand_in_which_it_was():
    found = best_and_worst(played(barbu(DEE, (BOB, CY)), barbu(CY, (ANN, DEE)), barbu(DEE, (ANN, BOB))))
    assert (found[DEE].best, found[DEE].best_hands, found[DEE].worst, found[DEE].worst_hands) == (0, (2,), -20, (1, 3))
    assert (found[ANN].best_hands, found[ANN].worst_hands) == ((1, 2, 3), (1, 2, 3))
    assert best_and_worst(played()) == ()


def test_where_the_lowest_wins_the_best_hand_is_the_lowest():
    match = random_match("get-barbara", seed=3)
    for seat, found in enumerate(best_and_worst(match)):
        scores = [scored.total[seat] for scored in match.scored]
        assert (found.best, found.worst) == (min(scores), max(scores))


# --- duties ---


def test_duties_name_the_hands_that_met_them():
    match = played(
        record("misere", [(BOB, ANN)], tricks={ANN: 13}),
        record("barbu", [(CY, ANN)], king_of_hearts={ANN: 1}),
        record("no-queens", [(BOB, ANN), (CY, ANN), (CY, BOB)], queens={ANN: 4}),
        ruleset="barbu-classic",
    )
    row = duties(match)[BOB]
    assert [duty and (duty.hands, duty.met, duty.owed) for duty in row] == [
        ((1, 3), 3, 0),
        None,
        ((), None, 2),
        ((), None, 2),
    ]
    assert duties(match)[CY][ANN].met == 3
    assert duties(match)[CY][BOB].hands == ()
    assert duties(match)[DEE][ANN].owed == 2


def test_compulsory_doubles_are_told_apart_made_or_missed():
    five = [record(code, []) for code in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")]
    sixth = record("trumps", [(BOB, ANN), (CY, ANN)], trump="S", tricks={ANN: 13}, played_anyway=True)
    seventh = record("dominoes", [(BOB, ANN)], start="7", finish=(ANN, BOB, CY, DEE), played_anyway=True)
    table = duties(played(*five, sixth, seventh, ruleset="barbu-classic"))
    assert (table[BOB][ANN].forced, table[BOB][ANN].missed, table[BOB][ANN].met) == ((6, 7), (), 7)
    assert (table[CY][ANN].forced, table[CY][ANN].missed, table[CY][ANN].owed) == ((6,), (7,), 1)
    assert (table[DEE][ANN].forced, table[DEE][ANN].missed, table[DEE][ANN].owed) == ((), (6, 7), 2)


def test_the_second_double_meets_the_duty_and_a_third_changes_nothing():
    doubled = [
        record(code, [(BOB, ANN)], **told)
        for code, told in (
            ("misere", {"tricks": {ANN: 13}}),
            ("barbu", {"king_of_hearts": {ANN: 1}}),
            ("no-queens", {"queens": {ANN: 4}}),
        )
    ]
    duty = duties(played(*doubled, ruleset="barbu-classic"))[BOB][ANN]
    assert (duty.hands, duty.met, duty.owed) == ((1, 2, 3), 2, 0)


@given(sound_matches())
def test_what_is_owed_is_what_the_turn_says(match: Match):
    for row in duties(match):
        for duty in row:
            if duty is not None:
                assert len(duty.hands) == match.turn.made[duty.who][duty.declarer]
                assert duty.owed == match.turn.owed(duty.who, duty.declarer)
                assert (duty.met is None) == (duty.owed > 0)


# --- the paper sheet ---


def test_a_sheet_of_barbu_has_a_block_a_declarer_in_the_rule_set_s_order_with_open_lines():
    match = played(barbu(CY, (BOB, CY)), record("misere", []), first=DEE)
    sheet = blocks(match)
    assert [block.declarer for block in sheet] == [DEE, ANN]
    first = sheet[0]
    assert [line.contract.code for line in first.lines] == [c.code for c in match.ruleset.contracts]
    assert [line.scored and line.scored.number for line in first.lines] == [None, None, None, 1, None, None, None]
    assert first.total == (0, 20, -40, 0)
    assert [scored.number for scored in sheet[1].hands] == [2]


def test_where_contracts_come_again_lines_stand_as_declared():
    match = random_match("king", seed=4)
    for block in blocks(match):
        assert [line.scored for line in block.lines] == [s for s in match.scored if s.turn.declarer == block.declarer]


@pytest.mark.parametrize("code", names())
def test_a_sheet_holds_every_hand_once_and_sums_up_to_the_totals(code: str):
    match = random_match(code, seed=6)
    sheet = blocks(match)
    assert sorted(scored.number for block in sheet for scored in block.hands) == list(range(1, len(match.hands) + 1))
    for seat in range(len(match.players)):
        beside = sum((hand.adjustment.points if hand.adjustment else {}).get(seat, 0) for hand in match.hands)
        won = sum(block.total[seat] for block in sheet)
        assert match.ruleset.purse + won + beside == match.turn.running[seat]


def test_games_of_rounds_have_a_block_a_round_and_games_without_declarers_ten_rounds():
    assert [block.round for block in blocks(random_match("coup-detat", seed=2))] in ([1, 2, 3, 4], [1, 2, 3])
    counts = {"barbaras": {ANN: 4}, "fives": {}, "ones": {BOB: 1}}
    long = played(*[record(None, None, counts=counts)] * 23, ruleset="get-barbara", players=3)
    assert [len(block.lines) for block in blocks(long)] == [10, 10, 3]
    assert {(block.declarer, block.round) for block in blocks(long)} == {(None, None)}


def test_before_the_first_hand_there_is_no_sheet():
    for code in names():
        match = Match(load(code), ("Ann", "Bob", "Cy", "Dee"))
        assert (blocks(match), leads(match), swings(match)) == ((), (), ())
