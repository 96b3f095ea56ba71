"""The match page's script (``static/match.js``) as a model, for the long run of the network.

An outbox with one post at a time and one that waits, retries that repeat their key, a draft on the revision
that it was made on, Undo and Redo in place, corrections on a page of their own. Where the script changes, this
changes with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.test import Client

from scorekeeper.models import new_code

if TYPE_CHECKING:
    from .network import Network

NEGATIVE = ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
TRICKS = ((13, 0, 0, 0), (3, 3, 5, 2), (0, 6, 0, 7))


@dataclass
class Page:
    """What the script reads of a match page."""

    hand: int | None
    revision: int
    is_posted: bool
    step: str
    contract: str
    doubles: set[str]
    note: str
    offered: list[str]
    deeds: dict[str, tuple[str, dict[str, Any]]]
    shows: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Page:
        """Read a page."""
        deeds = {
            kind: (path, {"key": key, "revision": int(revision)})
            for path, kind, key, revision in re.findall(
                r'action="([^"]+/(undo|redo)/)".*?name="key" value="([^"]+)".*?name="revision" value="(\d+)"', text
            )
        }
        shows = tuple(re.findall(r'class="figure[^"]*">([^<]*)<', text))
        form = re.search(r'<form class="hand".*', text, re.DOTALL)
        if form is None:
            return cls(None, 0, False, "", "", set(), "", [], deeds, shows)
        inside = form[0]
        head = inside[: inside.index(">")]
        steps = (name for name in ("doubles", "result") if re.search(rf'<section[^>]*data-step="{name}">', inside))
        return cls(
            hand=int(value(r'data-hand="(\d+)"', head)),
            revision=int(value(r'name="revision" value="(\d+)"', inside)),
            is_posted="data-posted" in head,
            step=next(steps, "contract"),
            contract=value(r'name="contract" value="([^"]*)"', inside),
            doubles=set(re.findall(r'name="double" value="(\d-\d)"[^>]* checked', inside)),
            note=value(r'name="note" maxlength="500" value="([^"]*)"', inside),
            offered=[
                code
                for code, rest in re.findall(r'name="declare" value="([a-z-]+)"([^>]*)>', inside)
                if "disabled" not in rest and code in NEGATIVE
            ],
            deeds=deeds,
            shows=shows,
        )


def value(pattern: str, text: str) -> str:
    """What stands at this place of a page."""
    found = re.search(pattern, text)
    assert found, (pattern, text)
    return found[1]


@dataclass(eq=False)
class Post:
    """A request under way: of the outbox, of Undo and Redo, or of a correction."""

    phone: Phone
    kind: str
    path: str
    body: dict[str, Any]


@dataclass(eq=False)
class Phone:
    """One phone: what it keeps (``draft``, ``outbox``) and what its page holds in memory."""

    name: str
    net: Network
    client: Client
    draft: dict[str, Any] | None = None
    kept: dict[str, Any] = field(default_factory=dict)
    outbox: dict[str, Any] = field(default_factory=dict)
    sending: Post | None = None
    asking: Post | None = None
    correcting: dict[str, Any] | None = None
    loading: str | None = None
    typed: int = 0

    def __post_init__(self) -> None:
        self.load()

    # --- the page ---

    def load(self, text: str | None = None) -> None:
        """The page is opened anew; what was under way gets no answer any more."""
        self.sending = self.asking = self.correcting = self.loading = None
        page = Page.of(text or self.net.get(self))
        if page.is_posted:
            self.draft = None
        self.outbox = dict(self.kept)
        self.set_up(page, rebase=False)
        self.pump()

    def set_up(self, page: Page, *, rebase: bool) -> None:
        """The page stands; a draft of the same hand is put back into it."""
        self.page, self.revision, self.touched = page, page.revision, False
        self.step, self.contract, self.doubles, self.note = page.step, page.contract, set(page.doubles), page.note
        self.tricks: tuple[int, ...] | None = None
        draft = self.draft
        if page.hand is None or draft is None or draft["hand"] != page.hand:
            return
        if not (rebase or self.outbox.get("now") or draft["touched"] or draft["revision"] >= page.revision):
            return
        self.step, self.contract, self.doubles = draft["step"], draft["contract"], set(draft["doubles"])
        self.note, self.tricks, self.touched = draft["note"], draft["tricks"], draft["touched"]
        if not rebase:
            self.revision = draft["revision"]
        self.keep()

    def keep(self) -> None:
        self.draft = {
            "hand": self.page.hand,
            "revision": self.revision,
            "step": self.step,
            "contract": self.contract,
            "doubles": set(self.doubles),
            "note": self.note,
            "tricks": self.tricks,
            "touched": self.touched,
        }

    @property
    def is_waiting(self) -> bool:
        """The hand on the page is on its way, and can not be changed."""
        return any(sent and sent["final"] and sent["hand"] == self.page.hand for sent in self.outbox.values())

    @property
    def is_idle(self) -> bool:
        """Nothing of this phone waits for an answer."""
        return not (self.sending or self.asking or self.outbox.get("now") or self.correcting or self.loading)

    # --- taps ---

    def tap(self, chance: int) -> None:
        """Whatever comes next in the hand on the page."""
        if self.loading or self.correcting or self.page.hand is None or self.is_waiting:
            return
        if self.step == "contract":
            if not self.page.offered:
                return
            self.contract = self.page.offered[chance % len(self.page.offered)]
            self.step, self.typed = "doubles", self.typed + 1
            self.note = f"{self.name} {self.typed}"
            self.post("", final=False)
        elif self.step == "doubles":
            declarer = (self.page.hand - 1) % 4
            if chance % 3 == 0:
                self.doubles ^= {f"{(declarer + 1 + chance) % 4}-{declarer}"} if (1 + chance) % 4 else set()
                self.touched = True
                self.keep()
            elif self.doubles:
                self.step = "result"
                self.post("doubles", final=False)
            else:
                self.post("doubles", final=True)
        elif self.contract != "misere" or chance % 7 == 0:
            self.step = "contract" if chance % 2 else "doubles"
        elif self.tricks is None or chance % 3 == 0:
            self.tricks, self.touched = TRICKS[chance % len(TRICKS)], True
            self.keep()
        else:
            self.post("save", final=True)

    def post(self, step: str, *, final: bool) -> None:
        body = {"contract": self.contract, "double": sorted(self.doubles), "note": self.note, "step": step}
        if self.tricks and self.contract == "misere":
            body |= {f"tricks-{seat}": number for seat, number in enumerate(self.tricks)}
        body |= {"played_anyway": "1", "key": new_code(), "revision": self.revision}
        path = f"{self.net.address}hand/{self.page.hand}/"
        self.outbox["next"] = {"hand": self.page.hand, "path": path, "body": body, "final": final}
        self.touched = False
        self.keep()
        self.pump()

    def pump(self) -> None:
        """One post at a time; it is kept until it is answered."""
        if not self.outbox.get("now"):
            self.outbox = {"now": self.outbox.get("next")}
        now = self.outbox["now"]
        if not now:
            return
        self.kept = dict(self.outbox)
        if not self.sending:
            self.sending = self.net.send(self, "hand", now["path"], dict(now["body"]))

    def ask(self, deed: str) -> None:
        """Undo or Redo, in place; not while a post waits."""
        if self.loading or self.correcting or self.asking or self.sending or self.outbox.get("now"):
            return
        if deed in self.page.deeds:
            path, body = self.page.deeds[deed]
            self.asking = self.net.send(self, deed, path, dict(body))

    def correct(self, number: int, tricks: tuple[int, ...]) -> None:
        """Open the correction of a hand, change it, look at what it changes, and save; or save once more."""
        is_played = self.page.hand is None or number < self.page.hand
        if self.loading or self.asking or not is_played:
            return
        if self.correcting is None:
            self.correcting = self.net.open_correction(self, number, tricks)
            if self.correcting is None:
                return
            self.sending = None
        if not self.asking:
            self.asking = self.net.send(self, "correct", self.correcting["path"], dict(self.correcting["body"]))

    def look(self, *, gives_way: bool) -> None:
        """Look for what the other phone stored. What is half entered here stays, unless it gives way to that."""
        if self.loading or self.correcting or self.asking or self.outbox.get("now"):
            return
        newer = Page.of(self.net.get(self))
        is_this_hand = newer.hand is not None and newer.hand == self.page.hand
        if is_this_hand and newer.revision < self.revision:
            return
        if is_this_hand and newer.revision == self.revision:
            self.page.deeds, self.page.shows = newer.deeds, newer.shows
            return
        if self.page.hand is not None and self.touched:
            self.page.deeds, self.page.shows = newer.deeds, newer.shows
            if not gives_way:
                return
            self.draft = None
        self.set_up(newer, rebase=False)

    # --- answers ---

    def answered(self, post: Post, status: int, text: str, revision: int | None) -> None:
        """An answer, or none (0); of something that nobody waits for any more it is not heard."""
        if post is self.sending:
            self.sending = None
            self._posted(status, text, revision)
        elif post is self.asking:
            self.asking = None
            self._asked(post, status, text)

    def _posted(self, status: int, text: str, revision: int | None) -> None:
        if status in (0, 429) or status >= 500:
            return
        now, coming = self.outbox["now"], self.outbox.get("next")
        here = now["hand"] == self.page.hand
        goes_on = bool(coming) and coming["hand"] == now["hand"] and status != 403
        dropped = coming and coming["hand"] == now["hand"] and not goes_on
        self.outbox = {"next": None if dropped else coming}
        if revision is not None:
            self.net.acknowledged(now["body"], "enter")
            if goes_on:
                coming["body"]["revision"] = revision
            if here:
                self.revision = revision
                self.keep()
        elif status == 200:
            self.net.acknowledged(now["body"], "enter")
            if here:
                self.draft = None
                self._swap(text, rebase=True)
        else:
            self.net.told(now["body"], status)
            if not goes_on:
                self._swap(text, rebase=True)
        self.pump()
        late = status == 409 and now["final"] and now["hand"] != self.page.hand
        if not self.outbox.get("now"):
            self.kept = {"now": now} if late else {}

    def _asked(self, post: Post, status: int, text: str) -> None:
        if status == 0:
            return
        if post.kind == "correct":
            if status == 302:
                self.net.acknowledged(post.body, "correct")
            self.load()
            return
        if status == 200:
            self.net.acknowledged(post.body, post.kind)
        self._swap(text, rebase=True)

    def _swap(self, text: str, *, rebase: bool) -> None:
        self.set_up(Page.of(text), rebase=rebase)
