"""Matches as they were folded lately, kept in this process and brought up to date by what was stored since.

A folded match is true as long as its mark and its table's are the ones it was read under. When the match has
gone on, only the newer rows are read; the newest row known before must be among them, so that a match that was
restored from a backup, or made anew under the same number, is read whole.
"""

from __future__ import annotations

from collections import OrderedDict
from copy import copy
from dataclasses import dataclass, field
from threading import Lock

from .match import Hand, Match, State, states
from .table import Table

MATCHES_KEPT = 100
_NEWER = f"SELECT * FROM {Hand._meta.db_table} WHERE match_id = %s AND version >= %s ORDER BY number, revision"


@dataclass(frozen=True)
class Known:
    """A folded match, with the marks that it was read under."""

    match: Match
    state: State

    def since(self, match: Match) -> State | None:
        """The match as it stands now, if what is known of it is where it began."""
        last = max(self.state.rows.values(), key=lambda row: row.version, default=None)
        if last is None or self.match.table.mark != match.table.mark:
            return None
        newer = list(Hand.objects.raw(_NEWER, [match.pk, last.version]))
        if not any((row.pk, row.key) == (last.pk, last.key) for row in newer):
            return None
        rows = dict(sorted((self.state.rows | {row.number: row for row in newer}).items()))
        told = {row.pk: hand for row, hand in zip(self._played, self.state.match.hands, strict=True)}
        hands = [told.get(row.pk) or row.told() for row in rows.values() if row.record is not None]
        return State(self.state.match.with_hands(hands), rows)

    @property
    def _played(self) -> list[Hand]:
        """The rows that tell a hand, in the order of the hands."""
        return [row for row in self.state.rows.values() if row.record is not None]


@dataclass(frozen=True)
class Lately:
    """The matches folded last, for all threads of this process."""

    most: int = MATCHES_KEPT
    known: OrderedDict[tuple[int, int], Known] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def match(self, table: Table, number: int, pk: int, version: int, mark: str) -> Match | None:
        """A match of a table that was read just now, if nothing of it is new but perhaps its hands."""
        with self.lock:
            known = self.known.get((table.pk, number))
        if known is None or known.match.pk != pk or known.match.table.mark != table.mark:
            return None
        match = copy(known.match)
        match.version, match.mark = version, mark
        return match

    def state(self, match: Match) -> State:
        """The match as it stands now; its marks, and its table's, were read before."""
        place = match.table_id, match.number
        with self.lock:
            known = self.known.get(place)
        if known is not None and _marks(known.match) == _marks(match):
            return known.state
        state = (known and known.since(match)) or states([match])[match.pk]
        with self.lock:
            self.known[place] = Known(copy(match), state)  # The caller's own gets another mark when it writes.
            self.known.move_to_end(place)
            while len(self.known) > self.most:
                self.known.popitem(last=False)
        return state


def _marks(match: Match) -> tuple[int, str, str]:
    return match.pk, match.table.mark, match.mark


LATELY = Lately()
