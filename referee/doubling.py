"""Doubles: who may double whom, what business a pair has, and how it is settled.

Everything here speaks of seats, numbers from 0 in the order of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from .hands import Hand, Pair, Seat
from .judging import judge_doubles
from .problems import Problem, Sentence, gettext_noop, problem, sentence
from .rules import Contract, Doubling, Points

if TYPE_CHECKING:
    from .match import Turn


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


class DoublingRuling(msgspec.Struct, frozen=True, kw_only=True):
    """Whose turn it is to double, whom he may double and whom he must; ``seat`` is None when all have spoken.

    ``may`` says whom in general, ``must`` whom and why; ``passing_out`` whether the hand can be passed out,
    with ``can_be_passed_out`` the plain answer. ``problems`` are of what was said so far.
    """

    seat: Seat | None
    may_double: tuple[Seat, ...]
    must_double: tuple[Seat, ...]
    may: Sentence | None
    must: Sentence | None
    can_be_passed_out: bool
    passing_out: Sentence
    doubles: tuple[Pair, ...]
    problems: tuple[Problem, ...]


def ruling(turn: Turn, contract: Contract, said: Sequence[tuple[Seat, Sequence[Seat]]]) -> DoublingRuling:
    """The ruling on doubling after what was said so far: who spoke, and whom he doubled, in turn."""
    spoken = {who for who, _ in said}
    doubles = tuple((who, whom) for who, targets in said for whom in targets)
    order = turn.speaking_order if turn.ruleset.doubling.who != "none" else ()
    seat = next((speaker for speaker in order if speaker not in spoken), None)
    may = () if seat is None else turn.may_double(contract, seat)
    if seat == turn.declarer:
        may = tuple(whom for whom in may if (whom, seat) in doubles)
    must = tuple(whom for whom in may if whom == turn.declarer and seat in turn.forced)
    can, passing_out = _passing_out(turn, contract, doubles, seat)
    return DoublingRuling(
        seat=seat,
        may_double=may,
        must_double=must,
        may=None if seat is None else _may(turn, contract, seat),
        must=None if seat is None or not must else turn.duty(seat),
        can_be_passed_out=can,
        passing_out=passing_out,
        doubles=doubles,
        problems=tuple(_said_wrongly(turn, contract, said, doubles)),
    )


def _may(turn: Turn, contract: Contract, seat: Seat) -> Sentence:
    if seat == turn.declarer:
        message = gettext_noop("{player} declares and may only double back those who doubled {player}.")
    elif only_declarer(turn.ruleset.doubling, contract):
        message = gettext_noop("{player} may double nobody but {declarer}: in {contract} only the declarer is doubled.")
    else:
        message = gettext_noop("{player} may double anybody else.")
    declarer = "" if turn.declarer is None else turn.name(turn.declarer)
    return sentence(message, player=turn.name(seat), declarer=declarer, contract=contract.name)


def _passing_out(turn: Turn, contract: Contract, doubles: Sequence[Pair], seat: Seat | None) -> tuple[bool, Sentence]:
    """Whether the hand can be passed out, and why (not)."""
    can = False
    if turn.ruleset.doubling.who == "none":
        message = gettext_noop("There is no doubling in {game}, so every hand is played.")
    elif not contract.is_negative:
        message = gettext_noop("{contract} is positive and played even if nobody doubles.")
    elif not turn.can_be_passed_out(contract):
        message = gettext_noop("{contract} is played even if nobody doubles; so this table has it.")
    elif doubles:
        message = gettext_noop("Somebody has doubled, so {contract} is played.")
    elif turn.forced:
        message = gettext_noop("{contract} cannot be passed out: {forced} must double {declarer}.")
    elif seat is None:
        can, message = True, gettext_noop("Nobody doubled {contract}, so it is passed out and not played.")
    else:
        can, message = True, gettext_noop("If nobody doubles {contract}, it is passed out and not played.")
    declarer = "" if turn.declarer is None else turn.name(turn.declarer)
    values = {"contract": contract.name, "game": turn.ruleset.name, "declarer": declarer}
    return can, sentence(message, forced=", ".join(map(turn.name, turn.forced)), **values)


def _said_wrongly(
    turn: Turn, contract: Contract, said: Sequence[tuple[Seat, Sequence[Seat]]], doubles: tuple[Pair, ...]
) -> Iterator[Problem]:
    for (who, _), expected in zip(said, turn.speaking_order, strict=False):
        if who != expected:
            message = gettext_noop("{given} spoke before it was {given}'s turn; it was {expected}'s.")
            names = {"given": turn.name(who), "expected": turn.name(expected)}
            yield problem("double-out-of-turn", "doubles", message, **names)
            break
    hand = Hand(contract=contract.code, doubles=doubles)
    yield from judge_doubles(turn, contract, hand)
    spoken = [turn.name(who) for who, _ in said]
    yield from (remark for remark in turn.remarks(hand) if remark.values["player"] in spoken)
