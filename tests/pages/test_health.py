"""The page that tells whoever runs the server whether all is well."""

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
