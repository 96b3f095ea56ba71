"""A player's figures, and the hands behind each of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import remember, table_or_404
from ..behind import HandLine, MatchLine, heading, together
from ..figures import Counted, book
from ..forms.figures import Addresses, Asked, Unknown, chosen_game
from ..models import Match, Player, Table
from ..profile import Profile, tabs

LINES_A_PAGE = 30


@require_safe
@never_cache
def player(request: HttpRequest, code: str, player: str) -> HttpResponse:
    """What a player's matches say, game by game."""
    table = table_or_404(code)
    people, found = _people(table, player)
    figures = book(table)
    context: dict[str, object] = {"table": table, "player": found}
    if games := figures.games(found.pk):
        try:
            game = chosen_game(request.GET.get("game", ""), games)
        except Unknown:
            raise Http404(_("{player} has not played this game here.").format(player=found.name)) from None
        context |= Profile(table, found, people, figures, game).context()
        context["tabs"] = tabs(table, found, figures, game)
    response = render(request, "player.html", context)
    remember(request, response, table)
    return response


@require_safe
@never_cache
def player_hands(request: HttpRequest, code: str, player: str) -> HttpResponse:
    """The hands, or the matches, behind one figure of a player, the last one first."""
    table = table_or_404(code)
    people, found = _people(table, player)
    figures = book(table)
    try:
        asked = Asked.read(request.GET.dict(), figures.games(found.pk), people.values())
    except Unknown:
        raise Http404(_("There is no such figure.")) from None
    context: dict[str, object] = {
        "table": table,
        "player": found,
        "game": asked.game,
        "heading": heading(asked, people, found),
        "back": Addresses(table, found, asked.game).page(),
        "rest": _without_page(request),
    }
    if asked.ending is not None:
        matches = Paginator(figures.ended(asked.game, found.pk, asked.ending, asked.other), LINES_A_PAGE)
        page = matches.get_page(request.GET.get("page"))
        days = _days(table, page.object_list)
        lines = [MatchLine.of(table, people, match, found, days[match.pk]) for match in page.object_list]
        return render(request, "hands_behind.html", context | {"page": page, "matches": lines})
    behind = figures.behind(asked.game, found.pk, asked.question)
    hands = Paginator(behind, LINES_A_PAGE).get_page(request.GET.get("page"))
    days = _days(table, (hand.match for hand in hands.object_list))
    shown = [HandLine.of(table, people, hand, days[hand.match.pk]) for hand in hands.object_list]
    context |= {"page": hands, "hands": shown, "together": together(behind), "of_doubles": asked.question.is_of_doubles}
    return render(request, "hands_behind.html", context)


def _people(table: Table, code: str) -> tuple[dict[int, Player], Player]:
    """All players of a table by their keys, and the one of this code."""
    people = {person.pk: person for person in table.players.all()}
    found = next((person for person in people.values() if person.code == code), None)
    if found is None:
        raise Http404(_("There is no such player at this table."))
    return people, found


def _days(table: Table, matches: Iterable[Counted]) -> dict[int, date]:
    """The evenings on which matches began, by their keys, in one query."""
    began = Match.objects.filter(pk__in={match.pk for match in matches}).values_list("pk", "began")
    return {pk: table.evening(at) for pk, at in began}


def _without_page(request: HttpRequest) -> str:
    """What the address asks for, whichever page of it."""
    asked = request.GET.copy()
    asked.pop("page", None)
    return asked.urlencode()
