"""Pages for what goes wrong, in the same look and in plain words."""

import pytest
from bs4 import BeautifulSoup, Tag
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client

from scorekeeper.models import Table
from scorekeeper.views import start


def main(response: HttpResponse) -> Tag:
    shown = BeautifulSoup(response.content, "html.parser")
    assert shown.select_one("link[rel=stylesheet]")
    assert shown.main.select_one(".dock a")["href"] == "/"
    return shown.main


def test_an_address_that_leads_nowhere(client: Client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert main(response).h1.text == "There is no page at this address."


@pytest.mark.django_db
def test_a_watcher_who_wants_to_score_is_told_why_not(client: Client):
    table = Table.objects.create(name="Harbour", scorer_hash="-")
    response = client.get(f"/t/{table.code}/new/")
    assert response.status_code == 403
    assert main(response).h1.text == "This browser may watch this table, but not score."


def test_a_form_that_cannot_be_checked_says_what_to_do():
    response = Client(enforce_csrf_checks=True).post("/new/", {})
    assert response.status_code == 403
    assert "Go back, load the page once more" in main(response).p.text


def broken(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


def suspicious(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


def test_a_fault_of_the_server_is_owned_up_to(client: Client, monkeypatch: pytest.MonkeyPatch):
    client.raise_request_exception = False
    monkeypatch.setattr(start, "tables_seen", broken)
    response = client.get("/")
    assert response.status_code == 500
    assert "everything saved before is safe" in main(response).p.text


def test_a_request_that_makes_no_sense(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(start, "tables_seen", suspicious)
    response = client.get("/")
    assert response.status_code == 400
    assert main(response).h1.text == "This request could not be understood."


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/t/%00/", "/t/%00/new/", "/t/%00/1/", f"/t/x/{10**30}/", "/t/%F0%9F%82%A1/", "/rules/%00/"]
)
def test_an_address_of_nonsense_leads_nowhere(client: Client, address: str):
    assert client.get(address).status_code == 404
