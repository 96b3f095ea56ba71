"""Matches by chance for trials: whole, sound, and the same for the same seed."""

from random import Random

import pytest

from referee import load, names
from referee.trial import Character, play


@pytest.mark.parametrize("code", names())
def test_a_match_by_chance_is_whole_and_sound(code: str):
    ruleset = load(code)
    for players in ruleset.players:
        for seed in range(6):
            random = Random(seed)
            characters = [Character.drawn(random) for _ in range(players)]
            match = play(ruleset, characters, random, first=seed % players)
            assert match.problems == ()
            assert match.is_over
            assert all(not hand.remarks for hand in match.scored)
            total = ruleset.adds_up_to(players)
            assert total in (None, sum(match.turn.running)) or ruleset.has_coups


def test_the_same_seed_plays_the_same_match():
    def hands(seed: int) -> object:
        return play(load("barbu"), [Character(0.5, 0.3)] * 4, Random(seed)).hands

    assert hands(3) == hands(3) != hands(4)


def test_the_nervous_double_less():
    def doubles(nerve: float) -> int:
        match = play(load("barbu"), [Character(0.5, nerve)] * 4, Random(1))
        return sum(len(hand.doubles or ()) for hand in match.hands)

    assert doubles(0.0) < doubles(0.5)
