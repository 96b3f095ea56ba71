"""What a table gives out as files: a match, its sheets for a spreadsheet, and the whole table as a backup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import backup
from ..access import match_or_404, may_score, must_score, table_or_404
from ..match_files import match_text, played_on
from ..models import Match, Table, new_code
from ..sheets import hands_sheet, pairs_sheet

JSON = "application/json"
CSV = "text/csv; charset=utf-8"


@require_safe
@never_cache
def files(request: HttpRequest, code: str) -> HttpResponse:
    """What can be taken away from this table, and brought to it."""
    return files_page(request, table_or_404(code))


def files_page(request: HttpRequest, table: Table, status: int = 200, **context: object) -> HttpResponse:
    """The page of files, with what came of one that was sent."""
    done = {name: int(told) for name in DONE if re.fullmatch(r"[0-9]{1,6}", told := request.GET.get(name, ""))}
    context |= {"table": table, "scores": may_score(request, table), "done": done, "key": new_code()}
    context |= {"matches": table.matches.count()}
    return render(request, "files.html", context, status=status)


DONE = ("matches", "entries", "known", "renumbered", "taken")
"""What the address tells of a file that was taken in, in numbers."""


@require_safe
@never_cache
def table_backup(request: HttpRequest, code: str) -> HttpResponseBase:
    """The whole table as one file, for who may score it: it holds what was taken back, when, and on whose phone."""
    table = table_or_404(code)
    must_score(request, table)
    name = _file_name(table, table.by_the_clock(timezone.now()).date(), _("backup"), "json")
    if request.method == "HEAD":
        return _download("", name, JSON)
    return _download(backup.write(table), name, JSON)


@require_safe
@never_cache
def match_file(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """A match as a file that this house, the command line, and other tables read."""
    match = match_or_404(code, number)
    return _download(match_text(match, match.state()), _name_of(match, "", "json"), JSON)


@require_safe
@never_cache
def match_hands(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """The hands of a match for a spreadsheet."""
    match = match_or_404(code, number)
    return _download(hands_sheet(match.state().match), _name_of(match, _("hands"), "csv"), CSV)


@require_safe
@never_cache
def match_pairs(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Who doubled whom in each hand, and what it moved, for a spreadsheet."""
    match = match_or_404(code, number)
    return _download(pairs_sheet(match.state().match), _name_of(match, _("pairs"), "csv"), CSV)


def _name_of(match: Match, what: str, kind: str) -> str:
    day = played_on(match)
    words = f"{_('match {n}').format(n=match.number)} {what}"
    return _file_name(match.table, date.fromisoformat(day) if day else None, words, kind)


def _file_name(table: Table, day: date | None, what: str, kind: str) -> str:
    """The table's name, the day, and what it is, in letters and digits of any script with dashes between."""
    told = unicodedata.normalize("NFC", " ".join([table.name, day.isoformat() if day else "", what]))
    letters = (sign if unicodedata.category(sign)[0] in "LMN" else "-" for sign in told)
    return f"{re.sub('-+', '-', ''.join(letters)).strip('-')}.{kind}"


def _download(content: str | bytes | Iterable[str], name: str, kind: str) -> HttpResponseBase:
    """A file to be kept under this name; browsers that know no other letters than ASCII get those."""
    stem, dot, ending = name.rpartition(".")
    ascii_only = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    plain = re.sub("-+", "-", ascii_only).strip("-") + dot + ending
    headers = {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"}
    if isinstance(content, str | bytes):
        return HttpResponse(content, content_type=kind, headers=headers)
    return StreamingHttpResponse(content, content_type=kind, headers=headers)
