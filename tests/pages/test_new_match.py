"""A new match: what the form takes, what it refuses in words, and that one form makes one match."""

import random

import pytest
from bs4 import BeautifulSoup
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import referee
from scorekeeper.forms import new
from scorekeeper.models import Match, Player, Table, new_code

pytestmark = pytest.mark.django_db


def said(*names: str, **changes: object) -> dict[str, object]:
    """The form as a browser sends it, of four players where nothing else is said."""
    fields = {f"player-{number}": name for number, name in enumerate(names or ("Ann", "Bob", "Cy", "Dee"), 1)}
    return {"key": new_code(), "game": "barbu", "first": "1", **fields, **changes}


def page(response: HttpResponse) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


def problems(response: HttpResponse) -> list[tuple[str, str]]:
    """What the region Problems lists: the field it leads to, and the sentence."""
    assert response.status_code == 422
    links = page(response).select('section[aria-labelledby="problems"] li a')
    return [(link["href"].removeprefix("#"), link.text) for link in links]


def typed(response: HttpResponse) -> list[str]:
    return [field["value"] for field in page(response).select(".seat input") if field["value"]]


def chosen(response: HttpResponse, name: str) -> str:
    [field] = page(response).select(f"input[name={name}][checked]")
    return field["value"]


def test_it_begins_a_match_at_a_new_table_and_lets_this_browser_score(client: Client):
    response = client.post("/new/", said(first="3", zone="Europe/Vienna", table="Harbour"))
    match = Match.objects.get()
    assert response.url == f"/t/{match.table.code}/1/"
    assert match.table.name == "Harbour"
    assert match.zone == match.table.zone == "Europe/Vienna"
    assert match.first_declarer == 2
    assert match.state().match.players == ("Ann", "Bob", "Cy", "Dee")
    assert match.state().match.ruleset == referee.load("barbu")
    assert client.get(f"/t/{match.table.code}/new/").status_code == 200


def test_every_game_of_the_rulebook_is_offered_and_the_main_one_chosen(client: Client):
    response = client.get("/new/")
    offered = [field["value"] for field in page(response).select("input[name=game]")]
    assert offered == list(referee.names())
    assert chosen(response, "game") == "barbu"


@pytest.mark.parametrize("code", referee.names())
def test_every_game_can_be_begun_with_its_fewest_and_its_most_players(client: Client, code: str):
    names = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"]
    allowed = referee.load(code).players
    for number in {min(allowed), max(allowed)}:
        response = client.post("/new/", said(*names[:number], game=code))
        assert response.status_code == 302
        assert len(Match.objects.latest("pk").state().match.players) == number


def test_a_table_without_a_name_is_called_after_its_evening(client: Client):
    client.post("/new/", said())
    assert Table.objects.get().name.endswith("day table")


def test_the_same_form_sent_twice_makes_one_match(client: Client):
    once = said()
    first, second = client.post("/new/", once), client.post("/new/", once)
    assert first.url == second.url
    assert Match.objects.count() == Table.objects.count() == 1


def test_of_two_forms_that_arrive_at_once_the_slower_finds_the_match_of_the_faster(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    once = said()
    faster = client.post("/new/", once)
    monkeypatch.setattr(QuerySet, "first", lambda rows: None)
    assert client.post("/new/", once).url == faster.url
    assert Match.objects.count() == Table.objects.count() == 1


def test_a_draw_sent_twice_is_drawn_once(client: Client):
    once = said(first="draw")
    assert {client.post("/new/", once).url for _ in range(9)} == {f"/t/{Table.objects.get().code}/1/"}
    assert Match.objects.count() == 1


def test_going_back_and_changing_a_name_makes_another_match(client: Client):
    once = said()
    first = client.post("/new/", once)
    second = client.post("/new/", once | {"player-2": "Bert"})
    assert first.url != second.url
    assert Match.objects.latest("pk").state().match.players == ("Ann", "Bert", "Cy", "Dee")


def test_a_draw_gives_every_seat_its_turn(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(new.secrets, "randbelow", random.Random(9).randrange)
    for _ in range(40):
        client.post("/new/", said(first="draw"))
    assert set(Match.objects.values_list("first_declarer", flat=True)) == {0, 1, 2, 3}


def test_a_game_without_declarer_asks_nobody_to_declare(client: Client):
    assert client.post("/new/", said(game="get-barbara", first="")).status_code == 302
    assert Match.objects.get().first_declarer == 0


def test_empty_fields_between_names_are_closed_up(client: Client):
    client.post("/new/", said("Ann", "", "Bob", "", "Cy", game="get-barbara"))
    assert Match.objects.get().state().match.players == ("Ann", "Bob", "Cy")
    client.post("/new/", said("Ann", "", "Bob", "Cy", "Dee", first="4"))
    assert Match.objects.latest("pk").first_declarer == 2


def test_a_missing_name_is_named_with_the_number_that_the_game_needs(client: Client):
    response = client.post("/new/", said("Ann", "Bob", "   ", "Dee"))
    assert problems(response) == [("player-3", "Player 3 has no name; Barbu needs 4 players.")]
    assert not Table.objects.exists()


def test_a_player_too_many_is_named(client: Client):
    response = client.post("/new/", said("Ann", "Bob", "Cy", "Dee", "Eve"))
    assert problems(response) == [("player-5", "One too many: Barbu is for 4 players, and 5 are named.")]


@pytest.mark.parametrize("same", ["ana ", "ANA", "  Ana", "aNa\u00a0"])
def test_names_equal_but_for_case_and_spaces_are_refused(client: Client, same: str):
    response = client.post("/new/", said("Ana", "Bob", same, "Dee"))
    assert problems(response) == [("player-3", "Player 1 is Ana already; case and spaces do not count.")]
    assert not Player.objects.exists()


def test_names_equal_but_for_their_unicode_form_are_refused(client: Client):
    assert [where for where, _ in problems(client.post("/new/", said("Zoë", "Bob", "Zoe\u0308", "Dee")))] == [
        "player-3"
    ]


def test_forty_letters_fit_and_one_more_is_refused_with_both_numbers(client: Client):
    response = client.post("/new/", said("x" * 41, "Bob", "Cy", "Dee"))
    assert problems(response) == [("player-1", "This name has 41 characters; at most 40 fit.")]
    assert client.post("/new/", said(" " + "x" * 40 + " ", "Bob", "Cy", "Dee")).status_code == 302


@pytest.mark.parametrize("name", ["A\nB", "A\rB", "A\x00B", "A\x1bB", "A\u2028B", "\u200b", "\u202e", "A\ufffdB"])
def test_names_that_cannot_be_read_are_refused(client: Client, name: str):
    response = client.post("/new/", said(name, "Bob", "Cy", "Dee"))
    assert problems(response) == [("player-1", "This name has characters that cannot be read, such as a line break.")]


def test_half_a_character_is_refused_and_not_an_error(client: Client):
    body = "game=barbu&first=1&player-1=%ED%A0%80&player-2=Bob&player-3=Cy&player-4=Dee&key=" + new_code()
    response = client.post("/new/", body, content_type="application/x-www-form-urlencoded")
    assert [where for where, _ in problems(response)] == ["player-1"]


NAMES = ["<b>x</b>", "O'Brien & Zoë", "أحمد", "👩‍👩‍👧"]


def test_markup_arabic_and_emoji_are_names_like_others_and_shown_as_text(client: Client):
    client.post("/new/", said(*NAMES))
    match = Match.objects.get()
    assert match.state().match.players == tuple(NAMES)
    for address in (f"/t/{match.table.code}/", f"/t/{match.table.code}/new/", "/"):
        shown = client.get(address)
        assert "<b>x</b>" not in shown.content.decode()
        assert all(name in str(page(shown).text) + str(typed(shown)) for name in NAMES)


def test_what_was_typed_and_chosen_stays_when_something_is_wrong(client: Client):
    sent = said("Ann", "ann", "Cy", "Dee", game="king", first="draw", table="Harbour", zone="Asia/Tokyo")
    response = client.post("/new/", sent)
    assert typed(response) == ["Ann", "ann", "Cy", "Dee"]
    assert chosen(response, "game") == "king"
    assert chosen(response, "first") == "draw"
    fields = {field["name"]: field.get("value") for field in page(response).select("input:not([type=radio])")}
    assert (fields["table"], fields["zone"], fields["key"]) == ("Harbour", "Asia/Tokyo", sent["key"])


def test_each_problem_stands_at_its_field_too(client: Client):
    shown = page(client.post("/new/", said("Ann", "ann", "", "Dee")))
    for number in (2, 3):
        field = shown.select_one(f"#player-{number}")
        assert field["aria-invalid"] == "true"
        assert shown.find(id=field["aria-describedby"]).text
    assert shown.select_one("#player-1").get("aria-invalid") is None
    assert "autofocus" in shown.select_one('section[aria-labelledby="problems"]').attrs


@pytest.mark.parametrize(
    ("field", "nonsense"),
    [
        ("game", ""),
        ("game", "no-such-game"),
        ("game", "../barbu"),
        ("first", ""),
        ("first", "7"),
        ("first", "0"),
        ("first", "-1"),
        ("first", "٣"),
        ("first", "1_0"),
        ("first", "9" * 99),
        ("table", "x" * 61),
        ("table", "a\nb"),
        ("key", ""),
        ("key", "short"),
        ("key", "x" * 4000),
    ],
)
def test_nonsense_gets_a_message_and_stores_nothing(client: Client, field: str, nonsense: str):
    response = client.post("/new/", said(**{field: nonsense}))
    assert [where for where, _ in problems(response)] == ["game" if field == "key" else field]
    assert typed(response) == ["Ann", "Bob", "Cy", "Dee"]
    assert not Table.objects.exists()


@pytest.mark.parametrize("field", ["game", "first", "player-2"])
def test_a_field_sent_twice_gets_a_message(client: Client, field: str):
    sent = said()
    response = client.post("/new/", sent | {field: [sent[field], sent[field]]})
    assert [where for where, _ in problems(response)] == [field]


def test_an_empty_post_gets_messages_and_a_key_to_go_on_with(client: Client):
    response = client.post("/new/", {})
    assert len(problems(response)) > 1
    assert page(response).select_one("input[name=key]")["value"]


@pytest.mark.parametrize("zone", ["", "Mars/Phobos", "../../etc/passwd", "America", "\x00"])
def test_a_time_zone_that_is_none_falls_back(client: Client, zone: str):
    client.post("/new/", said(zone=zone))
    assert Match.objects.get().zone == "UTC"


def test_extra_fields_do_no_harm(client: Client):
    assert client.post("/new/", said(surprise="1", **{"player-99": "Zed"})).status_code == 302


def test_without_script_a_name_moves_up_and_takes_its_first_turn_along(client: Client):
    response = client.post("/new/", said(first="2", game="king", move="up-2"))
    assert response.status_code == 200
    assert typed(response) == ["Bob", "Ann", "Cy", "Dee"]
    assert (chosen(response, "first"), chosen(response, "game")) == ("1", "king")
    assert page(response).select_one("button[autofocus]")["aria-label"] == "Move Bob up"
    assert not Table.objects.exists()


def test_without_script_a_name_moves_down(client: Client):
    assert typed(client.post("/new/", said(move="down-1"))) == ["Bob", "Ann", "Cy", "Dee"]


@pytest.mark.parametrize("move", ["up-1", "down-9"])
def test_nobody_moves_past_the_ends(client: Client, move: str):
    assert typed(client.post("/new/", said(move=move))) == ["Ann", "Bob", "Cy", "Dee"]


def test_the_move_buttons_say_the_names_or_the_number_while_there_is_none(client: Client):
    shown = page(client.post("/new/", said("Ann", "", "Cy", "Dee", move="down-3")))
    labels = [button["aria-label"] for button in shown.select("button[name=move]")][:4]
    assert labels == ["Move Ann up", "Move Ann down", "Move player 2 up", "Move player 2 down"]


def test_play_again_brings_game_and_players_and_the_next_one_declares_first(client: Client):
    client.post("/new/", said(game="barbu-quick", first="4"))
    code = Table.objects.get().code
    client.post(f"/t/{code}/new/", said("Eve", "Flo", "Gus", "Hal"))
    response = client.get(f"/t/{code}/new/?again=1")
    assert typed(response) == ["Ann", "Bob", "Cy", "Dee"]
    assert (chosen(response, "game"), chosen(response, "first")) == ("barbu-quick", "1")


@pytest.mark.parametrize("again", ["", "?again=99", "?again=x", "?again=-1", "?again=" + "9" * 40, "?again=٣"])
def test_without_a_match_to_repeat_the_last_one_is_offered(client: Client, again: str):
    client.post("/new/", said())
    response = client.get(f"/t/{Table.objects.get().code}/new/{again}")
    assert typed(response) == ["Ann", "Bob", "Cy", "Dee"]


def test_names_known_to_the_table_are_offered_until_they_have_a_seat(client: Client):
    client.post("/new/", said())
    code = Table.objects.get().code
    client.post(f"/t/{code}/new/", said("Eve", "Bob", "Cy", "Dee"))
    response = client.get(f"/t/{code}/new/")
    assert [button["value"] for button in page(response).select("button[name=seat]:not([hidden])")] == ["Ann"]
    seated = client.post(f"/t/{code}/new/", said("", "Bob", "Cy", "Dee", seat="Ann"))
    assert typed(seated) == ["Ann", "Bob", "Cy", "Dee"]
    assert [button["value"] for button in page(seated).select("button[name=seat]:not([hidden])")] == ["Eve"]


def test_a_known_name_never_takes_a_seat_that_the_game_does_not_have(client: Client):
    client.post("/new/", said())
    response = client.post(f"/t/{Table.objects.get().code}/new/", said(seat="Eve"))
    assert typed(response) == ["Ann", "Bob", "Cy", "Eve"]


def test_a_known_player_stays_the_same_player_however_the_name_is_written(client: Client):
    client.post("/new/", said())
    client.post(f"/t/{Table.objects.get().code}/new/", said("ANN", "bob ", "Cy", "Dee"))
    assert Match.objects.count() == 2
    assert Player.objects.count() == 4


def test_a_stranger_cannot_begin_a_match_at_a_table(client: Client):
    client.post("/new/", said())
    address, stranger = f"/t/{Table.objects.get().code}/new/", Client()
    assert stranger.get(address).status_code == 403
    assert stranger.post(address, said()).status_code == 403
    assert Match.objects.count() == 1


def test_the_cookie_of_one_table_opens_no_other(client: Client):
    client.post("/new/", said())
    code = Table.objects.get().code
    other = Client()
    other.post("/new/", said("Eve", "Flo", "Gus", "Hal"))
    other.cookies["scorer"]["path"] = f"/t/{code}/"
    assert other.post(f"/t/{code}/new/", said()).status_code == 403


def test_a_key_used_at_a_table_opens_that_table_to_nobody_else(client: Client):
    client.post("/new/", said())
    code = Table.objects.get().code
    sent = said("Eve", "Bob", "Cy", "Dee")
    client.post(f"/t/{code}/new/", sent)
    thief = Client()
    assert not thief.post("/new/", sent).url.startswith(f"/t/{code}/")
    assert thief.get(f"/t/{code}/new/").status_code == 403


def test_there_is_no_new_match_at_a_table_that_is_none(client: Client):
    assert client.get("/t/nowhere/new/").status_code == 404
    assert client.post("/t/nowhere/new/", said()).status_code == 404


def test_a_browser_that_knows_a_table_is_led_to_it(client: Client):
    client.post("/new/", said(table="Harbour"))
    link = page(client.get("/new/")).select_one('nav[aria-labelledby="again"] a')
    assert (link.text, link["href"]) == ("Harbour", f"/t/{Table.objects.get().code}/new/")


def test_only_the_back_button_brings_the_same_form_again(client: Client):
    assert client.get("/new/")["Cache-Control"] == "private, no-cache"


def test_it_asks_little_of_the_database(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries):
    for _ in range(4):
        client.post("/new/", said())
    with django_assert_max_num_queries(5):
        client.get(f"/t/{Table.objects.first().code}/new/")
    with django_assert_max_num_queries(1):
        client.get("/new/")


def test_a_forged_post_from_elsewhere_is_refused():
    assert Client(enforce_csrf_checks=True).post("/new/", said()).status_code == 403
    assert not Table.objects.exists()


def test_the_longest_names_are_those_of_the_database():
    assert Player._meta.get_field("name").max_length == new.LONGEST_NAME
    assert Table._meta.get_field("name").max_length == new.LONGEST_TABLE_NAME
