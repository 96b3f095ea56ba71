"""Bars drawn beside each other, figure against figure, with the words that say the same.

Only places and sizes are worked out here; ``parts/bars.html`` draws them, and the style sheet gives them their
look. What is compared is told by shape, filled and outlined, and each bar has its figure beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 320
LABEL, FILLED, OUTLINED, GAP = 20, 16, 14, 10
CHARACTER = 8
"""Room for a character of a figure beside the longest bar."""


@dataclass(frozen=True)
class Bar:
    """A bar from the line of zero to its figure, and where the figure is written."""

    says: str
    x: float
    y: float
    width: float
    height: float
    text_x: float
    text_y: float
    anchor: str


@dataclass(frozen=True)
class Row:
    """What is compared: its name, the figure itself, filled, and what it is compared with, outlined.

    ``line`` is from where to where the line of zero goes beside them.
    """

    label: str
    label_y: float
    line: tuple[float, float]
    filled: Bar
    outlined: Bar


@dataclass(frozen=True)
class Bars:
    """A drawing, with its name and the same told in a sentence or two."""

    title: str
    says: str
    width: int
    height: int
    zero: float
    rows: tuple[Row, ...]


def bars(title: str, says: str, compared: Sequence[tuple[str, float, str, float, str]]) -> Bars:
    """Draw rows of a name, a figure and its words, and what it is compared with and its words."""
    figures = [0.0, *(row[1] for row in compared), *(row[3] for row in compared)]
    least, most = min(figures), max(figures)
    room = CHARACTER * (1 + max(len(words) for row in compared for words in (row[2], row[4])))
    left, right = (room if least < 0 else 0), (room if most > 0 else 0)
    scale = (WIDTH - left - right) / ((most - least) or 1)
    zero = left - least * scale
    step = LABEL + FILLED + OUTLINED + GAP

    def bar(figure: float, says: str, y: float, height: float) -> Bar:
        end = zero + figure * scale
        to_the_left = figure < 0 or least < most == 0
        return Bar(
            says=says,
            x=_round(min(zero, end)),
            y=y,
            width=_round(abs(end - zero)),
            height=height,
            text_x=_round(end - 4 if to_the_left else end + 4),
            text_y=y + height - 3,
            anchor="end" if to_the_left else "start",
        )

    rows = tuple(
        Row(
            label=name,
            label_y=place * step + LABEL - 5,
            line=(place * step + LABEL - 2, (place + 1) * step - GAP),
            filled=bar(figure, words, place * step + LABEL, FILLED - 2),
            outlined=bar(other, other_words, place * step + LABEL + FILLED, OUTLINED - 2),
        )
        for place, (name, figure, words, other, other_words) in enumerate(compared)
    )
    return Bars(title, says, WIDTH, len(compared) * step, _round(zero), rows)


def _round(place: float) -> float:
    return round(place, 1)
