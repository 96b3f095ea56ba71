"""A question about play, as ``python -m referee judge`` takes it, and its answer: which cards, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from .barbara import Pile, moves
from .hands import Hand
from .match import Match, numbered
from .play import Layout, Ruling, TrickRules
from .problems import Problem, gettext_noop, problem
from .rules import Contract, Finish, RuleSet


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the table and what a player holds; what does not belong to the contract is None."""

    ruleset: RuleSet
    players: int | None = None
    contract: str | None = None
    trump: str | None = None
    start: str | None = None
    trick: tuple[str, ...] | None = None
    layout: tuple[str, ...] | None = None
    top: str | None = None
    barbaras: tuple[str, ...] | None = None
    jokers: int = 0
    hand: tuple[str, ...] = ()
    heart_discarded: bool = False

    @property
    def seats(self) -> int:
        """How many play: four, unless it is said or the game is not for four."""
        allowed = self.ruleset.players
        return self.players if self.players is not None else 4 if 4 in allowed else allowed[-1]


def answer(question: Question) -> dict[str, Any] | tuple[Problem, ...]:
    """Which cards of the hand may be played and why not the others, or what is wrong with the question."""
    if problems := tuple(_problems(question)):
        return problems
    contract = question.ruleset.contract(question.contract)
    assert contract is not None
    if not question.ruleset.has_declarer:
        return _barbara(question)
    return _dominoes(question) if isinstance(contract, Finish) else _trick(question, contract)


def _problems(question: Question) -> Iterator[Problem]:
    """What is wrong with the game, the contract, its trump or start, and what is asked of them."""
    ruleset = question.ruleset
    match = Match(ruleset, tuple(str(seat + 1) for seat in range(min(max(question.seats, 0), 100))))
    hand = Hand(contract=question.contract, trump=question.trump, start=question.start)
    for found in match.problems or match.turn.problems(hand):
        yield numbered(found, None)
    contract = ruleset.contract(question.contract)
    if contract is None:
        return
    is_layout = isinstance(contract, Finish)
    if not is_layout and ruleset.has_declarer and not ruleset.has_play(contract):
        message = gettext_noop("The referee does not follow the play of {contract}.")
        yield problem("not-for-this-contract", "contract", message, contract=contract.name)
    else:
        fits = {"layout": is_layout, "trick": ruleset.has_declarer and not is_layout}
        fits |= dict.fromkeys(("top", "barbaras"), not ruleset.has_declarer)
        for place, belongs in fits.items():
            if getattr(question, place) is not None and not belongs:
                message = gettext_noop("“{place}” does not belong to a question about {contract}.")
                yield problem("not-for-this-contract", place, message, place=place, contract=contract.name)


def _trick(question: Question, contract: Contract) -> dict[str, Any] | tuple[Problem, ...]:
    trick = question.trick or ()
    rules = TrickRules(question.ruleset, contract, question.trump, question.seats)
    if problems := tuple(rules.problems(trick, question.hand)):
        return problems
    ruling = rules.ruling(trick, question.hand, heart_discarded=question.heart_discarded)
    return _told(ruling) | {"winning": rules.winning(trick)}


def _dominoes(question: Question) -> dict[str, Any] | tuple[Problem, ...]:
    layout = Layout(question.start or "", question.layout or (), question.ruleset.deck.ranks_of(question.seats))
    if problems := tuple(layout.problems(question.hand)):
        return problems
    ruling = layout.ruling(question.hand)
    return _told(ruling) | {"pass": ruling.may_pass}


def _barbara(question: Question) -> dict[str, Any] | tuple[Problem, ...]:
    pile = Pile(question.ruleset, question.top, question.barbaras or (), question.jokers)
    if problems := tuple(pile.problems(question.hand)):
        return problems
    ruling = pile.ruling(question.hand)
    found = {card: moves(question.ruleset, card) for card in question.hand}
    told = {card: {"name": move.name, "says": move.says} for card, move in found.items() if move}
    return _told(ruling) | {"takes_barbara": ruling.may_pass, "moves": told, "joker_cancels": pile.cancels is not None}


def _told(ruling: Ruling) -> dict[str, Any]:
    refused = {card: {"code": why.code, "says": why.says} for card, why in ruling.refused.items()}
    return {"legal": list(ruling.legal), "refused": refused}
