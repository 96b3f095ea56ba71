"""`manage.py backup` and `manage.py restore`: nothing acknowledged is missing, and nothing wrong comes back."""

import re
import stat
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection, connections

import referee
from scorekeeper import safekeeping
from scorekeeper.models import Match, Saved, Table

from .house import MISERE, House, refused, stored
from .table import ANN, BOB, begin, new_key

SQLITE = connection.vendor == "sqlite"


def test_what_was_played_comes_back_whole(house: House):
    phone = begin()
    phone.record(**MISERE)
    before = stored()
    said = house.run("backup", house.folder / "copy")
    assert "tables: 1, matches: 1." in said
    assert "DATA_DIR/secret" in said
    phone.undo()
    Table.objects.create(name="Later")
    assert "Restored" in house.run("restore", house.folder / "copy", "--replace")
    assert stored() == before
    assert phone.see().select_one("main")
    assert Table.objects.count() == 1
    assert phone.record(**MISERE, hand=2).status_code == 422
    assert phone.record("barbu", [(ANN, BOB)], king_of_hearts=ANN).status_code == 302


def test_what_was_replaced_is_kept_aside_and_comes_back_too(house: House):
    empty = house.backup("empty")
    begin().record(**MISERE)
    before = stored()
    said = house.run("restore", empty, "--replace")
    assert stored() == []
    aside = re.search(r"kept in (\S+)\.\n", said)
    assert aside
    house.run("restore", aside[1])
    assert stored() == before


def test_a_full_house_is_not_replaced_unless_told(house: House):
    begin().record(**MISERE)
    copy, before = house.backup(), stored()
    assert "There are tables here already" in refused(house, "restore", copy)
    assert stored() == before


def test_an_empty_house_takes_a_copy_without_a_word(house: House):
    begin().record(**MISERE)
    copy, before = house.backup(), stored()
    if SQLITE:
        (house.folder / "scorekeeper.sqlite3").unlink()
    else:
        Match.objects.all().delete()
        Table.objects.all().delete()
        connections.close_all()
    assert "kept" not in house.run("restore", copy)
    assert stored() == before


def test_while_somebody_has_the_house_open_nothing_is_restored(house: House):
    copy = house.backup()
    begin().record(**MISERE)
    before = stored()
    with_it_open = connection.copy()
    with_it_open.ensure_connection()
    with with_it_open.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM scorekeeper_table")
    assert "The house is open. Close it first" in refused(house, "restore", copy, "--replace")
    with_it_open.close()
    assert stored() == before
    house.run("restore", copy, "--replace")
    assert stored() == []


def test_a_copy_made_while_people_play_holds_every_hand_acknowledged_before(house: House):
    acknowledged: list[str] = []
    done = threading.Event()
    hand = referee.Hand(
        contract="misere",
        doubles=((BOB, ANN),),
        result=referee.Result(counts={"tricks": dict(enumerate((2, 3, 5, 3)))}),
    )

    def play() -> None:
        try:
            while not done.is_set():
                match = begin().match
                assert isinstance(match.record(1, hand, key=new_key(), revision=0), Saved)
                acknowledged.append(match.key)
        finally:
            connections.close_all()

    def copied(number: int) -> tuple[Path, set[str]]:
        while len(acknowledged) < 10 * number:
            assert any(player.is_alive() for player in players)
            time.sleep(0.001)
        before = set(acknowledged)
        return house.backup(f"copy-{number}"), before

    players = [threading.Thread(target=play) for _ in range(4)]
    for player in players:
        player.start()
    try:
        copies = [copied(number) for number in (1, 2, 3)]
    finally:
        done.set()
        for player in players:
            player.join()
    for copy, before in copies:
        house.run("restore", copy, "--replace")
        played = {key for key, *_ in stored()}
        assert before <= played <= set(acknowledged)
        assert "all sound" in house.run("audit")


def test_a_copy_is_for_its_owners_eyes_only(house: House):
    assert stat.S_IMODE(house.backup().stat().st_mode) == 0o600
    house.run("backup")
    assert stat.S_IMODE((house.folder / "backups").stat().st_mode) == 0o700


def test_a_copy_holds_no_secret(house: House, settings: Any):
    settings.SECRET_KEY = "the-key-that-signs-every-cookie"
    phone = begin()
    phone.record(**MISERE)
    secret = phone.match.table.secret_for(phone.match.table.seed)
    text = house.backup().read_bytes()
    if not SQLITE:
        text = subprocess.run(["pg_restore", "--file=-"], input=text, check=True, capture_output=True).stdout
    assert phone.match.table.name.encode() in text
    assert secret.encode() not in text
    assert settings.SECRET_KEY.encode() not in text


def test_a_file_that_is_there_is_written_over_only_when_told(house: House):
    taken = house.folder / "taken"
    taken.write_text("a letter")
    assert "is there already" in refused(house, "backup", taken)
    assert taken.read_text() == "a letter"
    house.run("backup", taken, "--replace")
    assert taken.stat().st_size > 1000
    assert [file.name for file in house.folder.iterdir() if "draft" in file.name] == []


def test_the_newest_copies_are_kept_and_nobody_elses_files_are_touched(house: House):
    folder = house.folder / "backups"
    folder.mkdir()
    old = [folder / f"tafferan-2026010{day}-030000.{kind}" for day in range(1, 6) for kind in ("dump", "sqlite3")]
    others = [folder / name for name in ("tafferan-20260101.sqlite3", "mine.sqlite3", "replaced-20260101-000000.dump")]
    for file in [*old, *others]:
        file.touch()
    said = house.run("backup", "--keep", 3)
    left = sorted(file.name for file in folder.iterdir() if file not in others)
    assert left[:2] == ["tafferan-20260105-030000.dump", "tafferan-20260105-030000.sqlite3"]
    assert len(left) == 3
    assert all(file.exists() for file in others)
    assert said.count("Cleared away") == len(old) - 2


@pytest.mark.parametrize("keep", ["0", "-1", "x"])
def test_at_least_one_copy_is_kept(house: House, keep: str):
    assert "at least 1 must be kept" in refused(house, "backup", f"--keep={keep}")


def test_a_backup_that_fails_clears_nothing_away_and_leaves_no_draft(house: House, monkeypatch: pytest.MonkeyPatch):
    house.run("backup")
    [kept] = (house.folder / "backups").iterdir()

    def damaged(*_arguments: Any) -> None:
        raise safekeeping.Unfit("The file is damaged.")

    monkeypatch.setattr(type(safekeeping.store()), "examine", damaged)
    monkeypatch.setattr("scorekeeper.management.commands.backup.moment", lambda: "20991231-235959")
    assert "damaged" in refused(house, "backup", "--keep=1")
    assert list((house.folder / "backups").iterdir()) == [kept]


def test_at_night_cron_hears_nothing_when_all_is_well(house: House):
    assert house.run("backup", verbosity=0) == ""
    assert len(list((house.folder / "backups").iterdir())) == 1


@pytest.mark.parametrize(
    "text", [b"", b"a letter", b"PGDMP", b"SQLite format 3\0", b"SQLite format 3\0" + b"\0" * 9000]
)
def test_a_file_that_is_no_copy_is_refused_and_changes_nothing(house: House, text: bytes):
    begin().record(**MISERE)
    before, file = stored(), house.folder / "file"
    file.write_bytes(text)
    assert re.match(r"This is |The file is damaged", refused(house, "restore", file, "--replace"))
    assert stored() == before


def test_a_file_that_is_not_there_is_named(house: House):
    assert "There is no file" in refused(house, "restore", house.folder / "nowhere")


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9, 0.999])
def test_a_copy_that_is_not_all_there_is_refused(house: House, part: float):
    begin().record(**MISERE)
    copy, before = house.backup(), stored()
    text = copy.read_bytes()
    copy.write_bytes(text[: int(len(text) * part)])
    assert "damaged, or not all there" in refused(house, "restore", copy, "--replace")
    assert stored() == before


def test_a_copy_from_a_newer_house_is_refused_in_words(house: House):
    steps = "INSERT INTO django_migrations (app, name, applied) VALUES ('scorekeeper', '9999_next_year', '2027-01-01')"
    with connection.cursor() as cursor:
        cursor.execute(steps)
    Table.objects.create(name="Ours")
    with pytest.raises(CommandError, match=r"newer Tafferan \(9999_next_year\)\. Update first"):
        house.run("backup", house.folder / "copy")
    monkey = pytest.MonkeyPatch()
    with monkey.context() as newer:
        newer.setattr(safekeeping, "known_steps", lambda: frozenset({"9999_next_year", *KNOWN}))
        copy = house.backup()
    assert "newer Tafferan" in refused(house, "restore", copy, "--replace")
    assert Table.objects.count() == 1


KNOWN = safekeeping.known_steps()


def test_a_copy_from_an_older_house_is_brought_up_to_date(house: House):
    house.run("migrate", "scorekeeper", "0004", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM scorekeeper_table")
    connections.close_all()
    copy = house.backup()
    house.run("migrate", interactive=False, verbosity=0)
    house.run("restore", copy, "--replace")
    begin().record(**MISERE)
    assert len(stored()) == 1


def test_what_was_worked_out_of_other_matches_is_forgotten(house: House):
    copy = house.backup()
    (house.folder / "cache").mkdir()
    (house.folder / "cache" / "figures").touch()
    house.run("restore", copy)
    assert not (house.folder / "cache").exists()


def test_a_copy_of_the_other_kind_of_database_is_told_apart(house: House):
    file = house.folder / "other"
    file.write_bytes(b"PGDMP..." if SQLITE else b"SQLite format 3\0...")
    mine, other = ("SQLite", "PostgreSQL") if SQLITE else ("PostgreSQL", "SQLite")
    assert f"a copy of {other}, and the house has {mine}" in refused(house, "restore", file)
