"""One more phone that scores: let in by the scorer link or by a spoken code, and named."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import give_cookie, kind_of_phone, may_score, remember, table_or_404
from ..forms.device import ScoreForm
from ..limits import count_device, count_wrong_code, may_try_a_code
from ..models import Device, SpokenCode, Table, new_code, states

MATCHES_LOOKED_AT = 5


@dataclass(frozen=True)
class Onward:
    """Where a phone goes on: the newest match that is not over, else the table's page."""

    address: str
    is_match: bool

    @classmethod
    def at(cls, table: Table) -> Onward:
        """At this table, as it stands."""
        latest = list(table.matches.order_by("-number")[:MATCHES_LOOKED_AT])
        found = states(latest)
        running = next((match for match in latest if not found[match.pk].match.is_over), None)
        if running is None:
            return cls(reverse("table", args=[table.code]), False)
        return cls(reverse("match", args=[table.code, running.number]), True)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def score(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for the code and the phone's name, and let it score."""
    table = table_or_404(code)
    if request.method != "POST":
        return _page(request, table, ScoreForm(name=kind_of_phone(request)))
    form = ScoreForm.posted(request.POST)
    if form.problems:
        return _page(request, table, form, status=422)
    token = Device.token_for(table, form.key)
    known = Device.of(table, token)  # The same form sent twice: the code is used up, the phone is in.
    if known is None or not known.may_score(table):
        token = Device.token_for(table, new_code()) if known else token
        may_try_a_code(request, table)
        if not _is_right(table, form):
            count_wrong_code(request, table)
            return _page(request, table, form, status=422)
        count_device(table)
        Device.let_in(table, token, form.name or kind_of_phone(request))
    response = redirect(Onward.at(table).address)
    give_cookie(response, table, token)
    remember(request, response, table)
    return response


def _is_right(table: Table, form: ScoreForm) -> bool:
    """The secret or the spoken code opens this table; else the form says why not."""
    left = None if form.secret else SpokenCode.attempt(table, form.digits)
    is_right = table.may_score(form.secret) if form.secret else left is None
    if not is_right:
        form.was_wrong(left)
    return is_right


def _page(request: HttpRequest, table: Table, form: ScoreForm, status: int = 200) -> HttpResponse:
    wrong = {problem.where: problem for problem in form.problems}
    scores = may_score(request, table)
    context = {"table": table, "form": form, "wrong": wrong, "may_score": scores}
    if scores:
        context["onward"] = Onward.at(table)
    return render(request, "score.html", context, status=status)
