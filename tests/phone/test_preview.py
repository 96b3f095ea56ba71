"""The score that stands beside a hand while it is entered is the referee's."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from referee import Contract, Hand, Match, Turn, load
from referee.explain import signed
from tests.phone.evening import (
    NAMES,
    button,
    count,
    declare,
    double,
    doubles_done,
    enter_doubles,
    enter_result,
    preview,
    save,
    saved,
    under_way,
)
from tests.referee.strategies import random_doubles, random_result

pytestmark = pytest.mark.django_db(transaction=True)


def doubled_hand(turn: Turn, contract: Contract, random: Random) -> Hand:
    """A hand with random doubles and a random result."""
    doubles = ()
    while not doubles:
        doubles = random_doubles(turn, contract, random)
    suit = "S" if contract.needs == "trump" else None
    rank = "7" if contract.needs == "start" else None
    result = random_result(turn, contract, random)
    return Hand(contract=contract.code, trump=suit, start=rank, doubles=doubles, result=result)


def test_every_contract_shows_what_it_would_score(phone: Page):
    random, match = Random(28), Match(load("barbu"), NAMES)
    under_way(phone)
    for contract in match.turn.ruleset.contracts:
        turn = match.turn
        hand = doubled_hand(turn, contract, random)
        declare(phone, contract.name, {"trump": "Spades", "start": "7"}.get(contract.needs))
        enter_doubles(phone, turn, hand)
        doubles_done(phone)
        enter_result(phone, turn, contract, hand)
        scored = turn.score(hand)
        assert preview(phone) == {
            "Basic": [signed(points) for points in scored.basic],
            "Doubling": [signed(points) for points in scored.doubling],
            "Total": [signed(points) for points in scored.total],
        }
        save(phone)
        saved(phone, turn.number)
        match = match.with_hands([*match.hands, hand])


def test_no_score_is_shown_before_it_is_known(phone: Page):
    under_way(phone)
    declare(phone, "Misère")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    count(phone, "Tricks", {"Ann": 3, "Bob": 4})
    assert preview(phone) == {
        "Basic": ["−6", "−8", "·", "·"],
        "Doubling": ["·"] * 4,
        "Total": ["·"] * 4,
    }
    expect(button(phone, "Save hand")).to_be_disabled()
    expect(button(phone, "Save hand")).to_have_accessible_description("6 tricks missing")


def test_the_dock_says_who_took_what_is_still_open(phone: Page):
    under_way(phone)
    declare(phone, "No Hearts")
    double(phone, "Bob", "Ann").check()
    doubles_done(phone)
    count(phone, "Hearts", {"Ann": 13})
    expect(button(phone, "Save hand")).to_have_accessible_description("Who took the ace of hearts?")
    phone.get_by_role("radio", name="Cy", exact=True).check()
    described = "Cy took the ace of hearts but has no hearts"
    expect(button(phone, "Save hand")).to_have_accessible_description(described)
