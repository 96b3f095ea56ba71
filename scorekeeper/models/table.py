"""Who plays together: tables, their players, and the rules that a table made for itself."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, models
from django.db.models import Count, F, OuterRef, Subquery
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import date_format
from django.utils.text import slugify
from msgspec import structs

from referee import Problem, RuleSet, name_key
from referee.problems import gettext_noop, problem
from referee.rules import from_object, to_object

from ..turnstile import writing

if TYPE_CHECKING:
    from .match import Match

OWN = "own-"
"""How the codes of a table's own rules begin; no game of the rulebook has such a code."""

NIGHT = timedelta(hours=5)
"""How long after midnight an evening still goes on."""


def new_code() -> str:
    """An unguessable code of 128 bits, for links."""
    return secrets.token_urlsafe(16)


def new_mark() -> str:
    """A mark that nothing else has, for a state of a match or a table."""
    return secrets.token_urlsafe(9)


class Table(models.Model):
    """People who play together. Whoever has the link may read; scoring needs the secret too.

    ``key`` is that of the form that made it. ``mark`` is another one after each change of a name or a link.
    The scorer's secret comes from ``seed`` and the server's secret key: it can be shown again to who may score,
    and whoever reads the database alone does not know it. ``former`` is the code that the last one replaced.
    """

    key = models.CharField(max_length=64, unique=True, default=new_code)
    code = models.CharField(max_length=22, unique=True, default=new_code)
    name = models.CharField(max_length=60)
    zone = models.CharField(max_length=64, default="UTC")
    scorer_hash = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, default=new_code)
    former = models.CharField(max_length=22, blank=True, db_index=True)
    created = models.DateTimeField(default=timezone.now)
    mark = models.CharField(max_length=22, default=new_mark)

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

    def secret(self) -> str | None:
        """The scorer's secret, to be shown to who may score; None once the server's secret key is another one."""
        secret = self.secret_for(self.seed)
        return secret if self.may_score(secret) else None

    @property
    def links_mark(self) -> str:
        """Another one after each renewal of the links, and no key to anything: it tells a stale page."""
        return salted_hmac("scorekeeper.links", f"{self.code} {self.seed}", algorithm="sha256").hexdigest()[:22]

    def renew_links(self, *, watch: bool) -> None:
        """Another scorer link, and another watch link where asked for. The old ones lead nowhere at once."""
        self.seed = new_code()
        self.scorer_hash = self.hash_of(self.secret_for(self.seed))
        if watch:
            self.code, self.former = new_code(), self.code
        self.mark = new_mark()
        self.save(update_fields=["seed", "scorer_hash", "code", "former", "mark"])

    def by_the_clock(self, at: datetime) -> datetime:
        """This moment by the clock of the place where the table plays."""
        return timezone.make_naive(at, ZoneInfo(self.zone))

    def evening(self, at: datetime) -> date:
        """The day whose evening this moment belongs to: just after midnight that is still the day before."""
        return (self.by_the_clock(at) - NIGHT).date()

    def evening_begins(self, day: date) -> datetime:
        """When the evening of the day before is over and that of this day may begin."""
        return timezone.make_aware(datetime.combine(day, datetime.min.time()) + NIGHT, ZoneInfo(self.zone))

    def rename(self, name: str) -> None:
        """Call the table something else."""
        self.name, self.mark = tidy(name), new_mark()
        self.save(update_fields=["name", "mark"])

    def player(self, name: str) -> Player:
        """The player of this name at this table, made if there is none; case and outer spaces do not matter."""
        player, made = self.players.get_or_create(name_key=name_key(name), defaults={"name": name.strip()})
        if player.is_gone and not made:
            player.bring_back()
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
            with writing():
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
        return [player.name for player in self.players_lately() if not player.is_gone]

    def players_lately(self) -> models.QuerySet[Player, Any]:
        """The players as they played last, gone ones at the end: ``last`` is when that was, ``sat`` how often."""
        # From the last evening backwards until somebody is found: quick, however much was played before.
        theirs = self.matches.filter(seats__player=OuterRef("pk")).order_by("-began")
        played = self.players.annotate(last=Subquery(theirs.values("began")[:1]), sat=Count("seats"))
        return played.order_by("is_gone", F("last").desc(nulls_last=True), "pk")


class Player(models.Model):
    """Somebody who plays at a table. Identity is the row, never the name.

    Who is gone plays no more: the name is offered no longer, and past matches keep it. ``code`` stands in links.
    """

    code = models.CharField(max_length=22, default=new_mark)
    table = models.ForeignKey(Table, models.CASCADE, related_name="players")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=120)
    is_gone = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "name_key"], name="one_name_a_table"),
            models.UniqueConstraint(fields=["table", "code"], name="one_player_a_code"),
        ]

    def __str__(self) -> str:
        return self.name

    def rename(self, name: str) -> Problem | None:
        """Call the same player something else, in past matches too; or why not: somebody else is called that."""
        with writing():
            self._lock()
            name, key = tidy(name), name_key(name)
            if (other := self.table.players.filter(name_key=key).exclude(pk=self.pk).first()) is not None:
                message = (
                    gettext_noop("{name} has played at this table before. If it is the same person, make them one.")
                    if other.is_gone
                    else gettext_noop("{name} is at this table already. If it is the same person, make them one.")
                )
                return problem("duplicate-player", "name", message, name=other.name)
            if self.name != name:
                self.name, self.name_key = name, key
                self.save(update_fields=["name", "name_key"])
                self._renew()
        return None

    def merge(self, into: Player) -> Problem | None:
        """Two names were one person: all seats become the other's, and this row goes; or why that cannot be."""
        with writing():
            self._lock()
            into.refresh_from_db()
            if refused := self.is_not(into):
                return refused
            matches = list(self.matches.defer("ruleset"))
            self.seats.update(player=into)
            for match in matches:
                match.mark = new_mark()
                match.save(update_fields=["mark"])
            if into.is_gone and not self.is_gone:
                into.bring_back()
            self._renew()
            self.delete()
        return None

    def is_not(self, other: Player) -> Problem | None:
        """Why these two cannot be one person: they sat at the table together. None where they may be one."""
        if other == self:
            message = gettext_noop("{player} is one person already; choose another name.")
            return problem("same-player", "into", message, player=self.name)
        together = self.matches.filter(seats__player=other).order_by("-began", "-number")
        last = together.first()
        if last is None:
            return None
        given, matches = {"player": self.name, "other": other.name}, together.count()
        given |= {"game": last.ruleset["name"], "date": date_format(self.table.evening(last.began), "j F Y")}
        if matches == 1:
            message = gettext_noop(
                "{player} and {other} sat together in match {number} ({game}, {date}), so they are two people."
            )
        else:
            message = gettext_noop(
                "{player} and {other} sat together in {matches} matches, the last time in match {number} "
                "({game}, {date}), so they are two people."
            )
        return problem("sat-together", "into", message, number=last.number, matches=matches, **given)

    @property
    def matches(self) -> models.QuerySet[Match]:
        """The matches in which this player has a seat."""
        return self.table.matches.filter(pk__in=self.seats.values("match"))

    def remove(self) -> None:
        """Offer this name no longer; past matches keep the seat."""
        self._offer(False)

    def bring_back(self) -> None:
        """Offer this name again."""
        self._offer(True)

    def _offer(self, offered: bool) -> None:
        # Who was made one with another meanwhile is no longer there, and that is no fault.
        self.is_gone = not offered
        self.table.players.filter(pk=self.pk).update(is_gone=self.is_gone)

    def _lock(self) -> None:
        """Nobody else changes the table's players meanwhile; see them as they are by now."""
        Table.objects.select_for_update().get(pk=self.table_id)
        self.refresh_from_db(fields=["name", "name_key", "is_gone"])

    def _renew(self) -> None:
        """The table has another mark: what shows its names is no longer true."""
        self.table.mark = new_mark()
        self.table.save(update_fields=["mark"])


def tidy(name: str) -> str:
    """A name as it is kept: without outer spaces, each accent in one piece with its letter."""
    return unicodedata.normalize("NFC", name.strip())


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
