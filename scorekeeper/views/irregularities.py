"""What went wrong at the table: a misdeal is dealt again, and a penalty stands beside the hand."""

from __future__ import annotations

from dataclasses import asdict

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from msgspec import structs

import referee

from ..access import match_or_404, must_score
from ..forms.penalty import PenaltyForm
from ..models import Refused, Saved, State, new_code
from ..words import Clash, told
from .posted import incomplete, receipt
from .review import explain_page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def misdeal(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """The hand in play is dealt again, with the contract still free; or was not, after all."""
    found = match_or_404(code, number)
    must_score(request, found.table)
    state = found.state()
    if request.method != "POST" and (hand != state.number or state.match.is_over):
        raise Http404(_("Hand {number} is not the one being played.").format(number=hand))
    stored = state.hand(hand) or referee.Hand()
    context = {"match": found, "table": found.table, "number": hand, "turn": state.match.turn_of(hand)}
    if request.method == "POST":
        sent = receipt(request)
        problems = [] if sent else [incomplete()]
        if sent is not None:
            again = "take_back" not in request.POST
            outcome = found.record(hand, dealt_again(stored) if again else taken_back(stored), **asdict(sent))
            if isinstance(outcome, Saved):
                return redirect("match", code=code, number=number)
            state = found.state()
            context["conflict"] = None if isinstance(outcome, Refused) else _clash(state, hand)
            problems = list(outcome.problems) if isinstance(outcome, Refused) else []
        context["problems"] = problems
    stored = state.hand(hand) or referee.Hand()
    context |= {
        "misdeals": stored.misdeals,
        "may_take_back": stored.misdeals > (0 if stored.contract or not state.match.ruleset.has_declarer else 1),
        "told": told(state.match.turn_of(hand), stored) if stored.contract else [],
        "is_over": hand != state.number,
        "key": new_code(),
        "revision": state.revision(hand),
        "action": reverse("misdeal", args=[code, number, hand]),
    }
    status = 409 if context.get("conflict") else 422 if context.get("problems") else 200
    return render(request, "misdeal.html", context, status=status)


def dealt_again(hand: referee.Hand) -> referee.Hand:
    """The hand before anything was said of it, dealt once more; its note stays."""
    return referee.Hand(misdeals=hand.misdeals + 1, note=hand.note)


def taken_back(hand: referee.Hand) -> referee.Hand:
    """The hand with one misdeal less; what was entered since stays."""
    return structs.replace(hand, misdeals=max(0, hand.misdeals - 1))


def _clash(state: State, hand: int) -> Clash:
    """The match has gone on: what is stored, and nothing of one's own to lose."""
    turn, stored = state.match.turn_of(hand), state.hand(hand)
    return Clash(hand, state.number, stored is None, state.revision(hand), told(turn, stored), [])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def penalty(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """A penalty that the table agrees on, beside a hand that is over: points that add up to zero, and why."""
    found = match_or_404(code, number)
    if request.method != "POST":
        return redirect("hand", code=code, number=number, hand=hand)
    must_score(request, found.table)
    state, sent = found.state(), receipt(request)
    if hand in state.rows and hand > state.finished:
        return redirect("match", code=code, number=number)
    form = PenaltyForm.posted(state.match.turn_of(hand), request.POST)
    if sent is None or form.problems:
        return explain_page(request, found, state, hand, penalty=form, problems=form.problems or [incomplete()])
    if not 1 <= hand <= state.finished:
        return explain_page(request, found, state, hand)
    new = structs.replace(state.match.hands[hand - 1], adjustment=form.adjustment)
    outcome = found.correct(hand, new, **asdict(sent))
    if isinstance(outcome, Saved):
        return redirect("hand", code=code, number=number, hand=hand)
    state = found.state()
    if isinstance(outcome, Refused):
        return explain_page(request, found, state, hand, penalty=form, problems=outcome.problems)
    turn = state.match.turn_of(hand)
    clash = Clash(hand, state.number, False, state.revision(hand), told(turn, state.hand(hand)), told(turn, new))
    return explain_page(request, found, state, hand, penalty=form, clash=clash)
