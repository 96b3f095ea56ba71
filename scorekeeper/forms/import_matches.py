"""Match files that somebody brings: chosen, pasted, or held since they were looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property

from django.http import HttpRequest
from django.utils.translation import gettext as _

from referee import NotAMatch, Problem
from referee.jsontext import load_value
from referee.problems import gettext_noop, problem

from ..match_files import MOST_MATCHES, Given, found_here, given_again, given_in
from ..models import Table

LARGEST = 2_000_000
"""Bytes of text that are taken at once, all files together; a match has some 10,000."""


class ImportForm:
    """What was given, each match by itself; ``problems`` are of what was sent as a whole."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.given: list[Given] = []
        self.problems: list[Problem] = []

    @classmethod
    def posted(cls, request: HttpRequest, table: Table) -> ImportForm:
        """The form as it was sent: what is held, else files and text."""
        form = cls(request.POST.get("text", ""))
        sent = [(file.name or "", file) for file in request.FILES.getlist("file")]
        held = request.POST.get("held", "")
        size = sum(file.size or 0 for _name, file in sent) + len(form.text.encode("utf-8", "replace")) + len(held)
        if size > LARGEST:
            message = gettext_noop("This is {given} bytes; at most {most} are taken at once.")
            form._wrong(message, given=f"{size:,}", most=f"{LARGEST:,}")
            return form
        given = _held(held)
        for name, file in sent:
            given += given_in(file.read(), name)
        if form.text.strip():
            given += given_in(form.text.encode("utf-8", "replace"), _("The text"))
        if not given:
            form._wrong(gettext_noop("Choose the file of a match, or paste its text."))
        elif len(given) > MOST_MATCHES:
            message = gettext_noop("These are {given} matches; at most {most} are taken at once.")
            form._wrong(message, given=len(given), most=MOST_MATCHES)
        else:
            form.given = found_here(table, given)
        return form

    def _wrong(self, message: str, **values: object) -> None:
        self.problems.append(problem("not-a-match", "file", message, **values))

    @property
    def refused(self) -> list[Given]:
        """What cannot be taken."""
        return [one for one in self.given if one.problems]

    @property
    def sound(self) -> list[Given]:
        """What can be taken, or is here already."""
        return [one for one in self.given if not one.problems]

    @cached_property
    def new(self) -> list[Given]:
        """What can be taken and is not here yet, each once."""
        return list({one.key: one for one in self.given if one.is_new}.values())

    @property
    def shown(self) -> str:
        """The pasted text, where it has to be mended; what was sound needs no second look."""
        return self.text if self.problems or self.refused else ""

    @property
    def held(self) -> str:
        """What is new, to be held in the page until somebody has looked at it."""
        return json.dumps([[one.name, json.loads(one.text)] for one in self.new], ensure_ascii=False)


def _held(text: str) -> list[Given]:
    """The matches that the page held; a page that was tampered with holds none."""
    try:
        told = load_value(text.encode("utf-8", "replace")) if text else []
    except NotAMatch:
        return []
    pairs: Sequence[object] = told if isinstance(told, list) else []
    return [
        given_again(pair[1], pair[0])
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
    ]
