"""A match as sheets for a spreadsheet: every hand with its scores, and every pair that had business.

What people typed never runs there: a text that a spreadsheet would take for a formula gets an apostrophe in
front, and control characters become spaces. Figures are plain numbers with the minus sign of the keyboard.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from django.utils.translation import gettext as _

import referee
from referee import ScoredHand, Turn, explain
from referee.cards import RANK_NAMES, SUIT_NAMES
from referee.scoring import whole

from .templatetags.cards import says

Cell = str | int | float | None
"""What stands in a cell: a text, a number, or nothing."""

RUNS = frozenset("=+-@−")
"""Signs that make a spreadsheet read a text as a formula when they come first; the real minus is one of them."""


def hands_sheet(match: referee.Match) -> bytes:
    """A line for each finished hand, then each player's score, place and whether it won."""
    return _written(_hands(match))


def pairs_sheet(match: referee.Match) -> bytes:
    """A line for each pair of each hand that had business: who doubled whom, and what it moved."""
    return _written(_pairs(match))


def _hands(match: referee.Match) -> Iterator[Sequence[Cell]]:
    players = [name.strip() for name in match.players]
    of_a_player = [
        _("{player}: before doubling"),
        _("{player}: by doubling"),
        _("{player}: hand"),
        _("{player}: penalty"),
        _("{player}: total"),
    ]
    first = [_("Hand"), _("Declarer"), _("Dealer"), _("Contract"), _("Trump"), _("Start")]
    first += [_("Passed out"), _("Doubles"), _("Remarks"), _("Note")]
    yield [*first, *(column.format(player=player) for player in players for column in of_a_player)]
    for scored in match.finished_hands:
        yield [*_told(scored), *(figure for seat in scored.turn.seats for figure in _figures(scored, seat))]
    places = {standing.seat: standing.place for standing in match.standings}
    rest, before = [None] * (len(first) - 1), [None] * (len(of_a_player) - 1)
    for name, at_the_end in (
        (_("Score"), [whole(points) for points in match.turn.running]),
        (_("Place"), [places[seat] for seat in match.turn.seats]),
        (_("Won"), [_("yes") if seat in match.winners else None for seat in match.turn.seats]),
    ):
        yield [name, *rest, *(cell for figure in at_the_end for cell in (*before, figure))]


def _told(scored: ScoredHand) -> Iterator[Cell]:
    """What the table said of a hand."""
    turn, hand = scored.turn, scored.hand
    yield scored.number
    yield None if turn.declarer is None else turn.name(turn.declarer)
    yield None if turn.dealer is None else turn.name(turn.dealer)
    yield _contract(scored)
    yield _(SUIT_NAMES[hand.trump]) if hand.trump else None
    yield _(RANK_NAMES[hand.start]) if hand.start else None
    yield _("yes") if scored.passed_out else None
    arrows = (f"{turn.name(who)} → {turn.name(whom)}" for who, whom in _doubles(turn, hand))
    yield ", ".join(arrows)
    yield " ".join(map(says, scored.remarks))
    yield hand.note


def _figures(scored: ScoredHand, seat: int) -> Iterator[Cell]:
    """The columns of one player in one hand."""
    penalty = scored.hand.adjustment.points.get(seat) if scored.hand.adjustment else None
    yield from (scored.basic[seat], scored.doubling[seat], scored.total[seat], penalty, scored.running[seat])


def _pairs(match: referee.Match) -> Iterator[Sequence[Cell]]:
    yield [
        _("Hand"),
        _("Declarer"),
        _("Contract"),
        _("Doubled by"),
        _("Doubled"),
        _("Doubled back"),
        _("Was forced"),
        _("Before doubling: doubled by"),
        _("Before doubling: doubled"),
        _("Difference"),
        _("Moved to doubled by"),
    ]
    for scored in match.finished_hands:
        turn = scored.turn
        for pair in explain(scored).pairs:
            forced = pair.other == turn.declarer and pair.one in turn.forced
            yield [
                scored.number,
                None if turn.declarer is None else turn.name(turn.declarer),
                _contract(scored),
                turn.name(pair.one),
                turn.name(pair.other),
                _("yes") if pair.business > 1 else None,
                _("yes") if forced else None,
                scored.basic[pair.one],
                scored.basic[pair.other],
                pair.difference,
                pair.moved,
            ]


def _contract(scored: ScoredHand) -> str | None:
    return _(scored.contract.name) if scored.contract else None


def _doubles(turn: Turn, hand: referee.Hand) -> list[tuple[int, int]]:
    """The doubles in the order in which the players spoke."""
    order = turn.speaking_order
    return sorted(hand.pairs, key=lambda pair: (order.index(pair[0]), order.index(pair[1])))


def _written(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Rows as UTF-8 with the mark by which spreadsheets know it."""
    sheet = io.StringIO()
    csv.writer(sheet).writerows([plain(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return sheet.getvalue().encode("utf-8-sig")


def plain(text: str) -> str:
    """A text as a cell that stays a text, on one line.

    >>> plain("=1+1"), plain("+cmd"), plain("-2"), plain("a,b"), plain("one\\nother")
    ("'=1+1", "'+cmd", "'-2", 'a,b', 'one other')

    Signs of full width, and those behind a gap or an unseen character, count as well.

    >>> plain("＝1"), plain(" @x"), plain("\\u200b=1") == "'\\u200b=1"
    ("'＝1", "' @x", True)
    """
    line = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
    seen = "".join(dropwhile(lambda sign: unicodedata.category(sign)[0] in "CZM", line))
    return f"'{line}" if unicodedata.normalize("NFKC", seen[:1])[:1] in RUNS else line
