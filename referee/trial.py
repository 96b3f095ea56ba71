"""Matches by chance, as they might have been played: sound in everything, for trials with many of them.

Some players are luckier, some double more than others, so that figures of many matches differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import assert_never

import msgspec

from .cards import SUITS
from .hands import Coup, Hand, Pair, Result, Seat
from .match import Match, Turn
from .rules import ROWS, Beats, Contract, Counts, Finish, Item, Ravaged, RuleSet
from .scoring import beaten


@dataclass(frozen=True)
class Character:
    """How somebody plays: how readily he takes what costs points, and how readily he doubles; 0 to 1."""

    luck: float
    nerve: float

    @classmethod
    def drawn(cls, random: Random) -> Character:
        """Somebody by chance."""
        return cls(luck=random.uniform(0.44, 0.56), nerve=random.choice((0.1, 0.25, 0.45)))


def play(ruleset: RuleSet, characters: Sequence[Character], random: Random, first: Seat = 0) -> Match:
    """A whole match of so many players, called by the numbers of their seats."""
    names = tuple(str(seat + 1) for seat in range(len(characters)))
    match = Match(ruleset, names, first if ruleset.has_declarer else 0)
    turn, hands = match.first_turn, list[Hand]()
    while not turn.is_over:
        hands.append(_hand(turn, characters, random))
        turn = turn.after(turn.score(hands[-1]))
    return match.with_hands(hands)


def _hand(turn: Turn, characters: Sequence[Character], random: Random) -> Hand:
    ruleset = turn.ruleset
    contract = ruleset.contracts[0] if turn.declarer is None else random.choice(turn.may_declare(turn.declarer))
    hand = Hand(
        contract=contract.code if ruleset.has_declarer else None,
        trump=random.choice(SUITS) if contract.needs == "trump" else None,
        start=random.choice(ruleset.deck.ranks_of(len(turn.players))) if contract.needs == "start" else None,
        doubles=_doubles(turn, contract, characters, random) if ruleset.doubling.who != "none" else None,
    )
    if turn.is_passed_out(hand):
        return hand
    if contract.coup is not None and random.random() < 0.05:
        return msgspec.structs.replace(hand, coup=Coup(by=random.choice(turn.seats), made=random.random() < 0.5))
    return msgspec.structs.replace(hand, result=_result(turn, contract, characters, random))


def _doubles(turn: Turn, contract: Contract, characters: Sequence[Character], random: Random) -> tuple[Pair, ...]:
    """Compulsory doubles always; others as the players have the nerve, the declarer's only as an answer."""
    doubles: list[Pair] = []
    for who in turn.speaking_order:
        for whom in turn.may_double(contract, who):
            if who == turn.declarer and (whom, who) not in doubles:
                continue
            must = whom == turn.declarer and who in turn.forced
            if must or random.random() < characters[who].nerve:
                doubles.append((who, whom))
    return tuple(doubles)


def _result(turn: Turn, contract: Contract, characters: Sequence[Character], random: Random) -> Result:
    wish = [character.luck if not contract.is_negative else 1 - character.luck for character in characters]
    match contract:
        case Counts():
            return Result(counts=_counts(turn, contract, wish, random))
        case Finish():
            return Result(finish=tuple(_shuffled(turn.seats, wish, random)))
        case Ravaged():
            return Result(ravaged=tuple(sorted(random.sample(turn.seats, random.choice((1, 1, 1, 2))))))
        case Beats():
            beats = {row: _row(turn, wish, random) for row in ROWS}
            units = beaten(Result(beats=beats), len(turn.players))
            most = [seat for seat in turn.seats if units[seat] == max(units)]
            best = random.choice(most) if contract.overall and len(most) > 1 else None
            return Result(beats=beats, best=best)
        case _:
            assert_never(contract)


def _shuffled(seats: Sequence[Seat], wish: Sequence[float], random: Random) -> list[Seat]:
    """The seats in an order by chance, those with a strong wish rather in front."""
    return sorted(seats, key=lambda seat: random.random() ** (1 / wish[seat]), reverse=True)


def _row(turn: Turn, wish: Sequence[float], random: Random) -> dict[Seat, int | float]:
    order = _shuffled(turn.seats, wish, random)
    return {seat: len(order) - 1 - place for place, seat in enumerate(order)}


def _counts(turn: Turn, contract: Counts, wish: Sequence[float], random: Random) -> dict[str, dict[Seat, int]]:
    counts: dict[str, dict[Seat, int]] = {}
    out = random.choice(turn.seats)
    for item in contract.items:
        number = item.in_play(len(turn.players))
        if item.left_over:
            number = random.randint(0, number)
        if item.within is not None:
            takers = [seat for seat, taken in counts[item.within].items() for _ in range(taken)]
            counts[item.code] = dict(Counter(random.sample(takers, number)))
        else:
            seats = _takers(turn, item, out)
            weights = [wish[seat] for seat in seats]
            counts[item.code] = dict(Counter(random.choices(seats, weights, k=number)))
    return counts


def _takers(turn: Turn, item: Item, out: Seat) -> list[Seat]:
    """Who can take one: whoever ended the round has nothing left in hand."""
    return [seat for seat in turn.seats if not (item.left_over and seat == out)]
