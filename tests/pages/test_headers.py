"""What every answer carries beside its page."""

import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from scorekeeper.headers import answer

pytestmark = pytest.mark.django_db


def test_a_page_may_load_only_what_the_house_serves(client: Client):
    policy = client.get("/health/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy


def test_a_page_tells_other_sites_nothing_and_stands_in_no_frame(client: Client):
    response = client.get("/health/")
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/", "/t/abc/1/"])
def test_a_name_that_is_not_ours_is_refused_with_the_same_headers(client: Client, path: str):
    response = client.get(path, headers={"Host": "elsewhere.example"})
    assert response.status_code == 400
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"


def test_a_match_whose_database_fails_is_answered_with_the_same_headers(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise OperationalError("disk I/O error")

    client.raise_request_exception = False
    monkeypatch.setattr(CursorWrapper, "execute", fail)
    response = client.get("/t/abc/1/")
    assert response.status_code == 503
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("path", ["/", "/rules/", "/rules/barbu/"])
def test_search_engines_may_list_the_start_and_the_rules(rf: RequestFactory, path: str):
    assert "X-Robots-Tag" not in answer(plain)(rf.get(path))


@pytest.mark.parametrize("path", ["/health/", "/new/", "/t/abc/", "/t/abc/1/", "/rulesets/"])
def test_search_engines_may_list_nothing_else(rf: RequestFactory, path: str):
    assert answer(plain)(rf.get(path))["X-Robots-Tag"] == "noindex"


def test_head_is_answered_with_the_length_of_the_page_but_without_the_page(rf: RequestFactory):
    response = answer(plain)(rf.head("/"))
    assert response["Content-Length"] == "4"
    assert response.content == b""


def test_a_long_page_travels_compressed(client: Client):
    response = client.get("/rules/barbu/", headers={"Accept-Encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"


def plain(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"page", headers={"Content-Length": "4"})
