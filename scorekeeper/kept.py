"""Pages that many look at and few change: a match is answered from memory for as long as nothing was stored.

A page is kept under the marks of its table and its match, which are read before anything else and which every
write renews; so nothing stale is ever served, whichever process wrote. What must be fresh on each page, such as
the keys of its forms, is left blank in what is kept. A browser that says which marks it has seen is told in a
few bytes that nothing is new.
"""

from __future__ import annotations

import re
import secrets
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, zip_longest
from threading import Lock

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.utils import timezone
from django.utils.translation import get_language_from_request

from .access import match_or_404, may_score, remember
from .models import LATELY, Match, Table, new_code

PAGES_KEPT = 200
SEEN = "Seen"
"""The header in which a browser says what it has seen, as the page gave it: the marks of table and match."""

KEEPING = "scorekeeper.keeping"
"""Where a request carries :class:`Keeping` to the view that makes its page."""

_PATH = re.compile(r"/t/([-\w]+)/([0-9]{1,9})/(large/)?", re.ASCII)
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
_KNOWN = ["id", "code", "zone", "scorer_hash", "mark"]
_TABLE, _MATCH = Table._meta.db_table, Match._meta.db_table
_MARKS = f"""
    SELECT {", ".join(f"{_TABLE}.{name}" for name in _KNOWN)}, {_MATCH}.id, {_MATCH}.version, {_MATCH}.mark
    FROM {_MATCH} JOIN {_TABLE} ON {_TABLE}.id = {_MATCH}.table_id
    WHERE {_TABLE}.code = %s AND {_MATCH}.number = %s
"""

# What stands in a kept page where each answer has its own; nobody can guess it, and so no name can hold it.
_BLANK = secrets.token_hex(16)
_KEY, _TOKEN, _CLOCK = BLANKS = [f"{_BLANK}{letter}" for letter in "ktc"]
_BLANKS = re.compile(rb"%s([ktc])" % _BLANK.encode())


def marks(table: Table, match_mark: str) -> str:
    """The state that a page shows, for the browser to say it again."""
    return f"{table.mark}.{match_mark}"


def fresh(request: HttpRequest, match: Match, *, scores: bool) -> dict[str, str]:
    """What no two answers share: the forms' key, the table's clock; left blank where the page will be kept."""
    keeping: Keeping | None = request.META.get(KEEPING)
    if keeping is None:
        return {"key": new_code(), "clock": clock(match.table)}
    keeping.is_blank, keeping.scores = True, scores
    return {"key": _KEY, "clock": _CLOCK, "csrf_token": _TOKEN}


def clock(table: Table) -> str:
    """What time it is where the table plays, to the minute."""
    return f"{table.by_the_clock(timezone.now()):%H:%M}"


def match_asked(request: HttpRequest, code: str, number: int) -> Match:
    """The match of this link: as it was known lately, where its marks have just been read, or else read now."""
    keeping: Keeping | None = request.META.get(KEEPING)
    known = LATELY.match(keeping.table, number, keeping.match, keeping.version, keeping.mark) if keeping else None
    return known or match_or_404(code, number)


@dataclass
class Keeping:
    """What is known of a match before its page is made to be kept; and what the view says of that page.

    The view says that it left the blanks, and whom it made the page for.
    """

    table: Table
    match: int
    version: int
    mark: str
    is_blank: bool = False
    scores: bool = False


@dataclass(frozen=True)
class Page:
    """A page as it is kept: its headers, its parts, and the blanks between them.

    Compressed, each part stands by itself in one gzip stream, and what fills a blank stands there as it is. So a
    part is compressed once, and how long a page is tells nothing of the secrets in its blanks.
    """

    headers: Mapping[str, str]
    parts: tuple[bytes, ...]
    blanks: tuple[str, ...]

    @classmethod
    def of(cls, response: HttpResponse) -> Page:
        """The page that a view made with blanks."""
        pieces = _BLANKS.split(response.content)
        headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
        blanks = tuple(_BLANK + letter.decode() for letter in pieces[1::2])
        return cls(headers, tuple(pieces[::2]), blanks)

    def answer(self, request: HttpRequest, table: Table) -> HttpResponse:
        """The page for this browser."""
        csrf = CsrfViewMiddleware(lambda _request: HttpResponse())
        filled = {_KEY: new_code(), _CLOCK: clock(table)}
        if _TOKEN in self.blanks:
            csrf.process_request(request)
            filled[_TOKEN] = get_token(request)
        fillings = [filled[blank].encode() for blank in self.blanks]
        packs = _GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        body = self._packed(fillings) if packs else self._plain(fillings)
        response = HttpResponse(b"" if request.method == "HEAD" else body, headers=self.headers)
        response.headers["Content-Length"] = str(len(body))
        if packs:
            response.headers["Content-Encoding"] = "gzip"
        if _TOKEN in self.blanks:
            csrf.process_response(request, response)
        return response

    def _plain(self, fillings: list[bytes]) -> bytes:
        return b"".join(chain.from_iterable(zip_longest(self.parts, fillings, fillvalue=b"")))

    def _packed(self, fillings: list[bytes]) -> bytes:
        """A gzip stream (RFC 1952): its head, the blocks, an empty last one, the sum and the length of it all."""
        plain = self._plain(fillings)
        blocks = chain.from_iterable(zip_longest(self._blocks, map(_as_it_is, fillings), fillvalue=b""))
        end = struct.pack("<LL", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
        return b"".join([b"\x1f\x8b\x08\0\0\0\0\0\0\xff", *blocks, b"\x03\0", end])

    @cached_property
    def _blocks(self) -> list[bytes]:
        return [_compressed(part) for part in self.parts]


def _compressed(part: bytes) -> bytes:
    """Blocks of a deflate stream (RFC 1951) that ends on a whole byte and can go on."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)


def _as_it_is(filling: bytes) -> bytes:
    """One block of a deflate stream with these few bytes, uncompressed."""
    return b"\0" + struct.pack("<HH", len(filling), len(filling) ^ 0xFFFF) + filling


Place = tuple[str, str, bool]
"""A page's path, its language, and whether it is for a scorer."""


@dataclass(frozen=True)
class Shelf:
    """The pages kept in this process: one for each place, those asked for last; threads may share it."""

    most: int = PAGES_KEPT
    pages: OrderedDict[Place, tuple[str, Page]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(self, place: Place, state: str) -> Page | None:
        """The page of this place, if it shows this state."""
        with self.lock:
            kept, page = self.pages.get(place, ("", None))
            if page is None or kept != state:
                return None
            self.pages.move_to_end(place)
            return page

    def keep(self, place: Place, state: str, page: Page) -> None:
        """Keep a page instead of the older one; the one that nobody has asked for longest makes room."""
        with self.lock:
            self.pages[place] = state, page
            self.pages.move_to_end(place)
            while len(self.pages) > self.most:
                self.pages.popitem(last=False)


SHELF = Shelf()


def answer(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer for a match from memory where that is the truth; everything else goes its usual way."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        path = _PATH.fullmatch(request.path_info)
        if path is None or request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING"):
            return get_response(request)
        code, number, large = path.groups()
        try:
            request.get_host()  # Refuses a name that is not ours, as every page does.
            with connection.cursor() as cursor:
                cursor.execute(_MARKS, [code, int(number)])
                row = cursor.fetchone()
        except (DisallowedHost, DatabaseError):  # Said further in, where every answer gets its headers.
            row = None
        if row is None:
            return get_response(request)
        *known, match, version, mark = row
        table = Table.from_db(connection.alias, _KNOWN, known)
        state = marks(table, mark)
        if request.headers.get(SEEN) == state:
            return HttpResponse(status=204, headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex"})
        scores = not large and may_score(request, table)
        place = request.path_info, get_language_from_request(request), scores
        page = SHELF.get(place, state)
        if page is None:
            if settings.DEBUG or request.method == "HEAD":
                return get_response(request)
            accepted = request.META.pop("HTTP_ACCEPT_ENCODING", "")
            request.META[KEEPING] = keeping = Keeping(table, match, version, mark)
            response = get_response(request)
            if not isinstance(response, HttpResponse) or not keeping.is_blank:
                return response
            request.META["HTTP_ACCEPT_ENCODING"] = accepted
            page = Page.of(response)
            if response.status_code == 200 and keeping.scores == scores:
                SHELF.keep(place, state, page)
        response = page.answer(request, table)
        remember(request, response, table)
        return response

    return answered
