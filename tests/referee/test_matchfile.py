"""``match/1`` in and out, and what is said of a text that is none."""

import copy
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_match, sound_matches
from table import ANN, BOB, CY, played, record

from referee import Match, NotAMatch, jsontext, load, matchfile
from referee.hands import from_record, to_record
from referee.report import report
from referee.rules import to_object

EXAMPLE: dict[str, Any] = {
    "format": "match/1",
    "ruleset": "barbu",
    "players": ["Ann", "Bob", "Cy", "Dee"],
    "first_declarer": "Ann",
    "hands": [
        {
            "contract": "no-queens",
            "doubles": [["Bob", "Ann"], ["Bob", "Cy"], ["Bob", "Dee"], ["Cy", "Ann"], ["Ann", "Cy"]],
            "result": {"counts": {"queens": {"Dee": 2, "Ann": 1, "Cy": 1}}},
        },
        {"contract": "misere", "doubles": []},
        {
            "contract": "trumps",
            "trump": "S",
            "doubles": [["Dee", "Cy"]],
            "result": {"counts": {"tricks": {"Cy": 7, "Dee": 2, "Ann": 3, "Bob": 1}}},
        },
        {
            "contract": "dominoes",
            "start": "7",
            "doubles": [],
            "result": {"finish": ["Bob", "Dee", "Ann", "Cy"]},
        },
    ],
}
"""The example of the format's description."""


def changed(*path_and_value: Any, example: dict[str, Any] = EXAMPLE) -> bytes:
    """The example with another value at a place, or, where the value is ``...``, without it."""
    *path, field, value = path_and_value
    data = copy.deepcopy(example)
    place: Any = data
    for step in path:
        place = place[step]
    if value is ...:
        del place[field]
    else:
        place[field] = value
    return json.dumps(data).encode()


def complaint(text: bytes) -> tuple[int | None, str]:
    """Which hand is said to be no hand of a match, and what is said."""
    with pytest.raises(NotAMatch) as caught:
        matchfile.parse(text)
    assert caught.value.where
    return caught.value.hand, caught.value.says


def problems(text: bytes) -> list[tuple[int | None, str, str]]:
    return [(found.hand, found.code, found.where) for found in matchfile.parse(text).problems]


# What is read, and written again


def test_the_example_is_read():
    file = matchfile.parse(json.dumps(EXAMPLE).encode())
    assert file.problems == ()
    assert file.ruleset_name == "barbu"
    assert [scored.total for scored in file.match.scored] == [
        (-12, 24, -12, -24),
        (-9, 1, -9, -9),
        (15, 5, 60, -15),
        (5, 45, -5, 20),
    ]


def test_and_written_again_as_it_was():
    file = matchfile.parse(json.dumps(EXAMPLE).encode())
    assert json.loads(matchfile.write(file.match)) == EXAMPLE


EVERYTHING = {
    "format": "match/1",
    "ruleset": "barbu",
    "players": ["Ann", "Bob", "Cy", "Dee"],
    "first_declarer": "Bob",
    "played_on": "2026-11-29",
    "weather": {"outside": ["rain", 1.5, None]},
    "hands": [
        {
            "contract": "misere",
            "declarer": "Bob",
            "doubles": [["Ann", "Bob"]],
            "result": {"counts": {"tricks": {"Ann": 13, "Bob": 0}}, "counted_by": "Cy"},
            "play": [{"led_by": "Bob", "cards": ["2C"]}],
            "played_anyway": True,
            "misdeals": 2,
            "adjustment": {"points": {"Ann": -10, "Bob": 10}, "reason": "revoke", "by": "Dee"},
            "note": "a long one",
            "extra": {"of": "another program"},
        },
    ],
}


def test_everything_a_file_says_is_kept_what_nobody_knows_included():
    file = matchfile.parse(json.dumps(EVERYTHING).encode())
    assert file.problems == ()
    assert json.loads(matchfile.write(file.match, played_on=file.played_on, extra=file.extra)) == EVERYTHING


def test_what_belongs_to_a_result_goes_with_the_result():
    hand = matchfile.parse(json.dumps(EVERYTHING).encode()).match.hands[0]
    match = played(msgspec.structs.replace(hand, result=None, doubles=(), adjustment=None), first=BOB)
    written = matchfile.to_data(match)["hands"][0]
    assert "result" not in written
    assert "adjustment" not in written
    assert written["extra"] == {"of": "another program"}


OTHER_KINDS = [
    (
        "ravage-city",
        {
            "contract": "ravage-city",
            "doubles": [["Bob", "Ann"]],
            "result": {"ravaged": ["Bob"]},
            "longest": {"Bob": 8},
        },
    ),
    (
        "chinese-poker",
        {
            "contract": "chinese-poker",
            "doubles": [],
            "result": {
                "beats": {row: {"Ann": 2.5, "Bob": 2.5, "Cy": 1} for row in ("front", "middle", "back")},
                "best": "Bob",
            },
        },
    ),
    ("get-barbara", {"result": {"counts": {"barbaras": {"Ann": 4}, "fives": {}, "ones": {}}}}),
    ("get-barbara", {"barbaras": {"S": "Ann", "H": "Dee"}}),
    ("coup-detat", {"contract": "queens", "coup": {"by": "Cy", "made": True}}),
]


@pytest.mark.parametrize(("ruleset", "hand"), OTHER_KINDS)
def test_hands_of_every_kind_come_back_as_they_were(ruleset, hand):
    data = EXAMPLE | {"ruleset": ruleset, "hands": [hand]}
    file = matchfile.parse(json.dumps(data).encode())
    assert file.problems == ()
    assert matchfile.to_data(file.match, extra=file.extra) == data


def test_a_rule_set_of_the_rulebook_is_named_and_another_is_written_out():
    house = msgspec.structs.replace(load("barbu"), name="Barbu at Ann's")
    match = played(record("misere"), ruleset=house)
    data = matchfile.to_data(match)
    assert data["ruleset"] == to_object(house)
    again = matchfile.parse(matchfile.write(match).encode())
    assert again.match == match
    assert again.ruleset_name is None


def test_a_rule_set_written_out_may_have_any_code():
    data = EXAMPLE | {"ruleset": to_object(load("barbu")) | {"code": "anns-barbu"}}
    file = matchfile.parse(json.dumps(data).encode())
    assert file.problems == ()
    assert matchfile.to_data(file.match)["ruleset"]["code"] == "anns-barbu"


def test_the_first_declarer_may_be_absent_where_nobody_declares():
    data = {key: value for key, value in EXAMPLE.items() if key != "first_declarer"} | {
        "ruleset": "get-barbara",
        "hands": [],
    }
    file = matchfile.parse(json.dumps(data).encode())
    assert file.problems == ()
    assert matchfile.to_data(file.match, extra=file.extra) == data


def test_a_first_declarer_where_nobody_declares_is_ignored_and_kept():
    data = EXAMPLE | {"ruleset": "get-barbara", "first_declarer": "Nobody", "hands": []}
    file = matchfile.parse(json.dumps(data).encode())
    assert file.problems == ()
    assert matchfile.to_data(file.match, extra=file.extra) == data


def test_a_match_that_cannot_be_is_written_with_its_strangers():
    data = EXAMPLE | {"first_declarer": "Zoe", "hands": [{"contract": "barbu", "doubles": [["Ann", "Yan"]]}]}
    assert matchfile.to_data(matchfile.parse(json.dumps(data).encode()).match) == data


def test_a_byte_order_mark_is_no_harm():
    assert matchfile.parse(b"\xef\xbb\xbf" + json.dumps(EXAMPLE).encode()).problems == ()


def test_names_may_be_in_any_script_and_are_taken_exactly():
    names = ["أحمد", "👩‍👩‍👧", "O'Brien & Zoë", "<b>x</b>"]
    data = EXAMPLE | {
        "players": names,
        "first_declarer": "أحمد",
        "hands": [{"contract": "misere", "doubles": []}],
    }
    file = matchfile.parse(json.dumps(data).encode())
    assert file.problems == ()
    assert json.loads(matchfile.write(file.match))["players"] == names


def test_a_record_of_a_hand_brings_the_same_hand_back():
    for code in ("barbu", "ravage-city", "chinese-poker", "get-barbara", "coup-detat"):
        for hand in random_match(code, 5).hands:
            assert from_record(json.loads(json.dumps(to_record(hand)))) == hand


def test_a_record_says_nothing_twice():
    assert to_record(record("misere")) == {"contract": "misere", "doubles": ()}
    assert to_record(record("barbu", [(BOB, ANN)], king_of_hearts={CY: 1})) == {
        "contract": "barbu",
        "doubles": ((1, 0),),
        "result": {"counts": {"king-of-hearts": {"2": 1}}},
    }


# A match that cannot be


def test_strangers_are_told_by_name():
    file = matchfile.parse(changed("hands", 0, "doubles", [["Zoe", "Ann"], ["Bob", "Yan"]]))
    assert [found.says for found in file.problems] == [
        "Zoe is not a player of this match.",
        "Yan is not a player of this match.",
    ]


def test_names_are_used_exactly_as_they_stand_in_players():
    assert problems(changed("hands", 1, "declarer", "bob")) == [(2, "unknown-player", "declarer")]
    assert problems(changed("hands", 1, "declarer", "Bob")) == []


def test_a_rule_set_nobody_knows():
    text = changed("ruleset", "bridge")
    assert problems(text) == [(None, "unknown-ruleset", "ruleset")]
    assert matchfile.parse(text).match is None
    assert matchfile.parse(text).problems[0].says == "There is no rule set “bridge”."


def test_a_rule_set_nobody_knows_and_players_that_are_the_same():
    text = changed("players", ["Ann", "ANN", "Cy", "Dee"], example=EXAMPLE | {"ruleset": "bridge"})
    assert [code for _, code, _ in problems(text)] == ["unknown-ruleset", "duplicate-player"]


def test_a_stranger_cannot_declare_first():
    assert problems(changed("first_declarer", "Zoe")) == [(None, "unknown-player", "first_declarer")]


HOUSE = EXAMPLE | {"ruleset": to_object(load("barbu"))}

BAD_RULE_SETS = [
    (
        ("contracts", 0, "items", 0, "each", 13.0),
        "contract 1, item 1, each: expected a whole number, found a decimal number",
    ),
    (
        ("contracts", 0, "items", 0, "each", "x"),
        "contract 1, item 1, each: expected a whole number, found a text",
    ),
    (
        ("contracts", 0, "items", 0, "each", 10**30),
        "contract 1, item 1, each: expected a whole number, at most 1000000",
    ),
    (
        ("contracts", 0, "items", 0, "count", 0),
        "contract 1, item 1, count: expected a whole number, at least 1",
    ),
    (
        ("contracts", 0, "items", 0, "count_for", {"7": 3}),
        "contract 1, item 1, count_for: “7” is none of the choices",
    ),
    (
        ("contracts", 0, "items", 0, "count_for", {"3": "x"}),
        "contract 1, item 1, count_for: expected a whole number, found a text",
    ),
    (("contracts", 0, "items", 0, "worth", -2), "contract 1, item 1: there is no field “worth” here"),
    (
        ("contracts", 1, "items", 0, "cards", ["1H"]),
        "contract 2, item 1, card 1: expected a card such as KH, Q* or *S",
    ),
    (("contracts", 0, "code", "No Tricks"), "contract 1, code: expected a code such as no-queens"),
    (("contracts", 0, "name", " "), "contract 1, name: expected a text that is not blank"),
    (("contracts", 0, "kind", ...), "contract 1: kind is missing"),
    (("contracts", 0, "kind", "tricks"), "contract 1, kind: “tricks” is none of the choices"),
    (("contracts", 0, "needs", 5), "contract 1, needs: expected a text or nothing, found a whole number"),
    (("contracts", []), "contracts: expected a list of length at least 1"),
    (("name", "x" * 41), "name: expected a text of length at most 40"),
    (("players", [4, None]), "player 2: expected a whole number, found nothing"),
    (("doubling", True), "doubling: expected an object, found true or false"),
    (("wins", "everybody"), "wins: “everybody” is none of the choices"),
]


@pytest.mark.parametrize(("change", "why"), BAD_RULE_SETS)
def test_a_rule_set_with_a_fault_is_refused_with_the_place_in_words(change, why):
    text = changed("ruleset", *change, example=HOUSE)
    assert problems(text) == [(None, "bad-ruleset", "ruleset")]
    assert matchfile.parse(text).problems[0].says == f"The rule set cannot be played: {why}."


def test_a_rule_set_that_is_an_empty_object_is_refused():
    assert problems(changed("ruleset", {})) == [(None, "bad-ruleset", "ruleset")]


# No match at all


NO_MATCHES = [
    (b"", None, "The file is not JSON: it is empty."),
    (b" \n", None, "The file is not JSON: it is empty."),
    (
        b"{",
        None,
        "The file is not JSON: Expecting property name enclosed in double quotes, line 1, column 2.",
    ),
    (b"[]", None, "The file holds no match but a list."),
    (b"13", None, "The file holds no match but 13."),
    (b'"match/1"', None, "The file holds no match but “match/1”."),
    (b"\xff\xfe{", None, "The file is not UTF-8 text: byte 1 fits nowhere."),
    (json.dumps(EXAMPLE).encode("utf-16"), None, "The file is not UTF-8 text: byte 1 fits nowhere."),
    (b"[" * 100_000, None, "The file is nested out of all reason."),
    (b'{"a":' * 100_000, None, "The file is nested out of all reason."),
    (b"[" * 200 + b"]" * 200, None, "1 1 1: nested out of all reason."),
    (b'{"format": "match/1", "format": "match/1"}', None, "“format” is there twice in one object."),
    (
        b'{"hands": [{}, {"contract": "a", "contract": "b"}]}',
        2,
        "hand 2: “contract” is there twice in one object.",
    ),
    (b'{"hands": [{"x": [{"y": {"z": 1, "z": 1}}]}]}', 1, "hand 1, x 1.y: “z” is there twice in one object."),
    (b'{"weather": NaN}', None, "weather: NaN is no number."),
    (b'{"hands": [{"misdeals": Infinity}]}', 1, "hand 1, misdeals: Infinity is no number."),
    (b'{"hands": [{"misdeals": -Infinity}]}', 1, "hand 1, misdeals: -Infinity is no number."),
    (b'{"weather": 1e999}', None, "weather: 1e999 is a number out of all reason."),
    (b'{"weather": ' + b"9" * 5000 + b"}", None, "weather: a number of 5000 digits is out of all reason."),
    (b'{"weather": "\\ud800"}', None, "weather: half a character (a lone surrogate) is no text."),
    (b'{"\\udfff": 1}', None, "half a character (a lone surrogate) is no text."),
    (b'{"hands": [{"note": "\\ud83d"}]}', 1, "hand 1, note: half a character (a lone surrogate) is no text."),
]


@pytest.mark.parametrize(("text", "hand", "says"), NO_MATCHES, ids=range(len(NO_MATCHES)))
def test_a_text_that_is_no_match_is_refused_in_words(text, hand, says):
    assert complaint(text) == (hand, says)


def test_a_whole_character_may_be_escaped():
    text = changed("hands", 0, "note", "👩")
    assert b"\\ud83d" in text
    assert matchfile.parse(text).match.hands[0].note == "👩"


def test_nobody_reads_a_hundred_million_bytes(monkeypatch):
    monkeypatch.setattr(jsontext, "LARGEST", 10)
    assert complaint(b" " * 11) == (None, "The file has more than 10 bytes.")


MISFITS = [
    (("format", ...), None, "format is missing."),
    (("format", "match/2"), None, "format: this reads “match/1”, not “match/2”."),
    (("format", 1), None, "format: this reads “match/1”, not 1."),
    (("ruleset", ...), None, "ruleset is missing."),
    (("ruleset", ["barbu"]), None, "ruleset: a list is no rule set."),
    (("players", ...), None, "players is missing."),
    (("players", "Ann"), None, "players: “Ann” is no list."),
    (("players", 1, None), None, "players 2: null is no text."),
    (("players", 1, " "), None, "players 2: a name has 1 to 40 characters, not 0."),
    (("players", 1, "x" * 41), None, "players 2: a name has 1 to 40 characters, not 41."),
    (("first_declarer", ...), None, "first_declarer is missing."),
    (("first_declarer", 0), None, "first_declarer: 0 is no text."),
    (("played_on", "29.11.2026"), None, "played_on: “29.11.2026” is no date such as 2026-11-29."),
    (("played_on", "2026-02-30"), None, "played_on: “2026-02-30” is no date such as 2026-11-29."),
    (("played_on", 20261129), None, "played_on: 20261129 is no text."),
    (("hands", ...), None, "hands is missing."),
    (("hands", {}), None, "hands: an object is no list."),
    (("hands", 1, "misere"), 2, "hand 2: “misere” is no object."),
    (("hands", 0, "contract", 3), 1, "hand 1, contract: 3 is no text."),
    (("hands", 0, "contract", None), 1, "hand 1, contract: null is no text."),
    (("hands", 0, "trump", True), 1, "hand 1, trump: true is no text."),
    (("hands", 0, "doubles", None), 1, "hand 1, doubles: null is no list."),
    (("hands", 0, "doubles", 1, "Bob"), 1, "hand 1, doubles 2: “Bob” is no list."),
    (("hands", 0, "doubles", 1, ["Bob"]), 1, "hand 1, doubles 2: two players make a pair, not 1."),
    (("hands", 0, "doubles", 1, 1, {}), 1, "hand 1, doubles 2 2: an object is no text."),
    (("hands", 0, "result", []), 1, "hand 1, result: a list is no object."),
    (("hands", 0, "result", "counts", []), 1, "hand 1, result.counts: a list is no object."),
    (("hands", 0, "result", "counts", "queens", 4), 1, "hand 1, result.counts.queens: 4 is no object."),
    (
        ("hands", 0, "result", "counts", "queens", "Ann", 13.0),
        1,
        "hand 1, result.counts.queens.Ann: 13.0 is no whole number.",
    ),
    (
        ("hands", 0, "result", "counts", "queens", "Ann", True),
        1,
        "hand 1, result.counts.queens.Ann: true is no whole number.",
    ),
    (
        ("hands", 0, "result", "counts", "queens", "Ann", "13"),
        1,
        "hand 1, result.counts.queens.Ann: “13” is no whole number.",
    ),
    (
        ("hands", 0, "result", "counts", "queens", "Ann", None),
        1,
        "hand 1, result.counts.queens.Ann: null is no whole number.",
    ),
    (("hands", 3, "result", "finish", "Ann"), 4, "hand 4, result.finish: “Ann” is no list."),
    (("hands", 3, "result", "finish", 2, 0), 4, "hand 4, result.finish 3: 0 is no text."),
    (("hands", 3, "result", "ravaged", 5), 4, "hand 4, result.ravaged: 5 is no list."),
    (("hands", 3, "result", "best", ["Ann"]), 4, "hand 4, result.best: a list is no text."),
    (
        ("hands", 3, "result", "beats", {"front": {"Ann": 0.3}}),
        4,
        "hand 4, result.beats.front.Ann: 0.3 is no whole number and no half.",
    ),
    (
        ("hands", 3, "result", "beats", {"front": {"Ann": True}}),
        4,
        "hand 4, result.beats.front.Ann: true is no whole number and no half.",
    ),
    (("hands", 1, "coup", {"by": "Ann"}), 2, "hand 2, coup: made is missing."),
    (("hands", 1, "coup", {"by": "Ann", "made": 1}), 2, "hand 2, coup.made: 1 is neither true nor false."),
    (("hands", 1, "played_anyway", "yes"), 2, "hand 2, played_anyway: “yes” is neither true nor false."),
    (("hands", 1, "misdeals", 1.0), 2, "hand 2, misdeals: 1.0 is no whole number."),
    (("hands", 1, "adjustment", {}), 2, "hand 2, adjustment: points is missing."),
    (
        ("hands", 1, "adjustment", {"points": {"Ann": 0.5}}),
        2,
        "hand 2, adjustment.points.Ann: 0.5 is no whole number.",
    ),
    (("hands", 1, "longest", {"Ann": "8"}), 2, "hand 2, longest.Ann: “8” is no whole number."),
    (("hands", 1, "barbaras", {"S": 1}), 2, "hand 2, barbaras.S: 1 is no text."),
    (("hands", 1, "note", 5), 2, "hand 2, note: 5 is no text."),
    (("hands", 1, "note", ["x"] * 99), 2, "hand 2, note: a list is no text."),
    (("hands", 1, "misdeals", "x" * 99), 2, f"hand 2, misdeals: “{'x' * 39}…” is no whole number."),
    (
        ("hands", 1, "misdeals", "a\nb"),
        2,
        "hand 2, misdeals: “a\N{REPLACEMENT CHARACTER}b” is no whole number.",
    ),
]


@pytest.mark.parametrize(("change", "hand", "says"), MISFITS)
def test_a_value_of_another_kind_is_refused_with_its_place_and_what_was_found(change, hand, says):
    assert complaint(changed(*change)) == (hand, says)


def test_a_misfit_in_a_late_hand_comes_before_a_problem_in_an_early_one():
    data = copy.deepcopy(EXAMPLE)
    data["hands"][0]["contract"] = "nullo"
    data["hands"][3]["note"] = 5
    assert complaint(json.dumps(data).encode())[0] == 4


def test_halves_are_allowed_in_beats_and_nowhere_else():
    row = {"Ann": 1.5, "Bob": 1.5, "Cy": 1.5, "Dee": 1.5}
    hand = {
        "contract": "chinese-poker",
        "doubles": [],
        "result": {"beats": {"front": row, "middle": row, "back": row}, "best": "Cy"},
    }
    text = json.dumps(EXAMPLE | {"ruleset": "chinese-poker", "hands": [hand]}).encode()
    assert problems(text) == []


def test_a_long_list_of_strangers_is_no_trouble():
    crowd = [f"p{number}" for number in range(5_000)]
    assert len(problems(changed("hands", 3, "result", "finish", crowd * 2))) > 5_000
    assert problems(changed("players", crowd + crowd[:1]))[0][1] == "player-count"
    assert problems(changed("hands", 0, "doubles", [[name, "Ann"] for name in crowd] * 2))


def test_a_match_can_be_as_long_as_its_game_lets_it():
    hand = {"result": {"counts": {"barbaras": {"Ann": 4}, "fives": {}, "ones": {}}}}
    text = json.dumps(EXAMPLE | {"ruleset": "get-barbara", "hands": [hand] * 2_000}).encode()
    match = matchfile.parse(text).match
    assert match.problems == ()
    assert match.turn.running == (-50_000, 0, 0, 0)


def test_a_match_of_many_hands_too_many_ends_soon():
    text = changed("hands", EXAMPLE["hands"] * 2_000)
    assert problems(text)[0][0] == 5


def test_matches_are_equal_when_they_say_the_same():
    assert Match(load("barbu"), ("Ann",)) == Match(load("barbu"), ("Ann",))


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**90, 10**99)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["", "S", "7", "Ann", "Zoe", "misere", "trumps", "barbu", "king", "get-barbara", "tricks"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.just("tricks"), inner, max_size=4),
    max_leaves=8,
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every object or list inside, with each of its keys or numbers."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    here = [(data, key) for key, _ in inside]
    return here + [place for _, inner in list(inside) for place in places(inner)]


@settings(max_examples=100)
@given(sound_matches(), st.data())
def test_whatever_stands_in_a_file_it_is_worked_out_or_refused(match, data):
    written = json.loads(matchfile.write(match))
    if data.draw(st.booleans()):
        written["ruleset"] = to_object(match.ruleset)
    for _ in range(data.draw(st.integers(1, 3))):
        place, key = data.draw(st.sampled_from(places(written)))
        place[key] = data.draw(JUNK)
    text = json.dumps(written)
    try:
        file = matchfile.parse(text.encode())
    except NotAMatch:
        return
    assert all(found.says for found in file.problems)
    if not file.problems:
        assert json.loads(json.dumps(report(file.match)))
        assert matchfile.parse(matchfile.write(file.match).encode()).match == file.match


def test_what_a_file_says_beyond_the_known_must_not_stand_in_for_what_was_told():
    barbu, rounds = load("barbu"), load("get-barbara")
    assert matchfile.stands_beside({"app": 1}, barbu)
    assert not matchfile.stands_beside({"first_declarer": "Eve"}, barbu)
    assert rounds.has_declarer or matchfile.stands_beside({"first_declarer": "Eve"}, rounds)
    for sound in ({"felt": 1, "extra": 2}, {"result": {"seen": 1}}, {"play": [{"seen": 1}, {}]}):
        assert matchfile.stands_beside_hand(sound)
    for wrong in (
        {"note": "x"},
        {"result": 5},
        {"coup": {"by": 0}},
        {"play": 5},
        {"play": [1]},
        {"play": [{"cards": 1}]},
    ):
        assert not matchfile.stands_beside_hand(wrong)
