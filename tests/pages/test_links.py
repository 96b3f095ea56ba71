"""The links: as text and as codes, the scorer's for scorers only; new ones lock the old ones out at once."""

import re
from xml.etree import ElementTree

import pytest
import segno
from bs4 import BeautifulSoup
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from scorekeeper import access
from scorekeeper.models import Device, SpokenCode, Table
from scorekeeper.views.links import qr_code

from .phones import ask_to_score, at, everything_stored, join, may, phone_of
from .table import ANN, BOB, Phone, begin, let_in, soup, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    return begin()


@pytest.fixture
def table(phone: Phone) -> Table:
    return phone.match.table


def links(page: BeautifulSoup) -> list[str]:
    return [field["value"] for field in page.select("input[readonly]")]


def renew(phone: Phone, which: str) -> None:
    """Press one of the two buttons of the page as it stands."""
    table = phone.match.table
    now = soup(phone.client.get(at(table, "links"))).select_one("[name=now]")["value"]
    assert phone.client.post(at(table, "links", "new"), {"which": which, "now": now}).status_code == 302
    table.refresh_from_db()


def test_a_watcher_sees_the_watch_link_and_no_other(table: Table):
    page = soup(Client().get(at(table, "links")))
    assert links(page) == [f"http://testserver/t/{table.code}/"]
    assert len(page.select("svg")) == 1
    assert "#" not in links(page)[0]
    assert table.secret() not in str(page)
    assert not page.select("form")


def test_a_scorer_sees_both(phone: Phone, table: Table):
    page = soup(phone.client.get(at(table, "links")))
    assert links(page) == [
        f"http://testserver/t/{table.code}/",
        f"http://testserver/t/{table.code}/score/#{table.secret()}",
    ]
    assert len(page.select("svg")) == 2


def test_the_page_is_kept_by_no_cache_and_says_nothing_secret_in_its_title(phone: Phone, table: Table):
    response = phone.client.get(at(table, "links"))
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Robots-Tag"] == "noindex"
    assert soup(response).title.text == "Phones and links · Tafferan"


def test_match_and_table_lead_scorers_and_watchers_there(phone: Phone, table: Table):
    assert phone.see().select_one(f'nav a[href="{at(table, "links")}"]').text == "Phones and links"
    assert soup(phone.client.get(at(table))).select_one(f'nav a[href="{at(table, "links")}"]')
    assert soup(Client().get(at(table))).select_one(f'nav a[href="{at(table, "score")}"]')
    watched = soup(Client().get(phone.address()))
    assert watched.select_one(f'nav a[href="{at(table, "score")}"]').text == "Score on this phone"
    assert watched.select_one(f'nav a[href="{at(table, "links")}"]').text == "Share"


def test_it_leads_back_to_the_match_that_is_played(phone: Phone, table: Table):
    assert soup(phone.client.get(at(table, "links"))).select_one(".crumb a")["href"] == phone.address()


# --- the code for a camera ---


def modules(svg: str) -> list[list[bool]]:
    """What a camera sees: each small square, dark or not, read from the drawing's strokes."""
    drawing = ElementTree.fromstring(svg)
    size = int(drawing.attrib["viewBox"].split()[2])
    seen = [[False] * size for _ in range(size)]
    [strokes] = [path.attrib["d"] for path in drawing if path.attrib.get("stroke") == "#000"]
    x = y = 0.0
    for move, arguments in re.findall(r"([Mmh])([-\d. ]+)", strokes):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", arguments)]
        if move == "M":
            x, y = numbers
        elif move == "m":
            x, y = x + numbers[0], y + numbers[1]
        else:
            for column in range(int(x), int(x + numbers[0])):
                seen[int(y)][column] = True
            x += numbers[0]
    return seen


def test_the_drawn_code_says_the_link_with_a_quiet_margin_of_four():
    url = "https://cards.example/t/AbCdEfGhIjKlMnOpQrStUv/score/#" + "0123456789abcdef" * 2 + "0123456789a"
    seen = modules(str(qr_code(url)))
    meant = [[bool(dark) for dark in row] for row in segno.make(url, error="m", micro=False).matrix]
    assert [row[4:-4] for row in seen[4:-4]] == meant
    margin = seen[:4] + seen[-4:] + [row[:4] + row[-4:] for row in seen]
    assert not any(map(any, margin))


def test_the_code_is_black_on_white_whatever_the_page_s_colours():
    drawing = ElementTree.fromstring(str(qr_code("https://cards.example/")))
    ground, strokes = list(drawing)
    assert (ground.attrib["fill"], strokes.attrib["stroke"]) == ("#fff", "#000")
    assert "style" not in str(qr_code("https://cards.example/"))


@pytest.mark.parametrize(
    ("host", "warned"), [("127.0.0.1:8000", True), ("localhost", True), ("[::1]:8000", True), ("192.168.0.7", False)]
)
def test_a_link_that_only_this_machine_understands_says_so(table: Table, host: str, warned: bool):
    with override_settings(ALLOWED_HOSTS=["*"]):
        page = soup(Client().get(at(table, "links"), headers={"Host": host}))
    assert ("this machine only" in words(page.main)) == warned


# --- the scorer link ---


@pytest.mark.parametrize("whole", [True, False], ids=["whole link", "secret"])
def test_the_link_or_what_stands_behind_its_sign_lets_a_phone_score(phone: Phone, table: Table, whole: bool):
    client = Client()
    link = f"http://testserver/t/{table.code}/score/#{table.secret()}" if whole else f" {table.secret()} "
    response = ask_to_score(table, client, link=link)
    assert (response.status_code, response["Location"]) == (302, phone.address())
    assert may(client, table)
    assert phone_of(client, phone.match).record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3)).status_code == 302


def test_after_the_last_match_it_leads_to_the_table(phone: Phone, table: Table):
    table.matches.all().delete()
    assert ask_to_score(table, Client(), link=table.secret())["Location"] == at(table)


def test_the_cookie_holds_the_phone_s_own_token_not_the_secret(table: Table):
    cookie = join(table).cookies["scorer"]
    assert table.secret() not in cookie.value
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (at(table), True, "Lax")


def test_a_wrong_secret_is_refused_in_words_and_what_was_typed_stays(table: Table):
    client = Client()
    response = ask_to_score(table, client, link="0" * 43, name="Zoë")
    assert response.status_code == 422
    page = soup(response)
    assert "This is not the scorer link of this table" in words(page.select_one(".problems"))
    assert page.select_one("[name=name]")["value"] == "Zoë"
    assert not may(client, table)


def test_another_table_s_secret_opens_nothing_here(table: Table):
    assert ask_to_score(table, Client(), link=begin().match.table.secret()).status_code == 422


@pytest.mark.parametrize("name", ["x" * 41, "a\nb", "\u200b"])
def test_a_name_that_cannot_be_read_is_refused_and_the_link_is_not_lost(table: Table, name: str):
    response = ask_to_score(table, Client(), link=table.secret(), name=name)
    assert response.status_code == 422
    assert soup(response).select_one("[name=link]")["value"] == table.secret()


def test_the_same_form_sent_twice_lets_in_one_phone(phone: Phone, table: Table):
    client, before = Client(), Device.objects.count()
    for _ in range(2):
        assert ask_to_score(table, client, link=table.secret(), key="k" * 22).status_code == 302
    assert Device.objects.count() == before + 1
    assert may(client, table)


def test_a_phone_that_was_locked_out_is_let_in_again_by_the_same_form(phone: Phone, table: Table):
    client = Client()
    ask_to_score(table, client, link=table.secret(), key="k" * 22)
    renew(phone, "scorer")
    assert not may(client, table)
    ask_to_score(table, client, link=table.secret(), key="k" * 22)
    assert may(client, table)


@pytest.mark.parametrize("fields", [{"key": ""}, {"key": "\x00" * 22}, {"link": "x" * 100_000}, {"spoken": "٣" * 999}])
def test_nonsense_is_answered_in_words(table: Table, fields: dict[str, str]):
    assert ask_to_score(table, Client(), **fields).status_code == 422


def test_a_phone_that_scores_already_is_told_so_and_shown_on(phone: Phone, table: Table):
    page = soup(phone.client.get(at(table, "score")))
    assert "scores already" in words(page.main)
    assert page.select_one(".dock a")["href"] == phone.address()


def test_no_form_can_be_sent_from_another_site(table: Table):
    client = Client(enforce_csrf_checks=True)
    assert ask_to_score(table, client, link=table.secret()).status_code == 403


# --- new links ---


def test_a_new_scorer_link_locks_the_old_one_and_every_other_phone_out_at_once(phone: Phone, table: Table):
    other, old = join(table), table.secret()
    assert may(other, table)
    renew(phone, "scorer")
    assert table.secret() not in (None, old)
    assert not may(other, table)
    assert ask_to_score(table, Client(), link=old).status_code == 422
    assert may(phone.client, table)
    assert may(join(table), table)
    assert Client().get(phone.address()).status_code == 200


def test_a_phone_that_was_locked_out_is_told_so_and_stores_nothing(phone: Phone, table: Table):
    other = phone_of(join(table), phone.match)
    renew(phone, "scorer")
    response = other.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    assert response.status_code == 403
    assert "may watch this table, but not score it any more" in words(soup(response).main)
    assert soup(response).select_one(f'a[href="{at(table, "score")}"]')
    assert phone.rows == []


def test_new_links_for_everything_move_the_table_and_take_this_phone_along(phone: Phone, table: Table):
    other, old, mark = join(table), table.code, table.mark
    renew(phone, "both")
    assert table.code != old
    assert table.mark != mark
    for client in (Client(), other, phone.client):
        assert client.get(f"/t/{old}/").status_code == 404
        assert client.get(f"/t/{old}/1/").status_code == 404
        assert client.get(f"/t/{old}/score/").status_code == 404
    assert may(phone.client, table)
    assert not may(other, table)
    start = soup(phone.client.get("/"))
    assert start.select_one(f'h2 a[href="{at(table)}"]')


def test_the_phone_whose_answer_was_lost_finds_the_new_address_and_nobody_else(phone: Phone, table: Table):
    lost, other, old = Client(), join(table), table.code
    lost.cookies.update(phone.client.cookies)
    renew(phone, "both")
    for client in (Client(), other):
        assert client.get(f"/t/{old}/links/").status_code == 404
        assert client.post(f"/t/{old}/links/new/", {"which": "both"}).status_code == 404
    response = lost.post(f"/t/{old}/links/new/", {"which": "both", "now": "as before"})
    assert response.status_code == 302
    assert response["Location"].startswith(at(table, "links"))
    assert may(lost, table)
    assert Table.objects.get().code == table.code


def test_the_same_press_twice_makes_new_links_once(phone: Phone, table: Table):
    now, made = table.links_mark, []
    for _press in range(2):
        response = phone.client.post(at(table, "links", "new"), {"which": "scorer", "now": now}, follow=True)
        table.refresh_from_db()
        made.append(table.secret())
    assert made[0] == made[1]
    assert "there were new links already" in words(soup(response).main)


@pytest.mark.parametrize("which", ["", "everything"])
def test_a_press_that_says_nothing_changes_nothing(phone: Phone, table: Table, which: str):
    before = table.secret()
    phone.client.post(at(table, "links", "new"), {"which": which, "now": table.links_mark})
    table.refresh_from_db()
    assert table.secret() == before


def test_new_links_end_a_spoken_code(phone: Phone, table: Table):
    phone.client.post(at(table, "links", "code"))
    digits = SpokenCode.now(table).digits
    renew(phone, "scorer")
    assert ask_to_score(table, Client(), spoken=digits).status_code == 422


def test_the_secret_cannot_be_had_from_the_database_alone(phone: Phone, table: Table):
    join(table)
    phone.client.post(at(table, "links", "code"))
    renew(phone, "scorer")
    phone.client.post(at(table, "links", "code"))
    stored = everything_stored()
    assert table.seed in stored
    assert table.secret() not in stored
    assert SpokenCode.now(table).digits not in stored.replace(table.mark, "")
    with override_settings(SECRET_KEY="of another house"):
        assert table.secret() is None


def test_after_the_server_s_key_was_changed_the_page_says_why_it_cannot_show_the_link(phone: Phone, table: Table):
    old = table.secret()
    with override_settings(SECRET_KEY="another one"):
        client = Client()
        assert ask_to_score(table, client, link=old).status_code == 302
        page = soup(client.get(at(table, "links")))
        assert len(links(page)) == 1
        assert "cannot be shown again" in words(page.main)
        now = page.select_one("[name=now]")["value"]
        page = soup(client.post(at(table, "links", "new"), {"which": "scorer", "now": now}, follow=True))
        assert len(links(page)) == 2


# --- cookies from before phones were known by themselves ---


def holder_of_an_old_cookie(table: Table) -> Client:
    """A browser that made this table when its cookie still held the table's secret."""
    response = HttpResponse()
    access.give_cookie(response, table, table.secret())
    client = Client()
    client.cookies.update(response.cookies)
    return client


def test_an_old_cookie_goes_on_working_and_is_a_phone_like_any_other(phone: Phone, table: Table):
    old, before = holder_of_an_old_cookie(table), Device.objects.count()
    assert may(old, table)
    assert phone_of(old, phone.match).record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3)).status_code == 302
    assert Device.objects.count() == before + 1
    assert phone.match.hands.latest("pk").by == Device.objects.latest("pk")
    Device.objects.latest("pk").remove()
    assert not may(old, table)
    assert Device.objects.count() == before + 1


def test_an_old_cookie_is_worth_nothing_after_new_links(phone: Phone, table: Table):
    old = holder_of_an_old_cookie(table)
    renew(phone, "scorer")
    assert not may(old, table)


# --- what a page costs ---


def test_a_watcher_costs_no_question_about_phones_and_a_scorer_one(phone: Phone, table: Table):
    asked = []
    for client in (Client(), phone.client):
        client.get(at(table))
        with CaptureQueriesContext(connection) as captured:
            client.get(at(table))
        asked.append(sum("scorekeeper_device" in query["sql"] for query in captured))
    assert asked == [0, 1]


def test_many_phones_cost_the_same_questions_as_two(phone: Phone, table: Table):
    asked = []
    for number in (2, 20):
        while Device.objects.count() < number:
            join(table)
        with CaptureQueriesContext(connection) as captured:
            phone.client.get(at(table, "links"))
        asked.append(len(captured))
    assert asked[0] == asked[1]


def test_search_engines_are_asked_to_leave_the_tables_alone(client: Client):
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    assert "Disallow: /t/" in response.content.decode()


def test_cookies_travel_over_https_only_behind_a_proxy_that_speaks_it(table: Table):
    assert settings.SESSION_COOKIE_SECURE is False
    with override_settings(SESSION_COOKIE_SECURE=True):
        client = Client()
        let_in(client, table)
        assert client.cookies["scorer"]["secure"]
