"""What the page of a player shows, worked out from the figures of a table; templates only show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.figures import Against, Ending, Figures, Game, How, Record, Role, Sum
from referee.rules import Points

from .bars import Bars, bars
from .figures import Book
from .forms.figures import Addresses
from .models import Player, Table
from .templatetags.cards import isolated
from .templatetags.figures import average

ENOUGH = 5
"""So many hands before a figure is compared with that of all players."""


@dataclass(frozen=True)
class Tab:
    """A game to choose: its name, how many matches of it, its address."""

    game: Game
    matches: int
    href: str
    is_chosen: bool


@dataclass(frozen=True)
class Cell:
    """An average over hands, which stand behind its link; ``everyone`` is that of all, where there is enough to say."""

    sum: Sum
    everyone: float | None
    href: str


@dataclass(frozen=True)
class ContractRow:
    """A contract: its name, and each role in it."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class DoublingRow:
    """One kind of doubles: what it is, how often, what it brought, and the hands behind it."""

    says: str
    sum: Sum
    href: str


@dataclass(frozen=True)
class Pair:
    """Doubling with another player, both ways and together."""

    player: Player
    ways: tuple[DoublingRow, DoublingRow]
    won: Points
    href: str


@dataclass(frozen=True)
class Opponent:
    """Another player: who was placed before whom in the finished matches of both."""

    player: Player
    matches: int
    endings: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DeclarationRow:
    """A contract, and how often it was the first, second, … that a player declared."""

    name: str
    short: str
    cells: tuple[tuple[int, str], ...]


class Profile:
    """A player's figures in one game."""

    def __init__(self, table: Table, player: Player, people: Mapping[int, Player], book: Book, game: Game) -> None:
        self.player, self.people, self.book, self.game = player, people, book, game
        self.figures: Figures = book.figures(game)
        self.record: Record = self.figures.records[player.pk]
        self.to = Addresses(table, player, game)
        self.table = table

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that a game has: without declarers everybody is one of the others."""
        return ("declarer", "other") if self.game.has_declarer else ("other",)

    def results(self) -> dict[str, object]:
        """How the matches ended: how many, how many won, the average and the best score."""
        best = self.book.best(self.game, self.player.pk)
        return {
            "finished": self.record.results,
            "won": self.record.won,
            "shared": self.record.shared,
            "unfinished": self.record.unfinished,
            "best": best and best[0],
            "best_href": best and reverse("match", args=[self.table.code, best[1].number]),
            "hrefs": {ending: self.to.matches(ending) for ending in ("finished", "won", "shared", "unfinished")},
        }

    def contracts(self) -> list[ContractRow]:
        """Each contract that the player has met, in the order of the rules."""
        rows = []
        for contract in self.game.contracts:
            cells = tuple(self._cell(contract.code, role) for role in self.roles)
            if any(cell.sum.count for cell in cells):
                rows.append(ContractRow(_(contract.name), cells))
        return rows

    def _cell(self, contract: str, role: Role) -> Cell:
        mine = self.record.declared if role == "declarer" else self.record.other
        found = mine.get(contract) or Sum()
        everyone = self.figures.everyone(contract, role)
        href = self.to.hands(contract=contract, role=role if self.game.has_declarer else None)
        return Cell(found, everyone.average if found.count >= ENOUGH else None, href)

    def charts(self, contracts: Iterable[ContractRow]) -> list[Bars]:
        """The same as bars, for each role in which there is enough to say."""
        titles = {
            "declarer": _("Points a hand as declarer"),
            "other": _("Points a hand when others declare") if self.game.has_declarer else _("Points a round"),
        }
        drawn = []
        for place, role in enumerate(self.roles):
            compared = [
                (row.name, mine, average(mine), everyone, average(everyone))
                for row in contracts
                if (mine := row.cells[place].sum.average) is not None
                and (everyone := row.cells[place].everyone) is not None
            ]
            if compared:
                drawn.append(bars(titles[role], self._in_words(compared), compared))
        return drawn

    def _in_words(self, compared: list[tuple[str, float, str, float, str]]) -> str:
        """Where the player does better than all, and where worse."""
        sign = -1 if self.game.wins == "lowest" else 1
        lead = sorted(
            ((sign * (mine - everyone), name) for name, mine, _words, everyone, _all in compared), reverse=True
        )
        (best, strong), (worst, weak) = lead[0], lead[-1]
        name = isolated(self.player.name)
        if best > 0 > worst:
            message = _("Against the average of all, {player} does best in {strong} and worst in {weak}.")
        elif len(lead) == 1 or best == worst:
            better, worse = (
                _("{player} does better than the average of all."),
                _("{player} does worse than the average of all."),
            )
            message = better if best > 0 else worse if best < 0 else _("{player} is at the average of all.")
        elif worst >= 0:
            message = _("{player} is nowhere below the average of all, and does best in {strong}.")
        else:
            message = _("{player} is nowhere above the average of all, and does worst in {weak}.")
        return message.format(player=name, strong=strong, weak=weak)

    def doubling(self) -> list[DoublingRow]:
        """The player's doubles by kind, then those of the others on him, then all together."""
        words: dict[How, str] = {"chosen": _("By choice"), "forced": _("Forced"), "back": _("Doubled back")}
        rows = [
            DoublingRow(words[how], self.record.doubles.get(how) or Sum(), self.to.hands(doubled=how))
            for how in get_args(How)
        ]
        rows.append(DoublingRow(_("By the others"), self.record.doubled_by, self.to.hands(doubled_by=1)))
        together = Sum.of(row.sum for row in rows)
        rows.append(DoublingRow(_("Together"), together, self.to.hands(doubled="any", doubled_by=1)))
        return rows

    def pairs(self) -> list[Pair]:
        """Doubling with each other player, from whom most was won first."""
        found = []
        for other, against in self._others():
            if against.doubled.count or against.doubled_by.count:
                found.append(
                    Pair(
                        player=other,
                        ways=(
                            DoublingRow(_("Doubled"), against.doubled, self.to.hands(other, doubled="any")),
                            DoublingRow(_("Doubled by"), against.doubled_by, self.to.hands(other, doubled_by=1)),
                        ),
                        won=against.won,
                        href=self.to.hands(other, doubled="any", doubled_by=1),
                    )
                )
        return sorted(found, key=lambda pair: -pair.won)

    def opponents(self) -> list[Opponent]:
        """Each other player, the one met most often first."""
        found = []
        for other, against in self._others():
            if against.matches:
                counts: dict[Ending, int] = {"before": against.before, "level": against.level, "behind": against.behind}
                endings = tuple((number, self.to.matches(ending, other)) for ending, number in counts.items())
                found.append(Opponent(other, against.matches, endings))
        return sorted(found, key=lambda opponent: -opponent.matches)

    def _others(self) -> list[tuple[Player, Against]]:
        return [(self.people[pk], against) for pk, against in self.record.against.items() if pk in self.people]

    def declarations(self) -> list[DeclarationRow]:
        """When the player declares what: how often each contract was the first, second, … of his own."""
        numbers = range(1, self.game.hands_each + 1)
        rows = []
        for contract in self.game.contracts if self.game.has_declarer else ():
            counts = [self.record.declarations.get((contract.code, number), 0) for number in numbers]
            if any(counts):
                hrefs = [
                    self.to.hands(contract=contract.code, role="declarer", declaration=number) for number in numbers
                ]
                rows.append(DeclarationRow(_(contract.name), contract.short, tuple(zip(counts, hrefs, strict=True))))
        return rows

    def context(self) -> dict[str, object]:
        """Everything on the page about this game."""
        contracts = self.contracts()
        return {
            "game": self.game,
            "record": self.record,
            "results": self.results(),
            "contracts": contracts,
            "hands_href": self.to.hands(),
            "charts": self.charts(contracts),
            "enough": ENOUGH,
            "has_enough": any(cell.everyone is not None for row in contracts for cell in row.cells),
            "passed_out_href": self.to.hands(passed_out=1, role="declarer"),
            "coups_href": self.to.hands(coup=1),
            "doubling": (doubling := self.doubling() if self.game.has_doubling else []),
            "doubles_at_all": bool(doubling and doubling[-1].sum.count),
            "chances_href": self.to.hands(chance=1),
            "taken_href": self.to.hands(doubled="chosen"),
            "pairs": self.pairs(),
            "declarations": self.declarations(),
            "numbers": range(1, self.game.hands_each + 1),
            "opponents": self.opponents(),
            "has_changed": self.figures.has_changed,
        }


def tabs(table: Table, player: Player, book: Book, chosen: Game) -> list[Tab]:
    """The games that a player has played, the most played first."""
    return [
        Tab(game, sum(1 for _match in book.of(game, player.pk)), Addresses(table, player, game).page(), game == chosen)
        for game in book.games(player.pk)
    ]
