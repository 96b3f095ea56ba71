"""The address of the hands behind a figure, and back: parameters to a question, a question to parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args
from urllib.parse import urlencode

from django.urls import reverse

from referee.figures import Ending, Game, How, Question, Role

from ..models import Player, Table

Word = TypeVar("Word", bound=str)

DOUBLED: tuple[How | Literal["any"], ...] = (*get_args(How), "any")


class Unknown(Exception):
    """Something asks for a figure that there is not."""


@dataclass(frozen=True)
class Asked:
    """What an address asks for: matches that ended like this, or the hands that answer a question."""

    game: Game
    ending: Ending | None
    other: int | None
    question: Question

    @classmethod
    def read(cls, query: Mapping[str, str], games: Iterable[Game], people: Iterable[Player]) -> Asked:
        """What is asked of the games that somebody has played; raises ``Unknown`` where there is no such figure."""
        game = chosen_game(query.get("game", ""), list(games))
        codes = {person.code: person.pk for person in people}
        ending = _one_of(query, "match", get_args(Ending))
        other = None if (code := _one_of(query, "with", codes)) is None else codes[code]
        question = Question(
            contract=_one_of(query, "contract", [contract.code for contract in game.contracts]),
            role=_one_of(query, "as", get_args(Role)),
            declaration=_number(query, "declaration", game.hands_each),
            passed_out=_one_of(query, "passed_out", ["1"]) is not None,
            coup=_one_of(query, "coup", ["1"]) is not None,
            chance=_one_of(query, "chance", ["1"]) is not None,
            doubled=_one_of(query, "doubled", DOUBLED),
            doubled_by=_one_of(query, "doubled_by", ["1"]) is not None,
            other=other,
        )
        return cls(game, ending, other, question)


def chosen_game(key: str, games: list[Game]) -> Game:
    """The game with this key, or this code; the first one where none is asked for."""
    found = [game for game in games if key in ("", game.key, game.code)]
    if not found:
        raise Unknown(key)
    return found[0]


def _one_of(query: Mapping[str, str], name: str, words: Iterable[Word]) -> Word | None:
    if (said := query.get(name)) is None:
        return None
    for word in words:
        if word == said:
            return word
    raise Unknown(name)


def _number(query: Mapping[str, str], name: str, most: int) -> int | None:
    if (said := query.get(name)) is None:
        return None
    if not re.fullmatch(r"[0-9]{1,3}", said, re.ASCII) or not 1 <= int(said) <= most:
        raise Unknown(name)
    return int(said)


@dataclass(frozen=True)
class Addresses:
    """Where the hands behind the figures of a player are, in one game."""

    table: Table
    player: Player
    game: Game

    def page(self) -> str:
        """The player's page, of this game."""
        return self._address("player", {})

    def matches(self, ending: Ending, other: Player | None = None) -> str:
        """The matches that ended like this, against another player or at all."""
        return self._address("player_hands", {"match": ending}, other)

    def hands(self, other: Player | None = None, **asked: str | int | None) -> str:
        """The hands that answer a question, told by its fields; doubles by and on another player, or anybody."""
        told = {"as" if name == "role" else name: str(said) for name, said in asked.items() if said is not None}
        return self._address("player_hands", told, other)

    def _address(self, page: str, told: Mapping[str, str], other: Player | None = None) -> str:
        query = {"game": self.game.key, **told, **({"with": other.code} if other else {})}
        return f"{reverse(page, args=[self.table.code, self.player.code])}?{urlencode(query)}"
