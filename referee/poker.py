"""Four hands of Chinese Poker as cards: who beats whom in each row, who fouls, and why.

Rows of five cards are ranked by pokerkit. The front has three: three of a kind, a pair or high cards, no more.
Suits never break a tie.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from .cards import RANKS, SUITS
from .hands import Result, Seat
from .play import WORD, face, read_card
from .problems import Problem, Sentence, gettext_noop, problem, sentence
from .rules import ROWS
from .scoring import row_units

SIZES = {"front": 3, "middle": 5, "back": 5}
"""How many cards lie in a row."""

CATEGORIES = {
    "High card": gettext_noop("{one} high"),
    "One pair": gettext_noop("pair of {many}"),
    "Two pair": gettext_noop("two pairs, {many} and {others}"),
    "Three of a kind": gettext_noop("three {many}"),
    "Straight": gettext_noop("straight to the {one}"),
    "Flush": gettext_noop("flush, {one} high"),
    "Full house": gettext_noop("full house, {many} over {others}"),
    "Four of a kind": gettext_noop("four {many}"),
    "Straight flush": gettext_noop("straight flush to the {one}"),
}
"""What a row can be, weakest first, by pokerkit's names."""

ONE = {
    "2": gettext_noop("two"),
    "3": gettext_noop("three"),
    "4": gettext_noop("four"),
    "5": gettext_noop("five"),
    "6": gettext_noop("six"),
    "7": gettext_noop("seven"),
    "8": gettext_noop("eight"),
    "9": gettext_noop("nine"),
    "T": gettext_noop("ten"),
    "J": gettext_noop("jack"),
    "Q": gettext_noop("queen"),
    "K": gettext_noop("king"),
    "A": gettext_noop("ace"),
}
MANY = {
    "2": gettext_noop("twos"),
    "3": gettext_noop("threes"),
    "4": gettext_noop("fours"),
    "5": gettext_noop("fives"),
    "6": gettext_noop("sixes"),
    "7": gettext_noop("sevens"),
    "8": gettext_noop("eights"),
    "9": gettext_noop("nines"),
    "T": gettext_noop("tens"),
    "J": gettext_noop("jacks"),
    "Q": gettext_noop("queens"),
    "K": gettext_noop("kings"),
    "A": gettext_noop("aces"),
}

CARDS = frozenset(rank + suit for rank in RANKS for suit in SUITS)
FOULED = {
    "middle": gettext_noop("The front, {better}, beats the middle, {worse}."),
    "back": gettext_noop("The middle, {better}, beats the back, {worse}."),
}
"""Why a hand is fouled, by the row that is too weak."""

Laid = Mapping[str, Sequence[str]]
"""One player's cards by row."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One player's cards in one row: what they are called, and how strong they are.

    ``index`` is the place in pokerkit's list of five-card hands, 0 in the front; ``ranks`` has the ranks held
    most often first.
    """

    cards: tuple[str, ...]
    index: int
    category: str
    ranks: tuple[int, ...]

    @property
    def strength(self) -> tuple[int, tuple[int, ...]]:
        """The higher the better, between three cards and five too: what it is called, then the ranks."""
        return list(CATEGORIES).index(self.category), self.ranks

    @property
    def order(self) -> tuple[int, tuple[int, tuple[int, ...]]]:
        """The higher the better, among as many cards; equal ones tie."""
        return self.index, self.strength

    @property
    def says(self) -> Sentence:
        """The row in words: "pair of kings"."""
        first, second = RANKS[self.ranks[0]], RANKS[self.ranks[-1 if len(self.ranks) == 1 else 1]]
        return sentence(CATEGORIES[self.category], one=ONE[first], many=MANY[first], others=MANY[second])


class Foul(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is weaker than the one before it."""

    row: str
    better: Standing
    worse: Standing

    @property
    def says(self) -> Sentence:
        """Which row beats which."""
        return sentence(FOULED[self.row], better=self.better.says.says, worse=self.worse.says.says)


class Showdown(msgspec.Struct, frozen=True, kw_only=True):
    """The four hands compared: each row's standings by seat and its groups, best first, without fouled hands."""

    rows: Mapping[str, tuple[Standing, ...]]
    groups: Mapping[str, tuple[tuple[Seat, ...], ...]]
    fouls: Mapping[Seat, Foul]

    @property
    def result(self) -> Result:
        """What the hand brought, as the table would tell it; who takes an overall unit in a tie is not in it."""
        fouled = tuple(self.fouls)
        return Result(beats={row: row_units((*self.groups[row], fouled), fouled) for row in ROWS})


def read_cards(text: str) -> tuple[str, ...]:
    """Cards as anybody writes them, with spaces or without; a word that is no card stays as it is.

    >>> read_cards("KH 10♠, qd"), read_cards("hks10"), read_cards("KH, X9")
    (('KH', 'TS', 'QD'), ('KH', 'TS'), ('KH', 'X9'))
    """
    words = WORD.findall(re.sub("[\ufe0e\ufe0f]", "", text))
    for one_card in ("10.|..", ".10|.."):
        cards = [read_card(piece) for piece in re.findall(f"{one_card}|.", "".join(words))]
        if None not in cards:
            return tuple(card for card in cards if card)
    return tuple(read_card(word) or word for word in words)


def standing(cards: Sequence[str]) -> Standing:
    """What three or five cards are worth.

    >>> standing(["KH", "5D", "KS"]).says.says
    'pair of kings'
    >>> standing(["AH", "2D", "3S", "4S", "5S"]).says.says
    'straight to the five'
    """
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranks = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    if len(cards) == SIZES["front"]:
        category = {1: "Three of a kind", 2: "One pair", 3: "High card"}[len(ranks)]
        return Standing(cards=tuple(cards), index=0, category=category, ranks=ranks)
    # Its tables take a moment to load, and most evenings need none of them.
    from pokerkit import StandardHighHand

    entry = StandardHighHand("".join(card[0] + card[1].lower() for card in cards)).entry
    category = str(entry.label)
    if category.startswith("Straight") and ranks[:2] == (RANKS.index("A"), RANKS.index("5")):
        ranks = (*ranks[1:], ranks[0])
    return Standing(cards=tuple(cards), index=entry.index, category=category, ranks=ranks)


def problems(hands: Sequence[Laid], name: Callable[[Seat], str]) -> Iterator[Problem]:
    """What is wrong with four hands: no such card, a card twice, too many or too few; each at its row and seat."""
    seen: dict[str, tuple[str, Seat]] = {}
    for seat, laid in enumerate(hands):
        for row in ROWS:
            where, given, wanted = f"{row}-{seat}", len(laid[row]), SIZES[row]
            for card in laid[row]:
                if card not in CARDS:
                    message = gettext_noop(
                        "{player}, {row} row: “{given}” is no card; cards are written like KH or 10♠."
                    )
                    yield problem("unknown-card", where, message, player=name(seat), row=row, given=card[:20])
                elif card in seen:
                    before, other = seen[card]
                    message = gettext_noop("{player}, {row} row: {card} lies in the {before} row of {other} already.")
                    values = {"card": face(card), "before": before, "other": name(other)}
                    yield problem("card-twice", where, message, player=name(seat), row=row, **values)
                else:
                    seen[card] = row, seat
            if given < wanted:
                message = gettext_noop("{player}, {row} row: {given} of {wanted} cards are entered.")
                yield problem("card-count", where, message, player=name(seat), row=row, given=given, wanted=wanted)
            if given > wanted:
                message = gettext_noop("{player}, {row} row: {given} cards are entered; only {wanted} lie there.")
                yield problem("card-count", where, message, player=name(seat), row=row, given=given, wanted=wanted)


def showdown(hands: Sequence[Laid]) -> Showdown:
    """Compare four hands row by row. Trusts that each row has its cards, all different: ``problems`` tells."""
    rows = {row: tuple(standing(laid[row]) for laid in hands) for row in ROWS}
    fouls = {seat: why for seat in range(len(hands)) if (why := _foul(rows, seat))}
    groups = {row: _groups(standings, fouls) for row, standings in rows.items()}
    return Showdown(rows=rows, groups=groups, fouls=fouls)


def _foul(rows: Mapping[str, Sequence[Standing]], seat: Seat) -> Foul | None:
    """Each row must be at least as good as the one before it."""
    front, middle, back = (rows[row][seat] for row in ROWS)
    if back.order < middle.order:
        return Foul(row="back", better=middle, worse=back)
    return Foul(row="middle", better=front, worse=middle) if middle.strength < front.strength else None


def _groups(standings: Sequence[Standing], fouls: Collection[Seat]) -> tuple[tuple[Seat, ...], ...]:
    """The seats of a row, best first; who share a group tie."""
    ordered = {seat: held.order for seat, held in enumerate(standings) if seat not in fouls}
    best_first = sorted(ordered, key=ordered.__getitem__, reverse=True)
    return tuple(tuple(group) for _, group in groupby(best_first, key=ordered.__getitem__))
