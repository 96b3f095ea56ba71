"""The match page, and the posts that it sends: a step of a hand, undo, redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from referee import Problem

from ..access import match_or_404, may_score, must_score, remember
from ..forms.hand import HandForm
from ..kept import fresh, marks, match_asked
from ..models import LATELY, Conflict, Hand, Match, Outcome, Refused, Saved, State
from ..page import match_context
from ..words import Clash
from .posted import asks_in_place, incomplete, receipt


@require_safe
@never_cache
def match(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """The one page that a table needs while playing."""
    found = match_asked(request, code, number)
    response = match_page(request, found, LATELY.state(found))
    remember(request, response, found.table)
    return response


def record(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """Store a step of the hand that is being played."""
    found = match_or_404(code, number)
    must_score(request, found.table)
    state, sent = LATELY.state(found), receipt(request)
    form = HandForm.posted(state.match.turn_of(hand), request.POST, state.hand(hand))
    if sent is not None and not form.problems and not form.asks_more:
        outcome = found.record(hand, form.hand, **asdict(sent))
        if isinstance(outcome, Conflict):
            outcome = repeated(request, found, state, hand, sent.key) or outcome
        return answer(request, found, outcome, hand, form)
    if hand != state.number or (sent is not None and state.is_stale(hand, sent.revision)):
        return match_page(request, found, state, form=form, clash=Clash.of(state, hand, form))
    problems = form.problems if sent else [incomplete(), *form.problems]
    return match_page(request, found, state, form=form, problems=problems)


def repeated(request: HttpRequest, found: Match, state: State, hand: int, key: str) -> Saved | None:
    """What this post stored the first time, where another phone has added to the hand since: a penalty, its cards.

    A form keeps what it does not speak of, so the same post says more by now than it did then.
    """
    rows = {row.revision: row for row in found.history(hand)}
    stored = next((row for row in rows.values() if row.key == key), None)
    if stored is None:
        return None
    before = rows.get(stored.revision - 1)
    form = HandForm.posted(state.match.turn_of(hand), request.POST, before.told() if before and before.record else None)
    return Saved(stored, repeated=True) if stored.did(Hand.Action.ENTER, hand, form.hand) else None


def undo(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """Take back the last finished hand."""
    return _turn_back(request, code, number, hand, Match.undo)


def redo(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """Bring back what Undo took."""
    return _turn_back(request, code, number, hand, Match.redo)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def _turn_back(
    request: HttpRequest, code: str, number: int, hand: int, deed: Callable[..., Outcome]
) -> HttpResponseBase:
    found = match_or_404(code, number)
    if request.method != "POST":  # A browser that opens an old answer of ours again.
        return redirect("match", code=code, number=number)
    must_score(request, found.table)
    sent = receipt(request)
    if sent is None:
        return match_page(request, found, found.state(), problems=[incomplete()])
    return answer(request, found, deed(found, hand, **asdict(sent)), hand)


def answer(
    request: HttpRequest, found: Match, outcome: Outcome, hand: int, form: HandForm | None = None
) -> HttpResponseBase:
    """Saved: on to the page. Refused or in conflict: the page with what is wrong, and nothing typed is lost."""
    state = LATELY.state(found)
    if isinstance(outcome, Refused):
        return match_page(request, found, state, form=form, problems=outcome.problems)
    if isinstance(outcome, Conflict):
        return match_page(request, found, state, form=form, clash=Clash.of(state, hand, form))
    if not asks_in_place(request):
        return redirect("match", code=found.table.code, number=found.number)
    if form is not None and not form.turn.is_finished(form.hand):
        return HttpResponse(status=204, headers={"Hand-Revision": str(outcome.row.revision)})
    return match_page(request, found, state, saved=outcome)


def match_page(
    request: HttpRequest,
    found: Match,
    state: State,
    *,
    form: HandForm | None = None,
    problems: Sequence[Problem] = (),
    clash: Clash | None = None,
    saved: Saved | None = None,
) -> HttpResponse:
    """The page, with a form as it was sent or the stored one; a form of another hand stands in the clash."""
    scores = may_score(request, found.table)
    late = clash is not None and clash.number != state.number
    if form is None or late:
        form = HandForm.of(state.match.turn, state.match.unfinished_hand)
    context = match_context(
        found, state, scores=scores, form=form, problems=problems, redo=found.redoable(state) if scores else []
    )
    context |= {
        "conflict": clash,
        "late": late,
        "posted": request.POST.lists() if late else [],
        "saved": saved,
        "seen": "" if clash or problems else marks(found.table, found.mark),
        **fresh(request, found, scores=scores),
    }
    return render(request, "match.html", context, status=409 if clash else 422 if problems else 200)
