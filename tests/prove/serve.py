"""`manage.py serve` for the long runs: the same server with no limit on how fast hands come.

``--acknowledge-first`` is the control of the runs that kill it: a server that says "saved" and stores the hand
a moment later.
"""

import os
import sys
from threading import Timer

import django
from django.core.management import call_command
from django.db import connection, transaction

A_MOMENT = 0.3


def without_limits() -> None:
    """A machine taps faster than people."""
    from scorekeeper import limits

    limits.HANDS_A_MINUTE = limits.OTHER_POSTS_A_MINUTE = limits.MATCHES_A_DAY = limits.DEVICES_A_DAY = 10**9


def acknowledge_first() -> None:
    """Work a hand out and take it back, answer that it is saved, and store it a moment later."""
    from scorekeeper.models import Match, Saved

    store = Match._write

    def store_later(match: Match, *told, **asked):
        with transaction.atomic():
            outcome = store(match, *told, **asked)
            transaction.set_rollback(True)
        if isinstance(outcome, Saved):

            def late() -> None:
                store(Match.objects.get(pk=match.pk), *told, **asked)
                connection.close()

            Timer(A_MOMENT, late).start()
        match.refresh_from_db()
        return outcome

    Match._write = store_later


def main(port: str, *options: str) -> None:
    """Serve on this port of this machine."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    django.setup()
    without_limits()
    if "--acknowledge-first" in options:
        acknowledge_first()
    call_command("serve", host="127.0.0.1", port=int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
