"""Who may see and who may write: every view's first line asks here.

Anyone with a table's link may read. Writing needs the scorer's cookie, which a phone gets by making the table, by
the scorer link or by a spoken code. It holds the phone's own token, is sent to this table's pages only, and is
worth nothing once the phone is removed or the scorer link is renewed. A second cookie remembers which tables this
browser has seen; it opens nothing.
"""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from .limits import count_post
from .models import Device, Match, Table

A_YEAR = 365 * 24 * 60 * 60
TABLES_REMEMBERED = 30
KINDS = {
    "iPhone": gettext_noop("iPhone"),
    "iPad": gettext_noop("iPad"),
    "Android": gettext_noop("Android phone"),
    "Windows": gettext_noop("Windows computer"),
    "Macintosh": gettext_noop("Mac"),
    "Linux": gettext_noop("Linux computer"),
}
"""How a browser tells what it runs on, the most telling sign first."""


def table_or_404(code: str) -> Table:
    """The table of this link."""
    table = Table.objects.filter(code=code).first()
    if table is None:
        raise Http404(_("There is no table under this link."))
    return table


def match_or_404(code: str, number: int) -> Match:
    """The match of this link, with its table."""
    match = Match.objects.select_related("table").filter(table__code=code, number=number).first()
    if match is None:
        raise Http404(_("There is no match under this link."))
    return match


def device_of(request: HttpRequest, table: Table) -> Device | None:
    """The phone that asks, if it may score this table. One query at most, and none without the cookie."""
    known: dict[int, Device | None] = request.__dict__.setdefault("devices", {})
    if table.pk not in known:
        device = _device_with_cookie(request, table, table.code)
        known[table.pk] = device if device and device.may_score(table) else None
    return known[table.pk]


def may_score(request: HttpRequest, table: Table) -> bool:
    """This browser holds a scorer's cookie of the table, and it is still good."""
    return device_of(request, table) is not None


def must_score(request: HttpRequest, table: Table) -> Device:
    """Refuse a browser that may only read, and one that sends too much in too short a time."""
    device = device_of(request, table)
    if device is None:
        if "scorer" in request.COOKIES:
            raise PermissionDenied(_("This browser may watch this table, but not score it any more."))
        raise PermissionDenied(_("This browser may watch this table, but not score."))
    if request.method == "POST":
        count_post(request, table)
    return device


def let_through(request: HttpRequest) -> Device | None:
    """The phone that was found to be allowed to score, by whoever asked before in this request."""
    known: dict[int, Device | None] = request.__dict__.get("devices", {})
    return next((device for device in known.values() if device is not None), None)


def let_score(response: HttpResponse, table: Table, secret: str, name: str = "") -> None:
    """Let the browser that made the table score it; the same answer sent twice lets in one phone."""
    token = Device.token_for(table, secret)
    Device.let_in(table, token, name)
    give_cookie(response, table, token)


def give_cookie(response: HttpResponse, table: Table, token: str) -> None:
    """Give this browser a phone's token, to be sent to this table's pages only."""
    response.set_signed_cookie(
        "scorer",
        token,
        salt=_salt(table.code),
        max_age=A_YEAR,
        path=f"/t/{table.code}/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def move_cookies(request: HttpRequest, response: HttpResponse, table: Table, former: str) -> None:
    """Take the phone that scores along to the table's new address."""
    token = request.get_signed_cookie("scorer", default=None, salt=_salt(former))
    if token is not None:
        give_cookie(response, table, token)
    remember(request, response, table, instead_of=former)


def moved(request: HttpRequest, code: str) -> Table | None:
    """The table that had this address until its links were renewed, for the phone that renewed them and nobody else.

    Its answer may have been lost on the way; without this the new address would be lost with it.
    """
    table = Table.objects.filter(former=code).first() if "scorer" in request.COOKIES else None
    device = _device_with_cookie(request, table, code) if table else None
    return table if table and device and device.may_score(table) else None


def kind_of_phone(request: HttpRequest) -> str:
    """What sort of phone or computer asks, in words: its name until somebody gives it a better one."""
    browser = request.headers.get("User-Agent", "")
    return next((_(kind) for sign, kind in KINDS.items() if sign in browser), "")


def _device_with_cookie(request: HttpRequest, table: Table, code: str) -> Device | None:
    """The phone whose token this browser's cookie holds.

    The cookie of a browser that made its table before phones were known by themselves holds the table's secret;
    such a browser becomes a phone whose token is that secret.
    """
    token = request.get_signed_cookie("scorer", default=None, salt=_salt(code))
    if token is None:
        return None
    device = Device.of(table, token)
    if device is None and table.may_score(token):
        return Device.let_in(table, token, kind_of_phone(request))
    return device


def tables_seen(request: HttpRequest) -> list[Table]:
    """The tables this browser knows, the last one first."""
    codes = _codes_seen(request)
    tables = {table.code: table for table in Table.objects.filter(code__in=codes)}
    return [tables[code] for code in codes if code in tables]


def remember(request: HttpRequest, response: HttpResponse, table: Table, instead_of: str = "") -> None:
    """Put this table first among those that this browser knows, in place of an address that it had before."""
    codes = _codes_seen(request)
    if codes[:1] == [table.code]:
        return
    codes = [table.code, *(code for code in codes if code not in (table.code, instead_of))][:TABLES_REMEMBERED]
    response.set_signed_cookie(
        "tables",
        " ".join(codes),
        salt="tables",
        max_age=A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _codes_seen(request: HttpRequest) -> list[str]:
    return (request.get_signed_cookie("tables", default="", salt="tables") or "").split()


def _salt(code: str) -> str:
    return f"scorer {code}"
