"""What cannot have happened is refused, with its code and place, and what can have happened is not."""

import json

import pytest
from table import ANN, BOB, CY, DEE, PLAYERS, played, record, refused, said

from referee import Adjustment, Coup, Hand, Match, Result, load, matchfile, names
from referee.judging import judge_names

STRANGER = 4
DOUBLED = [(BOB, ANN)]
MISERE = {"tricks": {ANN: 5, BOB: 2, CY: 3, DEE: 3}}
HEARTS = {"hearts": {ANN: 5, BOB: 4, CY: 3, DEE: 1}, "ace_of_hearts": {ANN: 1}}


def misere(**tricks):
    return record("misere", DOUBLED, tricks={PLAYERS.index(name): number for name, number in tricks.items()})


# Each line: code, place, a hand that is refused for it, and the like that is not.
HANDS = [
    ("contract-missing", "contract", record(None), record("misere")),
    ("unknown-contract", "contract", record("nullo"), record("misere")),
    ("wrong-declarer", "declarer", record("misere", declarer=BOB), record("misere", declarer=ANN)),
    ("unknown-player", "declarer", record("misere", declarer=STRANGER), record("misere", declarer=ANN)),
    ("trump-missing", "trump", record("trumps", **MISERE), record("trumps", trump="S", **MISERE)),
    ("start-missing", "start", record("dominoes"), record("dominoes", start="A")),
    ("unknown-card", "trump", record("trumps", trump="N"), record("trumps", trump="D")),
    ("unknown-card", "trump", record("trumps", trump=""), record("trumps", trump="C")),
    ("unknown-card", "trump", record("trumps", trump="SH"), record("trumps", trump="H")),
    ("unknown-card", "start", record("dominoes", start="1"), record("dominoes", start="2")),
    ("unknown-card", "start", record("dominoes", start="10"), record("dominoes", start="T")),
    ("not-for-this-contract", "trump", record("misere", trump="S"), record("misere")),
    ("not-for-this-contract", "start", record("trumps", trump="S", start="7"), record("trumps", trump="S")),
    (
        "not-for-this-contract",
        "coup",
        record("misere", DOUBLED, coup=Coup(by=ANN, made=True)),
        record("misere"),
    ),
    ("not-for-this-contract", "longest", record("misere", longest={ANN: 3}), record("misere")),
    ("not-for-this-contract", "barbaras", record("misere", barbaras={"S": ANN}), record("misere")),
    ("not-for-this-contract", "play", record("dominoes", start="7", play=()), record("dominoes", start="7")),
    ("double-not-allowed", "doubles", record("misere", [(BOB, BOB)]), record("misere", [(BOB, CY)])),
    (
        "double-not-allowed",
        "doubles",
        record("trumps", [(BOB, CY)], trump="S"),
        record("trumps", DOUBLED, trump="S"),
    ),
    (
        "redouble-without-double",
        "doubles",
        record("misere", [(ANN, BOB)]),
        record("misere", [(ANN, BOB), (BOB, ANN)]),
    ),
    ("double-twice", "doubles", record("misere", [(BOB, ANN), (BOB, ANN)]), record("misere", DOUBLED)),
    ("unknown-player", "doubles", record("misere", [(BOB, STRANGER)]), record("misere", [(BOB, DEE)])),
    ("unknown-player", "doubles", record("misere", [(STRANGER, BOB)]), record("misere", [(DEE, BOB)])),
    ("result-not-expected", "result", record("misere", **MISERE), record("misere")),
    ("result-not-expected", "result", record("misere", None, **MISERE), record("misere", None)),
    ("result-not-expected", "play", record("misere", play=()), record("misere", DOUBLED, play=())),
    (
        "wrong-result-kind",
        "result",
        record("misere", DOUBLED, finish=(0, 1, 2, 3)),
        record("misere", DOUBLED, **MISERE),
    ),
    (
        "wrong-result-kind",
        "result",
        record("misere", DOUBLED, finish=(0, 1, 2, 3), **MISERE),
        record("misere", DOUBLED, **MISERE),
    ),
    (
        "missing-result",
        "ace-of-hearts",
        record("no-hearts", DOUBLED, hearts={ANN: 13}),
        record("no-hearts", DOUBLED, **HEARTS),
    ),
    (
        "unknown-item",
        "queens",
        record("misere", DOUBLED, queens={}, **MISERE),
        record("misere", DOUBLED, **MISERE),
    ),
    (
        "unknown-player",
        "tricks",
        record("misere", DOUBLED, tricks={STRANGER: 13}),
        record("misere", DOUBLED, tricks={DEE: 13}),
    ),
    ("negative-count", "tricks", misere(Ann=-1, Bob=14), misere(Ann=0, Bob=13)),
    ("count-mismatch", "tricks", misere(Ann=12), misere(Ann=13)),
    ("count-mismatch", "tricks", misere(Ann=14), misere(Ann=13)),
    ("count-mismatch", "tricks", misere(Ann=10**30), misere(Ann=13)),
    ("count-mismatch", "tricks", misere(), misere(Ann=6, Bob=7)),
    (
        "count-mismatch",
        "king-of-hearts",
        record("barbu", DOUBLED, king_of_hearts={}),
        record("barbu", DOUBLED, king_of_hearts={CY: 1}),
    ),
    (
        "count-mismatch",
        "king-of-hearts",
        record("barbu", DOUBLED, king_of_hearts={CY: 2}),
        record("barbu", DOUBLED, king_of_hearts={CY: 1, ANN: 0}),
    ),
    (
        "count-mismatch",
        "trick-12",
        record("no-last-two", DOUBLED, trick_12={ANN: 1, BOB: 1}, trick_13={ANN: 1}),
        record("no-last-two", DOUBLED, trick_12={ANN: 1}, trick_13={ANN: 1}),
    ),
    (
        "item-without-its-group",
        "ace-of-hearts",
        record("no-hearts", DOUBLED, hearts={ANN: 13}, ace_of_hearts={BOB: 1}),
        record("no-hearts", DOUBLED, hearts={ANN: 13}, ace_of_hearts={ANN: 1, BOB: 0}),
    ),
    (
        "finish-not-everyone",
        "finish",
        record("dominoes", start="7", finish=(0, 1, 2)),
        record("dominoes", start="7", finish=(0, 1, 2, 3)),
    ),
    (
        "finish-not-everyone",
        "finish",
        record("dominoes", start="7", finish=(0, 1, 2, 2)),
        record("dominoes", start="7", finish=(0, 1, 3, 2)),
    ),
    (
        "unknown-player",
        "finish",
        record("dominoes", start="7", finish=(0, 1, 2, STRANGER)),
        record("dominoes", start="7", finish=(3, 1, 2, 0)),
    ),
    (
        "best-not-needed",
        "best",
        record("misere", DOUBLED, best=ANN, **MISERE),
        record("misere", DOUBLED, **MISERE),
    ),
    ("negative-count", "misdeals", record("misere", misdeals=-1), record("misere", misdeals=3)),
    (
        "adjustment-not-zero",
        "adjustment",
        record("misere", adjustment=Adjustment(points={ANN: -10, BOB: 9})),
        record("misere", adjustment=Adjustment(points={ANN: -10, BOB: 10})),
    ),
    (
        "unknown-player",
        "adjustment",
        record("misere", adjustment=Adjustment(points={ANN: -10, STRANGER: 10})),
        record("misere", adjustment=Adjustment(points={})),
    ),
]


@pytest.mark.parametrize(("code", "where", "wrong", "right"), HANDS)
def test_it_is_refused_at_its_place_and_the_like_is_not(code: str, where: str, wrong: Hand, right: Hand) -> None:
    assert (code, where) in refused(wrong)
    assert refused(right) == []


# The same for the other games: rule set, code, place, refused, not refused.
ROW = {ANN: 3, BOB: 2, CY: 1, DEE: 0}
TIE = {ANN: 2.5, BOB: 2.5, CY: 0.5, DEE: 0.5}


def ravage(*ravaged, **told):
    return record("ravage-city", DOUBLED, ravaged=ravaged, **told)


def poker(front=ROW, middle=ROW, back=ROW, **told):
    return record("chinese-poker", beats={"front": front, "middle": middle, "back": back}, **told)


def barbara(barbaras=None, fives=None, ones=None, **told):
    counts = {"barbaras": barbaras or {ANN: 4}, "fives": fives or {}, "ones": ones or {}}
    return record(None, None, counts=counts, **told)


ALL = {
    "king_of_hearts": {ANN: 1},
    "queens": {ANN: 4},
    "spades": {ANN: 8},
    "first_trick": {ANN: 1},
    "last_trick": {ANN: 1},
}

OTHER_GAMES = [
    ("ravage-city", "ravaged-nobody", "ravaged", ravage(), ravage(BOB)),
    ("ravage-city", "unknown-player", "ravaged", ravage(BOB, BOB), ravage(BOB, CY)),
    ("ravage-city", "unknown-player", "ravaged", ravage(STRANGER), ravage(DEE)),
    (
        "ravage-city",
        "unknown-player",
        "longest",
        ravage(DEE, longest={STRANGER: 1}),
        ravage(DEE, longest={DEE: 7}),
    ),
    (
        "ravage-city",
        "count-mismatch",
        "longest",
        ravage(DEE, longest={DEE: 14}),
        ravage(DEE, longest={DEE: 13, ANN: 0}),
    ),
    (
        "ravage-city",
        "count-mismatch",
        "longest",
        ravage(DEE, longest={DEE: 6, ANN: 7}),
        ravage(DEE, longest={DEE: 7, ANN: 6}),
    ),
    (
        "ravage-city",
        "count-mismatch",
        "longest",
        ravage(DEE, longest={DEE: 7, ANN: 7}),
        ravage(DEE, ANN, longest={DEE: 7, ANN: 7}),
    ),
    ("chinese-poker", "beats-mismatch", "front", poker({ANN: 3, BOB: 3}), poker({ANN: 3, BOB: 2, CY: 1})),
    (
        "chinese-poker",
        "beats-mismatch",
        "back",
        poker(back={ANN: 3.5, BOB: 2.5}),
        poker(back={ANN: 2.5, BOB: 2.5, CY: 1}),
    ),
    ("chinese-poker", "negative-count", "middle", poker(middle={ANN: -1}), poker(middle=TIE)),
    (
        "chinese-poker",
        "missing-result",
        "back",
        record("chinese-poker", beats={"front": ROW, "middle": ROW}),
        poker(),
    ),
    (
        "chinese-poker",
        "unknown-item",
        "top",
        record("chinese-poker", beats={"front": ROW, "middle": ROW, "back": ROW, "top": ROW}),
        poker(),
    ),
    ("chinese-poker", "unknown-player", "front", poker({STRANGER: 3, BOB: 2, CY: 1}), poker()),
    ("chinese-poker", "best-needed", "best", poker(TIE, TIE, TIE), poker(TIE, TIE, TIE, best=BOB)),
    ("chinese-poker", "best-needed", "best", poker(TIE, TIE, TIE, best=CY), poker(TIE, TIE, TIE, best=ANN)),
    (
        "chinese-poker",
        "unknown-player",
        "best",
        poker(TIE, TIE, TIE, best=STRANGER),
        poker(TIE, TIE, TIE, best=ANN),
    ),
    ("chinese-poker", "best-not-needed", "best", poker(best=ANN), poker()),
    ("chinese-poker-72", "best-not-needed", "best", poker(TIE, TIE, TIE, best=ANN), poker(TIE, TIE, TIE)),
    ("king", "double-not-allowed", "doubles", record("misere", DOUBLED), record("misere")),
    ("king", "unknown-contract", "contract", record("dominoes"), record("no-men")),
    ("get-barbara", "unknown-contract", "contract", record("barbaras", None), record(None, None)),
    ("get-barbara", "wrong-declarer", "declarer", record(None, None, declarer=ANN), record(None, None)),
    ("get-barbara", "double-not-allowed", "doubles", record(None, DOUBLED), record(None, ())),
    ("get-barbara", "count-mismatch", "barbaras", barbara({ANN: 3}), barbara({ANN: 3, BOB: 1})),
    ("get-barbara", "count-mismatch", "fives", barbara(fives={ANN: 15}), barbara(fives={ANN: 14})),
    (
        "get-barbara",
        "nobody-out",
        "ones",
        barbara(fives={ANN: 1, BOB: 1}, ones={CY: 1, DEE: 1}),
        barbara(fives={ANN: 1, BOB: 1}, ones={CY: 1}),
    ),
    (
        "get-barbara",
        "unknown-card",
        "barbaras",
        record(None, None, barbaras={"N": ANN}),
        record(None, None, barbaras={"S": ANN}),
    ),
    (
        "get-barbara",
        "unknown-player",
        "barbaras",
        record(None, None, barbaras={"S": STRANGER}),
        record(None, None, barbaras={"S": DEE}),
    ),
    (
        "coup-detat",
        "count-mismatch",
        "queens",
        record("queens", queens={ANN: 2}),
        record("queens", queens={ANN: 3}),
    ),
    (
        "coup-detat",
        "count-mismatch",
        "first-trick",
        record("first-and-last", first_trick={}, last_trick={ANN: 1}),
        record("first-and-last", first_trick={BOB: 1}, last_trick={ANN: 1}),
    ),
    (
        "coup-detat",
        "count-mismatch",
        "queens",
        record("all-of-these", **ALL | {"king_of_hearts": {}, "queens": {ANN: 3}}),
        record("all-of-these", **ALL | {"queens": {ANN: 3}, "spades": {ANN: 7}}),
    ),
    (
        "coup-detat",
        "result-not-expected",
        "result",
        record("queens", queens={ANN: 4}, coup=Coup(by=ANN, made=True)),
        record("queens", coup=Coup(by=ANN, made=True)),
    ),
    (
        "coup-detat",
        "unknown-player",
        "coup",
        record("queens", coup=Coup(by=STRANGER, made=True)),
        record("queens", coup=Coup(by=DEE, made=True)),
    ),
    ("coup-detat", "unknown-card", "start", record("tableau", start="2"), record("tableau", start="7")),
]


@pytest.mark.parametrize(("ruleset", "code", "where", "wrong", "right"), OTHER_GAMES)
def test_so_it_is_in_the_other_games(ruleset: str, code: str, where: str, wrong: Hand, right: Hand) -> None:
    assert (code, where) in refused(wrong, ruleset=ruleset)
    assert refused(right, ruleset=ruleset) == []


def test_a_contract_is_declared_once():
    rest = [record("misere")] * 3
    assert refused(record("misere"), *rest, record("misere")) == [("contract-used", "contract")]
    assert said(record("misere"), *rest, record("misere")) == ["Misère was declared in hand 1 already."]
    assert refused(record("misere"), *rest, record("barbu")) == []


def test_in_king_the_limits_are_those_of_the_match_and_of_the_player():
    trumps = record("trumps", trump="S", tricks={ANN: 13})
    match = [trumps] * 8
    assert refused(*match, trumps, ruleset="king") == [("contract-quota", "contract")]
    assert refused(*match, record("barbu", king_of_hearts={ANN: 1}), ruleset="king") == []


def test_nothing_is_played_after_the_last_hand():
    barbu = load("barbu")
    hands = [record(contract.code, DOUBLED) for contract in barbu.contracts]
    full = matchfile.parse(json.dumps(full_evening()).encode()).match
    assert full.problems == ()
    over = full.with_hands((*full.hands, hands[0]))
    assert [(p.code, p.where, p.hand, p.says) for p in over.problems] == [
        ("match-over", "hand", 29, "The match was over after hand 28.")
    ]
    assert [found.code for found in full.turn.problems(hands[0])] == ["match-over"]


def full_evening():
    hands = [
        {"contract": contract, "doubles": []}
        for contract in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
        for _ in PLAYERS
    ]
    tricks = {"counts": {"tricks": {"Ann": 13}}}
    hands += [{"contract": "trumps", "trump": "S", "doubles": [], "result": tricks}] * 4
    hands += [{"contract": "dominoes", "start": "7", "doubles": [], "result": {"finish": list(PLAYERS)}}] * 4
    return {
        "format": "match/1",
        "ruleset": "barbu",
        "players": list(PLAYERS),
        "first_declarer": "Ann",
        "hands": hands,
    }


def test_only_the_last_hand_may_be_unfinished():
    unfinished = record("misere", [(CY, DEE)])
    assert refused(unfinished, record("misere")) == [("unfinished-hand", "result")]
    assert said(unfinished, record("misere")) == ["Hand 1 has no result, but a hand follows it."]
    assert refused(record("misere"), unfinished) == []


def test_an_unfinished_hand_before_the_last_says_what_else_is_wrong_with_it():
    unfinished = record("trumps", [(BOB, CY)])
    codes = ["trump-missing", "double-not-allowed", "unfinished-hand"]
    assert [code for code, _ in refused(unfinished, record("misere"))] == codes


def test_everything_wrong_with_the_first_bad_hand_is_told_at_once():
    bad = record("dominoes", [(BOB, CY), (ANN, DEE), (BOB, CY)], declarer=CY, trump="S", finish=(ANN, ANN))
    assert refused(bad) == [
        ("wrong-declarer", "declarer"),
        ("not-for-this-contract", "trump"),
        ("start-missing", "start"),
        ("double-not-allowed", "doubles"),
        ("redouble-without-double", "doubles"),
        ("double-twice", "doubles"),
        ("finish-not-everyone", "finish"),
        ("finish-not-everyone", "finish"),
    ]


def test_what_follows_the_first_bad_hand_is_not_looked_at():
    match = played(record("misere"), record("nullo"), record("nullo"))
    assert [found.hand for found in match.problems] == [2]
    assert len(match.scored) == 1


def test_a_negative_count_and_a_wrong_sum_are_both_told():
    assert refused(misere(Ann=-1, Bob=13)) == [("negative-count", "tricks"), ("count-mismatch", "tricks")]


def test_the_sentences_have_the_numbers_in_them():
    assert said(misere(Ann=12)) == ["12 tricks entered; 13 were played. 1 missing."]
    assert said(misere(Ann=14)) == ["14 tricks entered; 13 were played. 1 too many."]
    assert said(misere(Ann=-1, Bob=14)) == ["Ann cannot have taken −1 tricks."]
    assert said(record("barbu", DOUBLED, king_of_hearts={})) == ["Nobody is named for the king of hearts."]
    assert said(record("barbu", DOUBLED, king_of_hearts={ANN: 2})) == [
        "2 are entered for the king of hearts; there is one."
    ]
    assert said(record("no-hearts", DOUBLED, hearts={ANN: 13}, ace_of_hearts={BOB: 1})) == [
        "Bob took the ace of hearts but has 0 hearts."
    ]
    assert said(record("trumps", [(CY, DEE)], trump="S")) == [
        "Cy may not double Dee: in Trumps only the declarer can be doubled."
    ]
    assert said(record("misere", declarer=CY)) == ["It is Ann's turn to declare, not Cy's."]
    assert said(record("misere", adjustment=Adjustment(points={ANN: -10}))) == [
        "The adjustment adds up to −10; it must add up to zero."
    ]
    assert said(barbara(fives={ANN: 15}), ruleset="get-barbara") == [
        "15 aces, jacks, kings and jokers entered; there are at most 14. 1 too many."
    ]


def test_an_empty_result_is_no_result_of_any_kind():
    hand = Hand(contract="misere", doubles=((BOB, ANN),), result=Result())
    assert refused(hand) == [("wrong-result-kind", "result")]


def match_of(*players, ruleset="barbu", first=0):
    return Match(load(ruleset), players, first)


def problems_of(match):
    return [(found.code, found.where, found.hand) for found in match.problems]


def test_a_match_has_as_many_players_as_its_game():
    assert problems_of(match_of("Ann", "Bob", "Cy")) == [("player-count", "players", None)]
    assert match_of("Ann", "Bob", "Cy").problems[0].says == "Barbu is for 4 players; 3 are named."
    assert match_of("Ann", ruleset="get-barbara").problems[0].says == "Get Barbara is for 3–6 players; 1 are named."
    assert problems_of(match_of(*PLAYERS)) == []
    assert problems_of(match_of("Ann", "Bob", "Cy", ruleset="get-barbara")) == []


@pytest.mark.parametrize("twin", ["Ann", " Ann ", "ANN", "ann"])
def test_players_differ_by_more_than_case_and_spaces(twin):
    assert problems_of(match_of("Ann", "Bob", twin, "Dee")) == [("duplicate-player", "players", None)]


def test_players_differ_by_more_than_their_unicode_form():
    assert list(judge_names(["Zoe\u0301", "ZO\u00c9"]))
    assert list(judge_names(["Strasse", "Straße"]))
    assert not list(judge_names(["Zoe", "Zoé"]))


def test_everything_wrong_with_the_match_itself_is_told_at_once():
    match = Match(load("barbu"), ("Ann", "ann", "Bob"), 3, strangers=("Zoe",))
    assert [found.code for found in match.problems] == ["player-count", "duplicate-player", "unknown-player"]
    assert match.problems[2].says == "Zoe is named as first declarer, but is not a player of this match."
    assert match.scored == ()


def test_every_problem_can_be_told_in_another_language():
    for _, _, wrong, _ in HANDS:
        for found in played(wrong).problems:
            assert found.says == found.message.format(**found.values)
            assert "{" not in found.says


def test_where_nobody_doubles_every_double_is_refused():
    for code in names():
        if load(code).doubling.who == "none":
            contract = load(code).contracts[0].code if load(code).has_declarer else None
            assert "double-not-allowed" in [code for code, _ in refused(record(contract, DOUBLED), ruleset=code)]
