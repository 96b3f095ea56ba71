"""What is kept of matches: as true as worked out anew, after every change, in every process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

import referee
from referee import figures as referee_figures
from scorekeeper import figures
from scorekeeper.figures import FEW, Book, book
from scorekeeper.models import Match, Table
from tests.referee.strategies import random_match

from .looking_back import new_table, played
from .table import ANN, BOB, CY, PLAYERS, Phone

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """A folder of its own, and a process that has just begun."""
    kept = {"BACKEND": settings.CACHES["figures"]["BACKEND"], "LOCATION": tmp_path / "cache", "TIMEOUT": None}
    settings.CACHES = {**settings.CACHES, "figures": kept}
    figures.memory.clear()
    return tmp_path / "cache"


def evenings(matches: int, hands: int | None = 3) -> Table:
    table = new_table()
    for seed in range(matches):
        played(table, random_match("barbu", seed, hands))
    return table


def says(found: Book) -> list[tuple[int, tuple[int, ...], referee_figures.Tally]]:
    return [(match.number, match.players, match.tally) for match in found.matches]


def anew(table: Table) -> list[tuple[int, tuple[int, ...], referee_figures.Tally]]:
    """What the referee says of every match, without anything kept."""
    return [
        (match.number, tuple(seat.player_id for seat in match.seats.all()), referee_figures.tally(match.state().match))
        for match in table.matches.order_by("-number")
    ]


def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[referee.Match]:
    """The matches that the referee works out from now on."""
    asked: list[referee.Match] = []

    def tally(match: referee.Match) -> referee_figures.Tally:
        asked.append(match)
        return referee_figures.tally(match)

    monkeypatch.setattr(figures, "tally", tally)
    return asked


def restart() -> None:
    """As if another process had begun."""
    figures.memory.clear()


def test_the_book_of_a_table_is_what_the_referee_says_of_its_matches():
    table = evenings(4)
    assert says(book(table)) == anew(table)


def test_a_match_in_which_nothing_was_played_is_there_without_hands():
    table = new_table()
    played(table, random_match("barbu", 1, hands=0))
    [match] = book(table).matches
    assert (match.tally.hands, match.tally.is_over) == ((), False)


def test_nothing_is_worked_out_twice(monkeypatch: pytest.MonkeyPatch):
    table = evenings(3)
    first = book(table)
    asked = worked_out(monkeypatch)
    assert book(table) is first
    played(table, random_match("barbu", 9, 3))
    assert len(book(table).matches) == 4
    assert len(asked) == 1


CHANGES = {
    "a hand": lambda phone: phone.record("barbu", [(BOB, ANN)], king_of_hearts=ANN),
    "a step of a hand": lambda phone: phone.send("hand", 3, fields={"declare": "barbu"}),
    "a correction": lambda phone: phone.correct(1, "misere", [(BOB, ANN)], tricks=(13, 0, 0, 0)),
    "undo": lambda phone: phone.undo(),
    "undo and redo": lambda phone: (phone.undo(), phone.redo()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_a_match_changes_what_is_kept_at_once(change: Any):
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN)], tricks=(0, 0, 0, 13))
    phone.record("no-queens", [(CY, BOB)], queens=(0, 4, 0, 0))
    before = book(table)
    change(phone)
    after = book(table)
    assert after is not before
    assert says(after) == anew(table)


def test_one_person_under_two_names_becomes_one_in_all_figures():
    table = new_table()
    played(table, random_match("barbu", 1))
    played(table, random_match("barbu", 2), names=("Anne", "Bob", "Cy", "Dee"))
    ann, anne = table.players.get(name="Ann"), table.players.get(name="Anne")
    game = book(table).games(ann.pk)[0]
    assert book(table).figures(game).records[ann.pk].results.count == 1
    assert anne.merge(into=ann) is None
    assert book(table).figures(game).records[ann.pk].results.count == 2
    assert anne.pk not in book(table).figures(game).records


def test_another_name_changes_no_figure(monkeypatch: pytest.MonkeyPatch):
    table = evenings(2)
    before = book(table)
    table.players.get(name="Ann").rename("Anneliese")
    asked = worked_out(monkeypatch)
    assert says(book(table)) == says(before)
    assert asked == []


def test_what_newer_hands_say_is_kept_under_their_newer_mark(monkeypatch: pytest.MonkeyPatch):
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN)], tricks=(0, 0, 0, 13))
    old, read = Match.objects.get().mark, figures._read

    def meanwhile(table: Table) -> Any:
        phone.correct(1, "misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
        return read(table)

    monkeypatch.setattr(figures, "_read", meanwhile)
    [match] = book(table).matches
    assert match.tally.hands[0].total == (-52, 26, 0, 0)
    assert old != match.mark == Match.objects.get().mark
    assert says(book(table)) == anew(table)


def test_a_new_process_reads_years_of_matches_from_the_folder(monkeypatch: pytest.MonkeyPatch):
    table = evenings(FEW)
    first = says(book(table))
    restart()
    asked = worked_out(monkeypatch)
    assert says(book(table)) == first
    assert asked == []


def test_what_was_read_from_the_folder_is_true_after_a_change_too(monkeypatch: pytest.MonkeyPatch):
    table = evenings(FEW)
    book(table)
    restart()
    phone = Phone(table.matches.get(number=3))
    phone.undo()
    asked = worked_out(monkeypatch)
    assert says(book(table)) == anew(table)
    assert len(asked) == 1


def test_few_matches_are_not_written_down(folder: Path):
    book(evenings(FEW - 1))
    assert not list(folder.glob("*"))


def test_many_small_changes_are_written_down_in_the_end(monkeypatch: pytest.MonkeyPatch):
    table = evenings(1)
    for seed in range(FEW):
        played(table, random_match("barbu", seed, 1))
        book(table)
    restart()
    asked = worked_out(monkeypatch)
    book(table)
    assert len(asked) < FEW


def damage(folder: Path, content: bytes) -> None:
    for file in folder.glob("*"):
        file.write_bytes(content)


def test_a_damaged_folder_is_worked_out_again(folder: Path, caplog: pytest.LogCaptureFixture):
    table = evenings(FEW)
    first = says(book(table))
    for content in (b"", b"nonsense", bytes(5000)):
        damage(folder, content)
        restart()
        assert says(book(table)) == first
    assert "worked out again" in caplog.text


@pytest.mark.parametrize("kept", [b"\xc1", b"\x81\xa1m\x93\x01\x02\x03", {"mark": "no bytes"}, b"\x90"])
def test_nonsense_in_the_folder_is_worked_out_again(kept: object):
    table = evenings(FEW)
    first = says(book(table))
    caches["figures"].set(figures._place(table), kept)
    restart()
    assert says(book(table)) == first


def test_without_a_folder_to_write_to_everything_is_worked_out(folder: Path, caplog: pytest.LogCaptureFixture):
    folder.write_text("a file where the folder should be")
    table = evenings(FEW)
    assert says(book(table)) == anew(table)
    restart()
    assert says(book(table)) == anew(table)
    assert "cannot be kept" in caplog.text


def test_another_referee_does_not_believe_what_this_one_has_written(monkeypatch: pytest.MonkeyPatch):
    table = evenings(FEW)
    book(table)
    restart()
    monkeypatch.setattr(figures, "_referee", lambda: "another")
    asked = worked_out(monkeypatch)
    book(table)
    assert len(asked) == FEW


def test_two_tables_do_not_mix():
    ours, theirs = evenings(2), evenings(3)
    assert (len(book(ours).matches), len(book(theirs).matches)) == (2, 3)
    assert says(book(ours)) == anew(ours)


def test_only_so_many_matches_stay_in_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(figures, "MATCHES_IN_MEMORY", 5)
    tables = [evenings(2, 1) for _ in range(4)]
    first = [book(table) for table in tables]
    assert [figures.memory.get(table.pk) for table in tables] == [None, None, *first[2:]]
    large = evenings(7, 1)
    assert book(large) is book(large)
    assert [figures.memory.get(table.pk) for table in tables] == [None] * 4


@pytest.mark.parametrize("process", ["new", "warm"])
def test_a_table_with_many_matches_costs_as_many_queries_as_one_with_few(process: str):
    asked = []
    for matches in (2, FEW + 1):
        table = evenings(matches, 1)
        if process == "warm":
            book(table)
        with CaptureQueriesContext(connection) as queries:
            book(table)
        asked.append(len(queries))
    assert asked == ([3, 3] if process == "new" else [1, 1])


def test_a_game_under_another_name_is_another_game():
    table = new_table()
    barbu = referee.load("barbu")
    renamed = referee.rules.from_object({**referee.rules.to_object(barbu), "name": "Our Barbu"})
    played(table, random_match("barbu", 1))
    for seed in (2, 3):
        match = random_match("barbu", seed)
        played(table, referee.Match(renamed, match.players, match.first_declarer, match.hands))
    ann = table.players.get(name="Ann").pk
    found = book(table)
    assert [game.name for game in found.games(ann)] == ["Our Barbu", "Barbu"]
    assert [found.figures(game).records[ann].results.count for game in found.games(ann)] == [2, 1]


def test_the_best_score_is_the_highest_or_the_lowest_as_the_game_has_it():
    table = new_table()
    for seed in range(5):
        played(table, random_match("barbu", seed))
        played(table, random_match("get-barbara", seed))
    ann, found = table.players.get(name="Ann").pk, book(table)
    for game in found.games(ann):
        scores = [match.tally.scores[seat] for match, seat in found.of(game, ann) if match.tally.is_over]
        best = found.best(game, ann)
        assert best is not None
        assert best[0] == (min if game.wins == "lowest" else max)(scores)
