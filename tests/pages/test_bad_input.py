"""Whatever is sent: a message at its place, what was typed stays, nothing is stored, and nothing breaks."""

from random import Random
from typing import Any

import pytest
from django.test import Client

from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, new_key, problems, said, soup, words

pytestmark = pytest.mark.django_db

TRICKS = (2, 3, 5, 3)
NO_COUNT = [
    "-1",
    "14",
    "3.5",
    "1e1",
    "1_3",
    "٣",
    "1" + "0" * 30,
    "0x3",
    "+3",
    "3 3",
    "three",
    "−3",
    "NaN",
    "<b>3</b>",
    "3\x00",
]


@pytest.fixture
def phone() -> Phone:
    return begin()


def typed(response: Any, name: str) -> str | None:
    """What the form of an answer holds in a field."""
    field = soup(response).select_one(f"form.hand fieldset:not([disabled]) [name='{name}']")
    return field.get("value") if field else None


def at_its_place(response: Any, name: str) -> str:
    """The message that stands at a field, and is announced with it."""
    page = soup(response)
    field = page.select_one(f"form.hand fieldset:not([disabled]) [name='{name}']")
    assert field["aria-invalid"] == "true"
    return words(page.select_one(f"#{field['aria-describedby']}"))


@pytest.mark.parametrize("given", NO_COUNT)
def test_a_count_that_is_no_count_is_refused_and_stays_in_its_field(phone: Phone, given: str):
    response = phone.record("misere", [(BOB, ANN)], tricks=(2, given, 5, 3))
    message = f"Tricks for Bob: “{given[:40]}” is not a whole number from 0 to 13."
    assert [line.replace("\x00", "") for line in problems(response)] == [message.replace("\x00", "")]
    assert at_its_place(response, "tricks-1") == problems(response)[0]
    assert typed(response, "tricks-1") == given
    assert [typed(response, f"tricks-{seat}") for seat in (ANN, CY, DEE)] == ["2", "5", "3"]
    assert phone.rows == []


@pytest.mark.parametrize("given", ["", " ", "\t"])
def test_blank_is_not_zero(phone: Phone, given: str):
    response = phone.record("misere", [(BOB, ANN)], tricks=(5, given, 5, 3))
    assert problems(response) == ["Tricks for Bob: nothing is entered."]
    assert at_its_place(response, "tricks-1") == "Tricks for Bob: nothing is entered."
    assert phone.rows == []


def test_a_count_with_spaces_around_it_is_a_count(phone: Phone):
    assert phone.record("misere", [(BOB, ANN)], tricks=(" 2", "3 ", "05", "3")).status_code == 302
    assert phone.total == (-2, -8, -10, -6)


def test_a_count_that_is_missing_from_the_post_is_asked_for(phone: Phone):
    fields = said("misere", [(BOB, ANN)], tricks=TRICKS)
    del fields["tricks-3"]
    assert problems(phone.send("hand", 1, fields=fields)) == ["Tricks for Dee: nothing is entered."]


def test_all_that_is_wrong_is_said_at_once(phone: Phone):
    response = phone.record("no-hearts", [(BOB, ANN)], hearts=("x", "", 14, 3), note="n" * 501)
    assert len(problems(response)) == 5
    assert phone.rows == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tricks-0": ["2", "3"]}, "“Tricks – Ann” was sent twice."),
        ({"contract": ["misere", "barbu"]}, "“contract” was sent twice."),
        ({"note": ["a", "b"]}, "“note” was sent twice."),
        ({"key": ["key-of-one", "key-of-two"]}, "“key” was sent twice."),
        ({"revision": ["0", "0"]}, "“revision” was sent twice."),
        ({"step": ["save", "save"]}, "“step” was sent twice."),
        ({"tricks-4": "0"}, "“tricks-4” is not asked for in Misère."),
        ({"tricks-01": "0"}, "“tricks-01” is not asked for in Misère."),
        ({"queens-0": "1"}, "“queens-0” is not asked for in Misère."),
        ({"king-of-hearts": "1"}, "“king-of-hearts” is not asked for in Misère."),
        ({"tricks": "13"}, "“tricks” is not asked for in Misère."),
        ({"finish": ["1", "2", "3", "0"]}, "“finish” is not asked for in Misère."),
        ({"double": ["1-0", "1-0"]}, "Bob doubles Ann twice; two directions make a redouble, nothing goes beyond."),
        ({"double": ["1-4"]}, "“1-4” is no pair of players of this match."),
        ({"double": ["1-0", "٣-0"]}, "“٣-0” is no pair of players of this match."),
        ({"double": ["1-0", "Bob-Ann"]}, "“Bob-Ann” is no pair of players of this match."),
        ({"double": ["1-0", "2-2"]}, "Cy cannot double themselves."),
        ({"double": ["0-1"]}, "Ann declares and may only double back; Bob did not double Ann."),
        ({"contract": "ravage-city"}, "Barbu has no contract “ravage-city”."),
        ({"contract": "chinese-poker"}, "Barbu has no contract “chinese-poker”."),
        ({"contract": "mis\x00ere"}, "Barbu has no contract “misere”."),
        ({"contract": "Misère"}, "Barbu has no contract “Misère”."),
        ({"contract": "x" * 5000}, f"Barbu has no contract “{'x' * 40}”."),
        ({"contract": ""}, "No contract is named."),
        ({"step": "sav"}, "There is no step “sav”."),
        ({"note": "n" * 501}, "The note has 501 characters; at most 500 are kept."),
        ({"note": "a\x00b"}, "The note has a character that cannot be kept."),
        ({"key": ""}, "The form came incomplete. Nothing was stored; send it again."),
        ({"key": "short"}, "The form came incomplete. Nothing was stored; send it again."),
        ({"key": "k" * 65}, "The form came incomplete. Nothing was stored; send it again."),
        ({"key": "key+2+with+plus"}, "The form came incomplete. Nothing was stored; send it again."),
        ({"revision": ""}, "The form came incomplete. Nothing was stored; send it again."),
        ({"revision": "-1"}, "The form came incomplete. Nothing was stored; send it again."),
        ({"revision": "٠"}, "The form came incomplete. Nothing was stored; send it again."),
        ({"revision": "1" + "0" * 30}, "The form came incomplete. Nothing was stored; send it again."),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_each_fault_of_a_post_is_named_and_nothing_is_stored(phone: Phone, changed: dict[str, Any], message: str):
    response = phone.send("hand", 1, fields=said("misere", [(BOB, ANN)], tricks=TRICKS) | changed)
    assert message in [line.replace("\x00", "") for line in problems(response)]
    assert phone.rows == []


@pytest.mark.parametrize("given", ["4", "-1", "Bob", "", "1.0", "٣", "1" + "0" * 30, "\x00"])
def test_a_taker_who_is_no_player_is_refused(phone: Phone, given: str):
    response = phone.record("barbu", [(BOB, ANN)], king_of_hearts=given)
    assert "is no player of this match." in problems(response)[0]
    assert phone.rows == []


def test_a_taker_who_is_missing_or_named_twice_is_refused(phone: Phone):
    assert problems(phone.record("barbu", [(BOB, ANN)], step="save")) == ["Say who took the king of hearts."]
    fields = said("barbu", [(BOB, ANN)]) | {"step": "save", "king-of-hearts": ["1", "2"]}
    assert problems(phone.send("hand", 1, fields=fields)) == ["“King of hearts” was sent twice."]
    assert phone.rows == []


@pytest.mark.parametrize(
    ("finish", "message"),
    [
        ((), "The order of going out leaves out Ann, Bob, Cy, Dee."),
        ((BOB, DEE, ANN), "The order of going out leaves out Cy."),
        ((BOB, BOB, DEE, ANN), "Bob cannot go out twice."),
        ((BOB, DEE, ANN, CY, BOB), "Bob cannot go out twice."),
        ((BOB, DEE, ANN, 4), "“4” is no player of this match."),
        ((BOB, DEE, ANN, "x"), "“x” is no player of this match."),
    ],
)
def test_an_order_of_going_out_has_everybody_once(phone: Phone, finish: tuple[object, ...], message: str):
    response = phone.record("dominoes", start="7", finish=finish, step="save")
    assert message in problems(response)
    assert phone.rows == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"trump": ""}, "The trump suit is missing."),
        ({"trump": "Z"}, "There is no suit “Z”; suits are S, H, D and C."),
        ({"trump": "SH"}, "There is no suit “SH”; suits are S, H, D and C."),
        ({"trump": "♠"}, "There is no suit “♠”; suits are S, H, D and C."),
        ({"pick": "Z" * 9000}, f"There is no suit “{'Z' * 40}”; suits are S, H, D and C."),
        ({"trump": ["S", "H"]}, "“trump” was sent twice."),
    ],
)
def test_a_trump_suit_is_one_of_four(phone: Phone, changed: dict[str, Any], message: str):
    fields = said("trumps", trump="S", tricks=TRICKS) | changed
    response = phone.send("hand", 1, fields=fields)
    assert message in problems(response)
    assert phone.rows == []


def test_a_trump_suit_that_a_contract_does_not_ask_for_is_not_stored(phone: Phone):
    phone.record("misere", [(BOB, ANN)], tricks=TRICKS, trump="S", start="7")
    assert (phone.state.hand(1).trump, phone.state.hand(1).start) == (None, None)


@pytest.mark.parametrize("start", ["1", "11", "Z", "10", "t", ""])
def test_a_starting_rank_is_one_of_thirteen(phone: Phone, start: str):
    response = phone.record("dominoes", start=start, finish=(0, 1, 2, 3), step="save")
    assert "rank" in problems(response)[0]
    assert phone.rows == []


def test_a_double_that_a_positive_contract_does_not_know_is_refused_at_its_place(phone: Phone):
    response = phone.send("hand", 1, fields=said("trumps", [(BOB, CY)], trump="S", step="doubles"))
    message = "Bob may not double Cy: in Trumps only the declarer can be doubled."
    assert problems(response) == [message]
    assert words(soup(response).select_one(".doubles > .wrong")) == message


def test_the_ace_without_a_heart_is_refused_and_the_numbers_stay(phone: Phone):
    response = phone.record("no-hearts", [(BOB, ANN)], hearts=(0, 5, 5, 3), ace_of_hearts=ANN)
    assert problems(response) == ["Ann took the ace of hearts but has 0 hearts."]
    assert [typed(response, f"hearts-{seat}") for seat in range(4)] == ["0", "5", "5", "3"]
    assert words(soup(response).select_one(".taker .wrong")) == problems(response)[0]


def test_markup_in_a_note_is_kept_and_shown_as_text(phone: Phone):
    note = """<script>alert("1")</script> & 'so' {{ on }}"""
    phone.record("misere", [(BOB, ANN)], tricks=TRICKS, note=note)
    for parts in ((), ("hand", 1), ("hand", 1, "correct")):
        page = phone.see(*parts)
        assert not [script for script in page.select("script") if "alert" in script.text and not script.get("type")]
    assert note in words(phone.see("hand", 1).main)
    assert phone.see("hand", 1, "correct").select_one("[name=note]")["value"] == note


def test_a_note_of_500_characters_of_any_script_is_kept(phone: Phone):
    note = ("أحمد 👩‍👩‍👧 Zoë " * 40)[:500].strip()
    phone.record("misere", [(BOB, ANN)], tricks=TRICKS, note=note)
    assert phone.state.hand(1).note == note


def test_a_note_that_is_refused_stays_and_stands_open(phone: Phone):
    response = phone.record("misere", [(BOB, ANN)], tricks=TRICKS, note="n" * 501)
    assert soup(response).select_one("details[open] [name=note]")["value"] == "n" * 501
    assert "501 characters" in words(soup(response).select_one("details .wrong"))


@pytest.mark.parametrize("deed", ["undo", "redo"])
@pytest.mark.parametrize("fields", [{"key": ""}, {"revision": "x"}, {"key": "a b c d e f g h"}, {"revision": "1e3"}])
def test_undo_and_redo_without_a_receipt_do_nothing_and_say_so(phone: Phone, deed: str, fields: dict[str, str]):
    phone.record("misere", [(BOB, ANN)], tricks=TRICKS)
    response = phone.send("hand", 1, deed, fields=fields)
    assert problems(response) == ["The form came incomplete. Nothing was stored; send it again."]
    assert phone.played == ["misere"]


def raw(phone: Phone, body: bytes, content_type: str) -> Any:
    return phone.client.generic("POST", phone.address("hand", 1), body, content_type)


MULTIPART = (
    b'--B\r\nContent-Disposition: form-data; name="note"\r\n\r\n\\ud800\\u0000\xff\r\n'
    b'--B\r\nContent-Disposition: form-data; name="key"\r\n\r\nkey-of-one\r\n--B--\r\n'
)


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b'{"contract": "misere"}', "application/json", 422),
        (b"", "application/x-www-form-urlencoded", 422),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded", 422),
        (b"contract=misere", "text/plain", 422),
        (b"contract=misere", "", 422),
        (b"--B", "multipart/form-data; boundary=B", 422),
        (b"--B", "multipart/form-data", 400),
        (b"x=" + b"9" * 3_000_000, "application/x-www-form-urlencoded", 413),
        (b"&".join(b"x%d=1" % number for number in range(2000)), "application/x-www-form-urlencoded", 400),
        *(
            (MULTIPART, f"multipart/form-data; boundary=B; charset={name}", 422)
            for name in ("utf-16", "unicode_escape")
        ),
        *((MULTIPART, f"multipart/form-data; boundary=B; charset={name}", 422) for name in ("hex", "undefined", "nix")),
        (b"note=a", "application/x-www-form-urlencoded; charset=latin-1", 422),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_no_form_at_all_is_answered_in_words(
    phone: Phone, body: bytes, content_type: str, status: int, strict: bool
):
    client = Client(enforce_csrf_checks=strict)
    response = raw(Phone(phone.match, client), body, content_type)
    assert response.status_code in ((status, 403) if strict else (status,))
    assert "Nothing was" in words(soup(response).main) or "nothing was" in words(soup(response).main)
    assert phone.rows == []


@pytest.mark.parametrize("note", ["%ED%A0%80", "%00", "%FF%FE", "a%EF%BF%BDb"])
def test_half_characters_and_broken_bytes_are_refused_in_a_note(phone: Phone, note: str):
    body = f"contract=misere&double=1-0&step=doubles&key={new_key()}&revision=0&note={note}"
    response = raw(phone, body.encode(), "application/x-www-form-urlencoded")
    assert problems(response) == ["The note has a character that cannot be kept."]
    assert phone.rows == []


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_posted_at_any_moment_nothing_breaks_and_no_hand_is_unsound(seed: int):
    random = Random(seed)
    phone = go_on(random_match("barbu-classic", seed, hands=random.randrange(29)))
    for _ in range(25):
        number = phone.state.finished + random.choice((0, 0, 1, 1, 1, 2))
        deed = random.choice(((), (), (), ("correct",), ("undo",), ("redo",)))
        rows = phone.rows
        response = phone.send("hand", number, *deed, fields=anything(random), in_place=random.random() < 0.3)
        assert response.status_code in (200, 204, 302, 404, 409, 422)
        assert phone.rows == rows or response.status_code in (200, 204, 302)
        assert phone.state.match.problems == ()
        assert phone.client.get(phone.address()).status_code == 200


def anything(random: Random) -> dict[str, Any]:
    """A form that now and then says a whole hand, and otherwise whatever."""
    contract = random.choice(list(WHOLE))
    fields = said(contract, [(random.randrange(4), random.randrange(4))], **WHOLE[contract])
    for name in random.sample([*fields, "declare", "pick", "out", "back", "preview", "seen", "played_anyway"], 3):
        fields[name] = random.choices(
            ["", "0", "1", "13", "-1", "x", "\x00", "S", "7", contract, "save", "again", "1-0"], k=2
        )
    return {name: value for name, value in fields.items() if random.random() < 0.97}


WHOLE: dict[str, dict[str, Any]] = {
    "misere": {"tricks": TRICKS},
    "no-hearts": {"hearts": TRICKS, "ace_of_hearts": CY},
    "no-queens": {"queens": (1, 1, 1, 1)},
    "barbu": {"king_of_hearts": DEE},
    "no-last-two": {"trick_12": BOB, "trick_13": CY},
    "trumps": {"trump": "S", "tricks": TRICKS},
    "dominoes": {"start": "7", "finish": (BOB, DEE, ANN, CY)},
}

NO_NUMBER = ["9" * 5000, "-1", "1.0", "٣", "one", "%00", ""]
NO_MATCH = [
    *(f"/t/{{code}}/{number}/" for number in (0, 2, 10**6, 10**18, 10**30, *NO_NUMBER)),
    "/t/{code}x/1/",
    "/t/%00/1/",
    f"/t/{'x' * 5000}/1/",
]


@pytest.mark.parametrize("address", NO_MATCH)
@pytest.mark.parametrize("part", ["", "hand/1/", "hand/1/correct/"])
def test_a_match_that_is_not_there_is_not_found(phone: Phone, address: str, part: str):
    there = address.replace("{code}", phone.match.table.code) + part
    assert phone.client.get(there).status_code == 404
    fields = said("misere", [(BOB, ANN)], tricks=TRICKS, key=new_key(), revision=0)
    assert phone.client.post(there, fields).status_code in ((404,) if part else (404, 405))
    assert phone.rows == []


@pytest.mark.parametrize("number", NO_NUMBER)
def test_a_hand_without_a_number_is_not_found(phone: Phone, number: str):
    there = phone.address("hand", number)
    assert phone.client.get(there).status_code == phone.client.post(there).status_code == 404


@pytest.mark.parametrize("number", [0, 2, 28, 29, 10**6, 10**18, 10**30])
def test_a_hand_that_is_not_up_is_a_conflict_and_shows_what_was_sent(phone: Phone, number: int):
    fields = said("misere", [(BOB, ANN)], tricks=TRICKS)
    response = phone.send("hand", number, fields=fields, revision=0)
    assert response.status_code in (404, 409)
    assert number == 0 or "Ann 2, Bob 3, Cy 5, Dee 3" in words(soup(response).select_one(".versions"))
    assert phone.rows == []


@pytest.mark.parametrize("where", [(), ("hand", 1), ("hand", 1, "correct"), ("hand", 1, "undo"), ("hand", 1, "redo")])
@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_other_methods_are_refused(phone: Phone, where: tuple[object, ...], method: str):
    phone.record("misere", [(BOB, ANN)], tricks=TRICKS)
    assert getattr(phone.client, method)(phone.address(*where)).status_code == 405
    assert phone.played == ["misere"]
