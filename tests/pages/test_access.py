"""Only a browser with the table's scorer cookie may write; anyone with the link may read."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.models import Table

from .phones import everything_stored
from .table import ANN, BOB, CY, DEE, Phone, begin, let_in, said, soup, words

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}
POSTS = [
    pytest.param(("hand", 3), {"declare": "misere"}, id="step"),
    pytest.param(("hand", 3), said("no-queens", [(DEE, CY)], queens=(1, 1, 1, 1)), id="hand"),
    pytest.param(("hand", 2, "undo"), {}, id="undo"),
    pytest.param(("hand", 3, "redo"), {}, id="redo"),
    pytest.param(("hand", 1, "correct"), said("misere", [(BOB, ANN)], tricks=(3, 3, 5, 2)), id="correct"),
]


@pytest.fixture
def phone() -> Phone:
    """Two hands are played, and a third was taken back."""
    phone = begin()
    phone.record(**MISERE)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=DEE)
    phone.record("barbu", [(BOB, CY)], king_of_hearts=DEE)
    phone.undo()
    return phone


def stranger(phone: Phone) -> Client:
    return Client()


def scorer_of_another_table(phone: Phone) -> Client:
    return begin().client


def holder_of_a_secret_that_was_changed(phone: Phone) -> Client:
    client = Client()
    client.cookies.update(phone.client.cookies)
    phone.match.table.scorer_hash = Table.hash_of("a new one")
    phone.match.table.save()
    return client


def holder_of_a_forged_cookie(phone: Phone) -> Client:
    client = Client()
    client.cookies["scorer"] = "secret:1tfoo:bar"
    return client


@pytest.mark.parametrize(
    "who",
    [
        stranger,
        scorer_of_another_table,
        holder_of_a_secret_that_was_changed,
        holder_of_a_forged_cookie,
    ],
)
@pytest.mark.parametrize(("parts", "fields"), POSTS)
def test_nobody_else_may_write(
    phone: Phone, who: Callable[[Phone], Client], parts: tuple[object, ...], fields: dict[str, object]
):
    before = phone.rows
    other = Phone.__new__(Phone)
    other.match, other.client = phone.match, who(phone)
    response = other.send(*parts, fields=fields)
    assert response.status_code == 403
    assert "may watch this table, but not score" in response.content.decode()
    assert phone.rows == before


@pytest.mark.parametrize(("parts", "fields"), POSTS)
def test_the_scorer_may(phone: Phone, parts: tuple[object, ...], fields: dict[str, object]):
    assert phone.send(*parts, fields=fields).status_code < 400


@pytest.mark.parametrize(("parts", "fields"), POSTS)
def test_a_post_from_another_site_is_refused_though_the_cookie_comes_with_it(
    phone: Phone, parts: tuple[object, ...], fields: dict[str, object]
):
    before = phone.rows
    strict = Client(enforce_csrf_checks=True)
    let_in(strict, phone.match.table)
    assert Phone(phone.match, strict).send(*parts, fields=fields).status_code == 403
    assert phone.rows == before


def test_the_page_s_own_forms_carry_what_such_a_post_lacks(phone: Phone):
    strict = Phone(phone.match, Client(enforce_csrf_checks=True))
    forms = strict.see().select("form")
    assert len(forms) == 3
    assert all(form.select_one("[name=csrfmiddlewaretoken]") for form in forms)
    token = forms[0].select_one("[name=csrfmiddlewaretoken]")["value"]
    assert strict.undo(csrfmiddlewaretoken=token).status_code == 302


@pytest.mark.parametrize("parts", [(), ("hand", 1)])
def test_a_watcher_sees_the_page_without_any_form_or_button(phone: Phone, parts: tuple[object, ...]):
    phone.send("hand", 3, fields={"declare": "no-queens"})
    response = Client().get(phone.address(*parts))
    page = soup(response)
    assert response.status_code == 200
    assert not page.select("form, button, input, select, textarea")
    assert not [link for link in page.select("a") if "correct" in link["href"] or "new" in link["href"]]


def test_a_watcher_reads_the_standings_and_the_hands(phone: Phone):
    page = soup(Client().get(phone.address()))
    assert "You are watching." in words(page.main)
    assert len(page.select(".sheet tbody tr")) == 2


def test_a_watcher_may_not_open_a_correction(phone: Phone):
    assert Client().get(phone.address("hand", 1, "correct")).status_code == 403


@pytest.mark.parametrize("parts", [(), ("hand", 1), ("hand", 1, "correct")])
def test_another_table_s_code_does_not_lead_to_the_match(phone: Phone, parts: tuple[object, ...]):
    other = begin()
    wrong = phone.address(*parts).replace(f"/{phone.match.number}/", "/2/", 1)
    assert phone.client.get(wrong).status_code == 404
    assert other.client.get(phone.address(*parts)).status_code == (403 if "correct" in parts else 200)


def test_the_secret_is_nowhere_in_the_page_nor_in_the_database(phone: Phone):
    secret = phone.match.table.secret()
    assert secret not in phone.client.get(phone.address()).content.decode()
    assert phone.match.table.scorer_hash == Table.hash_of(secret)
    assert secret not in everything_stored()
