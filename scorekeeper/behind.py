"""The hands, or matches, behind a figure of a player, a line each, and what they are in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.figures import Dealt, Ending, Question, Sum
from referee.rules import Points

from .figures import Behind, Counted
from .forms.figures import Asked
from .models import Player, Table
from .templatetags.cards import isolated

People = Mapping[int, Player]
"""The players of a table by their keys."""


@dataclass(frozen=True)
class HandLine:
    """A hand behind a figure. ``points`` are what the figure counts of it."""

    number: int
    match: int
    day: date
    contract: str
    declarer: Player | None
    passed_out: bool
    doubles: str
    points: Points
    href: str

    @classmethod
    def of(cls, table: Table, people: People, behind: Behind, day: date) -> HandLine:
        """A hand of this table, played on the evening of this day."""
        match, dealt = behind.match, behind.hand
        seated = [people[player] for player in match.players]
        contract = match.tally.game.contract(dealt.contract)
        return cls(
            number=dealt.number,
            match=match.number,
            day=day,
            contract=_(contract.name) if contract else "",
            declarer=None if dealt.declarer is None else seated[dealt.declarer],
            passed_out=dealt.passed_out,
            doubles=doubles_words(dealt, [player.name for player in seated]),
            points=sum(behind.counted),
            href=reverse("hand", args=[table.code, match.number, dealt.number]),
        )


@dataclass(frozen=True)
class MatchLine:
    """A match behind a figure: who played, and once it is over where the player ended."""

    number: int
    day: date
    players: tuple[Player, ...]
    place: int | None
    score: Points | None
    href: str

    @classmethod
    def of(cls, table: Table, people: People, match: Counted, player: Player, day: date) -> MatchLine:
        """A match of this table that began on the evening of this day."""
        seat, says = match.players.index(player.pk), match.tally
        return cls(
            number=match.number,
            day=day,
            players=tuple(people[other] for other in match.players),
            place=says.places[seat] if says.is_over else None,
            score=says.scores[seat] if says.is_over else None,
            href=reverse("match", args=[table.code, match.number]),
        )


def doubles_words(dealt: Dealt, names: list[str]) -> str:
    """Who doubled whom in signs: "Dee → Cy, Ann ⇄ Cy"."""
    pairs = {(double.who, double.whom) for double in dealt.doubles}
    words = []
    for double in dealt.doubles:
        if double.how != "back":
            arrow = "⇄" if (double.whom, double.who) in pairs else "→"
            words.append(f"{isolated(names[double.who])} {arrow} {isolated(names[double.whom])}")
    return ", ".join(words)


def together(hands: Iterable[Behind]) -> Sum:
    """All that counts in these hands, added up as the figure is."""
    found = Sum()
    for hand in hands:
        for points in hand.counted:
            found.add(points)
    return found


def heading(asked: Asked, people: People, player: Player) -> str:
    """What the list is about."""
    other = people[asked.other] if asked.other is not None else None
    names = {"player": isolated(player.name), "other": isolated(other.name) if other else _("others")}
    if asked.ending is not None:
        return _ending_words(asked.ending).format(**names)
    contract = asked.game.contract(asked.question.contract or "")
    words = [_(contract.name)] if contract else []
    words += [word.format(**names) for word in _question_words(asked.question)]
    return " · ".join(words) or _("All hands")


def _ending_words(ending: Ending) -> str:
    words: dict[Ending, str] = {
        "finished": _("Finished matches"),
        "unfinished": _("Matches that are not over"),
        "won": _("Matches won"),
        "shared": _("Wins shared"),
        "before": _("{player} before {other}"),
        "level": _("{player} level with {other}"),
        "behind": _("{player} behind {other}"),
    }
    return words[ending]


def _question_words(question: Question) -> Iterator[str]:
    if question.role is not None:
        yield _("as declarer") if question.role == "declarer" else _("declared by others")
    if question.declaration is not None:
        yield _("number {n} of the own declarations").replace("{n}", str(question.declaration))
    if question.passed_out:
        yield _("passed out")
    if question.coup:
        yield _("coups undertaken")
    if question.chance:
        yield _("hands in which {player} could double by choice")
    if question.doubled == "any" and question.doubled_by:
        yield _("doubling between {player} and {other}")
    elif question.doubled_by:
        yield _("{player} doubled by {other}")
    elif question.doubled is not None:
        doubled = {
            "any": _("{player} doubled {other}"),
            "chosen": _("{player} doubled {other} by choice"),
            "forced": _("{player} had to double {other}"),
            "back": _("{player} doubled {other} back"),
        }
        yield doubled[question.doubled]
