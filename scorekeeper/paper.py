"""A match looked back on: the sheet as on paper, its line, its turning points, and what is said of it in a chat."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import referee
from referee import ScoredHand, Turn, explain, ledger
from referee.cards import RANK_NAMES, SUIT_GLYPHS
from referee.explain import signed
from referee.hands import Seat
from referee.ledger import Block, Extremes
from referee.problems import figure

from .charts import line_of
from .models import Hand, Match, State
from .templatetags.cards import NO_EMOJI, gainloss, isolated, says, tone, total
from .words import doubles_words, how_long, penalty_words, told

SHORT = 3
"""So many letters of a name at most stand for a player on the sheet; else the first one and the seat."""


# --- the sheet as on paper ---


@dataclass(frozen=True)
class Cell:
    """A player's change in a hand, its colour, and the running total after it; nothing in an open line."""

    change: str
    tone: str
    running: str
    declares: bool


@dataclass(frozen=True)
class PaperLine:
    """A line of the sheet: hand, contract, who doubled whom in marks, and each player's cell.

    ``beside`` is what happened beside the score, ``name`` what the line is called where it is heard.
    """

    number: int | None
    name: str
    contract: str
    trump: str
    marks: str
    beside: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class PaperBlock:
    """A block of the sheet: whose hands they are, its lines, and the sum of each player."""

    title: str
    lines: tuple[PaperLine, ...]
    sums: tuple[tuple[str, str], ...]


def paper(match: referee.Match) -> list[PaperBlock]:
    """The score sheet as people know it from paper."""
    marks = marks_of(match.players)
    return [
        PaperBlock(
            title=_title(match, block),
            lines=tuple(_line(match, block, line, marks) for line in block.lines),
            sums=tuple((signed(points), tone(points, match.ruleset)) for points in block.total),
        )
        for block in ledger.blocks(match)
    ]


def _title(match: referee.Match, block: Block) -> str:
    if block.declarer is not None:
        return _("{player} declares").format(player=isolated(match.players[block.declarer]))
    if block.round is not None:
        return _("Round {number}").format(number=block.round)
    first, last = block.hands[0].number, block.hands[-1].number
    if first == last:
        return _("Round {number}").format(number=first)
    return _("Rounds {first}–{last}").format(first=first, last=last)


def _line(match: referee.Match, block: Block, line: ledger.Line, marks: Sequence[str]) -> PaperLine:
    scored, contract = line.scored, _(line.contract.name) if match.ruleset.has_declarer else ""
    if scored is None:
        nothing = tuple(Cell("", "", "", False) for _seat in match.players)
        return PaperLine(None, "", contract, "", "", "", nothing)
    hand, turn = scored.hand, scored.turn
    beside = ", ".join(_beside(scored))
    doubled = _("passed out") if scored.passed_out else doubles_words(turn, hand)
    named = [_("Explain hand {number}").format(number=scored.number), contract, doubled, beside]
    return PaperLine(
        number=scored.number,
        name=", ".join(filter(None, named)),
        contract=contract,
        trump=hand.trump or "",
        marks=doubled if scored.passed_out else doubling_marks(turn, hand, marks),
        beside=beside,
        cells=tuple(
            Cell(
                change=signed(scored.total[seat]),
                tone=tone(scored.total[seat], match.ruleset),
                running=total(scored.running[seat], match.ruleset),
                declares=block.declarer is None and seat == turn.declarer,
            )
            for seat in turn.seats
        ),
    )


def _beside(scored: ScoredHand) -> Iterable[str]:
    """What happened beside the score, a word or two each."""
    if scored.hand.coup is not None:
        yield _("coup") if scored.hand.coup.made else _("coup failed")
    if scored.remarks:
        yield _("played anyway")
    if scored.hand.adjustment is not None:
        yield _("penalty")


def doubling_marks(turn: Turn, hand: referee.Hand, marks: Sequence[str]) -> str:
    """Who doubled whom as it is written on paper: "B→A C" for two doubles of Bob's, "C⇄A" where Ann doubled back."""
    pairs, words, spoken = hand.pairs, [], list[Seat]()
    for who in turn.speaking_order:
        doubled = [whom for whom in turn.seats if (who, whom) in pairs]
        single = [marks[whom] for whom in doubled if (whom, who) not in pairs]
        twice = [marks[whom] for whom in doubled if (whom, who) in pairs and whom not in spoken]
        words += [f"{marks[who]}{sign}{' '.join(met)}" for sign, met in (("→", single), ("⇄", twice)) if met]
        spoken.append(who)
    return ", ".join(words)


def marks_of(names: Sequence[str]) -> list[str]:
    """A letter or two for each player: so many of the name's first letters as tell it from the others.

    >>> marks_of(["Ann", "Bob", "Cy", "Dee"]), marks_of(["Anna", "Andy", "Bob", "bea"])
    (['A', 'B', 'C', 'D'], ['Ann', 'And', 'Bo', 'be'])
    >>> marks_of(["Annabel", "Annalena", "Bob"])
    (['A1', 'A2', 'B'])
    """
    letters = [_letters(name) for name in names]
    found = []
    for seat, own in enumerate(letters):
        others = [[one.casefold() for one in other] for place, other in enumerate(letters) if place != seat]
        mine = [one.casefold() for one in own]
        length = next((n for n in range(1, SHORT + 1) if all(mine[:n] != other[:n] for other in others)), None)
        found.append(isolated("".join(own[:length]) if length else f"{own[0]}{seat + 1}"))
    return found


def key_of_marks(match: referee.Match) -> list[tuple[str, str]]:
    """Which mark stands for whom; none where nobody doubles."""
    if match.ruleset.doubling.who == "none":
        return []
    return list(zip(marks_of(match.players), match.players, strict=True))


def _letters(name: str) -> list[str]:
    """The letters of a name as people count them, near enough: accents and joined emoji stay with theirs."""
    found: list[str] = []
    for character in name:
        joins = found and (found[-1].endswith("\N{ZERO WIDTH JOINER}") or _leans(character))
        if joins:
            found[-1] += character
        else:
            found.append(character)
    return found


def _leans(character: str) -> bool:
    """It stands on the character before it: an accent, a joiner, a tone of skin."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff"


# --- hand by hand ---


@dataclass(frozen=True)
class Told:
    """A hand explained: its heading, each player's change, and the sentences behind it."""

    number: int
    title: str
    changes: str
    lines: tuple[str, ...]


def hand_by_hand(match: referee.Match) -> list[Told]:
    """Every finished hand in words, in the order of play."""
    return [_told(scored) for scored in match.finished_hands]


def _told(scored: ScoredHand) -> Told:
    turn, explanation = scored.turn, explain(scored)
    names = [isolated(name) for name in turn.players]
    changes = [f"{name} {signed(points)}" for name, points in zip(names, scored.total, strict=True)]
    lines = []
    for player in explanation.players:
        parts = [f"{says(part.what)} {signed(part.points)}" for part in player.parts]
        if player.doubling:
            parts.append(_("doubling {points}").format(points=signed(player.doubling)))
        if player.from_bank:
            parts.append(_("from the bank {points}").format(points=signed(player.from_bank)))
        if parts:
            lines.append(f"{names[player.seat]}: {', '.join(parts)}")
    lines += [says(pair.says) for pair in explanation.pairs]
    lines += [says(remark) for remark in scored.remarks]
    if scored.hand.adjustment is not None:
        lines.append(_("Penalty: {points}").format(points=penalty_words(turn, scored.hand)))
    if scored.hand.note:
        lines.append(_("Note: {text}").format(text=isolated(scored.hand.note)))
    return Told(scored.number, hand_words(scored), ", ".join(changes), tuple(lines))


def hand_words(scored: ScoredHand) -> str:
    """What a hand was, in a few words: "Trumps ♠, Cy"; nothing of a round in which nobody declares."""
    contract, turn = scored.contract, scored.turn
    if contract is None or turn.declarer is None:
        return ""
    trump, start = scored.hand.trump or "", scored.hand.start or ""
    sign = (
        f" {SUIT_GLYPHS[trump]}{NO_EMOJI}"
        if trump in SUIT_GLYPHS
        else f" {RANK_NAMES.get(start, start)}"
        if start
        else ""
    )
    return _("{contract}, {player}").format(
        contract=_(contract.name) + sign, player=isolated(turn.players[turn.declarer])
    )


# --- the ledger, the turning points, duties ---


@dataclass(frozen=True)
class PairWords:
    """The ledger of a pair: who won how much from whom, and hand by hand."""

    title: str
    hands: tuple[tuple[int, str], ...]


def pair_words(match: referee.Match, kept: Sequence[ledger.Account]) -> list[PairWords]:
    """The ledgers in which something stands, each with the sentence of every hand."""
    return [
        PairWords(_balance(match, account), tuple((hand.number, says(hand.says)) for hand in account.hands))
        for account in kept
        if account.hands
    ]


def _balance(match: referee.Match, account: ledger.Account) -> str:
    one, other = isolated(match.players[account.one]), isolated(match.players[account.other])
    if not account.moved:
        return _("{one} and {other}: even").format(one=one, other=other)
    if account.moved < 0:
        one, other = other, one
    message = _("{one} won {points} from {other}")
    return message.format(one=one, other=other, points=figure(abs(account.moved)))


def won_rows(match: referee.Match, kept: Sequence[ledger.Account]) -> list[dict[str, Any]]:
    """What doubling won each player from each other, and in sum, with the colours."""
    return [
        {
            "name": match.players[row.seat],
            "cells": [None if points is None else (signed(points), gainloss(points)) for points in row.of],
            "total": (signed(row.total), gainloss(row.total)),
        }
        for row in ledger.won_by_doubling(match, kept)
    ]


def named(match: referee.Match, number: int) -> str:
    """A hand by its number, or a round where nobody declares."""
    return (_("Hand {number}") if match.ruleset.has_declarer else _("Round {number}")).format(number=number)


def swing_words(match: referee.Match) -> list[tuple[int, str, str]]:
    """The largest swings: the hand, and whom it moved how far."""
    found = []
    for swing in ledger.swings(match):
        moved = ", ".join(f"{isolated(match.players[seat])} {signed(points)}" for seat, points in swing.moved)
        what = hand_words(match.scored[swing.number - 1])
        found.append((swing.number, named(match, swing.number), f"{what}: {moved}" if what else moved))
    return found


def lead_words(match: referee.Match) -> list[tuple[int, str, str]]:
    """Every change of the lead: the hand, and who took it from whom."""
    return [(lead.number, named(match, lead.number), says(lead.says)) for lead in ledger.leads(match)]


def extremes(match: referee.Match) -> list[dict[str, Any]]:
    """Each player's best and worst hand."""
    return [
        {"name": match.players[found.seat], "hands": [_extreme(match, found, is_best) for is_best in (True, False)]}
        for found in ledger.best_and_worst(match)
    ]


def _extreme(match: referee.Match, found: Extremes, is_best: bool) -> dict[str, Any]:
    points, numbers = (found.best, found.best_hands) if is_best else (found.worst, found.worst_hands)
    scored = match.scored[numbers[0] - 1]
    words = named(match, numbers[0])
    if match.ruleset.has_declarer and scored.contract is not None:
        words = _("{contract}, hand {number}").format(contract=_(scored.contract.name), number=numbers[0])
    if len(numbers) > 1:
        words = _("{hand} and {n} more").format(hand=words, n=len(numbers) - 1)
    return {
        "points": signed(points),
        "tone": tone(points, match.ruleset),
        "number": numbers[0],
        "words": words,
    }


def duty_rows(match: referee.Match) -> list[dict[str, Any]]:
    """Duties: a row a player, a cell a declarer with the hands that met it, or what is still owed."""
    rows = []
    for who, row in enumerate(ledger.duties(match)):
        cells: list[dict[str, Any] | None] = []
        for duty in row:
            if duty is None:
                cells.append(None)
                continue
            signs = [f"{number}!" if number in duty.forced else str(number) for number in duty.hands]
            cells.append({"met": duty.met, "owed": duty.owed, "hands": ", ".join(signs), "missed": duty.missed})
        rows.append({"name": match.players[who], "cells": cells})
    return rows


# --- corrections ---


@dataclass(frozen=True)
class Correction:
    """Something that was put right: what was done to which hand, when, on which device, and what it said then.

    ``stands`` where the hand is played now.
    """

    number: int
    stands: bool
    action: str
    at: datetime
    device: str
    before: str
    after: str


def corrections(match: referee.Match, rows: Iterable[Hand]) -> list[Correction]:
    """What was corrected, taken back, brought back or entered anew, in the order in which it was done.

    Steps on the way to a finished hand are left out, and so is a hand's first entry.
    """
    stands = len(match.finished_hands)
    found, said, undone = [], dict[int, str](), set[int]()
    for row in rows:
        turn = match.turn_of(row.number)
        hand = None if row.record is None else row.told()
        if hand is not None and not turn.is_finished(hand):
            continue
        now = "" if hand is None else " · ".join(told(turn, hand))
        before = said.get(row.number, "")
        again = row.action == Hand.Action.ENTER
        if (not again or row.number in undone) and (before or now):
            action = _("entered again") if again else str(row.get_action_display())
            found.append(Correction(row.number, row.number <= stands, action, row.at, row.device, before, now))
        undone = undone | {row.number} if hand is None else undone - {row.number}
        said[row.number] = now or before
    return found


# --- the whole, and what is said of it elsewhere ---


def by_the_clock(match: Match, at: datetime) -> datetime:
    """A moment by the clock of the place where the match was played."""
    return timezone.make_naive(at, ZoneInfo(match.zone))


def places(match: referee.Match) -> list[dict[str, Any]]:
    """The places so far or at the end, ties sharing one."""
    return [
        {"place": standing.place, "name": match.players[standing.seat], "score": standing.score}
        for standing in match.standings
    ]


def how_far(match: referee.Match) -> str:
    """How long the match was, or how far it got."""
    hands, ruleset = len(match.finished_hands), match.ruleset
    in_all = ruleset.hands_in_all(len(match.players))
    if not ruleset.has_declarer:
        return ngettext("{n} round", "{n} rounds", hands).format(n=hands)
    if match.is_over or in_all is None:
        return ngettext("{n} hand", "{n} hands", hands).format(n=hands)
    return _("{n} of {all} hands").format(n=hands, all=in_all)


def as_text(match: Match, played: referee.Match) -> str:
    """The match as a short plain text, to be pasted into a chat."""
    when = date_format(by_the_clock(match, match.began), "D j M Y")
    lines = [f"{_(played.ruleset.name)} · {how_far(played)} · {when}"]
    for standing in played.standings:
        score = total(standing.score, played.ruleset)
        lines.append(f"{standing.place}. {isolated(played.players[standing.seat])} {score}")
    found = ledger.best_and_worst(played)
    if found:
        pick = min if played.ruleset.wins == "lowest" else max
        best = pick(found, key=lambda one: one.best)
        scored = played.scored[best.best_hands[0] - 1]
        what = _(scored.contract.name) if scored.contract and played.ruleset.has_declarer else ""
        message = _("Best hand: {player} {points} (hand {number}, {contract})")
        if not what:
            message = _("Best round: {player} {points} (round {number})")
        values = {"player": isolated(played.players[best.seat]), "points": signed(best.best)}
        lines.append(message.format(number=scored.number, contract=what, **values))
    return "\n".join(lines)


def look_back(match: Match, state: State) -> dict[str, Any]:
    """What the end of a match and its review both show."""
    played = state.match
    kept = ledger.accounts(played)
    return {
        "line": line_of(played),
        "extremes": extremes(played),
        "won": won_rows(played, kept),
        "as_text": as_text(match, played),
        "began": by_the_clock(match, match.began),
        "how_far": how_far(played),
        "is_single": len(played.finished_hands) == 1,
    }


def length(match: Match, rows: Sequence[Hand], state: State) -> tuple[datetime | None, str]:
    """When the last hand was entered, and how long it took till then; nothing where no clock can tell."""
    entered = [row.at for row in rows if row.action == Hand.Action.ENTER and row.number == state.finished]
    if not entered or entered[-1] < match.began:
        return None, ""
    return by_the_clock(match, entered[-1]), how_long(entered[-1] - match.began)
