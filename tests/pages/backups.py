"""A small table, its backup, and how that comes back, for the tests of both."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from scorekeeper import backup
from scorekeeper.models import Hand, Match, Player, Seat, Table, TableRules

from .table import ANN, BOB, Phone, begin


def file_of(table: Table) -> bytes:
    """The backup of a table."""
    return "".join(backup.write(table)).encode()


def small() -> Phone:
    """A table with one match of three hands, of which the first was corrected and the last taken back."""
    phone = begin()
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    phone.record("barbu", [])
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(3, 2, 5, 3))
    phone.record("trumps", [], trump="S", tricks=(4, 3, 3, 3))
    phone.undo()
    phone.match.table.refresh_from_db()
    return phone


def stored() -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored of what was played."""
    return {
        "tables": list(Table.objects.order_by("pk").values_list("name", "zone", "created")),
        "players": list(Player.objects.order_by("pk").values_list("table", "code", "name", "name_key", "is_gone")),
        "rules": list(TableRules.objects.order_by("pk").values_list("table", "code", "version", "key", "created")),
        "matches": list(Match.objects.order_by("pk").values_list("table", "number", "key", "version", "extra")),
        "seats": list(Seat.objects.order_by("pk").values_list("match", "place", "player")),
        "hands": list(
            Hand.objects.order_by("pk").values_list("match", "number", "revision", "key", "action", "version", "at")
        ),
    }


def send(client: Client, address: str, text: bytes, **fields: str) -> HttpResponse:
    file = SimpleUploadedFile("table.json", text, content_type="application/json")
    return client.post(address, {"file": file, **fields})
