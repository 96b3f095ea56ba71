"""A question to the referee as it stands in an address: read, and changed by one tap.

Nothing of it is stored. What an address says that makes no sense is left out and told in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from django.http import QueryDict

from referee import Contract, Finish, Hand, Problem, RuleSet, Turn
from referee.barbara import JOKER, Pile
from referee.cards import SUITS
from referee.hands import Pair, Seat
from referee.play import DEPENDS, Layout, TrickRules, face, read_card
from referee.problems import gettext_noop, problem
from referee.rules import RulingExample

TRICK, HAND, DOMINOES, DOUBLES, MOVES = "trick", "hand", "dominoes", "doubles", "moves"
LAYOUT, TOP = "layout", "top"
"""Where a tapped card goes, beside the trick and the hand."""

DEEDS = 60
"""How many taps one address may carry; a phone without a signal sends what it kept at once."""


def asks(ruleset: RuleSet, contract: Contract) -> tuple[str, ...]:
    """What can be asked about this contract, the likeliest first."""
    found: list[str] = []
    if ruleset.play.moves:
        found.append(MOVES)
    if ruleset.has_play(contract):
        found += [TRICK, HAND]
    if isinstance(contract, Finish):
        found.append(DOMINOES)
    if ruleset.doubling.who != "none":
        found.append(DOUBLES)
    return tuple(found)


@dataclass(frozen=True)
class Question:
    """What is asked: the contract, the cards as they lie, what is held, and who has said what."""

    turn: Turn
    contract: Contract
    ask: str
    trump: str | None = None
    start: str | None = None
    trick: tuple[str, ...] = ()
    at: int | None = None
    hand: tuple[str, ...] = ()
    holds: Mapping[str, bool] = field(default_factory=dict)
    layout: tuple[str, ...] = ()
    into: str = ""
    led_by: Seat | None = None
    heart_discarded: bool = False
    doubles: tuple[Pair, ...] = ()
    spoken: int = 0
    top: str | None = None
    suits: tuple[str, ...] = ()
    jokers: int = 0
    card: str | None = None
    problems: tuple[Problem, ...] = ()

    # --- what it is about ---

    @property
    def ruleset(self) -> RuleSet:
        """The rules in force."""
        return self.turn.ruleset

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.turn.players)

    @property
    def ranks(self) -> str:
        """The ranks in play, high to low."""
        return self.ruleset.deck.ranks_of(self.players)

    @property
    def rules(self) -> TrickRules:
        """How tricks are played here."""
        return TrickRules(self.ruleset, self.contract, self.trump, self.players)

    @property
    def lies(self) -> Layout:
        """The dominoes as they lie."""
        return Layout(self.start or self.ranks[0], self.layout, self.ranks)

    @property
    def pile(self) -> Pile:
        """The pile of discards as the player finds it."""
        return Pile(self.ruleset, self.top, self.suits, self.jokers)

    @property
    def in_question(self) -> int | None:
        """Which card of the trick is asked about, from 0: the one tapped, or else the last."""
        if not self.trick:
            return None
        return len(self.trick) - 1 if self.at is None or self.at >= len(self.trick) else self.at

    @property
    def most_in_trick(self) -> int:
        """How many cards the trick can show: one less where the question is what may follow."""
        return self.players - (self.ask == HAND)

    def seat(self, place: int) -> Seat | None:
        """Who plays to the trick as this one, from 0; None where nobody knows who led."""
        return None if self.led_by is None else (self.led_by + place) % self.players

    # --- an address ---

    @property
    def address(self) -> str:
        """The question as the query of an address."""
        return urlencode(self.fields())

    def fields(self) -> dict[str, str]:
        """Names and values of the address; what is as usual is left out."""
        said = {
            "contract": self.contract.code if self.ruleset.has_declarer else "",
            "trump": self.trump or "",
            "start": self.start or "",
            "players": str(self.players) if len(self.ruleset.players) > 1 else "",
            "ask": self.ask if self.ask != asks(self.ruleset, self.contract)[0] else "",
            "trick": ".".join(self.trick),
            "at": "" if self.at is None else str(self.at),
            "holds": ".".join(f"{code}-{'yes' if held else 'no'}" for code, held in self.holds.items()),
            "layout": ".".join(self.layout),
            "hand": ".".join(self.hand),
            "into": self.into,
            "led": "" if self.led_by is None else str(self.led_by),
            "heart_discarded": "1" if self.heart_discarded else "",
            "doubles": ".".join(f"{who}-{whom}" for who, whom in self.doubles),
            "spoken": str(self.spoken) if self.ask == DOUBLES else "",
            "top": self.top or "",
            "barbaras": ".".join(self.suits),
            "jokers": str(self.jokers) if self.jokers else "",
            "card": self.card or "",
        }
        return {name: value for name, value in said.items() if value}

    # --- one tap ---

    def after(self, deed: str) -> Question:
        """The question after one tap, ``"add 9S"``; a tap that says nothing here changes nothing."""
        verb, _, what = deed.partition(" ")
        change: dict[str, Callable[[str], Question]] = {
            "add": self._add,
            "drop": self._drop,
            "at": self._at,
            "holds": self._hold,
            "into": self._into,
            "led": self._led,
            "discarded": lambda said: replace(self, heart_discarded=said == "yes", holds={}),
            "clear": lambda _said: self._cleared(),
            "back": lambda _said: self._back(),
            "double": self._double,
            "say": lambda _said: replace(self, spoken=min(self.spoken + 1, self.players)),
            "unsay": lambda _said: self._unsay(),
            "top": lambda _said: replace(self, top=None, into=""),
            "suit": self._suit,
            "jokers": lambda said: replace(self, jokers=int(said == "1")),
            "card": lambda said: replace(self, card=JOKER if said == JOKER else None),
        }
        return change[verb](what) if verb in change else self

    def _deck(self) -> frozenset[str]:
        return frozenset(rank + suit for rank in self.ranks for suit in SUITS)

    @property
    def adds_to(self) -> str:
        """Where a tapped card goes."""
        if self.ask == DOMINOES:
            return HAND if self.into == HAND else LAYOUT
        if self.ask == MOVES:
            return self.into if self.into in (TOP, HAND) else TOP if self.top is None else HAND
        if self.ask == HAND:
            return TRICK if self.into == TRICK else HAND
        return HAND if self.into == HAND else TRICK

    def _add(self, card: str) -> Question:
        used = {*self.trick, *self.hand, *self.layout}
        place = self.adds_to
        if card not in self._deck():
            return self
        if self.ask == MOVES and card not in self.pile.cards:
            return self
        if self.ask == MOVES:
            return replace(self, top=card, into="") if place == TOP else replace(self, card=card, into="")
        if place == LAYOUT:
            return replace(self, layout=self._laid(card), hand=tuple(c for c in self.hand if c not in self._laid(card)))
        if card in used:
            return self._drop(card)
        if place == HAND:
            return replace(self, hand=self.sorted((*self.hand, card)))
        if len(self.trick) >= self.most_in_trick:
            return self
        return replace(self, trick=(*self.trick, card), at=None, holds={}, hand=() if self.ask == TRICK else self.hand)

    def _drop(self, card: str) -> Question:
        if card in self.hand:
            return replace(self, hand=tuple(c for c in self.hand if c != card))
        if card in self.trick:
            return replace(self, trick=tuple(c for c in self.trick if c != card), at=None, holds={})
        return self

    def _laid(self, card: str) -> tuple[str, ...]:
        """The layout with this card and all between it and the start; a card that lies there goes, and all beyond."""
        ranks, start = self.ranks, self.ranks.index(self.start or self.ranks[0])
        place, suit = ranks.index(card[0]), card[1]
        inner = {rank + suit for rank in ranks[min(place, start) : max(place, start) + 1]}
        if card not in self.layout:
            return self.sorted({*self.layout, *inner})
        side = ranks if place == start else ranks[place:] if place > start else ranks[: place + 1]
        return self.sorted({*self.layout} - {rank + suit for rank in side})

    def sorted(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Cards as a player sorts them: by suit, high to low."""
        return tuple(sorted(cards, key=lambda card: (SUITS.index(card[1]), self.ranks.index(card[0]))))

    def _at(self, said: str) -> Question:
        at = int(said) if re.fullmatch(r"[0-9]", said) else len(self.trick)
        if at >= len(self.trick) or at == self.in_question:
            return self
        return replace(self, at=at, holds={}, hand=(), into="")

    def _hold(self, said: str) -> Question:
        """What the player holds: ``play-revoke-no``; ``-unknown`` takes it back, and what followed from it."""
        code, _, held = said.rpartition("-")
        if code not in DEPENDS:
            return self
        known = dict(self.holds)
        if code in known:
            known = {c: known[c] for c in list(known)[: list(known).index(code)]}
        if held in ("yes", "no"):
            known[code] = held == "yes"
        return replace(self, holds=known, hand=(), into="")

    def _into(self, said: str) -> Question:
        return replace(self, into=said if said in (TRICK, HAND, LAYOUT, TOP) else "", holds={})

    def _led(self, said: str) -> Question:
        return replace(self, led_by=_number(said, self.players))

    def _cleared(self) -> Question:
        return replace(
            self, trick=(), hand=(), layout=(), at=None, holds={}, into="", doubles=(), spoken=0, card=None, top=None
        )

    def _back(self) -> Question:
        """Without the last card that was tapped in the trick."""
        return replace(self, trick=self.trick[:-1], at=None, holds={}, hand=() if self.ask == TRICK else self.hand)

    def _double(self, said: str) -> Question:
        found = _pairs(said, self.players)
        if not found:
            return self
        pair = found[0]
        return replace(
            self,
            doubles=tuple(p for p in self.doubles if p != pair) if pair in self.doubles else (*self.doubles, pair),
        )

    def _unsay(self) -> Question:
        """The last player who spoke speaks again."""
        order = self.turn.speaking_order
        spoken = max(0, min(self.spoken, self.players) - 1)
        speaks_again = order[spoken] if order else None
        return replace(self, spoken=spoken, doubles=tuple(pair for pair in self.doubles if pair[0] != speaks_again))

    def _suit(self, said: str) -> Question:
        """A suit that lies face up before the player, or no longer."""
        if said not in tuple(SUITS):
            return self
        chosen = {*self.suits} ^ {said}
        return replace(self, suits=tuple(suit for suit in SUITS if suit in chosen))


def read(data: QueryDict, turn: Turn, contract: Contract, *, playing: Hand | None = None) -> Question:
    """The question of an address, on top of the hand that is being played.

    The contract is one that something can be asked about.
    """
    problems: list[Problem] = []
    can = asks(turn.ruleset, contract)
    ask = data.get("ask", "") or can[0]
    if ask not in can:
        problems.append(_odd(ask))
        ask = can[0]
    deck = {rank + suit for rank in turn.ruleset.deck.ranks_of(len(turn.players)) for suit in SUITS}
    on_pile = sorted(Pile(turn.ruleset).cards)
    seen: set[str] = set()

    def cards(name: str) -> tuple[str, ...]:
        return tuple(_cards(name, data.get(name, ""), deck, seen, problems))

    now = playing if playing is not None and playing.contract == contract.code else Hand()
    declarer = None if playing is None else turn.declarer
    says_doubles = "doubles" in data or "spoken" in data
    question = Question(
        turn=turn,
        contract=contract,
        ask=ask,
        trump=_choice(data, "trump", tuple(SUITS) if contract.needs == "trump" else (), now.trump, problems),
        start=_choice(data, "start", tuple(turn.ruleset.deck.ranks_of(len(turn.players))), now.start, problems)
        if contract.needs == "start"
        else None,
        trick=cards("trick"),
        at=_number(data.get("at", ""), len(turn.players)),
        layout=cards("layout"),
        hand=cards("hand"),
        holds=_holds(data.get("holds", "")),
        into=data.get("into", "") if data.get("into") in (TRICK, HAND, LAYOUT, TOP) else "",
        led_by=_number(data.get("led", ""), len(turn.players)) if data.get("led") else declarer,
        heart_discarded=data.get("heart_discarded", "") in ("1", "true", "yes"),
        doubles=tuple(_pairs(data.get("doubles", ""), len(turn.players))) if says_doubles else now.doubles or (),
        spoken=len(turn.players)
        if now.doubles is not None and not says_doubles
        else _number(data.get("spoken", ""), len(turn.players) + 1) or 0,
        top=_choice(data, "top", on_pile, None, problems),
        suits=tuple(suit for suit in SUITS if suit in data.get("barbaras", "")),
        jokers=_number(data.get("jokers", ""), 3) or 0,
        card=_choice(data, "card", (*on_pile, JOKER), None, problems),
    )
    question = _fitted(question, problems)
    for deed in data.getlist("do")[:DEEDS]:
        question = question.after(deed)
    return replace(question, problems=tuple(problems))


def _fitted(question: Question, problems: list[Problem]) -> Question:
    """Only what the question can be about; cards beyond a trick, or across a gap, are told and left out."""
    if question.ask not in (TRICK, HAND):
        question = replace(question, trick=(), at=None, holds={})
    elif len(question.trick) > question.most_in_trick:
        found = question.rules.problems(question.trick, question.hand if question.ask == HAND else ())
        problems += [one for one in found if one.code == "play-short-trick"]
        question = replace(question, trick=question.trick[: question.most_in_trick])
    if question.ask != DOMINOES:
        return replace(question, layout=())
    gaps = [one for one in question.lies.problems(()) if one.code == "play-does-not-fit"]
    while gap := [card for card in question.layout if not question.lies.fits(card)]:
        question = replace(question, layout=tuple(card for card in question.layout if card not in gap))
    problems += gaps
    return question


def _odd(given: str) -> Problem:
    return problem("question", "question", gettext_noop("“{given}” means nothing here."), given=given[:40])


def _cards(name: str, text: str, deck: set[str], seen: set[str], problems: list[Problem]) -> Iterable[str]:
    words = re.findall(r"[^\s,.]+", text[:1000])
    for word in words[:60]:
        card = read_card(word)
        if card not in deck or card is None:
            message = gettext_noop("There is no card “{given}” in this game; cards are rank then suit, such as 9S.")
            problems.append(problem("unknown-card", name, message, given=word[:20]))
        elif card in seen:
            message = gettext_noop("{card} is there twice.")
            problems.append(problem("play-card-twice", name, message, card=face(card)))
        else:
            seen.add(card)
            yield card


def _choice(
    data: QueryDict, name: str, choices: Sequence[str], usual: str | None, problems: list[Problem]
) -> str | None:
    given = data.get(name, "")
    if not given or not choices:
        return usual
    if given not in choices:
        problems.append(_odd(given))
        return usual
    return given


def _holds(text: str) -> dict[str, bool]:
    found = (re.fullmatch(r"([a-z-]+)-(yes|no)", word) for word in text[:400].split("."))
    return {match[1]: match[2] == "yes" for match in found if match and match[1] in DEPENDS}


def _pairs(text: str, players: int) -> list[Pair]:
    found = (re.fullmatch(r"([0-5])-([0-5])", word) for word in text[:400].split("."))
    pairs = [(int(match[1]), int(match[2])) for match in found if match]
    return list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1] and max(pair) < players))


def _number(text: str, below: int) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]", text, re.ASCII) and int(text) < below else None


def of_example(ruleset: RuleSet, example: RulingExample) -> str:
    """An example of the rule book as the query of an address: the same question, tapped in already."""
    asked = example.question
    words = {name: ".".join(value) if isinstance(value, list) else value for name, value in asked.items()}
    if ruleset.play.moves:
        words["card"] = next(iter([*example.refused, *example.legal]), "")
        words.pop("hand", None)
    elif "layout" not in words and "start" not in words:
        words["ask"] = HAND
    else:
        words["into"] = HAND
    words = {name: "1" if value is True else str(value) for name, value in words.items() if value not in (None, False)}
    return urlencode({name: value for name, value in words.items() if name != "ruleset" and value})
