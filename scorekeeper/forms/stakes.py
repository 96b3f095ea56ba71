"""What has been taken so far in the hand being played, from the counters of the stakes or from its tricks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.http import QueryDict

from referee import Beats, Contract, Counts, Finish, Hand, Problem, Ravaged, Result, Turn
from referee.hands import Seat
from referee.problems import gettext_noop, problem
from referee.rules import Item


@dataclass
class SoFar:
    """The counters: of each item and player how many, who took what there is one of, who is out."""

    turn: Turn
    contract: Contract
    counts: dict[str, dict[Seat, int]] = field(default_factory=dict)
    out: list[Seat] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    from_play: bool = False

    @classmethod
    def of(cls, turn: Turn, contract: Contract, hand: Hand, data: QueryDict) -> SoFar:
        """The counters of the address; where it has none, what the stored tricks tell."""
        form = cls(turn, contract)
        if not data:
            followed = turn.followed(hand)
            if followed is not None and hand.play:
                form.from_play = True
                form.counts = {code: dict(taken) for code, taken in followed.counts.items()}
            return form
        for item in contract.items if isinstance(contract, Counts) else ():
            form._take(item, data)
        if isinstance(contract, Finish):
            form.out = [seat for value in dict.fromkeys(data.getlist("out")) for seat in form._seats("out", value)]
        return form

    @property
    def result(self) -> Result | None:
        """The part of a result that is told so far."""
        match self.contract:
            case Counts():
                return Result(counts=self.counts)
            case Finish():
                return Result(finish=tuple(self.out))
            case Ravaged() | Beats():
                return None

    @property
    def query(self) -> list[tuple[str, str]]:
        """The counters as the end of an address."""
        singles = {item.code for item in self.items if item.is_single}
        told = [
            (code, str(seat)) if code in singles else (f"{code}-{seat}", str(number))
            for code, taken in self.counts.items()
            for seat, number in taken.items()
            if number
        ]
        return [*told, *(("out", str(seat)) for seat in self.out)] or [("none", "1")]

    @property
    def items(self) -> tuple[Item, ...]:
        """What is counted in this contract."""
        return self.contract.items if isinstance(self.contract, Counts) else ()

    def left(self, item: Item) -> int:
        """How many are still out."""
        return item.in_play(len(self.turn.players)) - sum(self.counts.get(item.code, {}).values())

    def _take(self, item: Item, data: QueryDict) -> None:
        taken: dict[Seat, int] = {}
        if item.is_single:
            taken = {
                seat: 1 for value in data.getlist(item.code)[:1] if value for seat in self._seats(item.code, value)
            }
        for seat in () if item.is_single else self.turn.seats:
            text = data.get(f"{item.code}-{seat}", "").strip()
            number = int(text) if re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) else None
            if text and (number is None or number > item.in_play(len(self.turn.players))):
                message = gettext_noop("{items} for {player}: “{given}” is not a whole number from 0 to {most}.")
                values = {"player": self.turn.players[seat], "given": text[:40], "items": item.name}
                self._wrong(item.code, message, most=item.in_play(len(self.turn.players)), **values)
            elif number:
                taken[seat] = number
        for name, step in (("more", 1), ("less", -1)):
            code, _dash, place = data.get(name, "").rpartition("-")
            if code == item.code and not item.is_single:
                for seat in self._seats(name, place):
                    taken[seat] = max(0, taken.get(seat, 0) + step)
        self.counts[item.code] = taken
        if (over := -self.left(item)) > 0:
            message = gettext_noop("{entered} {items} entered; {in_play} were played. {over} too many.")
            in_play = item.in_play(len(self.turn.players))
            self._wrong(item.code, message, entered=in_play + over, in_play=in_play, items=item.many, over=over)
            self.counts[item.code] = {}

    def _seats(self, where: str, value: str) -> list[Seat]:
        if value in [str(seat) for seat in self.turn.seats]:
            return [int(value)]
        self._wrong(where, gettext_noop("“{given}” is no player of this match."), given=value[:40])
        return []

    def _wrong(self, where: str, message: str, **values: object) -> None:
        self.problems.append(problem("not-understood", where, message, **values))
