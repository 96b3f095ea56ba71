"""A match that goes on with other hands is worked out from where they differ, and says the same as one told anew."""

from random import Random

import pytest
from msgspec.structs import replace

from referee import Match, names
from tests.referee.strategies import random_match
from tests.referee.table import ANN, BOB, played, record


def anew(match: Match) -> Match:
    """The same match, with nothing known of it."""
    return Match(match.ruleset, match.players, match.first_declarer, match.hands, match.strangers)


def says(match: Match) -> tuple[object, ...]:
    return match.scored, match.turn, match.problems, match.standings, match.winners, match.is_over


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("seed", range(3))
def test_whatever_follows_is_worked_out_as_if_the_match_were_told_anew(game: str, seed: int):
    match, random = random_match(game, seed=seed), Random(seed)
    assert match.turn
    hands = match.hands
    for _try in range(8):
        at = random.randrange(len(hands) + 1)
        other = random_match(game, seed=random.randrange(99)).hands
        for changed in (
            hands[:at],
            hands[:at] + other[at:],
            hands[:at] + hands[at + 1 :],
            hands[:at] + other[:1] + hands[at:],
            hands[:at] + tuple(replace(hand, result=None, coup=None) for hand in hands[at : at + 1]),
        ):
            went_on = match.with_hands(changed)
            assert says(went_on) == says(anew(went_on))
            back = went_on.with_hands(hands)
            assert says(back) == says(match)


def test_hands_before_the_first_other_one_are_not_worked_out_again():
    match = played(record("misere", []), record("barbu", []), record("no-queens", []))
    first, second, third = match.scored
    changed = match.with_hands([*match.hands[:2], record("no-hearts", [])])
    assert changed.scored[0] is first
    assert changed.scored[1] is second
    assert changed.scored[2] is not third


def test_a_hand_under_way_that_another_follows_must_be_finished():
    """It was sound as the last one; with another after it, it is not."""
    match = played(record("misere", []), record("barbu", [(ANN, BOB)]))
    assert match.problems == ()
    followed = match.with_hands([*match.hands, record("misere", [])])
    assert followed.problems == anew(followed).problems != ()


def test_a_match_that_cannot_be_stays_one_that_cannot_be():
    match = played(record("misere", []), players=4)
    wrong = Match(match.ruleset, ("Ann", "Ann", "Cy", "Dee"), 0, match.hands)
    assert wrong.problems
    assert wrong.with_hands(match.hands).problems == wrong.problems


def test_other_players_do_not_take_over_what_is_known():
    match = played(record("misere", []))
    assert match.turn.number == 2
    other = Match(match.ruleset, ("Eve", "Finn", "Gus", "Hal"), 1, match.hands)
    assert other.scored[0].turn.players == ("Eve", "Finn", "Gus", "Hal")
    assert other.scored[0].turn.declarer == 1
