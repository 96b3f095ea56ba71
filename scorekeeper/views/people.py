"""The people of a table: who plays here, by which name, and two names that were one person."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from referee import Problem
from referee.problems import gettext_noop, problem

from ..access import may_score, must_score, remember, table_or_404
from ..forms.new import judge_name
from ..models import Player, Table, tidy


@require_safe
@never_cache
def people(request: HttpRequest, code: str) -> HttpResponse:
    """Everybody who ever played here, as lately; who plays no more at the end."""
    table = table_or_404(code)
    players = [(player, player.last and table.evening(player.last)) for player in table.players_lately()]
    context = {
        "table": table,
        "playing": [(player, evening) for player, evening in players if not player.is_gone],
        "gone": [(player, evening) for player, evening in players if player.is_gone],
        "scores": may_score(request, table),
    }
    response = render(request, "people.html", context)
    remember(request, response, table)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def change(request: HttpRequest, code: str, player: str) -> HttpResponse:
    """Rename somebody, make two names one person, remove somebody or bring them back."""
    table = table_or_404(code)
    must_score(request, table)
    deeds: dict[str, Callable[[HttpRequest, Table, Player], HttpResponse]] = {
        "rename": _rename,
        "merge": _merge,
        "remove": _remove,
        "bring-back": _bring_back,
    }
    try:
        found = table.players.get(code=player)
        if request.method != "POST":
            return _page(request, table, found)
        deed = deeds.get(request.POST.get("do", ""))
        if deed is None:
            message = gettext_noop("The form came incomplete. Nothing was stored; send it again.")
            return _page(request, table, found, problem("not-understood", "name", message))
        return deed(request, table, found)
    except Player.DoesNotExist:
        # Merged already, by the same tap sent twice or from another phone: the list shows who is there now.
        if request.method == "POST" and _into(request, table):
            return redirect("people", code=code)
        message = _("There is no such player at this table. The name may have been made one with another.")
        raise Http404(message) from None


def _rename(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    typed, was = tidy(request.POST.get("name", "")), request.POST.get("was", player.name)
    if not typed:
        wrong = problem("no-name", "name", gettext_noop("A player needs a name."))
        return _page(request, table, player, wrong, typed=typed)
    if player.name not in (was, typed):
        message = gettext_noop("{was} was renamed {now} meanwhile. Save again if another name is right.")
        wrong = problem("renamed-meanwhile", "name", message, was=was, now=player.name)
        return _page(request, table, player, wrong, typed=typed, status=409)
    if refused := judge_name(typed, "name") or player.rename(typed):
        return _page(request, table, player, refused, typed=typed)
    return _back(table, player)


def _merge(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    """What it would do is shown first: it can not be taken back."""
    into = _into(request, table)
    if into is None:
        wrong = problem("unknown-player", "into", gettext_noop("Choose who this is."))
        return _page(request, table, player, wrong)
    if "sure" not in request.POST:
        refused = player.is_not(into)
        return _page(request, table, player, refused, into=into)
    if refused := player.merge(into):
        return _page(request, table, player, refused, into=into)
    return _back(table, into)


def _into(request: HttpRequest, table: Table) -> Player | None:
    """Whose name stays."""
    return next((player for player in table.players.all() if player.code == request.POST.get("into")), None)


def _remove(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    player.remove()
    return _back(table, player)


def _bring_back(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    player.bring_back()
    return _back(table, player)


def _back(table: Table, player: Player) -> HttpResponse:
    """The list of people, where this one stands."""
    return redirect(f"{reverse('people', args=[table.code])}#{player.code}")


def _page(
    request: HttpRequest,
    table: Table,
    player: Player,
    wrong: Problem | None = None,
    *,
    typed: str | None = None,
    into: Player | None = None,
    status: int = 422,
) -> HttpResponse:
    """What can be changed about somebody; with ``into`` what it means that the two are one."""
    context = {
        "table": table,
        "player": player,
        "typed": player.name if typed is None else typed,
        "others": [other for other in table.players_lately() if other != player],
        "into": into,
        "asks": into is not None and wrong is None,
        "matches": player.seats.count(),
        "problems": [wrong] if wrong else [],
        "wrong": {wrong.where: wrong} if wrong else {},
    }
    return render(request, "person.html", context, status=status if wrong else 200)
