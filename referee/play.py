"""Tricks, dominoes, and a whole hand card by card: what may be played, why not, and what it brought.

Cards are written as in match files, ``"9S"``; a trick is its cards in the order played. A question trusts
that its cards are of the deck and all different: ``problems`` beside it tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import msgspec

from .cards import RANKS, SUIT_GLYPHS, SUITS
from .hands import Result, Seat, Trick
from .problems import Problem, gettext_noop, problem
from .rules import Contract, Counts, Ravaged, RuleSet

REFUSED = {
    "play-heart-lead": gettext_noop("{card} may not be led while another suit is held, and you hold {other}."),
    "play-revoke": gettext_noop("{led} was led: {card} does not follow suit, and you hold {other} which does."),
    "play-must-beat": gettext_noop("{card} does not beat {top}, and you hold {other} which does."),
    "play-must-trump": gettext_noop(
        "You cannot follow {led} and must trump: {card} is no trump, and you hold {other}."
    ),
    "play-must-overtrump": gettext_noop("{card} does not beat {top}, and you hold {other} which does."),
    "play-must-discard": gettext_noop(
        "You cannot follow {led} and must throw a card that counts: {card} does not, and you hold {other}."
    ),
}
"""Why a card may not be played now, to the player who holds ``other``."""

NOT_DISCARDED = gettext_noop(
    "No heart has been discarded yet: {card} may not be led while another suit is held, and you hold {other}."
)
SUIT_IS_HELD = gettext_noop("{led} was led: {card} does not follow suit, and the suit is held.")

DEPENDS = {
    "play-heart-lead": gettext_noop("{card} is allowed only if no other suit is held."),
    "play-revoke": gettext_noop("{card} is allowed only if no card in the suit of {led} is held."),
    "play-must-beat": gettext_noop("{card} is allowed only if no trump above {top} is held."),
    "play-must-trump": gettext_noop("{card} is allowed only if no trump is held."),
    "play-must-overtrump": gettext_noop("{card} is allowed only if no trump above {top} is held."),
    "play-must-discard": gettext_noop("{card} is allowed only if no card that counts is held."),
}
"""What decides whether a card was allowed, where the hand is not known."""

PROVEN = {
    "play-heart-lead": gettext_noop(
        "{player} led {card} while holding another suit; {other} in trick {later} proves it."
    ),
    "play-revoke": gettext_noop(
        "{player} played {card} on {led} and did not follow suit; {other} in trick {later} proves it."
    ),
    "play-must-beat": gettext_noop(
        "{player} played {card}, which does not beat {top}; {other}, shown in trick {later}, does."
    ),
    "play-must-trump": gettext_noop(
        "{player} did not follow {led} and had to trump, not to play {card}; {other} in trick {later} proves it."
    ),
    "play-must-overtrump": gettext_noop(
        "{player} played {card}, which does not beat {top}; {other}, shown in trick {later}, does."
    ),
    "play-must-discard": gettext_noop(
        "{player} did not follow {led} and had to throw a card that counts, not {card}; "
        "{other} in trick {later} proves it."
    ),
}
"""What a player did against the rules, proven by a card shown later."""


def face(card: str) -> str:
    """A card as people write it.

    >>> face("TS"), face("KH")
    ('10♠', 'K♥')
    """
    return card[0].replace("T", "10") + SUIT_GLYPHS[card[1]]


@cache
def _heights(ranks: str) -> Mapping[str, int]:
    """A deck, each card with its height in its suit; the ranks are given high to low."""
    return {rank + suit: height for suit in SUITS for height, rank in enumerate(reversed(ranks))}


def _card_problems(deck: Collection[str], places: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, cards in places.items():
        for card in cards:
            if card not in deck:
                yield _unknown_card(f"{place}, {card}", card)
            elif card in seen:
                message = gettext_noop("{card} is there twice.")
                yield problem("play-card-twice", f"{place}, {card}", message, card=face(card))
            seen.add(card)


def _unknown_card(where: str, given: str) -> Problem:
    message = gettext_noop("There is no card “{given}” in this game; cards are rank then suit, such as 9S.")
    return problem("unknown-card", where, message, given=given)


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards of a hand may be played now, and why not the others."""

    legal: tuple[str, ...]
    refused: Mapping[str, Problem]

    @property
    def may_pass(self) -> bool:
        """Nothing fits, so that the turn passes (dominoes)."""
        return not self.legal


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one card was allowed: yes, no with the reason, or None with what it depends on."""

    allowed: bool | None
    why: tuple[Problem, ...] = ()


# Tricks


@dataclass(frozen=True)
class TrickRules:
    """How the tricks of one hand are played: a rule set's switches, the contract, its trump suit."""

    ruleset: RuleSet
    contract: Contract
    trump: str | None = None
    players: int = 4

    @cached_property
    def heights(self) -> Mapping[str, int]:
        """The deck, each card with its height in its suit."""
        return _heights(self.ruleset.deck.ranks_of(self.players))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The cards that count in this contract."""
        return self.contract.card_set & self.heights.keys()

    @cached_property
    def suits(self) -> Mapping[str | None, frozenset[str]]:
        """The cards of each suit; of no suit, where there is no trump, none."""
        none: frozenset[str] = frozenset()
        return {None: none} | {suit: frozenset(card for card in self.heights if card[1] == suit) for suit in SUITS}

    @property
    def tricks_in_all(self) -> int:
        """How many tricks a hand has: 13 where four players share a full deck."""
        return self.ruleset.deck.tricks(self.players)

    @property
    def may_stop_early(self) -> bool:
        """Only cards count, so that the hand may stop once all of them are out."""
        return isinstance(self.contract, Counts) and all(item.cards for item in self.contract.items)

    def problems(self, trick: Sequence[str], hand: Sequence[str]) -> Iterator[Problem]:
        """What is wrong with a question about a trick: no such card, a card twice, nobody's turn."""
        yield from _card_problems(self.heights, {"trick": trick, "hand": hand})
        if len(trick) + bool(hand) > self.players:
            message = gettext_noop("The trick has {given} cards already; {players} play to it.")
            yield problem("play-short-trick", "trick", message, given=len(trick), players=self.players)

    def winning(self, trick: Sequence[str]) -> str | None:
        """The card that wins the trick as it lies: the highest trump, or else the highest of the suit led."""
        if not trick:
            return None
        suit = self.trump if self.is_trumped(trick) else trick[0][1]
        return max(self.suits[suit].intersection(trick), key=self.heights.__getitem__)

    def is_trumped(self, trick: Sequence[str]) -> bool:
        """There is a trump in the trick."""
        return not self.suits[self.trump].isdisjoint(trick)

    def ruling(self, trick: Sequence[str], hand: Sequence[str], *, heart_discarded: bool = False) -> Ruling:
        """Which cards of a hand may be played to the trick so far, and why not the others."""
        legal, refused = self.sort_out(trick, hand, heart_discarded=heart_discarded)
        why = {card: self._refusal(trick, card, *refused[card]) for card in hand if card in refused}
        return Ruling(legal=legal, refused=why)

    def verdict(
        self,
        trick: Sequence[str],
        card: str,
        *,
        held: Sequence[str] = (),
        holds_led: bool | None = None,
        heart_discarded: bool = False,
    ) -> Verdict:
        """Whether a card may be played to the trick so far, as far as the player's hand is known.

        ``held`` are other cards known to be in the hand; ``holds_led`` says whether it has the suit led,
        None that nobody knows.
        """
        if trick and holds_led and card[1] != trick[0][1]:
            return Verdict(allowed=False, why=(self._problem("play-revoke", SUIT_IS_HELD, trick, card),))
        _, refused = self.sort_out(trick, (card, *held), heart_discarded=heart_discarded)
        if card in refused:
            return Verdict(allowed=False, why=(self._refusal(trick, card, *refused[card]),))
        # Whatever refuses a card, one other card in the hand is enough for it, and more never free it again.
        depends = set()
        for other in self.heights.keys() - {*trick, card, *held}:
            if not trick or holds_led is not False or other[1] != trick[0][1]:
                _, refused = self.sort_out(trick, (card, *held, other), heart_discarded=heart_discarded)
                depends |= {refused[card][0]} if card in refused else set()
        why = tuple(
            self._problem(code, self._condition(code, trick), trick, card) for code in DEPENDS if code in depends
        )
        return Verdict(allowed=None if why else True, why=why)

    def sort_out(
        self, trick: Sequence[str], hand: Sequence[str], *, heart_discarded: bool
    ) -> tuple[tuple[str, ...], dict[str, tuple[str, str]]]:
        """The legal cards, and for each other the duty it fails and the first card that would do."""
        legal, refused = tuple(hand), dict[str, tuple[str, str]]()
        for code, wanted in self._duties(trick, hand, heart_discarded):
            if kept := tuple(card for card in legal if card in wanted):
                refused |= {card: (code, kept[0]) for card in legal if card not in wanted}
                legal = kept
        return legal, refused

    def _duties(
        self, trick: Sequence[str], hand: Sequence[str], heart_discarded: bool
    ) -> Iterator[tuple[str, Set[str]]]:
        """What the player must do if he can, one after the other: a code and the cards that do it."""
        play, trumps = self.ruleset.play, self.suits[self.trump]
        if not trick:
            is_free = play.hearts_lead == "free" or (play.hearts_lead == "after-discard" and heart_discarded)
            if self.contract.is_about_hearts and not is_free:
                yield "play-heart-lead", self.heights.keys() - self.suits["H"]
            return
        led = trick[0][1]
        top = max((self.heights[card] for card in trick if card in trumps), default=-1)
        higher = {card for card in trumps if self.heights[card] > top}
        if not self.suits[led].isdisjoint(hand):
            yield "play-revoke", self.suits[led]
            if led == self.trump and play.beat_trump_lead:
                yield "play-must-beat", higher
            return
        if play.under_trump == "must" or not higher.isdisjoint(hand):
            yield "play-must-trump", trumps
            yield "play-must-overtrump", higher
        if play.void_penalty == "must" or (play.king_first_chance and self.counted == {"KH"}):
            yield "play-must-discard", self.counted

    def _condition(self, code: str, trick: Sequence[str]) -> str:
        """What the hand must lack; under a trump only a higher one, unless going under is a duty too."""
        if code == "play-must-trump" and self.is_trumped(trick) and self.ruleset.play.under_trump == "free":
            return DEPENDS["play-must-overtrump"]
        return DEPENDS[code]

    def _refusal(self, trick: Sequence[str], card: str, code: str, other: str) -> Problem:
        is_for_now = code == "play-heart-lead" and self.ruleset.play.hearts_lead == "after-discard"
        message = NOT_DISCARDED if is_for_now else REFUSED[code]
        return self._problem(code, message, trick, card, other=face(other))

    def _problem(self, code: str, message: str, trick: Sequence[str], card: str, **values: str) -> Problem:
        return problem(code, card, message, card=face(card), **values, **self.words(trick))

    def words(self, trick: Sequence[str]) -> Mapping[str, str]:
        """What sentences name of a trick: the card led and the card that wins so far."""
        top = self.winning(trick)
        return {"led": face(trick[0]), "top": face(top)} if top else {}


# Dominoes


@dataclass(frozen=True)
class Layout:
    """Dominoes as they lie: the starting rank, the cards on the table in any order, the deck's ranks."""

    start: str
    cards: Sequence[str] = ()
    ranks: str = RANKS[::-1]

    def problems(self, hand: Sequence[str]) -> Iterator[Problem]:
        """What is wrong with a question about dominoes: no such card, a card twice, a gap in the layout."""
        deck = _heights(self.ranks)
        yield from _card_problems(deck, {"layout": self.cards, "hand": hand})
        for card in self.cards:
            if card in deck and not self.fits(card):
                message = gettext_noop("{card} cannot lie there: {before} is missing.")
                values = {"card": face(card), "before": face(self.before(card))}
                yield problem("play-does-not-fit", f"layout, {card}", message, **values)

    def fits(self, card: str) -> bool:
        """The card begins its suit, or its neighbour lies there already."""
        return card[0] == self.start or self.before(card) in self.cards

    def before(self, card: str) -> str:
        """The card's neighbour on the side of the starting rank, which must lie there first."""
        place, start = self.ranks.index(card[0]), self.ranks.index(self.start)
        return self.ranks[place + (1 if place < start else -1)] + card[1]

    def ruling(self, hand: Sequence[str]) -> Ruling:
        """Which cards of a hand may be laid now, and why not the others; with none the turn passes."""
        message = gettext_noop("{card} does not fit: {before} is not there yet.")
        refused = {}
        for card in hand:
            if not self.fits(card):
                values = {"card": face(card), "before": face(self.before(card))}
                refused[card] = problem("play-does-not-fit", card, message, **values)
        return Ruling(legal=tuple(card for card in hand if card not in refused), refused=refused)


# A hand card by card


def follow(rules: TrickRules, declarer: Seat, tricks: Sequence[Trick], name: Callable[[Seat], str]) -> Followed:
    """A hand card by card: its faults, who won each trick, and what it brought.

    Where a trick is led out of turn, either its leader is written wrongly or somebody did lead out of turn;
    of the two readings the one that makes fewer other faults is taken.
    """
    played = Followed(rules, declarer, tuple(tricks), name, tuple(trick.led_by for trick in tricks))
    for place in range(min(len(tricks), rules.tricks_in_all)):
        if (expected := played.turns[place]) not in (None, tricks[place].led_by):
            leaders = (*played.leaders[:place], expected, *played.leaders[place + 1 :])
            other = replace(played, leaders=leaders)
            played = min(played, other, key=lambda reading: len(reading.problems))
    return played


@lru_cache(maxsize=256)
def follow_hand(
    ruleset: RuleSet, code: str, trump: str | None, declarer: Seat, players: tuple[str, ...], tricks: tuple[Trick, ...]
) -> Followed:
    """A hand of a match card by card, as :func:`follow` does it; one seen before is not followed again."""
    contract = ruleset.contract(code)
    assert contract is not None
    return follow(TrickRules(ruleset, contract, trump, len(players)), declarer, tricks, players.__getitem__)


@dataclass(frozen=True)
class Followed:
    """A play that the referee has followed, under one reading of who led each trick."""

    rules: TrickRules
    declarer: Seat
    tricks: tuple[Trick, ...]
    name: Callable[[Seat], str]
    leaders: tuple[Seat, ...]

    @cached_property
    def _tricks(self) -> tuple[Trick, ...]:
        """No more tricks than there can be."""
        return self.tricks[: self.rules.tricks_in_all]

    @cached_property
    def _doubtful(self) -> frozenset[str]:
        """Cards that there are not, or that are there twice: they prove nothing."""
        times = Counter(card for trick in self._tricks for card in trick.cards)
        return frozenset(card for card in times if times[card] > 1 or card not in self.rules.heights)

    def _is_sound(self, place: int) -> bool:
        """It is known who played each card of a trick, and each is a card played once."""
        return self._has_seats(place) and self._doubtful.isdisjoint(self._tricks[place].cards)

    def _has_seats(self, place: int) -> bool:
        """It is known who played each card: nobody is left out, and the leader is of this match."""
        size, players = len(self._tricks[place].cards), self.rules.players
        is_whole = size == players or (size < players and place == len(self.tricks) - 1)
        return is_whole and self.leaders[place] in range(players)

    def seat(self, place: int, position: int) -> Seat:
        """Who played a card, by the places of the trick and of the card in it, from 0."""
        return (self.leaders[place] + position) % self.rules.players

    @cached_property
    def winners(self) -> tuple[Seat | None, ...]:
        """Who won each trick; None where that is not known."""
        return tuple(self._winner(place) for place in range(len(self._tricks)))

    def _winner(self, place: int) -> Seat | None:
        cards = self._tricks[place].cards
        if len(cards) != self.rules.players or not self._is_sound(place):
            return None
        return self.seat(place, cards.index(self.rules.winning(cards) or ""))

    @cached_property
    def turns(self) -> tuple[Seat | None, ...]:
        """Whose turn it was to lead: the declarer's, then the winners'; None where that is not known."""
        return (self.declarer, *self.winners)[: len(self._tricks)]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything in the play that is against the rules or cannot be; of cards, what later ones prove."""
        return tuple(self._problems())

    def _problems(self) -> Iterator[Problem]:
        first: dict[str, int] = {}
        heart_discarded = False
        for place, trick in enumerate(self._tricks):
            number = place + 1
            yield from self._shape(place)
            faults = self._faults(place, heart_discarded)
            for card in trick.cards:
                where = f"trick {number}, {card}"
                if card not in self.rules.heights:
                    yield _unknown_card(where, card)
                elif card in first:
                    message = gettext_noop("{card} in trick {number} was played in trick {earlier} already.")
                    values = {"card": face(card), "number": number, "earlier": first[card]}
                    yield problem("play-card-twice", where, message, **values)
                elif card in faults:
                    yield faults[card]
                first.setdefault(card, number)
            suits = [card[1] for card in trick.cards] if self._is_sound(place) else ["?", "H"]
            heart_discarded |= "H" in suits and suits[0] != "H"
        for trick in self.tricks[self.rules.tricks_in_all :][:1]:
            number = self.rules.tricks_in_all
            message = gettext_noop("Trick {number} comes after the end: a hand has {tricks} tricks.")
            where = ", ".join((f"trick {number + 1}", *trick.cards[:1]))
            yield problem("play-after-the-end", where, message, number=number + 1, tricks=number)

    def _shape(self, place: int) -> Iterator[Problem]:
        """Who led, and whether everybody played once."""
        cards, number = self._tricks[place].cards, place + 1
        size, players = len(cards), self.rules.players
        led_by, turn = self.tricks[place].led_by, self.turns[place]
        if turn is not None and led_by != turn and led_by in range(players):
            message = (
                gettext_noop("{player} led trick {number}, but {turn} had won trick {before}.")
                if place
                else gettext_noop("{player} led trick {number}, but {turn} declares and leads first.")
            )
            where = ", ".join((f"trick {number}", *cards[:1]))
            values = {"player": self.name(led_by), "turn": self.name(turn), "number": number, "before": place}
            yield problem("play-out-of-turn", where, message, **values)
        if size > players or (size < players and place < len(self.tricks) - 1):
            message = gettext_noop("Trick {number} has {given} cards; {players} play to it.")
            values = {"number": number, "given": size, "players": players}
            yield problem("play-short-trick", f"trick {number}", message, **values)

    def _faults(self, place: int, heart_discarded: bool) -> dict[str, Problem]:
        """Cards of a trick that may not have been played, as their players show by later cards."""
        faults: dict[str, Problem] = {}
        cards = self._tricks[place].cards if self._is_sound(place) else ()
        for position, card in enumerate(cards):
            trick, seat = cards[:position], self.seat(place, position)
            later = {c: n for n, c in self._shown[seat] if n > place + 1}
            _, refused = self.rules.sort_out(trick, (card, *later), heart_discarded=heart_discarded)
            if card in refused:
                code, other = refused[card]
                words = {"player": self.name(seat), "card": face(card), "other": face(other)}
                words |= self.rules.words(trick)
                where = f"trick {place + 1}, {card}"
                faults[card] = problem(code, where, PROVEN[code], later=later[other], **words)
        return faults

    @cached_property
    def _shown(self) -> tuple[tuple[tuple[int, str], ...], ...]:
        """The cards that each player is known to have played, with the number of the trick."""
        shown: tuple[list[tuple[int, str]], ...] = tuple([] for _ in range(self.rules.players))
        for place, trick in enumerate(self._tricks):
            if self._has_seats(place):
                for position, card in enumerate(trick.cards):
                    if card not in self._doubtful:
                        shown[self.seat(place, position)].append((place + 1, card))
        return tuple(map(tuple, shown))

    @cached_property
    def end(self) -> int | None:
        """The number of the trick that ended the hand: the last, or that with the last card that counts."""
        out: set[str] = set()
        for number, (trick, winner) in enumerate(zip(self._tricks, self.winners, strict=True), 1):
            if winner is None:
                return None
            out.update(trick.cards)
            is_early = self.rules.may_stop_early and self.rules.counted <= out
            if is_early or number == self.rules.tricks_in_all:
                return number
        return None

    def _captured(self) -> Iterator[tuple[int, Seat, frozenset[str]]]:
        """The tricks so far: number, winner, cards."""
        for number, (trick, winner) in enumerate(zip(self._tricks, self.winners, strict=True), 1):
            if winner is not None:
                yield number, winner, frozenset(trick.cards)

    @property
    def counts(self) -> Mapping[str, Mapping[Seat, int]]:
        """What each player has taken so far, item by item, of everything that tricks can tell."""
        contract, counts = self.rules.contract, dict[str, Mapping[Seat, int]]()
        for item in contract.items if isinstance(contract, Counts) else ():
            numbers = item.trick_numbers(self.rules.tricks_in_all)
            if item.cards or numbers:
                taken = Counter[Seat]()
                for number, winner, cards in self._captured():
                    taken[winner] += len(item.card_set & cards) if item.cards else number in numbers
                counts[item.code] = dict(+taken)
        return counts

    @property
    def longest(self) -> Mapping[Seat, int]:
        """How many cards of one suit each player has taken so far, at most."""
        by_suit = Counter((winner, card[1]) for _, winner, cards in self._captured() for card in cards)
        return {seat: max(by_suit[seat, suit] for suit in SUITS) for seat in range(self.rules.players)}

    @property
    def result(self) -> Result | None:
        """What a hand without faults brought in the end; None before, or where tricks do not tell it."""
        contract, counts, longest = self.rules.contract, self.counts, self.longest
        if self.problems or self.end is None:
            return None
        if isinstance(contract, Ravaged):
            return Result(ravaged=tuple(seat for seat in longest if longest[seat] == max(longest.values())))
        if isinstance(contract, Counts) and len(counts) == len(contract.items):
            return Result(counts=counts)
        return None

    def disagreements(self, entered: Result) -> Iterator[Problem]:
        """Where an entered result is not what the play brought; a play without an end says nothing."""
        brought, contract = self.result, self.rules.contract
        if brought is None:
            return
        if isinstance(contract, Ravaged) and {*(entered.ravaged or ())} != {*(brought.ravaged or ())}:
            message = gettext_noop("By the play {players} took most cards of one suit.")
            most = ", ".join(map(self.name, brought.ravaged or ()))
            yield problem("result-disagrees-with-play", "ravaged", message, players=most)
        for item in contract.items if isinstance(contract, Counts) else ():
            told, taken = ((result.counts or {}).get(item.code, {}) for result in (entered, brought))
            for seat in range(self.rules.players):
                if told.get(seat, 0) != taken.get(seat, 0):
                    message = gettext_noop("{name}: {player} took {taken} by the play; the result says {told}.")
                    counts = {"told": told.get(seat, 0), "taken": taken.get(seat, 0)}
                    names = {"name": item.name, "player": self.name(seat)}
                    yield problem("result-disagrees-with-play", item.code, message, **counts, **names)


# Tricks as clubs publish them

WORD = re.compile(r"[^\s,;|*()\[\]<>]+")
NOT_PLAYED = re.compile(r"[-–—.?_]+")
COMPASS = {
    "clockwise": ("south", "west", "north", "east"),
    "counter-clockwise": ("south", "east", "north", "west"),
}
PLAIN = str.maketrans(dict(zip("♠♥♦♣♤♡♢♧", SUITS * 2, strict=True)) | {"\ufe0e": "", "\ufe0f": ""})
"""Glyphs to letters; the marks that make a glyph text or picture go."""


def read_card(text: str) -> str | None:
    """A card as anybody writes it, rank first or suit first; None where it is none.

    >>> read_card("dq"), read_card("10♠"), read_card("♥️K"), read_card("x9")
    ('QD', 'TS', 'KH', None)
    """
    plain = text.translate(PLAIN).upper().replace("10", "T")
    found = re.fullmatch(r"(?P<suit>[SHDC])?(?P<rank>[2-9TJQKA])(?(suit)|(?P<last>[SHDC]))", plain)
    return found["rank"] + (found["suit"] or found["last"]) if found else None


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Tricks read from columns: the play, or what is wrong with the text, by line and column."""

    play: tuple[Trick, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Word(NamedTuple):
    line: int
    column: int
    text: str

    @property
    def where(self) -> str:
        return f"line {self.line}, column {self.column}"


def read_columns(text: str, rules: TrickRules, declarer: Seat, players: Sequence[str], *, south: Seat = 0) -> Columns:
    """Tricks in columns by seat: a heading that names the players, then a line a trick.

    The heading has names, their beginnings, or S W N E (``south`` tells who sits there). Who led follows
    from the declarer and the winners. In the last line ``-`` stands for a card that was not played.
    """
    lines = [
        [_Word(number, word.start() + 1, word[0]) for word in WORD.finditer(line)]
        for number, line in enumerate(text.splitlines(), 1)
    ]
    heading, *tricks = [words for words in lines if words] or [[]]
    tricks = [words[_has_number(words, len(players)) :] for words in tricks]
    seats = _seats([word.text for word in heading], rules, players, south)
    if problems := (*_heading_problems(heading, seats, players), *_word_problems(tricks, rules)):
        return Columns(problems=problems)
    play, leader = list[Trick](), declarer
    for words in tricks:
        by_seat = {seat: read_card(word.text) for seat, word in zip(seats, words, strict=True)}
        order = [by_seat[(leader + turn) % rules.players] for turn in range(rules.players)]
        cards = tuple(card for card in order if card)
        if None in order[: len(cards)] or (None in order and words is not tricks[-1]):
            message = gettext_noop("Line {line}: a card is missing where one was played after it.")
            found = problem("play-short-trick", f"line {words[0].line}", message, line=words[0].line)
            return Columns(problems=(found,))
        if cards:
            play.append(Trick(led_by=leader, cards=cards))
            leader = (leader + cards.index(rules.winning(cards) or "")) % rules.players
    return Columns(play=tuple(play))


def _has_number(words: Sequence[_Word], players: int) -> bool:
    """The line begins with the number of the trick."""
    return len(words) == players + 1 and re.fullmatch(r"\d{1,2}[.:]?", words[0].text) is not None


def _seats(words: Sequence[str], rules: TrickRules, players: Sequence[str], south: Seat) -> list[Seat | None]:
    """Whose column each is, by the players' names or else by compass; None where nobody can be meant."""
    seats = [_place(word, players) for word in words]
    if None in seats:
        compass = [_place(word, COMPASS[rules.ruleset.direction][: len(players)]) for word in words]
        if None not in compass:
            return [(south + (place or 0)) % len(players) for place in compass]
    return seats


def _place(word: str, names: Sequence[str]) -> int | None:
    """Which name a word is, or which single one it begins."""
    word, names = word.casefold(), [name.casefold() for name in names]
    meant = [i for i, name in enumerate(names) if name == word] or [
        i for i, name in enumerate(names) if name.startswith(word)
    ]
    return meant[0] if len(meant) == 1 else None


def _heading_problems(
    heading: Sequence[_Word], seats: Sequence[Seat | None], players: Sequence[str]
) -> Iterator[Problem]:
    if len(heading) != len(players):
        message = gettext_noop("The heading names {given} players, such as S W N E; {players} play.")
        where = f"line {heading[0].line}" if heading else "line 1"
        yield problem("player-count", where, message, given=len(heading), players=len(players))
    for i, (word, seat) in enumerate(zip(heading, seats, strict=True)):
        if seat is None:
            message = gettext_noop("“{given}” in the heading is nobody of this match.")
            yield problem("unknown-player", word.where, message, given=word.text)
        elif seat in seats[:i]:
            message = gettext_noop("{player} has two columns.")
            yield problem("duplicate-player", word.where, message, player=players[seat])


def _word_problems(tricks: Sequence[Sequence[_Word]], rules: TrickRules) -> Iterator[Problem]:
    for words in tricks:
        if len(words) != rules.players:
            message = gettext_noop("Line {line} has {given} cards for {players} players; - is a card not played.")
            values = {"line": words[0].line, "given": len(words), "players": rules.players}
            yield problem("play-short-trick", f"line {words[0].line}", message, **values)
        for word in words:
            if read_card(word.text) not in rules.heights and not NOT_PLAYED.fullmatch(word.text):
                yield _unknown_card(word.where, word.text)
