"""How often one may: new tables, wrong codes, writes. Over the limit a page says when to try again.

The counts stand in the database, where every server process sees them. An address is kept for a day at most, and
only as a digest under the server's secret key; of an IPv6 address the network, since a phone has many of them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from referee import Problem
from referee.problems import gettext_noop, problem

from .models import Device, Hand, Table, Try

A_MINUTE, AN_HOUR, A_DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

HANDS_A_MINUTE = 240
"""Steps of hands that the phones of one table store; a quick table stores ten."""
OTHER_POSTS_A_MINUTE = 120
"""Everything else that is sent to one table: names, rules, links, corrections looked at."""
MATCHES_A_DAY = 200
DEVICES_A_DAY = 50
WRONG_CODES_AN_HOUR = 100
"""By one address, at whatever tables."""
WRONG_CODES_AT_A_TABLE = 100
"""In an hour, by whatever addresses."""

HAND_PAGES = frozenset({"hand", "correct", "undo", "redo"})
"""Whose posts are counted by the hands that they store, which costs a save no write of its own."""


class TooMany(Exception):
    """Somebody did too much in too short a time; ``again`` is how long to wait."""

    def __init__(self, again: timedelta) -> None:
        super().__init__()
        self.again = again

    @property
    def minutes(self) -> int:
        """How many minutes to wait, rounded up."""
        return max(1, -(-int(self.again.total_seconds()) // 60))

    def problem(self, where: str) -> Problem:
        """The same as the referee says such things, for a form that is shown again."""
        message = gettext_noop("That was too often in a short time. Try again in {minutes} min; nothing is lost.")
        return problem("too-many", where, message, minutes=self.minutes)


class Refusals:
    """Answers who did too much with a page that says when to try again, and with the header that machines read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Hand the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Status 429; every other fault is not ours."""
        if not isinstance(exception, TooMany):
            return None
        response = render(request, "429.html", {"minutes": exception.minutes}, status=429)
        response["Retry-After"] = str(int(exception.again.total_seconds()))
        return response


def address_of(request: HttpRequest) -> str:
    """Where a request comes from: behind a proxy what the nearest proxy saw, else the other end of the line.

    Whatever stands further left in ``X-Forwarded-For`` was written by the browser, and proves nothing.
    """
    seen: str = request.META.get("REMOTE_ADDR", "")
    if settings.HTTPS:
        seen = request.headers.get("X-Forwarded-For", seen).rpartition(",")[2].strip()
    try:
        address = ip_address(seen)
    except ValueError:
        return seen
    if isinstance(address, IPv6Address):  # Where one door is open for both kinds, IPv4 comes as a part of IPv6.
        address = address.ipv4_mapped or address
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


def count_post(request: HttpRequest, table: Table) -> None:
    """A post of a scorer: refused where the table stored or was sent too much in the last minute."""
    page = request.resolver_match.url_name if request.resolver_match else None
    if page not in HAND_PAGES:
        _count("post", f"table {table.pk}", OTHER_POSTS_A_MINUTE, A_MINUTE)
    else:
        now = timezone.now()
        stored = Hand.objects.filter(by__in=Device.objects.filter(table=table), at__range=(now - A_MINUTE, now))
        if stored.count() >= HANDS_A_MINUTE:
            raise TooMany(A_MINUTE)


def count_new_table(request: HttpRequest) -> None:
    """One more table from this address."""
    _count("table", address_of(request), settings.NEW_TABLES_AN_HOUR, AN_HOUR)


def count_new_match(table: Table) -> None:
    """One more match at this table."""
    _count("match", f"table {table.pk}", MATCHES_A_DAY, A_DAY)


def count_device(table: Table) -> None:
    """One more phone that is let in."""
    _count("device", f"table {table.pk}", DEVICES_A_DAY, A_DAY)


def may_try_a_code(request: HttpRequest, table: Table) -> None:
    """Refuse to look at a code where too many were wrong before: from this address, or at this table."""
    for who, most in ((address_of(request), WRONG_CODES_AN_HOUR), (f"table {table.pk}", WRONG_CODES_AT_A_TABLE)):
        since, again = _span(AN_HOUR)
        if Try.so_far("code", _digest("code", who), since) >= most:
            raise TooMany(again)


def count_wrong_code(request: HttpRequest, table: Table) -> None:
    """One more code that was wrong."""
    since, _again = _span(AN_HOUR)
    for who in (address_of(request), f"table {table.pk}"):
        Try.counted("code", _digest("code", who), since)


def _count(what: str, who: str, most: int, span: timedelta) -> None:
    since, again = _span(span)
    if Try.counted(what, _digest(what, who), since) > most:
        raise TooMany(again)


def _span(length: timedelta) -> tuple[datetime, timedelta]:
    """When the present span of this length began, and how long it still lasts."""
    now, seconds = int(timezone.now().timestamp()), int(length.total_seconds())
    passed = now % seconds
    return datetime.fromtimestamp(now - passed, UTC), timedelta(seconds=seconds - passed)


def _digest(what: str, who: str) -> str:
    return salted_hmac("scorekeeper.limits", f"{what} {who}", algorithm="sha256").hexdigest()
