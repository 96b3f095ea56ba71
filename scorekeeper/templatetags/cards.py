"""Words and signs of the card table for templates."""

import unicodedata
from typing import Protocol

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from referee import Sentence
from referee.cards import RANK_NAMES, SUIT_GLYPHS, SUIT_NAMES
from referee.explain import signed as with_sign
from referee.rules import Points

register = template.Library()

RULEBOOK_WORDS = ("contract", "item", "items", "game")
NO_EMOJI = "\ufe0e"


class Game(Protocol):
    """What decides how points are shown; a rule set is one."""

    @property
    def wins(self) -> str:
        """Who wins: the highest total, the lowest, or everybody above zero."""

    @property
    def purse(self) -> int:
        """What everybody begins with."""


@register.filter
def signed(points: Points) -> str:
    """Points with a real minus sign, and a plus on gains."""
    return with_sign(points)


@register.filter
def gainloss(points: Points) -> str:
    """The class that colours a gain or a loss; none for zero."""
    return "gain" if points > 0 else "loss" if points < 0 else ""


@register.filter
def total(points: Points, ruleset: Game) -> str:
    """A running total: with its sign where points are won and lost, plain where purses or penalties add up."""
    plain = bool(ruleset.purse) or ruleset.wins == "lowest"
    return with_sign(points).removeprefix("+") if plain else with_sign(points)


@register.filter
def tone(points: Points, ruleset: Game) -> str:
    """The class that colours points in a game; where the lowest total wins, points are what nobody wants."""
    return gainloss(-points if ruleset.wins == "lowest" else points)


@register.filter
def total_tone(points: Points, ruleset: Game) -> str:
    """The class that colours a running total; a purse and a sum of penalties have none unless below zero."""
    return tone(points, ruleset) if points < 0 or not (ruleset.purse or ruleset.wins == "lowest") else ""


@register.filter
def suit(code: str) -> SafeString:
    """A suit's sign in its colour, with its name for those who hear the page."""
    return format_html(
        '<span class="suit suit-{}" role="img" aria-label="{}">{}{}</span>',
        code.lower(),
        gettext(SUIT_NAMES[code]),
        SUIT_GLYPHS[code],
        NO_EMOJI,
    )


@register.filter
def rank(code: str) -> str:
    """A rank in words: 7, 10, Jack."""
    return gettext(RANK_NAMES[code])


def isolated(name: str) -> str:
    """A name inside a sentence: one written from right to left does not turn the figures and signs around it.

    >>> isolated("Ann"), isolated("\u05d3\u05df") == "\u2068\u05d3\u05df\u2069"
    ('Ann', True)
    """
    turns = any(unicodedata.bidirectional(character) in ("R", "AL") for character in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name


@register.filter
def says(sentence: Sentence) -> str:
    """A sentence of the referee in the reader's language; words of the rulebook are translated too."""
    values = {
        key: gettext(str(value)) if key in RULEBOOK_WORDS else isolated(value) if isinstance(value, str) else value
        for key, value in sentence.values.items()
    }
    return gettext(sentence.message).format_map(values)
