"""Copies of everything that is stored, for the operator: made while people play, checked before they come back.

These are copies of the whole database, tables of all people in it. (One table's own backup file is another
thing: a page makes it.) The secret that signs the cookies is in none of them, and of links that score the
database itself holds only what cannot be turned back into them.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import ClassVar, Protocol

from django.conf import settings
from django.db import connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

OURS = re.compile(r"tafferan-\d{8}-\d{6}\.(sqlite3|dump)")
"""Copies that were given their name here, and may be cleared away here."""


class Unfit(Exception):
    """Why a copy cannot be made, or a file not restored, in words for the operator."""


@cache
def known_steps() -> frozenset[str]:
    """The steps by which this code's tables came to be as they are: the names of its migrations."""
    return frozenset(name for app, name in MigrationLoader(None).disk_migrations if app == "scorekeeper")


@dataclass
class Contents:
    """What a copy holds: how many tables of players and matches, and by which steps its database came to be."""

    tables: int = 0
    matches: int = 0
    steps: set[str] = field(default_factory=set)

    def check(self) -> None:
        """Refuse a database that is none of ours, or that this code does not know yet."""
        if not self.steps:
            raise Unfit(_("This is a database, but none of Tafferan's."))
        if newer := sorted(self.steps - known_steps()):
            raise Unfit(_("This comes from a newer Tafferan (%(steps)s). Update first.") % {"steps": ", ".join(newer)})


class Store(Protocol):
    """What a database can do for safekeeping."""

    suffix: ClassVar[str]

    def copy_to(self, target: Path) -> Contents:
        """Write what is stored at this moment to a new file, whoever else is writing."""

    def examine(self, file: Path) -> Contents:
        """What a copy holds; refuse one that is damaged, foreign or newer than this code."""

    def is_empty(self) -> bool:
        """Nothing would be lost by replacing it."""

    def replace_with(self, file: Path) -> Path | None:
        """Put a copy in place of what is stored, which is kept aside: where, or None where there was nothing."""


def store() -> Store:
    """The database of this house."""
    kinds: dict[str, type[Store]] = {"sqlite": SQLite, "postgresql": PostgreSQL}
    if connection.vendor not in kinds:
        raise Unfit(_("Only SQLite and PostgreSQL can be copied here. This is %(name)s.") % {"name": connection.vendor})
    return kinds[connection.vendor]()


def backups() -> Path:
    """The folder for copies, for its owner's eyes only; made where it is not there yet."""
    folder = settings.DATA_DIR / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(folder)


def moment() -> str:
    """Now, in UTC, as it stands in the names of files: names in order are moments in order."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}"


def keep_newest(folder: Path, number: int) -> list[Path]:
    """Clear away all but the newest copies that were named here; the ones that are gone."""
    named = sorted(file for file in folder.iterdir() if OURS.fullmatch(file.name))
    gone = named[:-number]
    for file in gone:
        file.unlink()
    return gone


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A draft beside the target that takes its name once it is whole and on the disk, and else leaves nothing."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".draft-")
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(draft, target)
        settle(target.parent)
    finally:
        for left in (draft, *(Path(name + end) for end in ("-journal", "-wal", "-shm"))):
            left.unlink(missing_ok=True)


def settle(folder: Path) -> None:
    """See to it that a folder's new names outlive a power cut, where the system can promise that."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def begins_with(file: Path, sign: bytes) -> bool:
    """A file is of the kind that begins with these bytes."""
    with file.open("rb") as opened:
        return opened.read(len(sign)) == sign


SQLITE_SIGN, POSTGRESQL_SIGN = b"SQLite format 3\0", b"PGDMP"


def check_kind(file: Path, sign: bytes) -> None:
    """Refuse a file that is no copy of this kind of database."""
    if not file.is_file():
        raise Unfit(_("There is no file %(file)s.") % {"file": file})
    if begins_with(file, sign):
        return
    if begins_with(file, SQLITE_SIGN):
        raise Unfit(_("This is a copy of SQLite, and the house has PostgreSQL."))
    if begins_with(file, POSTGRESQL_SIGN):
        raise Unfit(_("This is a copy of PostgreSQL, and the house has SQLite."))
    raise Unfit(_("This is no copy of a database, or its beginning is damaged."))


class SQLite:
    """A database in one file, copied by SQLite's own way of copying one that is in use."""

    suffix: ClassVar[str] = "sqlite3"

    def __init__(self) -> None:
        self.file = Path(connection.settings_dict["NAME"])

    def copy_to(self, target: Path) -> Contents:
        """One step copies the state of one moment; writers go on meanwhile and are not in it."""
        if not self.file.exists():
            raise Unfit(_("Nothing is stored yet."))
        with written_whole(target) as draft:
            self._copy(f"{self.file.absolute().as_uri()}?mode=rw", draft)
            return self.examine(draft)

    def examine(self, file: Path) -> Contents:
        """Every page is read and every index compared."""
        check_kind(file, SQLITE_SIGN)
        contents = Contents()
        try:
            with closing(sqlite3.connect(self._readable(file), uri=True)) as copy:
                damage = [words for (words,) in copy.execute("PRAGMA integrity_check(1)")]
                if damage != ["ok"] or copy.execute("PRAGMA foreign_key_check").fetchone():
                    raise Unfit(_("The file is damaged."))
                kinds = dict(copy.execute("SELECT name, type FROM sqlite_master"))
                if "scorekeeper_table" in kinds and not {"trigger", "view"} & set(kinds.values()):
                    steps = copy.execute("SELECT name FROM django_migrations WHERE app = 'scorekeeper'")
                    contents.steps = {step for (step,) in steps}
                    (contents.tables,) = copy.execute("SELECT count(*) FROM scorekeeper_table").fetchone()
                    (contents.matches,) = copy.execute("SELECT count(*) FROM scorekeeper_match").fetchone()
        except sqlite3.DatabaseError as error:
            raise Unfit(_("The file is damaged, or not all there.")) from error
        contents.check()
        return contents

    def is_empty(self) -> bool:
        """No table of players is in it; a file that cannot even be read may hold some."""
        if not self.file.exists():
            return True
        try:
            with closing(sqlite3.connect(self.file)) as stored:
                made = stored.execute("SELECT 1 FROM sqlite_master WHERE name = 'scorekeeper_table'").fetchone()
                return not (made and stored.execute("SELECT 1 FROM scorekeeper_table LIMIT 1").fetchone())
        except sqlite3.DatabaseError:
            return False

    def replace_with(self, file: Path) -> Path | None:
        """The copy is made beside the database and then takes its place in one step."""
        connections.close_all()
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_name(f".fresh-{moment()}.sqlite3")
        try:
            with written_whole(fresh) as draft:
                self._copy(self._readable(file), draft)
                self.examine(draft)
            aside = self._set_aside()
            os.replace(fresh, self.file)
        finally:
            fresh.unlink(missing_ok=True)
        settle(self.file.parent)
        return aside

    def _copy(self, source: str, target: Path) -> None:
        """Copy one database into another file, where it needs no second file beside it."""
        try:
            with closing(sqlite3.connect(source, uri=True)) as stored, closing(sqlite3.connect(target)) as copy:
                stored.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError as error:
            raise Unfit(_("The database cannot be copied: %(reason)s.") % {"reason": error}) from error

    def _readable(self, file: Path) -> str:
        """How to open a file that shall stay as it is, also where its folder cannot be written."""
        alone = "" if file.with_name(f"{file.name}-wal").exists() else "&immutable=1"
        return f"{file.absolute().as_uri()}?mode=ro{alone}"

    def _set_aside(self) -> Path | None:
        """Give the database another name, with all that belongs to it; refuse while anybody has it open."""
        if not self.file.exists():
            return None
        try:
            with closing(sqlite3.connect(self.file, timeout=1)) as stored:
                stored.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            raise Unfit(_("The house is open. Close it first, so that nobody's hand is lost.")) from error
        except sqlite3.DatabaseError:
            pass  # Damaged: it is set aside as it lies.
        aside = self.file.with_name(f"{self.file.stem}.replaced-{moment()}{self.file.suffix}")
        for end in ("", "-wal", "-shm"):
            part = self.file.with_name(self.file.name + end)
            if part.exists():
                part.rename(aside.with_name(aside.name + end))
        return aside


class PostgreSQL:
    """A database of a server, copied and brought back by PostgreSQL's own programs."""

    suffix: ClassVar[str] = "dump"
    OWN = ("scorekeeper_*", "django_migrations*")

    def copy_to(self, target: Path) -> Contents:
        """pg_dump reads the state of one moment; writers go on meanwhile and are not in it."""
        with written_whole(target) as draft:
            own = [f"--table={name}" for name in self.OWN]
            what = ["--format=custom", "--no-owner", "--no-privileges", *own, f"--file={draft}"]
            self._run("pg_dump", *what, connection.settings_dict["NAME"])
            return self.examine(draft)

    def examine(self, file: Path) -> Contents:
        """The whole file is read, as for bringing it back."""
        check_kind(file, POSTGRESQL_SIGN)
        contents = Contents()
        rows: dict[str, Callable[[list[str]], None]] = {
            "scorekeeper_table": lambda row: setattr(contents, "tables", contents.tables + 1),
            "scorekeeper_match": lambda row: setattr(contents, "matches", contents.matches + 1),
            "django_migrations": lambda row: contents.steps.add(row[2]) if row[1] == "scorekeeper" else None,
        }
        with tempfile.TemporaryFile() as told:
            try:
                self._run("pg_restore", "--data-only", "--file=-", str(file), to=told.fileno())
            except Unfit as unfit:
                raise Unfit(_("The file is damaged, or not all there. %(reason)s") % {"reason": unfit}) from unfit
            told.seek(0)
            count: Callable[[list[str]], None] | None = None
            for line in told:
                if line.startswith(b"COPY "):
                    count = rows.get(line.split()[1].decode().rpartition(".")[2])
                elif line.startswith(b"\\."):
                    count = None
                elif count:
                    count(line.decode().rstrip("\n").split("\t"))
        contents.check()
        return contents

    def is_empty(self) -> bool:
        """No table of players is in it."""
        with connection.cursor() as cursor:
            if "scorekeeper_table" not in connection.introspection.table_names(cursor):
                return True
            cursor.execute("SELECT 1 FROM scorekeeper_table LIMIT 1")
            return cursor.fetchone() is None

    def replace_with(self, file: Path) -> Path | None:
        """What was there is copied first, and brought back should the file fail after all."""
        self._refuse_while_open()
        aside = None
        if not self.is_empty():
            aside = backups() / f"replaced-{moment()}.dump"
            self.copy_to(aside)
        try:
            self._bring_back(file)
        except Unfit:
            if aside:
                self._bring_back(aside)
            raise
        return aside

    def _refuse_while_open(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            if cursor.fetchone()[0]:
                raise Unfit(_("The house is open. Close it first, so that nobody's hand is lost."))

    def _bring_back(self, file: Path) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for name in connection.introspection.table_names(cursor):
                if name.startswith("scorekeeper_") or name == "django_migrations":
                    cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)} CASCADE")
        connection.close()
        how = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        self._run("pg_restore", *how, f"--dbname={connection.settings_dict['NAME']}", str(file))

    def _run(self, program: str, *arguments: str, to: int | None = None) -> None:
        """Run a program of PostgreSQL; who and where and the password stand in its environment, never in its line."""
        command, environment = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
        named = dict(zip(command[1:-1:2], command[2:-1:2], strict=False))
        flags = {"-U": "PGUSER", "-h": "PGHOST", "-p": "PGPORT"}
        place = {flags[flag]: value for flag, value in named.items() if flag in flags}
        found = shutil.which(program)
        if found is None:
            words = _("%(program)s is not installed here. It comes with PostgreSQL (Debian: postgresql-client).")
            raise Unfit(words % {"program": program})
        done = subprocess.run(
            [found, *arguments],
            env=os.environ | place | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if to is None else to,
            stderr=subprocess.PIPE,
        )
        if done.returncode:
            reason = " ".join(done.stderr.decode(errors="replace").split())
            raise Unfit(_("%(program)s failed: %(reason)s") % {"program": program, "reason": reason})
