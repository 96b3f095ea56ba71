"""The line of a match as a picture: where every line, figure and name of it goes. Templates only draw it.

Lengths are in units of the picture, which is :data:`WIDTH` wide whatever the screen; a phone shows a unit
as about a pixel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import referee
from referee import ScoredHand
from referee.explain import signed
from referee.hands import Seat
from referee.problems import figure
from referee.rules import Points

from .templatetags.cards import isolated, total

WIDTH, HEIGHT = 340, 236
TOP, BOTTOM, GAP = 12, 24, 8
NAMES, A_NAME, A_FIGURE = 76, 15, 6.8
TARGETS = 28
"""So many hands have a place of their own to point at; more share one with their neighbours."""
MARKS = 7
"""About so many marks stand on each line."""


@dataclass(frozen=True)
class Tick:
    """A figure at the edge, and where its line is."""

    at: str
    says: str


@dataclass(frozen=True)
class Mark:
    """Where the mark of a seat stands on its line."""

    x: str
    y: str


@dataclass(frozen=True)
class Line:
    """The running total of one seat; its name stands at the end, moved aside where ends run into each other."""

    seat: Seat
    name: str
    points: str
    marks: tuple[Mark, ...]
    end: Mark
    label: str
    top: str


@dataclass(frozen=True)
class Target:
    """What one can point at: a hand, or some in a row; ``says`` tells each player's change and total."""

    first: int
    last: int
    x: str
    width: str
    middle: str
    says: str


@dataclass(frozen=True)
class Chart:
    """The whole picture, with the sentence that says the same."""

    width: int
    height: int
    left: str
    right: str
    bottom: str
    marks: str
    names: str
    room: str
    base: str
    ticks: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    lines: tuple[Line, ...]
    targets: tuple[Target, ...]
    says: str


def line_of(match: referee.Match) -> Chart | None:
    """The line of a match; None before its first hand is finished."""
    hands, ruleset = match.finished_hands, match.ruleset
    if not hands:
        return None
    rows = [(ruleset.purse,) * len(match.players), *(scored.running for scored in hands)]
    low, high = min(map(min, rows)), max(map(max, rows))
    steps = _steps(low, high)
    low, high = min(low, steps[0]), max(high, steps[-1], steps[0] + 1)
    words = [total(step, ruleset) for step in steps]
    left = GAP + A_FIGURE * max(map(len, words))
    right, bottom = WIDTH - NAMES, HEIGHT - BOTTOM

    def across(number: float) -> float:
        return left + (right - left) * number / len(hands)

    def down(points: Points) -> float:
        return TOP + (bottom - TOP) * (high - points) / (high - low)

    labels = _apart([down(points) for points in rows[-1]], TOP, bottom)
    lines = []
    for seat, name in enumerate(match.players):
        places = [Mark(_unit(across(number)), _unit(down(row[seat]))) for number, row in enumerate(rows)]
        lines.append(
            Line(
                seat=seat,
                name=name,
                points=" ".join(f"{place.x},{place.y}" for place in places),
                marks=tuple(places[number] for number in _marked(len(hands), seat, len(match.players))),
                end=places[-1],
                label=_unit(labels[seat]),
                top=_unit(labels[seat] - A_NAME / 2 - 1),
            )
        )
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=_unit(left),
        right=_unit(right),
        bottom=_unit(bottom),
        marks=_unit(right + GAP + 5),
        names=_unit(right + GAP + 13),
        room=_unit(WIDTH - right - GAP - 13),
        base=_unit(down(ruleset.purse)),
        ticks=tuple(Tick(_unit(down(step)), says) for step, says in zip(steps, words, strict=True)),
        hands=tuple(Tick(_unit(across(number)), str(number)) for number in _numbered(match, len(hands))),
        lines=tuple(lines),
        targets=tuple(_targets(match, hands, left, right)),
        says=_says(match, rows),
    )


def _unit(length: float) -> str:
    """A length as the picture writes it, in any language."""
    return f"{length:.1f}".removesuffix(".0")


def _steps(low: Points, high: Points) -> list[int]:
    """Round figures for the edge, some five of them, from the lowest total to the highest."""
    rough = max(high - low, 5) / 5
    power = 10 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Where names go that would stand over each other: as near to their places as they find room."""
    groups: list[tuple[list[Seat], float]] = []
    for seat in sorted(range(len(wanted)), key=lambda seat: wanted[seat]):
        members = [seat]
        while True:
            middle, half = sum(wanted[one] for one in members) / len(members), A_NAME * len(members) / 2
            middle = min(max(middle, top + half - A_NAME / 2), bottom - half + A_NAME / 2)
            above = groups[-1] if groups else None
            if above is None or above[1] + A_NAME * len(above[0]) / 2 <= middle - half:
                break
            members = groups.pop()[0] + members
        groups.append((members, middle))
    found = [0.0] * len(wanted)
    for members, middle in groups:
        for place, seat in enumerate(members):
            found[seat] = middle + A_NAME * (place - (len(members) - 1) / 2)
    return found


def _marked(hands: int, seat: Seat, players: int) -> Iterable[int]:
    """After which hands a line has its mark; where not after every one, lines that run together take turns."""
    every = ceil(hands / MARKS)
    return range(every - seat * every // players, hands, every)


def _numbered(match: referee.Match, hands: int) -> list[int]:
    """The hands that are numbered at the edge: the last of each declarer or round, or round numbers."""
    each = match.ruleset.hands_each if match.ruleset.has_declarer else 0
    if each and 2 <= hands / each <= 8:
        return list(range(each, hands + 1, each))
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if hands <= 10 * step or step == 1000)
    return list(range(every, hands + 1, every))


def _targets(match: referee.Match, hands: Sequence[ScoredHand], left: float, right: float) -> Iterable[Target]:
    """A strip a hand, around its place on the lines; the first and the last reach the edges."""
    together = ceil(len(hands) / TARGETS)
    width = (right - left) / len(hands)
    for start in range(0, len(hands), together):
        group = hands[start : start + together]
        first, last = group[0].number, group[-1].number
        begins = left + width * (first - 0.5 if first > 1 else 0)
        ends = left + width * (last + 0.5) if last < len(hands) else right + GAP
        middle = left + width * last
        yield Target(first, last, _unit(begins), _unit(ends - begins), _unit(middle), _told(match, group))


def _told(match: referee.Match, group: Sequence[ScoredHand]) -> str:
    """A hand in one line: what it was, and each player's change and total after it."""
    first, last = group[0], group[-1]
    changes = []
    for seat, name in enumerate(match.players):
        change, now = sum(scored.total[seat] for scored in group), total(last.running[seat], match.ruleset)
        changes.append(
            _("{player} {change} to {total}").format(player=isolated(name), change=signed(change), total=now)
        )
    if first is not last:
        head = _("Hands {first} to {last}").format(first=first.number, last=last.number)
    elif first.turn.declarer is None or first.contract is None:
        head = _("Round {number}").format(number=first.number)
    else:
        message = _("Hand {number}, {contract}, {declarer}")
        declarer = isolated(match.players[first.turn.declarer])
        head = message.format(number=first.number, contract=_(first.contract.name), declarer=declarer)
    return f"{head}: {', '.join(changes)}"


def _says(match: referee.Match, rows: Sequence[Sequence[Points]]) -> str:
    """The picture in words: from where to where each line goes, and between which totals."""
    ends = []
    for standing in match.standings:
        seat = standing.seat
        column = [row[seat] for row in rows]
        message = _("{player} ends at {total}, between {low} and {high}")
        values = {"total": column[-1], "low": min(column), "high": max(column)}
        words = {name: total(points, match.ruleset) for name, points in values.items()}
        ends.append(message.format(player=isolated(match.players[seat]), **words))
    hands = len(rows) - 1
    message = ngettext(
        "Totals after {n} hand from {start}: {ends}.", "Totals over {n} hands from {start}: {ends}.", hands
    )
    return message.format(n=hands, start=figure(match.ruleset.purse), ends="; ".join(ends))
