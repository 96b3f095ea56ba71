"""A database of its own for tests of what an operator does, of the same kind as the one that all tests run on."""

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections

from .house import House

# What is about the other kind of database, and could only be left out.
collect_ignore_glob = ["*_postgresql.py" if connection.vendor == "sqlite" else "*_sqlite.py"]


def on_the_server(statement: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """An empty database with all its tables, to be copied."""
    tests_own, name = connection.settings_dict["NAME"], f"tafferan_{uuid.uuid4().hex}"
    with django_db_blocker.unblock():
        connections.close_all()
        if connection.vendor == "sqlite":
            name = str(tmp_path_factory.mktemp("blank") / "scorekeeper.sqlite3")
        else:
            on_the_server(f'CREATE DATABASE "{name}"')
        connection.settings_dict["NAME"] = name
        call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
        connection.settings_dict["NAME"] = tests_own
    yield name
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock():
            on_the_server(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def house(tmp_path: Path, settings: Any, blank: str, django_db_blocker: Any) -> Iterator[House]:
    """A house with a folder and a database of its own, taken in place of the tests' own."""
    settings.DATA_DIR = tmp_path
    tests_own = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        connections.close_all()
        if connection.vendor == "sqlite":
            name = shutil.copy(blank, tmp_path)
        else:
            name = f"tafferan_{uuid.uuid4().hex}"
            on_the_server(f'CREATE DATABASE "{name}" TEMPLATE "{blank}"')
        connection.settings_dict["NAME"] = name
        try:
            yield House(tmp_path)
        finally:
            connections.close_all()
            connection.settings_dict["NAME"] = tests_own
            if connection.vendor == "postgresql":
                on_the_server(f'DROP DATABASE "{name}" WITH (FORCE)')
