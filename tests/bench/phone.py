"""A phone that scores over HTTP, with the posts that the page's script sends."""

import gzip
import secrets
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from bs4 import BeautifulSoup

from referee import Counts, Hand, Match, Turn
from referee.explain import signed

Fields = dict[str, str | list[str]]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Answer:
    """What came over the wire."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def head(self) -> int:
        """The bytes before the body."""
        return len("HTTP/1.1 200 OK\r\n\r\n") + sum(len(name) + len(value) + 4 for name, value in self.headers.items())

    @property
    def page(self) -> Any:
        """The page, to look things up in."""
        packed = self.headers["Content-Encoding"] == "gzip"
        return BeautifulSoup(gzip.decompress(self.body) if packed else self.body, "html.parser")


class Phone:
    """A browser with one connection and its cookies; it knows one table only."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self.cookies: dict[str, str] = {}
        self.says: dict[str, str] = {}

    @property
    def headers(self) -> dict[str, str]:
        """What it says with every request."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Accept-Encoding": "gzip, deflate, br", "Accept-Language": "en-GB,en;q=0.9"} | self.says
        return headers | {"Cookie": cookies} if cookies else headers

    def get(self, path: str, expected: int = 200) -> Answer:
        """Open a page or a file."""
        return self._ask("GET", path, expected, None, {})

    def following(self, path: str) -> "Phone":
        """The same phone, when it asks whether there is anything new on a page that it shows."""
        state = self.get(path).page.select_one("[data-seen]")["data-seen"]
        phone = copy(self)
        phone.says = {"Seen": state}
        return phone

    def post(self, path: str, fields: Fields, expected: int, *, in_place: bool = True) -> Answer:
        """Send a form."""
        headers = FORM | {"Origin": self.origin} | ({"X-In-Place": "1"} if in_place else {})
        return self._ask("POST", path, expected, urlencode(fields, doseq=True), headers)

    def _ask(self, method: str, path: str, expected: int, body: str | None, headers: dict[str, str]) -> Answer:
        self.connection.request(method, path, body, self.headers | headers)
        response = self.connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        if answer.status != expected:
            said = answer.page.get_text(" ", strip=True)[:600]
            raise RuntimeError(f"{method} {path}: {answer.status} instead of {expected}. {said}")
        for cookie in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.coded_value for name, morsel in SimpleCookie(cookie).items()}
        return answer

    def play(self, match: Match, new: str = "/new/") -> str:
        """Begin a match from its form, enter all its hands, and check the score; the page's address."""
        fields = hidden(self.get(new).page.select_one("#new"))
        fields |= {f"player-{number}": name for number, name in enumerate(match.players, start=1)}
        fields |= {"game": match.ruleset.code, "first": str(match.first_declarer + 1)}
        path = self.post(new, fields, 302, in_place=False).headers["Location"]
        page = self.get(path).page
        for scored in match.scored:
            page = self.enter(page.select_one("form.hand"), scored.turn, scored.hand)
        shown = [figure.get_text() for figure in page.select(".standings .figure")]
        if shown != [signed(points) for points in match.turn.running]:
            raise RuntimeError(f"After {len(match.hands)} hands the page shows {shown}.")
        return str(path)

    def enter(self, form: Any, turn: Turn, hand: Hand) -> Any:
        """Send a hand step by step, each on the revision that the last answer gave; the page that follows."""
        fields, steps = hidden(form), list(posts(turn, hand))
        for step, told in steps:
            fields |= told | {"step": step, "key": secrets.token_hex(16)}
            answer = self.post(form["action"], fields, 200 if step == steps[-1][0] else 204)
            if answer.status == 204:
                fields["revision"] = answer.headers["Hand-Revision"]
        return answer.page

    def undo(self, path: str) -> None:
        """Take back the last hand."""
        form = self.get(path).page.select_one("form[action$='/undo/']")
        self.post(form["action"], hidden(form), 200)


def hidden(form: Any) -> Fields:
    """What a form says by itself."""
    return {field["name"]: field["value"] for field in form.select("input[type=hidden]:not(fieldset *)")}


def posts(turn: Turn, hand: Hand) -> Iterator[tuple[str, Fields]]:
    """The steps of a hand, and what each adds to the form."""
    yield "", {"contract": hand.contract or "", "trump": hand.trump or "", "start": hand.start or ""}
    doubles: Fields = {"double": [f"{who}-{whom}" for who, whom in hand.doubles or ()], "note": hand.note}
    yield "doubles", doubles | ({"played_anyway": "1"} if hand.played_anyway else {})
    if hand.result is None:
        return
    contract, counts = turn.ruleset.contract(hand.contract), hand.result.counts or {}
    result: Fields = {"finish": [str(seat) for seat in hand.result.finish or ()]}
    for item in contract.items if isinstance(contract, Counts) else ():
        taken = counts[item.code]
        if item.is_single:
            result[item.code] = [str(seat) for seat, number in taken.items() if number]
        else:
            result |= {f"{item.code}-{seat}": str(taken.get(seat, 0)) for seat in turn.seats}
    yield "save", result
