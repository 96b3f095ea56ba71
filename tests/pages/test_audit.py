"""`manage.py audit`: every fault that was put into the database by hand is found, and nothing else is."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from scorekeeper import audit
from scorekeeper.models import Hand, Match, Player, Seat, Table

from .house import MISERE, House, stored
from .table import ANN, BOB, CY, DEE, Phone, begin


def audited(*arguments: str) -> tuple[list[str], int]:
    """The lines that it says, and its exit status."""
    said = io.StringIO()
    try:
        call_command("audit", *arguments, stdout=said)
    except SystemExit as status:
        return said.getvalue().splitlines(), status.code
    return said.getvalue().splitlines(), 0


@pytest.fixture
def phone(db: None) -> Phone:
    """A match with two hands, one of them corrected, at a table of its own; another beside it."""
    begin("king")
    phone = begin()
    phone.record(**MISERE)
    phone.record("barbu", [(CY, BOB)], king_of_hearts=CY)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    return phone


@pytest.mark.django_db
def test_an_empty_house_is_sound():
    assert audited() == (["0 matches, all sound."], 0)


def test_what_came_in_by_the_pages_is_sound(phone: Phone):
    phone.undo()
    phone.redo()
    phone.undo()
    assert audited() == (["2 matches, all sound."], 0)


def test_a_duty_that_was_broken_and_owned_up_to_is_sound(phone: Phone):
    Hand.objects.filter(match=phone.match, number=2).update(record=played_anyway(phone))
    assert audited()[1] == 0


def played_anyway(phone: Phone) -> dict[str, Any]:
    [record] = phone.match.hands.filter(number=2).values_list("record", flat=True)
    return record | {"played_anyway": True}


def without_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database take what it would refuse."""
    with connection.schema_editor() as editor:
        for model in (Hand, Match, Seat, Player):
            constraints = model._meta.constraints
            monkeypatch.setattr(model._meta, "constraints", [])
            if connection.vendor == "sqlite":
                editor._remake_table(model)
                continue
            for constraint in constraints:
                editor.remove_constraint(model, constraint)


def first(phone: Phone, **where: int) -> Any:
    return phone.match.hands.filter(**where)


def seat(phone: Phone, place: int) -> Any:
    return phone.match.seats.filter(place=place)


def twice(row: Any, **changed: Any) -> None:
    """Store a row a second time."""
    row.pk = None
    for name, value in changed.items():
        setattr(row, name, value)
    row.save(force_insert=True)


FAULTS: dict[str, Callable[[Phone], Any]] = {
    "match 1, hand 1: 14 tricks entered; 13 were played.": lambda phone: first(phone, number=1, revision=2).update(
        record={**first(phone, number=1, revision=2).get().record, "result": {"counts": {"tricks": {"0": 14}}}}
    ),
    "match 1: It cannot be read": lambda phone: first(phone, number=2).update(record={"contract": ["?"]}),
    "match 1, hand 1: Its history has a gap.": lambda phone: first(phone, number=1, revision=1).delete(),
    "match 1, hand 1: It is not played, and a later one is.": lambda phone: first(phone, number=1, revision=2).update(
        record=None
    ),
    "match 1, hand 1: Its history is not in the order": lambda phone: first(phone, revision=2).update(version=1),
    "match 1, hand 2: Its history is not in the order": lambda phone: first(phone, number=2).update(version=9),
    "match 1: The match lacks its mark or its key.": lambda phone: Match.objects.filter(pk=phone.match.pk).update(
        mark=""
    ),
    "match 1: It is listed as king, and its rules are those of barbu.": lambda phone: Match.objects.filter(
        pk=phone.match.pk
    ).update(game="king"),
    "match 1: It has 3 seats, and the game is for 4.": lambda phone: seat(phone, DEE).delete(),
    "match 1: Its seats have a gap or a repeat.": lambda phone: seat(phone, DEE).update(place=7),
    "match 1: Its first declarer has no seat.": lambda phone: Match.objects.filter(pk=phone.match.pk).update(
        first_declarer=4
    ),
    "match 1: Somebody sits there who belongs to another table.": lambda phone: seat(phone, DEE).update(
        player=Player.objects.exclude(table=phone.match.table).first()
    ),
    "The table lacks its mark, its key or its link.": lambda phone: Table.objects.filter(
        pk=phone.match.table_id
    ).update(mark=""),
    "Ann cannot be found by that name.": lambda phone: Player.objects.filter(
        name="Ann", table=phone.match.table
    ).update(name_key="anne"),
    "A player has no code": lambda phone: Player.objects.filter(name="Ann", table=phone.match.table).update(code=""),
}


@pytest.mark.parametrize("says", FAULTS)
def test_a_fault_that_was_planted_is_found_at_its_place(phone: Phone, says: str):
    FAULTS[says](phone)
    lines, status = audited()
    assert status == 1
    assert any(says in line for line in lines), lines
    assert all(line.startswith("Ours (made on 20") for line in lines[:-1])
    assert lines[-1].startswith("2 matches: ")


UNHEARD_OF: dict[str, Callable[[Phone], Any]] = {
    "match 1, hand 2: It has two newest revisions.": lambda phone: twice(first(phone, number=2).get(), key="another"),
    "match 1, hand 1: It has one revision twice.": lambda phone: twice(
        first(phone, number=1, revision=1).get(), key="another"
    ),
    "match 1: Two revisions were stored under one key.": lambda phone: first(phone, number=1).update(key="the same"),
    "match 1: Somebody sits there twice.": lambda phone: seat(phone, DEE).update(player=seat(phone, ANN).get().player),
    "Two matches have the same number.": lambda phone: twice(Match.objects.get(pk=phone.match.pk), key="another"),
    "Two matches were made by one form.": lambda phone: twice(Match.objects.get(pk=phone.match.pk), number=2),
    "A name stands there for two players.": lambda phone: twice(seat(phone, ANN).get().player, code="another"),
    "A player has no code, or two have the same.": lambda phone: phone.match.table.players.update(code="the same"),
}


@pytest.mark.parametrize("says", UNHEARD_OF)
def test_what_the_database_refuses_is_found_where_it_did_not(house: House, monkeypatch: pytest.MonkeyPatch, says: str):
    phone = begin()
    phone.record(**MISERE)
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    phone.record("barbu", [(CY, BOB)], king_of_hearts=CY)
    without_constraints(monkeypatch)
    UNHEARD_OF[says](phone)
    lines, status = audited()
    assert status == 1
    assert any(says in line for line in lines), lines
    assert stored()


def test_one_match_that_cannot_be_read_hides_no_other(phone: Phone):
    other = begin()
    other.record(**MISERE)
    first(phone, number=2).update(record=[])
    other.match.hands.update(record={**other.match.hands.get().record, "contract": "whist"})
    lines, _status = audited()
    assert len(lines) == 3
    assert "It cannot be read" in lines[0]
    assert "match 1, hand 1: " in lines[1]


def test_no_link_stands_in_what_it_says(phone: Phone):
    for plant in FAULTS.values():
        plant(phone)
    lines, _status = audited()
    assert len(lines) > 5
    assert phone.match.table.code not in "\n".join(lines)


def test_another_program_reads_it_as_json(phone: Phone):
    seat(phone, DEE).update(place=7)
    lines, status = audited("--json")
    found = [json.loads(line) for line in lines]
    assert status == 1
    assert found[0] | {"table": "Ours"} == {
        "says": "Its seats have a gap or a repeat.",
        "table": "Ours",
        "match": 1,
        "hand": None,
    }
    assert found[-1] == {"matches": 2, "findings": 1}


@pytest.mark.django_db
def test_as_many_matches_as_are_held_at_once_cost_the_same_queries(
    monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: DjangoAssertNumQueries
):
    match = begin().match
    for number in range(2, 21):
        twice(Match.objects.get(pk=match.pk), number=number, key=f"match {number}")
    with django_assert_max_num_queries(17):
        lines, _status = audited()
    assert "match 20: It has 0 seats, and the game is for 4." in "\n".join(lines)
    monkeypatch.setattr(audit, "AT_ONCE", 7)
    assert audited()[0] == lines
