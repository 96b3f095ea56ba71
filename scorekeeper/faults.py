"""When the server itself fails: what the people at the table are told, and what the operator is.

A database that cannot be written or read for a while is no fault of the code. Whoever waits is told so in words,
with status 503: the phone keeps the hand and sends it again by itself.
"""

from __future__ import annotations

import errno
import sys

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, NotSupportedError, ProgrammingError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

from .logs import request_id

TRY_AGAIN = 10
"""Seconds after which it makes sense to ask again."""

OWN_FAULTS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""What a database says of our questions, not of itself."""

FULL = {"53100", errno.ENOSPC, errno.EDQUOT}
LOCKED = {"40P01", "55P03", "57014"}
READ_ONLY = {"25006", errno.EROFS}
"""The codes that PostgreSQL and the machine have for these; SQLite has words."""


def broken(request: HttpRequest) -> HttpResponse:
    """The page for an exception that nobody has caught, with the id under which the operator finds it in the log.

    Django asks for it while the exception is being handled, whether it came from a view or from before one.
    """
    exception = sys.exc_info()[1]
    if exception is None or not is_the_machines(exception):
        return render(request, "500.html", {"request_id": request_id()}, status=500)
    context = {"why": why(exception), "writes": request.method == "POST", "request_id": request_id()}
    response = render(request, "503.html", context, status=503)
    response["Retry-After"] = str(TRY_AGAIN)
    add_never_cache_headers(response)
    return response


def is_the_machines(exception: BaseException) -> bool:
    """The database or the disk failed, and may be well again in a minute; the code has done nothing wrong."""
    if isinstance(exception, OSError):
        return exception.errno in FULL | READ_ONLY
    return isinstance(exception, DatabaseError | InterfaceError) and not isinstance(exception, OWN_FAULTS)


def why(exception: BaseException) -> str:
    """What is the matter with the database or the disk, for people who wait for it."""
    code = getattr(exception, "errno", None) or getattr(exception.__cause__, "sqlstate", None)
    told = str(exception)
    if code in FULL or "is full" in told:
        return _("The server's disk is full.")
    if code in LOCKED or "locked" in told:
        return _("The server's database is busy with something else.")
    if code in READ_ONLY or "readonly" in told:
        return _("The server's database may only be read just now.")
    return _("The server's database does not answer.")
