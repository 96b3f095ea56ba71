"""Rulings: what the referee says to a question of cards, of the layout, of doubles, and of special moves."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

import referee
from referee.rules import RulingExample
from scorekeeper.forms.rulings import of_example
from tests.referee.table import record

from .table import ANN, BOB, CY, PLAYERS, begin, go_on, soup, words

ROOT = Path(__file__).parents[2]


class Said:
    """What stands on a ruling's page."""

    def __init__(self, page: BeautifulSoup) -> None:
        self.page = page
        self.answer = page.select_one(".answer")
        self.mark = next((mark for mark in ("yes", "no", "open") if mark in self.answer["class"]), "")
        self.verdict = words(page.select_one(".verdict")).lstrip("✓✗? ")
        self.because = " ".join(words(line) for line in page.select(".because"))
        self.may = [words(card) for card in page.select(".hand-cards li > [aria-hidden]")]
        self.not_now = {words(line.select_one("b")): words(line.find_all("span")[-1]) for line in self.lines}
        self.wins = words(page.select_one(".wins")) if page.select_one(".wins") else ""
        self.rule = words(page.select_one(".rule"))

    @property
    def lines(self) -> list:
        return self.page.select(".why-not li")


def ask(client: Client, game: str = "barbu", *, status: int = 200, **question: str) -> Said:
    response = client.get(f"/ruling/{game}/?{urlencode(question)}")
    assert response.status_code == status, response.status_code
    return Said(soup(response))


def plain(cards: list[str]) -> list[str]:
    """Cards as the page writes them, without what keeps a sign from becoming a picture, nor spaces."""
    return [card.replace("\ufe0e", "").replace(" ", "") for card in cards]


# --- a trick ---


def test_the_highest_card_of_the_suit_led_wins(client: Client):
    assert ask(client, contract="misere", trick="9D.KC.JD.2D").wins.startswith("J♦ wins the trick")


def test_the_highest_trump_wins(client: Client):
    assert ask(client, contract="trumps", trump="S", trick="QC.9S").wins.startswith("9♠ wins so far")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ({"contract": "misere", "trick": "9D.KD"}, "K♦ is allowed"),
        ({"contract": "misere", "trick": "9D.KC", "holds": "play-revoke-yes"}, "K♣ is not allowed"),
        ({"contract": "misere", "trick": "9D.KC", "holds": "play-revoke-no"}, "K♣ is allowed"),
        ({"contract": "misere", "trick": "9D.KC"}, "K♣: it depends"),
        ({"contract": "misere", "trick": "9D.KC", "hand": "2D"}, "K♣ is not allowed"),
        ({"contract": "misere", "trick": "9D.KC", "hand": "2S.AH"}, "K♣ is allowed"),
        ({"contract": "barbu", "trick": "4H"}, "4♥: it depends"),
        ({"contract": "barbu", "trick": "4H", "holds": "play-heart-lead-yes"}, "4♥ is not allowed"),
        ({"contract": "barbu", "trick": "4H", "holds": "play-heart-lead-no"}, "4♥ is allowed"),
        ({"contract": "barbu", "trick": "4C"}, "4♣ is allowed"),
        ({"contract": "no-queens", "trick": "QH"}, "Q♥ is allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QC.4H", "hand": "2S"}, "4♥ is not allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QC.4H", "hand": "2D"}, "4♥ is allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QC.9S.6S", "hand": "JS"}, "6♠ is not allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QC.9S.JS", "hand": "6S"}, "J♠ is allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QC.9S.4H", "hand": "6S"}, "4♥ is allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QS.4S", "hand": "KS"}, "4♠ is not allowed"),
        ({"contract": "trumps", "trump": "S", "trick": "QS.4S", "hand": "JS"}, "4♠ is allowed"),
    ],
)
def test_a_card_of_a_trick(client: Client, question: dict[str, str], verdict: str):
    said = ask(client, **question)
    assert said.verdict == verdict
    assert said.mark == {"is allowed": "yes", "is not allowed": "no"}.get(verdict.partition(" ")[2], "open")
    assert said.because


def test_any_card_of_the_trick_can_be_asked_about(client: Client):
    said = ask(client, contract="misere", trick="9D.KC.JD", at="1", holds="play-revoke-yes")
    assert said.verdict == "K♣ is not allowed"
    assert said.because == "9♦ was led: K♣ does not follow suit, and the suit is held."


def test_an_answer_leads_to_its_rule_in_the_book(client: Client):
    said = ask(client, contract="trumps", trump="S", trick="QC.9S")
    assert said.page.select_one(".rule a")["href"] == "/rules/barbu/#trumps"
    assert "who cannot beat them plays any card" in said.rule


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ({"contract": "trumps", "trump": "S", "trick": "QC.9S.4H", "hand": "6S"}, "4♥ is not allowed"),
        ({"contract": "no-queens", "trick": "9D.4C", "hand": "QH"}, "4♣ is not allowed"),
        ({"contract": "no-queens", "trick": "9D.QH", "hand": "4C"}, "Q♥ is allowed"),
        ({"contract": "barbu", "trick": "4H", "hand": "5S"}, "4♥ is not allowed"),
        ({"contract": "barbu", "trick": "4H", "hand": "5S", "heart_discarded": "1"}, "4♥ is allowed"),
    ],
)
def test_another_game_has_other_rules_of_play(client: Client, question: dict[str, str], verdict: str):
    assert ask(client, "king", **question).verdict == verdict


# --- a hand ---


def test_a_hand_is_sorted_into_what_may_be_played_and_what_not_and_why(client: Client):
    said = ask(client, contract="trumps", trump="S", ask="hand", trick="QC.9S", hand="JS.6S.4H")
    assert plain(said.may) == ["J♠"]
    assert dict(zip(plain(list(said.not_now)), said.not_now.values(), strict=True)) == {
        "6♠": "6♠ does not beat 9♠, and you hold J♠ which does.",
        "4♥": "You cannot follow Q♣ and must trump: 4♥ is no trump, and you hold J♠.",
    }


def test_a_hand_that_may_play_anything(client: Client):
    said = ask(client, contract="misere", ask="hand", trick="QC", hand="JS.6S.4H")
    assert said.verdict == "Any of these may be played"
    assert said.not_now == {}


# --- dominoes ---


def test_what_fits_the_layout_may_be_laid_and_there_is_no_pass(client: Client):
    said = ask(client, contract="dominoes", start="7", layout="7S.8S", hand="9S.2H", into="hand")
    assert plain(said.may) == ["9♠"]
    assert "no pass" in said.because
    assert list(said.not_now.values()) == ["2♥ does not fit: 3♥ is not there yet."]


def test_a_hand_that_does_not_fit_passes(client: Client):
    assert ask(client, contract="dominoes", start="7", layout="7S", hand="2H.AC").verdict == "Pass"


@pytest.mark.parametrize(
    ("start", "layout", "fits"),
    [
        ("A", "AS", ["K♠", "A♥", "A♦", "A♣"]),
        ("2", "2S", ["3♠", "2♥", "2♦", "2♣"]),
        ("7", "6S.7S.8S", ["9♠", "5♠", "7♥", "7♦", "7♣"]),
    ],
)
def test_what_fits_at_any_starting_rank(client: Client, start: str, layout: str, fits: list[str]):
    assert plain(ask(client, contract="dominoes", start=start, layout=layout).may) == fits


def test_a_tap_lays_everything_up_to_the_card_and_a_second_takes_off_what_is_beyond(client: Client):
    where = {"contract": "dominoes", "start": "7"}
    laid = client.get(f"/ruling/barbu/?{urlencode(where | {'do': 'add 10S'})}")
    assert laid.status_code == 302
    laid = client.get(f"/ruling/barbu/?{urlencode(where | {'do': 'add TS'})}")
    assert laid["Location"] == "/ruling/barbu/?contract=dominoes&start=7&layout=TS.9S.8S.7S"
    assert client.get(laid["Location"] + "&do=add+9S")["Location"].endswith("layout=8S.7S")


# --- doubling ---


def test_whose_turn_it_is_to_double_and_whom_they_may(client: Client):
    said = ask(client, contract="misere", ask="doubles")
    assert said.verdict == "Bob speaks"
    assert "anybody else" in said.because
    assert "If nobody doubles Misère, it is passed out" in said.because


def test_in_a_positive_contract_only_the_declarer_is_doubled(client: Client):
    said = ask(client, contract="trumps", ask="doubles")
    assert [chip["value"] for chip in said.page.select(".speakers button")] == ["double 1-0"]
    assert "played even if nobody doubles" in said.because


def test_the_declarer_answers_only_who_doubled(client: Client):
    said = ask(client, contract="misere", ask="doubles", doubles="1-0", spoken="3")
    assert said.verdict == "Ann speaks"
    assert [chip["value"] for chip in said.page.select(".speakers button")] == ["double 0-1"]


def test_nobody_doubled_and_so_it_is_passed_out(client: Client):
    assert ask(client, contract="misere", ask="doubles", spoken="4").verdict == "Passed out"


def test_a_double_that_may_not_be_is_refused(client: Client):
    said = ask(client, contract="trumps", ask="doubles", doubles="1-2", spoken="4")
    assert said.mark == "no"


# --- special moves ---


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ({"card": "8S"}, "8♠ is allowed"),
        ({"top": "KH", "card": "8H"}, "8♥ is allowed"),
        ({"top": "KH", "card": "KS"}, "K♠ is allowed"),
        ({"top": "KH", "card": "8S"}, "8♠ is not allowed"),
        ({"top": "KH", "card": "8S", "barbaras": "S"}, "8♠ is allowed"),
        ({"top": "8H", "card": "joker"}, "Joker is not allowed"),
        ({"top": "KH", "card": "joker"}, "A joker: out of turn only"),
    ],
)
def test_a_card_on_the_pile(client: Client, question: dict[str, str], verdict: str):
    assert ask(client, "get-barbara", **question).verdict == verdict


def test_a_card_says_its_move_and_what_a_joker_cancels(client: Client):
    said = ask(client, "get-barbara", top="KH", card="AH", led="1")
    assert "Move: One Barbara goes from one player to another." in said.because
    joker = words(said.page.find("section", attrs={"aria-labelledby": "joker"}))
    assert "Play goes on with Cy, to the left of Bob." in joker


# --- from a match ---

pages = pytest.mark.django_db


def from_match(phone, query: str = "") -> Said:
    response = phone.client.get(phone.address("ruling") + query)
    assert response.status_code == 200
    return Said(soup(response))


def played(game: str | referee.RuleSet, *hands: referee.Hand):
    ruleset = referee.load(game) if isinstance(game, str) else game
    return go_on(referee.Match(ruleset, PLAYERS, ANN, tuple(hands)))


@pages
def test_the_hand_that_is_being_played_is_filled_in():
    phone = played("barbu", referee.Hand(contract="trumps", trump="S", doubles=((BOB, ANN),)))
    said = from_match(phone, "?trick=QC.9S")
    assert "Trumps" in words(said.page.h1)
    assert said.wins == "9♠ wins so far: Bob."
    assert from_match(phone, "?ask=doubles").verdict == "The hand is played"


@pages
def test_before_the_declaration_the_contract_is_chosen():
    page = begin().see("ruling")
    assert "?contract=misere" in [link["href"] for link in page.select(".choose a")]


@pages
def test_a_player_who_owes_a_double_must_double_and_it_cannot_be_passed_out():
    five = [
        record("misere", [(BOB, ANN)], tricks={ANN: 13}),
        record("no-hearts", [(BOB, ANN)], hearts={ANN: 13}, ace_of_hearts={ANN: 1}),
        record("no-queens", [(CY, ANN)], queens={ANN: 4}),
        record("barbu", [(CY, ANN)], king_of_hearts={ANN: 1}),
        record("trumps", [], trump="S", tricks={ANN: 13}),
    ]
    said = from_match(played("barbu-classic", *five), "?contract=no-last-two&ask=doubles&spoken=2")
    assert said.verdict == "Dee speaks"
    assert "Dee must double Ann" in said.because
    assert "cannot be passed out" in said.because


@pages
def test_the_house_rules_of_a_match_are_obeyed_and_stated():
    barbu = referee.load("barbu")
    house = replace(barbu, play=replace(barbu.play, under_trump="must"))
    query = "?contract=trumps&trump=S&trick=QC.9S.4H&hand=6S"
    usual, strict = from_match(played("barbu"), query), from_match(played(house), query)
    assert (usual.mark, strict.mark) == ("yes", "no")
    assert "higher than the trick's trumps if possible and else lower" in strict.rule


@pages
def test_a_watcher_reads_it_and_nothing_is_stored():
    phone = played("barbu", referee.Hand(contract="misere"))
    before = phone.rows
    response = Client().get(phone.address("ruling") + "?trick=9D&do=add+KC")
    assert response.status_code == 302
    assert phone.rows == before


@pages
def test_a_ruling_of_a_match_asks_the_database_at_most_five_times():
    phone = played("barbu", referee.Hand(contract="misere"))
    with CaptureQueriesContext(connection) as asked:
        from_match(phone, "?trick=9D.KC")
    assert len(asked) <= 5


@pages
def test_rules_of_the_table_s_own_can_be_asked():
    phone = begin()
    barbu = referee.load("barbu")
    kept = phone.match.table.keep_rules(replace(barbu, name="Ours", code="own-x"), key="a-key-of-the-tests")
    page = phone.client.get(f"/t/{phone.match.table.code}/rules/{kept.code}/ruling/?contract=misere&trick=9D.KD")
    assert Said(soup(page)).verdict == "K♦ is allowed"
    link = Said(soup(page)).page.select_one(".rule a")["href"]
    assert phone.client.get(link.partition("#")[0]).status_code == 200


# --- the book ---


@pytest.mark.parametrize("game", referee.names())
def test_every_example_of_the_book_opens_as_its_ruling(client: Client, game: str):
    ruleset = referee.load(game)
    book = client.get(f"/rules/{game}/").content.decode()
    for example in ruleset.rulings:
        query = of_example(ruleset, example)
        assert query.replace("&", "&amp;") in book
        check(client, game, example, query)


def check(client: Client, game: str, example: RulingExample, query: str) -> None:
    said = Said(soup(client.get(f"/ruling/{game}/?{query}")))
    if example.question.get("top") or referee.load(game).play.moves:
        assert said.mark in (["no", "open"] if example.refused else ["yes"])
        return
    names = {card.replace("T", "10")[:-1] + dict(zip("SHDC", "♠♥♦♣", strict=True))[card[-1]] for card in example.legal}
    assert set(plain(said.may)) == names
    assert len(said.not_now) == len(example.refused)


@pytest.mark.parametrize("game", referee.names())
def test_every_contract_of_the_book_leads_to_the_referee_where_he_has_something_to_say(client: Client, game: str):
    for link in soup(client.get(f"/rules/{game}/")).select("a.ask"):
        assert client.get(link["href"]).status_code == 200


def test_a_ruling_without_a_match_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries):
    assert ask(client, contract="misere", trick="9D").verdict == "9♦ is allowed"


def test_a_part_of_the_page_is_all_that_a_script_gets(client: Client):
    where = "/ruling/barbu/?contract=misere&trick=9D&do=add+KC&do=holds+play-revoke-yes"
    part = client.get(where, headers={"X-In-Place": "1"})
    assert "<html" not in part.content.decode()
    assert "X-In-Place" in part["Vary"]
    assert Said(soup(part)).verdict == "K♣ is not allowed"


# --- what makes no sense ---


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("contract=misere&trick=ZZ", "There is no card “ZZ”"),
        ("contract=misere&trick=9D.9D", "9♦ is there twice."),
        ("contract=misere&trick=9D&hand=9D&ask=hand", "9♦ is there twice."),
        ("contract=misere&trick=2D.3D.4D.5D.6D", "The trick has 5 cards already; 4 play to it."),
        ("contract=whist", "Barbu has no contract “whist”."),
        ("contract=trumps&trump=X", "“X” means nothing here."),
        ("contract=dominoes&start=1", "“1” means nothing here."),
        ("contract=misere&ask=poker", "“poker” means nothing here."),
        ("contract=dominoes&start=7&layout=7S.9S", "9♠ cannot lie there: 8♠ is missing."),
    ],
)
def test_a_question_that_makes_no_sense_is_told_so_in_words(client: Client, query: str, says: str):
    response = client.get(f"/ruling/barbu/?{query}")
    assert response.status_code == 422
    assert says in words(soup(response).select_one(".problems"))


@pytest.mark.parametrize("odd", ["\x00", "é" * 500, ".", "-1", "٣", "play-revoke-yes", "add ZZ", "double 9-9"])
@pytest.mark.parametrize(
    "name",
    ["trick", "at", "holds", "layout", "hand", "into", "led", "doubles", "spoken", "top", "card", "players", "do"],
)
def test_nothing_in_an_address_brings_the_page_down(client: Client, name: str, odd: str):
    for game, about in (
        ("barbu", {"contract": "barbu"}),
        ("barbu", {"contract": "dominoes", "start": "7"}),
        ("barbu", {"contract": "trumps", "ask": "doubles"}),
        ("get-barbara", {}),
    ):
        response = client.get(f"/ruling/{game}/?{urlencode(about | {name: odd})}")
        assert response.status_code in (200, 302, 422)


def test_a_contract_whose_play_is_not_followed_says_so():
    assert "does not follow the play of Queens" in words(soup(Client().get("/ruling/coup-detat/?contract=queens")).main)


def test_an_unknown_game_is_not_found(client: Client):
    assert client.get("/ruling/whist/").status_code == 404


def test_every_game_that_can_be_asked_about_is_listed(client: Client):
    links = [link["href"] for link in soup(client.get("/ruling/")).select("main a")]
    assert "/ruling/barbu/" in links
    for link in links:
        assert client.get(link).status_code == 200


def test_no_page_of_rulings_knows_the_name_of_a_game():
    files = [*ROOT.glob("templates/rulings/*.html"), ROOT / "static/rulings.js", ROOT / "scorekeeper/views/rulings.py"]
    names = [referee.load(code).name for code in referee.names()]
    assert [(file.name, name) for file in files for name in names if name in file.read_text()] == []
