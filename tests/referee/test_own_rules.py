"""Rules that travel alone, and what a page says of a contract before it is played."""

import json

import pytest

from referee import BadRuleSet, NotAMatch, load, names
from referee.explain import customs, entry
from referee.matchfile import parse_ruleset, with_true_examples
from referee.rules import from_object, to_object


@pytest.mark.parametrize("code", names())
def test_every_game_travels_alone_and_is_the_same(code: str):
    assert parse_ruleset(json.dumps(to_object(load(code))).encode()) == load(code)


def test_a_text_that_is_no_rule_set_is_refused_in_words():
    with pytest.raises(NotAMatch, match="The file holds no rule set but a list"):
        parse_ruleset(b"[]")
    with pytest.raises(BadRuleSet, match="code is missing"):
        parse_ruleset(b"{}")


@pytest.mark.parametrize("code", names())
def test_the_examples_of_the_rulebook_are_true(code: str):
    assert with_true_examples(load(code)) == load(code)


def barbu(**changes):
    return from_object(to_object(load("barbu")) | {"code": "ours"} | changes)


def with_example(**example):
    return with_true_examples(barbu(examples=[{"says": "Barbu."} | example])).examples


TAKEN = {"contract": "barbu", "doubles": [], "result": {"counts": {"king-of-hearts": {"Cy": 1}}}}
DOUBLED = TAKEN | {"doubles": [["Bob", "Ann"]]}
ZERO = {"Ann": 0, "Bob": 0, "Cy": 0, "Dee": 0}


def test_an_example_is_scored_anew():
    (example,) = with_example(hand=DOUBLED, total=ZERO)
    assert example.total == ZERO | {"Cy": -20}


@pytest.mark.parametrize(
    "example",
    [
        {"hand": DOUBLED, "total": ZERO, "says": "Cy loses 0."},
        {"hand": {"contract": 5}, "total": ZERO},
        {"hand": TAKEN, "total": ZERO},
        {"hand": TAKEN, "refused": "contract-used"},
        {"hand": DOUBLED, "refused": "contract-used"},
        {"hand": {"contract": "barbu"}, "total": ZERO},
        {"hand": DOUBLED, "total": {"Cy": 0}},
    ],
    ids=[
        "figures in its sentence",
        "no hand at all",
        "refused",
        "refused otherwise",
        "not refused",
        "not finished",
        "one player",
    ],
)
def test_an_example_that_no_longer_holds_is_gone(example):
    assert with_example(**example) == ()


def test_an_example_of_a_refusal_stays_as_long_as_it_is_refused():
    assert len(with_example(hand=TAKEN, refused="result-not-expected")) == 1


@pytest.mark.parametrize(
    ("game", "contract", "says"),
    [
        ("barbu", "misere", ["the tricks of each player, 13 in all"]),
        ("barbu", "no-hearts", ["the hearts of each player, 13 in all", "who took the ace of hearts"]),
        ("barbu", "trumps", ["the trump suit", "the tricks of each player, 13 in all"]),
        ("barbu", "dominoes", ["the starting rank", "the order of going out"]),
        ("ravage-city", "ravage-city", ["who was ravaged, one player or several"]),
        ("chinese-poker-72", "chinese-poker", ["the order of the players in each row, ties allowed"]),
        (
            "chinese-poker",
            "chinese-poker",
            [
                "the order of the players in each row, ties allowed",
                "where the most units tie, who takes the overall unit",
            ],
        ),
        ("coup-detat", "king-of-hearts", ["who took the king of hearts, or nobody"]),
        ("coup-detat", "queens", ["the queens of each player, 4 in all or one fewer"]),
        ("get-barbara", "round", ["the Barbaras of each player, 4 in all"]),
    ],
)
def test_a_contract_says_how_it_is_entered(game: str, contract: str, says: list[str]):
    rules = load(game)
    found = next(one for one in rules.contracts if one.code == contract)
    assert [told.says for told in entry(found)][: len(says)] == says


def test_what_is_left_in_hand_has_a_most():
    (round_,) = load("get-barbara").contracts
    assert entry(round_)[-1].says == "the other cards left with each player, at most 36"


def test_a_table_that_passes_nothing_out_says_so():
    rules = barbu(doubling={"who": "everyone", "compulsory": 2, "undoubled": "played"})
    says = [told.says for told in customs(rules)]
    assert "A negative contract that nobody doubles is played all the same." in says
