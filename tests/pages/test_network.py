"""Two phones on a network that loses, delays, doubles and reorders: after quiet all agree.

The short form of the ten thousand schedules of ``make prove``; each control takes one check out of the server,
and must be caught.
"""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from tests.prove import network, schedules

from .table import ANN, BOB, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def small_pages() -> Iterator[None]:
    """The match page cut down to what its script reads."""
    [engine] = settings.TEMPLATES
    with override_settings(TEMPLATES=[engine | {"DIRS": [schedules.PAGES, *engine["DIRS"]]}]):
        yield


@pytest.mark.usefixtures("small_pages")
def test_after_quiet_both_phones_show_what_is_stored_and_nothing_acknowledged_is_missing():
    seen = network.prove(40, always_the_same=True)
    assert seen["schedules"] >= 40
    assert {"hand 200", "hand 204", "hand 409", "a post is lost", "a post arrives twice"} <= seen.keys()


def test_the_small_page_says_what_the_whole_one_says():
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [], played_anyway="1")
    phone.undo()
    phone.send("hand", 2, fields={"contract": "no-queens", "step": "", "note": "x"})
    whole = network.Page.of(phone.client.get(phone.address()).content.decode())
    assert (whole.hand, whole.revision, whole.contract, whole.note, whole.step) == (2, 3, "no-queens", "x", "doubles")
    [engine] = settings.TEMPLATES
    with override_settings(TEMPLATES=[engine | {"DIRS": [schedules.PAGES, *engine["DIRS"]]}]):
        small = network.Page.of(phone.client.get(phone.address()).content.decode())
    for page in (whole, small):
        for _path, fields in page.deeds.values():
            del fields["key"]
    assert small == whole
    assert whole.deeds.keys() == {"undo", "redo"}


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("server", schedules.BROKEN)
def test_control_a_server_without_one_of_its_checks_is_caught(server: str):
    with network.broken(server), pytest.raises(network.Fault):
        network.prove(300, always_the_same=True, shrink=False)
