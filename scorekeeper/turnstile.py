"""One writer at a time, in the order in which they came: nobody who saves a hand is kept waiting out of turn.

SQLite has room for one writer. Whoever finds it taken tries again after a pause, and again after a longer one,
while others who come later walk in; with eight phones saving at once the unlucky one waits many times as long
as the others. So writers stand in line before they knock: the threads of this process in a line of their own,
the first of each process at a lock on a file beside the database. The line only keeps order. What keeps two
writers apart is the database's own lock, so whoever has waited long enough goes on without the line, and then
the database's own patience counts. PostgreSQL locks a match by its row and needs no line, and a system without
``fcntl`` does without the file.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from django.db import connection, transaction

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 4.0
"""Seconds in line; with the ten that SQLite waits by itself less than the fifteen after which a phone asks again."""


class Line:
    """A line of threads: the first one goes, and who leaves lets the next one go."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.waiting: deque[Event] = deque()

    @contextmanager
    def turn(self, patience: float) -> Iterator[bool]:
        """Stand in line; whether the turn came within so many seconds."""
        mine = Event()
        with self.guard:
            self.waiting.append(mine)
            self.waiting[0].set()
        try:
            yield mine.wait(patience)
        finally:
            with self.guard:
                self.waiting.remove(mine)
                if self.waiting:
                    self.waiting[0].set()


LINE = Line()


@contextmanager
def writing() -> Iterator[None]:
    """One transaction that writes, when its turn has come; inside another transaction just a part of that."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    database = str(connection.settings_dict["NAME"])
    with LINE.turn(PATIENCE) as is_first, door(database, PATIENCE if is_first else 0), transaction.atomic():
        yield


@contextmanager
def door(database: str, patience: float) -> Iterator[None]:
    """Hold the lock that the processes share, if it comes within so many seconds and there is such a thing."""
    file = _opened(f"{database}-queue") if patience else None
    if file is None:
        yield
        return
    try:
        _wait(file, patience)
        yield
    finally:
        os.close(file)  # Which lets go of the lock, or of the wish for it.


def _opened(name: str) -> int | None:
    """The file beside the database; None where the database is in memory, or the system has no such locks."""
    if fcntl is None or "memory" in name.rpartition(os.sep)[2]:
        return None
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:  # A full disk, or a folder that may not be written: the database will say so itself.
        return None


def _wait(file: int, patience: float) -> None:
    """Wait for the lock no longer than this. The system keeps those who wait in order, but knows no time limit."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        asking = Thread(target=fcntl.flock, args=(file, fcntl.LOCK_EX), daemon=True)
        asking.start()
        asking.join(patience)
    except OSError:  # A file system that knows no locks.
        return
