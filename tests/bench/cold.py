"""Pages as the first one makes them after a change: below /cold/ the server knows the match as it was a hand before.

That is what a process has after another hand was saved, so that the time of the page is measured without the
time of the save: the new rows are read, the hand is folded, the page made, packed and kept.
"""

from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import lru_cache
from threading import local
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from scorekeeper.kept import SHELF
from scorekeeper.models.lately import LATELY, Known

PREFIX = "/cold"
ASKED = local()


class Older(OrderedDict[Any, Any]):
    """What is kept; who asks below /cold/ gets it as it was before the last change."""

    def __init__(self, before: Callable[[Any], Any]) -> None:
        super().__init__()
        self.before = before

    def get(self, key: Any, default: Any = None) -> Any:
        """What is kept under this key."""
        found = super().get(key, default)
        return self.before(found) if getattr(ASKED, "cold", False) else found


@lru_cache(maxsize=10)
def a_hand_before(match: int, version: int) -> Known:
    """A match as it was known before its last hand."""
    known = next(known for known in OrderedDict.values(LATELY.known) if known.match.pk == match)
    state, marked = known.state, copy(known.match)
    marked.mark = f"before {version}"
    hands = state.match.hands[:-1]
    before = replace(
        state,
        match=state.match.with_hands(hands),
        rows={number: row for number, row in state.rows.items() if number <= len(hands)},
    )
    assert before.finished == len(hands)
    return Known(marked, before)


object.__setattr__(SHELF, "pages", Older(lambda _found: ("", None)))
object.__setattr__(LATELY, "known", Older(lambda known: known and a_hand_before(known.match.pk, known.match.version)))


def answer(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer below /cold/ with the page of the same name, made as if nothing of it were kept."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        ASKED.cold = request.path_info.startswith(f"{PREFIX}/")
        if ASKED.cold:
            request.path = request.path_info = request.path_info.removeprefix(PREFIX)
        return get_response(request)

    return answered
