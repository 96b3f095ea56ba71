"""Files that no table ever wrote: refused whole, in words, with the place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction

import referee
from referee import matchfile
from scorekeeper import backup
from scorekeeper.backup import Backup, NotABackup
from scorekeeper.match_files import given_in, take_in
from scorekeeper.models import Match, Table, new_code
from tests.referee.strategies import random_match

from .backups import file_of, send, small, stored
from .table import problems

pytestmark = pytest.mark.django_db


def changed(text: bytes, *path: Any) -> bytes:
    """The file with another value at a place: the steps to it, then the value, or ``...`` to leave it out."""
    data = json.loads(text)
    *steps, last, value = path
    place = data
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data).encode()


@pytest.fixture(scope="module")
def sound(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """The file of a small table, made once and rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        text = file_of(small().match.table)
        transaction.set_rollback(True)
    return text


DAMAGE = [
    (("format", "table/2"), "This is no table that can be read: a “table/1” file with matches was expected."),
    (("format", "match/1"), "This is the file of one match. Choose it under “Take in matches” of a table."),
    (("matches", ...), "This is no table that can be read: a “table/1” file with matches was expected."),
    (("matches", {}), "This is no table that can be read: Expected a list, got an object."),
    (("matches", [0]), "This is no table that can be read: 1: Expected an object, got a whole number."),
    (("name", " "), "This is no table that can be read: name: Expected a text of the right form."),
    (("name", "x" * 61), "This is no table that can be read: name: Expected a text of at most 60 signs."),
    (("zone", "Mars/Olympus"), "The table: “Mars/Olympus” is no time zone that is known here."),
    (("created", "yesterday"), "This is no table that can be read: created: Invalid RFC3339 encoded datetime."),
    (("created", "0001-01-01T00:00:00Z"), "The table: a day is not between 1900 and 2199."),
    (("surprise", 1), "This is no table that can be read: Object contains unknown field “surprise”."),
    (
        ("players", 0, "name", ""),
        "This is no table that can be read: players 1, name: Expected a text of the right form.",
    ),
    (
        ("players", 0, "name", "x" * 41),
        "This is no table that can be read: players 1, name: Expected a text of at most 40",
    ),
    (("players", 0, "name", "BOB"), "Two players have one name or one code."),
    (("players", 0, "code", "../../admin"), "This is no table that can be read: players 1, code: Expected a text"),
    (("players", []), "Match 1: a seat is of nobody in this file, or somebody has two."),
    (("rulesets", []), "Match 1: its rules are not in the file."),
    (("rulesets", 0, {"code": "x"}), "Rules 1: "),
    (("matches", 0, "number", 0), "Match 1: number: Expected a whole number of at least 1."),
    (("matches", 0, "number", 10**99), "Match 1: number: Expected a whole number of at most 2000000000."),
    (("matches", 0, "number", "1"), "This is no table that can be read: 1, number: Expected a whole number"),
    (("matches", 0, "ruleset", True), "Match 1: ruleset: Expected a whole number, got true or false."),
    (("matches", 0, "players", 0, 7), "Match 1: players 1: Expected a text, got a whole number."),
    (("matches", 0, "first_declarer", 4), "Match 1: nobody sits where the first declarer should."),
    (("matches", 0, "zone", "<b>x</b>"), "Match 1: “<b>x</b>” is no time zone that is known here."),
    (("matches", 0, "began", "9999-12-31T23:59:59Z"), "Match 1: a day is not between 1900 and 2199."),
    (("matches", 0, "began", "2026-11-29T20:00:00"), "Match 1: began: "),
    (("matches", 0, "version", 2), "Match 1, hand 1: It has an entry that is newer than the match."),
    (("matches", 0, "hands", 0, "revision", 2), "Match 1, hand 1: Its entries do not follow each other."),
    (("matches", 0, "hands", 0, "version", 2), "Match 1, hand 1: "),
    (("matches", 0, "hands", 0, "key", " "), "Match 1: hands 1, key: Expected a text of the right form."),
    (
        ("matches", 0, "hands", 0, "action", "delete"),
        "Match 1: hands 1, action: “delete” is none of the words that fit here.",
    ),
    (("matches", 0, "hands", 0, "action", "correct"), "Match 1, hand 1: It was entered when another hand was to be"),
    (("matches", 0, "hands", 0, "action", "undo"), "Match 1, hand 1: It was taken back when there was nothing to"),
    (("matches", 0, "hands", 0, "record", None), "Match 1, hand 1: An entry says nothing."),
    (("matches", 0, "hands", 0, "record", "contract", "poker"), "Match 1, hand 1: Barbu has no contract “poker”"),
    (("matches", 0, "hands", 0, "record", "contract", 7), "Match 1, hand 1: An entry is no hand."),
    (("matches", 0, "hands", 0, "record", "points", {}), "Match 1, hand 1: An entry says more than a hand can say."),
    (("matches", 0, "hands", 0, "record", "doubles", [[4, 0]]), "Match 1, hand 1: An entry names a seat that nobody"),
    (("matches", 0, "hands", 0, "record", "doubles", [[-1, 0]]), "Match 1, hand 1: An entry names a seat that nobody"),
    (
        ("matches", 0, "hands", 0, "record", "result", "counts", "tricks", "0", 3),
        "Match 1, hand 1: 14 tricks entered; 13 were played.",
    ),
    (("matches", 0, "hands", 0, "device", "x" * 61), "Match 1: hands 1, device: Expected a text of at most 60 signs."),
    (("matches", 0, "extra", []), "Match 1: extra: Expected an object, got a list."),
    (
        ("matches", 0, "extra", "played_on", "garbage"),
        "Match 1: what stands beside its hands would change what it says",
    ),
    (("matches", 0, "extra", "hands", []), "Match 1: what stands beside its hands would change what it says."),
    (("matches", 0, "extra", "first_declarer", "Eve"), "Match 1: what stands beside its hands would change what it"),
    *(
        (("matches", 0, "hands", 0, "record", "extra", beside), "Match 1, hand 1: An entry says more than a hand can")
        for beside in (
            {"result": 5},
            {"result": {"counts": {}}},
            {"play": 5},
            {"play": [1]},
            {"play": [{"led_by": 0}]},
            {"contract": "barbu"},
            {"note": "another"},
        )
    ),
    (("players", 0, "name", "Ann\x07\x1b"), "This name has characters that cannot be read, such as a line break."),
    (("name", "Ours\r\nTheirs"), "A table's name has at most 60 plain characters; this has 12."),
    (("matches", 0, "extra", "x", "\0"), "Match 1: A character in it cannot be stored (NUL)."),
    (
        ("matches", 0, "extra", "x", "\ud800"),
        "This is no table that can be read: JSON is malformed: unexpected end",
    ),
    (("matches", 0, "extra", "x", 10**101), "Match 1: extra.x: a number of 102 digits is out of all reason."),
    (("matches", 0, "extra", "x", float("nan")), "This is no table that can be read: JSON is malformed"),
]


@pytest.mark.parametrize(("damage", "says"), DAMAGE, ids=lambda told: str(told)[:60])
def test_a_damaged_file_is_refused_whole_with_the_place(damage: tuple[Any, ...], says: str, sound: bytes):
    with pytest.raises(NotABackup) as refused:
        Backup(changed(sound, *damage))
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(("damage", "says"), DAMAGE[1::8], ids=lambda told: str(told)[:60])
def test_a_refused_file_is_answered_on_its_page_and_nothing_is_stored(damage: tuple[Any, ...], says: str):
    phone = small()
    text, before = changed(file_of(phone.match.table), *damage), stored()
    for address in ("/restore/", f"/t/{phone.match.table.code}/restore/"):
        response = send(phone.client, address, text, key=new_code())
        [problem] = problems(response)
        assert problem.startswith(says)
    assert stored() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "The file is empty."),
        (b" \n", "The file is empty."),
        (b"PK\x03\x04\x00", "This is no table that can be read: JSON is malformed: invalid character (byte 0)."),
        (b"\x1f\x8b\x08\x00", "This is no table that can be read: JSON is malformed: invalid character (byte 0)."),
        (b"[" * 100_000, "This is no table that can be read: Expected an object, got a list."),
        (b'{"format":"table/1","matches":' + b"[" * 100_000, "It is nested out of all reason."),
        (b'{"x":' * 100_000, "It is nested out of all reason."),
        (b'{"format":"table/1","matches":[' + b"{}," * 1_000_000 + b"{}]}", "This is no table that can be read: 1: "),
        (b"null", "This is no table that can be read: Expected an object, got nothing."),
    ],
    ids=lambda told: repr(told[:20]),
)
def test_what_is_no_table_is_refused_in_words(text: bytes, says: str):
    with pytest.raises(NotABackup) as refused:
        Backup(text)
    assert str(refused.value).startswith(says)


def test_a_file_that_was_cut_off_anywhere_is_refused():
    text = file_of(small().match.table)
    for length in range(1, len(text) - 2, 97):
        with pytest.raises(NotABackup):
            Backup(text[:length])


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        (b'"name":"Ours"', b'"name":"Ours","name":"Theirs"'),
        (b'"number":1,"key"', b'"number":1,"number":2,"key"'),
        (b'"contract":"misere"', b'"contract":"misere","contract":"barbu"'),
        (b'"rulesets":[', b'"matches":[],"rulesets":['),
    ],
)
def test_a_key_that_stands_twice_in_one_object_is_refused(once: bytes, twice: bytes):
    text = file_of(small().match.table)
    assert once in text
    with pytest.raises(NotABackup):
        Backup(text.replace(once, twice, 1))


def test_a_file_that_is_not_utf_8_is_refused():
    with pytest.raises(NotABackup):
        Backup(file_of(small().match.table).replace(b"Ours", b"Our\xff"))


def test_too_much_of_anything_is_refused(monkeypatch: pytest.MonkeyPatch):
    text = file_of(small().match.table)
    for limit, says in (
        ("LARGEST", "The file has more than 10 bytes."),
        ("LARGEST_HEAD", "It has "),
        ("LARGEST_MATCH", "Match 1 has "),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(backup, limit, 10)
            with pytest.raises(NotABackup) as refused:
                Backup(text)
        assert str(refused.value).startswith(says)
    monkeypatch.setattr(backup, "MOST_MATCHES", 0)
    with pytest.raises(NotABackup, match="It has more than 0 matches"):
        Backup(text)


def test_a_mark_at_the_beginning_of_the_text_does_no_harm():
    text = file_of(small().match.table)
    assert Backup(b"\xef\xbb\xbf" + text).count == 1


def test_a_history_that_was_never_written_is_refused():
    data = json.loads(file_of(small().match.table))
    hands = data["matches"][0]["hands"]
    assert [(entry["action"], entry["number"]) for entry in hands][-2:] == [("enter", 3), ("undo", 3)]
    back = hands[-2] | {"action": "redo", "key": "back", "version": hands[-1]["version"] + 1, "revision": 3}
    data["matches"][0] |= {"hands": [*hands, back], "version": back["version"]}
    assert Backup(json.dumps(data).encode()).count == 1
    for wrong in ({"number": 4, "revision": 1}, {"action": "enter", "key": hands[0]["key"]}, {"revision": 2}):
        data["matches"][0]["hands"] = [*hands, back | wrong]
        with pytest.raises(NotABackup):
            Backup(json.dumps(data).encode())


def test_a_remark_such_as_a_double_that_nobody_made_is_no_refusal():
    match = next(match for match in map(unforced, range(99)) if any(hand.remarks for hand in match.scored))
    made, _new = _taken(match)
    assert Backup(file_of(made.table)).count == 1


def unforced(seed: int) -> referee.Match:
    """A match in which nobody ever doubles."""
    match = random_match("barbu-quick", seed)
    hands = [referee.from_record(referee.to_record(hand) | {"doubles": ()}) for hand in match.hands]
    positive = {contract.code for contract in match.ruleset.contracts if not contract.is_negative}
    bare = [hand if hand.contract in positive else referee.Hand(contract=hand.contract, doubles=()) for hand in hands]
    return match.with_hands(bare)


def _taken(match: referee.Match) -> tuple[Match, bool]:
    table = Table.objects.create(name="Ours", scorer_hash="")
    [given] = given_in(matchfile.write(match).encode(), "match.json")
    return take_in(table, given)


def test_what_a_match_file_brought_beside_its_hands_comes_back_with_the_backup():
    told = matchfile.to_data(random_match("king", 5, 3), extra={"app": {"x": 1}})
    told["hands"][0] |= {"extra": 1, "felt": "lucky"}
    told["hands"][0]["result"]["seen"] = True
    table = Table.objects.create(name="Ours", scorer_hash="")
    [given] = given_in(json.dumps(told).encode(), "match.json")
    made, _new = take_in(table, given)
    assert made.hands.first().record["extra"].keys() == {"extra", "felt", "result"}
    assert Backup(file_of(table)).count == 1
