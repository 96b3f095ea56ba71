"""The figures of a table: its matches added up by game, and kept as long as nothing changes.

What one match says is kept under its mark, which is another one after each change, so that nothing kept can be
out of date. It is kept in memory, and of a table with many matches also in a folder (the cache ``figures`` of
the settings), so that a new process need not work out years of matches. What lies there damaged, or was
written by another referee, is worked out again; it may be thrown away at any time.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import groupby
from operator import itemgetter
from threading import Lock

import msgspec
from django.core.cache import caches
from django.db.models import OuterRef, Subquery
from msgspec.structs import replace

import referee
from referee import RuleSet
from referee.figures import Dealt, Ending, Figures, Game, Question, Tally, tally
from referee.rules import Points, from_object

from .models import Hand, Match, Seat, Table

MATCHES_IN_MEMORY = 4000
"""Of all tables together, some 15 kB each; the table asked for last always stays."""

FEW = 20
"""So many matches are worked out again rather than written down."""

Rows = list[tuple[int, int, str, int]]
"""Who sat where: the match's key and number, its mark, and the player's key, in seat order."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Counted:
    """A match that is counted: its number, its players in seat order, and what it says."""

    pk: int
    number: int
    mark: str
    players: tuple[int, ...]
    tally: Tally


@dataclass(frozen=True, slots=True)
class Behind:
    """A hand behind a figure: in which match, and the points that count, of the hand or of each double in it."""

    match: Counted
    hand: Dealt
    counted: list[Points]


@dataclass
class Book:
    """A table's matches as they count, the last one first."""

    rows: Rows
    matches: list[Counted]
    unwritten: int = 0
    _figures: dict[str, Figures] = field(default_factory=dict)

    def games(self, player: int) -> list[Game]:
        """The games that a player has played here, the most played first; each as its newest rules have it.

        Contracts that those leave out, and that were played before, come after the others.
        """
        played: Counter[str] = Counter()
        newest: dict[str, Game] = {}
        for match in self.matches:
            if player in match.players:
                game = match.tally.game
                played[game.key] += 1
                newest[game.key] = newest.setdefault(game.key, game).with_older(game)
        return [newest[key] for key, _times in played.most_common()]

    def figures(self, game: Game) -> Figures:
        """A game added up, for all players."""
        if (found := self._figures.get(game.key)) is None:
            found = Figures(game)
            for match in self.matches:
                if match.tally.game.key == game.key:
                    found.add(match.tally, match.players)
            self._figures[game.key] = found
        return found

    def of(self, game: Game, player: int) -> Iterator[tuple[Counted, int]]:
        """A player's matches of a game, each with his seat."""
        for match in self.matches:
            if player in match.players and match.tally.game.key == game.key:
                yield match, match.players.index(player)

    def ended(self, game: Game, player: int, ending: Ending, other: int | None = None) -> list[Counted]:
        """A player's matches of a game that ended like this, the last one first."""
        found = []
        for match, seat in self.of(game, player):
            against = match.players.index(other) if other in match.players else None
            if (other is None or against is not None) and match.tally.ended(ending, seat, against):
                found.append(match)
        return found

    def best(self, game: Game, player: int) -> tuple[Points, Counted] | None:
        """A player's best score in a game, and the last match that ended so; None before any is over."""
        best: tuple[Points, Counted] | None = None
        for match, seat in self.of(game, player):
            if match.tally.is_over and (best is None or game.is_better(match.tally.scores[seat], best[0])):
                best = match.tally.scores[seat], match
        return best

    def behind(self, game: Game, player: int, question: Question) -> list[Behind]:
        """The hands behind a figure of a player, the last one first."""
        found = []
        for match, seat in self.of(game, player):
            other = match.players.index(question.other) if question.other in match.players else None
            for dealt in reversed(match.tally.hands):
                if counted := question.counted(dealt, seat, other):
                    found.append(Behind(match, dealt, counted))
        return found


class _Memory:
    """The books of the tables asked for lately, as many as fit."""

    def __init__(self) -> None:
        self._books: OrderedDict[int, Book] = OrderedDict()
        self._lock = Lock()

    def get(self, table: int) -> Book | None:
        """The book of a table as it was kept last."""
        with self._lock:
            if table in self._books:
                self._books.move_to_end(table)
            return self._books.get(table)

    def keep(self, table: int, book: Book) -> None:
        """Keep a book, and drop those that nobody has asked for longest."""
        with self._lock:
            self._books[table] = book
            self._books.move_to_end(table)
            while len(self._books) > 1 and sum(len(kept.matches) for kept in self._books.values()) > MATCHES_IN_MEMORY:
                self._books.popitem(last=False)

    def clear(self) -> None:
        """Forget everything, as a new process begins."""
        with self._lock:
            self._books.clear()


memory = _Memory()


def book(table: Table) -> Book:
    """The matches of a table as they stand now, in one query where nothing has changed.

    The marks are read before the hands: what newer hands say is kept under the newer mark that came with them.
    """
    seats = Seat.objects.filter(match__table=table).order_by("-match__number", "place")
    rows = list(seats.values_list("match", "match__number", "match__mark", "player"))
    kept = memory.get(table.pk)
    if kept is not None and kept.rows == rows:
        return kept
    known = _read(table) if kept is None else {match.mark: match.tally for match in kept.matches}
    seated = [(match, tuple(row[3] for row in group)) for match, group in groupby(rows, key=itemgetter(0, 1, 2))]
    missing = {pk: len(players) for (pk, _number, mark), players in seated if mark not in known}
    worked_out = {pk: (mark, says) for pk, mark, says in _work_out(table, missing)} if missing else {}
    matches = []
    for (pk, number, read), players in seated:
        mark, says = worked_out.get(pk) or (read, known.get(read))
        if says is not None:  # Else the match was taken away while we read.
            matches.append(Counted(pk, number, mark, players, says))
    found = Book(rows, matches, unwritten=len(missing) + (kept.unwritten if kept else 0))
    if found.unwritten >= FEW:
        _write(table, found)
    memory.keep(table.pk, found)
    return found


def _work_out(table: Table, missing: Mapping[int, int]) -> Iterator[tuple[int, str, Tally]]:
    """What matches say, and under which mark; they are given with their number of seats, and read one by one."""
    matches, hands = Match.objects.filter(table=table), Hand.objects.filter(match__table=table)
    if len(missing) <= FEW:
        matches, hands = matches.filter(pk__in=missing), hands.filter(match__in=missing)
    shared: dict[RuleSet, RuleSet] = {}
    found: dict[int, tuple[str, referee.Match]] = {}
    for pk, mark, data, first in matches.values_list("pk", "mark", "ruleset", "first_declarer").iterator():
        if pk in missing:
            ruleset = from_object(data)
            seats = tuple(str(seat) for seat in range(missing[pk]))
            found[pk] = mark, referee.Match(shared.setdefault(ruleset, ruleset), seats, first)
    same = Hand.objects.filter(match=OuterRef("match"), number=OuterRef("number"))
    newest = Subquery(same.order_by("-revision").values("revision")[:1])
    told = hands.filter(revision=newest).order_by("match", "number").values_list("match", "match__mark", "record")
    for (pk, mark), rows in groupby(told.iterator(), key=itemgetter(0, 1)):
        if pk in found:
            _mark, match = found.pop(pk)
            played = [referee.from_record(record) for _pk, _mark, record in rows if record is not None]
            yield pk, mark, tally(match.with_hands(played))
    for pk, (mark, match) in found.items():  # Nothing was ever played in these.
        yield pk, mark, tally(match)


@cache
def _referee() -> str:
    """Which referee this is: another one may count differently, and does not see what this one has written."""
    files = sorted((file.name, file) for file in resources.files(referee).iterdir() if file.name.endswith(".py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for _name, file in files)).hexdigest()[:16]


def _place(table: Table) -> str:
    return f"{_referee()}-{table.pk}"


def _read(table: Table) -> dict[str, Tally]:
    """What the folder knows of a table's matches, by their marks; nothing where it cannot be read."""
    try:
        written = caches["figures"].get(_place(table))
        found = msgspec.msgpack.decode(written, type=dict[str, Tally]) if written else {}
    except Exception as error:
        log.warning("The kept figures of a table cannot be read and are worked out again: %r", error)
        return {}
    games: dict[Game, Game] = {}
    return {mark: replace(says, game=games.setdefault(says.game, says.game)) for mark, says in found.items()}


def _write(table: Table, written: Book) -> None:
    """Write down what the matches of a table say; where that fails, they are worked out again next time."""
    try:
        told = msgspec.msgpack.encode({match.mark: match.tally for match in written.matches})
        caches["figures"].set(_place(table), told)
        written.unwritten = 0
    except Exception as error:
        log.warning("The figures of a table cannot be kept: %r", error)
