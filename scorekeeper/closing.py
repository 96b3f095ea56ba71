"""How the house closes: who is being answered gets the whole answer, nobody new is let in, then the light goes out."""

from __future__ import annotations

import signal
from threading import Event
from time import monotonic
from typing import Any

from waitress import wasyncore
from waitress.server import BaseWSGIServer

GRACE = 20
"""Seconds that answers in progress may still take."""

_told = Event()


def is_closing() -> bool:
    """The house was told to close, and only finishes what it has begun."""
    return _told.is_set()


def serve_until_told(server: BaseWSGIServer) -> None:
    """Serve until a signal says to close; then finish what is being answered. A second signal goes at once."""

    def tell(*_signal: object) -> None:
        if is_closing():
            raise SystemExit(1)
        _told.set()
        server.pull_trigger()

    def go_on(seconds: float) -> None:
        wasyncore.loop(timeout=seconds, map=server._map, use_poll=server.adj.asyncore_use_poll, count=1)

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)
    while not is_closing():
        go_on(server.adj.asyncore_loop_timeout)
    wasyncore.dispatcher.close(server)  # The door alone: the server's own way would leave nobody to send the answers.
    latest = monotonic() + GRACE
    while monotonic() < latest and any(map(_is_answered, list(server.active_channels.values()))):
        go_on(0.1)
    server.task_dispatcher.shutdown(timeout=1)


def _is_answered(channel: Any) -> bool:
    """Somebody is waiting at the other end for an answer, or for the rest of one."""
    return bool(channel.requests or channel.total_outbufs_len)
