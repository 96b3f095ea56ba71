"""A backup put back: into a table of its own, into an empty one, or into the table that it was made of.

What is here already is known by its keys and left alone, so that the same file twice doubles nothing. All of a
file is stored in one transaction, or nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError

from referee import name_key
from referee.problems import gettext_noop, problem

from .backup import Backup, MatchPart, NotABackup
from .history import Entry, in_order
from .models import Hand, Match, Player, Seat, Table, new_mark
from .turnstile import writing

AT_ONCE = 1_000
"""Rows that are stored together."""


@dataclass
class Restored:
    """What came in: matches and entries that were missing, matches that were here, and those with another number."""

    matches: int = 0
    entries: int = 0
    known: int = 0
    renumbered: int = 0


def make_table(backup: Backup, *, key: str) -> Table:
    """A new table from a backup. The same key again answers with the same table, however often it is sent."""
    try:
        with writing():
            if found := Table.objects.filter(key=key).first():
                return found
            secret = Table.secret_for(key)
            table = Table.objects.create(key=key, seed=key, name="", scorer_hash=Table.hash_of(secret))
            _Restoring(table, backup).run()
            return table
    except IntegrityError:  # The same form sent twice at once, and the other one was faster.
        return Table.objects.get(key=key)


def restore(table: Table, backup: Backup) -> Restored:
    """Put back what is missing at this table.

    Raises :class:`NotABackup` where the file is of another table, or tells of a match what happened otherwise.
    """
    with writing():
        table = Table.objects.select_for_update().get(pk=table.pk)
        return _Restoring(table, backup).run()


class _Restoring:
    """A table, its lock held, and the file that is put back into it."""

    def __init__(self, table: Table, backup: Backup) -> None:
        self.table = table
        self.backup = backup
        self.done = Restored()
        self.known = {match.key: match for match in table.matches.defer("ruleset", "extra")}
        self.players: dict[str, Player] = {}
        self.rows: list[Hand] = []

    def run(self) -> Restored:
        """Store everything that is missing."""
        if not self.known:
            self._be_the_table()
        elif self.known.keys().isdisjoint(self.backup.numbers):
            message = gettext_noop(
                "This is the file of another table, “{name}”. Make a new table of it, or restore it into an empty one."
            )
            raise NotABackup(problem("another-table", "file", message, name=self.backup.head.name))
        self._rules()
        taken = {match.number for match in self.known.values()}
        free = max([*taken, *self.backup.numbers.values()], default=0) + 1
        for match in self.backup.matches():
            if (here := self.known.get(match.key)) is not None:
                self._go_on(here, match)
            elif match.number in taken:
                self._add(match, free)
                self.done.renumbered += 1
                free += 1
            else:
                self._add(match, match.number)
        self._store()
        return self.done

    def _be_the_table(self) -> None:
        """An empty table takes the name, the clock and everybody of the file."""
        head = self.backup.head
        self.table.name, self.table.zone, self.table.created = head.name, head.zone, head.created
        self.table.mark = new_mark()
        self.table.save(update_fields=["name", "zone", "created", "mark"])
        for player in head.players:
            self._player(player.code)

    def _player(self, code: str) -> Player:
        """The player of this code here, else the one of this name, else a new one."""
        if code not in self.players:
            told = self.backup.players[code]
            found = self.table.players.filter(code=code).first()
            found = found or self.table.players.filter(name_key=name_key(told.name)).first()
            self.players[code] = found or self.table.players.create(
                code=code, name=told.name, name_key=name_key(told.name), is_gone=told.gone
            )
        return self.players[code]

    def _rules(self) -> None:
        """The table's own rules; a version that is here must say the same."""
        here = {(rules.code, rules.version): rules for rules in self.table.rules.all()}
        keys = {rules.key for rules in here.values()}
        for told in self.backup.head.rules:
            known = here.get((told.code, told.version))
            if known.ruleset != told.ruleset if known else told.key in keys:
                message = gettext_noop("The rules {rules} were changed differently here and in the file.")
                raise NotABackup(problem("gone-apart", "file", message, rules=told.code))
            if known is None:
                self.table.rules.create(
                    code=told.code, version=told.version, key=told.key, created=told.created, ruleset=told.ruleset
                )

    def _add(self, told: MatchPart, number: int) -> None:
        """A match that is not here."""
        players = [self._player(code) for code in told.players]
        if len(set(players)) < len(players):
            message = gettext_noop("Match {number}: two of its players are one person at this table.")
            raise NotABackup(problem("gone-apart", "file", message, number=told.number))
        ruleset = self.backup.head.rulesets[told.ruleset]
        match = Match.objects.create(
            table=self.table,
            number=number,
            key=told.key,
            game=ruleset["code"],
            ruleset=ruleset,
            first_declarer=told.first_declarer,
            began=told.began,
            zone=told.zone,
            version=told.version,
            extra=told.extra,
        )
        Seat.objects.bulk_create(Seat(match=match, place=place, player=one) for place, one in enumerate(players))
        self._enter(match, in_order(told.hands))
        self.done.matches += 1

    def _go_on(self, here: Match, told: MatchPart) -> None:
        """A match that is here: of two histories one must be the beginning of the other."""
        stored = [_said(row) for row in here.hands.order_by("version", "number")]
        entries = in_order(told.hands)
        both = min(len(stored), len(entries))
        if stored[:both] != [_said(entry) for entry in entries[:both]]:
            message = gettext_noop(
                "Match {number} went on differently here and in the file since the two were one. Nothing was "
                "restored; make a new table of the file to see both."
            )
            raise NotABackup(problem("gone-apart", "file", message, number=here.number))
        self.done.known += 1
        if len(entries) > both:
            Match.objects.filter(pk=here.pk).update(version=max(told.version, here.version), mark=new_mark())
            self._enter(here, entries[both:])

    def _enter(self, match: Match, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.rows.append(
                Hand(
                    match=match,
                    number=entry.number,
                    revision=entry.revision,
                    key=entry.key,
                    action=entry.action,
                    record=entry.record,
                    version=entry.version,
                    device=entry.device,
                    at=entry.at,
                )
            )
        self.done.entries += len(entries)
        if len(self.rows) >= AT_ONCE:
            self._store()

    def _store(self) -> None:
        Hand.objects.bulk_create(self.rows, batch_size=AT_ONCE)
        self.rows.clear()


def _said(entry: Hand | Entry) -> tuple[object, ...]:
    """What makes two entries the same one."""
    return (entry.number, entry.revision, entry.key, entry.action, entry.record, entry.version)
