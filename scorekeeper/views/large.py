"""The match in large figures, for a tablet on the table: the score, whose turn it is, the hand under way."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import remember
from ..kept import fresh, marks, match_asked
from ..models import LATELY
from ..page import large_context


@require_safe
@never_cache
def large(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What everybody at the table wants to see, and nothing to tap."""
    found = match_asked(request, code, number)
    context = large_context(found, LATELY.state(found))
    context |= {"seen": marks(found.table, found.mark), **fresh(request, found, scores=False)}
    response = render(request, "large.html", context)
    remember(request, response, found.table)
    return response
