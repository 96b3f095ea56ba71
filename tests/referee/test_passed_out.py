"""A negative contract that nobody doubled is scored without being played."""

import msgspec
from table import ANN, BOB, last, played, record, refused

from referee import load


def test_the_declarer_gains_what_rounding_leaves():
    hand = last(record("misere"))
    assert hand.passed_out
    assert hand.basic == hand.total == (1, -9, -9, -9)
    assert hand.doubling == (0, 0, 0, 0)


def test_it_adds_up_to_the_contract_all_the_same():
    for contract in load("barbu").contracts:
        if contract.is_negative:
            assert sum(last(record(contract.code)).total) == contract.total(4)


def test_the_contract_counts_as_declared():
    match = played(record("misere"))
    assert "misere" not in [contract.code for contract in match.turn.may_declare(ANN)]
    assert match.turn.declared_by(ANN) == ((1, "misere"),)


def test_it_has_no_result():
    assert refused(record("misere", tricks={ANN: 13})) == [("result-not-expected", "result")]


def test_one_double_of_anybody_and_it_is_played():
    assert not last(record("misere", [(BOB, 2)], tricks={ANN: 13})).passed_out


def test_a_positive_contract_is_played_though_nobody_doubled():
    hand = last(record("dominoes", start="7", finish=(0, 1, 2, 3)))
    assert not hand.passed_out
    assert not played(record("trumps", trump="S")).scored[-1].is_finished


def test_as_long_as_doubles_are_not_asked_nothing_is_passed_out():
    match = played(record("misere", None))
    assert not match.scored[-1].is_finished
    assert match.turn.number == 1


def test_a_table_may_play_it_out_instead():
    barbu = load("barbu")
    rule = msgspec.structs.replace(barbu.doubling, undoubled="played")
    house = msgspec.structs.replace(barbu, doubling=rule)
    assert not played(record("misere"), ruleset=house).scored[-1].is_finished
    assert last(record("misere", tricks={ANN: 13}), ruleset=house).total == (-26, 0, 0, 0)


def test_no_doubling_no_passing_out():
    king = played(record("misere"), ruleset="king")
    assert not king.scored[-1].is_finished
    assert last(record("misere", tricks={BOB: 13}), ruleset="king").total == (0, -650, 0, 0)


def test_house_values_can_leave_two_to_the_declarer():
    barbu = load("barbu")
    king = msgspec.structs.replace(barbu.contract("barbu").items[0], each=-22)
    contract = msgspec.structs.replace(barbu.contract("barbu"), items=(king,))
    house = msgspec.structs.replace(
        barbu, contracts=(contract,), doubling=msgspec.structs.replace(barbu.doubling, compulsory=0)
    )
    assert last(record("barbu"), ruleset=house).total == (2, -8, -8, -8)
