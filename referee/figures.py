"""What counts for the figures of a player, taken out of a match and added up.

A :class:`Tally` is what one match says, by seat. :class:`Figures` adds up the tallies of one game, by player;
points of different games are never added. A :class:`Question` asks for the hands behind a figure, and
counts in them what the figure counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal
from zlib import crc32

import msgspec

from .doubling import settle
from .hands import Hand, Seat
from .match import Match, ScoredHand, Turn
from .rules import Contract, Points, RuleSet

How = Literal["chosen", "forced", "back"]
"""A double by choice, one that was compulsory at that moment, or the answer to a double."""

Role = Literal["declarer", "other"]
"""Who declared a hand, or one of the others."""

Ending = Literal["finished", "unfinished", "won", "shared", "before", "level", "behind"]
"""How a match ended for a player; the last three against another one, by their places."""

Player = int
"""A player by a number that is the same in every match, whatever his seat and his name."""


class Named(msgspec.Struct, frozen=True, array_like=True):
    """A contract as the figures call it."""

    code: str
    name: str
    short: str


class Game(msgspec.Struct, frozen=True, array_like=True):
    """A game whose points may be added: its rules by code and name, and what its figures need of them.

    ``prices`` differs where the same rules, by code and name, were once worth other points.
    """

    code: str
    name: str
    wins: str
    purse: int
    has_declarer: bool
    has_rounds: bool
    has_doubling: bool
    has_coups: bool
    hands_each: int
    prices: int
    contracts: tuple[Named, ...]

    @property
    def key(self) -> str:
        """Code and name in one."""
        return f"{self.code}:{self.name}"

    def is_better(self, score: Points, than: Points) -> bool:
        """One score at the end of a match is better than another."""
        return score < than if self.wins == "lowest" else score > than

    def with_older(self, older: Game) -> Game:
        """This game, and what only an older version of its rules has: contracts, and more hands for each."""
        more = tuple(contract for contract in older.contracts if self.contract(contract.code) is None)
        if not more and older.hands_each <= self.hands_each:
            return self
        hands_each = max(self.hands_each, older.hands_each)
        return msgspec.structs.replace(self, contracts=(*self.contracts, *more), hands_each=hands_each)

    def contract(self, code: str) -> Named | None:
        """The contract with this code."""
        return next((contract for contract in self.contracts if contract.code == code), None)


class Double(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One double of a hand: who doubled whom and how, and what it moved to the one who doubled."""

    who: Seat
    whom: Seat
    how: How
    won: Points


class Dealt(msgspec.Struct, frozen=True, array_like=True):
    """A finished hand: its contract, who declared it as which of his own, and its points by seat.

    ``choosers`` could double somebody by choice. Penalties that the table agreed on are not in it.
    """

    number: int
    contract: str
    declarer: Seat | None
    declaration: int
    passed_out: bool
    coup: tuple[Seat, bool] | None
    choosers: tuple[Seat, ...]
    doubles: tuple[Double, ...]
    total: tuple[Points, ...]


class Tally(msgspec.Struct, frozen=True, array_like=True):
    """What one match says: its finished hands, and once it is over the score and place of each seat."""

    game: Game
    is_over: bool
    scores: tuple[Points, ...]
    places: tuple[int, ...]
    winners: tuple[Seat, ...]
    hands: tuple[Dealt, ...]

    @property
    def is_shared(self) -> bool:
        """The win is shared. Where everyone above zero wins, nobody has to share."""
        return len(self.winners) > 1 and self.game.wins != "above-zero"

    def ended(self, ending: Ending, seat: Seat, other: Seat | None = None) -> bool:
        """The match ended like this for a seat; against another one where one is given."""
        if ending == "unfinished":
            return not self.is_over
        if not self.is_over:
            return False
        if ending in ("won", "shared"):
            return seat in self.winners and (ending == "won" or self.is_shared)
        if ending == "finished" or other is None:
            return True
        ahead = self.places[other] - self.places[seat]
        return {"before": ahead > 0, "level": ahead == 0, "behind": ahead < 0}[ending]


def tally(match: Match) -> Tally:
    """What a match says, the sound hands of it."""
    over = match.is_over
    places = {standing.seat: standing.place for standing in match.standings}
    return Tally(
        game=game(match.ruleset),
        is_over=over,
        scores=match.turn.running if over else (),
        places=tuple(places[seat] for seat in match.turn.seats) if over else (),
        winners=match.winners if over else (),
        hands=tuple(_dealt(scored, contract) for scored in match.finished_hands if (contract := scored.contract)),
    )


def game(ruleset: RuleSet) -> Game:
    """The game that these rules make."""
    prices = (ruleset.contracts, ruleset.doubling, ruleset.payment, ruleset.purse, ruleset.coup_failed)
    return Game(
        code=ruleset.code,
        name=ruleset.name,
        wins=ruleset.wins,
        purse=ruleset.purse,
        has_declarer=ruleset.has_declarer,
        has_rounds=ruleset.rotation == "round",
        has_doubling=ruleset.doubling.who != "none",
        has_coups=ruleset.has_coups,
        hands_each=ruleset.hands_each,
        prices=crc32(msgspec.json.encode(prices, order="deterministic")),
        contracts=tuple(Named(contract.code, contract.name, contract.short) for contract in ruleset.contracts),
    )


def _dealt(scored: ScoredHand, contract: Contract) -> Dealt:
    turn, hand = scored.turn, scored.hand
    return Dealt(
        number=turn.number,
        contract=contract.code,
        declarer=turn.declarer,
        declaration=0 if turn.declarer is None else len(turn.declared_by(turn.declarer)) + 1,
        passed_out=scored.passed_out,
        coup=None if hand.coup is None else (hand.coup.by, hand.coup.made),
        choosers=()
        if hand.doubles is None
        else tuple(seat for seat in turn.seats if _may_choose(turn, contract, seat)),
        doubles=tuple(_doubles(scored)),
        total=scored.total,
    )


def _may_choose(turn: Turn, contract: Contract, seat: Seat) -> bool:
    """A player who does not declare may double somebody whom he need not."""
    if seat == turn.declarer:
        return False
    return any(whom != turn.declarer or seat not in turn.forced for whom in turn.may_double(contract, seat))


def _doubles(scored: ScoredHand) -> Iterator[Double]:
    """The doubles in speaking order, each with what it moved."""
    order = {seat: place for place, seat in enumerate(scored.turn.speaking_order)}
    for who, whom in sorted(scored.hand.pairs, key=lambda pair: (order[pair[0]], order[pair[1]])):
        yield Double(who, whom, _how(scored.turn, scored.hand, who, whom), settle(scored.basic, [(who, whom)])[who])


def _how(turn: Turn, hand: Hand, who: Seat, whom: Seat) -> How:
    if whom == turn.declarer and who in turn.forced:
        return "forced"
    order = turn.speaking_order
    return "back" if (whom, who) in hand.pairs and order.index(whom) < order.index(who) else "chosen"


@dataclass(slots=True)
class Sum:
    """How often something was, and the points of it."""

    count: int = 0
    points: Points = 0

    @classmethod
    def of(cls, sums: Iterable[Sum]) -> Sum:
        """Several together."""
        together = cls()
        for one in sums:
            together.count += one.count
            together.points += one.points
        return together

    def add(self, points: Points) -> None:
        """Once more, with these points."""
        self.count += 1
        self.points += points

    @property
    def average(self) -> float | None:
        """Points each time; None where it never was."""
        return self.points / self.count if self.count else None


@dataclass(slots=True)
class Against:
    """A player against another one: finished matches by who was placed before whom, and doubles both ways."""

    before: int = 0
    level: int = 0
    behind: int = 0
    doubled: Sum = field(default_factory=Sum)
    doubled_by: Sum = field(default_factory=Sum)

    @property
    def matches(self) -> int:
        """The finished matches that both played."""
        return self.before + self.level + self.behind

    @property
    def won(self) -> Points:
        """What doubling between the two moved to the player."""
        return self.doubled.points + self.doubled_by.points


@dataclass(slots=True)
class Record:
    """A player in one game. Sums of hands are by contract; ``declarations`` counts his own by their number."""

    results: Sum = field(default_factory=Sum)
    won: int = 0
    shared: int = 0
    unfinished: int = 0
    hands: Sum = field(default_factory=Sum)
    declared: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    other: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    passed_out: Sum = field(default_factory=Sum)
    coups: Sum = field(default_factory=Sum)
    coups_made: int = 0
    declarations: Counter[tuple[str, int]] = field(default_factory=Counter)
    chances: int = 0
    taken: int = 0
    doubles: dict[How, Sum] = field(default_factory=lambda: defaultdict(Sum))
    doubled_by: Sum = field(default_factory=Sum)
    against: dict[Player, Against] = field(default_factory=lambda: defaultdict(Against))

    @property
    def doubling(self) -> Points:
        """What all doubling moved to the player, his own doubles and those of others."""
        return sum(done.points for done in self.doubles.values()) + self.doubled_by.points


@dataclass
class Figures:
    """One game added up: a record for each player."""

    game: Game
    has_changed: bool = False
    records: dict[Player, Record] = field(default_factory=dict)

    def add(self, tally: Tally, players: Sequence[Player]) -> None:
        """Count a match of this game with these players in its seats."""
        self.has_changed |= tally.game.prices != self.game.prices
        records = [self.records.setdefault(player, Record()) for player in players]
        for seat, record in enumerate(records):
            _add_result(record, tally, seat, players)
        for dealt in tally.hands:
            _add_hand(dealt, records)
            _add_doubles(dealt, records, players)

    def everyone(self, contract: str, role: Role) -> Sum:
        """A contract as its declarers had it, or as the others had it, all players together."""
        kept = [record.declared if role == "declarer" else record.other for record in self.records.values()]
        return Sum.of(sums[contract] for sums in kept if contract in sums)


def _add_hand(dealt: Dealt, records: list[Record]) -> None:
    contract, declarer = dealt.contract, dealt.declarer
    for seat, (record, points) in enumerate(zip(records, dealt.total, strict=True)):
        record.hands.add(points)
        (record.declared if seat == declarer else record.other)[contract].add(points)
    if declarer is not None:
        records[declarer].declarations[contract, dealt.declaration] += 1
        if dealt.passed_out:
            records[declarer].passed_out.add(dealt.total[declarer])
    if dealt.coup is not None:
        by, made = dealt.coup
        records[by].coups.add(dealt.total[by])
        records[by].coups_made += made


def _add_result(record: Record, tally: Tally, seat: Seat, players: Sequence[Player]) -> None:
    if not tally.is_over:
        record.unfinished += 1
        return
    record.results.add(tally.scores[seat])
    record.won += seat in tally.winners
    record.shared += seat in tally.winners and tally.is_shared
    for other, player in enumerate(players):
        if other != seat:
            against = record.against[player]
            against.before += tally.places[seat] < tally.places[other]
            against.level += tally.places[seat] == tally.places[other]
            against.behind += tally.places[seat] > tally.places[other]


def _add_doubles(dealt: Dealt, records: list[Record], players: Sequence[Player]) -> None:
    chose = set()
    for double in dealt.doubles:
        who, whom, won = records[double.who], records[double.whom], double.won
        who.doubles[double.how].add(won)
        who.against[players[double.whom]].doubled.add(won)
        whom.doubled_by.add(-won)
        whom.against[players[double.who]].doubled_by.add(-won)
        if double.how == "chosen":
            chose.add(double.who)
    for seat in dealt.choosers:
        records[seat].chances += 1
        records[seat].taken += seat in chose


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Which hands of a player are asked for; what is left out does not matter.

    ``doubled`` asks for doubles by the player, ``doubled_by`` for doubles on him, both together for either;
    ``other`` is whom he doubled, or who doubled him. Then the points are those that such doubles moved.
    """

    contract: str | None = None
    role: Role | None = None
    declaration: int | None = None
    passed_out: bool = False
    coup: bool = False
    chance: bool = False
    doubled: How | Literal["any"] | None = None
    doubled_by: bool = False
    other: Player | None = None

    @property
    def is_of_doubles(self) -> bool:
        """It asks for doubles, and their points count instead of the hands'."""
        return self.doubled is not None or self.doubled_by

    def counted(self, dealt: Dealt, seat: Seat, other: Seat | None) -> list[Points]:
        """What counts of this hand for a player in his seat: its points, or those of each double; nothing if none.

        ``other`` is the seat of the other player; None where he does not sit there or none is asked for.
        """
        if not self._is_asked_for(dealt, seat) or (self.other is not None and other is None):
            return []
        if not self.is_of_doubles:
            return [dealt.total[seat]]
        return list(self._moved(dealt, seat, other))

    def _is_asked_for(self, dealt: Dealt, seat: Seat) -> bool:
        return not (
            (self.contract is not None and dealt.contract != self.contract)
            or (self.role is not None and (dealt.declarer == seat) != (self.role == "declarer"))
            or (self.declaration is not None and dealt.declaration != self.declaration)
            or (self.passed_out and not dealt.passed_out)
            or (self.coup and (dealt.coup is None or dealt.coup[0] != seat))
            or (self.chance and seat not in dealt.choosers)
        )

    def _moved(self, dealt: Dealt, seat: Seat, other: Seat | None) -> Iterator[Points]:
        for double in dealt.doubles:
            if double.who == seat and self.doubled in ("any", double.how) and other in (None, double.whom):
                yield double.won
            if double.whom == seat and self.doubled_by and other in (None, double.who):
                yield -double.won
