"""What the house tells its operator: a line for each request, every fault with its request's id, and no secret.

A table's link is a secret, and names and notes are nobody's business. So a line names the page (``match``) and
never its address, and of an exception it tells where and of which kind, but of its words only those that
cannot hold what people typed.
"""

from __future__ import annotations

import logging
import re
import secrets
import traceback
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from time import perf_counter

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

HEADER = "X-Request-ID"
SANE_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

ADDRESS = re.compile(r"""(?<![\w.])(?:https?:/)?/[^\s'"]*""")
"""An address or a path in a line: any of them may be a table's link."""

TELLING = (OSError, OperationalError, InterfaceError, AttributeError, NameError, ImportError)
"""Exceptions whose words are about the machine or the code, never about what somebody typed."""

_access = logging.getLogger("scorekeeper.access")
_request_id: ContextVar[str] = ContextVar("request_id", default="-")


def request_id() -> str:
    """The id of the request that is being answered, "-" where there is none."""
    return _request_id.get()


def follow(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id, the proxy's where it brings one, and tell in a line how it was answered.

    Each request sets its own id; the last one of a thread stays until the next, for what the server itself has
    to say of it after the pages are done.
    """

    def followed(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        _request_id.set(given if SANE_ID.fullmatch(given) else secrets.token_hex(8))
        began = perf_counter()
        response = get_response(request)
        response[HEADER] = request_id()
        if _access.isEnabledFor(logging.INFO):
            size = "-" if response.streaming else len(response.content)
            took = 1000 * (perf_counter() - began)
            _access.info("%s %s %d %.0f ms %s bytes", request.method, page(request), response.status_code, took, size)
        return response

    return followed


def page(request: HttpRequest) -> str:
    """The name of the page that was asked for, "static" for a file of ours, "-" where there is none."""
    if request.path.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
        return "static"
    try:  # What was answered from memory has never come as far as the addresses.
        return (request.resolver_match or resolve(request.path_info)).view_name
    except Resolver404:
        return "-"


class Line(logging.Formatter):
    """A line of the log: when, how bad, who says it, of which request, and what; addresses are cut."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and below it where an exception came from."""
        says = " ".join(ADDRESS.sub("/…", record.getMessage()).split())
        line = f"{self.formatTime(record)} {record.levelname} {record.name} [{request_id()}] {says}"
        if record.exc_info and record.exc_info[1]:
            line += "\n" + "".join(_told(record.exc_info[1])).rstrip()
        return line


def _told(exception: BaseException) -> Iterator[str]:
    """Where an exception came from and what it came of, the first one first."""
    before = exception.__cause__ or (None if exception.__suppress_context__ else exception.__context__)
    if before is not None:
        yield from _told(before)
        yield "and then\n"
    yield from traceback.format_tb(exception.__traceback__)
    kind = type(exception)
    words = " ".join(str(exception).splitlines()[:1]) if isinstance(exception, TELLING) else ""
    yield f"{kind.__module__}.{kind.__qualname__}" + (f": {words}" if words else "") + "\n"
