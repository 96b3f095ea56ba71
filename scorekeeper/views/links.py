"""Phones and links: who watches and who scores, the links as text and as codes for a camera, and who is locked out."""

from __future__ import annotations

from ipaddress import ip_address

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ..access import device_of, move_cookies, moved, must_score, remember, table_or_404
from ..forms.new import judge_name
from ..models import Device, SpokenCode, Table, renew_links
from ..templatetags.cards import says
from .score import Onward

DONE = {
    "scorer": gettext_noop("There is a new scorer link. This is the only phone that scores now."),
    "stale": gettext_noop("Nothing was changed: there were new links already since that page was opened."),
    "both": gettext_noop("There are new links. This is the only phone that scores now; show the others the new ones."),
}
"""What is said once new links were asked for."""


@require_safe
@never_cache
def links(request: HttpRequest, code: str) -> HttpResponse:
    """The watch link for everybody; for who scores the scorer link too, the phones that score, and new links."""
    if table := moved(request, code):
        return _follow(request, table, code)
    table = table_or_404(code)
    response = _page(request, table)
    remember(request, response, table)
    return response


@require_POST
@never_cache
def new_links(request: HttpRequest, code: str) -> HttpResponse:
    """Another scorer link, or both links anew; the same form sent twice changes them once."""
    if table := moved(request, code):
        return _follow(request, table, code)
    table = table_or_404(code)
    device = must_score(request, table)
    which = request.POST.get("which", "")
    if which not in ("scorer", "both") or request.POST.get("now") != table.links_mark:
        return _follow(request, table, code, "stale")
    renew_links(table, device, watch=which == "both")
    return _follow(request, table, code, which)


@require_POST
@never_cache
def spoken_code(request: HttpRequest, code: str) -> HttpResponse:
    """Six digits to be said aloud, for one more phone."""
    table = table_or_404(code)
    must_score(request, table)
    SpokenCode.make(table)
    return redirect(reverse("links", args=[code]) + "#spoken")


@require_POST
@never_cache
def name_device(request: HttpRequest, code: str) -> HttpResponse:
    """What this phone is called from now on; what it saved before keeps the name that it had then."""
    table = table_or_404(code)
    device = must_score(request, table)
    name = request.POST.get("name", "").strip()
    if wrong := judge_name(name, "name"):
        return _page(request, table, typed=name, wrong=says(wrong), status=422)
    Device.objects.filter(pk=device.pk).update(name=name)
    return redirect(reverse("links", args=[code]) + "#phones")


@require_POST
@never_cache
def remove_device(request: HttpRequest, code: str) -> HttpResponse:
    """Lock another phone out; this one goes on."""
    table = table_or_404(code)
    own = must_score(request, table)
    others = {device.code: device for device in Device.objects.filter(table=table).exclude(pk=own.pk)}
    other = others.get(request.POST.get("device", ""))
    if other is None:
        raise Http404(_("There is no such phone at this table."))
    other.remove()
    return redirect(reverse("links", args=[code]) + "#phones")


def _follow(request: HttpRequest, table: Table, former: str, which: str = "both") -> HttpResponse:
    """To the page of the links, at the table's new address if it has one."""
    response = redirect(reverse("links", args=[table.code]) + f"?new={which}")
    if table.code != former:
        move_cookies(request, response, table, former)
    return response


def _page(
    request: HttpRequest, table: Table, *, typed: str | None = None, wrong: str = "", status: int = 200
) -> HttpResponse:
    own = device_of(request, table)
    watch = request.build_absolute_uri(reverse("table", args=[table.code]))
    context = {
        "table": table,
        "may_score": own is not None,
        "onward": Onward.at(table),
        "only_here": is_only_here(request),
        "watch": watch,
        "watch_qr": qr_code(watch),
    }
    if own is not None:
        secret = table.secret()
        score = request.build_absolute_uri(reverse("score", args=[table.code])) + f"#{secret}"
        spoken = SpokenCode.now(table)
        context |= {
            "score": score if secret else "",
            "score_qr": qr_code(score) if secret else "",
            "spoken": spoken,
            "spoken_digits": f"{spoken.digits[:3]} {spoken.digits[3:]}" if spoken else "",
            "spoken_until": table.by_the_clock(spoken.until) if spoken else None,
            "spoken_seconds": spoken.seconds if spoken else 0,
            "phones": [
                {"device": device, "is_own": device == own, "last": last and table.by_the_clock(last)}
                for device, last in Device.scoring(table)
            ],
            "own_name": own.name if typed is None else typed,
            "wrong": wrong,
            "done": _(DONE[which]) if (which := request.GET.get("new")) in DONE else "",
        }
    return render(request, "links.html", context, status=status)


def qr_code(url: str) -> SafeString:
    """A link for a camera: black on white whatever the page's own colours, with the margin that cameras need."""
    code = segno.make(url, error="m", micro=False)
    return mark_safe(code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None))


def is_only_here(request: HttpRequest) -> bool:
    """This page was opened under a name that other phones cannot reach, on the machine that serves it."""
    host = split_domain_port(request.get_host())[0]
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
