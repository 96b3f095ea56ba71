"""Everything that is stored, looked at by the referee: what cannot have happened, and what should not be there.

The pages refuse what is wrong before it is stored, and the database stands behind them. So whatever is found
here came in another way: a fault of ours, of a disk, or somebody's hand in the database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from referee import name_key
from referee.problems import BadRuleSet
from referee.rules import from_object

from .models import Hand, Match, Player, Seat, State, Table, TableRules, states

AT_ONCE = 100
"""Matches that are held in memory at a time."""

Row = tuple[int, int, int, str, int, bool]
"""Of a revision: match, number of the hand, revision, key, version, and whether the hand counts as played."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where; never by a link."""

    says: str
    table: str = ""
    match: int | None = None
    hand: int | None = None

    def __str__(self) -> str:
        match = _("match %(number)s") % {"number": self.match} if self.match is not None else ""
        hand = _("hand %(number)s") % {"number": self.hand} if self.hand is not None else ""
        place = ", ".join(filter(None, (self.table, match, hand)))
        return f"{place}: {self.says}" if place else self.says


def findings() -> Iterator[Finding]:
    """Everything that is wrong, in the database, in what each table keeps, in each match."""
    yield from _database()
    for table in Table.objects.order_by("pk").iterator(AT_ONCE):
        yield from _table(table)
    batch: list[Match] = []
    for match in Match.objects.select_related("table").order_by("table", "number", "pk").iterator(AT_ONCE):
        batch.append(match)
        if len(batch) == AT_ONCE:
            yield from _matches(batch)
            batch = []
    yield from _matches(batch)


def _database() -> Iterator[Finding]:
    """What the database says of itself, and rows that belong to nothing."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(20)")
        for (says,) in cursor.fetchall():
            if says != "ok":
                yield Finding(_("The database is damaged: %(says)s.") % {"says": says})
        cursor.execute("PRAGMA foreign_key_check")
        for (name, where), rows in Counter((row[0], row[2]) for row in cursor.fetchall()).items():
            values = {"rows": rows, "name": name, "where": where}
            yield Finding(_("%(rows)s rows of %(name)s belong to no row of %(where)s.") % values)


def _twice(values: list[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def _table(table: Table) -> Iterator[Finding]:
    """What a table keeps beside its matches: names, marks, own rules."""

    def found(says: str) -> Finding:
        return Finding(says, _named(table))

    if not table.mark or not table.key or not table.code:
        yield found(_("The table lacks its mark, its key or its link."))
    players = list(Player.objects.filter(table=table).order_by("pk"))
    for player in players:
        if player.name_key != name_key(player.name):
            yield found(_("%(player)s cannot be found by that name.") % {"player": player.name})
    if _twice([player.name_key for player in players]):
        yield found(_("A name stands there for two players."))
    if not all(player.code for player in players) or _twice([player.code for player in players]):
        yield found(_("A player has no code, or two have the same."))
    if _twice([f"{number}" for number in table.matches.values_list("number", flat=True)]):
        yield found(_("Two matches have the same number."))
    if _twice(list(table.matches.values_list("key", flat=True))):
        yield found(_("Two matches were made by one form."))
    rules = list(TableRules.objects.filter(table=table).order_by("code", "version"))
    for own in rules:
        try:
            from_object(own.ruleset)
        except BadRuleSet as wrong:
            values = {"code": own.code, "version": own.version, "wrong": wrong}
            yield found(_("Own rules %(code)s, version %(version)s, cannot be played: %(wrong)s.") % values)
    versions: dict[str, list[int]] = defaultdict(list)
    for own in rules:
        versions[own.code].append(own.version)
    for code, kept in versions.items():
        if kept != list(range(1, len(kept) + 1)):
            yield found(_("The versions of own rules %(code)s have a gap or a repeat.") % {"code": code})


def _matches(batch: list[Match]) -> Iterator[Finding]:
    """What is wrong with some matches, loaded in a few queries."""
    seats: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    told = Seat.objects.filter(match__in=batch).order_by("match", "place")
    for match, place, player, table in told.values_list("match", "place", "player", "player__table"):
        seats[match].append((place, player, table))
    history: dict[int, list[Row]] = defaultdict(list)
    rows = Hand.objects.filter(match__in=batch).order_by("match", "number", "revision", "pk")
    rows = rows.annotate(unplayed=Q(record__isnull=True))
    for match, number, revision, key, version, unplayed in rows.values_list(
        "match", "number", "revision", "key", "version", "unplayed"
    ):
        history[match].append((match, number, revision, key, version, not unplayed))
    folded = _folded(batch)
    for match_ in batch:
        state = folded[match_.pk]
        says = [*_kept(match_), *_sat(match_, seats[match_.pk])]
        wrong = [*((None, said) for said in says), *_history(match_, history[match_.pk])]
        if isinstance(state, str):
            wrong.append((None, state))
        else:
            wrong += [(problem.hand, problem.says) for problem in state.match.problems]
        for hand, said in wrong:
            yield Finding(said, _named(match_.table), match_.number, hand)


def _named(table: Table) -> str:
    """A table by its name, and the day it was made, since two may have the same name."""
    return _("%(name)s (made on %(day)s)") % {"name": table.name, "day": f"{table.created:%Y-%m-%d}"}


def _folded(batch: list[Match]) -> dict[int, State | str]:
    """Each match as the referee sees it, or why it cannot even be read. One bad match spoils no other."""
    try:
        return dict(states(batch))
    except Exception:  # Whatever may lie in a damaged row.
        folded: dict[int, State | str] = {}
        for match in batch:
            try:
                folded |= states([match])
            except Exception as wrong:
                folded[match.pk] = _("It cannot be read: %(wrong)s.") % {"wrong": f"{type(wrong).__name__}: {wrong}"}
        return folded


def _kept(match: Match) -> Iterator[str]:
    """What a match keeps of itself."""
    if not match.mark or not match.key:
        yield _("The match lacks its mark or its key.")
    code = match.ruleset.get("code") if isinstance(match.ruleset, dict) else None
    if code != match.game:
        yield _("It is listed as %(game)s, and its rules are those of %(code)s.") % {"game": match.game, "code": code}


def _sat(match: Match, seats: list[tuple[int, int, int]]) -> Iterator[str]:
    """Who sits where in a match."""
    try:
        wanted = from_object(match.ruleset).players
    except Exception:  # The fold has said so.
        wanted = ()
    if wanted and len(seats) not in wanted:
        yield _("It has %(seats)s seats, and the game is for %(players)s.") % {
            "seats": len(seats),
            "players": ", ".join(map(str, wanted)),
        }
    if [place for place, _player, _table in seats] != list(range(len(seats))):
        yield _("Its seats have a gap or a repeat.")
    if _twice([f"{player}" for _place, player, _table in seats]):
        yield _("Somebody sits there twice.")
    if any(table != match.table_id for _place, _player, table in seats):
        yield _("Somebody sits there who belongs to another table.")
    if not 0 <= match.first_declarer < max(1, len(seats)):
        yield _("Its first declarer has no seat.")


def _history(match: Match, rows: list[Row]) -> Iterator[tuple[int | None, str]]:
    """Whether every revision of every hand is there once, and in order."""
    if _twice([key for _match, _number, _revision, key, _version, _played in rows]):
        yield None, _("Two revisions were stored under one key.")
    hands: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        hands[row[1]].append(row)
    for number, kept in hands.items():
        revisions = [revision for _match, _number, revision, *_rest in kept]
        if _twice([f"{revision}" for revision in revisions]):
            newest = revisions.count(max(revisions)) > 1
            yield number, _("It has two newest revisions.") if newest else _("It has one revision twice.")
        if sorted(set(revisions)) != list(range(1, max(revisions) + 1)):
            yield number, _("Its history has a gap.")
        versions = [version for *_rest, version, _played in kept]
        if versions != sorted(set(versions)) or max(versions) > match.version:
            yield number, _("Its history is not in the order in which the match was stored.")
    played = [number for number, kept in hands.items() if kept[-1][-1]]
    for number in range(1, max(played, default=0)):
        if number not in played:
            yield number, _("It is not played, and a later one is.")
