"""`manage.py make_trial_table`: a table with years of matches, as they would have been stored."""

import io
from collections import Counter
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

import referee
from scorekeeper.models import Hand, Table, states

pytestmark = pytest.mark.django_db


def trial(**options: Any) -> tuple[Table, str]:
    """The table that the command makes, and what it says."""
    told = io.StringIO()
    call_command("make_trial_table", stdout=told, **options)
    return Table.objects.latest("pk"), told.getvalue()


@pytest.mark.parametrize("game", referee.names())
def test_every_match_of_it_is_sound_and_over(game: str):
    table, _said = trial(matches=5, game=game, players=6)
    found = states(table.matches.all())
    assert len(found) == 5
    assert all(state.match.is_over and not state.match.problems for state in found.values())


def test_it_says_where_the_table_is_and_that_it_is_a_trial():
    table, said = trial(matches=2)
    assert said == f"A table for trials, with 2 matches by chance:\n/t/{table.code}/\n"
    assert Client().get(f"/t/{table.code}/").status_code == 200
    assert table.name == "Trial, 2 matches"


def test_two_matches_an_evening_week_after_week_each_before_the_next():
    table, _said = trial(matches=6)
    began = [match.began for match in table.matches.order_by("number")]
    assert began == sorted(began)
    assert list(Counter(map(table.evening, began)).values()) == [2, 2, 2]


def test_hands_come_in_step_by_step_and_some_are_taken_back_or_corrected():
    table, _said = trial(matches=8)
    hands = Hand.objects.filter(match__table=table)
    assert set(hands.values_list("action", flat=True)) == {"enter", "undo", "redo", "correct"}
    assert hands.filter(revision=3).count() > 100
    for match in table.matches.all():
        assert match.version == match.hands.count()


def test_as_many_people_as_asked_sit_down_and_the_same_seed_plays_the_same():
    def evenings(seed: int) -> list[list[str]]:
        table, _said = trial(matches=4, players=5, seed=seed)
        assert table.players.count() == 5
        return [list(match.seats.values_list("player__name", flat=True)) for match in table.matches.order_by("number")]

    assert evenings(1) == evenings(1) != evenings(2)


@pytest.mark.parametrize("options", [{"matches": 0}, {"matches": 10_001}, {"players": 3}, {"players": 13}])
def test_what_cannot_be_made_is_refused(options: dict[str, int]):
    with pytest.raises(CommandError, match="table for trials"):
        trial(**options)
    assert not Table.objects.exists()
