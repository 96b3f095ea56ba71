"""A table: its evenings, the latest first, and how each match ended or how far it got; and the table's name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from referee.problems import gettext_noop, problem
from referee.rules import Points

from ..access import may_score, must_score, remember, table_or_404
from ..forms.new import judge_table_name
from ..forms.search import SearchForm
from ..models import Hand, Match, State, Table, states, tidy
from ..templatetags.cards import isolated
from ..words import how_long

MATCHES_A_PAGE = 20


@dataclass(frozen=True)
class Place:
    """A player at the end of a match, or so far."""

    place: int
    name: str
    score: Points
    has_won: bool


@dataclass(frozen=True)
class Line:
    """A match in a list; ``ended`` is when a hand was entered last, None before the first one."""

    match: Match
    state: State
    ended: datetime | None

    @property
    def began(self) -> datetime:
        """When it began, by the clock of the place where the table plays."""
        return self.match.table.by_the_clock(self.match.began)

    @property
    def evening(self) -> date:
        """The day whose evening it belongs to, however late it went on."""
        return self.match.table.evening(self.match.began)

    @property
    def hands_in_all(self) -> int | None:
        """How many hands it has; None where it ends at a score."""
        return self.state.match.ruleset.hands_in_all(len(self.state.match.players))

    @property
    def winners(self) -> list[str]:
        """Who has won, by name."""
        return [isolated(self.state.match.players[seat]) for seat in self.state.match.winners]

    @property
    def length(self) -> str:
        """From the start to the last hand that was entered, in words; nothing before the first one is finished."""
        if not self.state.finished or self.ended is None or self.ended < self.match.began:
            return ""
        return how_long(self.ended - self.match.began)

    @property
    def places(self) -> list[Place]:
        """Place, name and score: in seat order while it is played, best first once it is over."""
        names, ordered, won = self.state.match.players, self.state.match.standings, self.state.match.winners
        if not self.state.match.is_over:
            ordered = tuple(sorted(ordered, key=lambda standing: standing.seat))
        return [
            Place(standing.place, names[standing.seat], standing.score, standing.seat in won) for standing in ordered
        ]


def lines(matches: Iterable[Match]) -> list[Line]:
    """Matches with how far they got, in the order given, in three queries however many there are."""
    matches = list(matches)
    found = states(matches)
    # A correction comes whenever somebody finds the fault; it makes no match longer.
    entered = Hand.objects.filter(match__in=matches, action=Hand.Action.ENTER).order_by().values("match")
    ended = dict(entered.annotate(last=Max("at")).values_list("match", "last"))
    return [Line(match, found[match.pk], ended.get(match.pk)) for match in matches]


@dataclass(frozen=True)
class Sheaf:
    """The matches of one page, the latest first; the numbers lead on to what is later and what is earlier."""

    matches: list[Match]
    later: int | None
    earlier: int | None

    @classmethod
    def of(cls, matches: QuerySet[Match], table: Table, before: str, after: str) -> Sheaf:
        """The page right before or after the match of this number; the latest page where there is none.

        Only the matches of the page are read, however many others there are.
        """
        if (mark := _match(table, after)) is not None:
            later = matches.filter(began__gte=mark.began).exclude(began=mark.began, number__lte=mark.number)
            shown = list(later.order_by("began", "number")[: MATCHES_A_PAGE + 1])
            if len(shown) > MATCHES_A_PAGE:
                page = shown[:MATCHES_A_PAGE][::-1]
                return cls(page, later=page[0].number, earlier=page[-1].number)
        elif (mark := _match(table, before)) is not None:
            earlier = matches.filter(began__lte=mark.began).exclude(began=mark.began, number__gte=mark.number)
            shown = list(earlier.order_by("-began", "-number")[: MATCHES_A_PAGE + 1])
            if shown:
                page, more = shown[:MATCHES_A_PAGE], shown[MATCHES_A_PAGE:]
                return cls(page, later=page[0].number, earlier=page[-1].number if more else None)
        shown = list(matches.order_by("-began", "-number")[: MATCHES_A_PAGE + 1])
        page, more = shown[:MATCHES_A_PAGE], shown[MATCHES_A_PAGE:]
        return cls(page, later=None, earlier=page[-1].number if more else None)


def _match(table: Table, number: str) -> Match | None:
    """The match at which a page begins or ends; None where what stands in the address is no number of one."""
    if not re.fullmatch(r"[0-9]{1,10}", number, re.ASCII):
        return None
    return table.matches.filter(number=number).only("began", "number").first()


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The matches of a table by evening, all or those that are looked for, and a new one for who may score."""
    found = table_or_404(code)
    search = SearchForm(found, request.GET)
    matches = search.matches()
    sheaf = Sheaf.of(matches, found, request.GET.get("before", ""), request.GET.get("after", ""))
    evenings = [(day, list(group)) for day, group in groupby(lines(sheaf.matches), key=lambda line: line.evening)]
    context = {
        "table": found,
        "search": search,
        "sheaf": sheaf,
        "evenings": evenings,
        "count": matches.count(),
        "scores": may_score(request, found),
    }
    response = render(request, "table.html", context, status=422 if search.problems else 200)
    remember(request, response, found)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """Another name for the table."""
    found = table_or_404(code)
    must_score(request, found)
    if request.method != "POST":
        return render(request, "rename_table.html", {"table": found, "typed": found.name})
    typed = tidy(request.POST.get("name", ""))
    wrong = judge_table_name(typed, "name")
    if not typed:
        wrong = problem("no-name", "name", gettext_noop("A table needs a name."))
    if wrong:
        context = {"table": found, "typed": typed, "problems": [wrong]}
        return render(request, "rename_table.html", context, status=422)
    found.rename(typed)
    return redirect("table", code=code)
