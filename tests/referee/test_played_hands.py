"""Match files that tell a hand card by card: judged, worked out, kept, and compared with the result."""

import json
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import ANN, BOB, CY, DEE, PLAYERS, last, played, record, refused
from test_matchfile import EXAMPLE, changed, complaint

from referee import Match, Result, Trick, explain, from_record, load, matchfile, to_record
from referee.cards import RANKS
from referee.report import report
from tests.prove.play import CONTRACTS, deal, play_tricks, trick_rules

DOUBLED = [["Bob", "Ann"]]


def by_ann(tricks=13):
    """Ann holds all spades, Bob all hearts, Cy all diamonds, Dee all clubs; Ann leads from the ace down."""
    led = [[f"{rank}S", f"{rank}H", f"{rank}D", f"{rank}C"] for rank in reversed(RANKS)]
    return [{"led_by": "Ann", "cards": cards} for cards in led[:tricks]]


def tricks(*lines):
    """Tricks from texts such as "Ann QD 8D 2D AD": who led, and the cards in their order."""
    return [{"led_by": line.split()[0], "cards": line.split()[1:]} for line in lines]


def parse(contract, play, *, ruleset="barbu", doubles=DOUBLED, **told):
    hand = {"contract": contract, "play": play} | ({} if ruleset == "king" else {"doubles": doubles}) | told
    return matchfile.parse(json.dumps(EXAMPLE | {"ruleset": ruleset, "hands": [hand]}).encode())


def problems(contract, play, **told):
    return [(found.hand, found.code, found.where) for found in parse(contract, play, **told).problems]


# A sound play


@pytest.mark.parametrize(
    ("contract", "told", "basic"),
    [
        ("misere", {}, (-26, 0, 0, 0)),
        ("no-hearts", {}, (-30, 0, 0, 0)),
        ("no-queens", {}, (-24, 0, 0, 0)),
        ("barbu", {}, (-20, 0, 0, 0)),
        ("no-last-two", {}, (-30, 0, 0, 0)),
        ("trumps", {"trump": "S"}, (65, 0, 0, 0)),
    ],
)
def test_a_hand_played_to_its_end_is_scored_from_the_play(contract, told, basic):
    scored = parse(contract, by_ann(), **told).match.scored[0]
    assert scored.basic == basic
    assert scored.hand.result is None
    assert scored.result.counts
    assert sum(part.points for part in explain(scored).players[ANN].parts) == basic[ANN]
    assert report(scored_match(contract, told))["hands"][0]["basic"]["Ann"] == basic[ANN]


def scored_match(contract, told):
    return parse(contract, by_ann(), **told).match


def test_ravage_city_is_scored_from_the_play():
    scored = parse("ravage-city", by_ann(), ruleset="ravage-city").match.scored[0]
    assert (scored.basic, scored.total) == ((-24, 0, 0, 0), (-48, 24, 0, 0))
    assert scored.result == Result(ravaged=(ANN,))


def test_a_result_that_agrees_is_accepted_beside_the_play():
    told = {"result": {"counts": {"tricks": {"Ann": 13, "Cy": 0}}}}
    assert problems("misere", by_ann(), **told) == []


@pytest.mark.parametrize("number", [2, 3, 13])
def test_a_hand_may_stop_early_or_be_played_on(number):
    scored = parse("barbu", by_ann(number)).match.scored[0]
    assert scored.total == (-40, 20, 0, 0)


def test_a_hand_may_not_stop_before_its_end_nor_early_where_tricks_count():
    for contract, number in (("barbu", 1), ("no-queens", 2), ("misere", 12)):
        file = parse(contract, by_ann(number))
        assert file.problems == ()
        assert file.match.unfinished_hand is not None


def test_a_short_play_decides_nothing_and_may_stand_beside_a_result():
    counts = {"counts": {"tricks": {"Bob": 13}}}
    assert parse("misere", by_ann(5), result=counts).match.scored[0].basic == (0, -26, 0, 0)


def test_nothing_played_yet_is_an_unfinished_hand():
    assert parse("misere", []).match.unfinished_hand is not None


def test_a_hand_with_a_short_play_cannot_be_followed_by_another():
    hands = [{"contract": "misere", "doubles": DOUBLED, "play": by_ann(12)}, EXAMPLE["hands"][1]]
    text = json.dumps(EXAMPLE | {"hands": hands}).encode()
    assert [found.code for found in matchfile.parse(text).problems] == ["unfinished-hand"]
    hands[0]["play"] = by_ann()
    text = json.dumps(EXAMPLE | {"hands": hands}).encode()
    assert matchfile.parse(text).match.turn.number == 3


def test_the_declarer_of_the_hand_leads_whoever_he_is():
    first = {"contract": "misere", "doubles": []}
    hands = [first, {"contract": "misere", "doubles": [["Ann", "Bob"]], "play": tricks("Bob QD 8D 2D AD")}]
    assert matchfile.parse(json.dumps(EXAMPLE | {"hands": hands}).encode()).problems == ()
    hands[1]["play"] = tricks("Ann QD 8D 2D AD")
    (found,) = matchfile.parse(json.dumps(EXAMPLE | {"hands": hands}).encode()).problems
    assert (found.hand, found.code, found.where) == (2, "play-out-of-turn", "trick 1, QD")


def test_in_king_nobody_is_asked_about_doubles():
    assert parse("misere", by_ann(), ruleset="king").match.scored[0].total == (-650, 0, 0, 0)


# Mistakes in it


REVOKE = ("Ann QD 8D 5S AD", "Dee 3C 4C AC 5C", "Bob 7D 2D 9D 6D")
HEARTS = ("Ann AS 2S 3H 4S", "Ann 5H 6H 7H 8H", "Dee 2D 3D 4D 5D")


@pytest.mark.parametrize(
    ("contract", "ruleset", "play", "code", "where"),
    [
        ("misere", "barbu", REVOKE, "play-revoke", "trick 1, 5S"),
        ("barbu", "barbu", HEARTS, "play-heart-lead", "trick 2, 5H"),
        (
            "trumps",
            "barbu",
            ("Ann QC 4H 2C AC", "Dee 3D 4D 6D 5D", "Bob 8S 2S 3S 9S"),
            "play-must-trump",
            "trick 1, 4H",
        ),
        (
            "trumps",
            "barbu",
            ("Ann QC 9S 6S 2C", "Bob 3D 4D 5D 6D", "Ann 7D 8D JS 9D"),
            "play-must-overtrump",
            "trick 1, 6S",
        ),
        ("trumps", "barbu", ("Ann 9S 6S 2S 3S", "Ann 3D JS 4D 5D"), "play-must-beat", "trick 1, 6S"),
        ("no-queens", "king", ("Ann 8D 7C 2D 3D", "Ann 9H QS 2H 3H"), "play-must-discard", "trick 1, 7C"),
        ("misere", "barbu", ("Ann QD 8D 2D AD", "Bob 3C 4C AC 5C"), "play-out-of-turn", "trick 2, 3C"),
        ("misere", "barbu", ("Bob QD 8D 2D AD",), "play-out-of-turn", "trick 1, QD"),
        ("misere", "barbu", ("Ann QD 8D 2D AD", "Dee 3C 4C QD 5C"), "play-card-twice", "trick 2, QD"),
        ("misere", "barbu", ("Ann QD 8D 2D", "Dee 3C 4C AC 5C"), "play-short-trick", "trick 1"),
        ("misere", "barbu", ("Ann QD 8D 2D AD KD",), "play-short-trick", "trick 1"),
        ("misere", "barbu", ("Ann QD 8D 2d AD",), "unknown-card", "trick 1, 2d"),
        ("misere", "barbu", ("Zoe QD 8D 2D AD",), "unknown-player", "trick 1"),
    ],
)
def test_a_mistake_is_found_at_its_card(contract, ruleset, play, code, where):
    told = {"trump": "S"} if contract == "trumps" else {}
    assert problems(contract, tricks(*play), ruleset=ruleset, **told) == [(1, code, where)]


def test_what_one_game_forbids_another_allows():
    assert problems("barbu", tricks(*HEARTS), ruleset="king") == []
    assert problems("no-queens", tricks("Ann 8D 7C 2D 3D", "Ann 9H QS 2H 3H")) == []


def test_nothing_is_played_after_the_thirteenth_trick():
    play = [*by_ann(), {"led_by": "Ann", "cards": ["2S"]}]
    assert problems("barbu", play) == [(1, "play-after-the-end", "trick 14, 2S")]


def test_a_result_that_disagrees_is_refused_item_by_item():
    told = {"result": {"counts": {"hearts": {"Ann": 13}, "ace-of-hearts": {"Bob": 1}}}}
    assert problems("no-hearts", by_ann(), **told) == [
        (1, "item-without-its-group", "ace-of-hearts"),
        (1, "result-disagrees-with-play", "ace-of-hearts"),
        (1, "result-disagrees-with-play", "ace-of-hearts"),
    ]
    told = {"result": {"counts": {"king-of-hearts": {"Bob": 1}}}}
    assert {code for _, code, _ in problems("barbu", by_ann(), **told)} == {"result-disagrees-with-play"}


def test_a_result_of_another_kind_is_that_and_nothing_more():
    assert problems("misere", by_ann(), result={"ravaged": ["Ann"]}) == [(1, "wrong-result-kind", "result")]


def test_the_longest_suits_are_those_of_the_play():
    told = {"ruleset": "ravage-city", "longest": {"Bob": 8}}
    assert problems("ravage-city", by_ann(), **told) == [(1, "result-disagrees-with-play", "longest")]
    told["longest"] = {"Ann": 13, "Bob": 0}
    assert problems("ravage-city", by_ann(), **told) == []


# Where no play is expected


def test_no_play_where_nothing_was_played():
    assert problems("misere", by_ann(), doubles=[]) == [(1, "result-not-expected", "play")]
    hand = {"contract": "misere", "play": by_ann()}
    text = json.dumps(EXAMPLE | {"hands": [hand]}).encode()
    assert [found.code for found in matchfile.parse(text).problems] == ["result-not-expected"]


@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("barbu", {"contract": "dominoes", "start": "7", "doubles": []}),
        ("chinese-poker", {"contract": "chinese-poker", "doubles": []}),
        ("coup-detat", {"contract": "queens"}),
        ("dragonmaster", {"contract": "wizards"}),
        ("get-barbara", {}),
    ],
)
def test_no_play_where_the_referee_does_not_follow_any(ruleset, hand):
    text = json.dumps(EXAMPLE | {"ruleset": ruleset, "hands": [hand | {"play": by_ann()}]}).encode()
    assert [(found.code, found.where) for found in matchfile.parse(text).problems] == [
        ("not-for-this-contract", "play")
    ]


def test_without_a_trump_suit_a_play_cannot_be_judged():
    assert problems("trumps", tricks(*REVOKE)) == [(1, "trump-missing", "trump")]
    assert problems("trumps", tricks(*REVOKE), trump="X") == [(1, "unknown-card", "trump")]
    assert problems("nullo", tricks(*REVOKE)) == [(1, "unknown-contract", "contract")]


# What is no play at all


@pytest.mark.parametrize(
    ("play", "says"),
    [
        ({}, "hand 1, play: an object is no list."),
        (None, "hand 1, play: null is no list."),
        (["QD"], "hand 1, play 1: “QD” is no object."),
        ([{"cards": []}], "hand 1, play 1: led_by is missing."),
        ([{"led_by": "Ann"}], "hand 1, play 1: cards is missing."),
        ([{"led_by": 0, "cards": []}], "hand 1, play 1.led_by: 0 is no text."),
        ([{"led_by": "Ann", "cards": "QD 8D"}], "hand 1, play 1.cards: “QD 8D” is no list."),
        ([{"led_by": "Ann", "cards": ["QD", 8]}], "hand 1, play 1.cards 2: 8 is no text."),
    ],
)
def test_a_play_of_another_kind_is_refused_with_its_place(play, says):
    assert complaint(changed("hands", 0, "play", play)) == (1, says)


# Kept


def test_a_play_comes_back_as_it_was_with_what_nobody_knows():
    play = tricks("Ann QD 8D 2D AD", "Dee 3C")
    play[1]["seconds"] = 12
    data = EXAMPLE | {"hands": [{"contract": "misere", "doubles": DOUBLED, "play": play}]}
    match = matchfile.parse(json.dumps(data).encode()).match
    assert matchfile.to_data(match) == data
    again = match.with_hands([from_record(json.loads(json.dumps(to_record(hand)))) for hand in match.hands])
    assert again == match
    assert matchfile.to_data(again) == data
    without = match.with_hands([msgspec.structs.replace(match.hands[0], play=None)])
    assert "play" not in matchfile.to_data(without)["hands"][0]


def test_a_record_without_a_play_has_none():
    assert "play" not in to_record(record("misere"))
    assert from_record({"contract": "misere"}).play is None


def test_a_trick_is_a_value():
    trick = Trick(led_by=ANN, cards=("QD", "8D", "2D", "AD"))
    hand = record("misere", [(BOB, ANN)], play=(trick,))
    assert played(hand).turn.followed(hand).winners == (DEE,)
    assert played(hand).turn.followed(record("misere", [(BOB, ANN)])) is None
    assert refused(record("misere", [(BOB, ANN)], play=(trick, trick)))[0] == ("play-card-twice", "trick 2, QD")


def test_a_rule_set_that_is_equal_and_another_object_follows_the_same():
    house = msgspec.structs.replace(load("barbu"))
    assert house is not load("barbu")
    assert hash(house) == hash(load("barbu"))
    play = tuple(Trick(led_by=ANN, cards=tuple(trick["cards"])) for trick in by_ann())
    assert last(record("barbu", [(CY, ANN)], play=play), ruleset=house).total == (-40, 0, 20, 0)


@given(st.sampled_from(CONTRACTS), st.integers(0, 2**32), st.integers(0, 13))
def test_any_legal_play_is_sound_and_the_whole_of_it_scores_as_its_result(game, seed, number):
    random = Random(seed)
    rules = trick_rules(*game, random)

    def legal(trick, hand, heart_discarded):
        return rules.ruling(trick, hand, heart_discarded=heart_discarded).legal

    play = tuple(play_tricks(rules, deal(random), ANN, random, legal))
    doubles = ((BOB, ANN), (CY, DEE)) if game[0] != "king" and rules.contract.is_negative else ()
    whole = record(game[1], doubles, trump=rules.trump, play=play)
    match = Match(rules.ruleset, PLAYERS, ANN, (whole,))
    assert match.problems == ()
    result = match.scored[0].result
    entered = match.with_hands([msgspec.structs.replace(whole, play=None, result=result)])
    assert entered.scored[0].total == match.scored[0].total
    both = match.with_hands([msgspec.structs.replace(whole, result=result)])
    assert both.scored[0].total == match.scored[0].total
    assert match.with_hands([msgspec.structs.replace(whole, play=play[:number])]).problems == ()
    assert matchfile.parse(matchfile.write(match).encode()).match == match
