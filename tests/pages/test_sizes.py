"""How much may be sent: most pages take little, a table's file may be large, and too much is answered in words."""

import http.client
import re

import pytest
from django.test import Client
from django.urls import get_resolver

from scorekeeper import backup, sizes
from scorekeeper.forms.import_matches import LARGEST as LARGEST_IMPORT
from scorekeeper.models import Match

from .table import ANN, BOB, Phone, begin, soup, words
from .test_serve import house, port  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Phone:
    return begin()


def announce(client: Client, address: str, size: int) -> tuple[int, str]:
    """The status and the words of the answer to a post that says to be so large; nothing is sent."""
    response = client.generic("POST", address, b"", "multipart/form-data; boundary=x", CONTENT_LENGTH=str(size))
    return response.status_code, words(soup(response).select_one("main"))


def test_most_pages_refuse_more_than_a_megabyte_before_they_look_at_it(phone: Phone):
    for address in ("/new/", phone.address("hand", 1), f"/t/{phone.match.table.code}/rules/import/"):
        status, says = announce(phone.client, address, 1_200_000)
        assert status == 413
        assert "It has 1.2 MB, and at most 1 MB can be sent to this page. Nothing was changed." in says
    assert announce(phone.client, "/new/", 900_000)[0] != 413


@pytest.mark.parametrize("address", ["/restore/", "/t/{code}/restore/"])
def test_a_table_s_file_may_be_large_but_not_without_end(phone: Phone, address: str):
    address = address.format(code=phone.match.table.code)
    assert announce(phone.client, address, backup.LARGEST)[0] != 413
    assert announce(phone.client, address, backup.LARGEST + 200_000)[0] == 413


def test_match_files_may_be_larger_than_a_form(phone: Phone):
    address = f"/t/{phone.match.table.code}/import/"
    assert announce(phone.client, address, LARGEST_IMPORT)[0] != 413
    assert announce(phone.client, address, 3 * LARGEST_IMPORT)[0] == 413


def test_the_server_takes_in_whatever_a_page_may_take():
    views = [pattern.callback for pattern in get_resolver().url_patterns]
    assert max(getattr(view, "takes", 0) for view in views) + sizes.BESIDE < sizes.LARGEST


def test_a_hand_is_stored_all_the_same(phone: Phone):
    assert phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3)).status_code == 302
    assert Match.objects.get().version == 1


def test_the_house_answers_a_large_post_with_a_page(port: int):  # noqa: F811
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    for address, size in (("/new/", 1_500_000), ("/restore/", backup.LARGEST + 1_000_000)):
        connection.request("POST", address, b"x" * size, {"Host": "localhost", "Content-Type": "text/plain"})
        response = connection.getresponse()
        assert response.status == 413
        assert re.search("That is too large to be read here", response.read().decode())
