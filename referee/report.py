"""The report that ``python -m referee score`` prints: a match worked out, with names."""

from __future__ import annotations

from typing import Any

from .hands import Seat
from .match import Match, ScoredHand, Turn, by_name
from .problems import Problem


def report(match: Match, ruleset_name: str | None = None) -> dict[str, Any]:
    """All that can be worked out of a sound match, as JSON data (MATCH_FORMAT.md, the command line)."""
    turn, ruleset = match.turn, match.ruleset
    duties = ruleset.has_declarer and ruleset.doubling.compulsory > 0
    data: dict[str, Any] = {
        "ruleset": ruleset_name or ruleset.code,
        "hands": [_hand(scored) for scored in match.scored],
        "standings": [
            {"player": match.players[standing.seat], "score": standing.score, "place": standing.place}
            for standing in match.standings
        ],
        "owed": _owed(turn) if duties else {},
        "forced": _forced(turn) if duties else {},
        "left": {match.players[seat]: [contract.code for contract in turn.may_declare(seat)] for seat in turn.seats}
        if ruleset.has_declarer
        else {},
        "next": None if match.is_over else _next(turn),
        "finished": match.is_over,
        "winners": [match.players[seat] for seat in match.winners],
    }
    if ruleset.has_coups:
        data["bank"] = turn.bank
    return data


def _next(turn: Turn) -> dict[str, Any]:
    return {"number": turn.number, "declarer": _name(turn, turn.declarer), "dealer": _name(turn, turn.dealer)}


def _name(turn: Turn, seat: Seat | None) -> str | None:
    return None if seat is None else turn.players[seat]


def _owed(turn: Turn) -> dict[str, dict[str, int]]:
    return {
        turn.players[who]: {
            turn.players[declarer]: turn.owed(who, declarer) for declarer in turn.seats if declarer != who
        }
        for who in turn.seats
    }


def _forced(turn: Turn) -> dict[str, list[str]]:
    return {
        turn.players[seat]: [turn.players[turn.declarer]] if seat in turn.forced and turn.declarer is not None else []
        for seat in turn.seats
    }


def _hand(scored: ScoredHand) -> dict[str, Any]:
    turn = scored.turn
    contract = scored.contract.code if scored.contract and turn.ruleset.has_declarer else None
    data: dict[str, Any] = _next(turn) | {"contract": contract}
    if not scored.is_finished:
        return data
    data |= {
        "passed_out": scored.passed_out,
        "basic": by_name(turn.players, scored.basic),
        "doubling": by_name(turn.players, scored.doubling),
        "total": by_name(turn.players, scored.total),
        "running": by_name(turn.players, scored.running),
        "remarks": [{"code": r.code, "where": r.where, "says": r.says} for r in scored.remarks],
    }
    if scored.hand.adjustment is not None:
        points = scored.hand.adjustment.points
        data["adjustment"] = {
            "points": {turn.players[seat]: number for seat, number in points.items()},
            "reason": scored.hand.adjustment.reason,
        }
    return data


def problem_list(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Problems as the command line prints them."""
    return {"problems": [{"hand": p.hand, "code": p.code, "where": p.where, "says": p.says} for p in problems]}
