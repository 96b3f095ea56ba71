"""An earlier hand: explained, and corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

import referee
from referee import Problem

from ..access import match_or_404, may_score, must_score
from ..entry import declared_elsewhere, hand_form_context
from ..forms.hand import HandForm
from ..forms.penalty import PenaltyForm
from ..models import Match, Refused, Saved, State, new_code
from ..words import Clash, Correction, penalty_words, versions
from .match import match_page, record
from .posted import asks_in_place, incomplete, receipt


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """A hand's address: a post records it, a visit explains it."""
    return (record if request.method == "POST" else explain)(request, code, number, hand)


def explain(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponse:
    """Why a hand scored what it did: each player, then each pair; and its history."""
    found = match_or_404(code, number)
    state = found.state()
    if hand == state.number and not state.match.is_over:
        return redirect("match", code=code, number=number)
    return explain_page(request, found, state, hand)


def explain_page(
    request: HttpRequest,
    found: Match,
    state: State,
    hand: int,
    *,
    penalty: PenaltyForm | None = None,
    problems: Sequence[Problem] = (),
    clash: Clash | None = None,
) -> HttpResponse:
    """The explanation of a hand, with the form of its penalty as it is stored, or as it was sent."""
    scored = _finished(state, hand)
    turn = scored.turn
    explanation = referee.explain(scored)
    context = {
        "match": found,
        "table": found.table,
        "scored": scored,
        "turn": turn,
        "contract": scored.contract,
        "declarer": None if turn.declarer is None else turn.players[turn.declarer],
        "players": list(zip(turn.players, explanation.players, strict=True)),
        "explanation": explanation,
        "history": versions(turn, found.history(hand)),
        "may_score": may_score(request, found.table),
        "before": hand - 1 or None,
        "after": hand + 1 if hand < state.finished else None,
        "has_play": scored.contract is not None and turn.ruleset.has_play(scored.contract) and not scored.passed_out,
        "adjusted": penalty_words(turn, scored.hand),
        "penalty": penalty or PenaltyForm.of(turn, scored.hand.adjustment),
        "penalty_open": penalty is not None,
        "problems": problems,
        "conflict": clash,
        "key": new_code(),
        "revision": state.revision(hand),
    }
    return render(request, "explain.html", context, status=409 if clash else 422 if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def correct(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """Correct an earlier hand by its inputs; what changes elsewhere is shown before it is saved."""
    found = match_or_404(code, number)
    must_score(request, found.table)
    state = found.state()
    if request.method != "POST":
        scored = _finished(state, hand)
        form = HandForm.of(scored.turn, scored.hand)
        if "again" in request.GET and not form.note:
            form.note = _("Played again")
        return _page(request, found, state, form=form)
    turn, stored = state.match.turn_of(hand), state.hand(hand)
    if stored is not None and "again" in request.GET:  # Other cards were played this time.
        stored = replace(stored, play=None)
    form = HandForm.posted(turn, request.POST, stored, whole=True)
    if hand in state.rows and hand > state.finished:
        return _too_late(request, found, hand, form)
    scored, sent = _finished(state, hand), receipt(request)
    if sent is None or form.problems or form.asks_more or "preview" in request.POST:
        problems = form.problems if sent else [incomplete(), *form.problems]
        return _page(request, found, state, form=form, problems=problems)
    if form.hand == scored.hand:
        return redirect("match", code=code, number=number)
    correction, seen = Correction.of(state, hand, form.hand), request.POST.get("seen")
    if not state.is_stale(hand, sent.revision) and (correction is None or seen != correction.digest):
        return _page(request, found, state, form=form, clash=None if correction or not seen else _gone_on(state, hand))
    outcome = found.correct(hand, form.hand, **asdict(sent))
    if isinstance(outcome, Saved):
        return redirect("match", code=code, number=number)
    if isinstance(outcome, Refused):
        state = found.state()
        return _page(request, found, state, form=form, clash=_gone_on(state, hand))
    return _too_late(request, found, hand, form)


def _gone_on(state: State, hand: int) -> Clash:
    """The match has gone on since the correction was shown, and the referee does not let it pass any more."""
    return Clash.of(state, hand, None)


def _too_late(request: HttpRequest, found: Match, hand: int, form: HandForm) -> HttpResponse:
    """Another version is stored, or the hand was taken back: both are shown, and nothing typed is lost."""
    state = found.state()
    show = _page if hand <= state.finished else match_page
    return show(request, found, state, form=form, clash=Clash.of(state, hand, form))


def _page(
    request: HttpRequest,
    found: Match,
    state: State,
    *,
    form: HandForm,
    problems: Sequence[Problem] = (),
    clash: Clash | None = None,
) -> HttpResponse:
    """The correction; a form that is complete is judged, and what it would change is shown."""
    number = form.turn.number
    scored = _finished(state, number)
    changed = form.hand != scored.hand
    correction = None if problems else Correction.of(state, number, form.hand) if form.is_complete else None
    if changed and form.is_complete and not problems and (refused := state.refused(number, form.hand)):
        problems = refused.problems
    context = {
        "match": found,
        "table": found.table,
        "number": number,
        "revision": state.revision(number),
        "key": new_code(),
        "conflict": clash,
        "changed": changed,
        "again": "again" in request.GET,
        "consequences": correction.lines if correction else None,
        "seen": correction.digest if correction else "",
        **hand_form_context(scored.turn, form, declared_elsewhere(state, number), problems),
    }
    template = "parts/consequences.html" if "preview" in request.POST and asks_in_place(request) else "correct.html"
    return render(request, template, context, status=409 if clash else 422 if problems else 200)


def _finished(state: State, hand: int) -> referee.ScoredHand:
    if not 1 <= hand <= state.finished:
        raise Http404(_("Hand {number} has not been played.").format(number=hand))
    return state.match.finished_hands[hand - 1]
