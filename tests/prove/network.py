"""Two phones, a server, and a network that loses, delays, doubles and reorders: after quiet all agree.

A state machine (hypothesis) draws what happens: taps on two phones that score one match, requests that arrive,
late, twice or never, answers that are lost, pages that are reloaded, a server that starts anew, a clock that is
set back. A phone is the page's script as a model (``script.py``). The server is the real one, its views and its
database; only the templates of two pages are cut down to what the script reads of them.

What must hold at every moment: what was acknowledged is stored once, as it was said; no version is overwritten
by somebody who had not seen it; nobody is told of a conflict about a hand that is stored; the referee finds
nothing wrong. And after quiet: every saved hand was acknowledged or both versions were shown, and both phones
show the same, which is what the stored rows say when they are folded by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import referee
from scorekeeper.models import LATELY, Hand, Match, State, Table, new_code
from scorekeeper.templatetags.cards import total

from .script import TRICKS, Page, Phone, Post, value

NAMES = ("Ann", "Bob", "Cy", "Dee")
WHO, CHANCE = st.integers(0, 1), st.integers(0, 41)
FATES = ("gets through", "arrives twice", "is lost", "loses its answer", "is given up and still on its way", "waits")
FATE = st.sampled_from(("gets through", *FATES))
FIGURES = Counter[str]()
"""What happened in all schedules together."""


class Fault(AssertionError):
    """Something was lost, doubled, overwritten or wrongly told."""


Row = tuple[int, int, str, str, int, Any]
"""A stored row: number, revision, key, action, version, record."""


class Network(RuleBasedStateMachine):
    """What may happen, in any order. The ``table`` where it happens, with its scorer's cookies, stands before."""

    table: tuple[Table, Any]

    def __init__(self) -> None:
        super().__init__()
        forget()
        self.stack = ExitStack()
        self.stack.enter_context(transaction.atomic())
        self.now = timezone.now()
        for place, name in ((timezone, "now"), (Hand._meta.get_field("at"), "_get_default")):
            self.stack.enter_context(mock.patch.object(place, name, self.clock))
        table, cookies = self.table
        self.match = Match.start(
            ruleset=referee.load("barbu"), names=NAMES, first_declarer=0, key=new_code(), zone="UTC", table=table
        )
        self.address = f"/t/{table.code}/{self.match.number}/"
        self.requests: list[Post] = []
        self.answers: list[tuple[Post, int, str, int | None]] = []
        self.saved: dict[str, tuple[str, dict[str, Any]]] = {}
        self.finals: dict[str, bool] = {}
        self.changed = True
        self.known: list[Row] = []
        self.phones = []
        for name in ("P", "Q"):
            client = Client()
            client.cookies.update(cookies)
            self.phones.append(Phone(name, self, client))

    def clock(self) -> datetime:
        """The server's clock."""
        return self.now

    def teardown(self) -> None:
        try:
            self.quiet()
        finally:
            transaction.set_rollback(True)
            self.stack.close()
            FIGURES["schedules"] += 1

    # --- the server ---

    def get(self, phone: Phone) -> str:
        return phone.client.get(self.address).content.decode()

    def send(self, phone: Phone, kind: str, path: str, body: dict[str, Any]) -> Post:
        post = Post(phone, kind, path, body)
        self.requests.append(post)
        FIGURES["posts"] += 1
        if kind == "hand" and (body["step"] == "save" or (body["step"] == "doubles" and not body["double"])):
            self.finals.setdefault(body["key"], False)
        return post

    def open_correction(self, phone: Phone, number: int, tricks: tuple[int, ...]) -> dict[str, Any] | None:
        """The page of a correction, its form changed, and what it would change looked at."""
        path = f"{self.address}hand/{number}/correct/"
        page = phone.client.get(path)
        if page.status_code != 200:
            return None
        text = page.content.decode()
        declarer = (number - 1) % 4
        body = {"contract": value(r'name="contract" value="([^"]*)"', text), "note": f"{phone.name} corrected {tricks}"}
        if body["contract"] == "misere":
            body |= {"double": [f"{(declarer + 1) % 4}-{declarer}"]}
            body |= {f"tricks-{seat}": count for seat, count in enumerate(tricks)}
        body |= {"played_anyway": "1", "step": "save", "key": new_code()}
        body |= {"revision": int(value(r'name="revision" value="(\d+)"', text))}
        shown = phone.client.post(path, body).content.decode()
        seen = re.search(r'name="seen" value="([^"]*)"', shown)
        return {"path": path, "body": body | {"seen": seen[1] if seen else ""}}

    def serve(self, post: Post) -> tuple[Post, int, str, int | None]:
        """The server answers a request, and this looks at what it did."""
        before = self.known
        response = post.phone.client.post(post.path, post.body, headers={"X-In-Place": "1"})
        self.changed = True
        after = self.known = self.rows()
        key, status = post.body["key"], response.status_code
        FIGURES[f"{post.kind} {status}"] += 1
        known = [row for row in before if row[2] == key]
        new = after[len(before) :]
        if status not in (200, 204, 302, 403, 404, 409, 422, 429):
            raise Fault(f"status {status}")
        if after[: len(before)] != before:
            raise Fault("a stored row was changed")
        if known and (new or (status in (409, 422) and post.kind != "correct")):
            raise Fault(f"{post.kind} {post.body}: stored already, and yet {status} with {new}")
        number = int(post.path.split("/hand/")[1].split("/")[0])
        for hand, version, *_told in new:
            if hand == number and version != post.body["revision"] + 1:
                raise Fault(f"{post.body} was written over revision {version - 1}")
        if status in (409, 422) and new:
            raise Fault(f"{status}, and yet stored: {new}")
        revision = response.headers.get("Hand-Revision")
        return post, status, response.content.decode(), None if revision is None else int(revision)

    def rows(self) -> list[Row]:
        """All that is stored, in the order in which it came."""
        told = Hand.objects.filter(match=self.match).order_by("pk")
        return list(told.values_list("number", "revision", "key", "action", "version", "record"))

    def acknowledged(self, body: dict[str, Any], action: str) -> None:
        """A phone was told that this is saved."""
        self.saved[body["key"]] = (action, body)
        self.finals[body["key"]] = True
        self.changed = True

    def told(self, body: dict[str, Any], status: int) -> None:
        """A phone was told that this is not saved, and why."""
        FIGURES[f"told {status}"] += 1
        self.finals[body["key"]] = True

    # --- what happens ---

    @initialize(chances=st.lists(CHANCE, max_size=12))
    def it_began_well(self, chances: list[int]) -> None:
        """Some hands were played on one phone; then the other one came."""
        self.taps(0, chances, "gets through")
        self.phones[1].load()

    @rule(who=WHO, chances=st.lists(CHANCE, min_size=1, max_size=4), fate=FATE)
    def taps(self, who: int, chances: list[int], fate: str) -> None:
        """Taps on one phone; what they send fares the same."""
        for chance in chances:
            self.phones[who].tap(chance)
            self.befalls(self.phones[who], fate)

    @rule(who=WHO, deed=st.sampled_from(["undo", "redo"]), fate=FATE)
    def undo_or_redo(self, who: int, deed: str, fate: str) -> None:
        self.phones[who].ask(deed)
        self.befalls(self.phones[who], fate)

    @rule(who=WHO, number=st.integers(1, 3), tricks=st.sampled_from(TRICKS), fate=FATE)
    def a_correction(self, who: int, number: int, tricks: tuple[int, ...], fate: str) -> None:
        self.phones[who].correct(number, tricks)
        self.befalls(self.phones[who], fate)

    def befalls(self, phone: Phone, fate: str) -> None:
        """What the network does with the request of a phone that is under way."""
        post = phone.sending or phone.asking
        if post is None or post not in self.requests:
            return
        FIGURES[f"a post {fate}"] += 1
        if fate == "gets through":
            self.gets_through(phone)
        elif fate == "arrives twice":
            self.requests.append(Post(post.phone, post.kind, post.path, dict(post.body)))
            self.gets_through(phone)
        elif fate == "is lost":
            self.requests.remove(post)
            phone.answered(post, 0, "", None)
        elif fate == "loses its answer":
            self.arrives(post)
            self.answers.pop()
            phone.answered(post, 0, "", None)
        elif fate == "is given up and still on its way":
            phone.answered(post, 0, "", None)

    def gets_through(self, phone: Phone) -> None:
        while post := phone.sending or phone.asking:
            self.arrives(post)
            found = next((answer for answer in self.answers if answer[0] is post), None)
            if found is None:
                return
            self.answers.remove(found)
            phone.answered(*found)

    def arrives(self, post: Post) -> None:
        if post in self.requests:
            self.requests.remove(post)
            self.answers.append(self.serve(post))

    @rule(which=st.integers(0, 9), is_heard=st.booleans())
    def something_arrives(self, which: int, is_heard: bool) -> None:
        """A request that was on its way, and perhaps its answer; or an answer that was."""
        if self.requests:
            self.arrives(self.requests[which % len(self.requests)])
        if self.answers and is_heard:
            post, *answer = self.answers.pop(which % len(self.answers))
            post.phone.answered(post, *answer)

    @rule(who=WHO, again=st.booleans())
    def a_phone_waits_no_longer(self, who: int, again: bool) -> None:
        """Its post may still arrive, after what it sends again."""
        phone = self.phones[who]
        if post := phone.sending or phone.asking:
            FIGURES["timeouts"] += 1
            phone.answered(post, 0, "", None)
        if again and not phone.loading and not phone.correcting:
            phone.pump()

    @rule(who=WHO, is_slow=st.booleans())
    def a_page_is_reloaded(self, who: int, is_slow: bool) -> None:
        """At once; or asked for now and shown by the next reload, so that what happens meanwhile is not in it."""
        phone = self.phones[who]
        if is_slow and not phone.loading:
            phone.loading = self.get(phone)
        else:
            phone.load(phone.loading)

    @rule(who=WHO, gives_way=st.booleans())
    def a_phone_looks(self, who: int, gives_way: bool) -> None:
        """It asks for what is new, as it does every few seconds."""
        self.phones[who].look(gives_way=gives_way)

    @rule(minutes=st.sampled_from([0, -60, -5, 1, 30]))
    def the_server_starts_anew_or_its_clock_is_set(self, minutes: int) -> None:
        """In a new start what was under way is lost, and what the server had in memory."""
        self.now += timedelta(minutes=minutes)
        if minutes:
            return
        for post in [*self.requests, *(answer[0] for answer in self.answers)]:
            post.phone.answered(post, 0, "", None)
        self.requests.clear()
        self.answers.clear()
        forget()
        FIGURES["restarts"] += 1

    # --- what must hold ---

    @invariant()
    def what_was_acknowledged_is_stored_once_as_it_was_said(self) -> None:
        if not self.changed:
            return
        self.changed = False
        rows, seen = self.known, dict[int, int]()
        for number, revision, *_told in rows:
            if revision != seen.get(number, 0) + 1:
                raise Fault(f"hand {number} has revision {revision} after {seen.get(number, 0)}")
            seen[number] = revision
        stored = {key: (action, record) for _number, _revision, key, action, _version, record in rows}
        if len(stored) != len(rows):
            raise Fault("a key is stored twice")
        versions = [row[4] for row in rows]
        self.match.refresh_from_db(fields=["version"])
        if versions != sorted(versions) or self.match.version != len(set(versions)):
            raise Fault(f"versions {versions}, and the match has {self.match.version}")
        for key, (action, body) in self.saved.items():
            if key not in stored and action == "correct":
                continue  # It changed nothing that another phone had not changed alike.
            if key not in stored:
                raise Fault(f"{action} {body} was acknowledged and is not stored")
            done, record = stored[key]
            if done != action:
                raise Fault(f"{action} {body} is stored as {done}")
            if "contract" in body and said(body) != {name: (record or {}).get(name) for name in said(body)}:
                raise Fault(f"{body} is stored as {record}")

    def quiet(self) -> None:
        """The network heals, everything under way arrives, and everybody looks."""
        for _round in range(20):
            for post in list(self.requests):
                self.arrives(post)
            for post, *answer in [self.answers.pop(0) for _answer in list(self.answers)]:
                post.phone.answered(post, *answer)
            for phone in self.phones:
                if phone.correcting or phone.loading:
                    phone.load()
                phone.pump()
            if not self.requests and not self.answers and all(phone.is_idle for phone in self.phones):
                break
        else:
            raise Fault("no quiet")
        self.what_was_acknowledged_is_stored_once_as_it_was_said()
        if silent := [key for key, is_told in self.finals.items() if not is_told]:
            raise Fault(f"{silent} was saved by a tap, and its phone never said what became of it")
        shown = [Page.of(self.get(phone)) for phone in self.phones]
        if shown[0].shows != shown[1].shows or shown[0].hand != shown[1].hand:
            raise Fault(f"the phones show {shown}")
        if shown[0].shows != self.folded():
            raise Fault(f"the phones show {shown[0].shows}, and stored is {self.folded()}")
        if found := self.match.state().match.problems:
            raise Fault(f"the referee finds {found}")
        FIGURES["rows"] += len(self.known)

    def folded(self) -> tuple[str, ...]:
        """The totals, from the newest row of each hand and nothing else."""
        newest = {number: record for number, _revision, _key, _action, _version, record in self.known}
        hands = [referee.from_record(record) for _number, record in sorted(newest.items()) if record is not None]
        match = referee.Match(referee.load("barbu"), NAMES, 0, tuple(hands))
        return tuple(total(points, match.ruleset) for points in match.turn.running)


def forget() -> None:
    """As a server that has just started: nothing of what was taken back is known any more."""
    LATELY.known.clear()
    for cache in caches.all():
        cache.clear()


def said(body: dict[str, Any]) -> dict[str, Any]:
    """What a post says for certain, in the words of the record."""
    told: dict[str, Any] = {"contract": body["contract"]}
    if body["note"]:
        told["note"] = body["note"]
    if body["step"] == "save" and body["contract"] == "misere" and body.get("double"):
        tricks = {str(seat): body[f"tricks-{seat}"] for seat in range(4)}
        told["result"] = {"counts": {"tricks": {seat: number for seat, number in tricks.items() if number}}}
    return told


def broken(server: str) -> AbstractContextManager[Any]:
    """A server without one of its checks, which must not pass."""
    return {
        "a server that forgets keys": mock.patch.object(Hand, "did", return_value=False),
        "a server that takes stale pages": mock.patch.object(State, "is_stale", return_value=False),
    }[server]


def prove(schedules: int, steps: int = 15, *, always_the_same: bool = False, shrink: bool = True) -> dict[str, int]:
    """So many schedules; what happened in them."""
    FIGURES.clear()
    options = settings(
        max_examples=schedules,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=always_the_same,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    client = Client()
    fields = {"key": new_code(), "game": "barbu", "first": "1", "table": "Ours"}
    fields |= {f"player-{number}": name for number, name in enumerate(NAMES, start=1)}
    code = client.post("/new/", fields).headers["Location"].split("/")[2]
    Network.table = Table.objects.get(code=code), client.cookies
    run_state_machine_as_test(Network, settings=options)
    return dict(FIGURES)
