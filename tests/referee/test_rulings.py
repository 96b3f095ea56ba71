"""``python -m referee judge`` and the worked rulings of the rulebook: each rule allows one card and refuses another."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_command_line import run
from test_matchfile import JUNK

from referee import NotAMatch, load, matchfile, names
from referee.__main__ import main
from referee.matchfile import is_true_ruling, with_true_examples
from referee.rules import from_object, to_object
from referee.rulings import answer

BARBU = to_object(load("barbu"))


@pytest.fixture
def ask(tmp_path, capfd):
    """Put a question to the command: its exit code and its answer."""

    def ask(question):
        path = tmp_path / "question.json"
        path.write_bytes(question if isinstance(question, bytes) else json.dumps(question).encode())
        code = main(["judge", str(path)])
        return code, json.loads(capfd.readouterr().out)

    return ask


def settled(contract, trick="", hand="", ruleset="barbu", **told):
    """The legal cards of a hand as one text, and the code of each refusal."""
    told |= {"contract": contract, "trick": trick.split(), "hand": hand.split()}
    found = answer(matchfile.read_question(load(ruleset), told))
    return " ".join(found["legal"]), {card: why["code"] for card, why in found["refused"].items()}


def wrong(question):
    """Code and place of what is wrong with a question."""
    found = matchfile.parse_question(json.dumps(question).encode())
    return [(problem.code, problem.where) for problem in (found if isinstance(found, tuple) else answer(found))]


# The command


def test_a_trick_is_settled_with_the_reason_and_the_card_that_wins(ask):
    question = {"ruleset": "barbu", "contract": "trumps", "trump": "S", "trick": ["QC", "9S"]}
    assert ask(question | {"hand": ["JS", "6S", "4H"]}) == (
        0,
        {
            "legal": ["JS"],
            "refused": {
                "6S": {"code": "play-must-overtrump", "says": "6♠ does not beat 9♠, and you hold J♠ which does."},
                "4H": {
                    "code": "play-must-trump",
                    "says": "You cannot follow Q♣ and must trump: 4♥ is no trump, and you hold J♠.",
                },
            },
            "winning": "9S",
        },
    )


def test_nothing_wins_before_a_lead(ask):
    assert ask({"ruleset": "barbu", "contract": "misere", "trick": [], "hand": ["2S"]})[1]["winning"] is None
    assert ask({"ruleset": "barbu", "contract": "misere"})[1] == {"legal": [], "refused": {}, "winning": None}


def test_a_full_trick_tells_who_wins(ask):
    question = {"ruleset": "barbu", "contract": "misere", "trick": ["QD", "8D", "AS", "AD"]}
    assert ask(question)[1]["winning"] == "AD"


def test_dominoes_are_settled_and_so_is_a_pass(ask):
    question = {"contract": "dominoes", "start": "7", "layout": ["7S", "8S"]}
    code, found = ask(question | {"hand": ["9S", "2H"]})
    assert (code, found["legal"], found["pass"]) == (0, ["9S"], False)
    assert found["refused"]["2H"]["code"] == "play-does-not-fit"
    assert ask(question | {"hand": ["2H"]})[1]["pass"] is True


def test_a_rule_set_may_be_written_out(ask):
    house = BARBU | {"play": BARBU["play"] | {"hearts_lead": "after-discard"}}
    question = {"ruleset": house, "contract": "barbu", "trick": [], "hand": ["2H", "5S"]}
    assert ask(question)[1]["legal"] == ["5S"]
    assert ask(question | {"heart_discarded": True})[1]["legal"] == ["2H", "5S"]


def test_get_barbara_is_settled_too(ask):
    question = {"ruleset": "get-barbara", "top": "KS", "barbaras": ["H"], "hand": ["2S", "AH", "4D", "joker"]}
    code, found = ask(question)
    assert (code, found["legal"], found["takes_barbara"]) == (0, ["2S", "AH"], False)
    assert {card: why["code"] for card, why in found["refused"].items()} == {
        "4D": "play-does-not-fit",
        "joker": "play-joker",
    }
    assert {card: move["name"] for card, move in found["moves"].items()} == {"AH": "Move", "joker": "Cancel"}
    assert found["joker_cancels"] is True
    assert ask(question | {"top": None, "hand": []})[1]["joker_cancels"] is False


def test_standard_input_is_read_and_several_questions_are_answered_a_line_each():
    question = json.dumps({"contract": "misere", "hand": ["2S"]}).encode()
    found = run("judge", "-", text=question)
    assert (found.returncode, json.loads(found.stdout)["legal"]) == (0, ["2S"])
    assert run("judge", "-", "/nowhere", text=question).stdout.count(b"\n") == 2


def test_what_the_question_does_not_need_is_ignored():
    assert settled("misere", "QD", "2D 5S", weather="rain", heart_discarded=True)[0] == "2D"


# Questions that cannot be


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ({"ruleset": "bridge"}, [("unknown-ruleset", "ruleset")]),
        ({"ruleset": {}}, [("bad-ruleset", "ruleset")]),
        ({}, [("contract-missing", "contract")]),
        ({"contract": "nullo"}, [("unknown-contract", "contract")]),
        ({"ruleset": "get-barbara", "contract": "round"}, [("unknown-contract", "contract")]),
        ({"contract": "trumps"}, [("trump-missing", "trump")]),
        ({"contract": "trumps", "trump": "X"}, [("unknown-card", "trump")]),
        ({"contract": "misere", "trump": "S"}, [("not-for-this-contract", "trump")]),
        ({"contract": "dominoes"}, [("start-missing", "start")]),
        ({"contract": "dominoes", "start": "1"}, [("unknown-card", "start")]),
        ({"contract": "misere", "layout": []}, [("not-for-this-contract", "layout")]),
        ({"contract": "misere", "top": "2S"}, [("not-for-this-contract", "top")]),
        ({"contract": "dominoes", "start": "7", "trick": []}, [("not-for-this-contract", "trick")]),
        ({"ruleset": "get-barbara", "trick": []}, [("not-for-this-contract", "trick")]),
        ({"ruleset": "chinese-poker", "contract": "chinese-poker"}, [("not-for-this-contract", "contract")]),
        ({"ruleset": "coup-detat", "contract": "queens"}, [("not-for-this-contract", "contract")]),
        ({"contract": "misere", "players": 5}, [("player-count", "players")]),
        ({"contract": "misere", "players": 10**9}, [("player-count", "players")]),
        (
            {"contract": "misere", "trick": ["1S"], "hand": ["qd"]},
            [("unknown-card", "trick, 1S"), ("unknown-card", "hand, qd")],
        ),
        ({"contract": "misere", "trick": ["QD"], "hand": ["QD"]}, [("play-card-twice", "hand, QD")]),
        ({"contract": "misere", "trick": ["2D", "3D", "4D", "5D"], "hand": ["QD"]}, [("play-short-trick", "trick")]),
        ({"contract": "dominoes", "start": "7", "layout": ["9S"]}, [("play-does-not-fit", "layout, 9S")]),
        ({"ruleset": "get-barbara", "top": "QS"}, [("unknown-card", "top, QS")]),
        ({"ruleset": "get-barbara", "top": "joker"}, [("unknown-card", "top, joker")]),
        ({"ruleset": "get-barbara", "hand": ["joker"] * 3}, [("play-card-twice", "hand, joker")]),
        ({"ruleset": "get-barbara", "top": "2S", "hand": ["2S"]}, [("play-card-twice", "hand, 2S")]),
        (
            {"ruleset": "get-barbara", "barbaras": ["H", "H", "QS"]},
            [("play-card-twice", "barbaras"), ("unknown-card", "barbaras")],
        ),
    ],
)
def test_a_question_that_cannot_be_is_refused_at_its_place(question, found, ask):
    assert wrong(question) == found
    code, told = ask(question)
    assert (code, [(one["hand"], one["code"]) for one in told["problems"]]) == (1, [(None, c) for c, _ in found])


@pytest.mark.parametrize(
    ("question", "where"),
    [
        (b"", "file"),
        (b"\xff", "file"),
        (b"[]", "file"),
        (b'{"hand": [], "hand": []}', "file"),
        ({"ruleset": 5}, "ruleset"),
        ({"contract": ["misere"]}, "contract"),
        ({"contract": "misere", "trick": "QD"}, "trick"),
        ({"contract": "misere", "hand": [5]}, "hand 1"),
        ({"contract": "misere", "heart_discarded": 1}, "heart_discarded"),
        ({"contract": "misere", "players": 4.0}, "players"),
        ({"ruleset": "get-barbara", "top": 7}, "top"),
        ({"ruleset": "get-barbara", "barbaras": {"H": "Ann"}}, "barbaras"),
    ],
)
def test_what_is_no_question_at_all_exits_with_two(question, where, ask):
    code, told = ask(question)
    assert (code, told["problems"][0]["code"], told["problems"][0]["where"]) == (2, "not-a-match", where)


def test_a_game_for_three_only_is_asked_about_three():
    house = msgspec.structs.replace(load("get-barbara"), players=(3, 5, 6))
    assert matchfile.read_question(house, {}).seats == 6
    assert matchfile.read_question(load("barbu"), {}).seats == 4


def test_a_tableau_goes_by_the_ranks_of_the_game():
    asked = {"contract": "tableau", "start": "J", "layout": ["JS", "QS", "KS"], "hand": ["TS", "AS"]}
    assert answer(matchfile.read_question(load("coup-detat"), asked))["legal"] == ["TS"]


# Each rule allows and refuses


@pytest.mark.parametrize(
    ("contract", "trick", "hand", "legal", "refused", "told"),
    [
        ("misere", "QD", "2D 5S", "2D", {"5S": "play-revoke"}, {}),
        ("misere", "QD", "5S KH", "5S KH", {}, {}),
        ("barbu", "", "2H 5S", "5S", {"2H": "play-heart-lead"}, {}),
        ("barbu", "", "2H KH", "2H KH", {}, {}),
        ("no-hearts", "", "2H 5S", "5S", {"2H": "play-heart-lead"}, {"heart_discarded": True}),
        ("barbu", "", "2H 5S", "2H 5S", {}, {"heart_discarded": True, "ruleset": "king"}),
        ("barbu", "", "2H 5S", "5S", {"2H": "play-heart-lead"}, {"ruleset": "king"}),
        ("trumps", "QC", "6S 4H", "6S", {"4H": "play-must-trump"}, {"trump": "S"}),
        ("trumps", "QC", "4H 5D", "4H 5D", {}, {"trump": "S"}),
        ("trumps", "QC 9S", "JS 6S", "JS", {"6S": "play-must-overtrump"}, {"trump": "S"}),
        ("trumps", "QC 9S", "6S 4H", "6S 4H", {}, {"trump": "S"}),
        ("trumps", "QC 9S", "6S 4H", "6S", {"4H": "play-must-trump"}, {"trump": "S", "ruleset": "king"}),
        ("trumps", "9S", "JS 6S", "JS", {"6S": "play-must-beat"}, {"trump": "S"}),
        ("trumps", "9S", "6S 2S", "6S 2S", {}, {"trump": "S"}),
        ("no-queens", "8D", "7C QS", "QS", {"7C": "play-must-discard"}, {"ruleset": "king"}),
        ("no-queens", "8D", "7C QS", "7C QS", {}, {}),
    ],
)
def test_a_rule_allows_one_card_and_refuses_another(contract, trick, hand, legal, refused, told):
    assert settled(contract, trick, hand, **told) == (legal, refused)


# The worked rulings of the rulebook

EXAMPLES = [(code, example) for code in names() for example in load(code).rulings]


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_a_worked_ruling_comes_out_as_it_says(code, example):
    assert is_true_ruling(load(code), example)
    assert example.says
    assert example.legal or example.refused


HEARTS = ["play-revoke", "play-heart-lead"]
TRUMPS = ["play-must-trump", "play-must-overtrump", "play-must-beat"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        *((code, [*HEARTS, *TRUMPS, "play-does-not-fit"]) for code in names()[:7]),
        ("king", [*HEARTS, *TRUMPS, "play-must-discard"]),
        ("get-barbara", ["play-does-not-fit", "play-joker"]),
        ("coup-detat", ["play-does-not-fit"]),
    ],
)
def test_every_rule_of_play_has_a_ruling_that_allows_and_one_that_refuses(code, rules):
    rulings = load(code).rulings
    assert {found for example in rulings for found in example.refused.values()} == set(rules)
    assert any(example.legal and not example.refused for example in rulings) or code in ("get-barbara", "coup-detat")
    for contract in load(code).contracts:
        of_contract = [one for one in rulings if load(code).contract(one.contract) == contract]
        assert of_contract or contract.needs != "trump"


def test_rulings_that_a_tables_own_rules_make_false_are_gone():
    house = from_object(BARBU | {"play": BARBU["play"] | {"hearts_lead": "free"}})
    kept = with_true_examples(house).rulings
    assert 0 < len(kept) < len(house.rulings)
    assert "play-heart-lead" not in {found for example in kept for found in example.refused.values()}


def test_a_worked_ruling_that_is_no_question_or_cannot_be_is_not_true():
    barbu, (first, *_) = load("barbu"), load("barbu").rulings
    for asked in ({"contract": 5}, {"contract": "nullo"}):
        assert not is_true_ruling(barbu, msgspec.structs.replace(first, question=asked))


CARDS = st.lists(st.sampled_from(["2S", "QS", "KH", "7D", "joker", "", "S", "1X"]), max_size=5)
CONTRACTS = ["misere", "barbu", "trumps", "dominoes", "tableau", "queens", "chinese-poker", "round"]
ASKED = {
    "ruleset": st.sampled_from(names()),
    "players": st.integers(-5, 10),
    "contract": st.sampled_from(CONTRACTS),
    "trump": st.sampled_from("SX"),
    "start": st.sampled_from("7A1"),
    "trick": CARDS,
    "layout": CARDS,
    "top": st.sampled_from(["7S", "QS", "joker", ""]),
    "barbaras": st.lists(st.sampled_from(["S", "H", "X"]), max_size=3),
    "jokers": st.integers(-3, 3),
    "hand": CARDS,
    "heart_discarded": st.booleans(),
}


@given(st.fixed_dictionaries({}, optional=ASKED), st.sampled_from(sorted(ASKED)), JUNK, st.booleans())
def test_whatever_is_asked_it_is_answered_or_refused(question, field, junk, is_spoilt):
    if is_spoilt:
        question |= {field: junk}
    try:
        asked = matchfile.parse_question(json.dumps(question).encode())
    except NotAMatch:
        return
    found = asked if isinstance(asked, tuple) else answer(asked)
    if isinstance(found, tuple):
        assert all(problem.code and problem.says for problem in found)
    else:
        assert json.loads(json.dumps(found)) == found
        assert {*found["legal"], *found["refused"]} == {*question.get("hand", [])}
