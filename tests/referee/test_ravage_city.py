"""Ravage City: whoever captured most cards of one suit is ravaged, and ties share."""

import pytest
from table import ANN, BOB, CY, DEE, last, record, refused, said

from referee import BadRuleSet, Hand, explain, load
from referee.explain import cost
from referee.rules import from_object, to_object


def city(*ravaged: int, longest: dict[int, int] | None = None) -> Hand:
    return record("ravage-city", [(BOB, ANN)], ravaged=ravaged, longest=longest)


@pytest.mark.parametrize(
    ("game", "shares"), [("ravage-city", (-24, -12, -8, -6)), ("ravage-city-36", (-36, -18, -12, -9))]
)
def test_those_who_tie_share_the_penalty(game: str, shares: tuple[int, ...]):
    for ties, share in enumerate(shares, 1):
        assert last(city(*range(ties)), ruleset=game).basic == (share,) * ties + (0,) * (4 - ties)


def test_doubles_settle_with_the_shared_penalty():
    assert last(city(ANN, DEE), ruleset="ravage-city").total == (-24, 12, 0, -12)


def test_somebody_is_ravaged():
    assert refused(city(), ruleset="ravage-city") == [("ravaged-nobody", "ravaged")]


def test_nobody_is_ravaged_twice():
    assert refused(city(ANN, ANN), ruleset="ravage-city") == [("unknown-player", "ravaged")]


@pytest.mark.parametrize("longest", [{ANN: 8, BOB: 7}, {ANN: 8}, {BOB: 7}, {}])
def test_longest_suits_may_stand_beside_the_result_all_or_some(longest: dict[int, int]):
    assert last(city(ANN, longest=longest), ruleset="ravage-city").basic == (-24, 0, 0, 0)


@pytest.mark.parametrize(
    "longest",
    [{ANN: 6, BOB: 7}, {ANN: 6, BOB: 6}, {ANN: 6, BOB: 7, CY: 7, DEE: 2}, {ANN: 14}, {ANN: 5, BOB: -1}],
)
def test_longest_suits_cannot_contradict_the_result(longest: dict[int, int]):
    assert refused(city(ANN, longest=longest), ruleset="ravage-city") == [("count-mismatch", "longest")]


def test_longest_suits_say_who_should_be_ravaged():
    assert said(city(ANN, DEE, longest={ANN: 6, BOB: 7, CY: 7, DEE: 6}), ruleset="ravage-city") == [
        "By their longest suits the ravaged are Bob, Cy, with 7 cards."
    ]


def test_longest_suits_belong_to_ravage_city_alone():
    hand = record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1}, longest={ANN: 5})

    assert refused(hand, ruleset="ravage-city") == [("not-for-this-contract", "longest")]


def test_a_penalty_that_four_cannot_share_makes_no_rule_set():
    data = to_object(load("ravage-city"))
    data["contracts"][7]["penalty"] = -20

    with pytest.raises(BadRuleSet, match="cannot be shared"):
        from_object(data)


def test_the_share_explains_itself():
    ann, bob, *_ = explain(last(city(ANN, DEE), ruleset="ravage-city")).players

    assert [(part.what.says, part.points) for part in ann.parts] == [("ravaged", -12)]
    assert bob.parts == ()


def test_the_cost_is_told_with_its_shares():
    (says,) = cost(load("ravage-city-36").contracts[7])

    assert says.says == "−36 for most cards of one suit; shared, −18 · −12 · −9 each"
