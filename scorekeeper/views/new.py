"""A new match: the game, the players in seat order, who declares first."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from referee import RuleSet, name_key

from ..access import kind_of_phone, let_score, must_score, remember, table_or_404, tables_seen
from ..forms.new import DRAW, NewMatchForm, games
from ..limits import TooMany, count_new_match, count_new_table
from ..models import NIGHT, Match, Table
from ..templatetags.cards import says


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def new_match(request: HttpRequest, code: str | None = None) -> HttpResponse:
    """Ask for a match and begin it: at a table where one is named, else at a new one."""
    table = None
    if code is not None:
        table = table_or_404(code)
        must_score(request, table)
    own = [rules.game for rules in table.own_rules()] if table else []
    if request.method != "POST":
        before = _before(table, request.GET.get("again", ""))
        return _page(request, NewMatchForm.blank(before, own, request.GET.get("game", "")), table)
    form = NewMatchForm.posted(request.POST, own)
    if form.rearrange(request.POST.get("move", ""), request.POST.get("seat", "")):
        form.problems = []
        return _page(request, form, table)
    form.judge()
    if form.problems:
        return _page(request, form, table, status=422)
    return _start(request, form, table)


def _start(request: HttpRequest, form: NewMatchForm, table: Table | None) -> HttpResponse:
    """Make the match, let this browser score it, and go there."""
    assert form.ruleset is not None
    key = form.match_key(table)
    try:
        if not Match.objects.filter(key=key).exists():
            count_new_match(table) if table else count_new_table(request)
    except TooMany as refused:  # With the form, so that nobody has to type the names again.
        form.problems.append(refused.problem("game"))
        return _page(request, form, table, status=429)
    match = Match.start(
        ruleset=form.ruleset,
        names=form.players,
        first_declarer=form.first_declarer(),
        key=key,
        zone=form.zone,
        table=table,
        table_name=form.table_name or _usual_name(form.zone),
    )
    response = redirect("match", code=match.table.code, number=match.number)
    secret = Table.secret_for(key)
    if match.table.may_score(secret):
        let_score(response, match.table, secret, kind_of_phone(request))
    remember(request, response, match.table)
    return response


def _page(request: HttpRequest, form: NewMatchForm, table: Table | None, status: int = 200) -> HttpResponse:
    wrong = {found.where: says(found) for found in reversed(form.problems)}
    known = _known(form, table)
    context = {
        "form": form,
        "table": table,
        "games": [_tile(ruleset, form) for ruleset in (*form.own.values(), *games())],
        "seats": [_seat(form, number, wrong) for number in range(1, len(form.names) + 1)],
        "draw": DRAW,
        "known": known,
        "all_seated": all(is_seated for _name, is_seated in known),
        "tables": [] if table else tables_seen(request)[:3],
        "usual_name": _usual_name(form.zone),
        "wrong": wrong,
    }
    return render(request, "new.html", context, status=status)


def _tile(ruleset: RuleSet, form: NewMatchForm) -> dict[str, Any]:
    """A game on its button."""
    fewest, most = min(ruleset.players), max(ruleset.players)
    hands = ruleset.hands_in_all(most)
    length = (
        ngettext("{n} hand", "{n} hands", hands).format(n=hands)
        if hands
        else _("to {n} points").format(n=ruleset.ends_at)
    )
    players = "" if fewest == most == 4 else _("{n} players").format(n=f"{fewest}\u2060–\u2060{most}")
    return {
        "ruleset": ruleset,
        "chosen": ruleset.code == form.game,
        "about": " · ".join(filter(None, (length, players))),
        "most": most,
    }


def _seat(form: NewMatchForm, number: int, wrong: dict[str, str]) -> dict[str, Any]:
    """A row of the players, with what its buttons are called."""
    typed, field = form.names[number - 1], f"player-{number}"
    name, label = typed.strip(), _("Player {number}").format(number=number)
    mover = name or _("player {number}").format(number=number)
    return {
        "number": number,
        "field": field,
        "label": label,
        "typed": typed,
        "called": name or _("Seat {number}").format(number=number),
        "up": _("Move {name} up").format(name=mover),
        "up_id": f"up-{number}",
        "down": _("Move {name} down").format(name=mover),
        "down_id": f"down-{number}",
        "is_first": form.first == str(number),
        "is_last": number == len(form.names),
        "wrong": wrong.get(field, ""),
    }


def _known(form: NewMatchForm, table: Table | None) -> list[tuple[str, bool]]:
    """Names known to the table, and whether they have a seat already."""
    seated = {name_key(name) for name in form.names}
    return [(name, name_key(name) in seated) for name in table.names_lately()] if table else []


def _before(table: Table | None, again: str) -> Match | None:
    """The match that is played again: the one that was asked for, else the table's last."""
    if table is None:
        return None
    matches = table.matches.order_by("-number")
    asked = matches.filter(number=again).first() if re.fullmatch(r"[0-9]{1,6}", again, re.ASCII) else None
    return asked or matches.first()


def _usual_name(zone: str) -> str:
    """What a table is called that nobody gave a name."""
    weekday = date_format(timezone.localtime(timezone=ZoneInfo(zone)) - NIGHT, "l")
    return _("{weekday} table").format(weekday=weekday)
