"""Phones that score over HTTP as the page's script does: one post at a time, a retry repeats its key."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

PLAYERS = ("Ann", "Bob", "Cy", "Dee")
CONTRACTS = ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
"""Those of Barbu that nobody need double: with them twenty hands are passed out in two taps each."""

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came back: 0 and nothing where no answer came."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def is_saved(self) -> bool:
        """The server says that the hand is saved, or was already."""
        return self.status in (200, 204, 302)


class Phone:
    """One browser at one table; it keeps its cookies, and opens a new line when the old one broke."""

    def __init__(self, port: int, cookies: Mapping[str, str] | None = None) -> None:
        self.port = port
        self.cookies = dict(cookies or {})
        self.line = HTTPConnection("127.0.0.1", port, timeout=20)

    def ask(self, method: str, path: str, fields: Fields | None = None) -> Answer:
        """One request; no answer is an answer of status 0."""
        told = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": told, "X-CSRFToken": self.cookies.get("csrftoken", ""), "X-In-Place": "1"}
        headers |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            self.line.request(method, path, urlencode(fields, doseq=True) if fields else None, headers)
            response = self.line.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException):
            self.line.close()
            return Answer(0, {}, "")
        for cookie in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.coded_value for name, morsel in SimpleCookie(cookie).items()}
        return Answer(response.status, dict(response.headers), text)

    def insist(self, method: str, path: str, fields: Fields | None = None, patience: float = 120) -> Answer:
        """The same request again and again until the house answers it; a 429 or a 5xx is no answer yet."""
        until = time.monotonic() + patience
        while True:
            answer = self.ask(method, path, fields)
            if answer.status not in (0, 429) and answer.status < 500:
                return answer
            if time.monotonic() > until:
                raise TimeoutError(f"{method} {path}: {answer}")
            time.sleep(0.05)

    def begin(self, path: str = "/new/") -> str:
        """Begin a match, at a new table unless the path is a table's; the address of its page."""
        page = self.insist("GET", path).text
        key = re.search(r'name="key" value="([^"]+)"', page)
        assert key, page
        fields = {"key": key[1], "game": "barbu", "first": "1", "table": "Ours"}
        fields |= {f"player-{number}": name for number, name in enumerate(PLAYERS, start=1)}
        answer = self.insist("POST", path, fields)
        assert answer.status == 302, answer
        return answer.headers["Location"]

    def form(self, path: str) -> tuple[int, int] | None:
        """The hand on a match page and its revision; None where the match is over."""
        page = self.insist("GET", path).text
        form = re.search(r'<form class="hand".*?data-hand="(\d+)".*?name="revision" value="(\d+)"', page, re.DOTALL)
        return (int(form[1]), int(form[2])) if form else None


def new_key() -> str:
    """A key that no other post has."""
    return secrets.token_urlsafe(12)


def passed_out(hand: int, note: str, *, is_final: bool = True) -> dict[str, Any]:
    """The fields of a hand that nobody doubled, the contracts taken in order; or of its declaration only."""
    step = {"step": "doubles", "played_anyway": "1"} if is_final else {"step": ""}
    return {"contract": CONTRACTS[(hand - 1) // len(PLAYERS)], "note": note} | step


def counted(hand: int, tricks: tuple[int, ...], note: str) -> dict[str, Any]:
    """The fields of a whole Misère, one of the first four hands; who sits next doubled the declarer."""
    counts = {f"tricks-{seat}": number for seat, number in enumerate(tricks)}
    return {"contract": "misere", "double": [f"{hand % 4}-{hand - 1}"], "note": note, "step": "save", **counts}
