"""What the match page shows, worked out from a folded match; templates only show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from referee import Problem, ScoredHand, Turn
from referee.hands import Seat
from referee.rules import Points

from . import rows
from .entry import declared_elsewhere, hand_form_context
from .forms.hand import HandForm
from .models import Hand, Match, State
from .paper import look_back
from .templatetags.cards import isolated, signed, tone, total, total_tone
from .words import doubles_words, so_far


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
class LastHand:
    """The hand that was finished last, in one line."""

    scored: ScoredHand
    number: int
    declarer: str
    doubles: str

    @classmethod
    def of(cls, scored: ScoredHand) -> LastHand:
        """What one line says of a finished hand."""
        turn = scored.turn
        declarer = "" if turn.declarer is None else turn.players[turn.declarer]
        return cls(scored, scored.number, declarer, doubles_words(turn, scored.hand))


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


def duties(turn: Turn) -> list[SafeString]:
    """Doubles owed: a row a player, a cell a declarer with what is owed, made and forced."""
    if not turn.ruleset.doubling.compulsory or not turn.ruleset.has_declarer:
        return []
    forced = turn.forced
    return [
        rows.duty_line(
            turn.players[who],
            tuple(
                (
                    None if who == declarer else turn.owed(who, declarer),
                    turn.made[who][declarer],
                    who in forced and declarer == turn.declarer,
                )
                for declarer in turn.seats
            ),
        )
        for who in turn.seats
    ]


def contracts_left(turn: Turn) -> list[SafeString]:
    """Each player with what is left to declare."""
    if not turn.ruleset.has_declarer or turn.is_over:
        return []
    return [
        rows.left_line(turn.players[seat], tuple((c.short, c.name) for c in turn.may_declare(seat)))
        for seat in turn.seats
    ]


@lru_cache(maxsize=1000)
def place(name: str, *args: str | int) -> str:
    """The address of a page; looked up once."""
    return reverse(name, args=args)


def now_context(match: Match, state: State) -> dict[str, Any]:
    """What every page of a match under way says: whose turn it is, how far it got, the hand under way, the last."""
    turn = state.match.turn
    finished = state.match.finished_hands
    starter = match.starter(state)
    return {
        "match": match,
        "table": match.table,
        "address": place("match", match.table.code, match.number),
        "home": place("table", match.table.code),
        "ruleset": turn.ruleset,
        "turn": turn,
        "declarer": None if turn.declarer is None else turn.players[turn.declarer],
        "starter": None if starter is None else turn.players[starter],
        "hands_in_all": turn.ruleset.hands_in_all(len(turn.players)),
        "over": state.match.is_over,
        "winners": [isolated(turn.players[seat]) for seat in state.match.winners],
        "under_way": so_far(turn, state.match.unfinished_hand),
        "last": LastHand.of(finished[-1]) if finished else None,
    }


def large_context(match: Match, state: State) -> dict[str, Any]:
    """The match in large figures: each seat with its total and what the last hand brought."""
    finished, ruleset = state.match.finished_hands, state.match.ruleset
    changes = finished[-1].total if finished else ()
    seats = [
        {
            "name": seat.name,
            "total": total(seat.score, ruleset),
            "tone": total_tone(seat.score, ruleset),
            "change": signed(changes[seat.seat]) if changes else "",
            "change_tone": tone(changes[seat.seat], ruleset) if changes else "",
            "declares": seat.declares,
            "deals": seat.deals,
            "cuts": seat.cuts,
            "wins": seat.seat in state.match.winners,
        }
        for seat in columns(state)
    ]
    return {**now_context(match, state), "seats": seats}


def links(match: Match, state: State, form: HandForm, *, scores: bool) -> dict[str, Any]:
    """Where else to go from the match page; written here as long as the match is under way."""
    turn, over = state.match.turn, state.match.is_over
    values = {
        "code": match.table.code,
        "number": match.number,
        "hand": turn.number,
        "game": turn.ruleset.name,
        "declares": turn.ruleset.has_declarer,
        "contract": form.contract.code if form.contract else "",
        "played": bool(state.finished),
        "may_score": scores,
        "over": over,
    }
    return values if over else {"links": rows.part("parts/links.html", **values)}


def match_context(
    match: Match, state: State, *, scores: bool, form: HandForm, problems: Sequence[Problem], redo: list[Hand]
) -> dict[str, Any]:
    """Everything on the match page."""
    turn = state.match.turn
    finished = state.match.finished_hands
    strip, owed = columns(state), duties(turn)
    now = now_context(match, state)
    address = now["address"]
    return {
        **now,
        "state": state,
        "may_score": scores,
        "columns": strip,
        "heads": rows.heads(strip),
        "figures": rows.figures(strip, turn.ruleset, duties=bool(owed)),
        "totals": rows.totals(strip, turn.ruleset),
        "dealer": None if turn.dealer is None else turn.players[turn.dealer],
        "cutter": None if turn.cutter is None else turn.players[turn.cutter],
        "standings": [
            {"name": turn.players[standing.seat], "score": standing.score, "place": standing.place}
            for standing in state.match.standings
        ],
        "sheet": rows.sheet_lines(reversed(finished), address, corrects=scores),
        "sheet_heads": rows.joined(rows.sheet_head(name) for name in turn.players),
        "duties": rows.joined(owed),
        "declarers": rows.joined(
            rows.declarer_head(turn.players[seat], turn.declarations_left(seat)) for seat in turn.seats if owed
        ),
        "left": rows.joined(contracts_left(turn)),
        "signs": rows.part("parts/watch.html"),
        "slip": rows.part("parts/status.html"),
        **links(match, state, form, scores=scores),
        "undo": state.rows[state.finished] if state.finished else None,
        "redo": redo[0].number if redo else None,
        "redo_revision": state.revision(redo[0].number) if redo else 0,
        "revision": state.revision(turn.number),
        "action": f"{address}hand/{turn.number}/",
        "form": form,
        "problems": problems,
        "saved_by": state.rows[turn.number].device if turn.number in state.rows else "",
        **(look_back(match, state) if state.match.is_over else {}),
        **(hand_form_context(turn, form, declared_elsewhere(state, turn.number), problems) if scores else {}),
    }
