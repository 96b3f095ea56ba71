"""What went wrong at the table: a misdeal, a penalty beside the score, a hand that is played again."""

import pytest
from django.test import Client

import referee
from referee import Adjustment
from tests.referee.strategies import random_match

from .browser import Browser
from .table import ANN, BOB, CY, Phone, begin, go_on, said, soup, table_of, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}


def pays(*points: int, reason: str = "revoke") -> dict[str, str]:
    """The form of a penalty: what each pays (below zero) or gets."""
    fields = {"reason": reason}
    for seat, number in enumerate(points):
        fields |= {
            f"sign-{seat}": "pays" if number < 0 else "gets",
            f"points-{seat}": str(abs(number)) if number else "",
        }
    return fields


def send(phone: Phone, fields: dict[str, str], hand: int = 1, **changed):
    return phone.send("hand", hand, "penalty", fields=fields | changed)


def problems(response) -> list[str]:
    assert response.status_code == 422
    return [words(line) for line in soup(response).select("[aria-labelledby=problems] li")]


# --- a misdeal ---


def test_a_misdeal_frees_the_contract_and_is_recorded():
    phone = begin()
    phone.send("hand", 1, fields=said("misere", [(BOB, ANN)], step="doubles"))
    browser = Browser(phone.client)
    browser.open(phone.address())
    browser.follow("Misdeal")
    assert "Misère · Bob → Ann" in words(browser.page.main)
    browser.press("Deal again")
    assert browser.address == phone.address()
    assert browser.step == "Contract"
    assert phone.state.hand(1) == referee.Hand(misdeals=1)
    phone.record("barbu", [(BOB, ANN)], king_of_hearts=CY)
    assert phone.played == ["barbu"]
    assert phone.state.hand(1).misdeals == 1
    assert "Dealt again once before it was played." in words(phone.see("hand", 1).main)


def test_a_misdeal_before_anything_was_declared_is_recorded_too():
    phone = begin()
    assert phone.send("hand", 1, "misdeal", fields={"again": "1"}).url == phone.address()
    assert phone.send("hand", 1, "misdeal", fields={"again": "1"}).url == phone.address()
    assert phone.state.hand(1).misdeals == 2
    phone.record(**MISERE)
    assert "Dealt again 2 times" in words(phone.see("hand", 1).main)


def test_the_match_says_that_it_was_dealt_again():
    phone = begin()
    phone.send("hand", 1, "misdeal", fields={"again": "1"})
    assert "dealt again once" in words(phone.see().select_one(".now"))


def test_undo_sets_a_misdeal_aside_and_redo_brings_it_back():
    phone = begin()
    phone.record(**MISERE)
    phone.send("hand", 2, "misdeal", fields={"again": "1"})
    phone.undo()
    assert phone.state.hand(2) is None
    phone.redo()
    assert phone.state.hand(2) == referee.Hand(misdeals=1)


def test_the_same_misdeal_sent_twice_is_one():
    phone = begin()
    for _ in range(2):
        response = phone.send("hand", 1, "misdeal", fields={"again": "1"}, key="the-misdeal-of-tonight", revision=0)
    assert phone.state.hand(1).misdeals == 1
    assert response.status_code in (302, 409)


def test_a_misdeal_can_be_taken_back():
    phone = begin()
    phone.send("hand", 1, "misdeal", fields={"again": "1"})
    phone.send("hand", 1, "misdeal", fields={"again": "1"})
    phone.send("hand", 1, "misdeal", fields={"take_back": "1"})
    assert phone.state.hand(1).misdeals == 1
    phone.send("hand", 1, fields={"declare": "misere"})
    phone.send("hand", 1, "misdeal", fields={"take_back": "1"})
    assert phone.state.hand(1) == referee.Hand(contract="misere")


def test_a_misdeal_of_a_hand_that_was_finished_meanwhile_changes_nothing():
    phone = begin()
    phone.record(**MISERE)
    response = phone.send("hand", 1, "misdeal", fields={"again": "1"}, revision=0)
    assert response.status_code == 409
    assert "The match has gone on meanwhile" in words(soup(response).main)
    assert phone.total == (-2, -8, -10, -6)


@pytest.mark.parametrize("number", [0, 1, 3, 10**20])
def test_only_the_hand_in_play_can_be_misdealt(number: int):
    phone = begin()
    phone.record(**MISERE)
    assert phone.client.get(phone.address("hand", number, "misdeal")).status_code == 404


def test_a_form_of_a_misdeal_without_its_receipt_changes_nothing():
    phone = begin()
    response = phone.send("hand", 1, "misdeal", fields={"again": "1"}, key="")
    assert "The form came incomplete." in problems(response)[0]
    assert phone.rows == []


def test_a_hand_that_says_only_that_it_was_dealt_again_cannot_be_followed_by_another():
    match = referee.Match(referee.load("barbu"), ("Ann", "Bob", "Cy", "Dee"), hands=(referee.Hand(misdeals=1),))
    assert match.problems == ()
    assert [p.code for p in match.with_hands([*match.hands, referee.Hand(contract="misere")]).problems] == [
        "contract-missing"
    ]
    assert [p.code for p in match.with_hands([referee.Hand(misdeals=1, doubles=())]).problems] == ["contract-missing"]


def test_a_round_without_declarer_is_dealt_again_too():
    phone = begin("get-barbara")
    phone.send("hand", 1, fields={"barbara-S": "2", "step": ""})
    phone.send("hand", 1, "misdeal", fields={"again": "1"})
    assert phone.state.hand(1) == referee.Hand(misdeals=1)


# --- a penalty ---


def test_a_penalty_stands_beside_the_score_and_counts_in_the_totals_only():
    phone = begin()
    phone.record(**MISERE)
    assert send(phone, pays(-10, 10, 0, 0)).url == phone.address("hand", 1)
    page = phone.see("hand", 1)
    assert "Ann −10, Bob +10: revoke" in words(page.main)
    assert [row[-1] for row in table_of(page, "Scores")[1:]] == ["−2", "−8", "−10", "−6"]
    assert phone.total == (-12, 2, -10, -6)
    assert "a penalty beside the score" in words(phone.see().select_one(".sheet tbody tr"))


def test_it_is_kept_through_corrections_and_stands_in_the_history():
    phone = begin()
    phone.record(**MISERE)
    send(phone, pays(-10, 10, 0, 0))
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    assert phone.state.hand(1).adjustment == Adjustment(points={ANN: -10, BOB: 10}, reason="revoke")
    assert "Penalty: Ann −10, Bob +10: revoke" in words(phone.see("hand", 1).select_one(".history"))


def test_it_is_changed_and_taken_away_again():
    phone = begin()
    phone.record(**MISERE)
    send(phone, pays(-30, 10, 10, 10))
    fields = {row["name"]: row.get("value") for row in phone.see("hand", 1).select(".penalty-row input[type=number]")}
    assert fields == {"points-0": "30", "points-1": "10", "points-2": "10", "points-3": "10"}
    send(phone, pays(0, 0, 0, 0, reason=""))
    assert phone.state.hand(1).adjustment is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (pays(-10, 5, 0, 0), "5 more points are paid than got"),
        (pays(10, 0, 0, 0), "10 more points are got than paid"),
        (pays(-10, 10, 0, 0) | {"points-0": "ten"}, "Points of Ann: “ten” is not a whole number"),
        (pays(-10, 10, 0, 0) | {"points-0": "-10"}, "Points of Ann: “-10” is not a whole number"),
        (pays(-10, 10, 0, 0) | {"sign-0": ""}, "Say whether Ann pays or gets the 10 points."),
        (pays(-10, 10, 0, 0, reason=" "), "Say why: a penalty has a reason."),
        (pays(-10, 10, 0, 0, reason="x" * 201), "The reason has 201 characters; at most 200 are kept."),
        (pays(-10, 10, 0, 0, reason="a\x00b"), "The reason has a character that cannot be kept."),
    ],
)
def test_a_penalty_that_cannot_be_is_named_and_stays_as_typed(fields: dict[str, str], message: str):
    phone = begin()
    phone.record(**MISERE)
    response = send(phone, fields)
    assert message in problems(response)[0]
    assert soup(response).select_one("[name=points-0]")["value"] == fields["points-0"]
    assert phone.state.hand(1).adjustment is None


def test_a_penalty_on_a_hand_that_was_changed_meanwhile_shows_both():
    phone = begin()
    phone.record(**MISERE)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    response = send(phone, pays(-10, 10, 0, 0), revision=1)
    assert response.status_code == 409
    assert "Ann 3, Bob 2" in words(soup(response).select_one(".versions"))
    assert "Ann −10, Bob +10: revoke" in words(soup(response).select_one(".versions"))
    browser = Browser(phone.client)
    browser._show(response)
    browser.press("Save penalty")
    assert phone.state.hand(1).adjustment == Adjustment(points={ANN: -10, BOB: 10}, reason="revoke")


def test_the_same_penalty_sent_twice_is_one():
    phone = begin()
    phone.record(**MISERE)
    for _ in range(2):
        response = send(phone, pays(-10, 10, 0, 0), key="the-penalty-of-tonight", revision=1)
        assert response.status_code == 302
    assert phone.total == (-12, 2, -10, -6)


def test_a_penalty_on_a_hand_that_was_taken_back_goes_to_the_match():
    phone = begin()
    phone.record(**MISERE)
    phone.undo()
    assert send(phone, pays(-10, 10, 0, 0)).url == phone.address()


def test_whoever_watches_gives_no_penalties_and_no_misdeals():
    phone = begin()
    phone.record(**MISERE)
    watcher = Client()
    assert watcher.post(phone.address("hand", 1, "penalty"), pays(-10, 10, 0, 0)).status_code == 403
    assert watcher.post(phone.address("hand", 2, "misdeal"), {"again": "1"}).status_code == 403
    assert watcher.get(phone.address("hand", 2, "misdeal")).status_code == 403
    page = soup(watcher.get(phone.address("hand", 1)))
    assert not page.select("form, .penalty")


def test_a_penalty_s_address_leads_to_the_hand():
    phone = begin()
    phone.record(**MISERE)
    assert phone.client.get(phone.address("hand", 1, "penalty")).url == phone.address("hand", 1)


# --- a hand played again ---


def test_a_hand_played_again_keeps_its_first_version_in_its_history():
    phone = begin()
    phone.record(**MISERE)
    browser = Browser(phone.client)
    browser.open(phone.address("hand", 1))
    browser.follow("Played again")
    assert browser.value("Note") == "Played again"
    browser.type("Tricks for Ann", 3)
    browser.type("Tricks for Bob", 2)
    browser.press("Save correction")
    browser.press("Save correction")
    first, second = (words(line) for line in phone.see("hand", 1).select(".history li"))
    assert "Ann 2, Bob 3" in first
    assert "Ann 3, Bob 2" in second
    assert "Note: Played again" in second


def test_the_tricks_of_the_first_time_do_not_stand_in_the_way_of_the_second():
    phone = begin()
    phone.send("hand", 1, fields=said("misere", [(BOB, ANN)], step="doubles"))
    tricks = "S W N E\n" + "\n".join(f"{rank}s {rank}h {rank}d {rank}c" for rank in "23456789tjqka")
    phone.send("hand", 1, "play", fields={"tricks": tricks, "step": "use"})
    fields = said("misere", [(BOB, ANN)], tricks=(12, 1, 0, 0), note="Played again", step="save")
    refused = phone.send("hand", 1, "correct", fields=fields)
    assert refused.status_code == 422
    address = phone.address("hand", 1, "correct") + "?again=1"
    sent = fields | {"key": "played-a-second-time", "revision": phone.state.revision(1)}
    shown = soup(phone.client.post(address, sent))
    assert shown.select_one("form.hand")["action"].endswith("?again=1")
    phone.client.post(address, sent | {"seen": shown.select_one("[name=seen]")["value"]})
    assert phone.state.hand(1).play is None
    assert phone.total == (-46, 20, 0, 0)


def test_penalties_of_an_evening_change_no_score_and_add_up_to_nothing():
    phone = go_on(random_match("barbu", seed=3, hands=6))
    before = phone.total
    send(phone, pays(-30, 10, 10, 10), hand=2)
    assert sum(phone.total) == sum(before)
    assert phone.total == tuple(now + then for now, then in zip((-30, 10, 10, 10), before, strict=True))
