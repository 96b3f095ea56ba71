"""The page that tells whoever runs the server whether all is well."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scorekeeper.views import health


@pytest.mark.django_db
def test_it_says_ok_after_one_query(client: Client, django_assert_num_queries: DjangoAssertNumQueries):
    with django_assert_num_queries(1):
        response = client.get("/health/")
    assert response.status_code == 200
    assert response.content == b"ok"


@pytest.mark.django_db
def test_it_is_never_kept_by_a_cache(client: Client):
    assert "no-store" in client.get("/health/")["Cache-Control"]


def test_it_says_in_words_that_the_database_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch):
    class Gone:
        def cursor(self) -> None:
            raise OperationalError("unable to open database file")

    monkeypatch.setattr(health, "connection", Gone())
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.content == b"The database does not answer."


def test_it_changes_nothing_and_takes_no_post(client: Client):
    assert client.post("/health/").status_code == 405


@pytest.mark.django_db
def test_a_house_that_could_save_a_hand_is_ready(client: Client):
    response = client.get("/ready/")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response["Cache-Control"]
    assert client.post("/ready/").status_code == 405


@pytest.mark.django_db
def test_finding_out_whether_it_is_ready_writes_nothing(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
):
    with django_assert_max_num_queries(5) as asked:
        client.get("/ready/")
    changing = ("INSERT", "UPDATE", "DELETE", "CREATE")
    assert [query["sql"] for query in asked.captured_queries if query["sql"].startswith(changing)] == []


@pytest.mark.django_db
def test_a_house_that_closes_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "is_closing", lambda: True)
    response = client.get("/ready/")
    assert (response.status_code, response.content) == (503, b"The server is closing.")
    assert client.get("/health/").status_code == 200


@pytest.mark.django_db
def test_a_disk_that_is_nearly_full_sends_people_elsewhere(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=health.LEAST_FREE - 1))
    monkeypatch.setattr(health, "connection", SimpleNamespace(vendor="sqlite"))
    response = client.get("/ready/")
    assert (response.status_code, response.content) == (503, b"The server's disk is nearly full.")
