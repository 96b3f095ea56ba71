"""The fields of a table's own rules, made from the structure of a rule set: one for every number and switch."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, assert_never

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _

from referee import Beats, Contract, Counts, Finish, Item, Problem, Ravaged, RuleSet
from referee.cards import RANK_NAMES
from referee.problems import gettext_noop, problem

from .new import LONGEST_NAME, games, is_unreadable

LONGEST_ABOUT = 2000
LARGEST_VALUE = 1_000_000
LARGEST_PURSE = 1_000_000_000
LARGEST_FILE = 100_000
MOVES = 14

Path = tuple[str | int, ...]
"""The way to a value through a rule set as plain data: ``("doubling", "compulsory")``."""


def is_key(key: str) -> bool:
    """A form sent this as its own key."""
    return re.fullmatch(r"[A-Za-z0-9_-]{22}", key, re.ASCII) is not None


@dataclass
class Field(ABC):
    """One thing that is asked: what it is called in the page and in a problem, and what was typed.

    ``title`` says it without its surroundings: "Misère, each trick".
    """

    name: str
    label: str
    title: str
    path: Path
    typed: str = ""
    wrong: Problem | None = None
    kind: ClassVar[str] = "text"

    def take(self, data: QueryDict) -> None:
        """Keep what was sent; a field that is missing or there twice is wrong, whatever it says."""
        sent = data.getlist(self.name)
        self.typed = sent[-1] if sent else ""
        if not sent:
            self.refuse(gettext_noop("{field}: nothing came of this field. Look it over and send it again."))
        elif len(sent) > 1:
            self.refuse(gettext_noop("{field}: this came twice. Check it and send it again."))

    def refuse(self, message: str, **values: object) -> None:
        """Say what is wrong here; the first thing that is found stays."""
        self.wrong = self.wrong or problem("bad-ruleset", self.name, message, field=self.title, **values)

    @abstractmethod
    def read(self) -> Any:
        """The value, or None where there is none; what cannot be understood is refused."""


@dataclass
class Number(Field):
    """A whole number, typed without its sign; ``turns`` where the table may turn the sign round."""

    least: int = 0
    most: int = LARGEST_VALUE
    minus: bool = False
    signed: bool = True
    turns: bool = False
    optional: bool = False
    kind: ClassVar[str] = "number"

    def take(self, data: QueryDict) -> None:
        super().take(data)
        if self.turns:
            self.minus = f"{self.name}-minus" in data

    def read(self) -> int | None:
        text = self.typed.strip()
        if not text and self.optional:
            return None
        if self.minus:
            text = text.removeprefix("-").removeprefix("−")
        if re.fullmatch(r"0*[0-9]{1,10}", text, re.ASCII) and self.least <= int(text) <= self.most:
            return -int(text) if self.minus else int(text)
        message = gettext_noop("{field}: “{given}” is not a whole number from {least} to {most}.")
        if not text:
            message = gettext_noop("{field}: nothing is entered; a whole number from {least} to {most} is asked.")
        self.refuse(message, given=self.typed.strip()[:40], least=self.least, most=f"{self.most:,}")
        return None


@dataclass
class Choice(Field):
    """One of a few; the values are keys, each with what it is in a rule set and what the page calls it."""

    options: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    kind: ClassVar[str] = "choice"

    def read(self) -> Any:
        if self.typed in self.options:
            return self.options[self.typed][0]
        self.refuse(gettext_noop("{field}: choose one of these."))
        return None

    @property
    def chips(self) -> list[tuple[str, str, bool]]:
        """Each choice with its words, and whether it is chosen."""
        return [(value, words, value == self.typed) for value, (_told, words) in self.options.items()]


@dataclass
class Words(Field):
    """A text in one paragraph."""

    most: int = LONGEST_NAME
    needed: bool = False
    long: bool = False
    kind: ClassVar[str] = "words"

    def read(self) -> str:
        text = " ".join(self.typed.split()) if self.long else self.typed.strip()
        if self.needed and not text:
            self.refuse(gettext_noop("{field}: nothing is entered."))
        elif len(text) > self.most:
            message = gettext_noop("{field}: {given} characters; at most {most} fit.")
            self.refuse(message, given=len(text), most=self.most)
        elif is_unreadable(text):
            self.refuse(gettext_noop("{field}: it has characters that cannot be read."))
        return text


@dataclass
class ContractPart:
    """A contract in the form: how often it is played, what it costs, and what that comes to."""

    contract: Contract
    data: dict[str, Any]
    is_more: bool
    times: Choice | None
    values: list[Number]
    limit: Number | None
    total: str = ""

    @property
    def fields(self) -> list[Field]:
        """Everything that is asked about it."""
        return [one for one in (self.times, *self.values, self.limit) if one is not None]

    @property
    def is_out(self) -> bool:
        """The table leaves it out."""
        return self.times is not None and self.times.typed == "0"

    @property
    def wrong(self) -> list[Problem]:
        """What is wrong in its fields."""
        return [one.wrong for one in self.fields if one.wrong]


@dataclass
class Group:
    """Switches that belong together."""

    code: str
    title: str
    fields: Sequence[Field]


@dataclass
class MoveRow:
    """A special move: the card, what the move is called, and a sentence."""

    number: int
    card: Choice
    name: Words
    says: Words

    @property
    def fields(self) -> tuple[Choice, Words, Words]:
        """What is asked about it."""
        return self.card, self.name, self.says

    @property
    def is_blank(self) -> bool:
        """Nothing is said in this row."""
        return not any(one.typed.strip() for one in self.fields)


def more_contracts(start: RuleSet) -> list[Contract]:
    """Contracts of other games that could be played with these rules: same cards, same kind of payment."""
    found: dict[str, Contract] = {}
    mine = {contract.code for contract in start.contracts}
    for game in games():
        fits = (game.has_declarer, game.payment, game.deck) == (True, start.payment, start.deck)
        if start.has_declarer and fits and set(start.players) <= set(game.players):
            for contract in game.contracts:
                if contract.code not in mine and (contract.coup is None or start.rotation == "round"):
                    found.setdefault(contract.code, contract)
    return list(found.values())


def contract_part(start: RuleSet, contract: Contract, *, is_more: bool = False) -> ContractPart:
    name = _(contract.name)
    times = limit = None
    if start.has_declarer:
        often = sorted({0, 1, 2, 3, contract.times})
        words = {0: _("left out"), **{number: f"{number}×" for number in often if number}}
        title = _("How often {contract}").format(contract=name)
        chosen = "0" if is_more else str(contract.times)
        options = {str(number): (number, words[number]) for number in often}
        times = Choice(f"times-{contract.code}", title, title, ("times",), chosen, options=options)
    if start.has_declarer and start.rotation != "round":
        label = _("At most in a match")
        told = "" if contract.times_in_match is None else str(contract.times_in_match)
        title = f"{name}, {label}"
        where = f"limit-{contract.code}"
        limit = Number(where, label, title, ("times_in_match",), told, most=20, optional=True, signed=False)
    data: dict[str, Any] = json.loads(msgspec.json.encode(contract))
    return ContractPart(contract, data, is_more, times, list(_values(start, contract)), limit)


def _values(start: RuleSet, contract: Contract) -> Iterator[Number]:
    match contract:
        case Counts():
            for i, item in enumerate(contract.items):
                yield from _item_values(contract, i, item, max(start.players))
        case Finish():
            yield from _places(start, contract)
        case Ravaged():
            label = _("Most cards of one suit")
            yield _value(contract, "penalty", label, ("penalty",), contract.penalty)
        case Beats():
            yield _value(contract, "unit", _("Each unit"), ("unit",), contract.unit)
            yield _value(contract, "overall", _("The most units"), ("overall",), contract.overall)
        case _:
            assert_never(contract)
    if contract.coup is not None:
        label = _("A coup, from each opponent")
        yield _value(contract, "coup", label, ("coup",), contract.coup, is_plain=True)


def _value(contract: Contract, what: str, label: str, path: Path, number: int, *, is_plain: bool = False) -> Number:
    minus = not is_plain and (number < 0 or (number == 0 and contract.is_negative))
    title = f"{_(contract.name)}, {label}"
    where = f"value-{contract.code}-{what}"
    return Number(where, label, title, path, str(abs(number)), minus=minus, signed=not is_plain)


def _item_values(contract: Counts, i: int, item: Item, players: int) -> Iterator[Number]:
    one = _(item.one)
    if item.within is not None:
        label = _("The {item}, besides").format(item=one)
    elif item.left_over:
        label = _("Each {item} left").format(item=one)
    elif item.is_single:
        label = _("The {item}").format(item=one)
    else:
        label = _("Each {item}").format(item=one)
    yield _value(contract, item.code, label, ("items", i, "each"), item.each)
    if item.all_to_one is not None:
        label = _("All {n} {items} with one player").format(n=item.in_play(players), items=_(item.many))
        path = ("items", i, "all_to_one")
        number = _value(contract, f"{item.code}-all", label, path, item.all_to_one)
        number.turns = number.optional = True
        yield number


def _places(start: RuleSet, contract: Finish) -> Iterator[Number]:
    """Places may gain or lose, so that each has a sign of its own to turn."""
    out = [_("Out first"), _("Out second"), _("Out third"), _("Out fourth"), _("Out fifth"), _("Out sixth")]
    for players in sorted(start.players, reverse=True):
        key = str(players)
        path: Path = ("places_for", key) if key in contract.places_for else ("places",)
        if path == ("places",) and players != len(contract.places):
            continue
        for i, points in enumerate(contract.pays(players)):
            label = out[i]
            if len(start.players) > 1:
                label = _("{place} of {n}").format(place=label, n=players)
            number = _value(contract, f"{players}-{i + 1}", label, (*path, i), int(points))
            number.turns = True
            yield number


def switch_groups(start: RuleSet, contracts: Sequence[Contract]) -> Iterator[Group]:
    yield Group("turn", _("Turn and deal"), list(_turn_fields(start)))
    yield Group("doubles", _("Doubling"), list(_doubling_fields(start)))
    yield Group("play", _("How the cards are played"), list(_play_fields(start, contracts)))
    yield Group("money", _("Money"), list(_money_fields(start)))
    yield Group("end", _("The end"), list(_end_fields(start)))


def _choice(where: str, label: str, path: Path, value: Any, options: Mapping[Any, str]) -> Choice:
    told = {_as_key(option): (option, words) for option, words in options.items()}
    return Choice(where, label, label, path, _as_key(value), options=told)


def _as_key(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _turn_fields(start: RuleSet) -> Iterator[Field]:
    if start.rotation in ("each-deal", "block"):
        moves = {"each-deal": _("after every deal"), "block": _("when all are declared")}
        yield _choice("rotation", _("The turn to declare moves on"), ("rotation",), start.rotation, moves)
    ways = {"clockwise": _("clockwise"), "counter-clockwise": _("counter-clockwise")}
    yield _choice("direction", _("Play goes"), ("direction",), start.direction, ways)
    if not start.has_declarer:
        return
    dealers = {"declarer": _("the declarer"), "before": _("the player before")}
    yield _choice("dealer", _("Who deals"), ("dealer",), start.dealer, dealers)
    if start.rotation == "round":
        return
    for sign, label in (
        ("negative", _("Negative contracts each, if limited")),
        ("positive", _("Positive contracts each, if limited")),
    ):
        told = str(getattr(start.quotas, sign)) if start.quotas else ""
        where = f"quota-{sign}"
        yield Number(where, label, label, ("quotas", sign), told, most=20, optional=True, signed=False)


def _doubling_fields(start: RuleSet) -> Iterator[Field]:
    rule = start.doubling
    if not start.has_declarer or start.payment != "own" or start.has_coups:
        return
    who = {"everyone": _("everyone"), "declarer": _("only the declarer"), "none": _("nobody")}
    yield _choice("doubling-who", _("Who may be doubled"), ("doubling", "who"), rule.who, who)
    whom = {"declarer": _("only the declarer"), "anyone": _("anyone")}
    label = _("Who may be doubled in a positive contract")
    yield _choice("doubling-positives", label, ("doubling", "positives"), rule.positives, whom)
    often = {number: str(number) for number in range(10)}
    label = _("Doubles owed to each declarer")
    yield _choice("doubling-compulsory", label, ("doubling", "compulsory"), rule.compulsory, often)
    then = {"passed-out": _("passed out"), "played": _("played out")}
    label = _("A negative that nobody doubles is")
    yield _choice("doubling-undoubled", label, ("doubling", "undoubled"), rule.undoubled, then)


def _play_fields(start: RuleSet, contracts: Sequence[Contract]) -> Iterator[Field]:
    """Only what these rules have a use for: hearts led where hearts count, trumps where there are some."""
    play, tricks = start.play, [contract for contract in contracts if start.has_play(contract)]
    yes_no = {True: _("yes"), False: _("no")}
    if any(contract.is_about_hearts for contract in tricks):
        leads = {
            "never": _("never, while another suit is held"),
            "after-discard": _("once one was discarded"),
            "free": _("at any time"),
        }
        label = _("Hearts may be led, where hearts count")
        yield _choice("hearts-lead", label, ("play", "hearts_lead"), play.hearts_lead, leads)
    if any(contract.needs == "trump" for contract in tricks):
        under = {"free": _("any card"), "must": _("a lower trump")}
        label = _("Who is void and cannot beat the trumps plays")
        yield _choice("under-trump", label, ("play", "under_trump"), play.under_trump, under)
        label = _("A trump lead must be beaten")
        yield _choice("beat-trump-lead", label, ("play", "beat_trump_lead"), play.beat_trump_lead, yes_no)
    if any(contract.card_set for contract in tricks):
        throw = {"free": _("may be kept"), "must": _("must be thrown")}
        label = _("A card that counts, when void")
        yield _choice("void-penalty", label, ("play", "void_penalty"), play.void_penalty, throw)
    if any(contract.card_set == {"KH"} for contract in tricks):
        label = _("The king of hearts goes at the first chance")
        yield _choice("king", label, ("play", "king_first_chance"), play.king_first_chance, yes_no)
    if knows_moves(start):
        label = _("A player who is blocked takes the joker into hand")
        yield _choice("joker-blocked", label, ("play", "joker_to_blocked"), play.joker_to_blocked, yes_no)
        label = _("From the first joker to the second, suits that lie face up may not be played")
        yield _choice("joker-bars", label, ("play", "joker_bars_suits"), play.joker_bars_suits, yes_no)


def _money_fields(start: RuleSet) -> Iterator[Field]:
    if start.purse or start.payment == "declarer":
        label, path = _("Each player begins with"), ("purse",)
        yield Number("purse", label, label, path, str(start.purse), most=LARGEST_PURSE, signed=False)
    if start.has_coups:
        label, told = _("A coup that fails costs"), str(start.coup_failed)
        yield Number("coup-failed", label, label, ("coup_failed",), told, signed=False)


def _end_fields(start: RuleSet) -> Iterator[Field]:
    if start.ends_at is not None:
        label, told = _("The match ends when somebody reaches"), str(start.ends_at)
        yield Number("ends-at", label, label, ("ends_at",), told, least=1, signed=False)
    wins = {
        "highest": _("the highest total"),
        "lowest": _("the lowest total"),
        "above-zero": _("everyone above zero"),
    }
    yield _choice("wins", _("Who wins"), ("wins",), start.wins, wins)


def knows_moves(start: RuleSet) -> bool:
    """Cards do something beyond being played, as where cards lie face up and move."""
    return bool(start.play.moves) or any(contract.face_up for contract in start.contracts)


def move_row(number: int, card: str = "", name: str = "", text: str = "") -> MoveRow:
    cards = {"": ("", "–"), **{rank: (rank, _(word)) for rank, word in reversed(RANK_NAMES.items())}}
    cards["joker"] = ("joker", _("Joker"))
    row = _("Move {n}").format(n=number + 1)
    on, called, what = _("Card"), _("Name of the move"), _("What it does")
    where = f"move-{number}"
    return MoveRow(
        number,
        CardChoice(f"{where}-card", on, f"{row}, {on}", (), card, options=cards),
        Words(f"{where}-name", called, f"{row}, {called}", (), name, needed=True),
        Words(f"{where}-says", what, f"{row}, {what}", (), text, most=LONGEST_ABOUT, long=True),
    )


class CardChoice(Choice):
    """The card of a special move; a row that says something needs one."""

    def read(self) -> Any:
        if not self.typed:
            self.refuse(gettext_noop("{field}: choose one of these."))
        return super().read()


def plain_data(ruleset: RuleSet) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(msgspec.json.encode(ruleset))
    return data


def put(data: Any, path: Path, value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value
