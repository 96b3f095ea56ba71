"""A match as it is stored: its rules, its seats, and every revision of every hand.

Rows of :class:`Hand` are only ever inserted. The newest revision of a number is the hand; correcting,
undoing and redoing are all one more revision, so the history of a hand is a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, models
from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import referee
from referee import Problem, RuleSet
from referee.problems import gettext_noop, problem
from referee.rules import from_object, to_object

from ..turnstile import writing
from .device import Device
from .table import Player, Table, new_code, new_mark

Record = dict[str, Any]
"""A hand as JSON data, as it is stored."""

Steps = Mapping[int, Record | None]
"""What one deed stores: a record for each hand number, None for "not played"."""


class Match(models.Model):
    """One match: its rules as they were on that evening, its seats, and how far it got.

    ``version`` counts what was stored; ``mark`` is another one after each, and no match ever has the same
    again, whatever is restored or made anew: what was worked out from the hands may be kept under it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=64, default=new_code)
    game = models.CharField(max_length=40)
    ruleset = models.JSONField()
    first_declarer = models.PositiveSmallIntegerField(default=0)
    began = models.DateTimeField(default=timezone.now)
    zone = models.CharField(max_length=64, default="UTC")
    version = models.PositiveIntegerField(default=0)
    mark = models.CharField(max_length=22, default=new_mark)
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_number_a_table"),
            models.UniqueConstraint(fields=["table", "key"], name="one_match_a_key"),
        ]
        indexes = [
            models.Index(fields=["table", "game"], name="game_of_a_table"),
            models.Index(fields=["table", "began", "number"], name="evenings_of_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @classmethod
    def start(
        cls,
        *,
        ruleset: RuleSet,
        names: Sequence[str],
        first_declarer: int,
        key: str,
        zone: str,
        table: Table | None = None,
        table_name: str = "",
    ) -> Match:
        """Begin a match, at a new table where none is given. The same key again answers with the same match."""
        try:
            with writing():
                made = {"table": table} if table else {"table__key": key}
                if found := cls.objects.select_related("table").filter(key=key, **made).first():
                    return found
                if table is None:
                    table = Table.objects.create(
                        key=key, seed=key, name=table_name, zone=zone, scorer_hash=Table.hash_of(Table.secret_for(key))
                    )
                Table.objects.select_for_update().get(pk=table.pk)
                last = table.matches.aggregate(last=Max("number"))["last"] or 0
                match = cls.objects.create(
                    table=table,
                    number=last + 1,
                    key=key,
                    game=ruleset.code,
                    ruleset=to_object(ruleset),
                    first_declarer=first_declarer,
                    zone=zone,
                )
                Seat.objects.bulk_create(
                    Seat(match=match, place=place, player=table.player(name)) for place, name in enumerate(names)
                )
        except IntegrityError:  # The same form sent twice at once, and the other one was faster.
            return cls.objects.select_related("table").get(key=key, **made)
        return match

    def state(self) -> State:
        """The match as the referee sees it, folded from the newest revision of each hand."""
        return states([self])[self.pk]

    def history(self, number: int) -> models.QuerySet[Hand]:
        """Every revision of a hand, the oldest first."""
        return self.hands.filter(number=number).order_by("revision")

    def starter(self, state: State) -> int | None:
        """Who starts this round: the first one told to hold the face-up card that starts it, before it moves on."""
        suit = state.match.ruleset.starts_with
        if suit is None or state.number not in state.rows:
            return None
        told = ((row.record or {}).get("barbaras") or {} for row in self.history(state.number))
        return next((holders[suit] for holders in told if suit in holders), None)

    def record(
        self, number: int, hand: referee.Hand, *, key: str, revision: int, device: str = "", by: int | None = None
    ) -> Outcome:
        """Store one more step of the hand whose turn it is."""

        def enter(state: State) -> Steps | Refused | None:
            if number != state.number:
                return None
            return state.refused(number, hand) or {number: referee.to_record(hand)}

        return self._write(Hand.Action.ENTER, number, enter, key, revision, device, by, hand)

    def correct(
        self, number: int, hand: referee.Hand, *, key: str, revision: int, device: str = "", by: int | None = None
    ) -> Outcome:
        """Replace an earlier hand, if everything after it can still have happened."""

        def correct(state: State) -> Steps | Refused | None:
            if not 1 <= number <= state.finished:
                return None
            return state.refused(number, hand) or {number: referee.to_record(hand)}

        return self._write(Hand.Action.CORRECT, number, correct, key, revision, device, by, hand)

    def undo(self, number: int, *, key: str, revision: int, device: str = "", by: int | None = None) -> Outcome:
        """Take back the last finished hand whole; a half-entered next hand is set aside with it."""

        def undo(state: State) -> Steps | None:
            if not 1 <= number == state.finished:
                return None
            return dict.fromkeys(range(number, len(state.match.hands) + 1))

        return self._write(Hand.Action.UNDO, number, undo, key, revision, device, by)

    def redo(self, number: int, *, key: str, revision: int, device: str = "", by: int | None = None) -> Outcome:
        """Bring back the hand that was taken back last, and what was set aside with it."""

        def redo(state: State) -> Steps | None:
            back = self.redoable(state)
            return {row.number: row.record for row in back} if back and back[0].number == number else None

        return self._write(Hand.Action.REDO, number, redo, key, revision, device, by)

    def redoable(self, state: State) -> list[Hand]:
        """The rows that Redo would bring back: the hand taken back last, then what was set aside with it.

        A new finished hand ends what can be brought back, and so does a correction that does not go with it.
        """
        if state.number not in state.rows:
            return []
        taken: list[list[Hand]] = []
        before: dict[int, Hand] = {}
        since = self.hands.filter(number__gte=state.number - 1).order_by("version", "number")
        for _version, group in groupby(since, key=attrgetter("version")):
            rows = list(group)
            if rows[0].action == Hand.Action.UNDO:
                taken.append([before[row.number] for row in rows])
            elif rows[0].action == Hand.Action.REDO:
                del taken[-1:]
            elif rows[0].action == Hand.Action.ENTER and state.match.turn.is_finished(rows[0].told()):
                taken.clear()
            before |= {row.number: row for row in rows}
        back = taken[-1] if taken else []
        finished = state.match.hands[: state.finished]
        return [] if state.match.with_hands([*finished, *(row.told() for row in back)]).problems else back

    def _write(
        self,
        action: Hand.Action,
        number: int,
        ask: Callable[[State], Steps | Refused | None],
        key: str,
        revision: int,
        device: str,
        by: int | None,
        hand: referee.Hand | None = None,
    ) -> Outcome:
        """One short transaction: lock the match, know a repeat by its key, refuse a stale page, ask, insert.

        ``ask`` answers with the records to store by hand number, with why not, or with None where the match
        has gone on and the question is no longer one.
        """
        with writing():
            self.refresh_from_db(fields=["version", "mark"], from_queryset=Match.objects.select_for_update())
            if by is not None and not Device.still_scores(by):  # Removed while this post stood in line.
                raise PermissionDenied(gettext("This browser may watch this table, but not score it any more."))
            stored = self.hands.filter(key=key).first()
            state = self.state()
            if stored is not None and stored.did(action, number, hand):
                return Saved(stored, repeated=True)
            steps = None if stored or state.is_stale(number, revision) else ask(state)
            if steps is None or isinstance(steps, Refused):
                return steps or Conflict()
            self.version, self.mark = self.version + 1, new_mark()
            self.save(update_fields=["version", "mark"])
            rows = [
                Hand(
                    match=self,
                    number=step,
                    revision=state.revision(step) + 1,
                    key=key if step == number else f"{key}+{step}",
                    action=action,
                    record=told,
                    version=self.version,
                    device=device,
                    by_id=by,
                )
                for step, told in steps.items()
            ]
            Hand.objects.bulk_create(rows)
            return Saved(rows[0])


class Seat(models.Model):
    """Where a player sits in a match, from 0 in the order of play."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["match", "place"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["match", "player"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.place})"


class Hand(models.Model):
    """One revision of a hand: what was said, when, and by which device. ``record`` is None for "not played".

    ``device`` is what the phone was called when it saved; ``by`` is the phone itself.
    """

    class Action(models.TextChoices):
        ENTER = "enter", _("entered")
        CORRECT = "correct", _("corrected")
        UNDO = "undo", _("taken back")
        REDO = "redo", _("brought back")

    match = models.ForeignKey(Match, models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    revision = models.PositiveIntegerField()
    key = models.CharField(max_length=80)
    action = models.CharField(max_length=8, choices=Action.choices)
    record = models.JSONField(null=True)
    version = models.PositiveIntegerField()
    device = models.CharField(max_length=60, blank=True)
    by = models.ForeignKey(Device, models.SET_NULL, null=True, related_name="hands", db_index=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number", "revision"], name="one_truth_a_hand"),
            models.UniqueConstraint(fields=["match", "key"], name="one_deed_a_key"),
        ]
        indexes = [models.Index(fields=["by", "at"], name="saved_by_a_device")]

    def __str__(self) -> str:
        return f"{self.match} hand {self.number}.{self.revision}"

    def told(self) -> referee.Hand:
        """The hand as this revision tells it."""
        return referee.from_record(self.record)

    def did(self, action: str, number: int, hand: referee.Hand | None) -> bool:
        """This row is what such a deed stored; undo and redo bring no hand of their own."""
        return (self.action, self.number) == (action, number) and (hand is None or self.told() == hand)


@dataclass(frozen=True)
class State:
    """The referee's match, and the newest row of each hand number."""

    match: referee.Match
    rows: dict[int, Hand]

    @property
    def number(self) -> int:
        """The hand whose turn it is."""
        return self.match.turn.number

    @property
    def finished(self) -> int:
        """How many hands have been played to their end."""
        return len(self.match.finished_hands)

    def revision(self, number: int) -> int:
        """The newest revision of a hand; 0 where there is none."""
        return self.rows[number].revision if number in self.rows else 0

    def is_stale(self, number: int, revision: int) -> bool:
        """A page that shows this revision of a hand does not know what was stored meanwhile."""
        return revision != self.revision(number)

    def hand(self, number: int) -> referee.Hand | None:
        """The hand of this number as it stands, finished or not; None where none is."""
        return self.match.hands[number - 1] if 1 <= number <= len(self.match.hands) else None

    def with_hand(self, number: int, hand: referee.Hand) -> referee.Match:
        """The match as it would be with this hand in its place."""
        hands = list(self.match.hands)
        hands[number - 1 : number] = [hand]
        return self.match.with_hands(hands)

    def refused(self, number: int, hand: referee.Hand) -> Refused | None:
        """Why this hand is not stored: it cannot have happened, or breaks a duty nobody has owned up to."""
        changed = self.with_hand(number, hand)
        if changed.problems:
            return Refused(changed.problems)
        turn = changed.turn_of(number)
        if number <= self.finished and not turn.is_finished(hand):
            message = gettext_noop("Hand {number} was played to its end and needs a result.")
            return Refused((problem("missing-result", "result", message, number=number),))
        remarks = () if hand.played_anyway else turn.remarks(hand)
        return Refused(remarks) if remarks else None


def states(matches: Iterable[Match]) -> dict[int, State]:
    """Matches as the referee sees them, by their primary key, in two queries however many there are."""
    found = {match.pk: match for match in matches}
    same = Hand.objects.filter(match=OuterRef("match"), number=OuterRef("number"))
    newest = Subquery(same.order_by("-revision").values("revision")[:1])
    rows: dict[int, dict[int, Hand]] = {pk: {} for pk in found}
    for row in Hand.objects.filter(match__in=found, revision=newest).order_by("number"):
        rows[row.match_id][row.number] = row
    names: dict[int, list[str]] = {pk: [] for pk in found}
    for pk, name in Seat.objects.filter(match__in=found).order_by("place").values_list("match", "player__name"):
        names[pk].append(name)
    return {
        pk: State(
            match=referee.Match(
                from_object(match.ruleset),
                tuple(names[pk]),
                match.first_declarer,
                tuple(row.told() for row in rows[pk].values() if row.record is not None),
            ),
            rows=rows[pk],
        )
        for pk, match in found.items()
    }


@dataclass(frozen=True)
class Saved:
    """The hand is stored; ``repeated`` where it was already."""

    row: Hand
    repeated: bool = False


@dataclass(frozen=True)
class Conflict:
    """The match has gone on meanwhile; nothing was stored."""


@dataclass(frozen=True)
class Refused:
    """The referee refuses it; nothing was stored."""

    problems: tuple[Problem, ...]


Outcome = Saved | Conflict | Refused
