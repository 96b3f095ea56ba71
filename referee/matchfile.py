"""``match/1``: a match as one JSON text, in and out.

The file names players; inside, the referee counts seats. A name that is no player of the match gets
a seat past the last one, so that a hand is judged as it stands and the stranger is reported with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from .hands import Adjustment, Coup, Hand, Result, Seat, Trick
from .jsontext import Path, load_object, refuse, shown
from .judging import judge_names
from .match import Match, ScoredHand
from .problems import BadRuleSet, NotAMatch, Problem, gettext_noop, problem
from .rules import Example, RuleSet, RulingExample, from_object, load, names, to_object
from .rulings import Question, answer

FORMAT = "match/1"

Read = Callable[[Any, Path], Any]
"""Makes of a value at a place what the referee wants, or refuses it."""


class MatchFile(msgspec.Struct, frozen=True, kw_only=True):
    """A match file taken in: the match, and what of the file is not the match.

    ``match`` is None when the rule set is refused; ``problems`` then says why. ``extra`` holds
    fields that the format does not know, to be given back untouched.
    """

    match: Match | None
    problems: tuple[Problem, ...]
    ruleset_name: str | None = None
    played_on: str | None = None
    extra: Mapping[str, Any] = {}


def parse(text: bytes) -> MatchFile:
    """Read a match file.

    Raises :class:`NotAMatch` when it is none. A match that cannot be what happened is returned with its
    problems.
    """
    return read(load_object(text))


def read(data: Mapping[str, Any]) -> MatchFile:
    """Read the data of a match file, such as :func:`referee.jsontext.load_object` brings and :func:`to_data` makes.

    Raises :class:`NotAMatch` when something in it is of another kind.
    """
    file = _fields(data, (), _FILE, ("format", "ruleset", "players", "hands"))
    extra = {key: value for key, value in data.items() if key not in _FILE}
    seats = _Seats(file["players"])
    first = seats[file["first_declarer"]] if "first_declarer" in file else None
    read_hand = _hand_reader(seats)
    hands = tuple(read_hand(hand, ("hands", i)) for i, hand in enumerate(file["hands"]))
    try:
        ruleset = _ruleset(file["ruleset"])
    except _Refused as refused:
        return MatchFile(match=None, problems=(refused.problem, *judge_names(file["players"])), extra=extra)
    if not ruleset.has_declarer:
        extra |= {key: file[key] for key in ("first_declarer",) if key in file}
        first = 0
    elif first is None:
        refuse("first_declarer is missing", ())
    match = Match(ruleset, file["players"], first, hands, seats.strangers)
    return MatchFile(
        match=match,
        problems=match.problems,
        ruleset_name=file["ruleset"] if isinstance(file["ruleset"], str) else None,
        played_on=file.get("played_on"),
        extra=extra,
    )


def to_data(match: Match, *, played_on: str | None = None, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A match as the data of a match file. A built-in rule set is named, another is written out."""
    code = match.ruleset.code
    built_in = code in names() and load(code) == match.ruleset
    everybody = match.players + match.strangers
    data: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": code if built_in else to_object(match.ruleset),
        "players": list(match.players),
    }
    if match.ruleset.has_declarer:
        data["first_declarer"] = everybody[match.first_declarer]
    if played_on is not None:
        data["played_on"] = played_on
    data["hands"] = [_write_hand(hand, everybody) for hand in match.hands]
    return data | dict(extra or {})


def stands_beside(extra: Mapping[str, Any], ruleset: RuleSet) -> bool:
    """What a file says of a match beyond the known stands beside it: none of it takes the place of what was told."""
    told = {*_FILE} if ruleset.has_declarer else {*_FILE} - {"first_declarer"}
    return told.isdisjoint(extra)


def stands_beside_hand(extra: Mapping[str, Any]) -> bool:
    """The same of a hand, and of what is inside it."""
    for field, inner in extra.items():
        if field == "play":
            tricks = inner if isinstance(inner, list) else [None]
            if not all(isinstance(one, dict) and one.keys().isdisjoint(Trick.__struct_fields__) for one in tricks):
                return False
        elif field in _INSIDE:
            if not isinstance(inner, dict) or not inner.keys().isdisjoint(_INSIDE[field].__struct_fields__):
                return False
        elif field != "extra" and field in Hand.__struct_fields__:
            return False
    return True


_INSIDE: Mapping[str, type[msgspec.Struct]] = {"result": Result, "coup": Coup, "adjustment": Adjustment}


def write(match: Match, *, played_on: str | None = None, extra: Mapping[str, Any] | None = None) -> str:
    """A match as the text of a match file."""
    return json.dumps(to_data(match, played_on=played_on, extra=extra), ensure_ascii=False, indent=1) + "\n"


def play_example(ruleset: RuleSet, example: Example) -> ScoredHand | tuple[Problem, ...]:
    """Play a worked example of the rulebook: its last hand with the scores, or why that is refused."""
    players = example.players
    read = _hand_reader(_Seats(players))
    hands = (*example.before, example.hand)
    match = Match(ruleset, players, hands=tuple(read(hand, ("hands", i)) for i, hand in enumerate(hands)))
    return match.problems or match.scored[-1]


def parse_question(text: bytes) -> Question | tuple[Problem, ...]:
    """Read a question about play; without a rule set it is one about Barbu.

    Raises :class:`NotAMatch` when it is none. Where its rule set cannot be played, what is wrong comes back.
    """
    data = load_object(text, "question")
    try:
        ruleset = _ruleset(_ruleset_given(data.get("ruleset", "barbu"), ("ruleset",)))
    except _Refused as refused:
        return (refused.problem,)
    return read_question(ruleset, data)


def read_question(ruleset: RuleSet, data: Mapping[str, Any]) -> Question:
    """A question about play in one rule set, such as an example of the rulebook asks.

    Raises :class:`NotAMatch` when something in it is of another kind.
    """
    return Question(ruleset=ruleset, **_fields(data, (), _QUESTION))


def parse_ruleset(text: bytes) -> RuleSet:
    """Read a rule set that travels alone: one JSON object of the rulebook's own shape.

    Raises :class:`NotAMatch` when the text is none, and :class:`BadRuleSet` when it cannot be played.
    """
    return from_object(load_object(text, "rule set"))


def with_true_examples(ruleset: RuleSet) -> RuleSet:
    """The rule set with its worked examples scored by its own numbers; those that no longer hold are gone."""
    told = (_true_example(ruleset, example) for example in ruleset.examples)
    return msgspec.structs.replace(
        ruleset,
        examples=tuple(example for example in told if example),
        rulings=tuple(example for example in ruleset.rulings if is_true_ruling(ruleset, example)),
    )


def is_true_ruling(ruleset: RuleSet, example: RulingExample) -> bool:
    """The referee answers a worked example as it says."""
    try:
        found = answer(read_question(ruleset, example.question))
    except NotAMatch:
        return False
    if isinstance(found, tuple):
        return False
    refused = {card: why["code"] for card, why in found["refused"].items()}
    return (tuple(found["legal"]), refused) == (example.legal, example.refused)


def _true_example(ruleset: RuleSet, example: Example) -> Example | None:
    if example.total and len(example.players) not in ruleset.players:
        return None
    try:
        played = play_example(ruleset, example)
    except NotAMatch:
        return None
    if not isinstance(played, ScoredHand):
        return example if example.refused == played[0].code else None
    if example.refused or not played.is_finished:
        return None
    total = dict(zip(example.players, played.total, strict=True))
    if total == example.total:
        return example
    # What the sentence says in figures was true of the old numbers only.
    said = any(character.isdigit() for character in example.says)
    return None if said else msgspec.structs.replace(example, total=total)


# Values, and what is said of one that is of another kind


def _text(value: Any, at: Path) -> str:
    return value if isinstance(value, str) else refuse(f"{shown(value)} is no text", at)


def _whole(value: Any, at: Path) -> int:
    return value if type(value) is int else refuse(f"{shown(value)} is no whole number", at)


def _half(value: Any, at: Path) -> int | float:
    if type(value) is int or (type(value) is float and value % 0.5 == 0):
        return value
    return refuse(f"{shown(value)} is no whole number and no half", at)


def _truth(value: Any, at: Path) -> bool:
    return value if isinstance(value, bool) else refuse(f"{shown(value)} is neither true nor false", at)


def _anything(value: Any, at: Path) -> Any:
    return value


def _list(each: Read) -> Read:
    def read(value: Any, at: Path) -> tuple[Any, ...]:
        if not isinstance(value, list):
            refuse(f"{shown(value)} is no list", at)
        return tuple([each(inner, (*at, i)) for i, inner in enumerate(value)])

    return read


def _pair(each: Read) -> Read:
    several = _list(each)

    def read(value: Any, at: Path) -> tuple[Any, ...]:
        pair: tuple[Any, ...] = several(value, at)
        return pair if len(pair) == 2 else refuse(f"two players make a pair, not {len(pair)}", at)

    return read


def _map(key: Read, each: Read) -> Read:
    def read(value: Any, at: Path) -> dict[Any, Any]:
        if not isinstance(value, dict):
            refuse(f"{shown(value)} is no object", at)
        return {key(name, at): each(inner, (*at, name)) for name, inner in value.items()}

    return read


def _fields(value: Any, at: Path, known: Mapping[str, Read], needed: Iterable[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse(f"{shown(value)} is no object", at)
    for name in needed:
        if name not in value:
            refuse(f"{name} is missing", at)
    return {name: read(value[name], (*at, name)) for name, read in known.items() if name in value}


def _format(value: Any, at: Path) -> str:
    return FORMAT if value == FORMAT else refuse(f"this reads “{FORMAT}”, not {shown(value)}", at)


def _name(value: Any, at: Path) -> str:
    name = _text(value, at)
    length = len(name.strip())
    return name if 1 <= length <= 40 else refuse(f"a name has 1 to 40 characters, not {length}", at)


def _date(value: Any, at: Path) -> str:
    text = _text(value, at)
    try:
        written = date.fromisoformat(text).isoformat()
    except ValueError:
        written = None
    return text if text == written else refuse(f"{shown(text)} is no date such as 2026-11-29", at)


def _ruleset_given(value: Any, at: Path) -> str | dict[str, Any]:
    return value if isinstance(value, str | dict) else refuse(f"{shown(value)} is no rule set", at)


_FILE: Mapping[str, Read] = {
    "format": _format,
    "ruleset": _ruleset_given,
    "players": _list(_name),
    "first_declarer": _text,
    "played_on": _date,
    "hands": _list(_anything),
}


_QUESTION: Mapping[str, Read] = {
    "players": _whole,
    "contract": _text,
    "trump": _text,
    "start": _text,
    "trick": _list(_text),
    "layout": _list(_text),
    "top": lambda value, at: None if value is None else _text(value, at),
    "barbaras": _list(_text),
    "jokers": _whole,
    "hand": _list(_text),
    "heart_discarded": _truth,
}


class _Refused(Exception):
    """A rule set that is told in a match file, but cannot be; carries the problem."""

    def __init__(self, found: Problem) -> None:
        super().__init__(found.says)
        self.problem = found


def _ruleset(given: str | dict[str, Any]) -> RuleSet:
    if isinstance(given, str):
        if given not in names():
            message = gettext_noop("There is no rule set “{name}”.")
            raise _Refused(problem("unknown-ruleset", "ruleset", message, name=given))
        return load(given)
    try:
        return from_object(given)
    except BadRuleSet as error:
        message = gettext_noop("The rule set cannot be played: {why}.")
        raise _Refused(problem("bad-ruleset", "ruleset", message, why=str(error))) from None


# Hands


class _Seats(dict[str, Seat]):
    """Names to seats; a stranger gets the next seat past the last player."""

    def __init__(self, players: Sequence[str]) -> None:
        super().__init__({name: seat for seat, name in reversed([*enumerate(players)])})
        self._players = self._next = len(players)

    def __missing__(self, name: str) -> Seat:
        self[name] = seat = self._next
        self._next += 1
        return seat

    @property
    def strangers(self) -> tuple[str, ...]:
        return tuple(name for name, seat in self.items() if seat >= self._players)

    def read(self, value: Any, at: Path) -> Seat:
        return self[_text(value, at)]


def _hand_reader(seats: _Seats) -> Read:
    seat = seats.read
    result: Mapping[str, Read] = {
        "counts": _map(_text, _map(seat, _whole)),
        "finish": _list(seat),
        "ravaged": _list(seat),
        "beats": _map(_text, _map(seat, _half)),
        "best": seat,
    }
    trick: Mapping[str, Read] = {"led_by": seat, "cards": _list(_text)}
    coup: Mapping[str, Read] = {"by": seat, "made": _truth}
    adjustment: Mapping[str, Read] = {"points": _map(seat, _whole), "reason": _text}
    inside = {"result": result, "coup": coup, "adjustment": adjustment}
    hand: Mapping[str, Read] = {
        "contract": _text,
        "declarer": seat,
        "trump": _text,
        "start": _text,
        "doubles": _list(_pair(seat)),
        "result": lambda value, at: Result(**_fields(value, at, result)),
        "play": _list(lambda value, at: Trick(**_fields(value, at, trick, trick))),
        "coup": lambda value, at: Coup(**_fields(value, at, coup, coup)),
        "played_anyway": _truth,
        "longest": _map(seat, _whole),
        "barbaras": _map(_text, seat),
        "misdeals": _whole,
        "adjustment": lambda value, at: Adjustment(**_fields(value, at, adjustment, ("points",))),
        "note": _text,
    }

    def read(value: Any, at: Path) -> Hand:
        fields = _fields(value, at, hand)
        extra = {key: inner for key, inner in value.items() if key not in hand}
        for name, known in inside.items():
            if unknown := {key: inner for key, inner in value.get(name, {}).items() if key not in known}:
                extra[name] = unknown
        tricks = [{key: inner for key, inner in one.items() if key not in trick} for one in value.get("play", ())]
        if any(tricks):
            extra["play"] = tricks
        return Hand(**fields, extra=extra)

    return read


def _write_hand(hand: Hand, players: Sequence[str]) -> dict[str, Any]:
    """A hand with names for seats, without what it does not say."""

    def one(seat: Seat) -> str:
        return players[seat]

    def several(seats: Iterable[Seat]) -> list[str]:
        return [players[seat] for seat in seats]

    def named(by_seat: Mapping[Seat, Any]) -> dict[str, Any]:
        return {players[seat]: inner for seat, inner in by_seat.items()}

    def rows(maps: Mapping[str, Mapping[Seat, Any]]) -> dict[str, Any]:
        return {code: named(by_seat) for code, by_seat in maps.items()}

    def rename(data: dict[str, Any], how: Mapping[str, Callable[[Any], Any]]) -> None:
        for field, write in how.items():
            if field in data:
                data[field] = write(data[field])

    data: dict[str, Any] = msgspec.to_builtins(hand)
    extra = data.pop("extra", {})
    rename(
        data,
        {
            "declarer": one,
            "doubles": lambda pairs: [several(pair) for pair in pairs],
            "longest": named,
            "barbaras": lambda suits: {suit: players[seat] for suit, seat in suits.items()},
        },
    )
    rename(
        data.get("result", {}),
        {"counts": rows, "finish": several, "ravaged": several, "beats": rows, "best": one},
    )
    rename(data, {"play": lambda _: [{"led_by": one(t.led_by), "cards": list(t.cards)} for t in hand.play or ()]})
    rename(data.get("coup", {}), {"by": one})
    rename(data.get("adjustment", {}), {"points": named})
    for key, inner in extra.items():
        if key == "play":
            for told, more in zip(data.get(key, ()), inner, strict=False):
                told |= more
        elif key not in ("result", "coup", "adjustment"):
            data[key] = inner
        elif key in data:
            data[key] |= inner
    return data
