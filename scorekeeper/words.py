"""A hand in words: what was told, what two phones said differently, what a correction changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import referee
from referee import Contract, Counts, Turn
from referee.cards import RANK_NAMES, SUIT_GLYPHS
from referee.explain import signed
from referee.scoring import row_order

from .forms.hand import HandForm
from .models import Hand, State
from .templatetags.cards import isolated, says

Difference = tuple[str | float, ...]
"""One difference that a correction makes, so that two of them can be compared."""


def doubles_words(turn: Turn, hand: referee.Hand) -> str:
    """The doubles of a hand in signs: "Dee → Cy, Ann ⇄ Cy"."""
    pairs, words = hand.pairs, []
    for one, other in combinations(turn.speaking_order, 2):
        first, second = (one, other) if (one, other) in pairs else (other, one)
        if (first, second) in pairs:
            arrow = "⇄" if (second, first) in pairs else "→"
            words.append(f"{isolated(turn.name(first))} {arrow} {isolated(turn.name(second))}")
    return ", ".join(words)


def how_long(time: timedelta) -> str:
    """A length of time in words; days where a match was laid aside and taken up again.

    >>> how_long(timedelta(minutes=160)), how_long(timedelta(minutes=42)), how_long(timedelta(hours=3))
    ('2 h 40 min', '42 min', '3 h')
    """
    minutes = max(round(time.total_seconds() / 60), 1)
    if minutes >= 24 * 60:
        days = round(minutes / (24 * 60))
        return ngettext("over {n} day", "over {n} days", days).format(n=days)
    hours, minutes = divmod(minutes, 60)
    words = [_("{n} h").format(n=hours)] if hours else []
    return " ".join([*words, _("{n} min").format(n=minutes)] if minutes or not hours else words)


@dataclass(frozen=True)
class Correction:
    """What a correction would change, line by line; and a digest of it, to tell whether it still does."""

    lines: list[str]
    digest: str

    @classmethod
    def of(cls, state: State, number: int, hand: referee.Hand) -> Correction | None:
        """What it changes to put this hand in place of a finished one; None where it cannot, or changes nothing.

        The digest is of the hand and of the differences it makes. Other hands that are stored meanwhile change the
        totals, but as long as they leave the differences alone there is nothing new to be shown.
        """
        if not 1 <= number <= state.finished or hand == state.hand(number) or state.refused(number, hand):
            return None
        changes = list(_changes(state, number, hand))
        shown = [referee.to_record(hand), [difference for _line, difference in changes]]
        digest = hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]
        return cls([line for line, _difference in changes], digest)


@dataclass(frozen=True)
class Clash:
    """A page that came too late: what is stored of its hand, and what it says itself (nothing for an undo)."""

    number: int
    turn: int
    is_gone: bool
    revision: int
    stored: list[str]
    yours: list[str]
    correction: Correction | None = None

    @classmethod
    def of(cls, state: State, number: int, form: HandForm | None) -> Clash:
        """The clash over a hand: it was entered or changed meanwhile, or it or one before it was taken back."""
        turn = state.match.turn_of(number)
        return cls(
            number=number,
            turn=state.number,
            is_gone=state.hand(number) is None,
            revision=state.revision(number),
            stored=told(turn, state.hand(number)),
            yours=told(form.turn, form.hand) if form else [],
            correction=Correction.of(state, number, form.hand) if form and form.is_complete else None,
        )


def so_far(turn: Turn, hand: referee.Hand | None) -> list[str]:
    """A hand under way in words: what was said of it up to now, and nothing where nothing was."""
    return [line for line in told(turn, hand) if line != _("no result yet")] if hand else []


def told(turn: Turn, hand: referee.Hand | None) -> list[str]:
    """A hand in words, a line a thing: what was declared, doubled and taken."""
    if hand is None:
        return [_("not played")]
    contract = turn.ruleset.contract(hand.contract)
    if contract is None:
        return [_("nothing declared yet"), *irregular_words(turn, hand)]
    lines = [_(contract.name) + (f" {SUIT_GLYPHS.get(hand.trump, hand.trump)}" if hand.trump else "")]
    if hand.start:
        lines[0] += f" {RANK_NAMES.get(hand.start, hand.start)}"
    if turn.ruleset.doubling.who != "none":
        doubled = doubles_words(turn, hand)
        lines.append(_("doubles not asked yet") if hand.doubles is None else doubled or _("nobody doubled"))
    lines += _result_words(turn, contract, hand)
    if hand.play:
        lines.append(_("{n} tricks card by card").format(n=len(hand.play)))
    if hand.played_anyway:
        lines.append(_("played anyway"))
    lines += irregular_words(turn, hand)
    if hand.note:
        lines.append(_("Note: {text}").format(text=hand.note))
    return lines


def irregular_words(turn: Turn, hand: referee.Hand) -> list[str]:
    """How often a hand was dealt again, and the penalty beside it."""
    words = []
    if hand.misdeals:
        times = _("dealt again once") if hand.misdeals == 1 else _("dealt again {n} times")
        words.append(times.format(n=hand.misdeals))
    if hand.adjustment is not None:
        words.append(_("Penalty: {points}").format(points=penalty_words(turn, hand)))
    return words


def penalty_words(turn: Turn, hand: referee.Hand) -> str:
    """A penalty in words: "Ann −10, Bob +10: revoke"; empty where there is none."""
    if hand.adjustment is None:
        return ""
    points = sorted(hand.adjustment.points.items())
    words = ", ".join(f"{isolated(turn.name(seat))} {signed(number)}" for seat, number in points)
    return f"{words}: {hand.adjustment.reason}" if hand.adjustment.reason else words


@dataclass(frozen=True)
class Version:
    """A line of a hand's history: what was done, in words, when by the table's clock, and on which device."""

    action: str
    at: datetime
    device: str
    told: list[str]


def versions(turn: Turn, rows: Iterable[Hand]) -> list[Version]:
    """The history of a hand, the oldest first; steps on the way to a finished hand are left out."""
    return [
        Version(row.get_action_display(), row.at, row.device, told(turn, hand))
        for row in rows
        for hand in [None if row.record is None else row.told()]
        if hand is None or turn.is_finished(hand)
    ]


def _result_words(turn: Turn, contract: Contract, hand: referee.Hand) -> list[str]:
    if turn.is_passed_out(hand):
        return [_("passed out")]
    if hand.coup is not None:
        words = _("{player} made the coup") if hand.coup.made else _("{player} failed with a coup")
        return [words.format(player=isolated(turn.name(hand.coup.by)))]
    result = turn.result(hand)
    if result is None:
        return [_("no result yet")]
    items = contract.items if isinstance(contract, Counts) else ()
    names = [isolated(turn.name(seat)) for seat in turn.seats]
    lines = []
    for item in items:
        taken = (result.counts or {}).get(item.code, {})
        shown = [
            names[seat] if item.is_single else f"{names[seat]} {number}"
            for seat, number in sorted(taken.items())
            if number
        ]
        lines.append(f"{_(item.name)}: {', '.join(shown) or '–'}")
    if result.finish:
        lines.append(_("Out: {players}").format(players=", ".join(names[seat] for seat in result.finish)))
    for row, units in (result.beats or {}).items():
        groups = [" = ".join(turn.name(seat) for seat in group) for group in row_order(units, len(turn.players))]
        lines.append(f"{row}: {', '.join(groups)}")
    if result.best is not None:
        lines.append(_("Overall unit: {player}").format(player=isolated(turn.name(result.best))))
    if result.ravaged:
        lines.append(_("Ravaged: {players}").format(players=", ".join(names[seat] for seat in sorted(result.ravaged))))
    return lines


def consequences(state: State, number: int, hand: referee.Hand) -> list[str]:
    """What a correction changes: the hand's own score, totals, duties, contracts, and what comes next."""
    return [line for line, _difference in _changes(state, number, hand)]


def _changes(state: State, number: int, hand: referee.Hand) -> Iterator[tuple[str, Difference]]:
    """Each change in words, and as the difference that it makes."""
    before, after = state.match, state.with_hand(number, hand)
    names = [isolated(name) for name in before.players]
    old, new = before.scored[number - 1], after.scored[number - 1]
    for seat, name in enumerate(names):
        if old.total[seat] != new.total[seat]:
            message = _("Hand {number}: {player} {old} becomes {new}")
            values = {"old": signed(old.total[seat]), "new": signed(new.total[seat])}
            line = message.format(number=number, player=name, **values)
            yield line, ("hand", seat, old.total[seat], new.total[seat])
    for seat, name in enumerate(names):
        was, now = before.turn.running[seat], after.turn.running[seat]
        if was != now:
            line = _("Total of {player}: {old} becomes {new}").format(player=name, old=signed(was), new=signed(now))
            yield line, ("total", seat, now - was)
    for who, name in enumerate(names):
        for declarer, other in enumerate(names):
            owed, owes = before.turn.owed(who, declarer), after.turn.owed(who, declarer)
            if owed != owes:
                message = _("{player} owes {declarer} {owes} instead of {owed}")
                yield (
                    message.format(player=name, declarer=other, owes=owes, owed=owed),
                    ("owes", who, declarer, owes - owed),
                )
    for seat, name in enumerate(names):
        free, frees = (
            {contract.code: _(contract.name) for contract in match.turn.may_declare(seat)} for match in (before, after)
        )
        for code, contract in frees.items():
            if code not in free:
                line = _("{contract} is free again for {player}").format(contract=contract, player=name)
                yield line, ("free", seat, code)
        for code, contract in free.items():
            if code not in frees:
                line = _("{contract} is used up for {player}").format(contract=contract, player=name)
                yield line, ("used", seat, code)
    for scored in after.finished_hands:
        for remark in scored.remarks:
            if scored.number > number and remark not in before.scored[scored.number - 1].remarks:
                line = _("Hand {number}: {remark}").format(number=scored.number, remark=says(remark))
                yield line, ("remark", scored.number, remark.code, line)
    won, wins = (", ".join(names[seat] for seat in match.winners) for match in (before, after))
    if won != wins:
        line = _("The winner: {old} becomes {new}").format(old=won or _("nobody"), new=wins or _("nobody"))
        yield line, ("winner", won, wins)
    if before.turn.declarer != after.turn.declarer and after.turn.declarer is not None:
        yield _("{player} declares next").format(player=names[after.turn.declarer]), ("next", after.turn.declarer)
