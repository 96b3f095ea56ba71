"""The table's own rules: made from any others, changed, taken from a file, shown, and given as a file."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import referee
from referee.rules import RuleSet, to_object

from ..access import match_or_404, may_score, must_score, table_or_404
from ..forms.own_rules import ImportForm, RulesForm, names_taken
from ..forms.rule_fields import LARGEST_FILE, is_key
from ..models import Table, TableRules
from .posted import asks_in_place
from .rules import rules_context


@require_safe
@never_cache
def own_rules(request: HttpRequest, code: str) -> HttpResponse:
    """The rules that this table made; who may score starts new ones here, from any game, or from a file."""
    return _list(request, table_or_404(code), ImportForm())


@require_POST
@never_cache
def take_rules(request: HttpRequest, code: str) -> HttpResponseBase:
    """Rules from a file or a text become rules of this table, or are refused whole."""
    table = table_or_404(code)
    must_score(request, table)
    form = ImportForm(request.POST.get("text", ""), request.POST.get("key", ""))
    sent = request.FILES.get("file")
    own = [rules.game for rules in table.own_rules()]
    form.judge(sent.read(LARGEST_FILE + 1) if sent else None, own)
    if form.ruleset is None:
        return _list(request, table, form, status=422)
    if form.same_as:
        return redirect("show_rules", code=code, rules=form.same_as)
    kept = table.keep_rules(form.ruleset, key=f"{form.key}{form.said}")
    return redirect("show_rules", code=code, rules=kept.code)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def new_rules(request: HttpRequest, code: str) -> HttpResponseBase:
    """Rules of this table's own, from a game of the rulebook or from others of its own."""
    table = table_or_404(code)
    must_score(request, table)
    own = {rules.code: rules.game for rules in table.own_rules()}
    asked = request.GET.get("from", "")
    start = referee.load(asked) if asked in referee.names() else own.get(asked)
    if start is None:
        raise Http404(_("There are no rules of this name to start from."))
    return _edit(request, table, start, own)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def change_rules(request: HttpRequest, code: str, rules: str) -> HttpResponseBase:
    """The next version of rules that this table made; matches that have begun keep theirs."""
    table = table_or_404(code)
    must_score(request, table)
    own = {found.code: found.game for found in table.own_rules()}
    if rules not in own:
        raise Http404(_("This table has no rules of this name."))
    return _edit(request, table, own[rules], own, change=rules)


@require_safe
@never_cache
def show_rules(request: HttpRequest, code: str, rules: str) -> HttpResponse:
    """Rules of this table, to read and to print."""
    table = table_or_404(code)
    found = _rules_or_404(table, rules)
    context = {"table": table, "own": found, "scores": may_score(request, table)}
    return render(request, "ruleset.html", rules_context(found.game) | context)


@require_safe
@never_cache
def rules_file(request: HttpRequest, code: str, rules: str) -> HttpResponse:
    """Rules of this table as a file that another table can take."""
    found = _rules_or_404(table_or_404(code), rules)
    text = json.dumps(to_object(found.game), ensure_ascii=False, indent=1) + "\n"
    name = f'attachment; filename="{found.code}.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": name})


@require_safe
@never_cache
def match_rules(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The rules of a match as they were on that evening, whatever became of them later."""
    found = match_or_404(code, number)
    game = found.state().match.ruleset
    return render(request, "ruleset.html", rules_context(game) | {"table": found.table, "match": found})


def _rules_or_404(table: Table, code: str) -> TableRules:
    found = table.rules.filter(code=code).order_by("-version").first()
    if found is None:
        raise Http404(_("This table has no rules of this name."))
    return found


def _list(request: HttpRequest, table: Table, form: ImportForm, status: int = 200) -> HttpResponse:
    context = {
        "table": table,
        "own": table.own_rules(),
        "games": [referee.load(code) for code in referee.names()],
        "form": form,
        "scores": may_score(request, table),
    }
    return render(request, "own_rules.html", context, status=status)


def _edit(
    request: HttpRequest, table: Table, start: RuleSet, own: dict[str, RuleSet], change: str | None = None
) -> HttpResponseBase:
    """The form; worked out where that is asked, saved where nothing is wrong."""
    form = _form(request, table, start, own, change)
    if asks_in_place(request):
        return JsonResponse(_live(form))
    if request.method == "POST" and form.ruleset and "work" not in request.POST:
        made = change or _made_by(table, form.key)
        kept = table.keep_rules(form.ruleset, key=f"{form.key}{form.said}", code=made)
        return redirect("show_rules", code=table.code, rules=kept.code)
    context = {"table": table, "form": form, "start": start, "change": change}
    return render(request, "edit_rules.html", context, status=422 if form.problems else 200)


def _form(request: HttpRequest, table: Table, start: RuleSet, own: dict[str, RuleSet], change: str | None) -> RulesForm:
    """The form as it was sent, or one that says what these rules say; its own earlier name is free to it."""
    if request.method != "POST":
        form = RulesForm(start, is_change=change is not None)
        form.show()
        return form
    mine = {change, _made_by(table, request.POST.get("key", ""))}
    taken = names_taken(rules for code, rules in own.items() if code not in mine)
    how = {"is_change": change is not None, "is_saving": "work" not in request.POST}
    return RulesForm.posted(request.POST, start, taken=taken, **how)


def _made_by(table: Table, key: str) -> str | None:
    """The rules that this very form made before; sent again and changed, it makes their next version."""
    earlier = table.rules.filter(key__startswith=key).first() if is_key(key) else None
    return earlier.code if earlier else None


def _live(form: RulesForm) -> dict[str, str | bool]:
    """What the page's script puts in place while somebody types, by the id of its place."""
    totals: dict[str, str | bool] = {f"total-{part.contract.code}": part.total for part in form.contracts}
    return totals | {"sums": form.sums, "adds_up": form.adds_up}
