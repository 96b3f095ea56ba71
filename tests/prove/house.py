"""A server of its own for a long run: opened, killed, opened again; its database looked into from outside."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
"""Where the runs on PostgreSQL make databases of their own, unless DATABASE_URL says otherwise."""

ROWS = """
    SELECT table_.code, match_.number, hand.number, hand.revision, hand.key, hand.action, hand.record, hand.version
    FROM scorekeeper_hand hand
    JOIN scorekeeper_match match_ ON match_.id = hand.match_id
    JOIN scorekeeper_table table_ ON table_.id = match_.table_id
    ORDER BY hand.id
"""


def postgres() -> str:
    """The PostgreSQL server of the long runs, at the database that every one has."""
    url = os.environ.get("DATABASE_URL", "")
    return f"{url.rpartition('/')[0]}/postgres" if url.startswith("postgres") else POSTGRES


class House:
    """A folder, a database in it or on PostgreSQL, and perhaps a server that is running."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder, self.database = folder, database
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a process of this house finds around it."""
        told = {"DATA_DIR": str(self.folder), "NEW_TABLES_AN_HOUR": "1000000", "LOG_LEVEL": "CRITICAL"}
        told |= {"DATABASE_URL": self.database, "DJANGO_SETTINGS_MODULE": "scorekeeper.settings"}
        return os.environ | told

    def run(self, *command: str, **options: Any) -> subprocess.Popen[Any]:
        """Start a process of this house, in a group of its own."""
        return subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment, start_new_session=True, **options
        )

    def open(self, *options: str) -> None:
        """Start the server; it may take some seconds until it answers."""
        self.process = self.run("-m", "tests.prove.serve", str(self.port), *options, stdout=subprocess.DEVNULL)

    def is_open(self, patience: float = 60) -> bool:
        """The server answers, or does within so many seconds."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            with contextlib.suppress(OSError, HTTPException):
                line = HTTPConnection("127.0.0.1", self.port, timeout=5)
                line.request("GET", "/health/")
                if line.getresponse().status == 200:
                    return True
            time.sleep(0.05)
        return False

    def kill(self) -> None:
        """As if somebody pulled the server out of its socket, all but the disk: no process of it does another step."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def rows(self) -> list[tuple[Any, ...]]:
        """Every row of every hand, in the order in which they came, read without the server."""
        with self._connection() as line:
            return list(line.execute(ROWS).fetchall())

    def integrity(self) -> str:
        """What the database says of itself: "ok" where all is well. PostgreSQL has no such question."""
        if self.database:
            return "ok"
        with self._connection() as line:
            return ", ".join(str(word) for row in line.execute("PRAGMA integrity_check").fetchall() for word in row)

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        if self.database:
            import psycopg

            with psycopg.connect(self.database) as line:
                yield line
        else:
            with contextlib.closing(sqlite3.connect(self.folder / "scorekeeper.sqlite3", timeout=30)) as line:
                yield line


@contextmanager
def house(kind: str = "SQLite", folder: Path | None = None) -> Iterator[House]:
    """A new house on a database of this kind; server, folder and database go at the end."""
    place = Path(tempfile.mkdtemp(prefix="prove-", dir=folder))
    name = f"prove_{secrets.token_hex(6)}"
    database = f"{postgres().rpartition('/')[0]}/{name}" if kind == "PostgreSQL" else ""
    if database:
        _on_postgres(f"CREATE DATABASE {name}")
    found = House(place, database)
    try:
        yield found
    finally:
        found.kill()
        if database:
            _on_postgres(f"DROP DATABASE {name} WITH (FORCE)")
        shutil.rmtree(place)


def _on_postgres(command: str) -> None:
    import psycopg

    with psycopg.connect(postgres(), autocommit=True) as line:
        line.execute(command)  # type: ignore[call-overload]
