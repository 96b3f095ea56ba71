"""What is stored: only what people at the table said and did, never a score.

Rows of :class:`Hand` are only ever inserted. The newest revision of a number is the hand; correcting,
undoing and redoing are all one more revision, so the history of a hand is a query.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, groupby
from operator import attrgetter
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F, Max, OuterRef, Subquery
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from msgspec import structs

import referee
from referee import Problem, RuleSet, name_key
from referee.problems import gettext_noop, problem
from referee.rules import from_object, to_object

Record = dict[str, Any]
"""A hand as JSON data, as it is stored."""

Steps = Mapping[int, Record | None]
"""What one deed stores: a record for each hand number, None for "not played"."""


OWN = "own-"
"""How the codes of a table's own rules begin; no game of the rulebook has such a code."""


def new_code() -> str:
    """An unguessable code of 128 bits, for links."""
    return secrets.token_urlsafe(16)


class Table(models.Model):
    """People who play together. Whoever has the link may read; scoring needs the secret too."""

    code = models.CharField(max_length=22, unique=True, default=new_code)
    name = models.CharField(max_length=60)
    zone = models.CharField(max_length=64, default="UTC")
    scorer_hash = models.CharField(max_length=64)
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def secret_for(key: str) -> str:
        """The scorer's secret of a table that is made by the form with this key, the same on a repeat."""
        return salted_hmac("scorekeeper.scorer", key, algorithm="sha256").hexdigest()[:43]

    @staticmethod
    def hash_of(secret: str) -> str:
        """What the table keeps of the scorer's secret."""
        return hashlib.sha256(secret.encode()).hexdigest()

    def may_score(self, secret: str) -> bool:
        """This secret opens the table for writing; compared in constant time."""
        return constant_time_compare(self.hash_of(secret), self.scorer_hash)

    def player(self, name: str) -> Player:
        """The player of this name at this table, made if there is none; case and outer spaces do not matter."""
        player, _made = self.players.get_or_create(name_key=name_key(name), defaults={"name": name.strip()})
        return player

    def own_rules(self) -> list[TableRules]:
        """The rules that this table made, each as it is now, those made first first."""
        same = TableRules.objects.filter(table=self, code=OuterRef("code")).order_by("-version")
        return list(self.rules.filter(version=Subquery(same.values("version")[:1])).order_by("code"))

    def keep_rules(self, ruleset: RuleSet, *, key: str, code: str | None = None) -> TableRules:
        """Keep rules as the next version of this code, or under a new one made of their name.

        The same key again answers with the same row, and rules that change nothing with the newest one.
        """
        try:
            with transaction.atomic():
                Table.objects.select_for_update().get(pk=self.pk)
                if found := self.rules.filter(key=key).first():
                    return found
                code = code or self._new_rules_code(ruleset.name)
                told = to_object(structs.replace(ruleset, code=code))
                last = self.rules.filter(code=code).order_by("-version").first()
                if last is not None and to_object(last.game) == told:
                    return last
                version = last.version + 1 if last else 1
                return self.rules.create(code=code, version=version, key=key, ruleset=told)
        except IntegrityError:  # The same form sent twice at once, and the other one was faster.
            return self.rules.get(key=key)

    def _new_rules_code(self, name: str) -> str:
        """A code that no game of the rulebook has, now or later, and no other rules of this table."""
        words = re.findall(r"[a-z0-9]+", slugify(name)) or ["rules"]
        stem = (OWN + "-".join(words))[:34].strip("-")
        taken = set(self.rules.filter(code__startswith=stem).values_list("code", flat=True))
        numbered = (f"{stem}-{number}" for number in count(2))
        return next(code for code in chain([stem], numbered) if code not in taken)

    def names_lately(self) -> list[str]:
        """Names known to this table, the ones who played last first."""
        players = self.players.annotate(last=Max("seats__match__began")).order_by(F("last").desc(nulls_last=True), "pk")
        return [player.name for player in players]


class Player(models.Model):
    """Somebody who plays at a table. Identity is the row, never the name."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="players")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=120)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "name_key"], name="one_name_a_table")]

    def __str__(self) -> str:
        return self.name


class TableRules(models.Model):
    """One version of rules that a table made for itself. Rows are only ever inserted; matches keep a copy."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="rules")
    code = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    key = models.CharField(max_length=64)
    ruleset = models.JSONField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "code", "version"], name="one_version_a_number"),
            models.UniqueConstraint(fields=["table", "key"], name="one_version_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.code} {self.version}"

    @cached_property
    def game(self) -> RuleSet:
        """The rule set as the referee knows it."""
        return from_object(self.ruleset)


class Match(models.Model):
    """One match: its rules as they were on that evening, its seats, and how far it got."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=64, unique=True, default=new_code)
    ruleset = models.JSONField()
    first_declarer = models.PositiveSmallIntegerField(default=0)
    began = models.DateTimeField(default=timezone.now)
    zone = models.CharField(max_length=64, default="UTC")
    version = models.PositiveIntegerField(default=0)
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_number_a_table")]

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
            with transaction.atomic():
                if found := cls.objects.select_related("table").filter(key=key).first():
                    return found
                if table is None:
                    table = Table.objects.create(
                        name=table_name, zone=zone, scorer_hash=Table.hash_of(Table.secret_for(key))
                    )
                Table.objects.select_for_update().get(pk=table.pk)
                last = table.matches.aggregate(last=Max("number"))["last"] or 0
                match = cls.objects.create(
                    table=table,
                    number=last + 1,
                    key=key,
                    ruleset=to_object(ruleset),
                    first_declarer=first_declarer,
                    zone=zone,
                )
                Seat.objects.bulk_create(
                    Seat(match=match, place=place, player=table.player(name)) for place, name in enumerate(names)
                )
        except IntegrityError:  # The same form sent twice at once, and the other one was faster.
            return cls.objects.select_related("table").get(key=key)
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

    def record(self, number: int, hand: referee.Hand, *, key: str, revision: int, device: str = "") -> Outcome:
        """Store one more step of the hand whose turn it is."""

        def enter(state: State) -> Steps | Refused | None:
            if number != state.number:
                return None
            return state.refused(number, hand) or {number: referee.to_record(hand)}

        return self._write(Hand.Action.ENTER, number, enter, key, revision, device, hand)

    def correct(self, number: int, hand: referee.Hand, *, key: str, revision: int, device: str = "") -> Outcome:
        """Replace an earlier hand, if everything after it can still have happened."""

        def correct(state: State) -> Steps | Refused | None:
            if not 1 <= number <= state.finished:
                return None
            return state.refused(number, hand) or {number: referee.to_record(hand)}

        return self._write(Hand.Action.CORRECT, number, correct, key, revision, device, hand)

    def undo(self, number: int, *, key: str, revision: int, device: str = "") -> Outcome:
        """Take back the last finished hand whole; a half-entered next hand is set aside with it."""

        def undo(state: State) -> Steps | None:
            if not 1 <= number == state.finished:
                return None
            return dict.fromkeys(range(number, len(state.match.hands) + 1))

        return self._write(Hand.Action.UNDO, number, undo, key, revision, device)

    def redo(self, number: int, *, key: str, revision: int, device: str = "") -> Outcome:
        """Bring back the hand that was taken back last, and what was set aside with it."""

        def redo(state: State) -> Steps | None:
            back = self.redoable(state)
            return {row.number: row.record for row in back} if back and back[0].number == number else None

        return self._write(Hand.Action.REDO, number, redo, key, revision, device)

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
        hand: referee.Hand | None = None,
    ) -> Outcome:
        """One short transaction: lock the match, know a repeat by its key, refuse a stale page, ask, insert.

        ``ask`` answers with the records to store by hand number, with why not, or with None where the match
        has gone on and the question is no longer one.
        """
        with transaction.atomic():
            Match.objects.filter(pk=self.pk).update(version=F("version") + 1)
            self.refresh_from_db(fields=["version"])
            stored = self.hands.filter(key=key).first()
            state = self.state()
            if stored is not None and stored.did(action, number, hand):
                transaction.set_rollback(True)
                return Saved(stored, repeated=True)
            steps = None if stored or state.is_stale(number, revision) else ask(state)
            if steps is None or isinstance(steps, Refused):
                transaction.set_rollback(True)
                return steps or Conflict()
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
    """One revision of a hand: what was said, when, and by which device. ``record`` is None for "not played"."""

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
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number", "revision"], name="one_truth_a_hand"),
            models.UniqueConstraint(fields=["match", "key"], name="one_deed_a_key"),
        ]

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
