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


# The ruling: whose turn it is, whom he may and whom he must double


def ask(contract, *said, declarer=ANN, ruleset=BARBU, hands=()):
    return played(*hands, ruleset=ruleset, first=declarer).turn.doubling_ruling(contract, said)


def test_the_player_on_the_declarers_left_speaks_first_and_may_double_anybody_in_a_negative():
    ruling = ask(MISERE)
    assert (ruling.seat, ruling.may_double, ruling.must_double, ruling.must) == (BOB, (CY, DEE, ANN), (), None)
    assert ruling.may.says == "Bob may double anybody else."
    assert ruling.can_be_passed_out
    assert ruling.passing_out.says == "If nobody doubles Misère, it is passed out and not played."


def test_the_next_player_speaks_after_each_and_the_declarer_only_answers():
    ruling = ask(MISERE, (BOB, (ANN, CY)), (CY, ()), (DEE, ()))
    assert (ruling.seat, ruling.may_double) == (ANN, (BOB,))
    assert ruling.may.says == "Ann declares and may only double back those who doubled Ann."
    assert ruling.doubles == ((BOB, ANN), (BOB, CY))
    assert not ruling.can_be_passed_out
    assert ruling.passing_out.says == "Somebody has doubled, so Misère is played."


def test_when_all_have_spoken_it_is_nobodys_turn():
    ruling = ask(MISERE, (BOB, ()), (CY, ()), (DEE, ()), (ANN, ()))
    assert (ruling.seat, ruling.may_double, ruling.may) == (None, (), None)
    assert ruling.can_be_passed_out
    assert ruling.passing_out.says == "Nobody doubled Misère, so it is passed out and not played."


def test_in_a_positive_only_the_declarer_is_doubled_and_it_is_always_played():
    ruling = ask(TRUMPS, (BOB, ()))
    assert (ruling.seat, ruling.may_double) == (CY, (ANN,))
    assert ruling.may.says == "Cy may double nobody but Ann: in Trumps only the declarer is doubled."
    assert not ruling.can_be_passed_out
    assert ruling.passing_out.says == "Trumps is positive and played even if nobody doubles."


FIVE = [record(code) for code in ("barbu", "misere", "no-queens", "no-hearts", "no-last-two")]


def test_who_owes_the_declarer_must_double_him_and_is_told_why():
    ruling = ask(TRUMPS, (BOB, (ANN,)), ruleset="barbu-classic", hands=FIVE)
    assert (ruling.seat, ruling.must_double) == (CY, (ANN,))
    assert ruling.must.says == "Cy must double Ann: Cy owes Ann 2 and Ann declares 2 more, this one included."
    assert ruling.problems == ()
    assert ask(TRUMPS, *((who, (ANN,)) for who in (BOB, CY, DEE)), ruleset="barbu-classic", hands=FIVE).must is None


def test_who_must_double_and_did_not_is_remarked_on_once_he_has_spoken():
    ruling = ask(TRUMPS, (BOB, ()), ruleset="barbu-classic", hands=FIVE)
    assert [(found.code, found.values["player"]) for found in ruling.problems] == [("double-owed", "Bob")]


def test_a_hand_that_somebody_must_double_cannot_be_passed_out():
    positives = [
        record("trumps", trump="S", tricks={ANN: 13}),
        record("dominoes", start="7", finish=(ANN, BOB, CY, DEE)),
    ]
    ruling = ask(BARBU.contract("no-hearts"), ruleset="barbu-classic", hands=[*positives, *FIVE[:3]])
    assert not ruling.can_be_passed_out
    assert ruling.passing_out.says == "No Hearts cannot be passed out: Bob, Cy, Dee must double Ann."


def test_a_table_that_plays_undoubled_negatives_passes_nothing_out():
    ruling = ask(MISERE, ruleset=house(undoubled="played"))
    assert not ruling.can_be_passed_out
    assert ruling.passing_out.says == "Misère is played even if nobody doubles; so this table has it."


def test_where_there_is_no_doubling_nobody_speaks():
    for code in ("king", "get-barbara"):
        ruleset = load(code)
        ruling = ask(ruleset.contracts[0], ruleset=ruleset)
        assert (ruling.seat, ruling.may_double, ruling.can_be_passed_out) == (None, (), False)
        assert "There is no doubling" in ruling.passing_out.says
    assert played().turn.duty(BOB) is None


def test_who_speaks_before_his_turn_or_doubles_wrongly_is_told():
    ruling = ask(TRUMPS, (CY, (DEE,)))
    assert [(found.code, found.where) for found in ruling.problems] == [
        ("double-out-of-turn", "doubles"),
        ("double-not-allowed", "doubles"),
    ]
    assert ruling.problems[0].says == "Cy spoke before it was Cy's turn; it was Bob's."
    assert ruling.seat == BOB
