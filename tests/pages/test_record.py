"""A hand is recorded: what is stored, what the page then says, and who declares next."""

import pytest

import referee

from .table import ANN, BOB, CY, DEE, begin, new_key, problems, said, soup, table_of, words

pytestmark = pytest.mark.django_db


def test_a_hand_is_stored_as_it_was_said_and_the_next_declarer_stands_there():
    phone = begin()
    response = phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3), note="Ann yawned")
    assert response.status_code == 302
    assert response.url == phone.address()
    assert phone.state.match.hands == (
        referee.Hand(
            contract="misere",
            doubles=((BOB, ANN),),
            result=referee.Result(counts={"tricks": {ANN: 2, BOB: 3, CY: 5, DEE: 3}}),
            note="Ann yawned",
        ),
    )
    assert "Bob declares" in words(phone.see().select_one(".now"))


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        (said("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3)), (-2, -8, -10, -6)),
        (said("no-hearts", [(BOB, ANN)], hearts=(5, 4, 3, 1), ace_of_hearts=ANN), (-20, -2, -6, -2)),
        (said("no-queens", [(BOB, ANN)], queens=(1, 0, 1, 2)), (-12, 6, -6, -12)),
        (said("barbu", [(BOB, ANN), (ANN, BOB)], king_of_hearts=ANN), (-60, 40, 0, 0)),
        (said("no-last-two", [(BOB, ANN)], trick_12=BOB, trick_13=BOB), (30, -60, 0, 0)),
        (said("trumps", [(BOB, ANN)], trump="H", tricks=(7, 2, 3, 1)), (60, -15, 15, 5)),
        (said("dominoes", [], start="T", finish=(BOB, DEE, ANN, CY)), (5, 45, -5, 20)),
    ],
    ids=lambda case: case["contract"] if isinstance(case, dict) else None,
)
def test_every_contract_is_entered_in_its_own_terms(hand: dict[str, object], total: tuple[int, ...]):
    phone = begin()
    assert phone.send("hand", 1, fields=hand).status_code == 302
    assert phone.total == total
    assert table_of(phone.see(), "Standings")[1][0].startswith(f"{total[ANN]:+d}".replace("-", "−"))


def test_each_finished_step_is_stored_and_the_last_post_says_everything_again():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "misere"})
    assert phone.state.match.unfinished_hand == referee.Hand(contract="misere")
    phone.send("hand", 1, fields=said("misere", [(CY, ANN)]))
    assert phone.state.match.unfinished_hand == referee.Hand(contract="misere", doubles=((CY, ANN),))
    assert phone.total == (0, 0, 0, 0)
    phone.record("misere", [(DEE, ANN)], tricks=(13, 0, 0, 0))
    assert phone.state.hand(1).doubles == ((DEE, ANN),)
    assert phone.rows == [(1, 1, "enter"), (1, 2, "enter"), (1, 3, "enter")]


def test_what_the_form_does_not_speak_of_is_kept():
    phone = begin()
    beside = referee.Hand(
        contract="misere",
        misdeals=2,
        adjustment=referee.Adjustment(points={ANN: -10, BOB: 10}, reason="revoke"),
        extra={"weather": "rain"},
    )
    phone.match.record(1, beside, key=new_key(), revision=0)
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    stored = phone.state.hand(1)
    assert (stored.misdeals, stored.adjustment, stored.extra) == (2, beside.adjustment, {"weather": "rain"})


def test_a_step_sent_in_place_is_answered_with_its_revision_alone():
    phone = begin()
    response = phone.send("hand", 1, fields=said("misere", [(CY, ANN)]), in_place=True)
    assert (response.status_code, response["Hand-Revision"], response.content) == (204, "1", b"")


def test_a_hand_sent_in_place_is_answered_with_the_whole_page():
    phone = begin()
    response = phone.record("misere", [(CY, ANN)], tricks=(13, 0, 0, 0), in_place=True)
    assert response.status_code == 200
    assert words(soup(response).select_one("[role=status]")) == "Hand 1 is saved."
    assert "Bob declares" in words(soup(response).select_one(".now"))


def test_a_hand_that_cannot_have_happened_is_refused_and_stays_in_the_form():
    phone = begin()
    response = phone.record("misere", [(CY, ANN)], tricks=(2, 3, 5, 2), note="odd")
    assert problems(response) == ["12 tricks entered; 13 were played. 1 missing."]
    page = soup(response)
    typed = [field["value"] for field in page.select("fieldset:not([disabled]) [type=number]")]
    assert typed == ["2", "3", "5", "2"]
    assert [box["value"] for box in page.select("[name=double][checked]")] == ["2-0"]
    assert page.select_one("[name=note]")["value"] == "odd"
    assert words(page.select_one(".counts .wrong")) == problems(response)[0]
    assert phone.rows == []


def test_a_refused_hand_sent_in_place_comes_back_as_the_page_with_its_problems():
    phone = begin()
    response = phone.record("misere", [(CY, ANN)], tricks=(2, 3, 5, 2), in_place=True)
    assert problems(response) == ["12 tricks entered; 13 were played. 1 missing."]


def test_a_contract_is_declared_once_and_then_stands_struck_through_with_its_hand():
    phone = begin("barbu-classic")
    phone.record("misere")
    assert problems(phone.record("misere")) == ["Misère was declared in hand 1 already."]
    [used] = phone.see().select("button[disabled][value=misere]")
    assert used["aria-label"] == "Misère, declared in hand 1"


def test_a_whole_match_is_recorded_and_ends_with_places():
    phone = begin("barbu", first=DEE)
    for contract in referee.load("barbu").contracts:
        for _ in range(4):
            declarer = phone.state.match.turn.declarer
            doubles = [(seat, declarer) for seat in range(4) if seat != declarer]
            told = {
                "misere": {"tricks": (13, 0, 0, 0)},
                "no-hearts": {"hearts": (13, 0, 0, 0), "ace_of_hearts": ANN},
                "no-queens": {"queens": (4, 0, 0, 0)},
                "barbu": {"king_of_hearts": ANN},
                "no-last-two": {"trick_12": ANN, "trick_13": ANN},
                "trumps": {"trump": "S", "tricks": (0, 13, 0, 0)},
                "dominoes": {"start": "7", "finish": (BOB, CY, DEE, ANN)},
            }[contract.code]
            assert phone.record(contract.code, doubles, **told).status_code == 302
    assert phone.state.match.is_over
    page = phone.see()
    assert page.select_one("form.hand") is None
    assert words(page.select_one(".places h2")) == "Bob wins"
    assert [words(place) for place in page.select(".places .place")] == ["1", "2", "3", "4"]
    assert words(page.select_one(".places a.button")) == "Play again"
    assert "The match was over after hand 28." in problems(phone.record("misere", [(BOB, DEE)], tricks=(13, 0, 0, 0)))
