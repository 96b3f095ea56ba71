"""Averages as people write them, for templates and sentences."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from django import template

from referee.figures import Game

register = template.Library()


@register.filter
def average(figure: float) -> str:
    """An average with one decimal, a real minus sign, and a plus on gains.

    >>> average(-12.25), average(0.04), average(7)
    ('−12.3', '0.0', '+7.0')
    """
    rounded = Decimal(repr(figure)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return ("+" if rounded > 0 else "−" if rounded < 0 else "") + f"{abs(rounded):,}"


@register.filter
def average_score(figure: float, game: Game) -> str:
    """The average of scores at the end: without a plus where purses or penalties add up."""
    plain = bool(game.purse) or game.wins == "lowest"
    return average(figure).removeprefix("+") if plain else average(figure)
