"""A table: its evenings, the latest first, and how each match ended or how far it got."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from referee.rules import Points

from ..access import may_score, remember, table_or_404
from ..models import Match, State, states

MATCHES_A_PAGE = 30
NIGHT = timedelta(hours=5)


@dataclass(frozen=True)
class Line:
    """A match in a list."""

    match: Match
    state: State

    @property
    def began(self) -> datetime:
        """When it began, by the clock of the place where it is played."""
        return timezone.make_naive(self.match.began, ZoneInfo(self.match.zone))

    @property
    def evening(self) -> date:
        """The day whose evening it belongs to: just after midnight that is still the day before."""
        return (self.began - NIGHT).date()

    @property
    def hands_in_all(self) -> int | None:
        """How many hands it has; None where it ends at a score."""
        return self.state.match.ruleset.hands_in_all(len(self.state.match.players))

    @property
    def winners(self) -> list[str]:
        """Who has won, by name."""
        return [self.state.match.players[seat] for seat in self.state.match.winners]

    @property
    def places(self) -> list[tuple[int, str, Points]]:
        """Place, name and score: in seat order while it is played, best first once it is over."""
        names, ordered = self.state.match.players, self.state.match.standings
        if not self.state.match.is_over:
            ordered = tuple(sorted(ordered, key=lambda standing: standing.seat))
        return [(standing.place, names[standing.seat], standing.score) for standing in ordered]


def lines(matches: Iterable[Match]) -> list[Line]:
    """Matches with how far they got, in the order given."""
    matches = list(matches)
    found = states(matches)
    return [Line(match, found[match.pk]) for match in matches]


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The matches of a table by evening, and a new one for who may score."""
    found = table_or_404(code)
    matches = found.matches.select_related("table").order_by("-number")
    before = request.GET.get("before", "")
    if re.fullmatch(r"[0-9]{1,6}", before, re.ASCII):
        matches = matches.filter(number__lt=before)
    shown = list(matches[: MATCHES_A_PAGE + 1])
    page, more = shown[:MATCHES_A_PAGE], shown[MATCHES_A_PAGE:]
    evenings = [(day, list(group)) for day, group in groupby(lines(page), key=lambda line: line.evening)]
    context = {"table": found, "evenings": evenings, "more": page[-1].number if more else None}
    response = render(request, "table.html", context | {"scores": may_score(request, found)})
    remember(request, response, found)
    return response
