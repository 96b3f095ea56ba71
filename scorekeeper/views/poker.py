"""The four hands of a Chinese Poker hand entered as cards: rows, fouls and ties worked out, and used as its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee import Beats, Sentence, Turn
from referee.cards import RANKS, SUIT_NAMES
from referee.poker import SIZES, Foul, Showdown
from referee.problems import figure
from referee.rules import ROWS
from referee.scoring import beaten

from ..access import match_or_404, may_score
from ..forms.hand import HandForm
from ..forms.poker import PokerForm, fields, row_fields, with_rows
from ..models import State, new_code
from ..templatetags.cards import isolated, says
from .play import Card


@dataclass(frozen=True)
class Field:
    """A row of one player as a text field."""

    name: str
    label: str
    row: str
    cards: int
    text: str
    problem: str


@dataclass(frozen=True)
class Line:
    """One player in a compared row: the place shared with whoever ties, the cards, what they are called."""

    place: int
    is_tied: bool
    is_fouled: bool
    player: str
    cards: tuple[Card, ...]
    category: str
    units: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def poker(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponse:
    """Enter four hands as cards; nothing is stored here, the result goes to the hand's own form."""
    found = match_or_404(code, number)
    state = found.state()
    is_over = hand <= state.finished
    form = _hand_form(request, state, hand, is_over)
    cards = PokerForm.posted(form.turn, request.POST) if "compare" in request.POST else PokerForm(form.turn)
    told = _told(state, hand, form, cards.shown) if cards.shown else {}
    wrong = {problem.where: says(problem) for problem in reversed(cards.problems)}
    context = {
        "match": found,
        "table": found.table,
        "number": hand,
        "turn": form.turn,
        "contract": form.contract,
        "is_over": is_over,
        "problems": cards.problems,
        "hands": _hands(form.turn, cards, wrong),
        "deck": [(name, [Card(rank + suit) for rank in reversed(RANKS)]) for suit, name in SUIT_NAMES.items()],
        "carried": list(fields(form)),
        "may_use": may_score(request, found.table) and form.doubles is not None,
        "key": new_code(),
        "revision": request.POST.get("revision") or state.revision(hand),
        "action": reverse("correct" if is_over else "hand", args=[code, number, hand]),
        "shown": cards.shown,
        "doubled": bool(form.doubles),
        **told,
    }
    return render(request, "poker.html", context, status=422 if cards.problems else 200)


def _hand_form(request: HttpRequest, state: State, hand: int, is_over: bool) -> HandForm:
    """The hand as its form was sent here, or as it is stored; only hands whose rows are compared have cards."""
    if not 1 <= hand <= state.number or (state.match.is_over and not is_over):
        raise Http404(_("Hand {number} has not been played.").format(number=hand))
    turn, stored = state.match.turn_of(hand), state.hand(hand)
    if request.method == "POST" and "contract" in request.POST:
        data = request.POST.copy()
        data["place"] = "-"
        form = HandForm.posted(turn, data, stored, whole=is_over)
    else:
        form = HandForm.of(turn, stored)
    if not isinstance(form.contract, Beats):
        raise Http404(_("No rows of cards are compared in hand {number}.").format(number=hand))
    if turn.ruleset.doubling.who == "none":
        form.doubles = ()
    return form


def row_names() -> dict[str, str]:
    """The rows as the page calls them."""
    return {"front": _("Front"), "middle": _("Middle"), "back": _("Back")}


def _hands(turn: Turn, cards: PokerForm, wrong: Mapping[str, str]) -> list[tuple[str, list[Field]]]:
    """The players, each with three rows to fill in."""
    names = row_names()
    return [
        (
            player,
            [
                Field(
                    name=f"{row}-{seat}",
                    label=_("{row} for {player}").format(row=names[row], player=player),
                    row=names[row],
                    cards=SIZES[row],
                    text=cards.texts.get((row, seat), ""),
                    problem=wrong.get(f"{row}-{seat}", ""),
                )
                for row in ROWS
            ],
        )
        for seat, player in enumerate(turn.players)
    ]


def _told(state: State, number: int, form: HandForm, shown: Showdown) -> dict[str, object]:
    """What the cards bring: the rows, the fouls, the units, the score, and how the hand's own form says it."""
    hand, turn = with_rows(form, shown), form.turn
    match = state.with_hand(number, hand)
    scored = match.scored[number - 1] if turn.is_finished(hand) and not match.problems else None
    names = [isolated(name) for name in turn.players]
    tied = form.overall_tie if form.best is None else ()
    # A correction shows at once what it changes; where something is left to ask, its form is filled in only.
    pressed = [("step", "save"), ("preview", "1")] if number <= state.finished and not tied else [("place", "-")]
    return {
        "rows": [(name, list(_lines(turn, shown, row))) for row, name in row_names().items()],
        "fouls": [(names[seat], _foul_words(foul)) for seat, foul in shown.fouls.items()],
        "units": list(zip(turn.players, map(figure, beaten(shown.result, len(turn.players))), strict=True)),
        "score": list(zip(turn.players, scored.basic, scored.doubling, scored.total, strict=True)) if scored else [],
        "tied": ", ".join(names[seat] for seat in tied),
        "why_not": () if tied else match.problems,
        "kept": [*fields(form), *row_fields(form), *pressed],
    }


def _lines(turn: Turn, shown: Showdown, row: str) -> Iterator[Line]:
    """The players of a row, best first; fouled hands last, tying with each other."""
    units, place = (shown.result.beats or {})[row], 1
    fouled = tuple(shown.fouls)
    for group in (*shown.groups[row], fouled):
        for seat in group:
            held = shown.rows[row][seat]
            yield Line(
                place=place,
                is_tied=len(group) > 1,
                is_fouled=seat in fouled,
                player=turn.players[seat],
                cards=tuple(map(Card, held.cards)),
                category=_words(held.says),
                units=figure(units[seat]),
            )
        place += len(group)


def _words(sentence: Sentence) -> str:
    """A row in the reader's language, the ranks in it too."""
    return _(sentence.message).format_map({key: _(str(value)) for key, value in sentence.values.items()})


def _foul_words(foul: Foul) -> str:
    """Which row of a fouled hand beats which."""
    return _(foul.says.message).format(better=_words(foul.better.says), worse=_words(foul.worse.says))
