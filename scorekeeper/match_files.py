"""A match as a file of its own, ``match/1``, in and out.

Taking one in stores what the file says was told, never its scores. The same match taken in again, or one that
was played at this very table, is the one that is here already.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

import referee
from referee import NotAMatch, Problem, Sentence, matchfile, name_key
from referee.claims import differences
from referee.jsontext import has_nul, load_value
from referee.problems import gettext_noop, problem, sentence
from referee.rules import to_object

from .forms.new import judge_name
from .models import Hand, Match, Player, Seat, State, Table, states
from .turnstile import writing

MOST_MATCHES = 50
"""Matches that are taken in at once at most."""

MOST_HANDS = 1_000
"""Hands of one match that are read at most; the longest game of the rulebook has 28."""

CLAIMS_SHOWN = 20
"""Differences between a file's scores and the true ones that are shown one by one."""

USUAL_HOUR = time(20)
"""When an evening began that the file knows only the day of."""

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Years in which a match can have been played; others make trouble with clocks and calendars."""


# Out


def played_on(match: Match) -> str | None:
    """The day whose evening a match belongs to; None where it came as a file that did not know it."""
    evening: str = match.table.evening(match.began).isoformat()
    told: str | None = match.extra.get("played_on", evening)
    return told


def match_text(match: Match, state: State) -> str:
    """A match as the text of a match file, with whatever else the file had that it came from."""
    return matchfile.write(state.match, played_on=played_on(match), extra=_foreign(match))


def _foreign(match: Match) -> dict[str, Any]:
    return {field: told for field, told in match.extra.items() if field != "played_on"}


# In


@dataclass(frozen=True)
class Given:
    """One match that somebody gave: what the file says, what the referee says of it, and what it claims wrongly.

    ``here`` is the match of this table that says the same already.
    """

    name: str
    text: str
    problems: tuple[Problem, ...] = ()
    file: matchfile.MatchFile | None = None
    match: referee.Match | None = None
    claims_wrongly: tuple[Sentence, ...] = ()
    renamed: tuple[Sentence, ...] = ()
    here: Match | None = None

    @property
    def is_new(self) -> bool:
        """It can be taken in, and is not here yet."""
        return self.match is not None and not self.problems and self.here is None

    @cached_property
    def key(self) -> str:
        """The key of the match that it becomes: the same for the same content, however it is written."""
        assert self.file is not None
        assert self.file.match is not None
        told = matchfile.to_data(self.file.match, played_on=self.file.played_on, extra=self.file.extra)
        return "file-" + hashlib.sha256(_canonical(told).encode()).hexdigest()[:48]

    @property
    def day(self) -> date | None:
        """The day that the file says it was played on."""
        return date.fromisoformat(self.file.played_on) if self.file and self.file.played_on else None

    @property
    def places(self) -> list[dict[str, Any]]:
        """Place, name and score of each player as they are worked out, best first."""
        if self.match is None:
            return []
        names = self.match.players
        return [
            {"place": standing.place, "name": names[standing.seat], "score": standing.score}
            for standing in self.match.standings
        ]

    @property
    def more_claims(self) -> int:
        """How many differences there are beyond those that a page shows."""
        return max(len(self.claims_wrongly) - CLAIMS_SHOWN, 0)

    @property
    def remarks(self) -> list[Problem]:
        """What happened against the rules, and stands in the file all the same."""
        return [remark for scored in self.match.scored for remark in scored.remarks] if self.match else []


def given_in(text: bytes, name: str) -> list[Given]:
    """The matches of one text: a match file, one with its report beside it, or a list of either."""
    try:
        told = load_value(text)
    except NotAMatch as wrong:
        return [Given(name, "", (_no_match(wrong),))]
    several = told if isinstance(told, list) else [told]
    if not 1 <= len(several) <= MOST_MATCHES:
        message = gettext_noop("This list has {given} matches; 1 to {most} can be taken at once.")
        return [Given(name, "", (problem("not-a-match", "file", message, given=len(several), most=MOST_MATCHES),))]
    named = [name] if len(several) == 1 else [f"{name} ({number})" for number in range(1, len(several) + 1)]
    return [given_again(*one) for one in zip(several, named, strict=True)]


def given_again(told: object, name: str) -> Given:
    """One match of a text, as its data: the match itself, or one with its report beside it."""
    match, beside = told, None
    if isinstance(told, Mapping) and "format" not in told and isinstance(told.get("match"), Mapping):
        match, beside = told["match"], told.get("report")
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    try:
        if "\\u0000" in text and has_nul(told):
            raise NotAMatch(_("A character in it cannot be stored (NUL)."))
        file = matchfile.read(_readable(match))
    except NotAMatch as wrong:
        return Given(name, text, (_no_match(wrong),))
    if file.match is None or file.problems or _unfit(file):
        return Given(name, text, (*file.problems, *_unfit(file)), file)
    tidy, renamed = _with_plain_names(file.match)
    if problems := (*tidy.problems, *filter(None, (judge_name(name, "players") for name in tidy.players))):
        return Given(name, text, problems, file)
    told_wrongly = differences(file.match, file.extra, beside)
    return Given(name, text, (), file, tidy, told_wrongly, tuple(renamed))


def _readable(match: object) -> dict[str, Any]:
    """The data of a match file that is worth reading at all."""
    if not isinstance(match, dict):
        raise NotAMatch(_("An object was expected."))
    if "format" not in match and "hands" in match and "standings" in match:
        raise NotAMatch(_("This is a report of scores. It does not say what was declared and taken; take the match."))
    if match.get("format") == "table/1":
        raise NotAMatch(_("This is the backup of a whole table. Restore it instead."))
    hands = match.get("hands")
    if isinstance(hands, list) and len(hands) > MOST_HANDS:
        most, given = f"{MOST_HANDS:,}", f"{len(hands):,}"
        raise NotAMatch(_("It has {given} hands; at most {most} are read.").format(given=given, most=most))
    return match


def _unfit(file: matchfile.MatchFile) -> list[Problem]:
    if file.played_on is None or FIRST_YEAR <= date.fromisoformat(file.played_on).year <= LAST_YEAR:
        return []
    message = gettext_noop("It was played on {day}; days from {first} to {last} can be kept.")
    values = {"day": file.played_on, "first": FIRST_YEAR, "last": LAST_YEAR}
    return [problem("not-understood", "played_on", message, **values)]


def _with_plain_names(match: referee.Match) -> tuple[referee.Match, list[Sentence]]:
    """Names as this table keeps them: without outer spaces, and on one line."""
    plain = [" ".join(_on_one_line(name).split()) if _on_one_line(name) != name else name for name in match.players]
    message = gettext_noop("A name was written on several lines; here it is “{name}”.")
    renamed = [sentence(message, name=new) for old, new in zip(match.players, plain, strict=True) if new != old]
    return replace(match, players=tuple(name.strip() for name in plain)), renamed


def _on_one_line(name: str) -> str:
    breaks = ("\t", "\n", "\v", "\f", "\r", "\x85")
    return "".join(" " if sign in breaks or unicodedata.category(sign) in ("Zl", "Zp") else sign for sign in name)


def _no_match(wrong: NotAMatch) -> Problem:
    message = gettext_noop("This is no match that can be read. {why}")
    return problem("not-a-match", wrong.where, message, why=wrong.says)


def found_here(table: Table, given: Sequence[Given]) -> list[Given]:
    """The same matches, each with the one of this table that it is already."""
    sound = [one for one in given if one.match is not None and not one.problems]
    by_key = {match.key: match for match in table.matches.filter(key__in=[one.key for one in sound])}
    return [
        replace(one, here=by_key.get(one.key) or _played_here(table, one)) if one in sound else one for one in given
    ]


def _played_here(table: Table, given: Given) -> Match | None:
    """The match of this table that was written into this file, where it was not changed since."""
    assert given.match is not None
    assert given.file is not None
    if given.day is None:
        return None
    begins = table.evening_begins(given.day)
    evening = table.matches.filter(game=given.match.ruleset.code, began__gte=begins - timedelta(days=1))
    evening = evening.filter(began__lt=begins + timedelta(days=2)).select_related("table")
    told = _canonical(matchfile.to_data(given.match, played_on=given.file.played_on, extra=given.file.extra))
    found = states(evening)
    same = (match for match in evening if _canonical(json.loads(match_text(match, found[match.pk]))) == told)
    return next(same, None)


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def take_in(table: Table, given: Given) -> tuple[Match, bool]:
    """Store a match that was given; the one that is here already where it is, and whether it is new."""
    assert given.match is not None
    assert given.file is not None
    told, file = given.match, given.file
    with writing():
        table = Table.objects.select_for_update().get(pk=table.pk)
        if (known := found_here(table, [given])[0].here) is not None:
            return known, False
        last = table.matches.aggregate(last=Max("number"))["last"] or 0
        match = Match.objects.create(
            table=table,
            number=last + 1,
            key=given.key,
            game=told.ruleset.code,
            ruleset=to_object(told.ruleset),
            first_declarer=told.first_declarer,
            began=_began(table, given.day),
            zone=table.zone,
            version=len(told.hands),
            extra=dict(file.extra) | ({} if file.played_on else {"played_on": None}),
        )
        players = [seat_taker(table, name) for name in told.players]
        Seat.objects.bulk_create(Seat(match=match, place=place, player=one) for place, one in enumerate(players))
        Hand.objects.bulk_create(
            Hand(
                match=match,
                number=number,
                revision=1,
                key=f"{given.key}-{number}",
                action=Hand.Action.ENTER,
                record=referee.to_record(hand),
                version=number,
                device=_("a file")[:60],
            )
            for number, hand in enumerate(told.hands, start=1)
        )
    return match, True


def seat_taker(table: Table, name: str) -> Player:
    """The player of this name at this table, made if there is none; who is gone stays gone."""
    return table.players.get_or_create(name_key=name_key(name), defaults={"name": name.strip()})[0]


def _began(table: Table, day: date | None) -> datetime:
    if day is None:
        return timezone.now()
    return timezone.make_aware(datetime.combine(day, USUAL_HOUR), ZoneInfo(table.zone))
