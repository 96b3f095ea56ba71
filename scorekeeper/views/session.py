"""A match reviewed: its sheet, its line, who won what from whom, where it turned, and what was corrected."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from referee import ledger

from .. import paper
from ..access import match_or_404, remember
from ..templatetags.cards import isolated


@require_safe
@never_cache
def session(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A match looked back on, the evening after or a year later; it is the same for whoever has the link."""
    found = match_or_404(code, number)
    state, history = found.state(), list(found.hands.order_by("version", "number"))
    played = state.match
    ended, length = paper.length(found, history, state)
    context = {
        "match": found,
        "table": found.table,
        "ruleset": played.ruleset,
        "names": played.players,
        "marks": paper.key_of_marks(played),
        "over": played.is_over,
        "winners": [isolated(played.players[seat]) for seat in played.winners],
        "standings": paper.places(played),
        "ended": ended,
        "length": length,
        "sheet": paper.paper(played),
        "told": paper.hand_by_hand(played),
        "pairs": paper.pair_words(played, ledger.accounts(played)),
        "duties": paper.duty_rows(played),
        "swings": paper.swing_words(played),
        "leads": paper.lead_words(played),
        "corrections": paper.corrections(played, history),
        **paper.look_back(found, state),
    }
    response = render(request, "session.html", context)
    remember(request, response, found.table)
    return response
