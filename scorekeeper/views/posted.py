"""What every post of a hand carries: its own key, the revision that it builds on, and from which device it comes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import HttpRequest

from referee import Problem
from referee.problems import gettext_noop, problem

from ..access import kind_of_phone, let_through


@dataclass(frozen=True)
class Receipt:
    """The key makes a repeat harmless; the revision tells a stale page; the device stands in the history.

    ``device`` is what the phone is called, ``by`` its primary key.
    """

    key: str
    revision: int
    device: str
    by: int | None


def receipt(request: HttpRequest) -> Receipt | None:
    """Key and revision of a post, or None where they are missing or make no sense."""
    key, revision = request.POST.get("key", ""), request.POST.get("revision", "")
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", key) or not re.fullmatch(r"[0-9]{1,6}", revision, re.ASCII):
        return None
    device = let_through(request)
    name = (device.name if device else "") or kind_of_phone(request)
    return Receipt(key, int(revision), name, device.pk if device else None)


def incomplete() -> Problem:
    """What is said of a post without a receipt."""
    message = gettext_noop("The form came incomplete. Nothing was stored; send it again.")
    return problem("not-understood", "form", message)


def asks_in_place(request: HttpRequest) -> bool:
    """The page's script asked, and puts the answer in place; a browser without it follows a redirect."""
    return request.headers.get("X-In-Place") == "1"
