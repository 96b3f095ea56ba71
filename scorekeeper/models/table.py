"""Who plays together: tables, their players, and the rules that a table made for itself."""

from __future__ import annotations

import hashlib
import re
import secrets
from functools import cached_property
from itertools import chain, count

from django.db import IntegrityError, models, transaction
from django.db.models import F, Max, OuterRef, Subquery
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify
from msgspec import structs

from referee import RuleSet, name_key
from referee.rules import from_object, to_object

OWN = "own-"
"""How the codes of a table's own rules begin; no game of the rulebook has such a code."""


def new_code() -> str:
    """An unguessable code of 128 bits, for links."""
    return secrets.token_urlsafe(16)


def new_mark() -> str:
    """A mark that nothing else has, for a state of a match or a table."""
    return secrets.token_urlsafe(9)


class Table(models.Model):
    """People who play together. Whoever has the link may read; scoring needs the secret too.

    ``key`` is that of the form that made it. ``mark`` is another one after each change of a name or a link.
    """

    key = models.CharField(max_length=64, unique=True, default=new_code)
    code = models.CharField(max_length=22, unique=True, default=new_code)
    name = models.CharField(max_length=60)
    zone = models.CharField(max_length=64, default="UTC")
    scorer_hash = models.CharField(max_length=64)
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

    def player(self, name: str) -> Player:
        """The player of this name at this table, made if there is none; case and outer spaces do not matter."""
        player, made = self.players.get_or_create(name_key=name_key(name), defaults={"name": name.strip()})
        if player.is_gone and not made:
            player.is_gone = False
            player.save(update_fields=["is_gone"])
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
        players = self.players.filter(is_gone=False)
        players = players.annotate(last=Max("seats__match__began")).order_by(F("last").desc(nulls_last=True), "pk")
        return [player.name for player in players]


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
