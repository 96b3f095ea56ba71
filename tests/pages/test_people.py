"""The people of a table: renamed, made one, removed, brought back; and history keeps its seats."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import referee
from scorekeeper.models import Hand, Match, Player, Table, new_code

from .table import ANN, BOB, Phone, begin, let_in, problems, soup, table_of, words

pytestmark = pytest.mark.django_db

CAST = ("Ana", "Bob", "Cy", "Dee")


@pytest.fixture
def table() -> Table:
    return Table.objects.create(name="Harbour", zone="Europe/Vienna", scorer_hash="-")


@pytest.fixture
def scorer(table: Table) -> Client:
    client = Client()
    let_in(client, table)
    return client


def sit(table: Table, names: Sequence[str] = CAST, days: int = 0) -> Match:
    """These four play, so many days after the first of January; one hand is entered."""
    match = Match.start(
        ruleset=referee.load("barbu"), names=names, first_declarer=0, key=new_code(), zone="UTC", table=table
    )
    Match.objects.filter(pk=match.pk).update(began=datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(days=days))
    match.record(1, referee.Hand(contract="misere", doubles=()), key=new_code(), revision=0)
    return match


def named(table: Table, name: str) -> Player:
    return table.players.get(name=name)


def address(player: Player) -> str:
    return f"/t/{player.table.code}/players/{player.code}/change/"


def change(client: Client, player: Player, do: str, **fields: str) -> HttpResponse:
    return client.post(address(player), {"do": do, **fields})


def listed(client: Client, table: Table) -> list[str]:
    page = soup(client.get(f"/t/{table.code}/players/"))
    return [words(who) for who in page.select("ul.people .who")]


def seats(match: Match) -> list[str]:
    return [seat.player.name for seat in match.seats.select_related("player")]


# --- the list ---


def test_nobody_yet_says_what_to_do_first(table: Table, scorer: Client):
    assert "Start with a new match: it asks for the names." in words(soup(scorer.get(f"/t/{table.code}/players/")))
    assert "Nobody has played at this table yet." in words(soup(Client().get(f"/t/{table.code}/players/")))


def test_people_stand_as_they_played_last_with_how_often_and_when(client: Client, table: Table):
    sit(table, ("Eve", "Bob", "Cy", "Dee"), days=7)
    sit(table, CAST, days=14)
    sit(table, ("Ana", "Fay", "Cy", "Gus"), days=3)  # brought in later, played before
    assert listed(client, table) == ["Bob", "Cy", "Dee", "Ana", "Eve", "Fay", "Gus"]
    page = soup(client.get(f"/t/{table.code}/players/"))
    says = {words(line.select_one(".who")): words(line.small) for line in page.select("ul.people li")}
    assert says["Cy"] == "3 matches · last 15 Jan 2026"
    assert says["Fay"] == "1 match · last 4 Jan 2026"


def test_each_name_leads_to_its_figures(client: Client, table: Table):
    sit(table)
    page = soup(client.get(f"/t/{table.code}/players/"))
    links = {words(link.select_one(".who")): link["href"] for link in page.select("a.figures")}
    assert links["Bob"] == reverse("player", args=[table.code, named(table, "Bob").code])


def test_who_plays_no_more_stands_at_the_end_and_can_be_brought_back(table: Table, scorer: Client):
    sit(table)
    named(table, "Ana").remove()
    assert listed(scorer, table) == ["Bob", "Cy", "Dee", "Ana"]
    assert [player.name for player in table.players_lately()] == ["Bob", "Cy", "Dee", "Ana"]
    gone = soup(scorer.get(f"/t/{table.code}/players/")).select_one("section[aria-labelledby=gone]")
    assert words(gone.h2) == "No longer playing"
    assert gone.button["aria-label"] == "Bring Ana back"
    response = scorer.post(gone.form["action"], {"do": gone.button["value"]})
    assert response.status_code == 302
    assert not named(table, "Ana").is_gone
    assert not soup(scorer.get(f"/t/{table.code}/players/")).select("section[aria-labelledby=gone]")


def test_watchers_see_the_list_and_change_nothing(client: Client, table: Table):
    sit(table)
    page = soup(client.get(f"/t/{table.code}/players/"))
    assert len(page.select("ul.people li")) == 4
    assert not page.select("ul.people form, ul.people .button")
    bob = named(table, "Bob")
    assert client.get(address(bob)).status_code == 403
    for do in ("rename", "merge", "remove", "bring-back"):
        assert change(client, bob, do, name="Rob", into=named(table, "Cy").code, sure="yes").status_code == 403
    bob.refresh_from_db()
    assert (bob.name, bob.is_gone) == ("Bob", False)


def test_a_scorer_of_another_table_finds_nobody_of_this_one(table: Table):
    sit(table)
    phone = begin()
    stolen = f"/t/{phone.match.table.code}/players/{named(table, 'Bob').code}/change/"
    assert phone.client.get(stolen).status_code == 404
    assert phone.client.post(stolen, {"do": "rename", "name": "Rob"}).status_code == 404
    assert seats(table.matches.get()) == list(CAST)


def test_no_post_without_a_token(table: Table):
    sit(table)
    strict = Client(enforce_csrf_checks=True)
    let_in(strict, table)
    assert change(strict, named(table, "Bob"), "remove").status_code == 403
    assert not named(table, "Bob").is_gone


@pytest.mark.parametrize("path", ["players/", "players/{bob}/change/"])
def test_sixty_matches_cost_the_same_queries_as_two(path: str):
    asked = []
    for matches in (2, 60):
        table = Table.objects.create(name="Harbour", scorer_hash="-")
        for days in range(matches):
            sit(table, days=days)
        client = Client()
        let_in(client, table)
        with CaptureQueriesContext(connection) as captured:
            shown = f"/t/{table.code}/" + path.format(bob=named(table, "Bob").code)
            assert client.get(shown).status_code == 200
        asked.append(len(captured))
    assert asked[0] == asked[1] <= 6


# --- renaming ---


def test_a_rename_is_seen_at_once_wherever_the_name_stands():
    """A15, in the middle of a match: the same player by another name, in everything that was played."""
    phone = begin(players=CAST)
    table = phone.match.table
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    bob, mark = named(table, "Bob"), table.mark
    response = change(phone.client, bob, "rename", name="Robert", was="Bob")
    assert (response.status_code, response["Location"]) == (302, f"/t/{table.code}/players/#{bob.code}")
    match_page, explanation = phone.see(), phone.see("hand", 1)
    assert table_of(match_page, "Standings")[0] == ["Ana", "Robert", "Cy", "Dee"]
    assert "Robert doubled Ana" in words(explanation)
    assert "Robert → Ana" in words(explanation.select_one(".history"))
    pages = [
        match_page,
        explanation,
        *(soup(phone.client.get(f"/t/{table.code}/{path}")) for path in ("", "players/", "new/")),
        soup(phone.client.get(f"/t/{table.code}/?player={bob.code}")),
    ]
    for page in pages:
        assert "Robert" in str(page.main)
        assert "Bob" not in str(page.main)
    table.refresh_from_db()
    assert table.mark != mark


@pytest.mark.parametrize("name", ["Ana", "ana ", "ANA", "  aNa"])
def test_a_name_that_somebody_has_is_refused_and_never_merged(name: str):
    """A15: rename Bob to "Ana" in mid-session."""
    phone = begin(players=CAST)
    phone.record("misere")
    bob = named(phone.match.table, "Bob")
    response = change(phone.client, bob, "rename", name=name)
    assert problems(response) == ["Ana is at this table already. If it is the same person, make them one."]
    assert soup(response).select_one("#name")["value"] == name.strip()
    assert seats(phone.match) == list(CAST)
    assert phone.match.table.players.count() == 4


def test_a_name_of_somebody_gone_is_refused_too(table: Table, scorer: Client):
    sit(table)
    named(table, "Ana").remove()
    response = change(scorer, named(table, "Bob"), "rename", name="ana")
    assert problems(response) == ["Ana has played at this table before. If it is the same person, make them one."]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "A player needs a name."),
        ("   ", "A player needs a name."),
        ("x" * 60, "This name has 60 characters; at most 40 fit."),
        ("x" * 41, "This name has 41 characters; at most 40 fit."),
        ("Bo\nb", "This name has characters that cannot be read, such as a line break."),
        ("Bo\x00b", "This name has characters that cannot be read, such as a line break."),
        ("\u200b", "This name has characters that cannot be read, such as a line break."),
    ],
)
def test_what_is_no_name_is_refused_and_kept_in_the_field(table: Table, scorer: Client, name: str, says: str):
    sit(table)
    response = change(scorer, named(table, "Bob"), "rename", name=name)
    assert problems(response) == [says]
    assert named(table, "Bob")


@pytest.mark.parametrize("name", ["<b>x</b>", "O'Brien & Zoë", "أحمد", "👩‍👩‍👧", "x" * 40, "=1+1"])
def test_any_other_name_is_taken_and_shown_as_it_is(table: Table, scorer: Client, name: str):
    sit(table)
    bob = named(table, "Bob")
    assert change(scorer, bob, "rename", name=name).status_code == 302
    page = soup(scorer.get(f"/t/{table.code}/players/"))
    assert name in [words(who) for who in page.select(".who")]
    assert words(soup(scorer.get(address(bob))).h1) == name
    assert soup(scorer.get(address(bob))).select_one("#name")["value"] == name
    assert not page.select("main b b")


@pytest.mark.parametrize("name", ["BOB", "bob", " Bob  "])
def test_the_same_name_may_be_written_otherwise(table: Table, scorer: Client, name: str):
    sit(table)
    assert change(scorer, named(table, "Bob"), "rename", name=name).status_code == 302
    assert seats(table.matches.get())[1] == name.strip()


def test_an_accent_in_two_pieces_is_the_same_letter(table: Table, scorer: Client):
    sit(table, ("Zoë", "Bob", "Cy", "Dee"))
    assert change(scorer, named(table, "Bob"), "rename", name="Zoe\u0308").status_code == 422
    assert change(scorer, named(table, "Zoë"), "rename", name="zoe\u0308").status_code == 302
    assert seats(table.matches.get())[0] == "zoë"


def test_a_name_is_measured_as_it_is_kept(table: Table, scorer: Client):
    sit(table)
    response = change(scorer, named(table, "Bob"), "rename", name="\u0958" * 40)  # two characters each in one form
    assert problems(response) == ["This name has 80 characters; at most 40 fit."]


def test_a_rename_sent_twice_is_one(table: Table, scorer: Client):
    sit(table)
    bob = named(table, "Bob")
    for _ in range(2):
        assert change(scorer, bob, "rename", name="Robert", was="Bob").status_code == 302
    assert listed(scorer, table).count("Robert") == 1


def test_two_phones_that_rename_the_same_player_do_not_overwrite_each_other_unseen(table: Table, scorer: Client):
    sit(table)
    bob = named(table, "Bob")
    change(scorer, bob, "rename", name="Robert", was="Bob")
    response = change(scorer, bob, "rename", name="Bobby", was="Bob")
    assert response.status_code == 409
    page = soup(response)
    says = words(page.select_one("section[aria-labelledby=problems] li"))
    assert says == "Bob was renamed Robert meanwhile. Save again if another name is right."
    assert (page.select_one("#name")["value"], page.select_one("[name=was]")["value"]) == ("Bobby", "Robert")
    assert change(scorer, bob, "rename", name="Bobby", was="Robert").status_code == 302
    assert "Bobby" in listed(scorer, table)


def test_a_name_that_was_given_up_is_free_for_somebody_new(table: Table, scorer: Client):
    old = sit(table)
    change(scorer, named(table, "Bob"), "rename", name="Robert")
    new = sit(table)
    assert seats(old) == ["Ana", "Robert", "Cy", "Dee"]
    assert seats(new) == list(CAST)
    assert table.players.count() == 5


# --- two names, one person ---


def test_what_making_them_one_does_is_shown_before_it_is_done(table: Table, scorer: Client):
    for days in range(3):
        sit(table, ("Ana", "Bert", "Cy", "Dee"), days=days)
    sit(table, CAST, days=3)
    bert, bob = named(table, "Bert"), named(table, "Bob")
    response = change(scorer, bert, "merge", into=bob.code)
    assert response.status_code == 200
    form = soup(response).select_one("form.ask")
    assert [line.get_text() for line in form.select("li")] == [
        "Bert's 3 matches become Bob's.",
        "The name Bert is free again.",
        "This cannot be taken back.",
    ]
    assert table.players.count() == 5
    fields = {
        field["name"]: field["value"] for field in form.select("[name]") if field["name"] != "csrfmiddlewaretoken"
    }
    response = scorer.post(address(bert), fields)
    assert (response.status_code, response["Location"]) == (302, f"/t/{table.code}/players/#{bob.code}")
    assert [seats(match) for match in table.matches.order_by("number")] == [list(CAST)] * 4
    assert sorted(listed(scorer, table)) == sorted(CAST)


def test_two_who_sat_together_are_two_people(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Bob"), days=3)
    bert, bob = named(table, "Bert"), named(table, "Bob")
    once = "Bert and Bob sat together in match 1 (Barbu, 4 January 2026), so they are two people."
    assert problems(change(scorer, bert, "merge", into=bob.code)) == [once]
    sit(table, ("Bob", "Ana", "Bert", "Cy"), days=10)
    sit(table, ("Bob", "Ana", "Eve", "Cy"), days=12)
    twice = (
        "Bert and Bob sat together in 2 matches, the last time in match 2 (Barbu, 11 January 2026), "
        "so they are two people."
    )
    for sure in ({}, {"sure": "yes"}):
        response = change(scorer, bert, "merge", into=bob.code, **sure)
        assert problems(response) == [twice]
        assert not soup(response).select("form.ask")
        assert words(soup(response).select_one("#into option[selected]")) == "Bob"
    assert seats(table.matches.get(number=1)) == ["Ana", "Bert", "Cy", "Bob"]
    assert table.players.count() == 5


def test_a_match_begun_between_the_question_and_the_yes_is_seen(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    bert, bob = named(table, "Bert"), named(table, "Bob")
    assert change(scorer, bert, "merge", into=bob.code).status_code == 200
    sit(table, ("Bob", "Bert", "Cy", "Dee"), days=1)
    assert change(scorer, bert, "merge", into=bob.code, sure="yes").status_code == 422
    assert table.players.count() == 5


def test_hands_scores_and_order_are_the_same_after_making_them_one(table: Table, scorer: Client):
    first = sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    before, hands = first.state().match, list(Hand.objects.values_list("pk", "record"))
    change(scorer, named(table, "Bert"), "merge", into=named(table, "Bob").code, sure="yes")
    after = first.state().match
    assert after.players == CAST
    assert [hand.total for hand in after.scored] == [hand.total for hand in before.scored]
    assert list(Hand.objects.values_list("pk", "record")) == hands


def test_table_and_moved_matches_get_another_mark(table: Table, scorer: Client):
    moved, other = sit(table, ("Ana", "Bert", "Cy", "Dee")), sit(table)
    change(scorer, named(table, "Bert"), "merge", into=named(table, "Bob").code, sure="yes")
    marks = table.mark, moved.mark, other.mark
    for row in (table, moved, other):
        row.refresh_from_db()
    assert [old != new for old, new in zip(marks, (table.mark, moved.mark, other.mark), strict=True)][::2] == [
        True,
        False,
    ]
    assert moved.mark != marks[1]


def test_making_them_one_sent_twice_is_one(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    bert, into = named(table, "Bert"), named(table, "Bob").code
    for _ in range(2):
        assert change(scorer, bert, "merge", into=into, sure="yes").status_code == 302
    assert sorted(listed(scorer, table)) == sorted(CAST)


def test_a_name_that_became_another_is_told_to_whoever_still_has_its_page(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    bert = named(table, "Bert")
    change(scorer, bert, "merge", into=named(table, "Bob").code, sure="yes")
    for response in (scorer.get(address(bert)), change(scorer, bert, "rename", name="Bertie")):
        assert response.status_code == 404
        assert "The name may have been made one with another." in response.content.decode()
    assert "Bertie" not in listed(scorer, table)


def test_the_name_can_be_used_again(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    change(scorer, named(table, "Bert"), "merge", into=named(table, "Bob").code, sure="yes")
    sit(table, ("Ana", "Bert", "Bob", "Dee"), days=1)
    assert sorted(listed(scorer, table)) == ["Ana", "Bert", "Bob", "Cy", "Dee"]


def test_made_one_with_somebody_gone_both_play_on(table: Table, scorer: Client):
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    bob = named(table, "Bob")
    bob.remove()
    change(scorer, named(table, "Bert"), "merge", into=bob.code, sure="yes")
    bob.refresh_from_db()
    assert not bob.is_gone


@pytest.mark.parametrize("into", ["", "nobody", "\x00", "other table"])
def test_nobody_is_not_chosen(table: Table, scorer: Client, into: str):
    sit(table)
    if into == "other table":
        into = begin().match.table.players.first().code
    response = change(scorer, named(table, "Bob"), "merge", into=into, sure="yes")
    assert problems(response) == ["Choose who this is."]
    assert table.players.count() == 4


def test_nobody_is_made_one_with_himself(table: Table, scorer: Client):
    sit(table)
    bob = named(table, "Bob")
    response = change(scorer, bob, "merge", into=bob.code, sure="yes")
    assert problems(response) == ["Bob is one person already; choose another name."]
    assert named(table, "Bob")


# --- no longer playing ---


def test_whoever_is_removed_keeps_the_seats_and_is_offered_no_more(table: Table, scorer: Client):
    match = sit(table)
    response = change(scorer, named(table, "Bob"), "remove")
    assert response.status_code == 302
    assert seats(match) == list(CAST)
    assert "Bob" in words(soup(scorer.get(f"/t/{table.code}/{match.number}/")))
    form = soup(scorer.get(f"/t/{table.code}/new/"))
    assert [field["value"] for field in form.select("input[name^=player-]")][:4] == ["Ana", "", "Cy", "Dee"]
    assert "Bob" not in [words(chip) for chip in form.select("button[name=seat]")]


def test_removed_twice_is_removed_once_and_brought_back_twice_is_back(table: Table, scorer: Client):
    sit(table)
    bob = named(table, "Bob")
    for do, is_gone in (("remove", True), ("remove", True), ("bring-back", False), ("bring-back", False)):
        assert change(scorer, bob, do).status_code == 302
        bob.refresh_from_db()
        assert bob.is_gone is is_gone


def test_the_page_of_somebody_gone_offers_to_bring_back(table: Table, scorer: Client):
    sit(table)
    bob = named(table, "Bob")
    deeds = [button["value"] for button in soup(scorer.get(address(bob))).select("button[name=do]")]
    bob.remove()
    gone = [button["value"] for button in soup(scorer.get(address(bob))).select("button[name=do]")]
    assert (deeds, gone) == (["rename", "merge", "remove"], ["rename", "merge", "bring-back"])


def test_a_name_that_is_typed_again_brings_its_player_back(table: Table, scorer: Client):
    sit(table)
    named(table, "Bob").remove()
    sit(table, days=1)
    assert not named(table, "Bob").is_gone
    assert table.players.count() == 4


@pytest.mark.parametrize("do", ["", "delete"])
def test_a_form_that_came_incomplete_changes_nothing(table: Table, scorer: Client, do: str):
    sit(table)
    response = change(scorer, named(table, "Bob"), do, name="Rob")
    assert problems(response) == ["The form came incomplete. Nothing was stored; send it again."]
    assert listed(scorer, table) == list(CAST)


def test_an_unknown_player_is_not_found(table: Table, scorer: Client):
    assert scorer.get(f"/t/{table.code}/players/nobody/change/").status_code == 404
    assert scorer.post(f"/t/{table.code}/players/nobody/change/", {"do": "remove"}).status_code == 404


def test_no_number_of_the_database_stands_in_a_page(table: Table, scorer: Client):
    zed = Player.objects.create(pk=987654, table=table, name="Zed", name_key="zed")
    sit(table, ("Zed", "Bob", "Cy", "Dee"))
    pages = [soup(scorer.get(path)) for path in (f"/t/{table.code}/players/", address(zed), f"/t/{table.code}/")]
    assert all("Zed" in str(page) and "987654" not in str(page) for page in pages)


def test_it_scores_on_after_a_rename():
    phone: Phone = begin(players=CAST)
    change(phone.client, named(phone.match.table, "Ana"), "rename", name="Annabel")
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    assert phone.played == ["misere"]


@pytest.mark.parametrize("deed", ["remove", "bring_back"])
def test_who_was_made_one_with_another_meanwhile_is_removed_by_nobody(deed: str):
    table = begin().match.table
    gone = table.player("Anne")
    assert table.players.get(name="Anne").merge(table.players.get(name="Ann")) is None
    getattr(gone, deed)()
    assert not table.players.filter(name="Anne").exists()
