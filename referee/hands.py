"""One hand as the table tells it: what was declared, doubled and taken. Seats are numbers from 0."""

from collections.abc import Mapping
from typing import Any

import msgspec

Seat = int
"""A player by place in the order of play, from 0."""

Pair = tuple[Seat, Seat]
"""Who doubles, who is doubled."""

Half = int | float
"""A whole number or a half, as rows of Chinese Poker are counted."""


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a hand brought, in the terms of its contract. A seat left out of a map took none."""

    counts: Mapping[str, Mapping[Seat, int]] | None = None
    finish: tuple[Seat, ...] | None = None
    ravaged: tuple[Seat, ...] | None = None
    beats: Mapping[str, Mapping[Seat, Half]] | None = None
    best: Seat | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which kinds of result are given; a sound result gives one."""
        return tuple(kind for kind in ("counts", "finish", "ravaged", "beats") if getattr(self, kind) is not None)


class Trick(msgspec.Struct, frozen=True, kw_only=True):
    """One trick as it was played: who led, and the cards in their order, such as ``"QD"``."""

    led_by: Seat
    cards: tuple[str, ...]


class Coup(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody undertook to take everything, and did or did not."""

    by: Seat
    made: bool


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """Points the table agreed on beside the score; they add up to zero."""

    points: Mapping[Seat, int]
    reason: str = ""


class Hand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that was said and done in one hand. Nothing in it is a score."""

    contract: str | None = None
    declarer: Seat | None = None
    trump: str | None = None
    start: str | None = None
    doubles: tuple[Pair, ...] | None = None
    result: Result | None = None
    play: tuple[Trick, ...] | None = None
    coup: Coup | None = None
    played_anyway: bool = False
    longest: Mapping[Seat, int] | None = None
    barbaras: Mapping[str, Seat] | None = None
    misdeals: int = 0
    adjustment: Adjustment | None = None
    note: str = ""
    extra: Mapping[str, Any] = {}

    @property
    def pairs(self) -> frozenset[Pair]:
        """The doubles as a set."""
        return frozenset(self.doubles or ())


def to_record(hand: Hand) -> dict[str, Any]:
    """The hand as plain JSON data; :func:`from_record` brings the same hand back."""
    record: dict[str, Any] = msgspec.to_builtins(hand, str_keys=True)
    return record


def from_record(record: object) -> Hand:
    """A hand from what :func:`to_record` made, perhaps through JSON, where seats have become texts."""
    return msgspec.convert(record, Hand, str_keys=True)
