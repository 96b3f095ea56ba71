"""A match looked back on: places, line, sheet, ledgers, turning points, duties, corrections; and the end of a match."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

import referee
from referee.explain import signed
from referee.report import report
from scorekeeper import paper
from scorekeeper.models import Hand, Match
from scorekeeper.templatetags.cards import total
from tests.pages.test_cases import ending_with
from tests.pages.test_charts import rounds
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, soup, table_of, words

pytestmark = pytest.mark.django_db


def review(phone: Phone) -> BeautifulSoup:
    return phone.see("review")


def points(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace(",", ""))


def sheet_rows(page: BeautifulSoup) -> dict[int, list[tuple[float, float]]]:
    """The paper sheet by hand number: each seat's change and running total."""
    rows = {}
    for row in page.select(".paper tbody tr"):
        if number := row.select_one(".n"):
            cells = [(points(td.b.text), points(td.small.text)) for td in row.select("td")]
            rows[int(number.text)] = cells
    return rows


def section(page: BeautifulSoup, heading: str) -> BeautifulSoup:
    [found] = [part for part in page.select("main section") if words(part.select_one("h2, caption")) == heading]
    return found


# --- places, and the figures of everything ---


def test_ties_share_a_place_and_the_match():
    page = review(go_on(ending_with(40, 40, -10, -70)))
    assert words(page.select_one(".places h2")) == "Ann, Bob win"
    assert [words(line) for line in page.select(".places li")] == ["1 Ann +40", "1 Bob +40", "3 Cy −10", "4 Dee −70"]
    assert "1. Ann +40\n1. Bob +40\n3. Cy −10\n4. Dee −70" in page.select_one("[data-text]").text


def test_a_game_that_nobody_won_says_so():
    match = random_match("king", seed=1)
    level = {seat: -points for seat, points in enumerate(match.turn.running)}
    last = match.hands[-1]
    beside = {seat: level[seat] + (last.adjustment.points.get(seat, 0) if last.adjustment else 0) for seat in level}
    match = match.with_hands([*match.hands[:-1], replace(last, adjustment=referee.Adjustment(points=beside))])
    assert match.winners == ()
    page = review(go_on(match))
    assert words(page.select_one(".places h2")) == "Nobody is above zero"
    assert {words(place) for place in page.select(".places .place")} == {"1"}


@pytest.mark.parametrize("code", referee.names())
def test_every_figure_of_the_sheet_is_the_referee_s(code: str):
    match = random_match(code, seed=12)
    page, told = review(go_on(match)), report(match)
    assert sheet_rows(page) == {
        hand["number"]: [(hand["total"][name], hand["running"][name]) for name in match.players]
        for hand in told["hands"]
    }
    assert [words(line).split(" ") for line in page.select(".places li")] == [
        [str(place["place"]), place["player"], total(place["score"], match.ruleset)] for place in told["standings"]
    ]
    sums = [[points(cell.text) for cell in foot.select("td")] for foot in page.select(".paper tfoot")]
    for seat, name in enumerate(match.players):
        assert sum(row[seat] for row in sums) == sum(hand["total"][name] for hand in told["hands"])


@pytest.mark.parametrize("code", ["barbu", "ravage-city", "chinese-poker-72"])
def test_what_was_won_by_doubling_is_the_sum_of_the_referee_s_doubling(code: str):
    match = random_match(code, seed=7)
    page, told = review(go_on(match)), report(match)
    rows = table_of(page, "Won by doubling")[1:]
    for seat, name in enumerate(match.players):
        assert rows[seat][0] == name
        assert rows[seat][1 + seat] == "·"
        won = [points(cell) for cell in rows[seat][1:-1] if cell != "·"]
        assert sum(won) == points(rows[seat][-1]) == sum(hand["doubling"][name] for hand in told["hands"])
    says = [words(line) for line in page.select(".won details li")]
    assert len(says) == sum(len(referee.explain(scored).pairs) for scored in match.scored)


def test_the_ledger_of_a_pair_says_who_won_what_hand_by_hand():
    phone = begin()
    phone.record("barbu", [(BOB, CY)], king_of_hearts=CY)
    phone.record("misere", [(CY, BOB), (BOB, CY)], tricks=(0, 13, 0, 0))
    [pair] = review(phone).select(".won details")
    assert words(pair.summary) == "Cy won 32 from Bob 2 hands"
    assert [words(line) for line in pair.select("li")] == [
        "Hand 1 Bob doubled Cy: Bob 0, Cy −20, difference 20: Bob +20, Cy −20",
        "Hand 2 Cy doubled Bob and Bob doubled back: Cy 0, Bob −26, difference 26, twice: Cy +52, Bob −52",
    ]


# --- the sheet as on paper ---


def test_a_declarer_s_block_has_each_contract_with_its_doubles_and_open_lines():
    phone = begin()
    phone.record("misere", [(BOB, ANN), (BOB, DEE), (CY, BOB), (BOB, CY), (ANN, BOB)], tricks=(13, 0, 0, 0))
    phone.record("barbu")
    page = review(phone)
    assert [words(table.caption) for table in page.select(".paper table")] == ["Ann declares", "Bob declares"]
    first = page.select_one(".paper table")
    lines = [words(line) for line in first.select("tbody th")]
    assert lines[0] == "1 Misère B→D, B⇄A C"
    assert lines[1:] == ["No Hearts", "No Queens", "Barbu", "No Last Two", "Trumps", "Dominoes"]
    assert first.select_one("tbody a")["aria-label"] == "Explain hand 1, Misère, Bob ⇄ Cy, Bob → Dee, Bob ⇄ Ann"
    assert "passed out" in words(page.select(".paper table")[1])
    assert "A = Ann, B = Bob, C = Cy, D = Dee" in page.select_one(".key").text


def test_marks_of_players_whose_names_begin_alike_differ():
    assert paper.marks_of(["Bob", "bea", "Wilhelmina", "Wilhelmine"]) == ["Bo", "be", "W3", "W4"]
    assert paper.marks_of(["👩‍👩‍👧 Zoë", "é", "Ann", "Anna"]) == ["👩‍👩‍👧", "é", "A3", "A4"]
    assert paper.marks_of(["أحمد", "Bob"]) == ["\u2068أ\u2069", "B"]


def test_what_was_special_about_a_hand_stands_in_its_line():
    match = random_match("coup-detat", seed=8)
    lines = [words(line) for line in review(go_on(match)).select(".paper tbody th")]
    coups = [scored for scored in match.scored if scored.hand.coup is not None]
    assert coups
    assert sum("coup" in line for line in lines) == len(coups)
    assert sum("penalty" in line for line in lines) == sum(hand.adjustment is not None for hand in match.hands)


def test_a_game_without_declarers_has_a_plain_table_of_rounds():
    match = random_match("get-barbara", seed=4)
    page = review(go_on(match))
    first = page.select_one(".paper table")
    assert words(first.caption).startswith("Round")
    assert "declares" not in words(page.main)
    assert "Compulsory doubles" not in words(page.main)
    assert "Won by doubling" not in words(page.main)


# --- the line ---


def svg(page: BeautifulSoup) -> BeautifulSoup:
    return page.select_one(".line svg")


def test_each_hand_is_a_point_that_leads_to_its_explanation_and_says_what_happened():
    match = random_match("barbu", seed=2)
    phone = go_on(match)
    targets = svg(review(phone)).select("a.target")
    assert [link["href"] for link in targets] == [phone.address("hand", n) for n in range(1, 29)]
    for link, scored in zip(targets, match.scored, strict=True):
        assert f"Hand {scored.number}, {scored.contract.name}" in link["aria-label"]
        for seat, name in enumerate(match.players):
            assert f"{name} {signed(scored.total[seat])} to {signed(scored.running[seat])}" in link["aria-label"]


def test_the_picture_has_a_sentence_and_no_style_of_its_own():
    phone = go_on(random_match("barbu", seed=2))
    response = phone.client.get(phone.address("review"))
    picture = svg(soup(response))
    assert "over 28 hands from 0" in picture.desc.text
    assert picture["aria-describedby"] == picture.desc["id"]
    assert not soup(response).select("[style], style, script:not([src])")
    drawn = re.search(r"<svg.*?</svg>", response.content.decode(), re.DOTALL)
    assert ElementTree.fromstring(drawn[0]) is not None


def test_more_hands_than_there_is_room_for_share_a_target():
    phone = go_on(rounds(60, 3))
    links = svg(review(phone)).select("a.target")
    assert len(links) == 20
    assert links[0]["href"] == phone.address("review") + "#hand-1"
    assert links[0]["aria-label"] == "Hands 1 to 3: Ann −75 to −75, Bob +3 to 3, Cy 0 to 0"
    assert review(phone).select_one("details#hand-58")


# --- turning points, best hands, duties ---


def test_turning_points_name_the_largest_swings_and_every_change_of_the_lead():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
    phone.record("trumps", trump="S", tricks=(0, 0, 13, 0))
    lines = [words(line) for line in section(review(phone), "Turning points").select("li")]
    assert lines == [
        "Hand 2 Trumps ♠︎, Bob: Cy +65",
        "Hand 1 Misère, Ann: Ann −52",
        "Hand 1 Bob takes the lead.",
        "Hand 2 Cy takes the lead from Bob.",
    ]


def test_best_and_worst_hand_of_each_player():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
    phone.record("trumps", trump="S", tricks=(0, 0, 13, 0))
    phone.record("barbu")
    assert table_of(review(phone), "Best and worst hands")[1:] == [
        ["Ann", "0 Trumps, hand 2", "−52 Misère, hand 1"],
        ["Bob", "+26 Misère, hand 1", "−7 Barbu, hand 3"],
        ["Cy", "+65 Trumps, hand 2", "0 Misère, hand 1"],
        ["Dee", "0 Misère, hand 1 and 1 more", "−7 Barbu, hand 3"],
    ]


def test_duties_stand_with_the_hands_that_met_them():
    phone = begin("barbu-classic")
    for contract in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two"):
        phone.record(contract)
    phone.record("trumps", [(BOB, ANN), (CY, ANN)], trump="S", tricks=(13, 0, 0, 0), played_anyway="1")
    phone.record("dominoes", [(BOB, ANN)], start="7", finish=[0, 1, 2, 3], played_anyway="1")
    rows = table_of(review(phone), "Compulsory doubles")[1:]
    assert rows[BOB] == ["Bob", "✓ 7 6!, 7!", "·", "owes 2 –", "owes 2 –"]
    assert rows[CY][1] == "owes 1 6! not in 7"
    assert rows[DEE][1] == "owes 2 – not in 6, 7"


# --- hand by hand ---


@pytest.mark.parametrize("code", referee.names())
def test_every_hand_is_told_with_its_explanation(code: str):
    match = random_match(code, seed=3)
    page = review(go_on(match))
    told = page.select(".told details")
    assert len(told) == len(match.scored)
    for part, scored in zip(told, match.scored, strict=True):
        text = words(part)
        for pair in referee.explain(scored).pairs:
            assert pair.says.says in text
        for seat, name in enumerate(match.players):
            assert f"{name} {signed(scored.total[seat])}" in text
        assert part["id"] == f"hand-{scored.number}"


def test_what_the_bank_gave_and_a_note_are_told():
    match = random_match("coup-detat", seed=3)
    text = words(section(review(go_on(match)), "Hand by hand"))
    assert "from the bank" in text
    assert "Note: a long one" in text
    assert "Penalty: " in text


# --- corrections ---


def test_corrections_are_listed_with_time_and_device_in_the_order_in_which_they_were_made():
    phone = begin()
    Match.objects.update(zone="Asia/Tokyo")
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu")
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    phone.undo()
    phone.redo()
    phone.undo()
    phone.send("hand", 2, fields={"declare": "barbu"})
    phone.record("barbu", [(ANN, BOB)], king_of_hearts=CY)
    for n, row in enumerate(phone.match.hands.order_by("version")):
        at = datetime(2026, 11, 29, 20, 0, n, tzinfo=UTC)
        Hand.objects.filter(pk=row.pk).update(at=at, device="Ann's phone" if n == 2 else "")
    lines = [words(line) for line in section(review(phone), "Corrections").select("li")]
    assert lines[0].startswith("Hand 1 corrected 30 Nov 05:00:02 Ann's phone Misère · Bob → Ann · Tricks: Ann 2")
    assert lines[0].endswith("Misère · Bob → Ann · Tricks: Ann 3, Bob 2, Cy 5, Dee 3")
    assert lines[1] == "Hand 2 taken back 30 Nov 05:00:03 scorer's phone Barbu · nobody doubled · passed out"
    assert lines[2].startswith("Hand 2 brought back 30 Nov 05:00:04 scorer's phone")
    assert lines[3].startswith("Hand 2 taken back 30 Nov 05:00:05")
    assert lines[4].startswith("Hand 2 entered again 30 Nov 05:00:07")
    assert lines[4].endswith("Barbu · Ann → Bob · King of hearts: Cy")
    assert len(lines) == 5


def test_a_hand_taken_back_is_on_no_sheet_and_still_told_among_the_corrections():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu")
    phone.undo()
    page = review(phone)
    assert list(sheet_rows(page)) == [1]
    [line] = section(page, "Corrections").select("li")
    assert words(line).startswith("Hand 2 taken back")
    assert not line.select("a")


def test_an_evening_without_corrections_has_none():
    assert "Corrections" not in words(review(go_on(random_match("barbu", seed=2))).main)


def test_a_correction_moves_every_figure_at_once():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
    before = review(phone)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(0, 13, 0, 0))
    after = review(phone)
    assert words(before.select_one(".places li")) == "1 Bob +26"
    assert words(after.select_one(".places li")) == "1 Ann +26"
    assert table_of(after, "Won by doubling")[1][-1] == "+26"
    assert sheet_rows(after)[1][BOB] == (-52, -52)


# --- when, where, how far ---


def test_it_says_when_it_began_and_ended_by_the_clock_of_the_place():
    phone = go_on(random_match("barbu", seed=2))
    began = datetime(2026, 11, 26, 17, 4, tzinfo=UTC)
    Match.objects.update(zone="Europe/Istanbul", began=began)
    for row in phone.match.hands.all():
        Hand.objects.filter(pk=row.pk).update(at=began + timedelta(minutes=9 * row.number))
    head = words(review(phone).select_one(".session-head"))
    assert head == "Barbu Ours · Thursday 26 November 2026, 20:04 – 27 November, 00:16 · 4 h 12 min · 28 hands"
    assert "Barbu · 28 hands · Thu 26 Nov 2026" in review(phone).select_one("[data-text]").text


def test_an_unfinished_match_is_reviewed_as_far_as_it_got():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.send("hand", 2, fields={"declare": "barbu"})
    page = review(phone)
    assert words(page.select_one(".places h2")) == "So far"
    assert list(sheet_rows(page)) == [1]
    assert "1 of 28 hands" in words(page.select_one(".session-head"))
    assert [link["href"] for link in phone.see().select("nav a") if words(link) == "Look back"] == [
        phone.address("review")
    ]


def test_before_the_first_hand_there_is_a_page_that_says_so():
    page = review(begin())
    assert "No hand has been played yet." in words(page.main)
    assert not page.select("svg, .paper")
    assert not [link for link in begin().see().select("nav a") if words(link) == "Look back"]


# --- who may, and what may not happen ---


def test_a_watcher_sees_the_same_page_and_nothing_to_write_with():
    phone = go_on(random_match("barbu", seed=2))
    response = Client().get(phone.address("review"))
    assert response.status_code == 200
    page = soup(response)
    assert not page.select("form, input, select, textarea")
    assert not [link["href"] for link in page.select("a") if re.search("correct|undo|new/", link["href"])]
    mine = phone.client.get(phone.address("review"))
    assert mine.content == response.content


def test_nobody_writes_to_this_address_and_strangers_find_nothing():
    phone = begin()
    assert phone.client.post(phone.address("review")).status_code == 405
    assert phone.client.get(f"/t/{phone.match.table.code}/2/review/").status_code == 404
    assert phone.client.get(f"/t/nobody/{phone.match.number}/review/").status_code == 404


NAMES = ("<b>x</b>", "O'Brien & Zoë", "أحمد", "W" * 40)


def test_names_are_harmless_and_whole():
    match = random_match("barbu", seed=2)
    phone = go_on(referee.Match(match.ruleset, NAMES, match.first_declarer, match.hands))
    for page in (review(phone), phone.see()):
        assert not [bold for bold in page.select("b") if bold.get_text() == "x"]
        for name in NAMES:
            assert name in words(page.main)
            assert name in page.select_one("[data-text]").text
        assert "&lt;" not in words(page.main)
        assert [words(label) for label in page.select("foreignObject div, foreignobject div")] == list(NAMES)


def test_it_asks_the_database_the_same_for_3_hands_and_for_28():
    asked = []
    for hands in (3, 28):
        phone = go_on(random_match("barbu", seed=8, hands=hands))
        phone.correct(1, "barbu")
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(phone.address("review")).status_code == 200
        asked.append(len(captured))
    assert asked[0] == asked[1] <= 5


# --- the end, on the match page ---


def test_the_end_shows_the_line_best_hands_doubling_and_the_way_back():
    phone = go_on(ending_with(40, 40, -10, -70))
    page = phone.see()
    assert words(page.select_one(".places h2")) == "Ann, Bob win"
    assert len(svg(page).select("a.target")) == 28
    assert len(table_of(page, "Best and worst hands")) == 5
    assert len(table_of(page, "Won by doubling")) == 5
    assert [link["href"] for link in page.select("a") if words(link) == "Look back"] == [phone.address("review")]
    assert words(page.select_one(".places a.button")) == "Play again"
    assert "1. Ann +40\n1. Bob +40" in page.select_one("[data-text]").text


def test_the_text_for_a_chat_has_real_minus_signs_the_best_hand_and_no_link():
    match = random_match("get-barbara", seed=4)
    phone = go_on(match)
    text = phone.see().select_one("[data-text]").text
    assert "http" not in text
    assert "/t/" not in text
    best = min(points for scored in match.scored for points in scored.total)
    assert f"{signed(best)} (round " in text.splitlines()[-1]
    assert text.splitlines()[0].startswith(f"Get Barbara · {len(match.hands)} rounds · ")


def test_the_picture_is_named_after_the_game_and_the_day():
    phone = go_on(random_match("king", seed=1))
    Match.objects.update(began=datetime(2026, 11, 26, 23, 4, tzinfo=UTC), zone="Asia/Tokyo")
    card = phone.see().select_one("[data-share-of]")
    assert card["data-file"] == "king-2026-11-27.png"
    assert card["data-when"] == "27 November 2026 · 20 hands"


def test_while_it_is_played_nothing_of_the_end_is_there():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    assert not phone.see().select(".line, .best, .won, .share, .places")
