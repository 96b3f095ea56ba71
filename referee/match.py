"""A match: a rule set, seats and hands, folded into turns, scores and duties.

:class:`Turn` is all that is known before a hand: whose turn it is, what is left, what is owed.
:class:`Match` walks from turn to turn and stops at the first hand that cannot have happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, ClassVar

import msgspec

from . import doubling, scoring
from .cards import SUITS
from .doubling import DoublingRuling, speaking_order
from .hands import Hand, Result, Seat
from .judging import judge, judge_match
from .play import Followed, follow_hand
from .problems import Problem, Sentence, gettext_noop, problem, sentence
from .rules import Contract, Points, RuleSet
from .scoring import whole


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before a hand is played. ``made[x][d]`` counts doubles of ``x`` on declarer ``d``."""

    ruleset: RuleSet
    players: tuple[str, ...]
    number: int
    round_starter: Seat
    declarer: Seat | None
    declared: tuple[tuple[int, Seat | None, str], ...]
    made: tuple[tuple[int, ...], ...]
    running: tuple[Points, ...]
    bank: int = 0
    strangers: tuple[str, ...] = ()

    def name(self, seat: Seat) -> str:
        """The name of a seat; seats past the last are strangers that a file named."""
        place = seat
        for names in (self.players, self.strangers):
            if 0 <= place < len(names):
                return names[place]
            place -= len(names)
        return f"seat {seat + 1}"

    @property
    def seats(self) -> range:
        """All seats, from 0."""
        return range(len(self.players))

    @property
    def round(self) -> int:
        """Which block or round this hand belongs to, from 0."""
        return (self.number - 1) // self.ruleset.hands_each

    @property
    def ends_round(self) -> bool:
        """This hand is the last of its block or round."""
        return self.number % self.ruleset.hands_each == 0

    @property
    def is_over(self) -> bool:
        """No further hand is played."""
        in_all = self.ruleset.hands_in_all(len(self.players))
        if in_all is not None:
            return self.number > in_all
        return self.number > 1 and max(self.running) >= (self.ruleset.ends_at or 0)

    @property
    def dealer(self) -> Seat | None:
        """Who deals this hand."""
        if self.declarer is None or self.ruleset.dealer == "declarer":
            return self.declarer
        return (self.declarer - 1) % len(self.players)

    @property
    def cutter(self) -> Seat | None:
        """Who cuts: the player before the dealer."""
        return None if self.dealer is None else (self.dealer - 1) % len(self.players)

    def declared_by(self, seat: Seat) -> tuple[tuple[int, str], ...]:
        """Number and contract of each hand a player declared; in games of rounds, of each in this round."""
        if self.ruleset.rotation == "round":
            first = self.round * self.ruleset.hands_each + 1
            return tuple((number, code) for number, _, code in self.declared if number >= first)
        return tuple((number, code) for number, declarer, code in self.declared if declarer == seat)

    def barred(self, seat: Seat, contract: Contract) -> Problem | None:
        """Why a player may not declare this contract any more, or None if it is open.

        Where quotas leave nothing else, a player may declare once more what he has declared already.
        """
        if not contract.times:
            message = gettext_noop("{contract} is not played at this table.")
            return problem("unknown-contract", "contract", message, contract=contract.name)
        beyond = self._beyond_quota(seat, contract)
        had = self._hands_of(seat, contract)
        if beyond or len(had) < contract.times or self._has_had_all(seat, contract.sign):
            return beyond
        message = gettext_noop("{contract} was declared in hand {number} already.")
        number = had[-1]
        return problem("contract-used", "contract", message, contract=contract.name, number=number)

    def _hands_of(self, seat: Seat, contract: Contract) -> list[int]:
        return [number for number, code in self.declared_by(seat) if code == contract.code]

    def _has_had(self, seat: Seat, contract: Contract) -> bool:
        return len(self._hands_of(seat, contract)) >= contract.times

    def _has_had_all(self, seat: Seat, sign: str) -> bool:
        """Quotas leave a player no contract of this sign that he has not had."""
        if self.ruleset.quotas is None:
            return False
        contracts = [c for c in self.ruleset.contracts if c.sign == sign and c.times]
        return all(self._has_had(seat, contract) or self._beyond_quota(seat, contract) for contract in contracts)

    def _beyond_quota(self, seat: Seat, contract: Contract) -> Problem | None:
        limit = contract.times_in_match
        in_match = [number for number, _, code in self.declared if code == contract.code] if limit is not None else []
        if limit is not None and len(in_match) >= limit:
            message = gettext_noop("The quota of {contract} is used up: {quota} in a match (hands: {hands}).")
            values = {"contract": contract.name, "quota": len(in_match), "hands": _listed(in_match)}
            return problem("contract-quota", "contract", message, **values)
        if self.ruleset.quotas is None:
            return None
        quota = getattr(self.ruleset.quotas, contract.sign)
        signs = {other.code: other.sign for other in self.ruleset.contracts}
        mine = [number for number, code in self.declared_by(seat) if signs[code] == contract.sign]
        if len(mine) < quota:
            return None
        negative = gettext_noop("{player} used up the quota of {quota} negative contracts (hands: {hands}).")
        positive = gettext_noop("{player} used up the quota of {quota} positive contracts (hands: {hands}).")
        message = negative if contract.is_negative else positive
        values = {"player": self.players[seat], "quota": quota, "hands": _listed(mine)}
        return problem("contract-quota", "contract", message, **values)

    def may_declare(self, seat: Seat) -> tuple[Contract, ...]:
        """The contracts a player may still declare, in the rule set's order."""
        if not self.ruleset.has_declarer or self.is_over:
            return ()
        if self.ruleset.rotation == "round" and seat != self.declarer:
            return ()
        return tuple(contract for contract in self.ruleset.contracts if self.barred(seat, contract) is None)

    def declarations_left(self, seat: Seat) -> int:
        """How many hands a player has still to declare, this one included."""
        return self.ruleset.hands_each - len(self.declared_by(seat))

    def owed(self, who: Seat, declarer: Seat) -> int:
        """Compulsory doubles that one player still owes another as declarer."""
        if who == declarer:
            return 0
        return doubling.owed(self.ruleset.doubling.compulsory, self.made[who][declarer])

    @property
    def forced(self) -> tuple[Seat, ...]:
        """Who must double the declarer of this hand."""
        if self.declarer is None or self.is_over:
            return ()
        left = self.declarations_left(self.declarer)
        if left > self.ruleset.doubling.compulsory:  # a short cut: nobody can owe so many
            return ()
        return tuple(seat for seat in self.seats if doubling.is_forced(self.owed(seat, self.declarer), left))

    @property
    def speaking_order(self) -> tuple[Seat, ...]:
        """The order of doubling; the declarer speaks last."""
        return () if self.declarer is None else speaking_order(self.declarer, len(self.players))

    def may_double(self, contract: Contract, who: Seat) -> tuple[Seat, ...]:
        """Whom a player may double in this contract; of the declarer, whom he may answer once doubled."""
        if self.declarer is None:
            return ()
        return doubling.may_double(self.ruleset.doubling, contract, self.declarer, len(self.players), who)

    def can_be_passed_out(self, contract: Contract) -> bool:
        """If nobody doubles this contract, it is scored without being played."""
        return contract.is_negative and self.ruleset.doubling.passes_out

    def is_passed_out(self, hand: Hand) -> bool:
        """Nobody doubled a negative contract, and so it is not played."""
        contract = self.ruleset.contract(hand.contract)
        return contract is not None and hand.doubles == () and self.can_be_passed_out(contract)

    def followed(self, hand: Hand) -> Followed | None:
        """A hand's tricks as the referee follows them; None where none are told, or none can be followed."""
        contract = self.ruleset.contract(hand.contract)
        if hand.play is None or contract is None or self.declarer is None or not self.ruleset.has_play(contract):
            return None
        trump = hand.trump if contract.needs == "trump" else None
        if contract.needs == "trump" and trump not in tuple(SUITS):
            return None
        tricks = hand.play[: self.ruleset.deck.tricks(len(self.players)) + 1]
        return follow_hand(self.ruleset, contract.code, trump, self.declarer, self.players, tricks)

    def result(self, hand: Hand) -> Result | None:
        """What a hand brought: as the table entered it, or as its tricks tell once they reach the end."""
        if hand.result is not None or (followed := self.followed(hand)) is None:
            return hand.result
        return followed.result

    def is_finished(self, hand: Hand) -> bool:
        """The hand needs nothing more to be scored."""
        return hand.coup is not None or self.is_passed_out(hand) or self.result(hand) is not None

    def problems(self, hand: Hand, *, followed: bool = False) -> tuple[Problem, ...]:
        """Everything about this hand that cannot have happened; empty for a sound hand.

        Only a hand that another has ``followed`` must be finished.
        """
        return tuple(numbered(found, self.number) for found in judge(self, hand, followed))

    def remarks(self, hand: Hand) -> tuple[Problem, ...]:
        """What happened against the rules and is recorded all the same: compulsory doubles not made."""
        return tuple(numbered(found, self.number) for found in self._duties_broken(hand))

    def _duties_broken(self, hand: Hand) -> Iterator[Problem]:
        if hand.doubles is None or self.declarer is None:
            return
        for seat in self.forced:
            if (seat, self.declarer) not in hand.doubles:
                message = gettext_noop(
                    "{player} owes {declarer} {owed} and {declarer} declares {left} more, this one included: "
                    "the double was compulsory."
                )
                yield problem("double-owed", "doubles", message, **self._duty(seat, self.declarer))

    def _duty(self, seat: Seat, declarer: Seat) -> dict[str, Any]:
        """What a player owes a declarer, for the sentence that says so."""
        return {
            "player": self.players[seat],
            "declarer": self.players[declarer],
            "owed": self.owed(seat, declarer),
            "left": self.declarations_left(declarer),
        }

    def duty(self, seat: Seat) -> Sentence | None:
        """Why a player must double the declarer of this hand; None where he need not."""
        if self.declarer is None or seat not in self.forced:
            return None
        message = gettext_noop(
            "{player} must double {declarer}: {player} owes {declarer} {owed} and {declarer} declares {left} more, "
            "this one included."
        )
        return sentence(message, **self._duty(seat, self.declarer))

    def doubling_ruling(self, contract: Contract, said: Sequence[tuple[Seat, Sequence[Seat]]]) -> DoublingRuling:
        """Whose turn it is to double, whom he may and must double, after what was said: who, and whom he doubled."""
        return doubling.ruling(self, contract, said)

    def score(self, hand: Hand) -> ScoredHand:
        """The scores of a sound hand; an unfinished one has none."""
        contract = self.ruleset.contract(hand.contract)
        if contract is None or not self.is_finished(hand):
            return ScoredHand(turn=self, hand=hand, contract=contract)
        told = msgspec.structs.replace(hand, result=self.result(hand))
        basic = scoring.basic(self.ruleset, contract, self.declarer, len(self.players), told)
        moved = doubling.settle(basic, hand.doubles or ())
        total = [own + won for own, won in zip(basic, moved, strict=True)]
        bank = self.bank
        if hand.coup is not None and not hand.coup.made:
            bank += self.ruleset.coup_failed
        if bank and self.declarer is not None and self.ends_round:
            total[self.declarer] += bank
            bank = 0
        running = [before + now for before, now in zip(self.running, total, strict=True)]
        if hand.adjustment is not None:
            for seat, points in hand.adjustment.points.items():
                running[seat] += points
        return ScoredHand(
            turn=self,
            hand=hand,
            contract=contract,
            passed_out=self.is_passed_out(hand),
            basic=basic,
            doubling=tuple(map(whole, moved)),
            total=tuple(map(whole, total)),
            running=tuple(map(whole, running)),
            bank=bank,
            remarks=self.remarks(hand),
        )

    def after(self, scored: ScoredHand) -> Turn:
        """The turn that follows a finished hand."""
        hand, players = scored.hand, len(self.players)
        declared, made, declarer, starter = self.declared, self.made, self.declarer, self.round_starter
        if declarer is not None and scored.contract is not None:
            declared = (*declared, (self.number, declarer, scored.contract.code))
            made = _count_doubles(made, hand, declarer)
            if self.ruleset.rotation == "each-deal":
                declarer = (declarer + 1) % players
            elif self.ends_round:
                declarer = starter = (starter + 1) % players
            elif hand.coup is not None and hand.coup.made:
                declarer = hand.coup.by
        return Turn(
            ruleset=self.ruleset,
            players=self.players,
            strangers=self.strangers,
            number=self.number + 1,
            round_starter=starter,
            declarer=declarer,
            declared=declared,
            made=made,
            running=scored.running,
            bank=scored.bank,
        )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def numbered(found: Problem, hand: int | None) -> Problem:
    """The same problem, of the hand with this number, or of none."""
    return msgspec.structs.replace(found, hand=hand)


def _count_doubles(made: tuple[tuple[int, ...], ...], hand: Hand, declarer: Seat) -> tuple[tuple[int, ...], ...]:
    """Doubles made on each declarer, this hand's included."""
    rows = list(made)
    for who, whom in hand.doubles or ():
        if whom == declarer:
            row = rows[who]
            rows[who] = (*row[:declarer], row[declarer] + 1, *row[declarer + 1 :])
    return tuple(rows)


class ScoredHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand with its turn and its scores by seat; an unfinished hand has empty scores."""

    turn: Turn
    hand: Hand
    contract: Contract | None
    passed_out: bool = False
    basic: tuple[Points, ...] = ()
    doubling: tuple[Points, ...] = ()
    total: tuple[Points, ...] = ()
    running: tuple[Points, ...] = ()
    bank: int = 0
    remarks: tuple[Problem, ...] = ()

    @property
    def number(self) -> int:
        """Its place in the match, from 1."""
        return self.turn.number

    @property
    def result(self) -> Result | None:
        """What it brought, as entered or as its tricks tell."""
        return self.turn.result(self.hand)

    @property
    def is_finished(self) -> bool:
        """It has scores."""
        return bool(self.total)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's score and place; equal scores share a place."""

    seat: Seat
    score: Points
    place: int


@dataclass(frozen=True)
class Match:
    """A rule set, seats in the order of play, and the hands so far."""

    ruleset: RuleSet
    players: tuple[str, ...]
    first_declarer: Seat = 0
    hands: tuple[Hand, ...] = ()
    strangers: tuple[str, ...] = ()

    _known: ClassVar[tuple[ScoredHand, ...]] = ()
    """Hands at the beginning that were scored before, in a match that has these and went on otherwise."""

    @cached_property
    def first_turn(self) -> Turn:
        """What is known before the first hand."""
        seats = len(self.players)
        return Turn(
            ruleset=self.ruleset,
            players=self.players,
            number=1,
            round_starter=self.first_declarer,
            declarer=self.first_declarer if self.ruleset.has_declarer else None,
            declared=(),
            made=((0,) * seats,) * seats,
            running=(self.ruleset.purse,) * seats,
            strangers=self.strangers,
        )

    @cached_property
    def _fold(self) -> tuple[tuple[ScoredHand, ...], Turn, tuple[Problem, ...]]:
        scored = list(self._known)
        turn = scored[-1].turn.after(scored[-1]) if scored else self.first_turn
        if wrong := () if scored else tuple(judge_match(turn)):
            return (), turn, wrong
        for hand in self.hands[len(scored) :]:
            if wrong := turn.problems(hand, followed=turn.number < len(self.hands)):
                break
            now = turn.score(hand)
            scored.append(now)
            if now.is_finished:
                turn = turn.after(now)
        return tuple(scored), turn, wrong

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem of the first bad hand, or of the match itself; empty if all is sound."""
        return self._fold[2]

    @property
    def scored(self) -> tuple[ScoredHand, ...]:
        """The sound hands with their scores; only the last may be unfinished."""
        return self._fold[0]

    @property
    def turn(self) -> Turn:
        """What is known before the next hand, or before the one that is not finished."""
        return self._fold[1]

    @cached_property
    def finished_hands(self) -> tuple[ScoredHand, ...]:
        """The hands that have scores."""
        return tuple(scored for scored in self.scored if scored.is_finished)

    @property
    def unfinished_hand(self) -> Hand | None:
        """The last hand, where it is under way."""
        return self.scored[-1].hand if self.scored and not self.scored[-1].is_finished else None

    @property
    def is_over(self) -> bool:
        """All hands are played, or somebody has reached the score that ends the match."""
        return self.turn.is_over

    def turn_of(self, number: int) -> Turn:
        """What was known before a hand, by its number from 1."""
        return self.scored[number - 1].turn if 1 <= number <= len(self.scored) else self.turn

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Best first by the game's own measure; equal scores share a place and stand in seat order."""
        scores = self.turn.running
        best_first = sorted(self.turn.seats, key=lambda seat: scores[seat], reverse=self.ruleset.wins != "lowest")
        ordered = [scores[seat] for seat in best_first]
        return tuple(
            Standing(seat=seat, score=scores[seat], place=ordered.index(scores[seat]) + 1) for seat in best_first
        )

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won, in seat order; nobody before the match is over."""
        if not self.is_over:
            return ()
        if self.ruleset.wins == "above-zero":
            return tuple(seat for seat in self.turn.seats if self.turn.running[seat] > 0)
        return tuple(sorted(standing.seat for standing in self.standings if standing.place == 1))

    def with_hands(self, hands: Sequence[Hand]) -> Match:
        """The same match with other hands; those it begins with that are the same are not scored again."""
        changed = replace(self, hands=tuple(hands))
        if "_fold" in vars(self):
            vars(changed)["_known"] = self._scored_before(changed.hands)
        return changed

    def _scored_before(self, hands: Sequence[Hand]) -> tuple[ScoredHand, ...]:
        """The finished hands of this match with which other hands begin too."""
        same = takewhile(lambda pair: pair[0].hand == pair[1], zip(self.finished_hands, hands, strict=False))
        return tuple(scored for scored, _hand in same)


def by_name(players: Sequence[str], points: Sequence[Points]) -> Mapping[str, Points]:
    """Points by seat as a mapping by name."""
    return dict(zip(players, points, strict=True))
