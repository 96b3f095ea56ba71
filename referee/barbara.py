"""Get Barbara: which card may be played, what its special move does, and what a joker cancels.

A Barbara is a queen that lies face up before her owner and goes by her suit, ``"H"``; a joker is ``"joker"``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from .cards import RANK_NAMES, SUIT_GLYPHS, SUITS
from .hands import Seat
from .play import Ruling, face
from .problems import Problem, Sentence, gettext_noop, problem, sentence
from .rules import Move, RuleSet

JOKER = "joker"
CANCELLED = "AJK"
"""Whose moves a joker cancels."""


def moves(ruleset: RuleSet, card: str) -> Move | None:
    """What a card does when it is played, beyond being played; None where it does nothing.

    >>> from referee import load
    >>> moves(load("get-barbara"), "KH").name
    'Swap'
    """
    rank = card if card == JOKER else card[0]
    return next((move for move in ruleset.play.moves if move.card == rank), None)


def face_of(card: str) -> str:
    """A card as people write it, a joker included."""
    return "Joker" if card == JOKER else face(card)


@dataclass(frozen=True)
class Pile:
    """The discard pile as a player finds it: the top card, None at the start; the Barbaras before him; jokers out."""

    ruleset: RuleSet
    top: str | None = None
    barbaras: Sequence[str] = ()
    jokers: int = 0

    @cached_property
    def cards(self) -> frozenset[str]:
        """The cards that are dealt into hands, jokers aside: the Barbaras lie on the table."""
        lying = frozenset[str]().union(*(item.card_set for item in self.ruleset.items if item.face_up))
        return frozenset(rank + suit for rank in self.ruleset.deck.ranks for suit in SUITS) - lying

    @property
    def are_suits_barred(self) -> bool:
        """The first joker is out and the second is not, where a table lets that bar the Barbaras' suits."""
        return self.ruleset.play.joker_bars_suits and self.jokers % 2 == 1

    def problems(self, hand: Sequence[str]) -> Iterator[Problem]:
        """What is wrong with a question: no such card or suit, or one that is there too often."""
        top = () if self.top is None else (self.top,)
        seen = list[str]()
        for place, cards in (("top", top), ("hand", hand)):
            for card in cards:
                if card not in self.cards and (card, place) != (JOKER, "hand"):
                    message = gettext_noop("There is no card “{given}” to be played; cards are such as 9S, or joker.")
                    yield problem("unknown-card", f"{place}, {card}", message, given=card)
                elif seen.count(card) >= (self.ruleset.deck.jokers if card == JOKER else 1):
                    message = gettext_noop("{card} is there too often.")
                    yield problem("play-card-twice", f"{place}, {card}", message, card=face_of(card))
                seen.append(card)
        for place_in_row, suit in enumerate(self.barbaras):
            if suit not in tuple(SUITS):
                message = gettext_noop("There is no suit “{given}”; suits are S, H, D and C.")
                yield problem("unknown-card", "barbaras", message, given=suit)
            elif suit in self.barbaras[:place_in_row]:
                message = gettext_noop("There is one Barbara of a suit; {suit} is there twice.")
                yield problem("play-card-twice", "barbaras", message, suit=SUIT_GLYPHS[suit])

    def ruling(self, hand: Sequence[str]) -> Ruling:
        """Which cards may be played now, and why not the others; who has none takes a Barbara instead."""
        refused = {card: why for card in hand if (why := self.barred(card))}
        return Ruling(legal=tuple(card for card in hand if card not in refused), refused=refused)

    def barred(self, card: str) -> Problem | None:
        """Why a card may not be played in the player's turn, or None where it may."""
        if card == JOKER:
            message = gettext_noop("A joker is played out of turn only, to cancel an ace, jack or king.")
            return problem("play-joker", card, message)
        if self.are_suits_barred and card[1] in self.barbaras:
            message = gettext_noop("{card} is barred until the second joker: the Barbara of {suit} lies before you.")
            return problem("play-barred-suit", card, message, card=face(card), suit=SUIT_GLYPHS[card[1]])
        if self.top is None or card[0] == self.top[0] or card[1] == self.top[1] or card[1] in self.barbaras:
            return None
        message = gettext_noop(
            "{card} has neither the suit nor the rank of {top}, nor the suit of a Barbara before you."
        )
        return problem("play-does-not-fit", card, message, card=face(card), top=face(self.top))

    @property
    def cancels(self) -> Move | None:
        """The move of the top card that a joker may cancel now; None where there is none to cancel."""
        return moves(self.ruleset, self.top) if self.top is not None and self.top[0] in CANCELLED else None


class Cancel(msgspec.Struct, frozen=True, kw_only=True):
    """What a joker brings: who plays on, and all that follows, a sentence each."""

    plays_on: Seat
    says: tuple[Sentence, ...]


def cancel(pile: Pile, blocked: Seat, players: Sequence[str]) -> Cancel | Problem:
    """A joker is played on the card that ``blocked`` has just played; ``pile`` is as it lies, that card on top."""
    if (move := pile.cancels) is None:
        message = gettext_noop("There is no ace, jack or king here whose move a joker could cancel.")
        return problem("play-joker", JOKER, message)
    plays_on, play = (blocked + 1) % len(players), pile.ruleset.play
    card = RANK_NAMES[move.card]
    says = [sentence(gettext_noop("{card}, {move}: it does not happen."), card=card, move=move.name)]
    aside = gettext_noop("The joker is laid aside.")
    taken = gettext_noop("{player} takes the joker into his hand.")
    says.append(sentence(taken if play.joker_to_blocked else aside, player=players[blocked]))
    if play.joker_bars_suits:
        barred = gettext_noop("Until the next joker nobody plays the suit of a Barbara before him.")
        free = gettext_noop("The suits of the Barbaras may be played again.")
        says.append(sentence(free if pile.are_suits_barred else barred))
    on = gettext_noop("Play goes on with {player}, to the left of {blocked}.")
    says.append(sentence(on, player=players[plays_on], blocked=players[blocked]))
    return Cancel(plays_on=plays_on, says=tuple(says))
