"""From what happened to basic points, one total function for each kind of contract.

Every function answers for all seats at once and trusts its input: a result that cannot have
happened is found by :mod:`referee.judging` before.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

from .hands import Coup, Hand, Result, Seat
from .rules import ROWS, Beats, Contract, Counts, Finish, Item, Points, Ravaged, RuleSet


def whole(points: Points) -> Points:
    """The same number without a needless ``.0``."""
    return int(points) if isinstance(points, float) and points.is_integer() else points


def basic(ruleset: RuleSet, contract: Contract, declarer: Seat | None, players: int, hand: Hand) -> tuple[Points, ...]:
    """The basic score of a finished hand, before doubling."""
    if hand.coup is not None:
        return coup(ruleset, contract, players, hand.coup)
    if hand.result is None:
        return passed_out(contract, declarer, players)
    return paid(ruleset, declarer, by_result(contract, players, hand.result))


def paid(ruleset: RuleSet, declarer: Seat | None, own: Sequence[Points]) -> tuple[Points, ...]:
    """Each player's own points; in games for money the others pay theirs to the declarer."""
    if ruleset.payment == "own" or declarer is None:
        return tuple(own)
    paid = [0 if seat == declarer else points for seat, points in enumerate(own)]
    paid[declarer] = -sum(paid)
    return tuple(paid)


def by_result(contract: Contract, players: int, result: Result) -> tuple[Points, ...]:
    """Points by what each player took, went out as, or beat."""
    match contract:
        case Counts():
            return _counts(contract, players, result)
        case Finish():
            pays = contract.pays(players)
            order = result.finish or ()
            return tuple(pays[order.index(seat)] for seat in range(players))
        case Ravaged():
            ravaged = result.ravaged or ()
            share = contract.penalty // len(ravaged)
            return tuple(share if seat in ravaged else 0 for seat in range(players))
        case Beats():
            units = beaten(result, players)
            best = overall_winner(units, result.best) if contract.overall else None
            return tuple(
                whole(contract.unit * units[seat] + (contract.overall if seat == best else 0))
                for seat in range(players)
            )
        case _:
            assert_never(contract)


def _counts(contract: Counts, players: int, result: Result) -> tuple[Points, ...]:
    counts = result.counts or {}
    points: list[Points] = [0] * players
    for item in contract.items:
        for seat in range(players):
            number = counts[item.code].get(seat, 0)
            points[seat] += taken(item, number, players)
    return tuple(points)


def taken(item: Item, number: int, players: int) -> Points:
    """What a player scores for taking so many of something; all of them may have a price of their own."""
    if item.all_to_one is not None and number == item.in_play(players):
        return item.all_to_one
    return item.each * number


def beaten(result: Result, players: int) -> tuple[Points, ...]:
    """Units of each seat: opponents beaten over the three rows, a tie counting half."""
    beats = result.beats or {}
    return tuple(whole(sum(beats[row].get(seat, 0) for row in ROWS)) for seat in range(players))


def row_units(order: Sequence[Sequence[Seat]], fouled: Collection[Seat] = ()) -> dict[Seat, Points]:
    """How many opponents each player beats in a row, from groups of seats, best first; who share a group tie.

    A fouled hand beats nobody and is beaten by everybody, wherever it was placed; fouled hands tie.

    >>> row_units([[2], [0, 1], [3]])
    {2: 3, 0: 1.5, 1: 1.5, 3: 0}
    >>> row_units([[2], [0, 1], [3]], fouled=[2])
    {0: 2.5, 1: 2.5, 3: 1, 2: 0}
    """
    groups = [[seat for seat in group if seat not in fouled] for group in order]
    groups.append([seat for group in order for seat in group if seat in fouled])
    units: dict[Seat, Points] = {}
    worse = sum(map(len, groups))
    for group in groups:
        worse -= len(group)
        units |= dict.fromkeys(group, whole(worse + (len(group) - 1) / 2))
    return units


def row_order(units: Mapping[Seat, Points], players: int) -> tuple[tuple[Seat, ...], ...]:
    """The groups of a row, best first, from how many opponents each beats: the reverse of :func:`row_units`.

    >>> row_order({2: 3, 0: 1.5, 1: 1.5}, players=4)
    ((2,), (0, 1), (3,))
    """
    all_units = [units.get(seat, 0) for seat in range(players)]
    different = sorted(set(all_units), reverse=True)
    return tuple(tuple(seat for seat in range(players) if all_units[seat] == beaten) for beaten in different)


def overall_winner(units: tuple[Points, ...], named: Seat | None) -> Seat:
    """Who takes the overall unit: most units, or whom the table names where these tie."""
    return named if named is not None else units.index(max(units))


def passed_out(contract: Contract, declarer: Seat | None, players: int) -> tuple[Points, ...]:
    """A negative nobody doubled: each opponent takes a third of it, rounded up, the declarer the rest."""
    penalty = -contract.total(players)
    share = -(-penalty // (players - 1))
    rest = share * (players - 1) - penalty
    return tuple(whole(rest if seat == declarer else -share) for seat in range(players))


def coup(ruleset: RuleSet, contract: Contract, players: int, undertaken: Coup) -> tuple[Points, ...]:
    """A coup replaces all payments: made, each opponent pays the taker; failed, the taker pays the bank."""
    if not undertaken.made:
        return tuple(-ruleset.coup_failed if seat == undertaken.by else 0 for seat in range(players))
    price = contract.coup or 0
    return tuple(price * (players - 1) if seat == undertaken.by else -price for seat in range(players))
