"""Why a hand scored what it did, what a contract costs, and the rules in words."""

import msgspec
import pytest
from table import ANN, BOB, CY, DEE, last, record

from referee import Coup, explain, load
from referee.explain import cost, customs, price, rules_text, signed


def parts(hand, seat, ruleset="barbu"):
    told = explain(last(hand, ruleset=ruleset))
    return [(part.what.says, part.points) for part in told.players[seat].parts]


def pairs(hand, **how):
    return [pair.says.says for pair in explain(last(hand, **how)).pairs]


DOUBLED = [(BOB, ANN)]
QUEENS = record("no-queens", [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)], queens={DEE: 2, ANN: 1, CY: 1})


def test_each_players_score_is_taken_apart():
    told = explain(last(QUEENS))
    assert [(p.seat, p.basic, p.doubling, p.total) for p in told.players] == [
        (ANN, -6, -6, -12),
        (BOB, 0, 24, 24),
        (CY, -6, -6, -12),
        (DEE, -12, -12, -24),
    ]


def test_the_basic_score_is_told_with_its_count():
    assert parts(QUEENS, DEE) == [("2 queens", -12)]
    assert parts(QUEENS, BOB) == []


def test_the_ace_of_hearts_is_told_beside_the_hearts():
    hand = record("no-hearts", DOUBLED, hearts={ANN: 13}, ace_of_hearts={ANN: 1})
    assert parts(hand, ANN) == [("13 hearts", -26), ("ace of hearts", -4)]


def test_pairs_are_told_in_the_order_of_speaking_with_who_doubled_first():
    assert pairs(QUEENS) == [
        "Bob doubled Cy: Bob 0, Cy −6, difference 6: Bob +6, Cy −6",
        "Bob doubled Dee: Bob 0, Dee −12, difference 12: Bob +12, Dee −12",
        "Bob doubled Ann: Bob 0, Ann −6, difference 6: Bob +6, Ann −6",
        "Cy doubled Ann and Ann doubled back: Cy −6, Ann −6, difference 0, twice: Cy 0, Ann 0",
    ]


def test_a_double_back_tells_the_difference_twice():
    hand = record("misere", [(DEE, BOB), (BOB, DEE)], tricks={BOB: 3, DEE: 6, CY: 4})
    assert pairs(hand) == [
        "Bob doubled Dee and Dee doubled back: Bob −6, Dee −12, difference 6, twice: Bob +12, Dee −12"
    ]


def test_a_double_from_the_later_speaker_tells_him_first():
    hand = record("misere", [(DEE, BOB)], tricks={BOB: 13})
    (pair,) = explain(last(hand)).pairs
    assert (pair.one, pair.other, pair.business, pair.difference, pair.moved) == (DEE, BOB, 1, 26, 26)


def test_a_passed_out_hand_is_told_as_such():
    hand = record("misere")
    assert parts(hand, ANN) == [("passed out", 1)]
    assert parts(hand, BOB) == [("passed out", -9)]
    assert pairs(hand) == []


def test_going_out_is_told_with_its_place():
    hand = record("dominoes", start="7", finish=(BOB, CY, DEE, ANN))
    assert parts(hand, BOB) == [("out as number 1", 45)]
    assert parts(hand, ANN) == [("out as number 4", -5)]


def test_the_other_kinds_are_told_in_their_own_words():
    ravaged = record("ravage-city", DOUBLED, ravaged=(BOB, DEE))
    assert parts(ravaged, BOB, "ravage-city") == [("ravaged", -12)]
    assert parts(ravaged, CY, "ravage-city") == []
    row = {ANN: 3, BOB: 2, CY: 1}
    poker = record("chinese-poker", beats={"front": row, "middle": row, "back": row})
    assert [points for _, points in parts(poker, ANN, "chinese-poker")] == [36, 4]
    assert [points for _, points in parts(poker, BOB, "chinese-poker")] == [24]


def test_payments_and_coups_are_told_in_their_own_words():
    queens = record("queens", queens={ANN: 1, BOB: 3})
    assert parts(queens, ANN, "coup-detat") == [("paid by the others", 600)]
    assert parts(queens, BOB, "coup-detat") == [("3 queens", -600)]
    made = record("queens", coup=Coup(by=CY, made=True))
    failed = record("queens", coup=Coup(by=CY, made=False))
    assert parts(made, CY, "coup-detat") == [("Cy made the coup", 3000)]
    assert parts(failed, CY, "coup-detat") == [("Cy failed in the coup", -800)]


def test_what_the_bank_gives_is_told_apart():
    hands = [
        record("king-of-hearts", king_of_hearts={ANN: 1}),
        record("queens", coup=Coup(by=CY, made=False)),
        record("spades", spades={ANN: 8}),
        record("first-and-last", first_trick={ANN: 1}, last_trick={ANN: 1}),
        record("tableau", start="9", finish=(BOB, CY, DEE, ANN)),
        record(
            "all-of-these",
            king_of_hearts={ANN: 1},
            queens={ANN: 4},
            spades={ANN: 8},
            first_trick={ANN: 1},
            last_trick={ANN: 1},
        ),
    ]
    told = explain(last(*hands, ruleset="coup-detat"))
    assert [player.from_bank for player in told.players] == [800, 0, 0, 0]


def test_all_of_them_in_one_hand_are_told_at_their_own_price():
    hand = record(None, None, counts={"barbaras": {BOB: 4}, "fives": {ANN: 1}, "ones": {}})
    assert parts(hand, BOB, "get-barbara") == [("4 Barbaras", -25)]
    assert parts(hand, ANN, "get-barbara") == [("1 ace, jack, king or joker", 5)]


def costs(ruleset, contract):
    return [told.says for told in cost(load(ruleset).contract(contract))]


def prices(ruleset, contract):
    return [told.says for told in price(load(ruleset).contract(contract))]


def test_what_a_contract_costs_is_made_from_its_numbers():
    assert costs("barbu", "misere") == ["−2 for each trick"]
    assert costs("barbu", "no-hearts") == ["−2 for each heart", "−4 more for the ace of hearts"]
    assert costs("barbu", "barbu") == ["−20 for the king of hearts"]
    assert costs("barbu", "no-last-two") == ["−10 for the 12th trick", "−20 for the 13th trick"]
    assert costs("barbu", "trumps") == ["+5 for each trick"]
    assert costs("barbu", "dominoes") == ["+45 · +20 · +5 · −5 in the order of going out"]
    assert costs("ravage-city", "ravage-city") == ["−24 for most cards of one suit; shared, −12 · −8 · −6 each"]
    assert costs("chinese-poker", "chinese-poker")[1] == "+4 for the most units"
    assert "−25 instead for all 4 Barbaras" in costs("get-barbara", "round")


def test_its_price_fits_on_a_button():
    assert prices("barbu", "misere") == ["−2 a trick"]
    assert prices("barbu", "no-hearts") == ["−2 a heart", "A♥ −6"]
    assert prices("barbu", "barbu") == ["K♥ −20"]
    assert prices("barbu", "no-last-two") == ["−10", "−20"]
    assert prices("barbu", "dominoes") == ["45", "20", "5", "−5"]
    assert prices("ravage-city", "ravage-city") == ["−24"]
    assert prices("chinese-poker", "chinese-poker") == ["+4 a unit"]


@pytest.mark.parametrize("number", [-12, 0, 7, 7.0, 7.5, -1200])
def test_points_have_a_real_minus_and_a_plus_on_gains(number):
    assert signed(number) == {-12: "−12", 0: "0", 7: "+7", 7.5: "+7.5", -1200: "−1,200"}[number]


def test_the_customs_of_barbu():
    assert [told.says for told in customs(load("barbu"))] == [
        "The turn to declare moves on after every deal.",
        "The declarer deals; the player before cuts.",
        "In a negative contract everyone may double everyone, the declarer last.",
        "In a positive contract only the declarer may be doubled.",
        "The declarer only answers players who doubled him.",
        "Each player doubles each other player as declarer at least 2 times.",
        "The scores of a whole match add up to 0.",
        "The highest total wins; ties share.",
    ]


@pytest.mark.parametrize(
    ("times", "words"), [(0, None), (1, "at least once."), (2, "at least 2 times."), (3, "at least 3 times.")]
)
def test_how_often_one_must_double_is_told(times, words):
    barbu = load("barbu")
    rule = msgspec.structs.replace(barbu.doubling, compulsory=times)
    told = customs(msgspec.structs.replace(barbu, doubling=rule))
    duties = [line.says for line in told if line.says.startswith("Each player doubles")]
    assert duties == ([f"Each player doubles each other player as declarer {words}"] if words else [])


def test_who_may_be_doubled_is_told():
    barbu = load("barbu")
    rule = msgspec.structs.replace(barbu.doubling, who="declarer")
    told = [line.says for line in customs(msgspec.structs.replace(barbu, doubling=rule))]
    assert "Only the declarer may be doubled." in told
    rule = msgspec.structs.replace(barbu.doubling, positives="anyone")
    told = [line.says for line in customs(msgspec.structs.replace(barbu, doubling=rule))]
    assert "In a positive contract everyone may be doubled too." in told


def test_what_differs_in_the_other_barbus_is_told():
    assert "One player declares all contracts in a row, then the next." in rules_text(load("barbu-classic"))
    for code in ("barbu-classic", "barbu-quick"):
        text = rules_text(load(code))
        assert "The player before the declarer deals; the player before the dealer cuts." in text


def test_the_rules_tell_prices_shares_examples_and_sources():
    text = rules_text(load("barbu"))
    for line in (
        "Misère, No Tricks, Nullo (misere)",
        "  −2 for each trick.",
        "  Nobody doubles: declarer +1, each other player −9.",
        "  The hand may stop once the fourth queen has been taken.",
        "Misère that nobody doubled: passed out.",
        "  Ann +1, Bob −9, Cy −9, Dee −9",
        "Where sources differ or are silent:",
    ):
        assert line in text.splitlines()


def test_rules_that_say_nothing_of_sources_have_no_such_lines():
    bare = msgspec.structs.replace(load("barbu"), about="", sources=(), chosen=(), examples=())
    text = rules_text(bare)
    assert "Where sources differ" not in text
    assert "Source:" not in text
