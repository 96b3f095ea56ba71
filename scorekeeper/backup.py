"""``table/1``: a whole table as one JSON text, with the history of every hand, written and read piece by piece.

It holds what people said and did, and nothing that opens a door: no link, no secret, no phone's token. The same
table makes the same text, whenever it is asked. Read, it is judged whole before anything is stored: every entry
of every match is played through again, and one that cannot have happened refuses the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import available_timezones

import msgspec
from django.utils.translation import gettext as _

import referee
from referee import BadRuleSet, NotAMatch, Problem, matchfile, name_key
from referee.jsontext import has_nul, load_object
from referee.problems import gettext_noop, problem
from referee.rules import RuleSet, from_object

from .forms.new import judge_name, judge_table_name
from .history import Entry, replay
from .models import OWN, Hand, Match, Table, TableRules

FORMAT = "table/1"

LARGEST = 40_000_000
"""Bytes of text that are read at most; a thousand evenings of 28 hands have some 12,000,000."""

LARGEST_MATCH = 1_000_000
"""Bytes of one match that are read at most, its whole history included; an evening of 28 hands has some 12,000."""

LARGEST_HEAD = 4_000_000
"""Bytes that are read at most of all that is no match: names, and the rules that were played by."""

MOST_MATCHES = 20_000
"""Matches that are read at most."""

YEARS = range(1900, 2200)
"""Years in which something can have happened; others make trouble with clocks and calendars."""

AT_ONCE = 25
"""Matches that are read from the database together."""


Key = Annotated[str, msgspec.Meta(pattern=r"\A[!-~]{1,64}\Z")]
Count = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Part = TypeVar("Part")


class PlayerPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player of the table; who is gone plays no more."""

    code: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{8,22}\Z")]
    name: Annotated[str, msgspec.Meta(pattern=r"\A\S(.*\S)?\Z", max_length=40)]
    gone: bool = False


class RulesPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One version of rules that the table made."""

    code: Annotated[str, msgspec.Meta(pattern=rf"\A{OWN}[a-z0-9-]+\Z", max_length=40)]
    version: Count
    key: Key
    created: Moment
    ruleset: dict[str, Any]


class MatchPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match: its rules by their place in the file's list, who sat in it by their codes, and all its entries."""

    number: Count
    key: Key
    ruleset: Annotated[int, msgspec.Meta(ge=0)]
    players: Annotated[list[str], msgspec.Meta(min_length=1, max_length=12)]
    first_declarer: Annotated[int, msgspec.Meta(ge=0, le=11)]
    began: Moment
    zone: str
    version: Annotated[int, msgspec.Meta(ge=0, le=2_000_000_000)]
    extra: dict[str, Any]
    hands: list[Entry]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of the file that is no match."""

    format: Literal["table/1"]
    name: Annotated[str, msgspec.Meta(pattern=r"\S", max_length=60)]
    zone: str
    created: Moment
    players: list[PlayerPart]
    rules: list[RulesPart]
    rulesets: list[dict[str, Any]]


class NotABackup(ValueError):
    """A file that is no table, or one that cannot have been; ``problem`` says where and why."""

    def __init__(self, found: Problem) -> None:
        super().__init__(found.says)
        self.problem = found


# Out


def write(table: Table) -> Iterator[str]:
    """The text of a table, in pieces of a few matches, so that a thousand evenings need little memory."""
    rulesets: dict[str, Any] = {}
    yield "{" + f'"format":"{FORMAT}",\n"name":{_json(table.name)},\n"zone":{_json(table.zone)},\n'
    yield f'"created":{_json(_moment(table.created))},\n"players":['
    players = list(table.players.order_by("pk"))
    told = ({"name": one.name, "code": one.code, "gone": one.is_gone} for one in players)
    yield ",".join(f"\n {_json(one)}" for one in told)
    yield '],\n"rules":['
    own = table.rules.order_by("code", "version")
    yield ",".join(f"\n {_json(_rules(rules))}" for rules in own)
    yield '],\n"matches":['
    numbers = list(table.matches.order_by("number").values_list("pk", flat=True))
    for first in range(0, len(numbers), AT_ONCE):
        pieces = _matches(numbers[first : first + AT_ONCE], rulesets)
        yield ("," if first else "") + ",".join(f"\n {_json(one)}" for one in pieces)
    yield '],\n"rulesets":['
    yield ",".join(f"\n {_json(ruleset)}" for ruleset in rulesets.values())
    yield "]}\n"


def _rules(rules: TableRules) -> dict[str, Any]:
    told = {"code": rules.code, "version": rules.version, "key": rules.key}
    return told | {"created": _moment(rules.created), "ruleset": rules.ruleset}


def _matches(keys: Collection[int], rulesets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Some matches with all their entries. What is entered while they are read is left to the next backup."""
    matches = Match.objects.filter(pk__in=keys).order_by("number").prefetch_related("seats__player")
    entries: dict[int, list[Hand]] = {match.pk: [] for match in matches}
    for row in Hand.objects.filter(match__in=keys).order_by("match", "version", "number").iterator():
        entries[row.match_id].append(row)
    places = {known: place for place, known in enumerate(rulesets)}
    for match in matches:
        rules = json.dumps(match.ruleset, sort_keys=True)
        if rules not in rulesets:
            places[rules] = len(rulesets)
            rulesets[rules] = match.ruleset
        yield {
            "number": match.number,
            "key": match.key,
            "ruleset": places[rules],
            "players": [seat.player.code for seat in match.seats.all()],
            "first_declarer": match.first_declarer,
            "began": _moment(match.began),
            "zone": match.zone,
            "version": match.version,
            "extra": match.extra,
            "hands": [
                {
                    "number": row.number,
                    "revision": row.revision,
                    "key": row.key,
                    "action": row.action,
                    "record": row.record,
                    "version": row.version,
                    "device": row.device,
                    "at": _moment(row.at),
                }
                for row in entries[match.pk]
                if row.version <= match.version
            ],
        }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


# In


class Backup:
    """A table read from a file and found sound; its matches are taken from the text one at a time.

    ``numbers`` are those of its matches, by key.
    """

    def __init__(self, text: bytes) -> None:
        """Read and judge a whole file. Raises :class:`NotABackup` with what is wrong with it, and where."""
        self._pieces, head = _pieces(text)
        self.head = _head(head)
        self.rulesets = [_ruleset(told, _("Rules {n}").format(n=n)) for n, told in enumerate(self.head.rulesets, 1)]
        for rules in self.head.rules:
            _judge_own_rules(rules)
        self.players = {player.code: player for player in self.head.players}
        _judge_head(self.head, self.players)
        self.numbers: dict[str, int] = {}
        self._judge_matches()

    def matches(self) -> Iterator[MatchPart]:
        """The matches in the order of the file, which were judged before."""
        for piece in self._pieces:
            yield msgspec.convert(json.loads(bytes(piece)), MatchPart)

    @property
    def count(self) -> int:
        """How many matches it has."""
        return len(self._pieces)

    def _judge_matches(self) -> None:
        numbers: set[int] = set()
        for nth, piece in enumerate(self._pieces, start=1):
            match = _match(bytes(piece), nth)
            place = _("Match {n}").format(n=match.number)
            if match.number in numbers or match.key in self.numbers:
                raise _wrong(gettext_noop("{place} is there twice."), place=place)
            numbers.add(match.number)
            self.numbers[match.key] = match.number
            _judge_zone(match.zone, place)
            _judge_years(place, match.began, *(entry.at for entry in match.hands))
            self._judge_seats(match, place)
            self._judge_extra(match, place)
            seats = tuple(self.players[code].name for code in match.players)
            begun = referee.Match(self.rulesets[match.ruleset], seats, match.first_declarer)
            if (found := replay(begun, match.hands, match.version)) is not None:
                message = gettext_noop("{place}: {why}")
                if found.hand is not None:
                    message = gettext_noop("{place}, hand {number}: {why}")
                raise _wrong(message, place=place, number=found.hand, why=_says(found))

    def _judge_seats(self, match: MatchPart, place: str) -> None:
        if match.ruleset >= len(self.rulesets):
            raise _wrong(gettext_noop("{place}: its rules are not in the file."), place=place)
        if len(set(match.players)) < len(match.players) or not self.players.keys() >= set(match.players):
            message = gettext_noop("{place}: a seat is of nobody in this file, or somebody has two.")
            raise _wrong(message, place=place)
        if match.first_declarer >= len(match.players):
            raise _wrong(gettext_noop("{place}: nobody sits where the first declarer should."), place=place)

    def _judge_extra(self, match: MatchPart, place: str) -> None:
        """What came with a match file is given back with it, and so must not say what the match says."""
        extra = {field: told for field, told in match.extra.items() if (field, told) != ("played_on", None)}
        if not matchfile.stands_beside(extra, self.rulesets[match.ruleset]):
            raise _wrong(gettext_noop("{place}: what stands beside its hands would change what it says."), place=place)


class _Outer(msgspec.Struct):
    """What stands outermost in the file, the matches not yet looked at."""

    format: str
    matches: msgspec.Raw = msgspec.Raw()


class _Shell(msgspec.Struct):
    """A match not yet looked at, to count them before there are too many."""

    number: int
    key: str
    players: msgspec.Raw
    began: msgspec.Raw
    hands: msgspec.Raw


def _pieces(text: bytes) -> tuple[Sequence[msgspec.Raw], bytes]:
    """The matches, each as its text, and the text of all the rest."""
    if len(text) > LARGEST:
        raise _wrong(gettext_noop("The file has more than {most} bytes."), most=f"{LARGEST:,}")
    if not text.strip():
        raise _wrong(gettext_noop("The file is empty."))
    try:
        outer = msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"), type=_Outer)
        if outer.format == matchfile.FORMAT:
            raise _wrong(gettext_noop("This is the file of one match. Choose it under “Take in matches” of a table."))
        if outer.format != FORMAT or not bytes(outer.matches):
            message = gettext_noop("This is no table that can be read: a “{format}” file with matches was expected.")
            raise _wrong(message, format=FORMAT)
        if len(msgspec.json.decode(outer.matches, type=list[_Shell])) > MOST_MATCHES:
            raise _wrong(gettext_noop("It has more than {most} matches."), most=f"{MOST_MATCHES:,}")
        pieces = msgspec.json.decode(outer.matches, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _wrong(gettext_noop("This is no table that can be read: {why}"), why=_in_words(str(error))) from None
    except RecursionError:
        raise _wrong(gettext_noop("It is nested out of all reason.")) from None
    # What is left is read by the strict reader, which also finds a second list of matches.
    head = text.replace(bytes(outer.matches), b"0", 1) if pieces else text
    if len(head) > LARGEST_HEAD:
        message = gettext_noop("It has {given} bytes beside its matches; at most {most} are read.")
        raise _wrong(message, given=f"{len(head):,}", most=f"{LARGEST_HEAD:,}")
    return pieces, head


def _head(text: bytes) -> Head:
    told = _loaded(text, "")
    told.pop("matches", None)
    return _converted(told, Head, "")


def _match(text: bytes, place: int) -> MatchPart:
    where = _("Match {n}").format(n=place)
    if len(text) > LARGEST_MATCH:
        message = gettext_noop("{place} has {given} bytes; at most {most} are read.")
        raise _wrong(message, place=where, given=f"{len(text):,}", most=f"{LARGEST_MATCH:,}")
    return _converted(_loaded(text, where), MatchPart, where)


def _loaded(text: bytes, where: str) -> dict[str, Any]:
    try:
        told = load_object(text, "table")
    except NotAMatch as wrong:
        raise _placed(where, wrong.says) from None
    if b"\\u0000" in text and has_nul(told):
        raise _placed(where, _("A character in it cannot be stored (NUL)."))
    return told


def _converted(told: object, kind: type[Part], where: str) -> Part:
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as error:
        raise _placed(where, _in_words(str(error))) from None


def _ruleset(told: object, where: str) -> RuleSet:
    try:
        return from_object(told)
    except BadRuleSet as error:
        raise _placed(where, f"{error}.") from None


def _judge_own_rules(rules: RulesPart) -> None:
    where = _("Own rules {code}").format(code=rules.code)
    if _ruleset(rules.ruleset, where).code != rules.code:
        raise _placed(where, _("they are told under another code."))


def _judge_head(head: Head, players: Mapping[str, PlayerPart]) -> None:
    for found in (judge_table_name(head.name, "file"), *(judge_name(one.name, "file") for one in head.players)):
        if found is not None:
            raise NotABackup(found)
    names = {name_key(player.name) for player in head.players}
    if len(players) < len(head.players) or len(names) < len(head.players):
        raise _wrong(gettext_noop("Two players have one name or one code."))
    versions: dict[str, int] = {}
    for rules in sorted(head.rules, key=lambda rules: (rules.code, rules.version)):
        versions[rules.code] = versions.get(rules.code, 0) + 1
        if versions[rules.code] != rules.version or len({one.key for one in head.rules}) < len(head.rules):
            raise _wrong(gettext_noop("The versions of {rules} do not follow each other."), rules=rules.code)
    _judge_zone(head.zone, _("The table"))
    _judge_years(_("The table"), head.created, *(rules.created for rules in head.rules))


def _judge_zone(zone: str, place: str) -> None:
    if zone not in _zones():
        raise _wrong(gettext_noop("{place}: “{zone}” is no time zone that is known here."), place=place, zone=zone[:64])


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _judge_years(place: str, *moments: datetime) -> None:
    if any(moment.year not in YEARS for moment in moments):
        message = gettext_noop("{place}: a day is not between {first} and {last}.")
        raise _wrong(message, place=place, first=YEARS[0], last=YEARS[-1])


def _wrong(message: str, **values: object) -> NotABackup:
    return NotABackup(problem("not-a-table", "file", message, **values))


def _placed(where: str, why: str) -> NotABackup:
    if not where:
        return _wrong(gettext_noop("This is no table that can be read: {why}"), why=why)
    return _wrong(gettext_noop("{place}: {why}"), place=where, why=why)


def _says(found: Problem) -> str:
    return _(found.message).format_map(found.values)


KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
    "datetime": "a time",
}


def _in_words(says: str) -> str:
    """What msgspec says of a value that does not fit, in plainer words."""
    says, _at, place = says.partition(" - at ")
    steps = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", place.strip("`").removeprefix("$").strip("."))
    plain = re.sub(r"`(\w+)`", lambda found: KINDS.get(found[1], f"“{found[1]}”"), says).rstrip(".")
    plain = re.sub(r"Invalid enum value '(.*)'", r"“\1” is none of the words that fit here", plain)
    plain = re.sub(r" matching regex .*", " of the right form", plain)
    plain = re.sub(r" of length <= (\d+)", r" of at most \1 signs", plain).replace(" >= ", " of at least ")
    plain = plain.replace(" <= ", " of at most ")
    return f"{steps.replace('.', ', ').replace('[...]', '').strip()}: {plain}." if steps else f"{plain}."
