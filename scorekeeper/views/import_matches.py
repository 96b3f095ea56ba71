"""Matches that were scored elsewhere come to this table as files: looked at first, then taken in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import must_score, table_or_404
from ..forms.import_matches import LARGEST, ImportForm
from ..match_files import take_in
from ..models import Table
from ..sizes import takes


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@takes(2 * LARGEST)
def import_matches(request: HttpRequest, code: str) -> HttpResponse:
    """Show what files hold, worked out here, and take in what is new once somebody has seen it."""
    table = table_or_404(code)
    must_score(request, table)
    if request.method != "POST":
        return _page(request, table, ImportForm())
    form = ImportForm.posted(request, table)
    if form.problems or form.refused or "take" not in request.POST:
        return _page(request, table, form, status=422 if form.problems or form.refused else 200)
    taken = [take_in(table, given)[0] for given in form.sound]
    if len(taken) == 1:
        return redirect("match", code=code, number=taken[0].number)
    return redirect(f"{reverse('files', args=[code])}?taken={len(taken)}")


def _page(request: HttpRequest, table: Table, form: ImportForm, status: int = 200) -> HttpResponse:
    return render(request, "import_matches.html", {"table": table, "form": form}, status=status)
