"""A table's backup comes back: into the table that it was made of, into an empty one, or as a new table."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee.problems import gettext_noop, problem

from .. import backup
from ..access import kind_of_phone, let_score, must_score, remember, table_or_404
from ..backup import Backup, NotABackup
from ..forms.rule_fields import is_key
from ..limits import TooMany, count_new_table
from ..models import Table, new_code
from ..restoring import make_table
from ..restoring import restore as put_back
from ..sizes import takes
from .files import files_page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@takes(backup.LARGEST)
def restore(request: HttpRequest, code: str) -> HttpResponse:
    """Put back what this table lacks of a backup of itself; an empty table takes any."""
    table = table_or_404(code)
    must_score(request, table)
    if request.method != "POST":
        return redirect("files", code=code)
    try:
        done = put_back(table, Backup(_sent(request)))
    except NotABackup as wrong:
        return files_page(request, table, status=422, problems=[wrong.problem])
    return redirect(f"{reverse('files', args=[code])}?{urlencode(asdict(done))}")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@takes(backup.LARGEST)
def restore_table(request: HttpRequest) -> HttpResponse:
    """A new table from a backup; this browser scores it. The same form sent twice makes one table."""
    if request.method != "POST":
        return _page(request)
    try:
        text = _sent(request)
        found = Backup(text)
        key = _key(request.POST.get("key", ""), text)
        if not Table.objects.filter(key=key).exists():
            count_new_table(request)
        table = make_table(found, key=key)
    except NotABackup as wrong:
        return _page(request, status=422, problems=[wrong.problem])
    except TooMany as refused:
        return _page(request, status=429, problems=[refused.problem("file")])
    response = redirect("table", code=table.code)
    secret = Table.secret_for(key)
    if table.may_score(secret):
        let_score(response, table, secret, kind_of_phone(request))
    remember(request, response, table)
    return response


def _page(request: HttpRequest, status: int = 200, **context: object) -> HttpResponse:
    return render(request, "restore_table.html", context | {"key": new_code()}, status=status)


def _sent(request: HttpRequest) -> bytes:
    """The file that came, at most one byte more than is read of any."""
    file = request.FILES.get("file")
    if file is None:
        raise NotABackup(problem("not-a-table", "file", gettext_noop("Choose the file of a table.")))
    sent: bytes = file.read(backup.LARGEST + 1)
    return sent


def _key(key: str, text: bytes) -> str:
    """The same for the same form sent twice with the same file, another one for another file."""
    if not is_key(key):
        message = gettext_noop("The form came incomplete. Look it over and send it again.")
        raise NotABackup(problem("not-understood", "file", message))
    said = f"{key}\n{hashlib.sha256(text).hexdigest()}"
    return salted_hmac("scorekeeper.restore", said, algorithm="sha256").hexdigest()
