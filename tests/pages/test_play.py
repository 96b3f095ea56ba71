"""A hand card by card: tricks are pasted or tapped, walked through, checked, and kept with the hand."""

import json
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.hands import Trick
from referee.play import TrickRules
from tests.prove.play import deal, play_tricks, trick_rules

from .browser import Browser
from .table import ANN, BOB, CY, DEE, Phone, begin, said, soup, table_of, words

pytestmark = pytest.mark.django_db

ONE_SUIT_EACH = "S W N E\n" + "\n".join(f"{rank}s {rank}h {rank}d {rank}c" for rank in "23456789tjqka")
"""Ann leads spades thirteen times, and wins every trick."""


def declared(contract="misere", doubles=((BOB, ANN),), game="barbu", **told) -> Phone:
    phone = begin(game)
    phone.send("hand", 1, fields=said(contract, doubles, step="doubles", **told))
    return phone


def send(phone: Phone, text: str, step: str = "check", hand: int = 1, **changed):
    return phone.send("hand", hand, "play", fields={"tricks": text, "step": step} | changed)


def play_page(phone: Phone, hand: int = 1, **query):
    response = phone.client.get(phone.address("hand", hand, "play"), query)
    assert response.status_code == 200
    return soup(response)


def columns(tricks: list[Trick]) -> str:
    lines = [" ".join(trick.cards[(seat - trick.led_by) % 4] for seat in range(4)) for trick in tricks]
    return "\n".join(["Ann Bob Cy Dee", *lines])


def random_play(rules: TrickRules, seed: int = 1) -> list[Trick]:
    random = Random(seed)
    hands = deal(random)
    return play_tricks(
        rules, hands, ANN, random, lambda trick, hand, heart: rules.ruling(trick, hand, heart_discarded=heart).legal
    )


def result_table(page) -> list[list[str]]:
    return table_of(page, "What the tricks bring")[1:]


def unread(response) -> list[str]:
    return [words(line) for line in soup(response).select("[aria-labelledby=unread] li")]


def faults(page) -> list[str]:
    return [words(line.span) for line in page.select("[aria-labelledby=faults] li")]


def test_before_a_contract_is_declared_there_is_nothing_to_follow():
    page = play_page(begin())
    assert "Nothing is declared yet." in words(page.main)
    assert not page.select("form")


def test_dominoes_has_no_tricks():
    phone = declared("dominoes", (), start="7")
    assert "does not follow the play of Dominoes" in words(play_page(phone).main)


def test_pasted_tricks_are_shown_with_their_winners_and_what_they_bring():
    phone = declared()
    page = soup(send(phone, ONE_SUIT_EACH))
    assert words(page.select_one("[data-said]")) == "Trick 13 goes to Ann."
    assert "13 tricks" in words(page.select_one(".side-0 .taken"))
    assert result_table(page) == [
        ["Ann", "−26", "−26", "−52"],
        ["Bob", "0", "+26", "+26"],
        ["Cy", "0", "0", "0"],
        ["Dee", "0", "0", "0"],
    ]
    assert phone.state.hand(1).result is None


def test_the_result_is_used_and_the_tricks_are_kept_with_the_hand():
    phone = declared()
    response = send(phone, ONE_SUIT_EACH, "use")
    assert (response.status_code, response.url) == (302, phone.address())
    hand = phone.state.match.finished_hands[0].hand
    assert hand.result.counts == {"tricks": {ANN: 13}}
    assert hand.play[0] == Trick(led_by=ANN, cards=("2S", "2H", "2D", "2C"))
    assert phone.total == (-52, 26, 0, 0)
    assert words(play_page(phone).select_one("[data-said]")) == "Trick 13 goes to Ann."


def test_the_same_post_twice_stores_one_hand():
    phone = declared()
    how = {"key": "the-same-key-twice", "revision": phone.state.revision(1)}
    first, second = (send(phone, ONE_SUIT_EACH, "use", **how) for _ in range(2))
    assert (first.status_code, second.status_code) == (302, 302)
    assert len(phone.rows) == 2


def test_it_is_walked_through_by_plain_links_forwards_and_back():
    phone = declared()
    send(phone, ONE_SUIT_EACH, "use")
    page = play_page(phone, at=2)
    assert words(page.select_one("[data-said]")) == "Trick 1: Bob plays 2♥."
    links = {link.get("aria-label"): link["href"] for link in page.select(".walk a")}
    assert links == {
        "To the beginning": "?at=0",
        "One card back": "?at=1",
        "One card forwards": "?at=3",
        "To the end": "?at=52",
    }
    assert [card["aria-label"] for card in page.select(".felt [role=img][data-suit]")] == [
        "2 of Spades, wins so far",
        "2 of Hearts",
    ]
    assert words(play_page(phone, at=0).select_one("[data-said]")) == "Ann leads to the first trick."
    assert words(play_page(phone, at=4).select_one("[data-said]")) == "Trick 1 goes to Ann."


@pytest.mark.parametrize("at", ["-1", "x", "99999", "٣", "1e3", "53", ""])
def test_a_place_that_there_is_not_is_the_end(at: str):
    phone = declared()
    send(phone, ONE_SUIT_EACH, "use")
    assert words(play_page(phone, at=at).select_one(".count-of")) == "52 of 52"


def test_a_card_that_did_not_follow_is_found_where_it_was_played_and_by_which_card_it_is_proven():
    phone = declared()
    page = soup(send(phone, "S W N E\nas 2s 3s 2h\n4s 5c 5s 6s\n- - - kh"))
    assert faults(page) == ["Dee played 2♥ on A♠ and did not follow suit; 6♠ in trick 2 proves it."]
    assert words(page.select_one(".count-of")) == "4 of 9"
    assert "against the rules" in page.select_one(".wrong-card [role=img]")["aria-label"]


def test_tricks_with_a_fault_are_shown_and_not_stored():
    phone = declared()
    response = send(phone, "S W N E\nas 2s 3s 2h\n4s 5c 5s 6s", "keep")
    assert response.status_code == 422
    assert faults(soup(response))
    assert "2h" in soup(response).textarea.text
    assert phone.state.hand(1).play is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S W N E\nas 2s xx 4s", "Line 2, column 7: There is no card “xx” in this game"),
        ("S W N\nas 2s 3s 4s", "Line 1: The heading names 3 players"),
        ("S W N Q\nas 2s 3s 4s", "Line 1, column 7: “Q” in the heading is nobody of this match."),
        ("as 2s 3s 4s", "The first line must name the players, such as S W N E"),
        ("S W N E\nas 2s 3s", "Line 2 has 3 cards for 4 players"),
        ("S W N E\nas - 3s 4s", "Line 2: a card is missing"),
        ("[{", "Line 1, column 3: this is not the play of a match file."),
        ("[1]", "Trick 1 is no trick"),
        ('[{"led_by": "Eve", "cards": []}]', "Trick 1 is led by “Eve”, who is nobody of this match."),
        ("[" * 5000, "this is not the play of a match file."),
        ("x" * 8001, "The text has 8001 characters; at most 8000 are read."),
        ("[" + "9" * 5000 + "]", "Line 1"),
        ("\x00", "in the heading is nobody"),
    ],
)
def test_what_cannot_be_read_is_named_with_line_and_column_and_stays_in_its_field(text: str, message: str):
    phone = declared()
    response = send(phone, text)
    assert response.status_code == 422
    assert message in " ".join(unread(response))
    assert text in soup(response).textarea.text.replace("\r\n", "\n")


def test_a_pasted_page_of_something_else_shows_a_dozen_problems_at_most():
    phone = declared()
    assert len(unread(send(phone, "S W N E\n" + "these are no cards\n" * 300))) == 12


def test_a_huge_paste_is_answered():
    phone = declared()
    led_by_bob = json.dumps([{"led_by": "Bob", "cards": ["AS"]}] * 200)
    one_trick = json.dumps([{"led_by": "Bob", "cards": ["AS"] * 1200}])
    for text in ("as 2s 3s 4s\n" * 70_000, "S W N E\n" + "as 2s 3s 4s\n" * 600, led_by_bob, one_trick):
        assert send(phone, text).status_code in (200, 422)


def test_names_head_the_columns_as_well_and_south_may_be_anybody():
    phone = declared()
    by_name = soup(send(phone, "Cy Dee Ann Bob\n3s 4s as 2s"))
    assert words(by_name.select_one("[data-said]")) == "Trick 1 goes to Ann."
    south = soup(send(phone, "S W N E\n3s 4s as 2s", south=CY))
    assert words(south.select_one("[data-said]")) == "Trick 1 goes to Ann."
    assert south.select_one("[name=south][checked]")["value"] == str(CY)


def test_the_play_of_a_match_file_is_read_as_well_and_a_lead_out_of_turn_is_found():
    phone = declared()
    tricks = [{"led_by": "Ann", "cards": ["2S", "3S", "4S", "AS"]}, {"led_by": "Bob", "cards": ["5H"]}]
    page = soup(send(phone, json.dumps(tricks)))
    assert faults(page) == ["Bob led trick 2, but Dee had won trick 1."]


def test_cards_are_tapped_as_they_are_played_without_script():
    phone = declared()
    browser = Browser(phone.client)
    browser.open(phone.address("hand", 1, "play"))
    assert "Ann plays" in words(browser.page.summary)
    for card in ("5 of Hearts", "Ace of Hearts", "2 of Clubs", "7 of Hearts"):
        browser.press(card)
    assert words(browser.page.select_one("[data-said]")) == "Trick 1 goes to Bob."
    assert "Bob plays" in words(browser.page.summary)
    assert not browser.may_press("Ace of Hearts")
    browser.press("Take the last card back")
    assert "Dee plays" in words(browser.page.summary)
    assert browser.page.textarea.text.split() == ["Ann", "Bob", "Cy", "Dee", "5H", "AH", "2C", "-"]


def test_tapping_does_not_change_a_text_that_cannot_be_read():
    phone = declared()
    response = send(phone, "S W N E\nas 2s xx 4s", card="5H")
    assert soup(response).textarea.text.strip() == "S W N E\nas 2s xx 4s"


def test_tricks_so_far_are_kept_and_decide_nothing():
    phone = declared()
    response = send(phone, "S W N E\nas 2s 3s 4s", "keep")
    assert response.url == phone.address("hand", 1, "play")
    assert phone.state.match.unfinished_hand.play == (Trick(led_by=ANN, cards=("AS", "2S", "3S", "4S")),)
    assert soup(phone.client.get(phone.address())).select_one("form.hand")
    assert send(phone, "", "keep").status_code == 302
    assert phone.state.match.unfinished_hand.play is None


def test_before_the_doubles_are_told_tricks_are_checked_but_are_no_result_yet():
    phone = begin()
    phone.send("hand", 1, fields={"declare": "misere"})
    page = soup(send(phone, ONE_SUIT_EACH))
    assert "Nothing is said about doubles" in words(page.main)
    assert not [b for b in page.select("button") if words(b) == "Use this result"]
    assert send(phone, ONE_SUIT_EACH, "keep").status_code == 422


def test_a_result_that_agrees_with_the_tricks_keeps_them():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
    page = soup(send(phone, ONE_SUIT_EACH))
    assert "The entered result says the same." in words(page.main)
    assert send(phone, ONE_SUIT_EACH, "keep").status_code == 302
    assert len(phone.state.hand(1).play) == 13
    assert [row[2] for row in phone.rows] == ["enter", "correct"]


def test_a_result_that_disagrees_is_refused_and_both_are_shown():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(12, 1, 0, 0))
    response = send(phone, ONE_SUIT_EACH, "keep")
    assert response.status_code == 422
    assert "Tricks: Ann took 13 by the play; the result says 12." in words(soup(response).main)
    entered, brought = (words(version) for version in soup(response).select(".versions > div"))
    assert "Ann 12, Bob 1" in entered
    assert "Ann 13" in brought
    assert phone.state.hand(1).play is None


def test_the_result_of_the_tricks_replaces_one_that_disagrees_after_saying_what_changes():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(12, 1, 0, 0))
    page = soup(send(phone, ONE_SUIT_EACH))
    assert "Hand 1: Ann −46 becomes −52" in [words(line) for line in page.select(".consequences li")]
    response = send(phone, ONE_SUIT_EACH, "use")
    assert response.url == phone.address("hand", 1)
    assert phone.total == (-52, 26, 0, 0)


def test_a_second_phone_that_saved_meanwhile_is_shown_beside_it():
    phone = declared()
    revision = phone.state.revision(1)
    phone.record("misere", [(BOB, ANN)], tricks=(3, 3, 3, 4))
    response = send(phone, ONE_SUIT_EACH, "use", revision=revision)
    assert response.status_code == 409
    stored, mine = (words(version) for version in soup(response).select("section.problems .versions > div"))
    assert "Ann 3, Bob 3, Cy 3, Dee 4" in stored
    assert "13 tricks card by card" in mine
    assert "2s 2h 2d 2c" in soup(response).textarea.text
    browser = Browser(phone.client)
    browser._show(response)
    browser.press("Use this result")
    assert phone.total == (-52, 26, 0, 0)


def test_a_hand_that_was_taken_back_meanwhile_loses_nothing_that_was_typed():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(12, 1, 0, 0))
    phone.undo()
    response = send(phone, ONE_SUIT_EACH, "use")
    assert response.status_code == 409
    assert "2s 2h 2d 2c" in soup(response).textarea.text


def test_a_form_without_its_receipt_is_not_stored():
    phone = declared()
    response = send(phone, ONE_SUIT_EACH, "use", key="")
    assert response.status_code == 422
    assert "The form came incomplete." in words(soup(response).main)
    assert phone.state.hand(1).play is None


def test_whoever_watches_looks_and_does_not_write():
    phone = declared()
    send(phone, ONE_SUIT_EACH, "use")
    watcher = Client()
    page = soup(watcher.get(phone.address("hand", 1, "play")))
    assert words(page.select_one("[data-said]")) == "Trick 13 goes to Ann."
    assert not page.select("form")
    assert watcher.post(phone.address("hand", 1, "play"), {"tricks": ""}).status_code == 403


def test_the_hand_s_explanation_and_the_match_lead_here():
    phone = declared()
    assert phone.address("hand", 1, "play") in [link["href"] for link in phone.see().select("a")]
    send(phone, ONE_SUIT_EACH, "use")
    page = soup(Client().get(phone.address("hand", 1)))
    assert phone.address("hand", 1, "play") in [link["href"] for link in page.select("a")]


@pytest.mark.parametrize("number", [0, 3, 10**20])
def test_a_hand_that_is_not_there_is_not_found(number: int):
    assert declared().client.get(declared().address("hand", number, "play")).status_code == 404


@pytest.mark.parametrize("contract", ["misere", "no-hearts", "no-queens", "barbu", "no-last-two", "trumps"])
def test_a_whole_hand_of_each_trick_contract_is_scored_from_its_play(contract: str):
    rules = trick_rules("barbu", contract, Random(3))
    phone = declared(contract, [(BOB, ANN), (DEE, ANN)], **({"trump": rules.trump} if rules.trump else {}))
    response = send(phone, columns(random_play(rules)), "use")
    assert response.status_code == 302, words(soup(response).main)
    page = play_page(phone)
    assert not faults(page)
    assert phone.state.finished == 1


def test_ravage_city_counts_the_longest_suits():
    rules = trick_rules("ravage-city", "ravage-city", Random(3))
    phone = declared("ravage-city", [(BOB, ANN)], game="ravage-city")
    page = soup(send(phone, columns(random_play(rules))))
    assert "longest suit" in words(page.select_one(".side-0 .taken"))
    assert send(phone, columns(random_play(rules)), "use").status_code == 302
    assert phone.state.match.finished_hands[0].hand.result.ravaged


def test_it_asks_the_database_as_little_for_a_whole_hand_as_for_none():
    phone = declared()
    asked = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            play_page(phone)
        asked.append(len(captured))
        send(phone, ONE_SUIT_EACH, "use")
    assert asked[0] == asked[1] <= 4
