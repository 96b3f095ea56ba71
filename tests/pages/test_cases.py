"""Evenings that go wrong, from what people report about score keepers: true of ours, at the level of the page."""

import pytest
from msgspec.structs import replace

import referee
from tests.referee.strategies import random_match

from .browser import Browser
from .table import ANN, BOB, CY, DEE, Phone, begin, go_on, new_key, problems, said, soup, table_of, words

pytestmark = pytest.mark.django_db

SOUTH, WEST, NORTH, EAST = range(4)
COMPASS = ("South", "West", "North", "East")
NEGATIVES = ("barbu", "misere", "no-queens", "no-hearts", "no-last-two")


def standings(phone: Phone) -> list[str]:
    """The totals that the page shows, in seat order."""
    return [words(figure) for figure in phone.see().select(".standings .figure")]


def now(phone: Phone) -> str:
    return words(phone.see().select_one(".now p"))


def struck_through(phone: Phone) -> list[str]:
    return [button["value"] for button in phone.see().select("button[name=declare][disabled]")]


def test_a_single_double_becomes_a_mutual_one_by_a_correction():
    phone = begin(players=COMPASS, first=NORTH)
    phone.record("misere", [(SOUTH, NORTH)], tricks=(2, 3, 5, 3))
    assert standings(phone) == ["+2", "−6", "−16", "−6"]
    phone.correct(1, "misere", [(SOUTH, NORTH), (NORTH, SOUTH)], tricks=(2, 3, 5, 3))
    assert standings(phone) == ["+8", "−6", "−22", "−6"]


def test_max_a_skipped_redouble_and_duties():
    phone = begin()
    doubles = [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)]
    phone.record("no-queens", doubles, queens=(1, 0, 1, 2))
    assert standings(phone) == ["−12", "+24", "−12", "−24"]
    owed = table_of(phone.see(), "Doubles owed")
    assert [row[1] for row in owed[1:]] == ["·", "1 1 made", "1 1 made", "2"]
    assert owed[2][3:] == ["2", "2"]


def test_a_passed_out_table():
    phone = begin("barbu-classic")
    for contract in NEGATIVES:
        phone.send("hand", phone.state.number, fields={"declare": contract})
        phone.send("hand", phone.state.number, fields=said(contract))
        assert words(phone.see().select_one("form.hand [data-step]:not([hidden]) h2")) == "Contract"
    assert standings(phone) == ["+2", "−44", "−44", "−44"]
    assert [row[1].split()[-1] for row in table_of(phone.see(), "Hands")[5:0:-1]] == ["+1", "+1", "0", "0", "0"]
    assert set(struck_through(phone)) == set(NEGATIVES)
    assert all("passed out" in row[0] for row in table_of(phone.see(), "Hands")[1:6])
    trumps = said("trumps", trump="S", step="doubles")
    assert len(problems(phone.send("hand", 6, fields=trumps))) == 3
    phone.send("hand", 6, fields=trumps | {"played_anyway": "1"})
    assert phone.state.finished == 5
    assert words(phone.see().select_one("form.hand [data-step]:not([hidden]) h2")) == "Result"
    assert phone.record("trumps", trump="S", tricks=(4, 3, 3, 3), played_anyway="1").status_code == 302
    assert standings(phone) == ["+22", "−29", "−29", "−29"]


def test_passing_out_is_not_offered_while_everybody_is_forced():
    phone = begin("barbu-classic")
    phone.record("trumps", trump="S", tricks=(4, 3, 3, 3))
    phone.record("dominoes", start="7", finish=(0, 1, 2, 3))
    for contract in ("barbu", "misere", "no-queens"):
        phone.record(contract)
    phone.send("hand", 6, fields={"declare": "no-hearts"})
    page = phone.see()
    assert len(page.select("[name=double][checked][data-duty]")) == 3
    assert len(problems(phone.record("no-hearts"))) == 3
    assert phone.state.finished == 5


def test_forced_doubles():
    phone = begin("barbu-classic")
    x, y, z = BOB, CY, DEE
    doubled = {1: [x], 2: [y], 3: [x], 4: [], 5: []}
    told = {"misere": {"tricks": (13, 0, 0, 0)}, "no-queens": {"queens": (4, 0, 0, 0)}, "barbu": {"king_of_hearts": 0}}
    for number, contract in enumerate(("misere", "no-queens", "barbu", "no-hearts", "no-last-two"), 1):
        pairs = [(who, ANN) for who in doubled[number]]
        phone.record(contract, pairs, **(told[contract] if pairs else {}))
    phone.send("hand", 6, fields=said("trumps", trump="S", step=""))
    assert [box["value"] for box in phone.see().select("[name=double][checked]")] == [f"{z}-{ANN}"]
    trumps = said("trumps", trump="S", step="doubles")
    [message] = problems(phone.send("hand", 6, fields=trumps))
    assert "Dee owes Ann 2" in message
    assert phone.record("trumps", trump="S", tricks=(13, 0, 0, 0), double=f"{z}-{ANN}").status_code == 302
    phone.send("hand", 7, fields=said("dominoes", start="7", step=""))
    assert [box["value"] for box in phone.see().select("[name=double][checked]")] == [f"{y}-{ANN}", f"{z}-{ANN}"]
    phone.record("dominoes", [(y, ANN), (z, ANN)], start="7", finish=(0, 1, 2, 3))
    met = [row[1] for row in table_of(phone.see(), "Doubles owed")[2:]]
    assert met == ["✓ met 2 made"] * 3


def test_trumps_offers_no_double_of_another():
    phone = begin(players=COMPASS)
    phone.send("hand", 1, fields=said("trumps", trump="S", step=""))
    assert phone.see().select(".doubles.only-declarer")
    response = phone.send("hand", 1, fields=said("trumps", [(WEST, NORTH)], trump="S", step="doubles"))
    assert problems(response) == ["West may not double North: in Trumps only the declarer can be doubled."]
    phone.record("trumps", [(WEST, SOUTH), (EAST, SOUTH), (SOUTH, EAST)], trump="S", tricks=(7, 2, 3, 1))
    assert standings(phone) == ["+120", "−15", "+15", "−55"]


def test_dominoes():
    phone = begin(players=COMPASS)
    doubles = [(WEST, SOUTH), (SOUTH, WEST), (EAST, SOUTH)]
    for order in ((WEST, NORTH, EAST), (WEST, WEST, EAST, SOUTH)):
        assert phone.record("dominoes", doubles, start="7", finish=order).status_code == 422
    phone.record("dominoes", doubles, start="7", finish=(WEST, NORTH, EAST, SOUTH))
    assert standings(phone) == ["−115", "+145", "+20", "+15"]


@pytest.fixture
def evening() -> Phone:
    """The queens of Ann, then Misère passed out by Bob and No Last Two by Cy."""
    phone = begin("barbu-quick")
    doubles = [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)]
    phone.record("no-queens", doubles, queens=(1, 0, 1, 2))
    phone.record("misere")
    phone.record("no-last-two")
    return phone


def test_an_old_hand_is_corrected(evening: Phone):
    owed = table_of(evening.see(), "Doubles owed")
    doubles = [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)]
    assert standings(evening) == ["−31", "+15", "−21", "−43"]
    evening.correct(1, "no-queens", doubles, queens=(1, 1, 1, 1))
    rows = table_of(evening.see(), "Hands")
    assert [cell.split()[-1] for cell in rows[3][1:5]] == ["−6"] * 4
    assert [cell.split()[-1] for cell in rows[2][1:5]] == ["−9", "+1", "−9", "−9"]
    assert [cell.split()[-1] for cell in rows[1][1:5]] == ["−10", "−10", "0", "−10"]
    assert standings(evening) == ["−25", "−15", "−15", "−25"]
    assert "Dee declares" in now(evening)
    assert table_of(evening.see(), "Doubles owed") == owed
    history = [words(line) for line in evening.see("hand", 1).select(".history li")]
    assert [line.split()[0] for line in history] == ["entered", "corrected"]
    assert all("scorer's phone" in line for line in history)
    assert all(line.find("time")["datetime"] for line in evening.see("hand", 1).select(".history li"))
    evening.correct(1, "no-queens", doubles, queens=(1, 1, 1, 1))
    assert len(evening.see("hand", 1).select(".history li")) == 2


def test_undo_takes_back_the_last_hand_and_not_the_correction(evening: Phone):
    doubles = [(BOB, ANN), (BOB, CY), (BOB, DEE), (CY, ANN), (ANN, CY)]
    evening.correct(1, "no-queens", doubles, queens=(1, 1, 1, 1))
    before = standings(evening)
    evening.undo()
    assert evening.state.finished == 2
    assert evening.state.hand(1).result.counts["queens"] == dict.fromkeys(range(4), 1)
    assert standings(evening) == ["−15", "−5", "−15", "−15"]
    assert "Cy declares" in now(evening)
    assert "no-last-two" not in struck_through(evening)
    evening.redo()
    assert standings(evening) == before
    assert [row[0].split()[0] for row in table_of(evening.see(), "Hands")[1:4]] == ["3", "2", "1"]


def test_undo_leads_back_over_the_end_of_a_block():
    phone = begin("barbu-classic", players=COMPASS)
    for contract in NEGATIVES:
        phone.record(contract)
    everyone = [(WEST, SOUTH), (NORTH, SOUTH), (EAST, SOUTH)]
    phone.record("trumps", everyone, trump="S", tricks=(13, 0, 0, 0))
    owed = table_of(phone.see(), "Doubles owed")
    phone.record("dominoes", everyone, start="7", finish=(0, 1, 2, 3))
    phone.record("misere")
    assert "West declares" in now(phone)
    phone.undo()
    phone.undo()
    assert "South declares" in now(phone)
    assert set(struck_through(phone)) == {*NEGATIVES, "trumps"}
    assert table_of(phone.see(), "Doubles owed") == owed


def test_a_reload_finds_the_step_with_its_ticks_and_adds_nothing():
    phone = begin()
    phone.send("hand", 1, fields=said("misere", [(BOB, ANN), (CY, DEE)]))
    for _ in range(2):
        screen = Browser(phone.client)
        screen.open(phone.address())
        assert screen.step == "Result"
        assert screen.ticked() == ["Bob doubles Ann", "Cy doubles Dee"]
        assert standings(phone) == ["0", "0", "0", "0"]


def test_a_stale_second_phone():
    phone = begin()
    for contract in ["misere"] * 4 + ["barbu"] * 3:
        phone.record(contract)
    assert phone.state.number == 8
    q = Browser(phone.client)
    q.open(phone.address())
    q.press("No Last Two")
    q.tick("Ann doubles Bob")
    q.press("Doubles done")
    q.tick("Ann", group="12th trick")
    q.tick("Bob", group="13th trick")
    phone.record("no-last-two", [(CY, BOB)], trick_12=CY, trick_13=CY)
    q.press("Save hand")
    assert q.status == 409
    assert words(q.page.select_one("#conflict")) == "Hand 8 was entered meanwhile"
    saved, yours = (words(version) for version in q.page.select(".versions > div"))
    assert ("Cy → Bob" in saved, "Ann → Bob" in yours) == (True, True)
    assert len([row for row in table_of(q.page, "Hands") if row[0].startswith("8 ")]) == 1
    q.press("Correct hand 8 to yours")
    assert phone.state.hand(8).doubles == ((ANN, BOB),)


def test_the_back_button_finds_no_second_hand():
    phone = begin()
    for contract in ("misere", "no-queens", "no-hearts"):
        phone.record(contract)
    old = said("barbu", [(ANN, DEE)], king_of_hearts=CY) | {"key": new_key(), "revision": 0}
    phone.send("hand", 4, fields=old)
    again = phone.client.post(phone.address("hand", 4), old, follow=True)
    assert again.status_code == 200
    assert soup(again).html is not None
    assert phone.state.finished == 4
    response = phone.client.get(phone.address())
    assert "no-store" in response["Cache-Control"]
    assert soup(response).select_one("form.hand")["action"] == phone.address("hand", 5)


@pytest.mark.parametrize("name", ["<b>x</b>", "O'Brien & Zoë", "أحمد", "👩‍👩‍👧", "W" * 40])
def test_any_name_is_shown_as_it_is_on_every_page(name: str):
    phone = begin("barbu-classic", players=(name, "Bob", "Cy", "Dee"))
    phone.record("no-queens", [(BOB, ANN), (ANN, BOB)], queens=(1, 0, 1, 2))
    phone.send("hand", 2, fields={"declare": "barbu"})
    response = phone.record("misere", hand=2, revision=0)
    assert response.status_code == 409
    for page in (phone.see(), phone.see("hand", 1), phone.see("hand", 1, "correct"), soup(response)):
        text = words(page)
        assert name in text
        assert "&amp;" not in text
        assert "&lt;" not in text
        assert "&#x27;" not in text
        assert not page.select("b > b, main x")
        assert not [bold for bold in page.select("b") if bold.get_text() == "x"]
    assert phone.see().select_one(".standings .name")["title"] == name
    assert phone.see().select_one(".standings .name")["dir"] == "auto"


def test_a_name_from_right_to_left_does_not_turn_the_figures_beside_it():
    phone = begin(players=("أحمد", "Bob", "Cy", "Dee"))
    phone.record("no-queens", [(BOB, ANN)], queens=(1, 0, 1, 2))
    [pair] = phone.see("hand", 1).select(".pairs li")
    assert words(pair).startswith("Bob doubled \u2068أحمد\u2069: Bob 0, \u2068أحمد\u2069 −6, difference 6")
    assert words(phone.see().select_one(".last")).endswith("Bob → \u2068أحمد\u2069")


def test_ties_share_a_place_and_the_match():
    phone = go_on(ending_with(40, 40, -10, -70))
    page = phone.see()
    assert words(page.select_one(".places h2")) == "Ann, Bob win"
    assert [words(line) for line in page.select(".places li")] == ["1 Ann +40", "1 Bob +40", "3 Cy −10", "4 Dee −70"]
    assert words(page.title) == "Ann, Bob won · Tafferan"


def ending_with(*totals: int) -> referee.Match:
    """A whole match whose last hand was adjusted by the table so that it ends with these totals."""
    match = random_match("barbu", seed=9)
    last = replace(match.hands[-1], adjustment=None)
    scores = match.with_hands([*match.hands[:-1], last]).turn.running
    points = {seat: total - score for seat, (total, score) in enumerate(zip(totals, scores, strict=True))}
    adjusted = replace(last, adjustment=referee.Adjustment(points=points, reason="to make it even"))
    return match.with_hands([*match.hands[:-1], adjusted])


def test_one_by_one_rotation():
    phone = begin("barbu-quick", players=COMPASS)
    for contract in ("misere", "barbu", "misere"):
        phone.record(contract)
    assert now(phone) == "East declares North deals, West cuts"
    left = {
        words(line.dt): [short["title"] for short in line.select("abbr")] for line in phone.see().select(".left div")
    }
    assert "Misère" not in left["South"]
    assert "Misère" in left["West"]
    assert "Misère" in left["East"]
    assert "Barbu" not in left["West"]
    assert table_of(phone.see(), "Doubles owed")[0][1:] == [
        "South 6 left",
        "West 6 left",
        "North 6 left",
        "East 7 left",
    ]
    phone.undo()
    phone.undo()
    assert now(phone) == "West declares South deals, East cuts"
    assert "barbu" not in struck_through(phone)
