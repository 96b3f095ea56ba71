"""What a hand still holds for each player, doubling settled: the king of hearts, one more trick, each place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

import msgspec

from . import doubling, scoring
from .hands import Hand, Pair, Result, Seat
from .match import Turn
from .problems import Sentence, gettext_noop, sentence
from .rules import ROWS, Beats, Contract, Counts, Finish, Item, Points, Ravaged
from .scoring import whole


class Stake(msgspec.Struct, frozen=True, kw_only=True):
    """One thing still open, and what it is worth: ``worth[taker][seat]`` to a seat if ``taker`` gets it.

    ``code`` is that of the item, or the number of the place. A taker who cannot get it has no worth.
    """

    code: str
    what: Sentence
    left: int
    worth: tuple[tuple[Points, ...] | None, ...]


class Equal(msgspec.Struct, frozen=True, kw_only=True):
    """A player whose business with several opponents is the same, and what fair play asks of him."""

    seat: Seat
    others: tuple[Seat, ...]
    business: int
    says: Sentence


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """Who has business with whom, ``business[one][other]``, what is open, and where business is equal."""

    business: tuple[tuple[int, ...], ...]
    open: tuple[Stake, ...]
    equal: tuple[Equal, ...]


def stakes(turn: Turn, contract: Contract, doubles: Collection[Pair], so_far: Result | None = None) -> Stakes:
    """The stakes of a hand that is being played; what was counted so far is taken off.

    ``so_far`` is a result that is not whole yet: some of the counts, those who are out, some of the rows.
    """
    business = tuple(tuple(doubling.business(doubles, one, other) for other in turn.seats) for one in turn.seats)
    return Stakes(
        business=business,
        open=tuple(_open(turn, contract, doubles, so_far or Result())),
        equal=tuple(_equal(turn, contract, business)),
    )


def _open(turn: Turn, contract: Contract, doubles: Collection[Pair], so_far: Result) -> Iterator[Stake]:
    players = len(turn.players)
    match contract:
        case Counts():
            yield from _items(turn, contract, doubles, so_far)
        case Finish():
            out = so_far.finish or ()
            still_in = [seat for seat in turn.seats if seat not in out]
            pays = contract.pays(players)
            for place in range(len(out), players):
                what = sentence(gettext_noop("out as number {place}"), place=place + 1)
                yield Stake(code=str(place + 1), what=what, left=1, worth=_lone(turn, doubles, pays[place], still_in))
        case Ravaged():
            what = sentence(gettext_noop("to be ravaged alone"))
            worth = _lone(turn, doubles, contract.penalty, turn.seats)
            yield Stake(code="ravaged", what=what, left=1, worth=worth)
        case Beats():
            rows = [row for row in ROWS if row not in (so_far.beats or {})]
            if rows:
                what = sentence(gettext_noop("one opponent beaten in a row"))
                worth = _lone(turn, doubles, contract.unit, turn.seats)
                yield Stake(code="unit", what=what, left=6 * len(rows), worth=worth)
            if contract.overall:
                what = sentence(gettext_noop("the overall unit"))
                worth = _lone(turn, doubles, contract.overall, turn.seats)
                yield Stake(code="best", what=what, left=1, worth=worth)
        case _:
            assert_never(contract)


def _items(turn: Turn, contract: Counts, doubles: Collection[Pair], so_far: Result) -> Iterator[Stake]:
    counts = {item.code: dict((so_far.counts or {}).get(item.code, {})) for item in contract.items}
    left = {item.code: _left(turn, item, sum(counts[item.code].values())) for item in contract.items}

    def totals(taken: Sequence[tuple[str, Seat]]) -> list[Points]:
        more = {code: dict(by_seat) for code, by_seat in counts.items()}
        for code, seat in taken:
            more[code][seat] = more[code].get(seat, 0) + 1
        return _totals(turn, contract, doubles, Result(counts=more))

    before = totals(())
    for item in contract.items:
        apart = sum(left[other.code] for other in contract.items if other.within == item.code)
        number = left[item.code] - apart
        if number <= 0:
            continue
        taken = [item.code, *([item.within] if item.within else [])]
        after = [totals([(code, taker) for code in taken]) for taker in turn.seats]
        worth = tuple(_difference(total, before) for total in after)
        one, single = gettext_noop("one more {item}"), gettext_noop("the {item}")
        what = sentence(single if item.is_single else one, item=item.one)
        yield Stake(code=item.code, what=what, left=number, worth=worth)


def _left(turn: Turn, item: Item, taken: int) -> int:
    return max(0, item.in_play(len(turn.players)) - taken)


def _totals(turn: Turn, contract: Contract, doubles: Collection[Pair], result: Result) -> list[Points]:
    """What a hand would bring each seat in the end, if this were all of it."""
    basic = scoring.basic(turn.ruleset, contract, turn.declarer, len(turn.players), Hand(result=result))
    return [own + won for own, won in zip(basic, doubling.settle(basic, doubles), strict=True)]


def _difference(after: Sequence[Points], before: Sequence[Points]) -> tuple[Points, ...]:
    return tuple(whole(now - then) for now, then in zip(after, before, strict=True))


def _lone(
    turn: Turn, doubles: Collection[Pair], points: Points, takers: Collection[Seat]
) -> tuple[tuple[Points, ...] | None, ...]:
    """What it is worth to each seat, by the taker, that he alone gets these points."""

    def worth(taker: Seat) -> tuple[Points, ...]:
        own = [points if seat == taker else 0 for seat in turn.seats]
        basic = scoring.paid(turn.ruleset, turn.declarer, own)
        return _difference([a + b for a, b in zip(basic, doubling.settle(basic, doubles), strict=True)], [0] * len(own))

    return tuple(worth(taker) if taker in takers else None for taker in turn.seats)


def _equal(turn: Turn, contract: Contract, business: Sequence[Sequence[int]]) -> Iterator[Equal]:
    if not any(map(any, business)):
        return
    for seat in turn.seats:
        for times in sorted(set(business[seat]), reverse=True):
            others = tuple(other for other in turn.seats if other != seat and business[seat][other] == times)
            if len(others) > 1:
                yield Equal(seat=seat, others=others, business=times, says=_fair(turn, contract, seat, others))


def _fair(turn: Turn, contract: Contract, seat: Seat, others: Sequence[Seat]) -> Sentence:
    """Equal business in words: favour nobody (RULES.md, Play and Notes)."""
    if len(others) < len(turn.players) - 1:
        message = gettext_noop("{player} must not favour one of {others}: the business with each is the same.")
    elif contract.is_negative and contract.card_set:
        message = gettext_noop(
            "{player} has equal business with everybody: a card that counts is to be thrown at the first chance, "
            "at whoever it falls on."
        )
    else:
        message = gettext_noop("{player} has equal business with everybody and must favour nobody.")
    names = ", ".join(turn.name(other) for other in others)
    return sentence(message, player=turn.name(seat), others=names)
