"""A house with a database of its own, of the same kind as the one that the tests run on, for whoever runs a server."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from scorekeeper.models import Hand

from .table import ANN, BOB

MISERE = {"contract": "misere", "doubles": [(BOB, ANN)], "tricks": (2, 3, 5, 3)}


class House:
    """What an operator sees: a folder, a database, and commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, command: str, *arguments: object, **options: Any) -> str:
        """Run a command; what it says. The operator's own connection is closed afterwards, as in a shell."""
        said = io.StringIO()
        try:
            call_command(command, *map(str, arguments), stdout=said, **options)
        finally:
            connections.close_all()
        return said.getvalue()

    def backup(self, name: str = "copy") -> Path:
        file = self.folder / name
        self.run("backup", file)
        return file


def stored() -> list[tuple[Any, ...]]:
    """Everything that was stored of hands, and where."""
    rows = list(Hand.objects.order_by("pk").values_list("match__key", "match__mark", "number", "key", "record"))
    connections.close_all()
    return rows


def refused(house: House, *command: object) -> str:
    with pytest.raises(CommandError) as why:
        house.run(*command)
    return str(why.value)
