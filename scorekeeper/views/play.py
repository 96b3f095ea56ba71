"""A hand card by card: its tricks on the table, forwards and back, who won each, and what they bring in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from msgspec import structs

import referee
from referee import Counts, Problem, Ravaged, Result, ScoredHand, Turn
from referee.cards import RANK_NAMES, SUIT_NAMES
from referee.hands import Seat, Trick
from referee.play import Followed, TrickRules, face, follow

from ..access import match_or_404, may_score, must_score
from ..forms.play import PlayForm
from ..models import Hand, Match, Refused, Saved, State, new_code
from ..templatetags.cards import isolated, says
from ..words import Clash, consequences, told
from .posted import Receipt, incomplete, receipt


@dataclass(frozen=True)
class Card:
    """A card as it lies there: its sign, its name for those who hear the page, and what became of it."""

    code: str
    wins: bool = False
    is_wrong: bool = False

    @property
    def is_known(self) -> bool:
        """It is a card of some deck at all."""
        return len(self.code) == 2 and self.code[0] in RANK_NAMES and self.code[1] in SUIT_NAMES

    @property
    def rank(self) -> str:
        """What stands in its corner: 10, Q."""
        return self.code[0].replace("T", "10") if self.is_known else self.code[:4]

    @property
    def suit(self) -> str:
        """The letter of its suit."""
        return self.code[1] if self.is_known else ""

    @property
    def name(self) -> str:
        """Queen of diamonds."""
        if not self.is_known:
            return self.code[:4]
        rank, suit = _(RANK_NAMES[self.code[0]]), _(SUIT_NAMES[self.code[1]])
        return _("{rank} of {suit}").format(rank=rank, suit=suit)


@dataclass(frozen=True)
class Place:
    """A player at the table: the card before them, and what they have taken so far."""

    seat: Seat
    name: str
    side: int
    card: Card | None
    leads: bool
    declares: bool
    taken: str


@dataclass(frozen=True)
class Line:
    """A trick in the list: each player's card, who led and who won it."""

    number: int
    at: int
    cells: tuple[tuple[Card | None, bool], ...]
    winner: str
    is_here: bool


@dataclass(frozen=True)
class Fault:
    """A problem of the play, and the card at which it stands."""

    at: int
    says: str
    code: str


@dataclass(frozen=True)
class Table:
    """The hand after so many cards."""

    turn: Turn
    followed: Followed
    at: int

    @cached_property
    def cards(self) -> tuple[tuple[int, int], ...]:
        """Trick and place in it of each card, in the order played."""
        tricks = self.followed.tricks
        return tuple((n, place) for n, trick in enumerate(tricks) for place in range(len(trick.cards)))

    @property
    def number(self) -> int:
        """The number of the trick that lies on the table, from 1."""
        return self.cards[self.at - 1][0] + 1 if self.at else 1

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards on the table."""
        if not self.at:
            return ()
        number, place = self.cards[self.at - 1]
        return self.followed.tricks[number].cards[: place + 1]

    @property
    def is_whole(self) -> bool:
        """Everybody has played to the trick."""
        return len(self.trick) >= self.turn_players

    @property
    def turn_players(self) -> int:
        """How many play."""
        return len(self.turn.players)

    @property
    def leader(self) -> Seat:
        """Who led to the trick on the table, or leads."""
        leaders = self.followed.leaders
        return leaders[self.number - 1] % self.turn_players if leaders else self.turn.declarer or 0

    @property
    def winner(self) -> Seat | None:
        """Who won the trick, once it is whole and that is known."""
        if not self.is_whole or self.number > len(self.followed.winners):
            return None
        return self.followed.winners[self.number - 1]

    @property
    def so_far(self) -> Followed:
        """The tricks that are over."""
        n = self.number if self.is_whole else self.number - 1
        return replace(self.followed, tricks=self.followed.tricks[:n], leaders=self.followed.leaders[:n])

    @cached_property
    def wrong(self) -> set[tuple[int, str]]:
        """The cards at which something is wrong, each with the number of its trick."""
        return {(n, card) for n, card in map(_place_of, self.followed.problems) if card}

    @property
    def sentence(self) -> str:
        """What happens now."""
        players = [isolated(name) for name in self.turn.players]
        if not self.at:
            return _("{player} leads to the first trick.").format(player=players[self.leader])
        card = Card(self.trick[-1])
        values = {"n": self.number, "card": face(card.code) if card.is_known else card.rank}
        if self.is_whole:
            if self.winner is None:
                return _("Trick {n}: who won it is not known.").format(**values)
            return _("Trick {n} goes to {player}.").format(player=players[self.winner], **values)
        player = players[(self.leader + len(self.trick) - 1) % self.turn_players]
        if len(self.trick) == 1:
            return _("Trick {n}: {player} leads {card}.").format(player=player, **values)
        return _("Trick {n}: {player} plays {card}.").format(player=player, **values)

    @property
    def places(self) -> list[Place]:
        """The players in the order of this trick."""
        seats = [(self.leader + turn) % self.turn_players for turn in range(self.turn_players)]
        sure = all(Card(card).is_known for card in self.trick)
        best = self.followed.rules.winning(self.trick) if sure else None
        taken = self.taken
        return [
            Place(
                seat=seat,
                name=self.turn.players[seat],
                side=seat if self.turn.ruleset.direction == "clockwise" else -seat % self.turn_players,
                card=Card(self.trick[i], self.trick[i] == best, (self.number, self.trick[i]) in self.wrong)
                if i < len(self.trick)
                else None,
                leads=i == 0,
                declares=seat == self.turn.declarer,
                taken=taken[seat],
            )
            for i, seat in enumerate(seats)
        ]

    @property
    def taken(self) -> list[str]:
        """What each player has taken so far, in words: "3 tricks · 2 hearts"."""
        so_far, contract = self.so_far, self.followed.rules.contract
        words: list[list[str]] = [[] for _ in self.turn.seats]
        for seat in self.turn.seats:
            tricks = sum(winner == seat for winner in so_far.winners)
            words[seat].append(_counted(tricks, _("trick"), _("tricks")))
            if isinstance(contract, Ravaged):
                words[seat].append(_("longest suit {n}").format(n=so_far.longest[seat]))
        for item in contract.items if isinstance(contract, Counts) else ():
            for seat, number in so_far.counts.get(item.code, {}).items():
                if item.code != "tricks":
                    words[seat].append(_(item.one) if item.is_single else _counted(number, _(item.one), _(item.many)))
        return [" · ".join(parts) for parts in words]

    @property
    def lines(self) -> Iterator[Line]:
        """The tricks, each with its cards by seat."""
        last = 0
        for n, trick in enumerate(self.followed.tricks):
            last += len(trick.cards)
            known = n < len(self.followed.winners)
            winner = self.followed.winners[n] if known else None
            leader = self.followed.leaders[n] % self.turn_players
            cells: list[tuple[Card | None, bool]] = [(None, False)] * self.turn_players
            for i, card in enumerate(trick.cards[: self.turn_players]):
                seat = (leader + i) % self.turn_players
                cells[seat] = (Card(card, seat == winner, (n + 1, card) in self.wrong), i == 0)
            name = "" if winner is None else self.turn.players[winner]
            yield Line(n + 1, last, tuple(cells), name, bool(self.at) and n + 1 == self.number)

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with the play, the first card first."""
        return [Fault(self._at(*_place_of(p)), says(p), p.code) for p in self.followed.problems]

    def _at(self, number: int, card: str) -> int:
        """How many cards lie when this one does; of a trick as a whole, its last."""
        best = 0
        for at, (n, place) in enumerate(self.cards, 1):
            if n + 1 == number and (not card or self.followed.tricks[n].cards[place] == card):
                best = at
        return best


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _place_of(found: Problem) -> tuple[int, str]:
    """Trick and card of a problem of the play, as ``where`` names them."""
    place = re.fullmatch(r"trick (\d+)(?:, (.+))?", found.where, re.DOTALL)
    return (int(place[1]), place[2] or "") if place else (0, "")


def text_problem(found: Problem) -> str:
    """What is wrong with a text, with its line and column."""
    place = re.fullmatch(r"line (\d+)(?:, column (\d+))?", found.where)
    if place is None or "{line}" in found.message:
        return says(found)
    if place[2] is None:
        return _("Line {line}: {what}").format(line=place[1], what=says(found))
    return _("Line {line}, column {column}: {what}").format(line=place[1], column=place[2], what=says(found))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play(request: HttpRequest, code: str, number: int, hand: int) -> HttpResponseBase:
    """The tricks of a hand: whoever has the link looks, the scorer enters them."""
    found = match_or_404(code, number)
    if request.method == "POST":
        must_score(request, found.table)
    state = found.state()
    page = _Page.of(request, found, state, hand)
    if request.method != "POST" or page.rules is None:
        return page.answer()
    if request.POST.get("step") in ("keep", "use") and not page.form.problems:
        return _store(request, page)
    return page.answer()


def _store(request: HttpRequest, page: _Page) -> HttpResponseBase:
    """Keep the tricks with the hand, or make what they bring its result."""
    sent, hand = receipt(request), page.told
    if sent is None:
        return page.answer(problems=[incomplete()])
    assert hand is not None
    uses = request.POST["step"] == "use"
    if page.followed.problems or (uses and page.result is None):
        return page.answer(status=422)
    new = page.with_result if uses and page.with_result else structs.replace(hand, play=page.form.play or None)
    outcome = _write(page, new, sent)
    if isinstance(outcome, Saved):
        at_match = uses and page.hand == page.state.number
        if at_match:
            return redirect("match", code=page.found.table.code, number=page.found.number)
        name = "hand" if uses else "play"
        return redirect(name, code=page.found.table.code, number=page.found.number, hand=page.hand)
    page = _Page.of(request, page.found, page.found.state(), page.hand)
    if isinstance(outcome, Refused):
        return page.answer(problems=outcome.problems)
    return page.answer(clash=_clash(page, new))


def _write(page: _Page, new: referee.Hand, sent: Receipt) -> object:
    """Through the record of the hand in play, or as a correction of one that is over."""
    entered = page.found.hands.filter(key=sent.key, number=page.hand, action=Hand.Action.ENTER)
    if page.hand == page.state.number or entered.exists():
        return page.found.record(page.hand, new, **asdict(sent))
    return page.found.correct(page.hand, new, **asdict(sent))


def _clash(page: _Page, new: referee.Hand) -> Clash:
    """What is stored now, and what was sent, side by side."""
    state, stored = page.state, page.state.hand(page.hand)
    return Clash(
        number=page.hand,
        turn=state.number,
        is_gone=stored is None,
        revision=state.revision(page.hand),
        stored=told(page.turn, stored),
        yours=told(page.turn, new),
    )


@dataclass
class _Page:
    """The page of one hand, as it was asked for."""

    request: HttpRequest
    found: Match
    state: State
    hand: int
    turn: Turn
    told: referee.Hand | None
    rules: TrickRules | None
    form: PlayForm

    @classmethod
    def of(cls, request: HttpRequest, found: Match, state: State, hand: int) -> _Page:
        """A hand that is over, or the one in play; whatever else was typed for is not lost either."""
        turn, told = state.match.turn_of(hand), state.hand(hand)
        in_play = hand == state.number and not state.match.is_over
        if not (1 <= hand <= state.finished or in_play):
            if request.method != "POST":
                raise Http404(_("Hand {number} has not been played.").format(number=hand))
            told = None
        contract = turn.ruleset.contract(told.contract) if told else None
        rules = None
        if told and contract and turn.ruleset.has_play(contract) and (told.trump or contract.needs != "trump"):
            rules = TrickRules(turn.ruleset, contract, told.trump, len(turn.players))
        outline = rules or TrickRules(turn.ruleset, contract or turn.ruleset.contracts[0], None, len(turn.players))
        if request.method == "POST" and rules:
            form = PlayForm.posted(turn, rules, request.POST)
        elif request.method == "POST":
            form = PlayForm(turn, outline, request.POST.get("tricks", ""))
        else:
            form = PlayForm.of(turn, outline, (told.play or ()) if told and rules else ())
        return cls(request, found, state, hand, turn, told, rules, form)

    @cached_property
    def followed(self) -> Followed:
        """The tricks as the referee follows them."""
        return follow(self.form.rules, self.turn.declarer or 0, self.form.play, self.turn.name)

    @property
    def result(self) -> Result | None:
        """What the tricks bring, once they reach the end."""
        return self.followed.result

    @property
    def with_result(self) -> referee.Hand | None:
        """The hand with these tricks and what they bring."""
        if self.told is None or self.result is None:
            return None
        result = self.told.result if self.agrees else self.result
        return structs.replace(self.told, play=self.form.play, result=result)

    @property
    def agrees(self) -> bool:
        """The hand has a result, and the tricks bring the same."""
        if self.told is None or self.told.result is None:
            return self.told is not None and not self.is_in_play and self.told.play == self.form.play
        return not self.disagreements

    @property
    def disagreements(self) -> list[Problem]:
        """Where the entered result is not what the tricks brought."""
        entered = self.told.result if self.told else None
        return list(self.followed.disagreements(entered)) if entered else []

    @property
    def is_in_play(self) -> bool:
        """The hand is not over yet."""
        return self.hand > self.state.finished

    def scored(self) -> tuple[ScoredHand | None, tuple[Problem, ...]]:
        """The hand as these tricks score it, or why they cannot be its result."""
        hand = self.with_result
        if hand is None:
            return None, ()
        refused = self.state.refused(self.hand, hand)
        return (None, refused.problems) if refused else (self.turn.score(hand), ())

    def at(self, faults: Sequence[Fault], cards: int) -> int:
        """How many cards lie on the table: as asked, else up to the first fault, else all."""
        asked = (self.request.POST if self.request.method == "POST" else self.request.GET).get("at", "")
        if re.fullmatch(r"[0-9]{1,4}", asked, re.ASCII):
            return min(int(asked), cards)
        return min(faults[0].at or cards, cards) if faults and not self.form.tapped else cards

    def answer(
        self, *, problems: Sequence[Problem] = (), clash: Clash | None = None, status: int | None = None
    ) -> HttpResponse:
        """The page; nothing that was typed is lost in it."""
        is_typed = self.request.method == "POST"
        whole = Table(self.turn, self.followed, 0)
        faults = whole.faults
        table = replace(whole, at=self.at(faults, len(whole.cards)))
        scored, why_not = self.scored() if self.rules else (None, ())
        lost = is_typed and self.rules is None
        context = {
            "match": self.found,
            "table": self.found.table,
            "number": self.hand,
            "turn": self.turn,
            "contract": self.turn.ruleset.contract(self.told.contract) if self.told else None,
            "told": self.told,
            "rules": self.rules,
            "form": self.form,
            "scores": may_score(self.request, self.found.table),
            "typed": is_typed,
            "deal": table,
            "cards": len(table.cards),
            "back": max(0, table.at - 1),
            "next": min(len(table.cards), table.at + 1),
            "faults": faults,
            "text_problems": [text_problem(p) for p in self.form.problems],
            "problems": [*problems, *(self._refused_by(problems))],
            "scored": scored,
            "score": list(zip(self.turn.players, scored.basic, scored.doubling, scored.total, strict=True))
            if scored
            else [],
            "why_not": [p for p in why_not if p not in problems],
            "in_play": self.is_in_play,
            "agrees": self.agrees,
            "may_keep": self._may_keep(faults, scored),
            "entered": told(self.turn, self.told) if self.disagreements else [],
            "brought": told(self.turn, self.with_result) if self.disagreements else [],
            "consequences": self._consequences(scored),
            "deck": self._deck() if self.rules else [],
            "whose_turn": self._whose_turn(),
            "conflict": clash,
            "lost": lost,
            "key": new_code(),
            "revision": self.state.revision(self.hand),
            "action": reverse("play", args=[self.found.table.code, self.found.number, self.hand]),
        }
        wrong = bool(problems or self.form.problems)
        status = status or (409 if clash or lost else 422 if wrong else 200)
        return render(self.request, "play.html", context, status=status)

    def _may_keep(self, faults: Sequence[Fault], scored: ScoredHand | None) -> bool:
        """There is something new to keep, and keeping it is not the same as using its result."""
        is_kept = self.told is None or (self.told.play or ()) == self.form.play
        return not (is_kept or faults or self.form.problems or self.disagreements or (scored and not self.agrees))

    def _refused_by(self, problems: Sequence[Problem]) -> list[Problem]:
        """With a refusal, what the tricks say of the entered result; both are shown then."""
        return [p for p in self.disagreements if p.code not in {q.code for q in problems}] if problems else []

    def _consequences(self, scored: ScoredHand | None) -> list[str]:
        new = self.with_result
        if scored is None or new is None or self.is_in_play or self.agrees:
            return []
        return consequences(self.state, self.hand, new)

    def _deck(self) -> list[tuple[str, list[tuple[Card, bool]]]]:
        """The cards to tap, suit by suit, high to low; those that lie already cannot be tapped."""
        played = {card for trick in self.form.play for card in trick.cards}
        heights = self.form.rules.heights
        return [
            (name, [(Card(c), c in played) for c in sorted(heights, key=lambda c: -heights[c]) if c[1] == suit])
            for suit, name in SUIT_NAMES.items()
        ]

    def _whose_turn(self) -> str:
        """Who plays the next card; nobody once the last trick is whole."""
        last: Trick | None = self.form.play[-1] if self.form.play else None
        if self.followed.end is not None or len(self.form.play) > self.form.rules.tricks_in_all:
            return ""
        if last is None:
            return self.turn.name(self.turn.declarer or 0)
        if len(last.cards) < len(self.turn.players):
            return self.turn.name((last.led_by + len(last.cards)) % len(self.turn.players))
        winner = self.followed.winners[-1]
        return "" if winner is None else self.turn.name(winner)
