"""Looking back on a match: the sheet as on paper, what doubling moved, swings, the lead, best hands, duties.

Everything is worked out from a folded match, finished or not; a hand that is under way does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from .explain import explain
from .hands import Seat
from .match import Match, ScoredHand
from .problems import Sentence, gettext_noop, sentence
from .rules import Contract, Points, RuleSet
from .scoring import whole

ROUNDS_A_BLOCK = 10
"""How many rounds of a game without declarers stand together on the sheet."""


# --- the sheet ---


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the paper sheet: a contract, and the hand in which it was played, or None while it is open."""

    contract: Contract
    scored: ScoredHand | None


@dataclass(frozen=True, slots=True)
class Block:
    """Hands that stand together on paper: those of a declarer, of a round, or ten rounds; and what they sum up to."""

    declarer: Seat | None
    round: int | None
    lines: tuple[Line, ...]
    total: tuple[Points, ...]

    @property
    def hands(self) -> tuple[ScoredHand, ...]:
        """The hands of the block that were played."""
        return tuple(line.scored for line in self.lines if line.scored is not None)


def blocks(match: Match) -> tuple[Block, ...]:
    """The hands as they stand on a paper sheet: a block a declarer, where there are declarers.

    Lines stand in the rule set's order of contracts, those still open included; where quotas let players
    declare a contract again, and in games without declarers, in the order of play.
    """
    return tuple(_block(match, *group) for group in _groups(match))


Group = tuple[Seat | None, int | None, list[ScoredHand]]


def _groups(match: Match) -> Iterator[Group]:
    hands, rotation = match.finished_hands, match.ruleset.rotation
    if rotation == "none":
        for start in range(0, len(hands), ROUNDS_A_BLOCK):
            yield None, None, list(hands[start : start + ROUNDS_A_BLOCK])
    elif rotation == "round":
        for number in range(hands[-1].turn.round + 1 if hands else 0):
            yield None, number + 1, [scored for scored in hands if scored.turn.round == number]
    else:
        seats = len(match.players)
        for place in range(match.first_declarer, match.first_declarer + seats):
            declared = [scored for scored in hands if scored.turn.declarer == place % seats]
            if declared:
                yield place % seats, None, declared


def _block(match: Match, declarer: Seat | None, number: int | None, hands: list[ScoredHand]) -> Block:
    ruleset = match.ruleset
    sums = tuple(whole(sum(scored.total[seat] for scored in hands)) for seat in range(len(match.players)))
    if not ruleset.has_declarer or ruleset.quotas is not None:
        lines = [Line(scored.contract, scored) for scored in hands if scored.contract is not None]
    else:
        lines = [line for contract in ruleset.contracts for line in _lines(contract, hands)]
    return Block(declarer, number, tuple(lines), sums)


def _lines(contract: Contract, hands: list[ScoredHand]) -> Iterator[Line]:
    """The hands of a contract, and an open line for each time that it is still to be declared."""
    had = [scored for scored in hands if scored.hand.contract == contract.code]
    for scored in had:
        yield Line(contract, scored)
    for _ in range(len(had), contract.times):
        yield Line(contract, None)


# --- what doubling moved ---


@dataclass(frozen=True, slots=True)
class Settled:
    """What a pair's business moved in one hand; ``moved`` is what the first of the pair gained."""

    number: int
    business: int
    moved: Points
    says: Sentence


@dataclass(frozen=True, slots=True)
class Account:
    """The ledger of a pair: every hand in which the two had business, and what the first gained in sum."""

    one: Seat
    other: Seat
    hands: tuple[Settled, ...]
    moved: Points


def accounts(match: Match) -> tuple[Account, ...]:
    """The ledger of every pair, in seat order; none in games without doubling."""
    if match.ruleset.doubling.who == "none":
        return ()
    kept: dict[tuple[Seat, Seat], list[Settled]] = {pair: [] for pair in combinations(range(len(match.players)), 2)}
    for scored in match.finished_hands:
        for pair in explain(scored).pairs:
            turned = pair.one > pair.other
            key = (pair.other, pair.one) if turned else (pair.one, pair.other)
            moved = -pair.moved if turned else pair.moved
            kept[key].append(Settled(scored.number, pair.business, moved, pair.says))
    return tuple(
        Account(one, other, tuple(hands), whole(sum(settled.moved for settled in hands)))
        for (one, other), hands in kept.items()
    )


@dataclass(frozen=True, slots=True)
class Won:
    """What doubling brought a player in sum: from each other player, None where there is none, and from all."""

    seat: Seat
    of: tuple[Points | None, ...]
    total: Points


def won_by_doubling(match: Match, kept: Sequence[Account]) -> tuple[Won, ...]:
    """The ledgers as one table: a row a player, a column for whom it was won from."""
    if not kept:
        return ()
    moved: dict[tuple[Seat, Seat], Points] = {}
    for account in kept:
        moved[account.one, account.other] = account.moved
        moved[account.other, account.one] = -account.moved
    seats = range(len(match.players))
    rows = [(seat, tuple(moved.get((seat, other)) for other in seats)) for seat in seats]
    return tuple(Won(seat, of, whole(sum(points for points in of if points is not None))) for seat, of in rows)


# --- the turning points ---


@dataclass(frozen=True, slots=True)
class Swing:
    """A hand that moved somebody far: who was moved furthest, and by how much."""

    number: int
    contract: Contract | None
    moved: tuple[tuple[Seat, Points], ...]


def swings(match: Match, most: int = 3) -> tuple[Swing, ...]:
    """The hands that moved a player furthest, the largest first; of equal ones the earlier."""
    found = []
    for scored in match.finished_hands:
        reach = max(map(abs, scored.total))
        if reach:
            moved = tuple((seat, points) for seat, points in enumerate(scored.total) if abs(points) == reach)
            found.append((-reach, scored.number, Swing(scored.number, scored.contract, moved)))
    return tuple(swing for _reach, _number, swing in sorted(found, key=lambda one: one[:2])[:most])


@dataclass(frozen=True, slots=True)
class Lead:
    """The lead went elsewhere: after which hand, to whom, from whom; before anybody led, from everybody."""

    number: int
    leaders: tuple[Seat, ...]
    before: tuple[Seat, ...]
    says: Sentence


def leading(ruleset: RuleSet, running: Sequence[Points]) -> tuple[Seat, ...]:
    """Who is in front with these totals, in seat order; several where they tie, all where nobody is."""
    best = min(running) if ruleset.wins == "lowest" else max(running)
    return tuple(seat for seat, points in enumerate(running) if points == best)


def leads(match: Match) -> tuple[Lead, ...]:
    """Every change of the lead, the first lead included, in the order of play."""
    found, before = [], tuple(range(len(match.players)))
    for scored in match.finished_hands:
        now = leading(match.ruleset, scored.running)
        if now != before:
            found.append(Lead(scored.number, now, before, _lead_says(match.players, now, before)))
        before = now
    return tuple(found)


def _lead_says(players: Sequence[str], now: tuple[Seat, ...], before: tuple[Seat, ...]) -> Sentence:
    new, alone = [seat for seat in now if seat not in before], len(now) == 1
    if len(now) == len(players):
        message = gettext_noop("All are level.")
    elif len(before) == len(players):
        message = gettext_noop("{leaders} takes the lead.") if alone else gettext_noop("{leaders} share the lead.")
    elif not new:
        message = gettext_noop("{leaders} leads alone.") if alone else gettext_noop("{leaders} still share the lead.")
    elif alone:
        message = gettext_noop("{leaders} takes the lead from {before}.")
    elif len(new) + len(before) == len(now):
        level = gettext_noop("{new} draws level with {before}.")
        message = level if len(new) == 1 else gettext_noop("{new} draw level with {before}.")
    else:
        message = gettext_noop("{leaders} share the lead; {before} led before.")
    listed = {name: ", ".join(players[seat] for seat in seats) for name, seats in (("leaders", now), ("new", new))}
    return sentence(message, before=", ".join(players[seat] for seat in before), **listed)


@dataclass(frozen=True, slots=True)
class Extremes:
    """A player's best and worst hand, by points and number; several numbers where it happened again."""

    seat: Seat
    best: Points
    best_hands: tuple[int, ...]
    worst: Points
    worst_hands: tuple[int, ...]


def best_and_worst(match: Match) -> tuple[Extremes, ...]:
    """Each player's best and worst hand by the game's own measure; nobody's before the first hand."""
    hands = match.finished_hands
    if not hands:
        return ()
    best, worst = (min, max) if match.ruleset.wins == "lowest" else (max, min)
    found = []
    for seat in range(len(match.players)):
        scores = [(scored.number, scored.total[seat]) for scored in hands]
        high, low = (pick(points for _, points in scores) for pick in (best, worst))
        when = [tuple(number for number, points in scores if points == wanted) for wanted in (high, low)]
        found.append(Extremes(seat, high, when[0], low, when[1]))
    return tuple(found)


# --- duties ---


@dataclass(frozen=True, slots=True)
class Duty:
    """Doubles that one player owed a declarer: the hands in which he made them, and what became of the duty.

    ``met`` is the hand that met it; ``forced`` are the hands in which the double was compulsory and made,
    ``missed`` those in which it was compulsory and not made.
    """

    who: Seat
    declarer: Seat
    hands: tuple[int, ...]
    met: int | None
    owed: int
    forced: tuple[int, ...]
    missed: tuple[int, ...]


def duties(match: Match) -> tuple[tuple[Duty | None, ...], ...]:
    """A row a player, a column a declarer, None for oneself; empty where no double is compulsory."""
    compulsory, seats = match.ruleset.doubling.compulsory, range(len(match.players))
    if not compulsory or match.ruleset.doubling.who == "none":
        return ()
    return tuple(
        tuple(None if who == declarer else _duty(match, who, declarer, compulsory) for declarer in seats)
        for who in seats
    )


def _duty(match: Match, who: Seat, declarer: Seat, compulsory: int) -> Duty:
    declared = [scored for scored in match.finished_hands if scored.turn.declarer == declarer]
    made = [scored.number for scored in declared if (who, declarer) in scored.hand.pairs]
    compelled = [scored.number for scored in declared if who in scored.turn.forced]
    return Duty(
        who=who,
        declarer=declarer,
        hands=tuple(made),
        met=made[compulsory - 1] if len(made) >= compulsory else None,
        owed=match.turn.owed(who, declarer),
        forced=tuple(number for number in compelled if number in made),
        missed=tuple(number for number in compelled if number not in made),
    )
