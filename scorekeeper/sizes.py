"""How much may be sent: little to most pages, a whole table's file to the few that take one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

ORDINARY = 1_000_000
"""Bytes of a post to an ordinary page; a hand has some 2,000."""

LARGEST = 60_000_000
"""Bytes that the server takes in at all, so that a file that is somewhat too large is answered by a page."""

BESIDE = 100_000
"""Bytes of a form around the file in it."""

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def takes(most: int) -> Callable[[View], View]:
    """A view that takes files of so many bytes."""

    def mark(view: View) -> View:
        view.__dict__["takes"] = most
        return view

    return mark


class Sizes:
    """Refuses what is too large by the size that was announced, before any of it is looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Hand the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Status 413, in words, where the request is too large for this page."""
        most: int = getattr(view, "takes", ORDINARY)
        sent = request.META.get("CONTENT_LENGTH") or "0"
        if not sent.isdecimal() or int(sent) <= most + BESIDE:
            return None
        context = {"sent": _in_megabytes(int(sent)), "most": _in_megabytes(most)}
        return render(request, "413.html", context, status=413)


def _in_megabytes(number: int) -> str:
    return f"{number / 1_000_000:,.1f}".removesuffix(".0")
