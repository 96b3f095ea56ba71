"""What the referee says: sentences with gaps, and problems as data."""

from collections.abc import Mapping
from typing import Any

import msgspec


def gettext_noop(message: str) -> str:
    """Mark a sentence for translators; the page translates it, the referee never does."""
    return message


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """An English sentence with ``{named}`` gaps and what fills them.

    A page translates ``message`` and keeps ``values``; ``says`` is the plain English.
    """

    message: str
    values: Mapping[str, Any] = {}

    @property
    def says(self) -> str:
        """The sentence in English, with the names and numbers in it."""
        return self.message.format_map(self.values)


class Problem(Sentence, frozen=True, kw_only=True):
    """One thing that is wrong, or remarkable, about a hand or a match; ``where`` names the place."""

    code: str
    where: str
    hand: int | None = None


def figure(number: int | float) -> str:
    """A number as people write it, with a real minus sign.

    >>> figure(-12), figure(1200), figure(-0.5)
    ('−12', '1,200', '−0.5')
    """
    return f"{number:,}".replace("-", "−")


def sentence(message: str, **values: Any) -> Sentence:
    """A sentence with its gaps filled."""
    return Sentence(message=message, values=values)


def problem(code: str, where: str, message: str, **values: Any) -> Problem:
    """A problem of a hand; the fold that finds it adds the number of the hand."""
    return Problem(code=code, where=where, message=message, values=values)


class BadRuleSet(ValueError):
    """A rule set that the schema or common sense refuses; says where and why."""


class NotAMatch(ValueError):
    """A text that is no match file at all; ``hand`` says which hand, where that is known."""

    def __init__(self, says: str, *, where: str = "file", hand: int | None = None) -> None:
        super().__init__(says)
        self.says = says
        self.where = where
        self.hand = hand
