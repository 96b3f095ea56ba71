"""The form of four hands entered as cards: what was typed in each row, and how a hand's own form says the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.http import QueryDict

from referee import Hand, Problem, Turn
from referee.hands import Seat
from referee.poker import Showdown, problems, read_cards, showdown
from referee.problems import gettext_noop, problem
from referee.rules import ROWS

from .hand import HandForm

LONGEST = 100
"""Characters of a row that are read at most; five cards have some 15."""


@dataclass(frozen=True)
class PokerForm:
    """What stands in the rows, right or wrong, and what is wrong with it."""

    turn: Turn
    texts: dict[tuple[str, Seat], str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    shown: Showdown | None = None

    @classmethod
    def posted(cls, turn: Turn, data: QueryDict) -> PokerForm:
        """The rows as they were sent, and the hands compared if nothing is wrong with them."""
        texts = {(row, seat): data.get(f"{row}-{seat}", "") for seat in turn.seats for row in ROWS}
        if found := tuple(_too_long(turn, texts)):
            return cls(turn, texts, found)
        hands = [{row: read_cards(texts[row, seat]) for row in ROWS} for seat in turn.seats]
        found = tuple(problems(hands, turn.name))
        return cls(turn, texts, found, None if found else showdown(hands))


def _too_long(turn: Turn, texts: dict[tuple[str, Seat], str]) -> Iterator[Problem]:
    for (row, seat), text in texts.items():
        if len(text) > LONGEST:
            message = gettext_noop("{player}, {row} row: {given} characters are no row of cards.")
            yield problem("not-understood", f"{row}-{seat}", message, player=turn.name(seat), row=row, given=len(text))


def with_rows(form: HandForm, shown: Showdown) -> Hand:
    """The hand as its form would tell it with these rows placed; who takes an overall unit is kept where it ties."""
    form.order = {row: [list(group) for group in shown.groups[row]] for row in ROWS}
    form.fouls = list(shown.fouls)
    if form.best not in form.overall_tie:
        form.best = None
    form.has_result = True
    return form.hand


def fields(form: HandForm) -> Iterator[tuple[str, str]]:
    """What a hand's own form would send of all that stands in it, beside the rows."""
    for name in ("trump", "start", "note"):
        if value := getattr(form, name):
            yield name, value
    if form.contract is not None:
        yield "contract", form.contract.code
    for who, whom in form.doubles or ():
        yield "double", f"{who}-{whom}"
    if form.played_anyway:
        yield "played_anyway", "1"
    for suit, seat in form.barbaras.items():
        yield f"barbara-{suit}", str(seat)
    if form.best is not None:
        yield "best", str(form.best)


def row_fields(form: HandForm) -> Iterator[tuple[str, str]]:
    """How a hand's own form says its rows: best first, "=" before whoever ties with the one before."""
    for seat in form.fouls:
        yield "foul", str(seat)
    for row, groups in form.order.items():
        for group in groups:
            for place, seat in enumerate(group):
                yield f"row-{row}", f"={seat}" if place else str(seat)
