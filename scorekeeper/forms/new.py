"""The form of a new match: a game, names in seat order, who declares first."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.http import QueryDict
from django.utils.crypto import salted_hmac

import referee
from referee import Problem, RuleSet, name_key
from referee.problems import gettext_noop, problem

from ..models import Match, Table, new_code

LONGEST_NAME = 40
LONGEST_TABLE_NAME = 60
DRAW = "draw"


def games() -> list[RuleSet]:
    """Every rule set of the rulebook, the main game first."""
    return [referee.load(code) for code in referee.names()]


def most_players() -> int:
    """The largest number of players that any game takes."""
    return max(max(game.players) for game in games())


class NewMatchForm:
    """What the form says so far, right or wrong; ``problems`` name the field that they are about.

    ``first`` is the number of a field from 1, or "draw"; ``focus`` is the button to find again after a move.
    """

    def __init__(
        self,
        *,
        game: str,
        names: Sequence[str] = (),
        first: str = "1",
        key: str = "",
        own: Sequence[RuleSet] = (),
    ) -> None:
        self.key = key or new_code()
        self.own = {rules.code: rules for rules in own}
        self.game = game
        self.names = [*names, *[""] * most_players()][: most_players()]
        self.first = first
        self.table_name = ""
        self.zone = settings.TIME_ZONE
        self.focus = ""
        self.problems: list[Problem] = []

    @classmethod
    def blank(cls, before: Match | None = None, own: Sequence[RuleSet] = (), game: str = "") -> NewMatchForm:
        """An untouched form; after an earlier match its game and players, and the next one declares first.

        ``own`` are the rules that the table made; ``game`` is the code of one that was asked for.
        """
        known = [*referee.names(), *(rules.code for rules in own)]
        if before is None:
            return cls(game=game if game in known else known[0], own=own)
        seats = before.seats.select_related("player")
        names = ["" if seat.player.is_gone else seat.player.name for seat in seats]
        game = next(code for code in (game, before.ruleset["code"], known[0]) if code in known)
        return cls(game=game, names=names, first=str((before.first_declarer + 1) % len(names) + 1), own=own)

    @classmethod
    def posted(cls, data: QueryDict, own: Sequence[RuleSet] = ()) -> NewMatchForm:
        """The form as it was sent; what cannot be understood becomes a problem."""
        names = [data.get(f"player-{number}", "") for number in range(1, most_players() + 1)]
        key = data.get("key", "")
        form = cls(game=data.get("game", ""), names=names, first=data.get("first", ""), own=own)
        form.table_name = data.get("table", "").strip()
        zone = data.get("zone", "")
        form.zone = zone if zone in _zones() else settings.TIME_ZONE
        if re.fullmatch(r"[A-Za-z0-9_-]{22}", key):
            form.key = key
        else:
            message = gettext_noop("The form came incomplete. Look it over and send it again.")
            form._wrong("not-understood", "game", message)
        for field in ("game", "first", *(f"player-{number}" for number in range(1, most_players() + 1))):
            if len(data.getlist(field)) > 1:
                message = gettext_noop("This came twice; only the last one is shown. Check it and send it again.")
                form._wrong("not-understood", field, message)
        return form

    def rearrange(self, move: str, seat: str) -> bool:
        """Move a name up or down, or seat a name that the table knows; False where neither was asked."""
        if seat:
            asked_for = self.names[: max(self.ruleset.players) if self.ruleset else None]
            self.names[asked_for.index("") if "" in asked_for else len(asked_for) - 1] = seat
            return True
        asked = re.fullmatch(r"(up|down)-([1-9])", move, re.ASCII)
        if asked is None:
            return False
        way, one = asked[1], int(asked[2])
        other = one - 1 if way == "up" else one + 1
        if 1 <= one <= len(self.names) and 1 <= other <= len(self.names):
            names = self.names
            names[one - 1], names[other - 1] = names[other - 1], names[one - 1]
            self.first = {str(one): str(other), str(other): str(one)}.get(self.first, self.first)
            self.focus = f"{way}-{other}"
        return True

    @property
    def ruleset(self) -> RuleSet | None:
        """The game that was chosen, of the rulebook or of the table's own."""
        if self.game in referee.names():
            return referee.load(self.game)
        return self.own.get(self.game)

    @property
    def players(self) -> list[str]:
        """The names that are filled in, in the order of play."""
        return [name.strip() for name in self.names if name.strip()]

    def judge(self) -> None:
        """Find everything that keeps this from being a match."""
        ruleset = self.ruleset
        if ruleset is None:
            self._wrong("unknown-game", "game", gettext_noop("Choose one of these games."))
        self._judge_names()
        if ruleset is not None:
            self._judge_number(ruleset)
            if ruleset.has_declarer:
                self._judge_first()
        if wrong := judge_table_name(self.table_name, "table"):
            self.problems.append(wrong)

    def _judge_names(self) -> None:
        seen: dict[str, int] = {}
        for number, name in enumerate(self.names, start=1):
            name, field = name.strip(), f"player-{number}"
            if not name:
                continue
            if wrong := judge_name(name, field):
                self.problems.append(wrong)
            elif (first := seen.setdefault(name_key(name), number)) != number:
                message = gettext_noop("Player {first} is {name} already; case and spaces do not count.")
                self._wrong("duplicate-player", field, message, first=first, name=self.names[first - 1].strip())

    def _judge_number(self, ruleset: RuleSet) -> None:
        given = len(self.players)
        need = min((number for number in ruleset.players if number >= given), default=max(ruleset.players))
        empty = [number for number, name in enumerate(self.names, start=1) if not name.strip()]
        filled = [number for number, name in enumerate(self.names, start=1) if name.strip()]
        said = {"game": ruleset.name, "need": need, "given": given}
        for number in empty[: max(need - given, 0)]:
            message = gettext_noop("Player {number} has no name; {game} needs {need} players.")
            self._wrong("player-count", f"player-{number}", message, number=number, **said)
        for number in filled[need:]:
            message = gettext_noop("One too many: {game} is for {need} players, and {given} are named.")
            self._wrong("player-count", f"player-{number}", message, **said)

    def _judge_first(self) -> None:
        if self.first == DRAW:
            return
        if self.first not in [str(number) for number in range(1, len(self.names) + 1)]:
            self._wrong("unknown-player", "first", gettext_noop("Choose who declares first, or Draw."))
        elif not self.names[int(self.first) - 1].strip() and not self.problems:
            message = gettext_noop("Player {number} declares first, but has no name.")
            self._wrong("unknown-player", "first", message, number=self.first)

    def _wrong(self, code: str, where: str, message: str, **values: object) -> None:
        self.problems.append(problem(code, where, message, **values))

    @property
    def is_drawn(self) -> bool:
        """Chance decides who declares first."""
        return self.first == DRAW and self.ruleset is not None and self.ruleset.has_declarer

    def first_declarer(self) -> int:
        """The seat that declares first; drawn at each call where the table asked for a draw."""
        if self.ruleset is None or not self.ruleset.has_declarer:
            return 0
        if self.is_drawn:
            return secrets.randbelow(len(self.players))
        return sum(1 for name in self.names[: int(self.first) - 1] if name.strip())

    def match_key(self, table: Table | None) -> str:
        """The same for the same form sent twice, another one once something in it was changed."""
        said = [self.key, table.key if table else self.table_name, self.game, self.first, *self.players]
        return salted_hmac("scorekeeper.new-match", "\n".join(said), algorithm="sha256").hexdigest()


def judge_name(name: str, where: str) -> Problem | None:
    """What is wrong with a player's name that stands in this field."""
    if len(name) > LONGEST_NAME:
        message = gettext_noop("This name has {given} characters; at most {most} fit.")
        return problem("name-too-long", where, message, given=len(name), most=LONGEST_NAME)
    if is_unreadable(name):
        message = gettext_noop("This name has characters that cannot be read, such as a line break.")
        return problem("bad-name", where, message)
    return None


def judge_table_name(name: str, where: str) -> Problem | None:
    """What is wrong with a table's name that stands in this field."""
    if len(name) > LONGEST_TABLE_NAME or is_unreadable(name):
        message = gettext_noop("A table's name has at most {most} plain characters; this has {given}.")
        return problem("bad-name", where, message, most=LONGEST_TABLE_NAME, given=len(name))
    return None


def is_unreadable(name: str) -> bool:
    """It has control characters, line breaks or broken characters, or nothing in it that can be seen."""
    kinds = [unicodedata.category(character) for character in name]
    broken = any(kind in ("Cc", "Cs", "Zl", "Zp") for kind in kinds) or "\ufffd" in name
    return broken or (bool(name) and all(kind[0] in "CZM" for kind in kinds))


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
