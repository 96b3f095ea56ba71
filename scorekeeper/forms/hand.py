"""The form of one hand: POST data to a referee's Hand, shape only, and what was typed kept as it was.

Whether a hand can have happened is the referee's to say; here a count is only a whole number, a seat only
a seat, and a blank only a blank: in a form it is never zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from django.http import QueryDict
from msgspec.structs import replace

from referee import Beats, Contract, Counts, Coup, Finish, Hand, Problem, Ravaged, Result, Turn
from referee.cards import SUITS
from referee.hands import Pair, Seat
from referee.problems import gettext_noop, problem
from referee.rules import ROWS, Item, Points
from referee.scoring import row_order, row_units

CONTRACT, DOUBLES, RESULT = "contract", "doubles", "result"
STEPS = {"": CONTRACT, "again": DOUBLES, "doubles": DOUBLES, "save": RESULT}
"""The step that each button of the form speaks of; "again" goes back to it."""

FILLING = {"out", "back", "place", "tie", "unplace"}
"""Buttons that fill in a result without a script, a round trip a tap."""

NOBODY = -1
"""Stands for nobody where a card lies out of play and nobody took it."""

NOTE_LONGEST = 500


def panel(contract: Contract) -> str:
    """Which entry control a contract uses; contracts that ask the same share one."""
    match contract:
        case Counts():
            return " ".join(f"{item.code}:{item.count}" for item in contract.items)
        case Finish():
            return "finish"
        case Ravaged():
            return "ravaged"
        case Beats():
            return "beats"
        case _:
            assert_never(contract)


@dataclass
class HandForm:
    """What stands in the form, right or wrong, and the problems of its shape."""

    turn: Turn
    contract: Contract | None = None
    trump: str | None = None
    start: str | None = None
    doubles: tuple[Pair, ...] | None = None
    counts: dict[tuple[str, Seat], str] = field(default_factory=dict)
    finish: list[Seat] = field(default_factory=list)
    ravaged: list[Seat] = field(default_factory=list)
    longest: dict[Seat, str] = field(default_factory=dict)
    order: dict[str, list[list[Seat]]] = field(default_factory=lambda: {row: [] for row in ROWS})
    fouls: list[Seat] = field(default_factory=list)
    best: Seat | None = None
    coup_by: Seat | None = None
    coup_made: bool | None = None
    barbaras: dict[str, Seat] = field(default_factory=dict)
    played_anyway: bool = False
    note: str = ""
    step: str = CONTRACT
    has_result: bool = False
    is_filling: bool = False
    problems: list[Problem] = field(default_factory=list)
    base: Hand = field(default_factory=Hand)

    @classmethod
    def of(cls, turn: Turn, hand: Hand | None) -> HandForm:
        """The form of a stored hand, at the step that comes next; of None, a blank one."""
        hand = hand or Hand()
        form = cls(
            turn=turn,
            base=hand,
            contract=turn.ruleset.contract(hand.contract),
            trump=hand.trump,
            start=hand.start,
            doubles=hand.doubles,
            played_anyway=hand.played_anyway,
            note=hand.note,
            has_result=turn.result(hand) is not None,
            coup_by=hand.coup.by if hand.coup else None,
            coup_made=hand.coup.made if hand.coup else None,
            barbaras=dict(hand.barbaras or {}),
            longest={seat: str(number) for seat, number in (hand.longest or {}).items()},
        )
        form.step = form._next_step()
        result = turn.result(hand) or Result()
        for item, taken in (result.counts or {}).items():
            form.counts |= {(item, seat): str(taken.get(seat, 0)) for seat in turn.seats}
            if not any(taken.values()):
                form.counts[item, NOBODY] = "1"
        form.finish = list(result.finish or ())
        form.ravaged = list(result.ravaged or ())
        for row, units in (result.beats or {}).items():
            form.order[row] = [list(group) for group in row_order(units, len(turn.players))]
        form.best = result.best
        return form

    @classmethod
    def posted(cls, turn: Turn, data: QueryDict, stored: Hand | None, *, whole: bool = False) -> HandForm:
        """The form as it was sent. What it does not speak of is kept from the stored hand.

        In a correction the ``whole`` hand stands on the page at once, and only saving it finishes anything.
        """
        form = cls(turn=turn, base=stored or Hand())
        form._take(data, whole)
        return form

    def _next_step(self) -> str:
        if self.contract is None or (self.contract.needs and not (self.trump or self.start)):
            return CONTRACT
        if self.turn.ruleset.doubling.who != "none" and self.doubles is None:
            return DOUBLES
        return RESULT

    def _take(self, data: QueryDict, whole: bool) -> None:
        self._refuse_twice(data)
        pressed, goes_out = data.get("step", ""), bool(FILLING & data.keys())
        if pressed not in STEPS:
            self._wrong("form", gettext_noop("There is no step “{step}”."), step=pressed[:40])
        self.step = RESULT if whole or goes_out else STEPS.get(pressed, CONTRACT)
        self.is_filling = data.get("declare") == "" or goes_out or pressed == "again" or (whole and pressed != "save")
        self._take_contract(data)
        self._take_note(data)
        self.played_anyway = "played_anyway" in data
        if self.step != CONTRACT:
            self._take_doubles(data)
        self._take_barbaras(data)
        if self.step == RESULT and self.contract is not None:
            self._take_coup(self.contract, data)
            self._take_result(self.contract, data)
        if self.is_filling:
            self.problems.clear()

    def _refuse_twice(self, data: QueryDict) -> None:
        for name in ("declare", "contract", "trump", "start", "pick", "step", "note", "key", "revision"):
            if len(data.getlist(name)) > 1:
                self._wrong(name, gettext_noop("“{field}” was sent twice."), field=name)

    def _take_contract(self, data: QueryDict) -> None:
        code = data.get("declare", data.get("contract")) or None
        self.contract = self.turn.ruleset.contract(code)
        if code and self.contract is None:
            message = gettext_noop("{game} has no contract “{given}”.")
            self._wrong("contract", message, game=self.turn.ruleset.name, given=code[:40])
        needs = self.contract.needs if self.contract else None
        if needs:
            kept = "" if "declare" in data else data.get(needs, "")
            setattr(self, needs, (data.get("pick") or kept)[:40] or None)

    def _take_note(self, data: QueryDict) -> None:
        note = data.get("note", "")
        if "note" not in data or _one_line(note) == _one_line(self.base.note):
            self.note = self.base.note
            return
        self.note = note.strip()
        if len(self.note) > NOTE_LONGEST:
            message = gettext_noop("The note has {given} characters; at most {longest} are kept.")
            self._wrong("note", message, given=len(self.note), longest=NOTE_LONGEST)
        if {"\x00", "\N{REPLACEMENT CHARACTER}"} & set(self.note):
            self._wrong("note", gettext_noop("The note has a character that cannot be kept."))

    def _take_doubles(self, data: QueryDict) -> None:
        pairs = tuple(self._pairs(data))
        if self.turn.ruleset.doubling.who == "none":
            if pairs:
                game = self.turn.ruleset.name
                self._wrong("doubles", gettext_noop("There is no doubling in {game}."), game=game)
            return
        # A contract that was just changed may not know all of the doubles ticked for the other one.
        contract, declarer = self.contract, self.turn.declarer
        if contract is not None and "declare" in data:
            pairs = tuple((who, whom) for who, whom in pairs if whom in self.turn.may_double(contract, who))
            pairs = tuple((who, whom) for who, whom in pairs if who != declarer or (whom, who) in pairs)
        self.doubles = pairs

    def _pairs(self, data: QueryDict) -> Iterator[Pair]:
        for value in data.getlist("double"):
            found = re.fullmatch(r"([0-9])-([0-9])", value)
            pair = (int(found[1]), int(found[2])) if found else None
            if pair is None or not all(seat in self.turn.seats for seat in pair):
                self._wrong("doubles", gettext_noop("“{given}” is no pair of players of this match."), given=value[:40])
            else:
                yield pair

    def _take_result(self, contract: Contract, data: QueryDict) -> None:
        """What was typed is kept, though a hand that was passed out or ended in a coup has no result."""
        outline = self._outline()
        self.has_result = not self.turn.is_passed_out(outline) and outline.coup is None
        before = len(self.problems)
        match contract:
            case Counts():
                for item in contract.items:
                    self._take_item(item, data)
            case Finish():
                self.finish = list(self._seats("finish", data))
                self._take_out(data)
            case Ravaged():
                self.ravaged = list(self._seats("ravaged", data))
                self._take_longest(data)
            case Beats():
                self._take_rows(data)
            case _:
                assert_never(contract)
        self._refuse_strange_fields(contract, data)
        if not self.has_result:
            del self.problems[before:]

    def _take_out(self, data: QueryDict) -> None:
        """The buttons of going out: the last one fills itself, and is taken back with the one before."""
        if "back" in data:
            self.finish = self.finish[: -2 if len(self.finish) == len(self.turn.seats) else -1]
        self.finish += [seat for seat in self._seats("out", data) if seat not in self.finish]
        rest = [seat for seat in self.turn.seats if seat not in self.finish]
        if len(rest) == 1 and "out" in data:
            self.finish += rest

    def _take_item(self, item: Item, data: QueryDict) -> None:
        if item.is_single:
            takers = data.getlist(item.code)
            nobody = takers == ["nobody"] and item.may_be_short
            seats = [NOBODY] if nobody else list(self._seats(item.code, data))
            if len(takers) > 1:
                self._wrong(item.code, gettext_noop("“{field}” was sent twice."), field=item.name)
            elif not takers:
                self._wrong(item.code, gettext_noop("Say who took the {item}."), item=item.one)
            for seat in seats[:1]:
                self.counts[item.code, seat] = "1"
            return
        for seat in self.turn.seats:
            name = f"{item.code}-{seat}"
            typed = data.getlist(name)
            self.counts[item.code, seat] = text = typed[0] if typed else ""
            player = self.turn.players[seat]
            number = _whole_number(text)
            if len(typed) > 1:
                self._wrong(name, gettext_noop("“{field}” was sent twice."), field=f"{item.name} – {player}")
            elif not text.strip():
                self._wrong(
                    name, gettext_noop("{items} for {player}: nothing is entered."), items=item.name, player=player
                )
            elif number is None or number > item.in_play(len(self.turn.players)):
                self._wrong(
                    name,
                    gettext_noop("{items} for {player}: “{given}” is not a whole number from 0 to {most}."),
                    items=item.name,
                    player=player,
                    given=text[:40],
                    most=item.in_play(len(self.turn.players)),
                )

    def _take_coup(self, contract: Contract, data: QueryDict) -> None:
        if contract.coup is None or data.get("coup", "no") == "no":
            return
        self.coup_by = next(self._seats("coup", data), None)
        made = data.get("coup-made")
        if self.coup_by is not None and made not in ("yes", "no"):
            self._wrong("coup-made", gettext_noop("Say whether the coup was made or failed."))
        self.coup_made = made == "yes"

    def _take_barbaras(self, data: QueryDict) -> None:
        for suit in SUITS:
            for seat in self._seats(f"barbara-{suit}", data):
                self.barbaras[suit] = seat

    def _take_longest(self, data: QueryDict) -> None:
        for seat in self.turn.seats:
            text = data.get(f"longest-{seat}", "").strip()
            if not text:
                continue
            self.longest[seat] = text
            if _whole_number(text) is None:
                message = gettext_noop("Longest suit of {player}: “{given}” is not a whole number from 0 to 13.")
                self._wrong(f"longest-{seat}", message, player=self.turn.players[seat], given=text[:40])

    def _take_rows(self, data: QueryDict) -> None:
        """The order of each row, best first: a seat a value, with "=" before it where it ties with the one before."""
        self.fouls = list(dict.fromkeys(self._seats("foul", data)))
        for row in ROWS:
            groups: list[list[Seat]] = []
            for value in data.getlist(f"row-{row}"):
                for seat in self._seats(row, data, [value.removeprefix("=")]):
                    if value.startswith("=") and groups:
                        groups[-1].append(seat)
                    else:
                        groups.append([seat])
            self.order[row] = _without(groups, self.fouls)
            self._press_row(row, data)
            placed = [seat for group in self.order[row] for seat in group]
            missing = [self.turn.players[seat] for seat in self.turn.seats if seat not in (*placed, *self.fouls)]
            if missing:
                message = gettext_noop("In the {row} row nobody has placed {players}.")
                self._wrong(row, message, row=row, players=", ".join(missing))
            if len(set(placed)) < len(placed):
                self._wrong(row, gettext_noop("In the {row} row somebody is placed twice."), row=row)
        self.best = next(self._seats("best", data), None)
        if not self.overall_tie:
            self.best = None

    def _press_row(self, row: str, data: QueryDict) -> None:
        """The buttons of a row without a script: a player's name, the tie, taking back."""
        groups = self.order[row]
        for value in data.getlist("place"):
            name, _dash, seat = value.partition("-")
            if name == row:
                groups += [[s] for s in self._seats("place", data, [seat]) if not any(s in group for group in groups)]
        if row in data.getlist("tie") and len(groups) > 1:
            groups[-2:] = [groups[-2] + groups[-1]]
        if row in data.getlist("unplace") and groups:
            groups[-1].pop()
            if not groups[-1]:
                groups.pop()

    @property
    def overall_tie(self) -> tuple[Seat, ...]:
        """Who ties for the most units where one more unit goes to the most; empty where nobody has to be named."""
        contract = self.contract
        if not isinstance(contract, Beats) or not contract.overall:
            return ()
        rows = self._beats().values()
        units = [sum(beaten.get(seat, 0) for beaten in rows) for seat in self.turn.seats]
        tied = tuple(seat for seat in self.turn.seats if units[seat] == max(units))
        return tied if len(tied) > 1 else ()

    def _beats(self) -> dict[str, dict[Seat, Points]]:
        return {row: row_units([*self.order[row], self.fouls], self.fouls) for row in ROWS}

    def _seats(self, name: str, data: QueryDict, values: Sequence[str] | None = None) -> Iterator[Seat]:
        for value in data.getlist(name) if values is None else values:
            if re.fullmatch(r"[0-9]", value) and int(value) in self.turn.seats:
                yield int(value)
            else:
                self._wrong(name, gettext_noop("“{given}” is no player of this match."), given=value[:40])

    def _refuse_strange_fields(self, contract: Contract, data: QueryDict) -> None:
        """What belongs to another contract, or to a seat that is not there, was not meant for this one."""
        asked = _fields(contract, self.turn.seats)
        items = {item.code for item in self.turn.ruleset.items}
        for name in data:
            is_of_a_result = {name, re.sub(r"-[^-]*$", "", name)} & {*items, "finish", "ravaged"}
            if is_of_a_result and name not in asked:
                message = gettext_noop("“{field}” is not asked for in {contract}.")
                self._wrong("result", message, field=name[:40], contract=contract.name)

    @property
    def asks_more(self) -> bool:
        """Nothing is wrong, but the next question comes before anything is stored: a suit, a rank, who is out."""
        needs = self.contract is not None and self.contract.needs and not (self.trump or self.start)
        return self.is_filling or bool(needs and self.step == CONTRACT)

    @property
    def is_complete(self) -> bool:
        """It tells a hand as it stands: nothing is wrong, and nothing more is asked."""
        return not self.problems and not self.asks_more

    def _wrong(self, where: str, message: str, **values: object) -> None:
        found = problem("not-understood", where, message, **values)
        if found not in self.problems:
            self.problems.append(found)

    def _outline(self) -> Hand:
        """The hand without its result; what is stored beside it is kept as long as the contract is the same."""
        code = self.contract.code if self.contract and self.turn.ruleset.has_declarer else None
        kept = self.base if self.base.contract == code else replace(self.base, play=None)
        longest = {seat: number for seat, text in self.longest.items() if (number := _whole_number(text)) is not None}
        coup = Coup(by=self.coup_by, made=bool(self.coup_made)) if self.coup_by is not None else None
        return replace(
            kept,
            longest=longest or None,
            coup=coup,
            barbaras=self.barbaras or None,
            contract=code,
            trump=self.trump,
            start=self.start,
            doubles=self._as_stored(),
            result=None,
            played_anyway=self.played_anyway,
            note=self.note,
        )

    @property
    def hand(self) -> Hand:
        """The referee's value of a form that has the right shape."""
        return replace(self._outline(), result=self._result() if self.has_result and self.contract else None)

    def _as_stored(self) -> tuple[Pair, ...] | None:
        stored = self.base.doubles
        if self.doubles is None or stored is None:
            return stored if self.turn.ruleset.doubling.who == "none" else self.doubles
        return stored if len(stored) == len(self.doubles) and set(stored) == set(self.doubles) else self.doubles

    def _result(self) -> Result | None:
        """What the form says; where it says the same, as it is stored: entered, or told by the tricks alone."""
        stored, result = self.base.result, self._fresh_result()
        known = self.turn.result(self.base)
        if known is not None and _same(known, result, self.turn.seats):
            return stored
        return result

    def _fresh_result(self) -> Result:
        match self.contract:
            case Counts(items=items):
                counts = {
                    item.code: {
                        seat: number
                        for seat in self.turn.seats
                        if (number := _whole_number(self.counts.get((item.code, seat), "")))
                    }
                    for item in items
                }
                return Result(counts=counts)
            case Finish():
                return Result(finish=tuple(self.finish))
            case Ravaged():
                return Result(ravaged=tuple(self.ravaged))
            case Beats():
                return Result(beats=self._beats(), best=self.best)
            case _:
                return Result()


def _fields(contract: Contract, seats: range) -> set[str]:
    """The fields in which a contract's result is told."""
    match contract:
        case Counts(items=items):
            return {item.code if item.is_single else f"{item.code}-{seat}" for item in items for seat in seats}
        case Finish():
            return {"finish"}
        case Ravaged():
            return {"ravaged"}
        case _:
            return set()


def _without(groups: list[list[Seat]], fouls: Sequence[Seat]) -> list[list[Seat]]:
    left = [[seat for seat in group if seat not in fouls] for group in groups]
    return [group for group in left if group]


def _one_line(text: str) -> str:
    """What a text field makes of a text."""
    return "".join(text.splitlines()).strip()


def _whole_number(text: str) -> int | None:
    text = text.strip()
    return int(text) if re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) else None


def _same(one: Result, other: Result, seats: range) -> bool:
    """Both say the same; a seat left out of a map took none, and the order of the ravaged does not matter."""
    if (one.counts is None) != (other.counts is None):
        return False
    counts = one.counts or {}, other.counts or {}
    return (
        counts[0].keys() == counts[1].keys()
        and all(counts[0][i].get(s, 0) == counts[1][i].get(s, 0) for i in counts[0] for s in seats)
        and one.finish == other.finish
        and set(one.ravaged or ()) == set(other.ravaged or ())
        and one.best == other.best
        and (one.beats is None) == (other.beats is None)
        and all(
            (one.beats or {})[row].get(s, 0) == (other.beats or {})[row].get(s, 0)
            for row in one.beats or ()
            for s in seats
        )
    )
