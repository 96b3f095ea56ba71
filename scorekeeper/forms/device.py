"""The form that lets a phone score: the code that was said aloud or the scorer link, and what the phone is called."""

from __future__ import annotations

import re
import unicodedata

from django.http import QueryDict

from referee import Problem
from referee.problems import gettext_noop, problem

from ..models import new_code
from .new import judge_name

LONGEST_LINK = 500


class ScoreForm:
    """What was said so far, right or wrong."""

    def __init__(self, *, name: str = "", spoken: str = "", key: str = "") -> None:
        self.name = name
        self.spoken = spoken
        self.secret = ""
        self.key = key or new_code()
        self.problems: list[Problem] = []

    @classmethod
    def posted(cls, data: QueryDict) -> ScoreForm:
        """The form as it was sent. A whole scorer link is as good as the secret at its end."""
        form = cls(name=data.get("name", "").strip(), spoken=data.get("spoken", "").strip(), key=data.get("key", ""))
        form.secret = data.get("link", "")[:LONGEST_LINK].rpartition("#")[2].strip()
        if not re.fullmatch(r"[A-Za-z0-9_-]{22}", form.key):
            form.key = new_code()
            form.problems.append(incomplete())
        if wrong := judge_name(form.name, "name"):
            form.problems.append(wrong)
        if not form.secret and len(form.digits) != 6:
            message = gettext_noop("The code has six digits; this has {given}.")
            form.problems.append(problem("not-understood", "spoken", message, given=len(form.digits)))
        return form

    @property
    def digits(self) -> str:
        """The digits of the spoken code, however they were grouped, in whatever digits the phone writes."""
        found = (unicodedata.digit(character, None) for character in self.spoken[:LONGEST_LINK])
        return "".join(str(digit) for digit in found if digit is not None)

    def was_wrong(self, left: int | None = None) -> None:
        """Say that the code did not open the table; of a spoken one how many attempts are ``left``."""
        if self.secret:
            message = gettext_noop("This is not the scorer link of this table, or a new one was made since.")
            self.problems.append(problem("wrong-code", "link", message))
        elif left:
            message = gettext_noop("This is not the code. Attempts left: {left}.")
            self.problems.append(problem("wrong-code", "spoken", message, left=left))
        else:
            message = gettext_noop("There is no such code any more. Ask the phone that scores for a new one.")
            self.problems.append(problem("wrong-code", "spoken", message))


def incomplete() -> Problem:
    """What is said of a form without its key."""
    message = gettext_noop("The form came incomplete. Look it over and send it again.")
    return problem("not-understood", "spoken", message)
