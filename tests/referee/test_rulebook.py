"""The rule sets of the rulebook are those that RULES.md describes, and play as their examples say."""

from importlib import resources

import msgspec
import pytest
from table import PLAYERS

from referee import BadRuleSet, Counts, ScoredHand, load, matchfile, names
from referee.rules import from_object, to_object

EXAMPLES = [(code, example) for code in names() for example in load(code).examples]


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_a_worked_example_comes_out_as_it_says(code, example):
    outcome = matchfile.play_example(load(code), example)
    if example.refused is not None:
        assert example.refused in [found.code for found in outcome]
    else:
        assert isinstance(outcome, ScoredHand), outcome
        assert dict(zip(outcome.turn.players, outcome.total, strict=True)) == example.total


@pytest.mark.parametrize("code", names())
def test_every_contract_has_an_example(code):
    ruleset = load(code)
    if ruleset.has_declarer:
        assert {example.hand["contract"] for example in ruleset.examples} >= {c.code for c in ruleset.contracts}
    assert ruleset.examples


def test_an_example_that_is_wrong_would_be_found():
    barbu = load("barbu")
    wrong = msgspec.structs.replace(barbu.examples[0], hand={"contract": "no-queens", "trump": "S"})
    assert [found.code for found in matchfile.play_example(barbu, wrong)] == ["not-for-this-contract"]


def test_every_file_of_the_rulebook_stands_in_its_index():
    files = {
        entry.name.removesuffix(".toml")
        for entry in resources.files("referee").joinpath("rulebook").iterdir()
        if entry.name.endswith(".toml")
    }
    assert files == set(names())
    assert names()[0] == "barbu"


@pytest.mark.parametrize("code", names())
def test_a_rule_set_has_the_code_of_its_file(code):
    assert load(code).code == code


def test_a_rule_set_that_is_not_there():
    with pytest.raises(KeyError):
        load("bridge")


@pytest.mark.parametrize("code", names())
def test_a_rule_set_written_out_is_the_same_rule_set(code):
    assert from_object(to_object(load(code))) == load(code)


@pytest.mark.parametrize(
    ("code", "hands", "sum_"),
    [
        ("barbu", 28, 0),
        ("barbu-classic", 28, 0),
        ("barbu-quick", 28, 0),
        ("ravage-city", 32, 0),
        ("ravage-city-36", 32, -144),
        ("chinese-poker", 36, 208),
        ("chinese-poker-72", 36, 0),
        ("king", 20, 0),
        ("get-barbara", None, None),
        ("coup-detat", 24, 40_000),
        ("dragonmaster", 20, 400_000),
    ],
)
def test_a_whole_match_has_so_many_hands_and_adds_up_to(code, hands, sum_):
    assert load(code).hands_in_all(4) == hands
    assert load(code).adds_up_to(4) == sum_


TOTALS = {
    "misere": -26,
    "no-hearts": -30,
    "no-queens": -24,
    "barbu": -20,
    "no-last-two": -30,
    "trumps": 65,
    "dominoes": 65,
}


@pytest.mark.parametrize("code", ["barbu", "barbu-classic", "barbu-quick"])
def test_the_seven_contracts_of_barbu(code):
    assert {contract.code: contract.total(4) for contract in load(code).contracts} == TOTALS
    assert [c.code for c in load(code).contracts if c.is_negative] == list(TOTALS)[:5]


def test_what_differs_between_the_three_barbus():
    customs = {code: (load(code).rotation, load(code).dealer) for code in names()[:3]}
    assert customs == {
        "barbu": ("each-deal", "declarer"),
        "barbu-classic": ("block", "before"),
        "barbu-quick": ("each-deal", "before"),
    }
    for code in names()[:3]:
        rule = load(code).doubling
        assert (rule.who, rule.positives, rule.compulsory, rule.undoubled) == (
            "everyone",
            "declarer",
            2,
            "passed-out",
        )
        assert load(code).contracts == load("barbu").contracts


def house(**changes):
    return to_object(load("barbu")) | changes


def with_contract(**changes):
    first, *rest = to_object(load("barbu"))["contracts"]
    return house(contracts=[first | changes, *rest], examples=[])


KING = to_object(load("king"))
BARBARA = to_object(load("get-barbara"))
COUPS = to_object(load("coup-detat"))
RAVAGE = to_object(load("ravage-city"))
POKER = to_object(load("chinese-poker"))
ITEM = to_object(load("barbu"))["contracts"][0]["items"][0]


def doubling(**changes):
    return house(doubling=to_object(load("barbu"))["doubling"] | changes)


REFUSED = [
    (house(players=[4, 4]), "players: a number of players is named twice"),
    (
        house(contracts=[*to_object(load("barbu"))["contracts"]] * 2),
        "contract 8, code: contract misere is there twice",
    ),
    (with_contract(items=[ITEM, ITEM]), "contract 1, item 2, code: item tricks is there twice"),
    (
        with_contract(items=[ITEM | {"within": "hearts"}]),
        "contract 1, item 1, within: hearts is not an item before it",
    ),
    (
        with_contract(items=[ITEM | {"cards": ["Q*"]}]),
        "contract 1, item 1, count: 13 tricks are to count, but there are 4",
    ),
    (
        with_contract(items=[ITEM | {"each": 2}]),
        "contract 1, sign: a negative contract cannot bring 26 points in all",
    ),
    (with_contract(times_in_match=4), "contract 1, times_in_match: a limit for the whole match needs quotas"),
    (with_contract(sort="tricks"), "contract 1: there is no field “sort” here"),
    (house(colour="green"), "there is no field “colour” here"),
    (
        doubling(who="none"),
        "doubling, compulsory: 2 doubles are compulsory, but a player can be doubled in 0 hands",
    ),
    (
        doubling(compulsory=8),
        "doubling, compulsory: 8 doubles are compulsory, but a player can be doubled in 7 hands",
    ),
    (with_contract(needs="start"), "contract 1, needs: a contract of this kind has no start"),
    (
        RAVAGE | {"contracts": [RAVAGE["contracts"][-1] | {"needs": "trump"}]},
        "contract 1, needs: a contract of this kind has no trump",
    ),
    (house(ends_at=100), "ends_at: a game with declarers ends after its last hand"),
    (
        house(contracts=[c | {"times": 0} for c in to_object(load("barbu"))["contracts"]]),
        "contracts: there is no hand to declare",
    ),
    (house(payment="declarer"), "doubling, undoubled: a hand that pays the declarer cannot be passed out"),
    (house(rotation="none"), "contracts: a game without declarers has one kind of round"),
    (BARBARA | {"ends_at": None}, "ends_at: a game without declarers ends at a score"),
    (
        BARBARA | {"contracts": [BARBARA["contracts"][0] | {"sign": "positive"}], "doubling": {"who": "everyone"}},
        "doubling, who: there is no declarer to double",
    ),
    (BARBARA | {"quotas": {"negative": 1, "positive": 1}}, "quotas: there is no declarer with a quota"),
    (BARBARA | {"payment": "declarer"}, "payment: there is no declarer to pay"),
    (
        BARBARA | {"contracts": [BARBARA["contracts"][0] | {"items": [ITEM | {"tricks": None}]}]},
        "contract 1: nobody can ever reach 100 points",
    ),
    (COUPS | {"rotation": "block"}, "rotation: coups need rounds"),
    (COUPS | {"payment": "own"}, "payment: coups need a paid declarer"),
    (
        COUPS | {"doubling": {"who": "everyone", "undoubled": "played"}},
        "doubling, who: a coup cannot be doubled",
    ),
    (
        COUPS | {"quotas": {"negative": 1, "positive": 1}},
        "quotas: a round has every contract, so nobody has a quota",
    ),
    (
        KING | {"quotas": {"negative": 4, "positive": 2}},
        "quotas, negative: 4 players declare 4 negative contracts each, but there are only 12",
    ),
    (
        RAVAGE | {"contracts": [RAVAGE["contracts"][-1] | {"penalty": -25}]},
        "contract 1, penalty: −25 cannot be shared evenly by up to 4 players",
    ),
    (
        POKER | {"players": [5], "contracts": [POKER["contracts"][-1]]},
        "contract 1, kind: three rows of poker are for four players",
    ),
    (
        house(players=[5], contracts=to_object(load("barbu"))["contracts"][-1:]),
        "contract 1, places: 5 players go out, but 4 places are paid",
    ),
    (house(players=[5]), "contract 1, item 1, count: 13 tricks are to count, but there are 10"),
    (
        with_contract(items=[ITEM | {"count": 12}]),
        "contract 1, item 1, count: 12 tricks are to count, but there are 13",
    ),
    (
        with_contract(items=[ITEM | {"cards": ["*S"]}]),
        "contract 1, item 1, tricks: tricks are cards or tricks, not both",
    ),
    *(
        (
            with_contract(items=[ITEM | {"count": 1, "tricks": number}]),
            f"contract 1, item 1, tricks: there is no trick {number} among 13",
        )
        for number in (0, 14, -14)
    ),
    (
        with_contract(items=[ITEM | {"count": 2, "tricks": -1}]),
        "contract 1, item 1, count: 2 tricks are to count, but there are 1",
    ),
    (with_contract(items=[ITEM | {"tricks": 18}]), "contract 1, item 1, tricks: expected a whole number, at most 17"),
    (house(deck={"ranks": "AAKQ"}), "deck, ranks: a rank is there twice in AAKQ"),
]


@pytest.mark.parametrize(("data", "why"), REFUSED)
def test_a_rule_set_that_cannot_be_played_is_refused_with_its_place(data, why):
    with pytest.raises(BadRuleSet, match=f"^{why}"):
        from_object(data)


def test_the_plural_names_a_number_and_the_singular_a_taker():
    singles = {
        item.code
        for contract in load("barbu").contracts
        if isinstance(contract, Counts)
        for item in contract.items
        if item.is_single
    }
    assert singles == {"ace-of-hearts", "king-of-hearts", "trick-12", "trick-13"}


def test_the_cards_of_an_item_are_known():
    assert load("barbu").contract("no-queens").items[0].card_set == {"QS", "QH", "QD", "QC"}
    assert len(load("barbu").contract("no-hearts").items[0].card_set) == 13
    assert load("barbu").contract("misere").items[0].card_set == frozenset()


def test_which_tricks_an_item_counts_is_told_by_the_rulebook():
    def numbers(code, contract):
        items = load(code).contract(contract).items
        return {item.code: list(item.trick_numbers(load(code).deck.tricks(4))) for item in items}

    assert numbers("barbu", "misere") == {"tricks": [*range(1, 14)]}
    assert numbers("barbu", "no-last-two") == {"trick-12": [12], "trick-13": [13]}
    assert numbers("coup-detat", "first-and-last") == {"first-trick": [1], "last-trick": [8]}
    assert numbers("barbu", "barbu") == {"king-of-hearts": []}


def test_examples_have_the_cast_unless_their_score_names_others():
    assert load("barbu").examples[0].players == PLAYERS
