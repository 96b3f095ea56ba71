"""More phones for the pages' tests: let in by a link or by word of mouth, and what the database holds."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core import serializers
from django.http import HttpResponse
from django.test import Client

from scorekeeper.models import Device, Match, Table

from .table import Phone, new_key

ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"


def at(table: Table, *parts: str) -> str:
    """An address below the table's."""
    return "/".join(["/t", table.code, *parts, ""])


def ask_to_score(table: Table, client: Client, **fields: Any) -> HttpResponse:
    """Send the form that lets a phone score."""
    sent = {"key": (new_key() + "-" * 22)[:22], "spoken": "", "link": "", "name": "Ann's phone"} | fields
    return client.post(at(table, "score"), sent)


def join(table: Table, name: str = "Ann's phone", browser: str = ANDROID) -> Client:
    """One more phone, let in by the scorer link."""
    client = Client(headers={"User-Agent": browser})
    response = ask_to_score(table, client, link=table.secret(), name=name)
    assert response.status_code == 302, response.status_code
    return client


def may(client: Client, table: Table) -> bool:
    """This phone gets the form of the table's new match, which is for scorers."""
    return client.get(at(table, "new")).status_code == 200


def phone_of(client: Client, match: Match) -> Phone:
    """A phone that is let in already, with the acts of a scorer."""
    phone = Phone.__new__(Phone)
    phone.match, phone.client = match, client
    return phone


def device(name: str) -> Device:
    """The phone of this name."""
    return Device.objects.get(name=name)


def everything_stored() -> str:
    """All that the database holds, as text."""
    rows = [row for model in apps.get_app_config("scorekeeper").get_models() for row in model.objects.all()]
    return serializers.serialize("json", rows)
