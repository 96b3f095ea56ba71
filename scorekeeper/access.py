"""Who may see and who may write: every view's first line asks here.

Anyone with a table's link may read. Writing needs the scorer's cookie, which the browser gets by making
the table. A second cookie remembers which tables this browser has seen; it opens nothing.
"""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from .models import Match, Table

A_YEAR = 365 * 24 * 60 * 60
TABLES_REMEMBERED = 30


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


def may_score(request: HttpRequest, table: Table) -> bool:
    """This browser holds the table's scorer cookie, and the secret in it is still good."""
    secret = request.get_signed_cookie("scorer", default=None, salt=_salt(table))
    return secret is not None and table.may_score(secret)


def must_score(request: HttpRequest, table: Table) -> None:
    """Refuse a browser that may only read."""
    if not may_score(request, table):
        raise PermissionDenied(_("This browser may watch this table, but not score."))


def let_score(response: HttpResponse, table: Table, secret: str) -> None:
    """Give this browser the table's scorer cookie."""
    response.set_signed_cookie(
        "scorer",
        secret,
        salt=_salt(table),
        max_age=A_YEAR,
        path=f"/t/{table.code}/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def tables_seen(request: HttpRequest) -> list[Table]:
    """The tables this browser knows, the last one first."""
    codes = _codes_seen(request)
    tables = {table.code: table for table in Table.objects.filter(code__in=codes)}
    return [tables[code] for code in codes if code in tables]


def remember(request: HttpRequest, response: HttpResponse, table: Table) -> None:
    """Put this table first among those that this browser knows."""
    codes = _codes_seen(request)
    if codes[:1] == [table.code]:
        return
    codes = [table.code, *(code for code in codes if code != table.code)][:TABLES_REMEMBERED]
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


def _salt(table: Table) -> str:
    return f"scorer {table.code}"
