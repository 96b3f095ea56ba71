"""Doubles: who may double whom, what business a pair has, and how it is settled.

Everything here speaks of seats, numbers from 0 in the order of play.
"""

from collections.abc import Iterable, Sequence

from .hands import Pair, Seat
from .rules import Contract, Doubling, Points


def speaking_order(declarer: Seat, players: int) -> tuple[Seat, ...]:
    """The order in which players double: clockwise from the declarer's left, the declarer last."""
    return (*range(declarer + 1, players), *range(declarer + 1))


def only_declarer(doubling: Doubling, contract: Contract) -> bool:
    """In this contract the declarer is the only one who may be doubled (but may double back)."""
    return doubling.who == "declarer" or (not contract.is_negative and doubling.positives == "declarer")


def may_double(doubling: Doubling, contract: Contract, declarer: Seat, players: int, who: Seat) -> tuple[Seat, ...]:
    """Whom a player may ever double in this contract, in the order of play from the player's left.

    The declarer may answer everybody here; that needs a double to answer, which is checked pair by pair.
    """
    if doubling.who == "none":
        return ()
    others = speaking_order(who, players)[:-1]
    if who != declarer and only_declarer(doubling, contract):
        return (declarer,)
    return others


def business(doubles: Iterable[Pair], one: Seat, other: Seat) -> int:
    """How many doubles lie between two players: 0, 1 or 2."""
    return sum(1 for pair in doubles if set(pair) == {one, other})


def settle(basic: Sequence[Points], doubles: Iterable[Pair]) -> tuple[Points, ...]:
    """What doubling moves to each seat; it adds up to zero.

    For each pair the better basic score gains business × difference, and the other loses it.
    """
    moved: list[Points] = [0] * len(basic)
    for one, other in doubles:
        difference = basic[one] - basic[other]
        moved[one] += difference
        moved[other] -= difference
    return tuple(moved)


def owed(required: int, made: int) -> int:
    """How many doubles of a declarer are still owed."""
    return max(0, required - made)


def is_forced(owed: int, declarations_left: int) -> bool:
    """A double is compulsory when the declarations left, this one included, are no more than what is owed."""
    return 0 < declarations_left <= owed
