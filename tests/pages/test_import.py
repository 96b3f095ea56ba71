"""Matches scored elsewhere come as files: shown first, taken in once, and never believed about a score."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client

import referee
from referee import matchfile
from referee.report import report
from scorekeeper.match_files import MOST_HANDS, MOST_MATCHES, given_in, take_in
from scorekeeper.models import Hand, Match, Player
from tests.referee.strategies import random_match

from .table import ANN, BOB, Phone, begin, problems, soup, words

pytestmark = pytest.mark.django_db

CASES = [
    pytest.param(case, id=f"{path.stem}-{index}")
    for path in sorted((Path(__file__).parents[1] / "referee" / "cases").glob("*.json"))
    for index, case in enumerate(json.loads(path.read_text("utf-8")))
]

TOLD: dict[str, Any] = {
    "format": "match/1",
    "ruleset": "barbu",
    "players": ["Ann", "Bob", "Cy", "Dee"],
    "first_declarer": "Ann",
    "played_on": "2025-03-14",
    "club": {"name": "Elsewhere", "room": 7},
    "hands": [
        {
            "contract": "no-queens",
            "doubles": [["Bob", "Ann"], ["Bob", "Cy"], ["Bob", "Dee"], ["Cy", "Ann"], ["Ann", "Cy"]],
            "result": {"counts": {"queens": {"Dee": 2, "Ann": 1, "Cy": 1}}},
            "table": 3,
        },
        {"contract": "misere", "doubles": []},
    ],
}
"""Worked out: Ann −12 −7, Bob 24 −7, and so on (MATCH_FORMAT's own example, then a hand passed out)."""


@pytest.fixture
def phone() -> Phone:
    return begin()


def address(phone: Phone) -> str:
    return f"/t/{phone.match.table.code}/import/"


def text_of(told: object) -> str:
    return json.dumps(told, ensure_ascii=False)


def look(phone: Phone, *told: object, text: str = "", client: Client | None = None) -> HttpResponse:
    """Choose files, or paste a text, and look at what they hold."""
    files = [
        SimpleUploadedFile(f"match-{number}.json", one if isinstance(one, bytes) else text_of(one).encode())
        for number, one in enumerate(told, start=1)
    ]
    return (client or phone.client).post(address(phone), {"file": files, "text": text})


def take(phone: Phone, seen: HttpResponse) -> HttpResponse:
    """Press the button below what was looked at."""
    held = soup(seen).select_one("[name=held]")
    assert held is not None
    return phone.client.post(address(phone), {"held": held["value"], "take": "1"})


def bring(phone: Phone, *told: object) -> HttpResponse:
    seen = look(phone, *told)
    assert seen.status_code == 200, words(soup(seen))
    return take(phone, seen)


def newest() -> Match:
    return Match.objects.select_related("table").latest("pk")


def changed(*path: Any) -> dict[str, Any]:
    """The file with another value at a place."""
    data = copy.deepcopy(TOLD)
    *steps, last, value = path
    place: Any = data
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize("case", CASES)
def test_every_case_comes_in_by_the_page_with_the_figures_of_its_report_and_goes_out_as_it_was(
    phone: Phone, case: dict[str, Any]
):
    seen = look(phone, case)
    assert seen.status_code == 200
    assert soup(seen).select(".notice h3") == []
    page = soup(seen)
    shown = [
        (words(place.select_one(".name")), words(place.select_one("i")), words(place.select_one(".figure")))
        for place in page.select(".brought li:has(.figure)")
    ]
    assert [(name, int(place)) for name, place, _score in shown] == [
        (standing["player"], standing["place"]) for standing in case["report"]["standings"]
    ]
    assert [number(score) for _name, _place, score in shown] == [
        standing["score"] for standing in case["report"]["standings"]
    ]
    assert take(phone, seen).status_code == 302
    match = newest()
    told = report(match.state().match, case["match"]["ruleset"] if isinstance(case["match"]["ruleset"], str) else None)
    for key in ("standings", "owed", "left", "forced", "next", "finished", "winners"):
        if key in case["report"]:
            assert told[key] == case["report"][key], key
    given = json.loads(phone.client.get(f"/t/{match.table.code}/{match.number}/file/").content)
    assert given == case["match"]
    assert phone.client.get(f"/t/{match.table.code}/{match.number}/").status_code == 200


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace(",", ""))


def test_a_file_is_shown_first_and_stored_when_that_is_asked_for(phone: Phone):
    seen = look(phone, TOLD)
    assert Match.objects.count() == 1
    page = soup(seen)
    assert words(page.select_one(".brought h2")) == "Barbu"
    assert "14 March 2025 · 2 hands · not finished" in words(page.select_one(".brought .card-head"))
    assert [words(place) for place in page.select(".brought li")] == ["1 Bob +25", "2 Ann −21", "2 Cy −21", "4 Dee −33"]
    response = take(phone, seen)
    match = newest()
    assert response["Location"] == f"/t/{match.table.code}/2/"
    assert (match.number, match.version, match.game) == (2, 2, "barbu")
    assert match.table.evening(match.began) == date(2025, 3, 14)
    assert match.table.by_the_clock(match.began).hour == 20
    assert [(row.number, row.revision, row.action) for row in match.hands.all()] == [(1, 1, "enter"), (2, 1, "enter")]


def test_fields_that_nobody_knows_are_given_back_untouched(phone: Phone):
    bring(phone, TOLD)
    match = newest()
    response = phone.client.get(f"/t/{match.table.code}/{match.number}/file/")
    assert json.loads(response.content) == TOLD
    assert list(json.loads(response.content)["club"]) == ["name", "room"] or connection.vendor != "sqlite"


def test_a_file_that_knows_no_day_gets_none(phone: Phone):
    bring(phone, changed("played_on", ...))
    match = newest()
    assert "played_on" not in json.loads(phone.client.get(f"/t/{match.table.code}/{match.number}/file/").content)


def test_the_same_file_twice_is_one_match_however_it_is_written(phone: Phone):
    bring(phone, TOLD)
    again = json.dumps(dict(reversed(TOLD.items())), indent=8).encode()
    seen = look(phone, again)
    assert words(soup(seen).select_one(".brought .here")) == "Was here already: match 2"
    assert soup(seen).select("[name=held]") == []
    assert Match.objects.count() == 2


def test_the_same_file_chosen_twice_or_sent_twice_is_one_match(phone: Phone):
    seen = look(phone, TOLD, TOLD)
    assert words(soup(seen).select_one("[name=take]")) == "Take in 1 match"
    assert take(phone, seen)["Location"] == take(phone, seen)["Location"]
    assert Match.objects.count() == 2


def test_a_match_of_this_table_that_comes_back_is_known(phone: Phone):
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    given = phone.client.get(phone.address("file")).content
    assert words(soup(look(phone, given)).select_one(".here")) == "Was here already: match 1"
    phone.record("barbu", [])
    assert soup(look(phone, given)).select(".here") == []


def test_players_join_those_of_the_same_name_and_who_is_gone_stays_gone(phone: Phone):
    phone.match.table.players.get(name="Bob").remove()
    told = json.loads(text_of(TOLD).replace('"Ann"', '" ANN "').replace('"Dee"', '"Eve"'))
    bring(phone, told)
    players = [seat.player for seat in newest().seats.all()]
    assert [player.name for player in players] == ["Ann", "Bob", "Cy", "Eve"]
    assert players[1].is_gone
    assert Player.objects.count() == 5


def test_several_files_and_lists_of_matches_come_together(phone: Phone):
    others = [{"match": changed("played_on", f"2025-03-{day}")} for day in (15, 16)]
    seen = look(phone, TOLD, others)
    assert [words(one) for one in soup(seen).select(".brought > p.quiet")] == [
        "match-1.json",
        "match-2.json (1)",
        "match-2.json (2)",
    ]
    response = take(phone, seen)
    assert Match.objects.count() == 4
    assert words(soup(phone.client.get(response["Location"])).select_one("[role=status]")) == (
        "Done 3 matches were taken in, or were here already."
    )


def test_a_text_is_pasted(phone: Phone):
    seen = look(phone, text=text_of(TOLD))
    assert words(soup(seen).select_one(".brought > p.quiet")) == "The text"
    take(phone, seen)
    assert Match.objects.count() == 2


def test_own_rules_of_the_file_are_kept_with_the_match(phone: Phone):
    rules = referee.rules.to_object(referee.load("barbu-quick")) | {"code": "flood", "name": "Flood"}
    match = random_match(referee.rules.from_object(rules), 4)
    bring(phone, json.loads(matchfile.write(match)))
    assert newest().state().match.ruleset.name == "Flood"
    assert newest().game == "flood"


CLAIMS = [
    (
        ("hands", 0, "total", {"Ann": -12, "Bob": 99, "Cy": True}),
        [
            "Hand 1, Bob: the file says 99, worked out it is 24.",
            "Hand 1, Cy: the file says true, worked out it is −12.",
        ],
    ),
    (("hands", 0, "score", [-12, 24, -12, "many"]), ["Hand 1, Dee: the file says “many”, worked out it is −24."]),
    (("hands", 0, "basic", {"Ann": 0}), ["Hand 1, Ann: the file says 0 before doubling, worked out it is −6."]),
    (("hands", 0, "doubling", {"Bob": 12.5}), ["Hand 1, Bob: the file says 12.5 by doubling, worked out it is 24."]),
    (("hands", 1, "running", {"Ann": 5}), ["After hand 2, Ann: the file says 5, worked out it is −21."]),
    (("total", {"Ann": 100}), ["Final score, Ann: the file says 100, worked out it is −21."]),
    (
        ("standings", [{"player": "Ann", "score": 1, "place": 1}]),
        ["Final score, Ann: the file says 1, worked out it is −21.", "Ann: the file says place 1, worked out it is 2."],
    ),
    (("winners", ["<b>Ann</b>"]), ["Won, the file says: <b>Ann</b>. Worked out: –."]),
    (
        ("report", {"hands": [{"total": {"Ann": -13}}]}),
        [
            "Hand 1, Ann: the file says −13, worked out it is −12.",
            "The file has scores of 1 hands, and the match has 2.",
        ],
    ),
]


@pytest.mark.parametrize(("claim", "says"), CLAIMS, ids=lambda told: str(told)[:40])
def test_scores_in_a_file_are_not_believed_and_a_difference_is_told(
    phone: Phone, claim: Sequence[Any], says: list[str]
):
    seen = look(phone, changed(*claim))
    assert [words(line) for line in soup(seen).select(".notice li")] == says
    assert b"<b>Ann</b>" not in seen.content
    take(phone, seen)
    assert newest().state().match.turn.running == referee.matchfile.read(TOLD).match.turn.running


def test_true_scores_in_a_file_are_no_difference(phone: Phone):
    match = matchfile.read(TOLD).match
    told = TOLD | {"report": report(match), "total": list(match.turn.running), "standings": report(match)["standings"]}
    assert soup(look(phone, told)).select(".notice") == []
    assert soup(look(phone, {"match": TOLD, "report": report(match)})).select(".notice") == []


def test_a_report_beside_the_match_is_compared_too(phone: Phone):
    worked_out = report(matchfile.read(TOLD).match)
    worked_out["hands"][0]["total"]["Ann"] += 1
    [line] = soup(look(phone, {"match": TOLD, "report": worked_out})).select(".notice li")
    assert words(line) == "Hand 1, Ann: the file says −11, worked out it is −12."


def test_many_differences_are_counted(phone: Phone):
    told = copy.deepcopy(TOLD)
    for hand in told["hands"]:
        hand |= {kind: dict.fromkeys(told["players"], 1000) for kind in ("total", "basic", "doubling", "running")}
    page = soup(look(phone, told))
    assert len(page.select(".notice li")) == 20
    assert "and 12 more" in words(page.select_one(".notice"))


def test_a_hand_that_broke_a_duty_comes_in_and_says_so(phone: Phone):
    told = json.loads(matchfile.write(never_doubled()))
    page = soup(look(phone, told))
    assert any("the double was compulsory" in words(line) for line in page.select("p.notice"))


def never_doubled() -> referee.Match:
    match = random_match("barbu-quick", 1)
    positive = {contract.code for contract in match.ruleset.contracts if not contract.is_negative}
    return match.with_hands(
        [
            referee.from_record(referee.to_record(hand) | {"doubles": []})
            if hand.contract in positive
            else referee.Hand(contract=hand.contract, doubles=())
            for hand in match.hands
        ]
    )


UNREAD = "This is no match that can be read. "

REFUSED = [
    (
        changed("hands", 0, "result", "counts", "queens", {"Dee": 3}),
        "Hand 1: 3 queens entered; 4 were played. 1 missing.",
    ),
    (changed("hands", 0, "contract", "poker"), "Hand 1: Barbu has no contract “poker”."),
    (changed("ruleset", "whist"), "There is no rule set “whist”."),
    (changed("players", 1, "ann"), "Two players are called ann; names must differ by more than case and spaces."),
    (changed("format", "match/2"), UNREAD + "format: this reads “match/1”, not “match/2”."),
    (changed("played_on", "0001-01-01"), "It was played on 0001-01-01; days from 1900 to 2199 can be kept."),
    (changed("hands", 0, "note", "\0"), UNREAD + "A character in it cannot be stored (NUL)."),
    (
        json.loads(text_of(TOLD).replace('"Dee"', '"\u200b"')),
        "This name has characters that cannot be read, such as a line break.",
    ),
    (
        changed("hands", [{}] * (MOST_HANDS + 1)),
        UNREAD + "It has 1,001 hands; at most 1,000 are read.",
    ),
    (
        report(matchfile.read(TOLD).match),
        UNREAD + "This is a report of scores. It does not say what was declared and taken; take the match.",
    ),
    (
        {"format": "table/1"},
        UNREAD + "This is the backup of a whole table. Restore it instead.",
    ),
    ([], "This list has 0 matches; 1 to 50 can be taken at once."),
    ([TOLD] * (MOST_MATCHES + 1), "This list has 51 matches; 1 to 50 can be taken at once."),
    (7, UNREAD + "An object was expected."),
    (b"[" * 100_000, UNREAD + "The file is nested out of all reason."),
    (b"\xff\xfe", UNREAD + "The file is not UTF-8 text: byte 1 fits nowhere."),
    (b"\x1f\x8b\x08", UNREAD + "The file is not UTF-8 text: byte 2 fits nowhere."),
    (
        b'{"format": "match/1"',
        UNREAD + "The file is not JSON: Expecting ',' delimiter, line 1, column 21.",
    ),
    (b'{"a": NaN}', UNREAD + "a: NaN is no number."),
    (b'{"a": 1, "a": 2}', UNREAD + "“a” is there twice in one object."),
    (
        b'{"a": ' + b"9" * 5000 + b"}",
        UNREAD + "a: a number of 5000 digits is out of all reason.",
    ),
]


@pytest.mark.parametrize(("told", "says"), REFUSED, ids=lambda told: str(told)[:40])
def test_a_file_that_cannot_be_is_refused_whole_in_words_with_hand_and_place(phone: Phone, told: object, says: str):
    seen = look(phone, told)
    assert seen.status_code == 422
    assert words(soup(seen).select_one("#refused + ul ul li")).startswith(says)
    assert soup(seen).select("[name=held]") == []
    assert Match.objects.count() == 1


def test_sound_files_beside_a_bad_one_can_be_taken(phone: Phone):
    seen = look(phone, TOLD, changed("ruleset", "whist"))
    assert seen.status_code == 422
    assert words(soup(seen).select_one("#refused + ul b")) == "match-2.json"
    take(phone, seen)
    assert Match.objects.count() == 2


def test_what_was_pasted_stays_where_it_has_to_be_mended(phone: Phone):
    wrong = text_of(changed("ruleset", "whist"))
    assert soup(look(phone, text=wrong)).select_one("textarea").text.strip() == wrong


def test_nothing_chosen_and_too_much_chosen_are_said(phone: Phone):
    assert problems(look(phone)) == ["Choose the file of a match, or paste its text."]
    assert problems(look(phone, b" " * 2_000_001))[0].startswith("This is 2,000,001 bytes; at most 2,000,000")
    assert phone.client.post(address(phone), {"held": "[[1]]", "take": "1"}).status_code == 422
    assert phone.client.post(address(phone), {"held": "{", "take": "1"}).status_code == 422


def test_only_who_scores_takes_matches_in(phone: Phone):
    assert look(phone, TOLD, client=Client()).status_code == 403
    assert Client().get(address(phone)).status_code == 403
    assert Match.objects.count() == 1


def test_a17_names_that_would_run_in_a_spreadsheet_come_in_and_go_out_as_text(phone: Phone):
    names = ["=1+1", "+cmd", "@x", "one\nother"]
    text = text_of(TOLD)
    for name, other in zip(TOLD["players"], names, strict=True):
        text = text.replace(json.dumps(name), json.dumps(other))
    seen = look(phone, json.loads(text))
    assert words(soup(seen).select_one("p.notice")) == "A name was written on several lines; here it is “one other”."
    take(phone, seen)
    assert [seat.player.name for seat in newest().seats.all()] == [*names[:3], "one other"]
    sheet = phone.client.get(f"/t/{newest().table.code}/2/hands.csv").content.decode("utf-8-sig")
    assert "'=1+1: total" in sheet
    assert "\r\n1,'=1+1,'=1+1,No Queens," in sheet


def test_markup_in_names_is_shown_as_it_is(phone: Phone):
    told = json.loads(text_of(TOLD).replace('"Ann"', '"<b>x</b>"'))
    seen = look(phone, told | {"note": "<script>alert(1)</script>"})
    assert b"<b>x</b>" not in seen.content
    assert b"<script>alert" not in seen.content
    assert "<b>x</b>" in [words(name) for name in soup(seen).select(".brought .name")]


@pytest.mark.django_db(transaction=True)
def test_the_same_file_taken_by_four_phones_at_once_is_one_match():
    table = begin().match.table
    gate, failed = Barrier(4), []
    [given] = given_in(text_of(TOLD).encode(), "match.json")

    def run() -> None:
        gate.wait()
        try:
            take_in(table, given)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (Match.objects.count(), Hand.objects.count()) == (2, 2)
