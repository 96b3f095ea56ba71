"""A match taken away: as a match file, and as sheets for a spreadsheet in which nothing runs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import Client

import referee
from referee import matchfile
from scorekeeper.models import Match, Table, new_code
from scorekeeper.sheets import hands_sheet, pairs_sheet, plain
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, new_key, soup, words

pytestmark = pytest.mark.django_db

A17 = ("=1+1", "+cmd", "@x", "-2", "a,b", 'say "hi"', "one\nother")


def rows(sheet: bytes) -> list[list[str]]:
    """A sheet as a spreadsheet reads it."""
    return list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"), newline="")))


def begin_with(names: Sequence[str], game: str = "barbu") -> Phone:
    """A match of players whose names no form would let through."""
    key = new_key()
    return Phone(
        Match.start(
            ruleset=referee.load(game),
            names=names,
            first_declarer=ANN,
            key=key,
            zone="UTC",
            table_name="Ours",
        )
    )


@pytest.mark.parametrize("names", [A17[:4], A17[3:]], ids=["formulas", "signs"])
@pytest.mark.parametrize("address", ["hands.csv", "pairs.csv"])
def test_a17_no_name_is_evaluated_and_every_row_has_all_columns(names: Sequence[str], address: str):
    phone = begin_with(names)
    phone.record("misere", [(BOB, ANN), (CY, DEE)], tricks=(2, 3, 5, 3))
    response = phone.client.get(f"{phone.address()}{address}")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response.content.startswith(b"\xef\xbb\xbf")
    told = rows(response.content)
    assert {len(row) for row in told} == {len(told[0])}
    assert response.content.count(b"\r\n") == len(told)
    cells = [cell for row in told for cell in row if cell and not is_number(cell)]
    assert [cell for cell in cells if cell[0] in "=+-@\t\r\n"] == []
    assert any(cell.startswith(("'=1+1", "'-2")) for cell in cells)


def is_number(cell: str) -> bool:
    return cell.removeprefix("-").replace(".", "", 1).isdecimal()


def test_a17_a_name_reads_as_it_was_typed_but_for_the_apostrophe_and_the_line_break():
    phone = begin_with(("a,b", 'say "hi"', "one\nother", "=1+1"))
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    [first, hand] = rows(pairs_sheet(phone.state.match))
    told = dict(zip(first, hand, strict=True))
    assert (told["Doubled by"], told["Doubled"]) == ('say "hi"', "a,b")
    assert rows(hands_sheet(phone.state.match))[0][-10].startswith("one other: ")
    assert rows(hands_sheet(phone.state.match))[0][-1] == "'=1+1: total"


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "−1", "@a", "\t=1", "\r=1", " =1", "\u200b=1", "＝1", "＋1", "－1", "＠a"]
)
def test_whatever_a_spreadsheet_may_take_for_a_formula_gets_an_apostrophe(text: str):
    assert plain(text).startswith("'")
    assert len(plain(text).splitlines()) == 1


@pytest.mark.parametrize("text", ["Ann", "a=1", "O'Brien", "", "1", "أحمد", "(x)"])
def test_other_texts_stay_as_they_are(text: str):
    assert plain(text) == text


def test_scores_are_plain_numbers_with_the_minus_sign_of_the_keyboard():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3), note="-5")
    phone.record("trumps", [(ANN, BOB), (BOB, ANN)], trump="H", tricks=(4, 3, 3, 3))
    first, misere, trumps, score, place, won = rows(hands_sheet(phone.state.match))
    told = dict(zip(first, misere, strict=True))
    assert (told["Hand"], told["Declarer"], told["Contract"], told["Doubles"]) == ("1", "Ann", "Misère", "Bob → Ann")
    assert [told[f"{name}: hand"] for name in ("Ann", "Bob", "Cy", "Dee")] == ["-2", "-8", "-10", "-6"]
    assert (told["Ann: before doubling"], told["Ann: by doubling"]) == ("-4", "2")
    assert (told["Note"], told["Trump"]) == ("'-5", "")
    assert dict(zip(first, trumps, strict=True))["Trump"] == "Hearts"
    running = dict(zip(first, score, strict=True))
    assert [running[f"{name}: total"] for name in ("Ann", "Bob", "Cy", "Dee")] == [
        str(points) for points in phone.total
    ]
    places = {standing.seat: str(standing.place) for standing in phone.state.match.standings}
    assert dict(zip(first, place, strict=True))["Bob: total"] == places[BOB]
    assert (place[0], won[0]) == ("Place", "Won")
    assert "yes" not in won


def test_a_pair_says_who_doubled_whom_who_doubled_back_and_what_it_moved():
    phone = begin()
    phone.record("misere", [(BOB, ANN), (ANN, BOB), (DEE, CY)], tricks=(2, 3, 5, 3))
    first, *pairs = rows(pairs_sheet(phone.state.match))
    told = [dict(zip(first, pair, strict=True)) for pair in pairs]
    assert [(one["Doubled by"], one["Doubled"], one["Doubled back"]) for one in told] == [
        ("Bob", "Ann", "yes"),
        ("Dee", "Cy", ""),
    ]
    assert [(one["Difference"], one["Moved to doubled by"]) for one in told] == [("2", "-4"), ("4", "4")]
    assert [(one["Before doubling: doubled by"], one["Before doubling: doubled"]) for one in told] == [
        ("-6", "-4"),
        ("-6", "-10"),
    ]


def test_halves_are_numbers_too():
    match = random_match("chinese-poker", 3)
    cells = [cell for row in rows(hands_sheet(match))[1:] for cell in row]
    halves = [points for hand in match.finished_hands for points in hand.total if points != int(points)]
    assert all(str(points) in cells for points in halves)


@pytest.mark.parametrize("game", referee.names())
def test_the_sheets_of_every_game_say_what_the_referee_says(game: str):
    match = random_match(game, 5)
    first, *told = rows(hands_sheet(match))
    assert {len(row) for row in told} == {len(first)}
    for row, scored in zip(told, match.finished_hands, strict=False):
        cells = dict(zip(first, row, strict=True))
        for seat, name in enumerate(match.players):
            assert float(cells[f"{name}: hand"]) == scored.total[seat]
            assert float(cells[f"{name}: total"]) == scored.running[seat]
    moved: dict[tuple[str, str], float] = {}
    first, *pairs = rows(pairs_sheet(match))
    for row in pairs:
        pair = dict(zip(first, row, strict=True))
        points = float(pair["Moved to doubled by"])
        for name, change in ((pair["Doubled by"], points), (pair["Doubled"], -points)):
            moved[(pair["Hand"], name)] = moved.get((pair["Hand"], name), 0) + change
    for scored in match.finished_hands:
        for seat, name in enumerate(match.players):
            assert moved.get((str(scored.number), name), 0) == scored.doubling[seat]


def test_a16_two_winners_stand_in_the_sheet_with_shared_places():
    phone = go_on(tied())
    first, *_told, score, place, won = rows(hands_sheet(phone.state.match))
    at_the_end = [dict(zip(first, row, strict=True)) for row in (score, place, won)]
    names = ("Ann", "Bob", "Cy", "Dee")
    assert [[row[f"{name}: total"] for name in names] for row in at_the_end] == [
        ["40", "40", "-10", "-70"],
        ["1", "1", "3", "4"],
        ["yes", "yes", "", ""],
    ]


def tied() -> referee.Match:
    """A finished match of 40, 40, −10, −70: a penalty brings it there."""
    match = random_match("barbu", 11)
    wanted = (40, 40, -10, -70)
    last = match.hands[-1]
    bare = [*match.hands[:-1], referee.from_record(referee.to_record(last) | {"adjustment": None})]
    ends = match.with_hands(bare).turn.running
    points = {str(seat): goal - end for seat, (goal, end) in enumerate(zip(wanted, ends, strict=True)) if goal != end}
    fined = referee.to_record(last) | {"adjustment": {"points": points, "reason": "for a tie"}}
    return referee.Match(match.ruleset, ("Ann", "Bob", "Cy", "Dee"), match.first_declarer).with_hands(
        [*match.hands[:-1], referee.from_record(fined)]
    )


def file_of(phone: Phone) -> HttpResponse:
    return phone.client.get(phone.address("file"))


def test_a_match_is_given_out_as_a_match_file_with_the_day_of_its_evening():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3), note="well")
    Table.objects.update(zone="Europe/Berlin")
    Match.objects.update(began=datetime(2026, 11, 29, 1, 30, tzinfo=UTC), extra={"club": {"name": "Ours"}})
    response = file_of(phone)
    assert response["Content-Type"] == "application/json"
    file = matchfile.parse(response.content)
    assert file.problems == ()
    assert file.played_on == "2026-11-28"
    assert file.extra == {"club": {"name": "Ours"}}
    assert file.match == phone.state.match


def test_a_hand_taken_back_is_not_in_the_file_and_one_half_entered_is():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [])
    phone.undo()
    phone.record("trumps", [], trump="S", step="doubles")
    told = json.loads(file_of(phone).content)["hands"]
    assert told[1:] == [{"contract": "trumps", "trump": "S", "doubles": []}]


@pytest.mark.parametrize(
    ("name", "plain_name", "full"),
    [
        ("Sunday table", "Sunday-table", "Sunday-table"),
        ("Zoë's café", "Zoe-s-cafe", "Zo%C3%AB-s-caf%C3%A9"),
        ("طاولة", "", "%D8%B7%D8%A7%D9%88%D9%84%D8%A9"),
        ('a"; filename="evil.exe', "a-filename-evil-exe", "a-filename-evil-exe"),
        ("../../etc/passwd", "etc-passwd", "etc-passwd"),
        ("a\r\nSet-Cookie: x=1", "a-Set-Cookie-x-1", "a-Set-Cookie-x-1"),
    ],
)
def test_a_file_is_called_after_its_table_and_day(name: str, plain_name: str, full: str):
    phone = begin()
    Table.objects.update(name=name)
    Match.objects.update(began=datetime(2026, 11, 29, 20, tzinfo=UTC))
    for address, what in (("file/", "json"), ("hands.csv", "hands.csv"), ("pairs.csv", "pairs.csv")):
        stem, _dot, ending = f"match-1-{what}".replace("-json", ".json").replace("-csv", ".csv").rpartition(".")
        short = "-".join(filter(None, [plain_name, "2026-11-29", stem]))
        disposition = phone.client.get(phone.address() + address)["Content-Disposition"]
        assert disposition == (
            f"attachment; filename=\"{short}.{ending}\"; filename*=UTF-8''{full}-2026-11-29-{stem}.{ending}"
        )


def test_whoever_has_the_link_may_take_a_match_away_but_not_the_table():
    phone = begin()
    phone.record("barbu", [])
    for address in ("file/", "hands.csv", "pairs.csv"):
        assert Client().get(phone.address() + address).status_code == 200
        assert Client().head(phone.address() + address).content == b""
    code = phone.match.table.code
    assert Client().get(f"/t/{code}/backup/").status_code == 403
    page = soup(Client().get(f"/t/{code}/files/"))
    assert page.select("form") == []
    assert page.select(f'a[href="/t/{code}/backup/"]') == []


def test_what_does_not_exist_is_not_found():
    phone = begin()
    for address in ("file/", "hands.csv", "pairs.csv"):
        assert phone.client.get(f"/t/{phone.match.table.code}/2/{address}").status_code == 404
        assert phone.client.get(f"/t/{new_code()}/1/{address}").status_code == 404
    for address in ("files", "backup", "restore", "import"):
        assert phone.client.get(f"/t/{new_code()}/{address}/").status_code == 404


def test_the_files_are_reached_from_the_table_and_from_a_match_that_is_over():
    phone = go_on(tied())
    code = phone.match.table.code
    assert f"/t/{code}/files/" in [link["href"] for link in soup(phone.client.get(f"/t/{code}/")).select("a")]
    links = {words(link): link["href"] for link in phone.see().select("nav.links a")}
    assert links["Match file"] == phone.address("file")
    assert links["Hands for a spreadsheet"] == f"{phone.address()}hands.csv"
    assert links["Doubles for a spreadsheet"] == f"{phone.address()}pairs.csv"
