"""A full disk, a locked or a missing database: told in words, nothing half stored, and well again by itself."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, InternalError, OperationalError, connection, connections
from django.http import HttpResponse
from django.test import Client

from scorekeeper import models
from scorekeeper.views import start

from .house import MISERE, House
from .table import ANN, BOB, CY, begin, new_key, said, soup, words


@pytest.fixture(autouse=True)
def faults_as_a_phone_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client of the tests raises what a server would put into words."""
    monkeypatch.setattr(Client, "store_exc_info", lambda _client, **_: None)


def main(response: HttpResponse) -> str:
    return words(soup(response).main)


def caused_by(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


SQLITE = connection.vendor == "sqlite"

UNAVAILABLE = [
    (OperationalError("database or disk is full"), "The server's disk is full."),
    (OperationalError("database is locked"), "The server's database is busy with something else."),
    (OperationalError("attempt to write a readonly database"), "The server's database may only be read just now."),
    (OperationalError("unable to open database file"), "The server's database does not answer."),
    (DatabaseError("database disk image is malformed"), "The server's database does not answer."),
    (OSError(errno.ENOSPC, "No space left on device"), "The server's disk is full."),
    (caused_by(OperationalError("…"), psycopg.errors.DiskFull()), "The server's disk is full."),
    (caused_by(OperationalError("…"), psycopg.errors.DeadlockDetected()), "The server's database is busy"),
    (caused_by(InternalError("…"), psycopg.errors.ReadOnlySqlTransaction()), "may only be read just now."),
    (caused_by(OperationalError("…"), psycopg.OperationalError("refused")), "The server's database does not answer."),
]


@pytest.mark.parametrize(("error", "says"), UNAVAILABLE)
def test_a_database_that_fails_is_no_fault_of_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
):
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(start, "tables_seen", fail)
    response = client.get("/")
    assert response.status_code == 503
    assert response["Retry-After"] == "10"
    assert "no-store" in response["Cache-Control"]
    assert says in main(response)
    assert "Load it again in a minute" in main(response)


@pytest.mark.parametrize("error", [IntegrityError("x"), OSError(errno.ENOENT, "x"), ValueError("x")])
def test_any_other_fault_is_owned_up_to(client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(start, "tables_seen", fail)
    response = client.get("/", headers={"X-Request-ID": "evening-42"})
    assert response.status_code == 500
    assert "tell whoever runs this server: request evening-42." in main(response)


@pytest.mark.django_db
@pytest.mark.parametrize("in_place", [False, True])
def test_a_hand_that_cannot_be_stored_is_sent_again_and_stored_once(monkeypatch: pytest.MonkeyPatch, in_place: bool):
    phone = begin()
    sent = {**MISERE, "hand": 1, "key": new_key(), "revision": 0, "in_place": in_place}

    def full(*_arguments: Any, **_how: Any) -> None:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(models.Hand.objects, "bulk_create", full)
        response = phone.record(**sent)
    assert response.status_code == 503
    assert "could not be stored to the end" in main(response)
    assert "nothing is stored twice" in main(response)
    assert phone.rows == []
    for _again in range(2):
        assert phone.record(**sent).status_code == (200 if in_place else 302)
    assert phone.rows == [(1, 1, "enter")]


class Trouble:
    """A way to break the database for real, and to mend it."""

    def __init__(self, begin: Callable[[], None], end: Callable[[], None], says: str) -> None:
        self.begin, self.end, self.says = begin, end, says


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def lock(house: House) -> Iterator[Any]:
    """Another writer, who can hold the database as long as it pleases."""
    other = connection.copy()
    other.ensure_connection()
    yield other
    other.close()


def pages() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        return int(cursor.fetchone()[0])


def troubles(lock: Any) -> dict[str, Trouble]:
    """What can be made to go wrong with this kind of database."""
    if connection.vendor == "postgresql":
        return {
            "read only": Trouble(
                lambda: run("SET default_transaction_read_only = on"),
                lambda: run("SET default_transaction_read_only = off"),
                "may only be read just now",
            ),
            "locked": Trouble(
                lambda: (
                    run("SET lock_timeout = '50ms'"),
                    lock.cursor().execute("BEGIN; LOCK TABLE scorekeeper_match IN EXCLUSIVE MODE"),
                ),
                lambda: lock.cursor().execute("ROLLBACK"),
                "busy with something else",
            ),
        }
    return {
        "full": Trouble(
            lambda: run(f"PRAGMA max_page_count = {pages()}"),
            lambda: run("PRAGMA max_page_count = 1000000"),
            "disk is full",
        ),
        "read only": Trouble(
            lambda: run("PRAGMA query_only = 1"), lambda: run("PRAGMA query_only = 0"), "may only be read"
        ),
        "locked": Trouble(
            lambda: (run("PRAGMA busy_timeout = 50"), lock.cursor().execute("BEGIN IMMEDIATE")),
            lambda: lock.cursor().execute("ROLLBACK"),
            "busy with something else",
        ),
    }


def kinds() -> list[str]:
    return ["read only", "locked"] if connection.vendor == "postgresql" else ["full", "read only", "locked"]


@pytest.mark.parametrize("kind", kinds())
def test_whatever_is_wrong_with_the_database_no_hand_is_half_stored(house: House, lock: Any, kind: str):
    phone, trouble, acknowledged = begin(), troubles(lock)[kind], 0
    trouble.begin()
    for turn in range(60):  # A full disk has room for a few hands more.
        step = said("misere", [(CY if turn % 2 else BOB, ANN)], note="x" * 200)
        sent = step | {"key": new_key(), "revision": acknowledged}
        response = phone.send("hand", 1, fields=sent, in_place=True)
        if response.status_code != 204:
            break
        acknowledged += 1
    assert response.status_code == 503
    assert trouble.says in main(response)
    trouble.end()
    assert len(phone.rows) == acknowledged
    for _again in range(2):
        assert phone.send("hand", 1, fields=sent, in_place=True).status_code == 204
    assert len(phone.rows) == acknowledged + 1


def test_a_database_that_was_gone_is_found_again(house: House):
    phone = begin()
    name = connection.settings_dict["NAME"]
    connections.close_all()
    connection.settings_dict["NAME"] = str(house.folder / "nowhere" / "x") if SQLITE else "nowhere"
    assert phone.client.get(phone.address()).status_code == 503
    assert phone.client.get("/health/").status_code == 503
    assert phone.client.get("/ready/").status_code == 503
    connection.settings_dict["NAME"] = name
    assert phone.client.get(phone.address()).status_code == 200
    assert phone.client.get("/ready/").status_code == 200


def test_a_house_whose_tables_are_not_up_to_date_is_not_ready(house: House, client: Client):
    assert (client.get("/ready/").status_code, client.get("/ready/").content) == (200, b"ok")
    run("DELETE FROM django_migrations WHERE app = 'scorekeeper' AND name LIKE '0004%'")
    response = client.get("/ready/")
    assert (response.status_code, response.content) == (
        503,
        b"The database is not up to date: run manage.py migrate.",
    )


def test_a_house_that_may_only_be_read_is_not_ready(house: House, lock: Any, client: Client):
    trouble = troubles(lock)["read only"]
    trouble.begin()
    response = client.get("/ready/")
    assert (response.status_code, response.content) == (503, b"The server's database may only be read just now.")
    trouble.end()
    assert client.get("/ready/").status_code == 200


def test_an_empty_database_is_neither_well_nor_ready(house: House, client: Client, tmp_path: Path):
    call_command("migrate", "scorekeeper", "zero", interactive=False, verbosity=0)
    run("DROP TABLE django_migrations")
    assert client.get("/health/").status_code == 503
    assert client.get("/ready/").status_code == 503
