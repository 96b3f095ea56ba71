"""What a hand still holds for each player, with doubling settled, and where business is equal."""

import msgspec
import pytest
from hypothesis import given
from strategies import sound_matches
from table import ANN, BOB, CY, DEE, played, record

from referee import Counts, Finish, Ravaged, Result, load, stakes
from referee.doubling import settle

MAX = [(BOB, ANN), (BOB, CY), (BOB, DEE)]


def at_stake(code, doubles=(), so_far=None, ruleset="barbu", declarer=ANN):
    turn = played(ruleset=ruleset, first=declarer).turn
    return stakes(turn, turn.ruleset.contract(code), doubles, so_far)


def worth(*asked, **told):
    return {stake.code: (stake.left, stake.worth) for stake in at_stake(*asked, **told).open}


def fair(*asked, **told):
    return {(one.seat, one.others, one.business) for one in at_stake(*asked, **told).equal}


# The king of hearts, by the rule book's own example


def test_who_has_business_with_one_gains_by_him_and_loses_twice_by_himself():
    (king,) = at_stake("barbu", MAX).open
    assert (king.code, king.what.says, king.left) == ("king-of-hearts", "the king of hearts", 1)
    assert [king.worth[taker][ANN] for taker in (BOB, CY, DEE, ANN)] == [20, 0, 0, -40]


def test_he_must_not_favour_one_of_the_two_others():
    equal = at_stake("barbu", MAX).equal
    assert (ANN, (CY, DEE), 0) in [(one.seat, one.others, one.business) for one in equal]
    assert equal[0].says.says == "Ann must not favour one of Cy, Dee: the business with each is the same."


def test_who_doubled_everybody_throws_it_at_the_first_chance():
    doubled = [(ANN, BOB), (ANN, CY), (ANN, DEE)]
    (own,) = [one for one in at_stake("barbu", doubled, declarer=BOB).equal if one.seat == ANN]
    assert (own.others, own.business) == ((BOB, CY, DEE), 1)
    assert own.says.says == (
        "Ann has equal business with everybody: a card that counts is to be thrown at the first chance, "
        "at whoever it falls on."
    )


def test_where_no_card_counts_equal_business_means_to_favour_nobody():
    doubled = [(ANN, BOB), (ANN, CY), (ANN, DEE)]
    (own,) = [one for one in at_stake("misere", doubled, declarer=BOB).equal if one.seat == ANN]
    assert own.says.says == "Ann has equal business with everybody and must favour nobody."


def test_where_nobody_doubled_no_business_is_equal():
    assert fair("trumps") == set()


def test_a_redouble_is_other_business_than_a_double():
    doubles = [(BOB, ANN), (ANN, BOB), (CY, ANN)]
    found = at_stake("misere", doubles)
    assert found.business == ((0, 2, 1, 0), (2, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0))
    assert [one.seat for one in found.equal] == [BOB, CY, DEE]


# What is open, live


def test_one_more_trick_is_worth_its_unit_and_the_business():
    assert worth("misere", [(BOB, ANN)])["tricks"] == (
        13,
        ((-4, 2, 0, 0), (2, -4, 0, 0), (0, 0, -2, 0), (0, 0, 0, -2)),
    )


def test_what_was_counted_is_taken_off():
    counted = Result(counts={"queens": {ANN: 1, DEE: 2}})
    assert worth("no-queens", so_far=counted)["queens"][0] == 1
    assert worth("no-queens", so_far=Result(counts={"queens": {ANN: 4}})) == {}
    assert worth("no-queens", so_far=Result(counts={"queens": {ANN: 5}})) == {}


def test_the_ace_of_hearts_counts_with_its_heart_and_the_others_without_it():
    found = worth("no-hearts")
    assert (found["hearts"][0], found["ace-of-hearts"][0]) == (12, 1)
    assert (found["hearts"][1][BOB][BOB], found["ace-of-hearts"][1][BOB][BOB]) == (-2, -6)
    found = worth("no-hearts", so_far=Result(counts={"hearts": {ANN: 12}}))
    assert list(found) == ["ace-of-hearts"]
    found = worth("no-hearts", so_far=Result(counts={"hearts": {ANN: 1}, "ace-of-hearts": {ANN: 1}}))
    assert (list(found), found["hearts"][0]) == (["hearts"], 12)


def test_each_finishing_place_is_open_to_those_still_in():
    found = worth("dominoes", [(BOB, ANN)])
    assert list(found) == ["1", "2", "3", "4"]
    assert found["1"][1][BOB] == (-45, 90, 0, 0)
    found = worth("dominoes", [(BOB, ANN)], Result(finish=(BOB,)))
    assert list(found) == ["2", "3", "4"]
    assert found["4"][1] == ((-10, 5, 0, 0), None, (0, 0, -5, 0), (0, 0, 0, -5))
    assert at_stake("dominoes").open[0].what.says == "out as number 1"


def test_to_be_ravaged():
    (found,) = at_stake("ravage-city", [(BOB, DEE)], ruleset="ravage-city").open
    assert (found.what.says, found.worth[DEE]) == ("to be ravaged alone", (0, 24, 0, -48))


def test_units_of_the_rows_and_the_overall_unit():
    found = worth("chinese-poker", [(BOB, ANN)], ruleset="chinese-poker")
    assert found["unit"] == (18, ((8, -4, 0, 0), (-4, 8, 0, 0), (0, 0, 4, 0), (0, 0, 0, 4)))
    assert found["best"][1][CY] == (0, 0, 4, 0)
    row = {"front": {ANN: 3, BOB: 2, CY: 1}}
    found = worth("chinese-poker", so_far=Result(beats=row), ruleset="chinese-poker-72")
    assert {code: left for code, (left, _) in found.items()} == {"unit": 12}
    whole = Result(beats=dict.fromkeys(("front", "middle", "back"), row["front"]))
    assert list(worth("chinese-poker", so_far=whole, ruleset="chinese-poker")) == ["best"]


def test_for_money_what_is_taken_is_paid_to_the_declarer():
    found = worth("first-and-last", ruleset="coup-detat")
    assert found["last-trick"][1] == ((0, 0, 0, 0), (400, -400, 0, 0), (400, 0, -400, 0), (400, 0, 0, -400))
    assert worth("tableau", ruleset="coup-detat")["4"][1][CY] == (800, 0, -800, 0)


def test_all_four_barbaras_are_worth_less_than_three():
    turn = played(ruleset="get-barbara").turn
    three = Result(counts={"barbaras": {ANN: 3}, "fives": {}, "ones": {}})
    barbaras = stakes(turn, turn.ruleset.contracts[0], (), three).open[0]
    assert (barbaras.left, barbaras.worth[ANN][ANN], barbaras.worth[BOB][BOB]) == (1, -55, 10)


def as_it_grows(contract, result):
    """All that was taken, one by one, with its taker."""
    if isinstance(contract, Counts):
        within = {item.within: item.code for item in contract.items if item.within}
        for item in contract.items:
            for seat, number in result.counts[item.code].items():
                special = result.counts[within[item.code]].get(seat, 0) if item.code in within else 0
                yield from [(item.code, seat)] * (number - special)
    elif isinstance(contract, Finish):
        yield from ((str(place), seat) for place, seat in enumerate(result.finish, 1))


@given(sound_matches("barbu") | sound_matches("king"))
def test_all_that_was_at_stake_adds_up_to_the_score(match):
    for scored in match.finished_hands:
        if scored.result is None or isinstance(scored.contract, Ravaged):
            continue
        doubles = scored.hand.doubles or ()
        at_first = {one.code: one.worth for one in stakes(scored.turn, scored.contract, doubles).open}
        sums = [0, 0, 0, 0]
        for code, seat in as_it_grows(scored.contract, scored.result):
            sums = [a + b for a, b in zip(sums, at_first[code][seat], strict=True)]
        assert tuple(sums) == scored.total
        assert settle(scored.basic, doubles) == scored.doubling


@pytest.mark.parametrize("code", ["misere", "trumps"])
def test_a_hand_half_told_is_asked_about_as_it_stands(code):
    turn = played(record("misere")).turn
    house = msgspec.structs.replace(turn, declarer=CY)
    assert stakes(house, load("barbu").contract(code), [(DEE, CY)]).open[0].left == 13
