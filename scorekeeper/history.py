"""The history of a match, played through again: every entry can have been made when it was made.

A file that somebody brings could say anything. What the pages show of earlier entries, and what Undo and Redo
go by, must hold for it as for a history that was written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any, Literal

import msgspec

import referee
from referee import Problem, Turn, matchfile
from referee.hands import Seat
from referee.match import numbered
from referee.problems import gettext_noop, problem


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One revision of a hand, as a backup tells it. ``record`` is None for "not played"."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    revision: Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]
    key: Annotated[str, msgspec.Meta(pattern=r"\A[!-~]{1,80}\Z")]
    action: Literal["enter", "correct", "undo", "redo"]
    record: dict[str, Any] | None
    version: Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]
    device: Annotated[str, msgspec.Meta(max_length=60)] = ""
    at: Annotated[datetime, msgspec.Meta(tz=True)]


class _Impossible(Exception):
    """This history was never written; carries why."""

    def __init__(self, found: Problem) -> None:
        super().__init__(found.says)
        self.problem = found


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries as they were made; of one deed the earlier hand first."""
    return sorted(entries, key=lambda entry: (entry.version, entry.number))


def replay(match: referee.Match, entries: Sequence[Entry], version: int) -> Problem | None:
    """Play a match that has no hands yet through all entries; what is wrong with the first that cannot be, or None."""
    try:
        if match.problems:
            return match.problems[0]
        _count(entries, version)
        table = _Replay(match.first_turn)
        for _version, deed in groupby(in_order(entries), key=lambda entry: entry.version):
            table.follow(list(deed))
    except _Impossible as impossible:
        return impossible.problem
    return None


def _count(entries: Sequence[Entry], version: int) -> None:
    """Revisions of a hand follow each other, no key comes twice, and no entry is newer than the match."""
    revisions: dict[int, int] = {}
    keys: set[str] = set()
    for entry in in_order(entries):
        revisions[entry.number] = revisions.get(entry.number, 0) + 1
        if entry.revision != revisions[entry.number]:
            raise _broken(entry.number, gettext_noop("Its entries do not follow each other."))
        if entry.key in keys:
            raise _broken(entry.number, gettext_noop("One entry is there twice."))
        if entry.version > version:
            raise _broken(entry.number, gettext_noop("It has an entry that is newer than the match."))
        keys.add(entry.key)


class _Replay:
    """The hands as they stood after each deed, and what was known before each of them."""

    def __init__(self, first: Turn) -> None:
        self.turns = [first]
        self.hands: list[referee.Hand] = []

    def follow(self, deed: Sequence[Entry]) -> None:
        """One deed: its entries have one version."""
        first, numbers = deed[0].number, [entry.number for entry in deed]
        if any(entry.action != deed[0].action for entry in deed) or numbers != list(range(first, first + len(deed))):
            raise _broken(first, gettext_noop("Its entries do not follow each other."))
        if deed[0].action == "undo":
            if any(entry.record is not None for entry in deed) or numbers != [*range(first, len(self.hands) + 1)]:
                raise _broken(first, gettext_noop("It was taken back when there was nothing to take back."))
            del self.hands[first - 1 :], self.turns[first:]
            return
        last = {"enter": len(self.turns), "correct": len(self.hands), "redo": len(self.turns)}[deed[0].action]
        is_one = len(deed) == 1 or deed[0].action == "redo"
        if not is_one or first > last or (deed[0].action != "correct" and first != last):
            raise _broken(first, gettext_noop("It was entered when another hand was to be played."))
        for entry in deed:
            self.hands[entry.number - 1 : entry.number] = [self._told(entry)]
        self._fold(first)

    def _told(self, entry: Entry) -> referee.Hand:
        if entry.record is None:
            raise _broken(entry.number, gettext_noop("An entry says nothing."))
        try:
            hand = referee.from_record(entry.record)
        except (msgspec.ValidationError, OverflowError):
            raise _broken(entry.number, gettext_noop("An entry is no hand.")) from None
        if msgspec.json.decode(msgspec.json.encode(referee.to_record(hand))) != entry.record or (
            not matchfile.stands_beside_hand(hand.extra)
        ):
            raise _broken(entry.number, gettext_noop("An entry says more than a hand can say."))
        if any(seat not in self.turns[0].seats for seat in _seats(hand)):
            raise _broken(entry.number, gettext_noop("An entry names a seat that nobody has."))
        return hand

    def _fold(self, first: int) -> None:
        """Judge the hands from this number on, as the referee does when they are entered."""
        del self.turns[first:]
        for number in range(first, len(self.hands) + 1):
            turn, hand = self.turns[number - 1], self.hands[number - 1]
            if wrong := turn.problems(hand, followed=number < len(self.hands)):
                raise _Impossible(wrong[0])
            scored = turn.score(hand)
            if scored.is_finished:
                self.turns.append(turn.after(scored))


def _seats(hand: referee.Hand) -> Iterator[Seat]:
    """Every seat that a hand names."""
    result = hand.result or referee.Result()
    for pair in hand.doubles or ():
        yield from pair
    for maps in (result.counts, result.beats):
        for by_seat in (maps or {}).values():
            yield from by_seat
    for several in (result.finish, result.ravaged, hand.longest):
        yield from several or ()
    if hand.adjustment is not None:
        yield from hand.adjustment.points
    if hand.coup is not None:
        yield hand.coup.by
    yield from (hand.barbaras or {}).values()
    yield from (trick.led_by for trick in hand.play or ())
    yield from (seat for seat in (hand.declarer, result.best) if seat is not None)


def _broken(number: int, message: str) -> _Impossible:
    return _Impossible(numbered(problem("impossible-history", "hand", message), number))
