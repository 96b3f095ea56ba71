"""Who may double whom, what business is, and how it is settled."""

import msgspec
from table import ANN, BOB, CY, DEE, last, played, record, refused, said

from referee import load
from referee.doubling import business, only_declarer, settle, speaking_order

BARBU = load("barbu")
MISERE, TRUMPS = BARBU.contract("misere"), BARBU.contract("trumps")


def house(**switches):
    return msgspec.structs.replace(BARBU, doubling=msgspec.structs.replace(BARBU.doubling, **switches))


def may_double(contract, who, ruleset=BARBU, declarer=ANN):
    return played(ruleset=ruleset, first=declarer).turn.may_double(contract, who)


def test_players_speak_clockwise_from_the_declarers_left_the_declarer_last():
    assert speaking_order(CY, 4) == (DEE, ANN, BOB, CY)
    assert played(first=DEE).turn.speaking_order == (ANN, BOB, CY, DEE)


def test_in_a_negative_anybody_may_double_everybody_else():
    assert may_double(MISERE, CY) == (DEE, ANN, BOB)


def test_in_a_positive_only_the_declarer_may_be_doubled():
    assert may_double(TRUMPS, CY) == (ANN,)
    assert refused(record("trumps", [(CY, DEE)], trump="S")) == [("double-not-allowed", "doubles")]


def test_the_declarer_may_answer_everybody_who_doubled_him():
    assert may_double(TRUMPS, ANN) == may_double(MISERE, ANN) == (BOB, CY, DEE)
    assert refused(record("trumps", [(CY, ANN), (ANN, CY)], trump="S")) == []


def test_the_declarer_may_double_nobody_who_did_not_double_him():
    assert said(record("misere", [(CY, BOB), (ANN, CY)])) == [
        "Ann declares and may only double back; Cy did not double Ann."
    ]


def test_a_double_back_between_two_others_is_a_redouble_whoever_spoke_first():
    assert refused(record("misere", [(DEE, BOB), (BOB, DEE)])) == []
    assert business([(DEE, BOB), (BOB, DEE)], BOB, DEE) == 2


def test_business_is_nothing_one_or_two_doubles():
    doubles = [(BOB, ANN), (ANN, BOB), (CY, ANN)]
    assert [business(doubles, ANN, other) for other in (BOB, CY, DEE)] == [2, 1, 0]


def test_a_table_may_let_anybody_be_doubled_in_positives():
    ruleset = house(positives="anyone")
    assert may_double(TRUMPS, CY, ruleset) == (DEE, ANN, BOB)
    assert not only_declarer(ruleset.doubling, TRUMPS)
    assert refused(record("trumps", [(CY, DEE)], trump="S"), ruleset=ruleset) == []


def test_a_table_may_let_only_the_declarer_be_doubled_at_all():
    ruleset = house(who="declarer")
    assert may_double(MISERE, CY, ruleset) == (ANN,)
    assert refused(record("misere", [(CY, DEE)]), ruleset=ruleset) == [("double-not-allowed", "doubles")]


def test_where_nobody_doubles_nobody_may():
    king = load("king")
    assert may_double(king.contract("misere"), CY, king) == ()
    assert said(record("misere", [(BOB, ANN)]), ruleset="king") == ["There is no doubling in King (Rıfkı)."]


def test_where_nobody_declares_nobody_speaks():
    barbara = load("get-barbara")
    assert may_double(barbara.contracts[0], CY, barbara) == ()
    assert played(ruleset=barbara).turn.speaking_order == ()


def test_the_better_one_gains_the_difference_and_the_other_loses_it():
    assert settle((-10, -4, -6, -6), [(BOB, ANN)]) == (-6, 6, 0, 0)


def test_a_redouble_moves_the_difference_twice():
    assert settle((-10, -4, -6, -6), [(BOB, ANN), (ANN, BOB)]) == (-12, 12, 0, 0)


def test_equal_scores_move_nothing():
    assert settle((-10, -4, -6, -6), [(CY, DEE), (DEE, CY)]) == (0, 0, 0, 0)


def test_everybody_settles_with_everybody_and_the_sum_stays():
    everyone = [(a, b) for a in range(4) for b in range(4) if a != b]
    moved = settle((-10, -4, -6, -6), everyone)
    assert sum(moved) == 0
    assert moved == (-28, 20, 4, 4)


def test_total_is_basic_and_what_doubling_moved():
    hand = last(record("no-last-two", [(BOB, ANN)], trick_12={BOB: 1}, trick_13={CY: 1}))
    assert hand.basic == (0, -10, -20, 0)
    assert hand.doubling == (10, -10, 0, 0)
    assert hand.total == (10, -20, -20, 0)
