"""The first page: what this is, and the tables that this browser knows."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import tables_seen
from ..models import Match
from .table import lines

MATCHES_SHOWN = 12
MATCHES_A_TABLE = 3


@require_safe
@never_cache
def start(request: HttpRequest) -> HttpResponse:
    """A first visit is told what to do; everybody else goes on with a match in one tap."""
    tables = tables_seen(request)
    matches = Match.objects.select_related("table").filter(table__in=tables).order_by("-began", "-pk")
    shown = lines(matches[:MATCHES_SHOWN]) if tables else []
    known = [(table, [line for line in shown if line.match.table == table][:MATCHES_A_TABLE]) for table in tables]
    return render(request, "start.html", {"known": known})
