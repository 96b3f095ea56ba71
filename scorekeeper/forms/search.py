"""The search among a table's matches: by player, by game, by evening."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from django.db.models import Max, QuerySet
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

import referee
from referee import Problem
from referee.problems import gettext_noop, problem

from ..models import Match, Player, Table
from ..templatetags.cards import isolated

FIELDS = ("player", "game", "from", "to")
YEARS = range(1900, 2200)


class SearchForm:
    """What somebody looks for, right or wrong; ``problems`` name the field that they are about."""

    def __init__(self, table: Table, data: QueryDict) -> None:
        self.table = table
        self.typed = {field: data.get(field, "").strip() for field in FIELDS}
        self.problems: list[Problem] = []
        self.first, self.last = self._evening("from"), self._evening("to")
        self._judge()

    @cached_property
    def players(self) -> list[Player]:
        """Everybody who ever played here, by name; those who play no more at the end."""
        return list(self.table.players.order_by("is_gone", "name_key"))

    @cached_property
    def games(self) -> dict[str, str]:
        """The games that this table has played, each with its name: as it is now, or else as it was last."""
        played = set(self.table.matches.order_by().values_list("game", flat=True).distinct())
        known = {code: _(referee.load(code).name) for code in referee.names() if code in played}
        own = {rules.code: rules.game.name for rules in self.table.own_rules() if rules.code in played}
        games = known | dict(sorted(own.items(), key=lambda item: item[1].casefold()))
        if strange := played - games.keys():
            newest = self.table.matches.filter(game__in=strange).order_by().values("game").annotate(last=Max("number"))
            matches = self.table.matches.filter(number__in=[row["last"] for row in newest])
            games |= {match.game: match.ruleset["name"] for match in matches}
        return games

    @property
    def player(self) -> Player | None:
        """Whose matches are looked for."""
        return next((player for player in self.players if player.code == self.typed["player"]), None)

    @property
    def is_on(self) -> bool:
        """Something is looked for."""
        return any(self.typed.values())

    @property
    def query(self) -> str:
        """The search as the end of an address, to go on with; empty where nothing is looked for."""
        asked = QueryDict(mutable=True)
        asked.update({field: value for field, value in self.typed.items() if value})
        return asked.urlencode()

    @property
    def says(self) -> list[str]:
        """What is looked for, in words."""
        words = []
        if self.player:
            words.append(isolated(self.player.name))
        if self.typed["game"] in self.games:
            words.append(self.games[self.typed["game"]])
        if self.first and self.first == self.last:
            words.append(date_format(self.first, "j F Y"))
        elif self.first and self.last:
            evenings = {"first": date_format(self.first, "j M Y"), "last": date_format(self.last, "j M Y")}
            words.append(_("{first} to {last}").format(**evenings))
        elif self.first:
            words.append(_("from {day}").format(day=date_format(self.first, "j F Y")))
        elif self.last:
            words.append(_("until {day}").format(day=date_format(self.last, "j F Y")))
        return words

    @property
    def wrong(self) -> Mapping[str, Problem]:
        """The first problem of each field."""
        return {found.where: found for found in reversed(self.problems)}

    def matches(self) -> QuerySet[Match]:
        """The matches that are looked for, in no order yet; none where the search makes no sense."""
        if self.problems:
            return self.table.matches.none()
        matches = self.table.matches.order_by()
        if self.player:
            matches = matches.filter(seats__player=self.player)
        if self.typed["game"]:
            matches = matches.filter(game=self.typed["game"])
        if self.first:
            matches = matches.filter(began__gte=self.table.evening_begins(self.first))
        if self.last:
            matches = matches.filter(began__lt=self.table.evening_begins(self.last + timedelta(days=1)))
        return matches

    def _evening(self, field: str) -> date | None:
        typed = self.typed[field]
        if not typed:
            return None
        try:
            day = date.fromisoformat(typed) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", typed, re.ASCII) else None
        except ValueError:
            day = None
        if day is None or day.year not in YEARS:
            message = gettext_noop("“{typed}” is no date; write it as year, month and day: {example}.")
            self._wrong("not-a-date", field, message, typed=typed[:40], example="2026-11-26")
            return None
        return day

    def _judge(self) -> None:
        if self.first and self.last and self.first > self.last:
            message = gettext_noop("These evenings end before they begin: {first} is after {last}.")
            days = {"first": date_format(self.first, "j F Y"), "last": date_format(self.last, "j F Y")}
            self._wrong("wrong-order", "to", message, **days)
        if self.typed["player"] and self.player is None:
            message = gettext_noop("Nobody at this table is found under this link; choose a player.")
            self._wrong("unknown-player", "player", message)
        if self.typed["game"] and self.typed["game"] not in self.games:
            self._wrong("unknown-game", "game", gettext_noop("This table has not played this game; choose another."))

    def _wrong(self, code: str, where: str, message: str, **values: object) -> None:
        self.problems.append(problem(code, where, message, **values))
