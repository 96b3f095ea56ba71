"""Evenings that go wrong (CASES.md), at the level of the rules. D is the declarer."""

import msgspec
from strategies import random_match
from table import ANN, BOB, CY, DEE, last, played, record, refused, said

from referee import Adjustment, Match, load

SOUTH, WEST, NORTH, EAST = range(4)
SEATS = ("South", "West", "North", "East")


def declared_by_north(hand):
    return last(hand, first=NORTH)


def test_a1_single_and_mutual_double():
    tricks = {SOUTH: 2, WEST: 3, NORTH: 5, EAST: 3}
    single = declared_by_north(record("misere", [(SOUTH, NORTH)], tricks=tricks))
    assert single.total == (2, -6, -16, -6)
    mutual = declared_by_north(record("misere", [(SOUTH, NORTH), (NORTH, SOUTH)], tricks=tricks))
    assert mutual.total == (8, -6, -22, -6)
    assert sum(single.total) == sum(mutual.total) == -26


A2 = record(
    "no-queens",
    [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)],
    queens={DEE: 2, ANN: 1, CY: 1, BOB: 0},
)


def test_a2_max_a_skipped_redouble_and_duties():
    match = played(A2)
    assert match.scored[0].total == (-12, 24, -12, -24)
    assert [match.turn.made[who][ANN] for who in (BOB, CY, DEE)] == [1, 1, 0]
    assert [match.turn.owed(BOB, whom) for whom in (CY, DEE)] == [2, 2]


PASSED_OUT = [record(code) for code in ("barbu", "misere", "no-queens", "no-hearts", "no-last-two")]


def test_a3_passed_out_table():
    match = played(*PASSED_OUT, ruleset="barbu-classic")
    assert all(scored.passed_out for scored in match.scored)
    assert [scored.total[ANN] for scored in match.scored] == [1, 1, 0, 0, 0]
    assert [scored.total[BOB] for scored in match.scored] == [-7, -9, -8, -10, -10]
    assert match.turn.running == (2, -44, -44, -44)
    assert [code for _, code in match.turn.declared_by(ANN)] == [hand.contract for hand in PASSED_OUT]


def test_a3_his_trumps_come_sixth_and_are_not_passed_out():
    match = played(*PASSED_OUT, ruleset="barbu-classic")
    assert match.turn.forced == (BOB, CY, DEE)
    undoubled = record("trumps", trump="S", played_anyway=True)
    assert not match.turn.is_passed_out(undoubled)
    assert not match.turn.is_finished(undoubled)
    assert match.turn.problems(undoubled) == ()


def test_a3_trumps_and_dominoes_come_first_and_the_fourth_negative_may_not_be_passed_out():
    hands = [
        record("trumps", trump="S", tricks={ANN: 13}),
        record("dominoes", start="7", finish=(ANN, BOB, CY, DEE)),
        *PASSED_OUT[:3],
    ]
    match = played(*hands, ruleset="barbu-classic")
    assert match.problems == ()
    assert match.turn.forced == (BOB, CY, DEE)
    assert len(match.turn.remarks(record("no-hearts"))) == 3


def test_a4_forced_doubles():
    x, y, z = BOB, CY, DEE
    d = ANN
    hands = [
        record("misere", [(x, d)], tricks={d: 13}),
        record("no-hearts", [(y, d)], hearts={d: 13}, ace_of_hearts={d: 1}),
        record("no-queens", [(x, d)], queens={d: 4}),
        record("barbu"),
        record("no-last-two"),
    ]
    sixth = played(*hands, ruleset="barbu-classic").turn
    assert sixth.forced == (z,)
    (remark,) = sixth.remarks(record("trumps", trump="S"))
    assert "Dee" in remark.says
    assert "Ann" in remark.says
    hands.append(record("trumps", [(z, d)], trump="S", tricks={d: 13}))
    seventh = played(*hands, ruleset="barbu-classic").turn
    assert seventh.forced == (y, z)
    hands.append(record("dominoes", [(y, d), (z, d)], start="7", finish=(d, x, y, z)))
    after = played(*hands, ruleset="barbu-classic")
    assert [after.turn.owed(who, d) for who in (x, y, z)] == [0, 0, 0]
    assert not any(scored.remarks for scored in after.scored)


def test_a5_both_last_tricks():
    d, x, y, other = ANN, BOB, CY, DEE
    both = last(record("no-last-two", [(x, d)], trick_12={x: 1}, trick_13={x: 1}))
    assert both.basic == (0, -30, 0, 0)
    assert both.total == (30, -60, 0, 0)
    split = last(record("no-last-two", [(x, d)], trick_12={x: 1}, trick_13={y: 1}))
    assert (split.basic[x], split.basic[y], split.basic[other]) == (-10, -20, 0)
    assert (split.total[x], split.total[d], split.total[y]) == (-20, 10, -20)


def test_a6_hearts_with_the_ace():
    d, w, n, e = range(4)
    doubles = [(w, d), (e, w)]
    hand = last(record("no-hearts", doubles, hearts={d: 5, w: 4, n: 3, e: 1}, ace_of_hearts={d: 1}))
    assert hand.basic == (-14, -8, -6, -2)
    assert hand.total == (-20, -8, -6, 4)
    for hearts, ace in (({d: 5, w: 4, n: 3}, d), ({d: 6, w: 4, n: 3, e: 1}, d), ({d: 6, w: 4, n: 3}, e)):
        assert refused(record("no-hearts", doubles, hearts=hearts, ace_of_hearts={ace: 1}))


def test_a7_trumps():
    d, w, n, e = range(4)
    hand = last(record("trumps", [(w, d), (e, d), (d, e)], trump="S", tricks={d: 7, w: 2, n: 3, e: 1}))
    assert hand.total == (120, -15, 15, -55)
    assert hand.turn.may_double(hand.contract, w) == (d,)


def test_a8_domino():
    d, w, n, e = range(4)
    doubles = [(w, d), (d, w), (e, d)]
    hand = last(record("dominoes", doubles, start="7", finish=(w, n, e, d)))
    assert hand.total == (-115, 145, 20, 15)
    assert refused(record("dominoes", doubles, start="7", finish=(w, n, n, d)))
    assert refused(record("dominoes", doubles, start="7", finish=(w, n, e)))


def test_a9_correct_an_old_hand():
    later = (record("misere"), record("no-last-two"))
    before = played(A2, *later)
    one_each = msgspec.structs.replace(A2, result=record("no-queens", queens=dict.fromkeys(range(4), 1)).result)
    after = before.with_hands((one_each, *later))
    assert after.scored[0].total == (-6, -6, -6, -6)
    assert [scored.total for scored in after.scored[1:]] == [scored.total for scored in before.scored[1:]]
    assert after.turn.running == (-25, -15, -15, -25)
    assert after.turn.declarer == before.turn.declarer
    assert after.turn.made == before.turn.made
    assert before.with_hands(before.hands) == before


def test_a10_undo_takes_back_the_last_hand():
    match = played(A2, record("misere"), record("no-last-two"))
    undone = match.with_hands(match.hands[:-1])
    assert undone.turn.declarer == CY
    assert "no-last-two" in [contract.code for contract in undone.turn.may_declare(CY)]
    assert undone.turn.running == match.scored[1].running
    assert undone.with_hands(match.hands).turn == match.turn


def test_a10_undo_across_the_end_of_seven_in_a_row():
    seven = [
        *PASSED_OUT,
        record("trumps", [(BOB, ANN), (CY, ANN), (DEE, ANN)], trump="S", tricks={ANN: 13}),
        record("dominoes", [(BOB, ANN), (CY, ANN), (DEE, ANN)], start="7", finish=(ANN, BOB, CY, DEE)),
    ]
    match = played(*seven, record("misere"), ruleset="barbu-classic")
    assert [scored.number for scored in match.scored] == list(range(1, 9))
    assert match.scored[7].turn.declarer == BOB
    undone = match.with_hands(match.hands[:6])
    assert undone.turn.declarer == ANN
    assert [contract.code for contract in undone.turn.may_declare(ANN)] == ["dominoes"]
    assert [undone.turn.owed(who, ANN) for who in (BOB, CY, DEE)] == [1, 1, 1]


def test_a15_names():
    def problems(*players):
        return [found.code for found in Match(load("barbu"), players).problems]

    assert problems("Ana", "ana ", "ANA", "Bob") == ["duplicate-player", "duplicate-player"]
    assert problems("<b>x</b>", "O'Brien & Zoë", "أحمد", "👩‍👩‍👧") == []


def test_a16_ties():
    match = random_match("barbu", 16)
    plain = msgspec.structs.replace(match.hands[-1], adjustment=None)
    before = match.with_hands((*match.hands[:-1], plain)).turn.running
    wanted = (40, 40, -10, -70)
    points = {seat: wanted[seat] - before[seat] for seat in range(4)}
    tied = msgspec.structs.replace(plain, adjustment=Adjustment(points=points))
    finished = match.with_hands((*match.hands[:-1], tied))
    assert finished.problems == ()
    assert [(standing.score, standing.place) for standing in finished.standings] == [
        (40, 1),
        (40, 1),
        (-10, 3),
        (-70, 4),
    ]
    assert finished.winners == (0, 1)


def test_a19_one_by_one_rotation():
    match = Match(load("barbu-quick"), SEATS, SOUTH, (record("misere"), record("barbu"), record("misere")))
    assert match.problems == ()
    turn = match.turn
    assert (turn.declarer, turn.dealer) == (EAST, NORTH)
    left = [[contract.code for contract in turn.may_declare(seat)] for seat in turn.seats]
    assert ["misere" in codes for codes in left] == [False, True, False, True]
    assert [turn.declarations_left(seat) for seat in turn.seats] == [6, 6, 6, 7]
    again = match.with_hands((*match.hands, record("barbu"), record("misere")))
    assert [found.code for found in again.problems] == ["contract-used"]
    undone = match.with_hands(match.hands[:1])
    assert undone.turn.declarer == WEST
    assert "barbu" in [contract.code for contract in undone.turn.may_declare(WEST)]


def test_the_message_of_a_count_says_what_is_missing():
    assert said(record("misere", [(BOB, ANN)], tricks={ANN: 12})) == ["12 tricks entered; 13 were played. 1 missing."]
