"""A page that follows asks what is new: nothing, in a few bytes, or the whole page; and it is locked out at once."""

import gzip

import pytest
from django.test import Client

from scorekeeper.models import Device, Match, Table, renew_links

from .table import ANN, BOB, Phone, begin, soup, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    """A match after one hand, and the phone that scores it."""
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    return phone


@pytest.fixture
def watcher(client: Client, phone: Phone) -> Client:
    """A browser that has seen the match once."""
    assert client.get(phone.address()).status_code == 200
    return client


def seen(client: Client, address: str) -> str:
    """What the page says of the state that it shows."""
    return str(soup(client.get(address)).select_one("[data-seen]")["data-seen"])


@pytest.mark.parametrize("page", [(), ("large",)], ids=["match page", "large view"])
def test_nothing_new_is_a_204_that_sets_nothing(phone: Phone, watcher: Client, page: tuple[str, ...]):
    address = phone.address(*page)
    response = watcher.get(address, headers={"Seen": seen(watcher, address)})
    assert (response.status_code, response.content) == (204, b"")
    assert not response.cookies
    assert response["Cache-Control"] == "no-store"
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("page", [(), ("large",)], ids=["match page", "large view"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_after_a_step_the_whole_page_comes(phone: Phone, watcher: Client, page: tuple[str, ...], method: str):
    address = phone.address(*page)
    before = seen(watcher, address)
    phone.send("hand", 2, fields={"declare": "no-queens"})
    response = getattr(watcher, method)(address, headers={"Seen": before})
    assert response.status_code == 200
    assert seen(watcher, address) != before


def test_a_scorer_is_told_in_the_same_way(phone: Phone):
    state = seen(phone.client, phone.address())
    assert phone.client.get(phone.address(), headers={"Seen": state}).status_code == 204
    assert phone.undo().status_code == 302
    assert phone.client.get(phone.address(), headers={"Seen": state}).status_code == 200


def test_what_another_match_has_shown_is_not_this_one(phone: Phone, watcher: Client):
    other = begin()
    response = watcher.get(phone.address(), headers={"Seen": seen(watcher, other.address())})
    assert response.status_code == 200


def test_asking_costs_one_query(phone: Phone, watcher: Client, django_assert_num_queries):
    state = seen(watcher, phone.address())
    with django_assert_num_queries(1):
        watcher.get(phone.address(), headers={"Seen": state})


def test_a_new_watch_link_leads_the_old_one_nowhere_at_once(phone: Phone, watcher: Client):
    state, old = seen(watcher, phone.address()), phone.address()
    renew_links(phone.match.table, None, watch=True)
    assert watcher.get(old, headers={"Seen": state}).status_code == 404
    assert watcher.get(old).status_code == 404
    assert watcher.get(old + "large/").status_code == 404


def test_a_name_that_changes_is_news(phone: Phone, watcher: Client):
    state = seen(watcher, phone.address())
    Table.objects.get().rename("Sunday")
    response = watcher.get(phone.address(), headers={"Seen": state})
    assert response.status_code == 200
    assert words(soup(response).select_one(".crumb a")) == "Sunday"


def test_a_refused_host_is_refused_here_too(phone: Phone, watcher: Client):
    state = seen(watcher, phone.address())
    assert watcher.get(phone.address(), headers={"Seen": state, "Host": "elsewhere.example"}).status_code == 400


def test_a_number_out_of_all_reason_is_no_match(phone: Phone, watcher: Client):
    for number in ("999999999", "9" * 30):
        address = f"/t/{phone.match.table.code}/{number}/"
        assert watcher.get(address, headers={"Seen": "x"}).status_code == 404


def test_watchers_see_the_hand_under_way_and_load_no_script_that_scores(phone: Phone, watcher: Client):
    phone.send("hand", 2, fields={"declare": "no-queens"})
    page = soup(watcher.get(phone.address()))
    assert words(page.select_one(".watching li")) == "No Queens"
    scripts = [script["src"].rsplit("/")[-1] for script in page.select("script")]
    assert "watch.js" in scripts
    assert "match.js" not in scripts


def test_a_page_with_something_to_settle_does_not_follow(phone: Phone):
    response = phone.record("misere", [(BOB, ANN)], tricks=(9, 9, 9, 9))
    assert response.status_code == 422
    assert not soup(response).select("[data-seen]")


def test_without_script_the_page_says_when_it_was_true_and_can_be_asked_again(phone: Phone, watcher: Client):
    line = soup(watcher.get(phone.address())).select_one(".as-of")
    assert words(line).startswith("As of ")
    assert line.select_one("a")["href"] == phone.address()


def test_the_large_view_shows_the_score_the_turn_and_the_hand(phone: Phone, watcher: Client):
    phone.send("hand", 2, fields={"declare": "no-queens"})
    page = soup(watcher.get(phone.address("large")))
    assert [words(figure) for figure in page.select(".seats .figure")] == ["−2", "−8", "−10", "−6"]
    assert [words(change) for change in page.select(".seats .change")] == ["−2", "−8", "−10", "−6"]
    assert words(page.select_one(".now p")) == "Bob declares"
    assert words(page.select_one(".under-way li")) == "No Queens"
    assert "Hand 1 · Ann · Misère" in words(page.select_one(".last"))
    assert not page.select("form")


def test_a_phone_that_was_removed_gets_a_watcher_s_page(phone: Phone):
    assert soup(phone.client.get(phone.address())).select("form.hand")
    Device.objects.get(table=phone.match.table).remove()
    response = phone.client.get(phone.address(), headers={"Accept-Encoding": "gzip"})
    assert b'<form class="hand"' not in gzip.decompress(response.content)
    assert Match.objects.get().version == 1
