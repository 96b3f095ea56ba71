"""The form of a table's own rules: a field for every number and switch that the rule set itself has.

No game is known here by name. The fields are made from the structure of the rules that the table starts
from, and what is left out or switched off keeps what was typed, but is not asked about.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import lcm
from typing import Any

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _

import referee
from referee import BadRuleSet, Contract, NotAMatch, Problem, Ravaged, RuleSet
from referee import name_key as key_of
from referee.explain import signed
from referee.matchfile import parse_ruleset, with_true_examples
from referee.problems import gettext_noop, problem
from referee.rules import from_object, to_object

from ..models import new_code
from ..templatetags.cards import says
from .new import LONGEST_NAME, is_unreadable
from .rule_fields import (
    LARGEST_FILE,
    LARGEST_VALUE,
    LONGEST_ABOUT,
    MOVES,
    ContractPart,
    Field,
    Number,
    Words,
    contract_part,
    is_key,
    knows_moves,
    more_contracts,
    move_row,
    plain_data,
    put,
    switch_groups,
)


class RulesForm:
    """What the form says so far, right or wrong; ``ruleset`` is there once all of it is right."""

    def __init__(self, start: RuleSet, *, is_change: bool = False, taken: Iterable[str] = ()) -> None:
        """A form that says what ``start`` says; ``taken`` are names that other rules have."""
        self.start = start
        self.key = new_code()
        self.taken = {key_of(name) for name in taken}
        self.data = plain_data(start)
        if not is_change:
            self.data["chosen"] = []
        self.most_players = max(start.players)
        named, about = _("Name"), _("In a sentence or two; change what no longer holds")
        self.name = Words("rules-name", named, named, ("name",), start.name if is_change else "", needed=True)
        self.about = Words("rules-about", about, about, ("about",), start.about, most=LONGEST_ABOUT, long=True)
        more = more_contracts(start)
        self.contracts = [contract_part(start, contract) for contract in start.contracts]
        self.contracts += [contract_part(start, contract, is_more=True) for contract in more]
        self.groups = [group for group in switch_groups(start, [*start.contracts, *more]) if group.fields]
        self.has_moves = knows_moves(start)
        told = [(move.card, move.name, move.says) for move in start.play.moves]
        self.moves = [move_row(number, *move) for number, move in enumerate(told)]
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
            form.moves = [move_row(number) for number in rows]
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
            self.moves.append(move_row(len(self.moves)))

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
                put(data, one.path, one.read())
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
                put(told, one.path, one.read())
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
