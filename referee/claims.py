"""Scores that a file brings along, held against those that are worked out. They are never believed.

A match file holds no scores, but other programs write some into it, in fields that the format does not know, or
beside it as the report of ``python -m referee score``. Where such a figure differs, it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .jsontext import cut, shown
from .match import Match
from .problems import Sentence, figure, gettext_noop, sentence
from .report import report

OF_A_HAND = {
    "basic": gettext_noop("Hand {hand}, {player}: the file says {told} before doubling, worked out it is {points}."),
    "doubling": gettext_noop("Hand {hand}, {player}: the file says {told} by doubling, worked out it is {points}."),
    "total": gettext_noop("Hand {hand}, {player}: the file says {told}, worked out it is {points}."),
    "running": gettext_noop("After hand {hand}, {player}: the file says {told}, worked out it is {points}."),
}
"""What is said of a hand's figure that differs, by the field of the report that it stands in."""

SAME_AS = {"score": "total", "scores": "total", "totals": "total"}
"""Other names under which files keep the score of a hand."""

OF_A_MATCH = ("running", "score", "scores", "total", "totals")
"""The fields in which files keep each player's score at the end."""


def differences(match: Match, extra: Mapping[str, Any], beside: object = None) -> tuple[Sentence, ...]:
    """Every figure that a file claims and that is another one when it is worked out, in the order of play.

    ``extra`` are the fields of the file that no match file has; ``beside`` is a report that came with the file.
    Only a sound match can be asked.
    """
    worked_out = report(match)
    reports = [told for told in (extra.get("report"), beside) if isinstance(told, Mapping)]
    found = [
        *_of_hands(match, worked_out, reports),
        *_of_the_end(match, worked_out, [extra, *reports]),
    ]
    return tuple({one.says: one for one in found}.values())


def _of_hands(match: Match, worked_out: Mapping[str, Any], reports: Iterable[Mapping[str, Any]]) -> Iterator[Sentence]:
    listed = [hands for told in reports if isinstance(hands := told.get("hands"), list)]
    for number, (scored, true) in enumerate(zip(match.scored, worked_out["hands"], strict=True), start=1):
        said = [scored.hand.extra, *(hands[number - 1] for hands in listed if len(hands) >= number)]
        for claims in said:
            if isinstance(claims, Mapping) and scored.is_finished:
                yield from _of_a_hand(number, match.players, claims, true)
    for hands in listed:
        if len(hands) != len(match.scored):
            message = gettext_noop("The file has scores of {told} hands, and the match has {hands}.")
            yield sentence(message, told=len(hands), hands=len(match.scored))


def _of_a_hand(
    number: int, players: Sequence[str], claims: Mapping[str, Any], true: Mapping[str, Any]
) -> Iterator[Sentence]:
    for field, claim in claims.items():
        kind = SAME_AS.get(field, field)
        if kind in OF_A_HAND:
            for player, told, points in _wrong(players, claim, true[kind]):
                yield sentence(OF_A_HAND[kind], hand=number, player=player, told=told, points=points)


def _of_the_end(match: Match, worked_out: Mapping[str, Any], claims: Iterable[Mapping[str, Any]]) -> Iterator[Sentence]:
    standings = worked_out["standings"]
    scores = {standing["player"]: standing["score"] for standing in standings}
    places = {standing["player"]: standing["place"] for standing in standings}
    final = gettext_noop("Final score, {player}: the file says {told}, worked out it is {points}.")
    placed = gettext_noop("{player}: the file says place {told}, worked out it is {points}.")
    for claim in claims:
        for message, told, true in (
            *((final, claim.get(field), scores) for field in OF_A_MATCH),
            (final, _column(claim, "score"), scores),
            (placed, _column(claim, "place"), places),
        ):
            for player, says, points in _wrong(match.players, told, true):
                yield sentence(message, player=player, told=says, points=points)
        winners = claim.get("winners")
        if isinstance(winners, list) and winners != worked_out["winners"]:
            message = gettext_noop("Won, the file says: {told}. Worked out: {winners}.")
            yield sentence(message, told=_listed(winners), winners=_listed(worked_out["winners"]))


def _column(claims: Mapping[str, Any], field: str) -> dict[str, Any]:
    """One field of the standings that a file tells, by player."""
    rows = claims.get("standings")
    told = [row for row in rows if isinstance(row, Mapping) and field in row] if isinstance(rows, list) else []
    return {row["player"]: row[field] for row in told if isinstance(row.get("player"), str)}


def _wrong(players: Sequence[str], claim: object, true: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each player of whom something else is claimed, with both figures; claims stand by name or in seat order."""
    if isinstance(claim, list):
        claim = dict(zip(players, claim, strict=False))
    if not isinstance(claim, Mapping):
        return
    for player in players:
        told = claim.get(player, true[player])
        if isinstance(told, bool) or told != true[player]:
            yield player.strip(), _figure(told), figure(true[player])


def _figure(told: object) -> str:
    return figure(told) if isinstance(told, int | float) and not isinstance(told, bool) else shown(told)


def _listed(names: Sequence[object]) -> str:
    return ", ".join(cut(name) if isinstance(name, str) else shown(name) for name in names[:6]) or "–"
