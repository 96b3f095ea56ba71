"""The rules of every game, on the narrowest phone and on paper."""

import re

import pytest
from playwright.sync_api import Page

import referee

A_PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.mark.parametrize("code", referee.names())
def test_every_game_fits_the_narrowest_phone_and_one_printed_sheet(narrow: Page, code: str):
    narrow.goto(f"/rules/{code}/")
    assert narrow.evaluate("document.documentElement.scrollWidth") == 320
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "12mm")
    assert len(A_PAGE.findall(narrow.pdf(format="A4", margin=margin))) == 1


def test_a_link_to_a_contract_shows_it_below_the_top_edge(phone: Page):
    phone.goto("/rules/barbu/#trumps")
    box = phone.locator("#trumps").bounding_box()
    assert box
    assert 0 < box["y"] < 700
