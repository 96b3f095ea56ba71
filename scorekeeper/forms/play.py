"""The form of a hand card by card: tricks as they are pasted, typed or tapped, and as text again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from referee import Problem, Turn
from referee.hands import Seat, Trick
from referee.play import COMPASS, WORD, Columns, TrickRules, read_card, read_columns
from referee.problems import gettext_noop, problem

LONGEST = 8_000
"""Characters that are read at most; a whole hand in columns has some 200, as JSON some 800."""

MOST_PROBLEMS = 12
"""Problems of a text that are shown; whoever pasted something else altogether needs no more."""


@dataclass(frozen=True)
class PlayForm:
    """What stands in the text field, and the tricks it tells or what is wrong with it."""

    turn: Turn
    rules: TrickRules
    text: str = ""
    south: Seat = 0
    play: tuple[Trick, ...] = ()
    problems: tuple[Problem, ...] = ()
    tapped: bool = False

    @classmethod
    def of(cls, turn: Turn, rules: TrickRules, play: Sequence[Trick]) -> PlayForm:
        """The form of the tricks that are stored with a hand."""
        return cls(turn=turn, rules=rules, text=as_text(play, rules, turn), play=tuple(play))

    @classmethod
    def posted(cls, turn: Turn, rules: TrickRules, data: QueryDict) -> PlayForm:
        """The form as it was sent; a tapped card follows the last one, and nothing typed is changed by reading it."""
        text, south = data.get("tricks", ""), data.get("south", "")
        seat = int(south) if south in [str(seat) for seat in turn.seats] else 0
        read = read_tricks(text, rules, turn, south=seat)
        form = cls(turn, rules, text, seat, read.play, read.problems[:MOST_PROBLEMS])
        return form if form.problems else form._tapped(data)

    def _tapped(self, data: QueryDict) -> PlayForm:
        play = self.play
        if card := read_card(data.get("card", "")):
            play = with_card(play, card, self.rules, self.turn)
        elif "take_back" in data and play:
            shorter = Trick(led_by=play[-1].led_by, cards=play[-1].cards[:-1])
            play = (*play[:-1], *([shorter] if shorter.cards else []))
        if play == self.play:
            return self
        text = as_text(play, self.rules, self.turn)
        return PlayForm(self.turn, self.rules, text, 0, play, tapped=True)


def read_tricks(text: str, rules: TrickRules, turn: Turn, *, south: Seat = 0) -> Columns:
    """Tricks in columns, or as the ``play`` of a match file; of an empty text none."""
    if len(text) > LONGEST:
        message = gettext_noop("The text has {given} characters; at most {longest} are read.")
        return Columns(problems=(problem("not-understood", "line 1", message, given=len(text), longest=LONGEST),))
    if not text.strip():
        return Columns()
    if text.lstrip()[0] in "[{":
        return _read_json(text, turn)
    first = next(line for line in text.splitlines() if line.strip())
    words = WORD.findall(first)
    if words and all(read_card(word) in rules.heights for word in words):
        message = gettext_noop(
            "The first line must name the players, such as {heading}; the tricks begin in the line below."
        )
        heading = " ".join(_compass(rules)) or " ".join(turn.players)
        return Columns(problems=(problem("player-count", "line 1", message, heading=heading),))
    declarer = turn.declarer or 0
    return read_columns(text, rules, declarer, turn.players, south=south)


def with_card(play: Sequence[Trick], card: str, rules: TrickRules, turn: Turn) -> tuple[Trick, ...]:
    """The tricks with one more card, played by whose turn it is."""
    last = play[-1] if play else None
    if last is not None and len(last.cards) < rules.players:
        return (*play[:-1], Trick(led_by=last.led_by, cards=(*last.cards, card)))
    leader = turn.declarer or 0
    if last is not None:
        leader = (last.led_by + last.cards.index(rules.winning(last.cards) or last.cards[0])) % rules.players
    return (*play, Trick(led_by=leader, cards=(card,)))


def as_text(play: Sequence[Trick], rules: TrickRules, turn: Turn) -> str:
    """Tricks as the text that tells them: columns by seat, or where columns cannot tell who led, a match file's."""
    if not play:
        return ""
    for heading in _headings(rules, turn):
        lines = [heading, *(_line(trick, rules) for trick in play)]
        width = max(len(word) for words in lines for word in words)
        text = "\n".join(" ".join(word.ljust(width) for word in words).rstrip() for words in lines)
        if read_tricks(text, rules, turn).play == tuple(play):
            return text
    told = [{"led_by": turn.name(trick.led_by), "cards": list(trick.cards)} for trick in play]
    return "[\n" + ",\n".join(json.dumps(trick, ensure_ascii=False) for trick in told) + "\n]"


def _headings(rules: TrickRules, turn: Turn) -> Iterator[list[str]]:
    """The players' names where each is one word, else the points of the compass."""
    if all(WORD.fullmatch(name) for name in turn.players):
        yield list(turn.players)
    if compass := _compass(rules):
        yield compass


def _compass(rules: TrickRules) -> list[str]:
    sides = COMPASS[rules.ruleset.direction][: rules.players]
    return [side[0].upper() for side in sides] if len(sides) == rules.players else []


def _line(trick: Trick, rules: TrickRules) -> list[str]:
    by_seat = {(trick.led_by + place) % rules.players: card for place, card in enumerate(trick.cards)}
    return [by_seat.get(seat, "-") for seat in range(rules.players)]


def _read_json(text: str, turn: Turn) -> Columns:
    """The ``play`` of a match file: who led each trick, and its cards."""
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return _not_json(where, line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):
        return _not_json("line 1", line=1, column=1)
    told = told.get("play", told) if isinstance(told, dict) else told
    play, problems = list[Trick](), list[Problem]()
    for number, trick in enumerate(told if isinstance(told, list) else [None], 1):
        found = _one_trick(trick, number, turn)
        (play if isinstance(found, Trick) else problems).append(found)  # type: ignore[arg-type]
    return Columns(play=() if problems else tuple(play), problems=tuple(problems))


def _one_trick(told: Any, number: int, turn: Turn) -> Trick | Problem:
    led_by, cards = (told.get("led_by"), told.get("cards")) if isinstance(told, dict) else (None, None)
    if not isinstance(led_by, str) or not isinstance(cards, list) or not all(isinstance(c, str) for c in cards):
        message = gettext_noop("Trick {number} is no trick: it has “led_by”, a player, and “cards”, a list of cards.")
        return problem("not-understood", f"trick {number}", message, number=number)
    if led_by not in turn.players:
        message = gettext_noop("Trick {number} is led by “{given}”, who is nobody of this match.")
        return problem("unknown-player", f"trick {number}", message, number=number, given=led_by)
    return Trick(led_by=turn.players.index(led_by), cards=tuple(read_card(card) or card for card in cards))


def _not_json(where: str, **values: object) -> Columns:
    message = gettext_noop("Line {line}, column {column}: this is not the play of a match file.")
    return Columns(problems=(problem("not-understood", where, message, **values),))
