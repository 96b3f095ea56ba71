"""Pages asked for within this process: their queries, and where their time goes."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from functools import reduce
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from .phone import Phone

PARTS = {
    "django.template.backends.django:Template.render": "template",
    "scorekeeper.views.match:match_context": "what it shows",
    "scorekeeper.views.match:match_asked": "queries",
    "scorekeeper.models.lately:states": "queries",
    "scorekeeper.models.lately:Known.since": "queries",
    "scorekeeper.models:Match.redoable": "queries",
    "scorekeeper.models.match:from_object": "rows to values",
    "referee:from_record": "rows to values",
    "referee.match:Match._fold.func": "fold",
    "django.middleware.gzip:GZipMiddleware.process_response": "compressing",
}
REST, IN_ALL = "the rest of Django", "in all"


class House:
    """All of Django, without a server in front."""

    def __init__(self) -> None:
        self.application: Any = get_wsgi_application()

    def ask(self, phone: Phone, path: str) -> None:
        """Make a page for a phone."""
        request = RequestFactory(headers=phone.headers | {"Host": "127.0.0.1"}).get(path)
        response = self.application(request.environ, lambda *_: None)
        b"".join(response)
        response.close()
        if response.status_code != 200:
            raise RuntimeError(f"{path}: {response.status_code}")

    def queries(self, phone: Phone, path: str) -> int:
        """How often a page asks the database."""
        self.ask(phone, path)
        with CaptureQueriesContext(connection) as queries:
            self.ask(phone, path)
        return len(queries)

    def split(self, phone: Phone, path: str, times: int) -> dict[str, float]:
        """Milliseconds of processor time, medians: of each part without the parts inside it, and in all."""
        clock = Clock()
        with ExitStack() as patches:
            for place, part in PARTS.items():
                module, _, names = place.partition(":")
                *owners, name = names.split(".")
                owner = reduce(getattr, owners, import_module(module))
                patches.enter_context(patch.object(owner, name, clock.timed(part, getattr(owner, name))))
            ask, found = clock.timed(REST, self.ask), []
            for _ in range(times):
                clock.spent.clear()
                ask(phone, path)
                found.append(clock.spent | {IN_ALL: sum(clock.spent.values())})
        return {part: median(one.get(part, 0) * 1000 for one in found) for part in (*PARTS.values(), REST, IN_ALL)}


class Clock:
    """Adds up the time of functions, each without those that it calls."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.inside = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            began = process_time()
            self.inside.append(0.0)
            try:
                return function(*args, **kwargs)
            finally:
                took = process_time() - began
                self.spent[part] += took - self.inside.pop()
                self.inside[-1] += took

        return timed
