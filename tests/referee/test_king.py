"""King (Rıfkı): quotas decide what is offered, and each refusal says which quota."""

from functools import partial

import pytest
import table
from table import ANN, BOB, CY, DEE, record

from referee import Hand, Match, RuleSet, load
from referee.rules import from_object, to_object

last = partial(table.last, ruleset="king")
refused = partial(table.refused, ruleset="king")
said = partial(table.said, ruleset="king")


def hand(contract: str) -> Hand:
    """Ann takes everything there is."""
    found = load("king").contract(contract)
    return record(
        contract,
        trump="S" if contract == "trumps" else None,
        counts={item.code: {ANN: item.count} for item in found.items},
    )


def hands(*contracts: str) -> tuple[Hand, ...]:
    return tuple(map(hand, contracts))


def king(*contracts: str, ruleset: str | RuleSet = "king") -> Match:
    match = table.played(*hands(*contracts), ruleset=ruleset)
    assert match.problems == ()
    return match


def offered(match: Match) -> list[str]:
    return [contract.code for contract in match.turn.may_declare(match.turn.declarer)]


def with_contracts(changes: dict[str, dict[str, int]], **others: object) -> RuleSet:
    """King with other limits, for the contracts named and no others."""
    data = to_object(load("king"))
    kept = [contract | changes.get(contract["code"], {}) for contract in data["contracts"]]
    return from_object(data | {"code": "our-own", "contracts": kept} | others)


def test_the_player_before_the_declarer_deals_and_the_turn_moves_on_after_every_deal():
    match = king("barbu", "trumps")

    assert [(scored.turn.declarer, scored.turn.dealer) for scored in match.scored] == [(ANN, DEE), (BOB, ANN)]
    assert match.turn.declarer == CY


def test_a_negative_that_was_declared_twice_is_offered_to_nobody():
    turn = king("barbu", "barbu").turn

    for seat in turn.seats:
        assert [contract.code for contract in turn.may_declare(seat)] == [
            "misere",
            "no-hearts",
            "no-queens",
            "no-men",
            "no-last-two",
            "trumps",
        ]


def test_the_refusal_of_a_third_barbu_names_the_quota_of_the_contract():
    barbu = hands("barbu", "barbu", "barbu")

    assert refused(*barbu) == [("contract-quota", "contract")]
    assert said(*barbu) == ["The quota of Barbu is used up: 2 in a match (hands: 1, 2)."]


def test_a_player_may_declare_the_same_negative_twice():
    match = king("barbu", "misere", "misere", "no-queens", "barbu")

    assert match.turn.declared_by(ANN) == ((1, "barbu"), (5, "barbu"))


def test_a_third_trumps_is_refused_by_the_players_own_quota():
    nine = hands(*["trumps", "barbu", "misere", "no-men"] * 2, "trumps")

    assert refused(*nine) == [("contract-quota", "contract")]
    assert said(*nine) == ["Ann used up the quota of 2 positive contracts (hands: 1, 5)."]


ANN_HAS_HAD_HER_NEGATIVES = (
    *("barbu", "trumps", "trumps", "trumps"),
    *("misere", "trumps", "trumps", "trumps"),
    *("misere", "no-men", "no-men", "no-queens"),
)


def test_a_fourth_negative_is_refused_by_the_players_own_quota():
    thirteen = hands(*ANN_HAS_HAD_HER_NEGATIVES, "no-last-two")

    assert refused(*thirteen) == [("contract-quota", "contract")]
    assert said(*thirteen) == ["Ann used up the quota of 3 negative contracts (hands: 1, 5, 9)."]


def test_who_has_had_three_negatives_is_offered_trumps_alone():
    assert offered(king(*ANN_HAS_HAD_HER_NEGATIVES)) == ["trumps"]


def test_a_table_may_allow_each_negative_once_a_player():
    once = with_contracts({"barbu": {"times": 1}})
    five = hands("barbu", "trumps", "trumps", "trumps", "barbu")

    assert refused(*five, ruleset=once) == [("contract-used", "contract")]
    assert said(*five, ruleset=once) == ["Barbu was declared in hand 1 already."]


def test_a_player_to_whom_quotas_leave_only_what_he_has_had_may_declare_it_again():
    none = {"times": 0, "times_in_match": None}
    limits = {contract.code: none for contract in load("king").contracts}
    limits |= {code: {"times": 1, "times_in_match": 3} for code in ("misere", "no-men")}
    limits |= {"barbu": {"times": 1, "times_in_match": 2}}
    rules = with_contracts(limits, quotas={"negative": 2, "positive": 0})

    match = king("misere", "misere", "misere", "barbu", "no-men", "no-men", "no-men", ruleset=rules)

    assert match.turn.declarer == DEE
    assert match.turn.declared_by(DEE) == ((4, "barbu"),)
    assert offered(match) == ["barbu"]
    assert match.turn.problems(hand("barbu")) == ()


def test_a_contract_that_is_played_no_times_does_not_exist():
    rules = with_contracts({"barbu": {"times": 0}, "no-queens": {"times_in_match": 4}})

    assert "barbu" not in offered(king(ruleset=rules))
    assert refused(hand("barbu"), ruleset=rules) == [("unknown-contract", "contract")]


def test_everyone_above_zero_has_won_and_nobody_before_the_end():
    nineteen = king(
        *("barbu", "misere", "no-men", "no-queens", "trumps", "trumps", "trumps", "trumps"),
        *("no-hearts", "no-last-two", "barbu", "misere", "trumps", "trumps", "trumps", "trumps"),
        *("no-men", "no-queens", "no-hearts"),
    )
    both_for_bob = record("no-last-two", trick_12={BOB: 1}, trick_13={BOB: 1})

    over = nineteen.with_hands((*nineteen.hands, both_for_bob))

    assert nineteen.winners == ()
    assert over.is_over
    assert over.turn.running == (360, -360, 0, 0)
    assert over.winners == (ANN,)


def test_the_ace_of_hearts_counts_as_any_other_heart_and_is_not_asked_for():
    with_ace = record("no-hearts", hearts={ANN: 13}, ace_of_hearts={ANN: 1})

    assert last(record("no-hearts", hearts={ANN: 13})).total[ANN] == -390
    assert refused(with_ace) == [("unknown-item", "ace-of-hearts")]


def test_there_are_eight_kings_and_jacks():
    assert said(record("no-men", kings_and_jacks={ANN: 7})) == ["7 kings and jacks entered; 8 were played. 1 missing."]


def test_nobody_doubles():
    doubled = record("barbu", [(BOB, ANN)], king_of_hearts={ANN: 1})

    assert refused(doubled) == [("double-not-allowed", "doubles")]


@pytest.mark.parametrize("doubles", [None, ()])
def test_a_negative_that_nobody_doubles_is_played(doubles: tuple[()] | None):
    assert last(record("barbu", doubles, king_of_hearts={CY: 1})).total == (0, 0, -320, 0)
