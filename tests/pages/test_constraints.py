"""Behind every check stands the database: it refuses a second one itself, whoever asks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from scorekeeper.models import Device, Hand, Match, Player, Seat, Table, TableRules, Try, new_code

from .table import ANN, BOB, begin

pytestmark = pytest.mark.django_db

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}

ONLY_ONCE = {
    Device: [["table", "code"], ["token_hash"]],
    Hand: [["match", "number", "revision"], ["match", "key"]],
    Match: [["table", "number"], ["table", "key"]],
    Player: [["table", "name_key"], ["table", "code"]],
    Seat: [["match", "place"], ["match", "player"]],
    Table: [["key"], ["code"]],
    TableRules: [["table", "code", "version"], ["table", "key"]],
    Try: [["what", "who", "since"]],
}
"""What there may be once only, by model."""

CASES = [(model, fields) for model, all_fields in ONLY_ONCE.items() for fields in all_fields]


def unique(model: type[models.Model]) -> list[list[str]]:
    """What a model says may be there once only."""
    together = [list(rule.fields) for rule in model._meta.constraints if isinstance(rule, models.UniqueConstraint)]
    alone = [[field.name] for field in model._meta.fields if field.unique and not field.primary_key]
    return together + [fields for fields in alone if not model._meta.get_field(fields[0]).is_relation]


def test_every_rule_of_the_models_is_tried_here():
    said = {model: unique(model) for model in apps.get_app_config("scorekeeper").get_models() if unique(model)}
    assert {model: sorted(rules) for model, rules in said.items()} == {
        model: sorted(rules) for model, rules in ONLY_ONCE.items()
    }


def stored(model: type[models.Model]) -> models.Model:
    """A row of this model, with all that it stands on."""
    phone = begin()
    phone.record(**MISERE)
    table = phone.match.table
    if model is TableRules:
        return TableRules.objects.create(table=table, code="own-x", version=1, key=new_code(), ruleset={})
    if model is Try:
        return Try.objects.create(what="code", who="x", since=timezone.now())
    found = model._default_manager.order_by("-pk").first()
    return found or Device.objects.create(table=table, token_hash="x", link="x")


def another(row: models.Model, name: str) -> Any:
    """A value that this field of the row does not have."""
    now, field = getattr(row, name), row._meta.get_field(name)
    if name == "player":
        return Player.objects.create(table=row.match.table, name="Eve", name_key="eve")
    if name == "match":
        return begin().match
    if name == "table":
        return begin().match.table
    if isinstance(field, models.DateTimeField):
        return now + timedelta(days=1)
    return now + 100 if isinstance(now, int) else f"{now}-2"[-22:]


def doubled(row: models.Model, same: list[str]) -> models.Model:
    """A second row that has these fields alike, and everything else that may be there once only different."""
    copy = type(row)(**{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields})
    copy.pk, copy._state.adding = None, True
    names = {name for fields in unique(type(row)) for name in fields if fields != same}
    for name in sorted(names - set(same)):
        setattr(copy, name, another(row, name))
    return copy


@pytest.mark.parametrize(("model", "fields"), CASES, ids=[f"{model.__name__} {' '.join(f)}" for model, f in CASES])
def test_the_database_itself_refuses_a_second_one(model: type[models.Model], fields: list[str]):
    row = stored(model)
    with pytest.raises(IntegrityError), transaction.atomic():
        doubled(row, fields).save(force_insert=True)
    other = doubled(row, fields)
    setattr(other, fields[-1], another(row, fields[-1]))
    other.save(force_insert=True)


def test_a_hand_that_cannot_be_stored_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch):
    phone = begin()
    before = Match.objects.values().get(pk=phone.match.pk)

    def full(*_rows: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(type(Hand.objects), "bulk_create", full)
    with pytest.raises(OSError, match="full"):
        phone.record(**MISERE, hand=1, revision=0)
    monkeypatch.undo()
    assert Match.objects.values().get(pk=phone.match.pk) == before
    assert phone.rows == []
    assert phone.record(**MISERE, hand=1, revision=0).status_code == 302


def test_what_is_acknowledged_is_on_the_disk():
    asked, safe = {
        "sqlite": (["PRAGMA synchronous", "PRAGMA journal_mode"], [2, "wal"]),
        "postgresql": (["SHOW fsync", "SHOW synchronous_commit"], ["on", "on"]),
    }[connection.vendor]
    with connection.cursor() as cursor:
        found = []
        for question in asked:
            cursor.execute(question)
            found.append(cursor.fetchone()[0])
    assert found == safe
