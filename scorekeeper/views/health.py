"""Pages for whoever runs the server: does it live, and should people be sent to it?"""

from __future__ import annotations

import shutil

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..closing import is_closing
from ..faults import why
from ..safekeeping import known_steps

LEAST_FREE = 50_000_000
"""Bytes of disk below which nobody should begin an evening here."""


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say "ok" if the database answers and holds our tables, else what is wrong, with status 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError:
        return _in_words(_("The database does not answer."))
    return _in_words()


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Say "ok" if a hand could be saved this minute, else why not, with status 503. Nothing is written to find out."""
    if is_closing():
        return _in_words(_("The server is closing."))
    if connection.vendor == "sqlite" and shutil.disk_usage(settings.DATA_DIR).free < LEAST_FREE:
        return _in_words(_("The server's disk is nearly full."))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT name FROM django_migrations WHERE app = 'scorekeeper'")
            known = {name for (name,) in cursor.fetchall()}
            writable = _may_write()
    except (DatabaseError, InterfaceError) as error:
        return _in_words(why(error))
    if not known_steps() <= known:
        return _in_words(_("The database is not up to date: run manage.py migrate."))
    return _in_words() if writable else _in_words(_("The server's database may only be read just now."))


def _may_write() -> bool:
    """The database takes writes. On SQLite a transaction of ours holds the writer's lock by now, or had failed."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA query_only")
        else:
            cursor.execute("SELECT current_setting('transaction_read_only')::boolean::int")
        return not cursor.fetchone()[0]


def _in_words(problem: str = "") -> HttpResponse:
    return HttpResponse(problem or "ok", status=503 if problem else 200, content_type="text/plain; charset=utf-8")
