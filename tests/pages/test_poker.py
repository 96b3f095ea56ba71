"""Four hands entered as cards: compared, and used as the result of the hand."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from referee.poker import CARDS
from referee.rules import ROWS

from .table import ANN, BOB, CY, DEE, PLAYERS, Phone, begin, problems, said, soup, table_of, words

pytestmark = pytest.mark.django_db

HANDS = (
    ("KH KD 5S", "7H 7D 7S 2C 3C", "AH JH 9H 6H 2H"),
    ("KS KC 4D", "TS 9S 8D 7C 6S", "3H 3D 3S 4C 4H"),
    ("AC QC TC", "5H 5D 8C 8H 2S", "QS JS TD 9C 8S"),
    ("AS QD TH", "6C 6D 4S 5C QH", "JC JD AD 9D 2D"),
)
DEE_FOULS = (*HANDS[:3], (HANDS[DEE][0], HANDS[DEE][2], HANDS[DEE][1]))
DOUBLES = [(BOB, ANN)]


@pytest.fixture
def phone() -> Phone:
    """A match whose first hand is Chinese Poker, doubled and ready for its result."""
    phone = begin("chinese-poker-72")
    phone.record("chinese-poker", DOUBLES, step="doubles")
    return phone


def cards(hands: Sequence[Sequence[str]] = HANDS, **changed: str) -> dict[str, Any]:
    """The rows as the page sends them."""
    rows = {f"{row}-{seat}": text for seat, hand in enumerate(hands) for row, text in zip(ROWS, hand, strict=True)}
    changed = {name.replace("_", "-"): text for name, text in changed.items()}
    return said("chinese-poker", DOUBLES, compare="1", step="") | rows | changed


def sent(page: Any, form: str) -> dict[str, Any]:
    """What a form of the page would send, key and revision too."""
    fields: dict[str, Any] = {}
    for field in page.select(f"{form} input[name]"):
        fields.setdefault(field["name"], []).append(field.get("value", ""))
    return fields


def use(phone: Phone, response: Any) -> Any:
    """Press "Use this result"."""
    page = soup(response)
    [form] = page.select("form:has([data-use])")
    return phone.client.post(form["action"], sent(page, "form:has([data-use])"))


def test_the_link_stands_in_the_rows_of_the_hand(phone: Phone):
    [link] = phone.see().select('[formaction$="/hand/1/cards/"]')

    assert words(link) == "Enter the cards"


def test_a_row_of_each_player_is_a_text_field(phone: Phone):
    page = phone.see("hand", 1, "cards")

    assert [field["aria-label"] for field in page.select("[data-holds]")] == [
        f"{row} for {name}" for name in PLAYERS for row in ("Front", "Middle", "Back")
    ]
    assert len(page.select("[data-card]")) == 52


def test_the_rows_are_worked_out(phone: Phone):
    page = soup(phone.send("hand", 1, "cards", fields=cards()))

    assert [row[0] + " " + row[1].split()[0] + " " + row[2] for row in table_of(page, "Front")[1:]] == [
        "1 Ann 3",
        "2 Bob 2",
        "3 = Cy 0.5",
        "3 = Dee 0.5",
    ]
    assert table_of(page, "Middle")[1][1] == "Bob 10 ♠︎ 9 ♠︎ 8 ♦︎ 7 ♣︎ 6 ♠︎ straight to the ten"
    assert table_of(page, "What this hand would score")[1:] == [
        ["Units", "7", "8", "2.5", "0.5"],
        ["Basic", "+28", "+32", "+10", "+2"],
        ["Doubling", "−4", "+4", "0", "0"],
        ["Total", "+24", "+36", "+10", "+2"],
    ]


def test_a_fouled_hand_is_named_with_the_reason(phone: Phone):
    page = soup(phone.send("hand", 1, "cards", fields=cards(DEE_FOULS)))

    assert [words(line) for line in page.select(".showdown > .wrong")] == [
        "Dee fouls. The middle, pair of jacks, beats the back, pair of sixes."
    ]
    assert table_of(page, "Front")[-1][2] == "0"


@pytest.mark.parametrize("hands", [HANDS, DEE_FOULS], ids=["a tie", "a foul"])
def test_the_result_comes_back_to_the_hand_ready_to_be_saved(phone: Phone, hands: Sequence[Sequence[str]]):
    shown = phone.send("hand", 1, "cards", fields=cards(hands, note="Cards by Cy"))
    scores = table_of(soup(shown), "What this hand would score")[-1][1:]
    page = soup(use(phone, shown))

    assert phone.played == []
    form = sent(page, "fieldset:not([disabled])")
    assert form["row-front"] == (["0", "1", "2", "=3"] if hands is HANDS else ["0", "1", "2"])
    assert [box["value"] for box in page.select("[name=foul][checked]")] == ([] if hands is HANDS else ["3"])
    assert [box["value"] for box in page.select("[name=double][checked]")] == ["1-0"]
    assert page.select_one("[name=note]")["value"] == "Cards by Cy"
    fouls = [box["value"] for box in page.select("[name=foul][checked]")]
    rows = {name: values for name, values in form.items() if name.startswith("row-")}
    phone.send("hand", 1, fields=said("chinese-poker", DOUBLES, step="save") | rows | {"foul": fouls})
    assert phone.total == tuple(int(score.replace("−", "-")) for score in scores)


def test_who_takes_the_overall_unit_is_asked_for_on_the_next_page():
    phone = begin("chinese-poker")
    phone.record("chinese-poker", [], step="doubles")
    kings_to_dee = [HANDS[ANN], ("AS QD 4D", *HANDS[BOB][1:]), HANDS[CY], ("KS KC TH", *HANDS[DEE][1:])]
    shown = phone.send("hand", 1, "cards", fields=cards(kings_to_dee) | {"double": []})
    assert [words(line) for line in soup(shown).select(".notice")] == [
        "Ann, Bob tie for most units: the table names who takes the overall unit, on the next page."
    ]
    page = soup(use(phone, shown))
    assert len(page.select(".overall:not([hidden])")) == 1


def test_a_correction_comes_back_with_what_it_changes(phone: Phone):
    rows = {f"row-{row}": ["0", "1", "2", "3"] for row in ROWS}
    phone.send("hand", 1, fields=said("chinese-poker", DOUBLES, step="save") | rows)
    before = phone.total

    answer = use(phone, phone.send("hand", 1, "cards", fields=cards()))
    page = soup(answer)
    assert answer.status_code == 200
    assert "Hand 1: Ann +48 becomes +24" in [words(line) for line in page.select(".consequences li")]
    assert phone.total == before
    [seen] = [field["value"] for field in page.select("[name=seen]")]
    rows = {name: values for name, values in sent(page, "fieldset").items() if name.startswith("row-")}
    saves = said("chinese-poker", DOUBLES, step="save") | rows | {"seen": seen}
    assert phone.send("hand", 1, "correct", fields=saves).status_code == 302
    assert phone.total == (24, 36, 10, 2)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"front_0": "KH KD"}, "Ann, front row: 2 of 3 cards are entered."),
        ({"front_0": "KH KD X9"}, "Ann, front row: “X9” is no card; cards are written like KH or 10♠."),
        ({"back_3": "JC JD AD 9D KH"}, "Dee, back row: K♥ lies in the front row of Ann already."),
        ({"back_3": "JC JD AD 9D 2D 3D"}, "Dee, back row: 6 cards are entered; only 5 lie there."),
        ({"middle_1": "K" * 101}, "Bob, middle row: 101 characters are no row of cards."),
        ({"middle_1": "\x00 <b>"}, "Bob, middle row: 2 of 5 cards are entered."),
    ],
)
def test_what_is_wrong_is_said_at_its_row_and_nothing_typed_is_lost(phone: Phone, changed: dict[str, str], says: str):
    response = phone.send("hand", 1, "cards", fields=cards(**changed))

    assert says in problems(response)
    [(name, text)] = changed.items()
    [field] = soup(response).select(f"#{name.replace('_', '-')}")
    assert (field["aria-invalid"], field["value"]) == ("true", text)
    assert soup(response).select("#back-2")[0]["value"] == HANDS[CY][2]
    assert not soup(response).select("[data-use]")


def test_nothing_entered_is_told_row_by_row(phone: Phone):
    assert len(problems(phone.send("hand", 1, "cards", fields={"compare": "1"}))) == 12


def test_whoever_watches_may_look_but_not_use(phone: Phone):
    watcher = Client()
    assert watcher.get(phone.address("hand", 1, "cards")).status_code == 200
    response = watcher.post(phone.address("hand", 1, "cards"), cards())

    assert table_of(soup(response), "Front")[1][1].startswith("Ann")
    assert not soup(response).select("[data-use]")


def test_before_the_doubles_are_done_the_cards_are_only_compared():
    phone = begin("chinese-poker-72")
    phone.record("chinese-poker", step="", declare="chinese-poker")
    rows = {name: text for name, text in cards().items() if name not in ("contract", "double")}
    response = phone.send("hand", 1, "cards", fields=rows)

    assert table_of(soup(response), "What this hand would score")[1][0] == "Units"
    assert not soup(response).select("[data-use]")


@pytest.mark.parametrize("hand", [0, 2, 99999])
def test_a_hand_that_is_not_there_has_no_cards(phone: Phone, hand: int):
    assert phone.client.get(phone.address("hand", hand, "cards")).status_code == 404


def test_a_contract_without_rows_has_no_cards():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], step="doubles")

    assert phone.client.get(phone.address("hand", 1, "cards")).status_code == 404
    assert phone.send("hand", 1, "cards", fields={"contract": "barbu"}).status_code == 404


@pytest.mark.parametrize("seed", range(20))
def test_strange_fields_never_break_the_page(phone: Phone, seed: int):
    rng = random.Random(seed)
    strange = [
        "",
        "x",
        "=9",
        "-1",
        "\ud800".encode("utf-8", "replace").decode(),
        "9" * 50,
        *rng.sample(sorted(CARDS), 3),
    ]
    names = [*cards(), "foul", "row-front", "best", "played_anyway", "coup", "revision", "place"]
    fields = {name: rng.choice(strange) for name in names} | {"contract": "chinese-poker"}

    assert phone.client.post(phone.address("hand", 1, "cards"), fields).status_code in (200, 422)
