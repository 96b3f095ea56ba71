"""What the match page shows, worked out from a folded match; templates only show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from referee import Problem, ScoredHand, Turn
from referee.hands import Seat
from referee.rules import Points

from .entry import declared_elsewhere, hand_form_context
from .forms.hand import HandForm
from .models import Hand, Match, State
from .templatetags.cards import isolated
from .words import doubles_words


@dataclass(frozen=True)
class Column:
    """One seat in the standings strip."""

    seat: Seat
    name: str
    score: Points
    declares: bool
    deals: bool
    cuts: bool
    owes: int
    place: int


@dataclass(frozen=True)
class SheetRow:
    """A hand on the sheet: what it was, each seat's change and running total."""

    scored: ScoredHand
    number: int
    declarer: str
    cells: tuple[tuple[Points, Points, bool], ...]
    doubles: str


def columns(state: State) -> list[Column]:
    """The standings strip, in seat order always."""
    turn, over = state.match.turn, state.match.is_over
    places = {standing.seat: standing.place for standing in state.match.standings}
    return [
        Column(
            seat=seat,
            name=turn.players[seat],
            score=turn.running[seat],
            declares=not over and seat == turn.declarer,
            deals=not over and seat == turn.dealer,
            cuts=not over and seat == turn.cutter,
            owes=0 if over else sum(turn.owed(seat, other) for other in turn.seats),
            place=places[seat],
        )
        for seat in turn.seats
    ]


def sheet(state: State) -> list[SheetRow]:
    """The finished hands, the last one first."""
    rows = []
    for scored in reversed(state.match.finished_hands):
        turn = scored.turn
        rows.append(
            SheetRow(
                scored=scored,
                number=scored.number,
                declarer="" if turn.declarer is None else turn.players[turn.declarer],
                cells=tuple((scored.total[seat], scored.running[seat], seat == turn.declarer) for seat in turn.seats),
                doubles=doubles_words(turn, scored.hand),
            )
        )
    return rows


def duties(turn: Turn) -> list[dict[str, Any]]:
    """Doubles owed: a row a player, a cell a declarer with what is owed, made and forced."""
    if not turn.ruleset.doubling.compulsory or not turn.ruleset.has_declarer:
        return []
    return [
        {
            "name": turn.players[who],
            "cells": [
                {
                    "self": who == declarer,
                    "owed": turn.owed(who, declarer),
                    "made": turn.made[who][declarer],
                    "forced": who in turn.forced and declarer == turn.declarer,
                }
                for declarer in turn.seats
            ],
        }
        for who in turn.seats
    ]


def contracts_left(turn: Turn) -> list[dict[str, Any]]:
    """Each player with what is left to declare."""
    if not turn.ruleset.has_declarer:
        return []
    return [
        {
            "name": turn.players[seat],
            "left": turn.declarations_left(seat),
            "contracts": [{"short": c.short, "name": _(c.name)} for c in turn.may_declare(seat)],
        }
        for seat in turn.seats
    ]


def match_context(
    match: Match, state: State, *, scores: bool, form: HandForm, problems: Sequence[Problem], redo: list[Hand]
) -> dict[str, Any]:
    """Everything on the match page."""
    turn = state.match.turn
    in_all = turn.ruleset.hands_in_all(len(turn.players))
    return {
        "match": match,
        "table": match.table,
        "state": state,
        "ruleset": turn.ruleset,
        "may_score": scores,
        "columns": columns(state),
        "turn": turn,
        "declarer": None if turn.declarer is None else turn.players[turn.declarer],
        "dealer": None if turn.dealer is None else turn.players[turn.dealer],
        "cutter": None if turn.cutter is None else turn.players[turn.cutter],
        "starter": None if (starter := match.starter(state)) is None else turn.players[starter],
        "hands_in_all": in_all,
        "over": state.match.is_over,
        "winners": [isolated(turn.players[seat]) for seat in state.match.winners],
        "standings": [
            {"name": turn.players[standing.seat], "score": standing.score, "place": standing.place}
            for standing in state.match.standings
        ],
        "sheet": sheet(state),
        "duties": duties(turn),
        "left": contracts_left(turn),
        "undo": state.rows[state.finished] if state.finished else None,
        "redo": redo[0].number if redo else None,
        "redo_revision": state.revision(redo[0].number) if redo else 0,
        "revision": state.revision(turn.number),
        "action": reverse("hand", args=[match.table.code, match.number, turn.number]),
        **hand_form_context(turn, form, declared_elsewhere(state, turn.number), problems),
    }
