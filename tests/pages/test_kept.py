"""Pages are answered from memory while nothing was stored, and never after."""

import gzip
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

import referee
from scorekeeper import kept
from scorekeeper.models import LATELY, Match, Player, Table, new_mark

from .table import ANN, BOB, CY, DEE, PLAYERS, Phone, begin, new_key, said, soup, table_of, words

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_shelves() -> None:
    kept.SHELF.pages.clear()
    LATELY.known.clear()


@pytest.fixture
def phone() -> Phone:
    """A match after two hands."""
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    return phone


def queries(client: Client, address: str, **headers: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address, headers=headers).status_code == 200
    return len(asked)


def plain(html: bytes) -> str:
    """A page without what no two answers share."""
    text = re.sub(r'(name="(?:csrfmiddlewaretoken|key)") value="[^"]*"', r"\1", html.decode())
    return re.sub(r"<time>[^<]*</time>", "", text)


def made_anew(client: Client, address: str) -> bytes:
    """The page as it is made when nothing is kept."""
    kept.SHELF.pages.clear()
    LATELY.known.clear()
    with override_settings(DEBUG=True):
        return client.get(address).content


def test_the_second_time_a_page_costs_one_query(phone: Phone, client: Client):
    LATELY.known.clear()
    assert queries(client, phone.address()) > 1
    assert queries(client, phone.address()) == 1
    assert queries(Client(), phone.address()) == 1


def test_after_another_hand_only_that_is_read(phone: Phone, client: Client):
    client.get(phone.address())
    known = dict(LATELY.known)
    phone.record("misere")
    LATELY.known.update(known)
    assert queries(client, phone.address()) == 2


def test_a_scorer_s_page_is_kept_too_and_asks_who_scores(phone: Phone):
    LATELY.known.clear()
    assert queries(phone.client, phone.address()) > 2
    assert queries(phone.client, phone.address()) == 2


@pytest.mark.parametrize("page", [(), ("large",)], ids=["match page", "large view"])
@pytest.mark.parametrize("scores", [False, True])
def test_what_is_kept_is_what_is_made(phone: Phone, page: tuple[str, ...], scores: bool):
    client, address = phone.client if scores else Client(), phone.address(*page)
    fresh = plain(made_anew(client, address))
    for _time in range(2):
        assert plain(client.get(address).content) == fresh
        assert plain(gzip.decompress(client.get(address, headers={"Accept-Encoding": "gzip"}).content)) == fresh


def test_the_headers_are_those_of_every_page(phone: Phone, client: Client):
    kept.SHELF.pages.clear()
    with override_settings(DEBUG=True):
        made = client.get(phone.address())
    for _time in range(2):
        answer = client.get(phone.address())
        for name in ("Content-Security-Policy", "Cache-Control", "X-Frame-Options", "Content-Type", "Vary"):
            assert answer[name] == made[name], name
        for name in ("X-Content-Type-Options", "Referrer-Policy", "X-Robots-Tag", "Content-Language"):
            assert answer[name] == made[name], name
    assert "no-store" in answer["Cache-Control"]
    assert "Accept-Encoding" in answer["Vary"]


def test_only_who_takes_gzip_gets_it(phone: Phone, client: Client):
    for accepted, coding in [
        ("gzip, br", "gzip"),
        ("br", None),
        ("", None),
        ("gzip", "gzip"),
        ("gzip;q=0, br", None),
        ("gzip;q=0.5", "gzip"),
    ]:
        response = client.get(phone.address(), headers={"Accept-Encoding": accepted})
        assert response.get("Content-Encoding") == coding
        assert int(response["Content-Length"]) == len(response.content)
        assert b"As of" in (gzip.decompress(response.content) if coding else response.content)


def test_head_says_as_much_as_get_without_the_page(phone: Phone, client: Client):
    first = client.head(phone.address())
    length = client.get(phone.address())["Content-Length"]
    second = client.head(phone.address())
    assert first.content == second.content == b""
    assert first["Content-Length"] == second["Content-Length"] == length


def test_a_browser_that_comes_for_the_first_time_gets_its_cookie_from_a_kept_page(phone: Phone, client: Client):
    client.get(phone.address())
    stranger = Client()
    assert "tables" in stranger.get(phone.address()).cookies
    assert not stranger.get(phone.address()).cookies


def test_each_scorer_s_page_has_keys_and_a_token_of_its_own(phone: Phone):
    def keys() -> list[str]:
        page = soup(phone.client.get(phone.address()))
        return [field["value"] for field in page.select("[name=key], [name=csrfmiddlewaretoken]")]

    first, second = keys(), keys()
    assert len(first) == len(second) >= 4
    assert not set(first) & set(second)


def test_the_form_of_a_kept_page_can_be_sent_with_its_token(phone: Phone):
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = phone.client.cookies
    for _time in range(2):
        page = soup(browser.get(phone.address()))
        form = page.select_one("form[action$='/undo/']")
        sent = {field["name"]: field["value"] for field in form.select("input")}
        assert browser.post(form["action"], sent).status_code == 302
    assert phone.state.finished == 0


def test_watchers_never_get_a_scorer_s_page_nor_scorers_a_watcher_s(phone: Phone):
    for _time in range(2):
        assert not soup(Client().get(phone.address())).select("form")
        assert soup(phone.client.get(phone.address())).select("form.hand")


Deed = Callable[[Phone], object]
DEEDS: dict[str, Deed] = {
    "a step": lambda phone: phone.send("hand", 3, fields={"declare": "no-hearts"}),
    "a saved hand": lambda phone: phone.record("misere"),
    "a correction": lambda phone: phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 3, 5, 2)),
    "undo": lambda phone: phone.undo(),
    "a penalty": lambda phone: phone.send(
        "hand",
        1,
        "penalty",
        fields={"sign-0": "pays", "points-0": "5", "sign-1": "gets", "points-1": "5", "reason": "revoke"},
    ),
    "a misdeal": lambda phone: phone.send("hand", 3, "misdeal", fields={}),
    "a renamed player": lambda phone: Player.objects.get(name="Ann").rename("Anna"),
    "a renamed table": lambda phone: Table.objects.get().rename("Sunday"),
}


@pytest.mark.parametrize("scores", [False, True], ids=["watched", "scored"])
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())
def test_after_any_change_the_very_next_page_shows_it(phone: Phone, deed: Deed, scores: bool):
    client = phone.client if scores else Client()
    addresses = phone.address(), phone.address("large")
    before = [plain(client.get(address).content) for address in addresses]
    deed(phone)
    after = [plain(client.get(address).content) for address in addresses]
    assert after[0] != before[0]
    assert after == [plain(made_anew(client, address)) for address in addresses]


def test_redo_is_on_the_very_next_page(phone: Phone, client: Client):
    whole = plain(client.get(phone.address()).content)
    phone.undo()
    client.get(phone.address())
    phone.redo()
    again = plain(client.get(phone.address()).content)
    assert re.sub(r'data-seen="[^"]*"', "", again) == re.sub(r'data-seen="[^"]*"', "", whole)


def test_what_another_process_stored_is_on_the_very_next_page(phone: Phone, client: Client):
    """Another process keeps nothing here: all that it leaves are rows and a mark."""
    client.get(phone.address())
    shelf, known = dict(kept.SHELF.pages), dict(LATELY.known)
    phone.record("misere")
    phone.undo()
    phone.record("no-queens", [(ANN, CY)], queens=(1, 1, 1, 1))
    kept.SHELF.pages.clear()
    kept.SHELF.pages.update(shelf)
    LATELY.known.clear()
    LATELY.known.update(known)
    newest = table_of(soup(client.get(phone.address())), "Hands")[1]
    assert newest[0].split()[:2] == ["3", "NQ"]
    assert plain(client.get(phone.address()).content) == plain(made_anew(client, phone.address()))


def test_a_match_put_back_from_a_backup_is_read_whole(phone: Phone, client: Client):
    """The rows after a backup never were; what came instead has the same numbers and versions."""
    match = phone.match
    LATELY.state(Match.objects.select_related("table").get())
    for number, contract in ((1, "no-queens"), (2, "misere")):
        record = {"contract": contract, "doubles": []}
        match.hands.filter(number=number).update(record=record, key=new_key())
    Match.objects.update(mark=new_mark())
    page = soup(client.get(phone.address()))
    assert ["passed out" in row[0] for row in table_of(page, "Hands")[1:3]] == [True, True]


def test_two_matches_and_two_tables_do_not_mix(phone: Phone, client: Client):
    other = begin(players=("Eve", "Finn", "Gus", "Hal"))
    other.record("trumps", trump="S", tricks=(4, 3, 3, 3))
    for _time in range(2):
        assert "Ann" in words(soup(client.get(phone.address())).select_one("h1"))
        assert "Eve" in words(soup(client.get(other.address())).select_one("h1"))


def test_languages_do_not_mix(phone: Phone, client: Client):
    with override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")]):
        for _time in range(2):
            for language in ("en", "de"):
                response = client.get(phone.address(), headers={"Accept-Language": language})
                assert soup(response).html["lang"] == response["Content-Language"] == language


def test_a_page_with_problems_and_a_conflict_are_not_kept(phone: Phone):
    assert phone.record("misere", [(BOB, ANN)], tricks=(9, 9, 9, 9)).status_code == 422
    assert phone.record("misere", hand=1).status_code == 409
    assert not kept.SHELF.pages


def test_an_address_with_a_question_is_made_anew(phone: Phone, client: Client):
    client.get(phone.address())
    LATELY.known.clear()
    assert queries(client, phone.address() + "?again=1") > 1


def test_while_working_on_the_pages_nothing_is_kept(phone: Phone, client: Client):
    with override_settings(DEBUG=True):
        client.get(phone.address())
        assert not kept.SHELF.pages


def test_a_name_that_looks_like_a_blank_is_harmless(client: Client):
    phone = begin(players=("{key}", "csrf_token", "<time>21:04</time>", "%s"))
    for _time in range(2):
        assert "{key}, csrf_token, <time>21:04</time>, %s" in words(soup(client.get(phone.address())).select_one("h1"))


def test_the_shelf_keeps_those_asked_for_last():
    shelf, page = kept.Shelf(most=2), kept.Page({}, (b"",), ())
    for place in ("a", "b"):
        shelf.keep((place, "en", False), "x", page)
    assert shelf.get(("a", "en", False), "x") is page
    shelf.keep(("c", "en", False), "x", page)
    assert shelf.get(("b", "en", False), "x") is None
    assert shelf.get(("a", "en", False), "x") is page
    assert shelf.get(("a", "en", False), "y") is None


def test_many_threads_may_share_the_shelf():
    shelf, page = kept.Shelf(most=5), kept.Page({}, (b"",), ())

    def use(number: int) -> bool:
        place = (str(number % 11), "en", False)
        shelf.keep(place, "x", page)
        return shelf.get(place, "x") in (page, None) and shelf.get(place, "y") is None

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(use, range(2000)))
    assert len(shelf.pages) == 5


def test_the_middleware_stands_behind_the_redirect_to_https():
    names = settings.MIDDLEWARE
    assert names.index("django.middleware.security.SecurityMiddleware") < names.index("scorekeeper.kept.answer")


def test_a_step_that_is_repeated_changes_no_mark(phone: Phone, client: Client):
    client.get(phone.address())
    fields = said("no-hearts", [(ANN, CY)], step="doubles")
    key = new_key()
    phone.send("hand", 3, fields=fields, key=key, revision=0)
    mark = Match.objects.get().mark
    phone.send("hand", 3, fields=fields, key=key, revision=0)
    assert Match.objects.get().mark == mark


def test_another_match_in_the_place_of_a_known_one_is_read_whole(phone: Phone, client: Client):
    client.get(phone.address())
    was = phone.match
    Match.objects.get(pk=was.pk).delete()
    Match.start(
        ruleset=referee.load("king"), names=PLAYERS, first_declarer=CY, key=new_key(), zone="UTC", table=was.table
    )
    page = soup(client.get(phone.address()))
    assert "Cy declares" in words(page.select_one(".now"))
    assert not page.select(".sheet tbody tr")
