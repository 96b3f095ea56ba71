"""Copies of SQLite: foreign, damaged, on a shelf that nobody may write to."""

import os
import re
import shutil
import sqlite3
from contextlib import closing

import pytest
from django.db import connections

from .house import MISERE, House, refused, stored
from .table import begin


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON scorekeeper_hand BEGIN DELETE FROM scorekeeper_hand; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE scorekeeper_table",
        "DELETE FROM django_migrations",
        "DROP TABLE django_migrations",
    ],
)
def test_a_database_with_something_foreign_in_it_is_refused(house: House, statement: str):
    copy = house.backup()
    with closing(sqlite3.connect(copy)) as changed:
        changed.execute(statement)
        changed.commit()
    assert re.match(r"This is a database, but none of Tafferan's|The file is damaged", refused(house, "restore", copy))


def test_a_damaged_page_in_the_middle_is_found(house: House):
    begin().record(**MISERE)
    copy = house.backup()
    text = bytearray(copy.read_bytes())
    text[8192:12288] = bytes(4096)
    copy.write_bytes(text)
    assert "damaged" in refused(house, "restore", copy, "--replace")


def test_a_damaged_database_is_set_aside_as_it_lies(house: House):
    begin().record(**MISERE)
    copy, before = house.backup(), stored()
    database = house.folder / "scorekeeper.sqlite3"
    database.write_bytes(b"rubbish" * 1000)
    assert "There are tables here already" in refused(house, "restore", copy)
    house.run("restore", copy, "--replace")
    assert stored() == before
    [aside] = house.folder.glob("*replaced*")
    assert aside.read_bytes().startswith(b"rubbish")


def test_a_copy_that_lies_in_a_folder_for_reading_only_comes_back(house: House):
    begin().record(**MISERE)
    copy, before = house.backup(), stored()
    shelf = house.folder / "shelf"
    shelf.mkdir()
    shutil.move(copy, shelf)
    shelf.chmod(0o500)
    house.run("restore", shelf / "copy", "--replace")
    shelf.chmod(0o700)
    assert stored() == before
    assert os.listdir(shelf) == ["copy"]


def test_nothing_stored_yet_is_nothing_to_copy(house: House):
    connections.close_all()
    (house.folder / "scorekeeper.sqlite3").unlink()
    assert "Nothing is stored yet" in refused(house, "backup")
    assert not (house.folder / "scorekeeper.sqlite3").exists()
