"""What the hand being played still holds for everybody, and who has business with whom."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from referee import Contract, Finish, Hand, Turn
from referee.rules import Points
from referee.stakes import Stake
from referee.stakes import stakes as stakes_of

from ..access import match_or_404
from ..entry import price_words
from ..forms.stakes import SoFar
from ..words import doubles_words


@require_safe
@never_cache
def stakes(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """The stakes of the hand being played; what the address or its tricks have counted is taken off."""
    found = match_or_404(code, number)
    state = found.state()
    turn, hand = state.match.turn, state.match.unfinished_hand
    contract = turn.ruleset.contract(hand.contract) if hand and turn.ruleset.has_declarer else None
    context: dict[str, Any] = {"match": found, "table": found.table, "turn": turn, "is_over": state.match.is_over}
    if hand is None or contract is None:
        return render(request, "stakes.html", context)
    so_far = SoFar.of(turn, contract, hand, request.GET)
    address = reverse("stakes", args=[code, number])
    if not so_far.problems and {"more", "less"} & request.GET.keys():  # A reload must not count once more.
        return HttpResponse(status=303, headers={"Location": f"{address}?{urlencode(so_far.query)}"})
    context |= _context(turn, contract, hand, so_far) | {"action": address}
    return render(request, "stakes.html", context, status=422 if so_far.problems else 200)


def _context(turn: Turn, contract: Contract, hand: Hand, so_far: SoFar) -> dict[str, Any]:
    found = stakes_of(turn, contract, hand.doubles or (), so_far.result)
    names = turn.players
    business = [
        (name, [(other, found.business[seat][other], seat == other) for other in turn.seats])
        for seat, name in enumerate(names)
    ]
    return {
        "contract": contract,
        "hand": hand,
        "so_far": so_far,
        "price": price_words(contract, len(names)),
        "doubles": doubles_words(turn, hand),
        "asked": hand.doubles is not None or turn.ruleset.doubling.who == "none",
        "doubling": turn.ruleset.doubling.who != "none",
        "business": business,
        "open": [(stake, _rows(turn, stake)) for stake in found.open],
        "equal": found.equal,
        "counters": [
            (
                item,
                so_far.left(item),
                [(seat, name, so_far.counts.get(item.code, {}).get(seat, 0)) for seat, name in enumerate(names)],
            )
            for item in so_far.items
        ],
        "is_finish": isinstance(contract, Finish),
        "out": [(seat, names[seat]) for seat in so_far.out],
        "still_in": [(seat, name) for seat, name in enumerate(names) if seat not in so_far.out],
        "nothing_counted": not any(so_far.counts.values()) and not so_far.out,
    }


def _rows(turn: Turn, stake: Stake) -> list[tuple[str, list[tuple[Points, bool]]]]:
    """A line for each player who can get it: what it is then worth to everybody."""
    return [
        (turn.players[taker], [(points, seat == taker) for seat, points in enumerate(worth)])
        for taker, worth in enumerate(stake.worth)
        if worth is not None
    ]
