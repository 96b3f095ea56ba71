"""The rules in plain words, made from the rulebook."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

import referee
from referee import Contract, RuleSet
from referee.explain import cost, customs, entry, play_customs
from referee.scoring import passed_out

from ..entry import price_words
from ..forms.rulings import asks, of_example

for_everybody = cache_control(public=True, max_age=10 * 60)


@require_safe
@for_everybody
def rules(request: HttpRequest) -> HttpResponse:
    """Every game that can be scored."""
    return render(request, "rules.html", {"games": [referee.load(code) for code in referee.names()]})


@require_safe
@for_everybody
def ruleset(request: HttpRequest, code: str) -> HttpResponse:
    """One game: what each contract costs, when a hand may stop, whose turn it is, doubling, examples."""
    if code not in referee.names():
        raise Http404(_("There is no game of this name in the rulebook."))
    return render(request, "ruleset.html", rules_context(referee.load(code)))


def rules_context(game: RuleSet) -> dict[str, Any]:
    """A rule set to read: what is entered, costs, customs, and what it comes to when nobody doubles."""
    contracts = [_contract(game, contract) for contract in game.contracts]
    return {
        "game": game,
        "contracts": contracts,
        "passed_out": [row for row in contracts if row["passed"]],
        "customs": [*customs(game), *play_customs(game)],
        "examples": game.examples,
        "hands": game.hands_in_all(max(game.players)),
    }


def _contract(game: RuleSet, contract: Contract) -> dict[str, Any]:
    players = max(game.players)
    passes_out = contract.is_negative and game.doubling.passes_out
    return {
        "contract": contract,
        "price": price_words(contract, players),
        "costs": cost(contract, players),
        "entry": entry(contract, players),
        "can_be_asked": bool(asks(game, contract)),
        "rulings": [
            (example.says, of_example(game, example))
            for example in game.rulings
            if game.contract(example.contract) == contract
        ],
        "passed": passed_out(contract, 0, players)[:2] if passes_out else None,
    }
