"""The form of a table's own rules: a field for every number and switch that the rule set itself has.

No game is known here by name. The fields are made from the structure of the rules that the table starts
from, and what is left out or switched off keeps what was typed, but is not asked about.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, ClassVar, assert_never

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _

import referee
from referee import BadRuleSet, Beats, Contract, Counts, Finish, Item, NotAMatch, Problem, Ravaged, RuleSet
from referee import name_key as key_of
from referee.cards import RANK_NAMES
from referee.explain import signed
from referee.matchfile import parse_ruleset, with_true_examples
from referee.problems import gettext_noop, problem
from referee.rules import from_object, to_object

from ..models import new_code
from ..templatetags.cards import says
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
class Field:
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

    def read(self) -> Any:
        """The value, or None where there is none; what cannot be understood is refused."""
        raise NotImplementedError


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


class RulesForm:
    """What the form says so far, right or wrong; ``ruleset`` is there once all of it is right."""

    def __init__(self, start: RuleSet, *, is_change: bool = False, taken: Iterable[str] = ()) -> None:
        """A form that says what ``start`` says; ``taken`` are names that other rules have."""
        self.start = start
        self.key = new_code()
        self.taken = {key_of(name) for name in taken}
        self.data = _plain(start)
        if not is_change:
            self.data["chosen"] = []
        self.most_players = max(start.players)
        named, about = _("Name"), _("In a sentence or two; change what no longer holds")
        self.name = Words("rules-name", named, named, ("name",), start.name if is_change else "", needed=True)
        self.about = Words("rules-about", about, about, ("about",), start.about, most=LONGEST_ABOUT, long=True)
        more = more_contracts(start)
        self.contracts = [_contract_part(start, contract) for contract in start.contracts]
        self.contracts += [_contract_part(start, contract, is_more=True) for contract in more]
        self.groups = [group for group in _groups(start, [*start.contracts, *more]) if group.fields]
        self.has_moves = _has_moves(start)
        told = [(move.card, move.name, move.says) for move in start.play.moves]
        self.moves = [_move_row(number, *move) for number, move in enumerate(told)]
        self._leave_room_for_a_move()
        self.problems: list[Problem] = []
        self.worked_out = start
        self.ruleset: RuleSet | None = None

    @classmethod
    def posted(
        cls,
        data: QueryDict,
        start: RuleSet,
        *,
        is_change: bool = False,
        taken: Iterable[str] = (),
        is_saving: bool = True,
    ) -> RulesForm:
        """The form as it was sent, judged; only what is to be saved needs a name."""
        form = cls(start, is_change=is_change, taken=taken)
        form.name.needed = is_saving
        if is_key(key := data.get("key", "")):
            form.key = key
        else:
            form.name.refuse(gettext_noop("The form came incomplete. Look it over and send it again."))
        if form.has_moves:
            rows = [number for number in range(MOVES) if f"move-{number}-card" in data]
            form.moves = [_move_row(number) for number in rows]
        for one in form.fields:
            one.take(data)
        form.judge()
        form._leave_room_for_a_move()
        return form

    @property
    def fields(self) -> Iterator[Field]:
        """Everything that is asked, in the order of the page."""
        yield from (self.name, self.about)
        for part in self.contracts:
            yield from part.fields
        for group in self.groups:
            yield from group.fields
        for row in self.moves:
            yield from row.fields

    @property
    def more(self) -> list[ContractPart]:
        """Contracts of other games that the table may add."""
        return [part for part in self.contracts if part.is_more]

    @property
    def more_is_open(self) -> bool:
        """One of them was added, or something in it is wrong."""
        return any(part.wrong or not part.is_out for part in self.more)

    def field(self, name: str) -> Any:
        """The value of a field that these rules may have or not; what is not asked is as it was."""
        for group in self.groups:
            for one in group.fields:
                if one.name == name:
                    return one.read()
        return None

    def _leave_room_for_a_move(self) -> None:
        if self.has_moves and len(self.moves) < MOVES and not (self.moves and self.moves[-1].is_blank):
            self.moves.append(_move_row(len(self.moves)))

    # What it says

    def judge(self) -> None:
        """Find everything that keeps these from being rules, and work out what each contract comes to."""
        data = self._told()
        self._judge_name()
        self.problems = [one.wrong for one in self.fields if one.wrong]
        self._work_out(data)
        if not {one.where for one in self.problems} - {self.name.name, self.about.name}:
            self._judge_whole(data)

    def show(self) -> None:
        """Work out what each contract comes to, of rules that nobody has changed yet."""
        self._work_out(self._told())
        for one in self.fields:
            one.wrong = None

    def _told(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(json.dumps(self.data))
        nobody_doubles = self.field("doubling-who") == "none"
        for one in [self.name, self.about, *(one for group in self.groups for one in group.fields)]:
            if nobody_doubles and one.name.startswith("doubling-"):
                one.wrong = None
            elif one.path[0] != "quotas":
                _put(data, one.path, one.read())
        if nobody_doubles:
            data["doubling"] = {"who": "none"}
        self._tell_quotas(data)
        self._tell_moves(data)
        data["contracts"] = [self._tell_contract(part, data) for part in self.contracts if not part.is_out]
        for part in self.contracts:
            if part.is_out:
                for one in part.fields:
                    one.wrong = None
        return data

    def _tell_contract(self, part: ContractPart, data: Mapping[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(json.dumps(part.data))
        for one in (part.times, *part.values):
            if one is not None:
                _put(told, one.path, one.read())
        told["times_in_match"] = None
        if part.limit is not None and data["quotas"] is not None:
            told["times_in_match"] = part.limit.read()
        elif part.limit is not None:
            part.limit.wrong = None
        return told

    def _tell_quotas(self, data: dict[str, Any]) -> None:
        quotas = [one for group in self.groups for one in group.fields if one.path[0] == "quotas"]
        if not quotas:
            return
        told = {str(one.path[1]): one.read() for one in quotas}
        filled = [number is not None for number in told.values()]
        data["quotas"] = told if all(filled) else None
        for one, is_filled in zip(quotas, filled, strict=True):
            if any(filled) and not is_filled:
                one.refuse(gettext_noop("{field}: fill in both numbers, or neither."))

    def _tell_moves(self, data: dict[str, Any]) -> None:
        if not self.has_moves:
            return
        moves, seen = [], set()
        for row in self.moves:
            if row.is_blank:
                for one in row.fields:
                    one.wrong = None
                continue
            card, name, sentence = (one.read() for one in row.fields)
            if card in seen:
                row.card.refuse(gettext_noop("{field}: this card has a move already."))
            seen.add(card)
            moves.append({"card": card, "name": name, "says": sentence})
        data["play"]["moves"] = moves

    def _judge_name(self) -> None:
        if key_of(self.name.read()) in self.taken:
            message = gettext_noop("{field}: there are rules called “{name}” already. Take another name.")
            self.name.refuse(message, name=self.name.typed.strip())

    def _judge_whole(self, data: dict[str, Any]) -> None:
        """Everything is a number or one of the choices; now ask whether all together can be played."""
        found = list(self._impossible(data))
        self.problems += found
        if found:
            return
        named = {"name": self.start.name, "about": ""} if self.problems or not data["name"] else {}
        try:
            ruleset = with_true_examples(from_object(data | named))
        except BadRuleSet as error:
            message = gettext_noop("These rules cannot be played. {why}.")
            self.problems.append(problem("bad-ruleset", "contracts", message, why=str(error)))
        else:
            self.worked_out = ruleset
            self.ruleset = None if self.problems else ruleset

    def _impossible(self, data: Mapping[str, Any]) -> Iterator[Problem]:
        quotas, contracts = data["quotas"], data["contracts"]
        hands = sum(quotas.values()) if quotas else sum(contract["times"] for contract in contracts)
        if not hands and self.start.has_declarer:
            message = gettext_noop("Every contract is left out. Keep at least one.")
            if quotas:
                message = gettext_noop("Nobody declares anything. Let each player declare at least one contract.")
            yield problem("bad-ruleset", "quota-negative" if quotas else "contracts", message)
            return
        yield from self._quotas_out_of_reach(quotas, contracts)
        owed = data["doubling"].get("compulsory", 0)
        if owed > hands:
            message = gettext_noop(
                "{owed} doubles are owed to each declarer, but a player declares only {hands} times."
            )
            yield problem("bad-ruleset", "doubling-compulsory", message, owed=owed, hands=hands)
        for part in self.contracts:
            if isinstance(part.contract, Ravaged) and not part.is_out:
                yield from self._uneven(part.values[0])
        rises = any(item["each"] > 0 for contract in contracts for item in contract.get("items", ()))
        if not self.start.has_declarer and not rises:
            message = gettext_noop("Nothing that is counted brings points, so that nobody ever reaches {score}.")
            yield problem("bad-ruleset", "ends-at", message, score=data["ends_at"])

    def _uneven(self, penalty: Number) -> Iterator[Problem]:
        step, number = lcm(*range(1, self.most_players + 1)), abs(penalty.read() or 0)
        if number % step:
            low = number // step * step
            message = gettext_noop(
                "{field}: {number} cannot be shared evenly by up to {players} players; {low} and {high} can."
            )
            penalty.refuse(message, number=number, players=self.most_players, low=low, high=low + step)
        if penalty.wrong:
            yield penalty.wrong

    def _quotas_out_of_reach(
        self, quotas: Mapping[str, int] | None, contracts: Collection[Mapping[str, Any]]
    ) -> Iterator[Problem]:
        signs = {
            "negative": gettext_noop(
                "{players} players declare {need} negative contracts each, which is {all}; "
                "by how often each may be played there is room for {room}, and for {each} of one player."
            ),
            "positive": gettext_noop(
                "{players} players declare {need} positive contracts each, which is {all}; "
                "by how often each may be played there is room for {room}, and for {each} of one player."
            ),
        }
        for sign, message in signs.items() if quotas else ():
            players, need = self.most_players, quotas[sign] if quotas else 0
            group = [contract for contract in contracts if contract["sign"] == sign]
            each = sum(contract["times"] for contract in group)
            room = sum(
                min(contract["times"] * players, LARGEST_VALUE if limit is None else limit)
                for contract in group
                for limit in [contract["times_in_match"]]
            )
            if each < need or room < need * players:
                said = {"players": players, "need": need, "all": need * players, "room": room, "each": each}
                yield problem("bad-ruleset", f"quota-{sign}", message, **said)

    # What it comes to

    def _work_out(self, data: Mapping[str, Any]) -> None:
        told = {contract["code"]: contract for contract in data["contracts"]}
        for part in self.contracts:
            if part.is_out or not self.start.has_declarer:
                part.total = ""
            elif part.wrong:
                part.total = "?"
            else:
                part.total = _total(told[part.contract.code], self.most_players)

    @property
    def sums(self) -> str:
        """What a whole match comes to, in a sentence; or the first thing that is wrong."""
        if self.problems:
            return says(self.problems[-1] if self.problems[0].where == self.name.name else self.problems[0])
        ruleset = self.worked_out
        total, hands = ruleset.adds_up_to(self.most_players), ruleset.hands_in_all(self.most_players)
        length = _("{n} hands").format(n=hands) if hands else _("To {n} points").format(n=ruleset.ends_at)
        return f"{length} · {_sum_in_words(ruleset, total)}"

    @property
    def adds_up(self) -> bool:
        """Nothing is wrong, and the scores of a match add up to zero, or to the purses."""
        ruleset = self.worked_out
        total = ruleset.adds_up_to(self.most_players)
        return not self.problems and total in (None, ruleset.purse * self.most_players)

    @property
    def said(self) -> str:
        """A mark of all that the form says: the same for the same form sent twice."""
        ruleset = to_object(self.ruleset) if self.ruleset else None
        told = json.dumps([self.start.code, ruleset], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


def _sum_in_words(ruleset: RuleSet, total: int | float | None) -> str:
    if ruleset.payment == "declarer":
        return _("money moves between purses and bank and stays {n} in all").format(n=f"{total:,}")
    if total is None:
        return _("what the scores add up to depends on the hands")
    if total == 0:
        return _("adds up to 0")
    return _("does not add up to zero: all scores together make {total}").format(total=signed(total))


def _total(told: Mapping[str, Any], players: int) -> str:
    """What a contract comes to in one hand, and how often."""
    try:
        total = signed(msgspec.convert(told, Contract).total(players))
    except msgspec.ValidationError:
        return "?"
    return total if told["times"] == 1 else f"{total} × {told['times']}"


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


# A contract's fields


def _contract_part(start: RuleSet, contract: Contract, *, is_more: bool = False) -> ContractPart:
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


# The switches


def _groups(start: RuleSet, contracts: Sequence[Contract]) -> Iterator[Group]:
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
    if _has_moves(start):
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


def _has_moves(start: RuleSet) -> bool:
    """Cards do something beyond being played, as where cards lie face up and move."""
    return bool(start.play.moves) or any(contract.face_up for contract in start.contracts)


def _move_row(number: int, card: str = "", name: str = "", text: str = "") -> MoveRow:
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


# Rules as plain data


def _plain(ruleset: RuleSet) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(msgspec.json.encode(ruleset))
    return data


def _put(data: Any, path: Path, value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value


# Rules from a file


class ImportForm:
    """Rules that come alone, as a file or as a text; ``problems`` say why they are not taken."""

    def __init__(self, text: str = "", key: str = "") -> None:
        self.text = text
        self.key = key if is_key(key) else new_code()
        self.said = ""
        self.same_as: str | None = None
        self.problems: list[Problem] = []
        self.ruleset: RuleSet | None = None

    def judge(self, file: bytes | None, own: Collection[RuleSet]) -> None:
        """Take the rules whole, or refuse them whole; where their name is taken they get a number.

        ``same_as`` is the code of rules of this table that say just the same; ``said`` marks what was sent.
        """
        given = file if file is not None else self.text.encode("utf-8", "replace")
        self.said = hashlib.sha256(given).hexdigest()[:32]
        if not given.strip():
            self._wrong(gettext_noop("Choose a file of rules, or paste its text."))
        elif len(given) > LARGEST_FILE:
            message = gettext_noop("This is too long for rules: {given} bytes, and at most {most} are read.")
            self._wrong(message, given=f"{len(given):,}", most=f"{LARGEST_FILE:,}")
        else:
            self._read(given, own)

    def _read(self, given: bytes, own: Collection[RuleSet]) -> None:
        try:
            ruleset = with_true_examples(parse_ruleset(given))
        except NotAMatch as error:
            self._wrong(gettext_noop("These are no rules. {why}"), why=error.says)
        except BadRuleSet as error:
            self._wrong(gettext_noop("These rules cannot be played. {why}."), why=str(error))
        else:
            texts = [ruleset.name, *(contract.name for contract in ruleset.contracts)]
            if any(map(is_unreadable, texts)) or "\\u0000" in json.dumps(to_object(ruleset)):
                self._wrong(gettext_noop("A name in these rules has characters that cannot be read."))
            else:
                self._take(_playable(ruleset), own)

    def _take(self, ruleset: RuleSet, own: Collection[RuleSet]) -> None:
        same = (rules.code for rules in own if msgspec.structs.replace(rules, code=ruleset.code) == ruleset)
        self.same_as = next(same, None)
        taken = {key_of(name) for name in names_taken(own)}
        self.ruleset = msgspec.structs.replace(ruleset, name=_free_name(ruleset.name, taken))

    def _wrong(self, message: str, **values: object) -> None:
        self.problems.append(problem("bad-ruleset", "text", message, **values))


def _free_name(name: str, taken: Collection[str]) -> str:
    name, number = name.strip(), 1
    free = name
    while key_of(free) in taken:
        number += 1
        free = f"{name[: LONGEST_NAME - 4]} {number}"
    return free


def _playable(ruleset: RuleSet) -> RuleSet:
    """Without the contracts that are never played, which nobody needs to see."""
    played = tuple(contract for contract in ruleset.contracts if contract.times or not ruleset.has_declarer)
    return msgspec.structs.replace(ruleset, contracts=played)


def names_taken(own: Iterable[RuleSet]) -> list[str]:
    """Names that new rules at a table cannot have: those of the rulebook and of the table's other rules."""
    return [*(referee.load(code).name for code in referee.names()), *(rules.name for rules in own)]
