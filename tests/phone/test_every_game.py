"""An evening of each game, to its end, entered by its controls; every total is the referee's."""

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from referee import names
from referee.rules import from_object
from tests.pages.no_jacks import NO_JACKS
from tests.phone.evening import enter, saved, totals, under_way
from tests.referee.strategies import random_match

pytestmark = pytest.mark.django_db(transaction=True)

OTHERS = [code for code in names() if not code.startswith("barbu")]


@pytest.mark.parametrize("game", [*OTHERS, NO_JACKS], ids=[*OTHERS, "strange-things"])
def test_a_whole_evening(phone: Page, game: str | dict):
    """A new contract needs its rules and nothing else: the last game is one that no line of the code knows."""
    match = random_match(from_object(game) if isinstance(game, dict) else game, seed=5)
    match = match.with_hands([replace(hand, adjustment=None) for hand in match.hands])
    under_way(phone, names=match.players, first=match.first_declarer, game=match.ruleset)
    for scored in match.scored:
        enter(phone, scored.turn, scored.hand)
        saved(phone, scored.number)
        assert totals(phone) == list(scored.running)
    expect(phone.get_by_role("link", name="Play again")).to_be_visible()
