"""Copies of PostgreSQL: by its own programs, with a password that nobody reads over a shoulder."""

import shutil
import subprocess
from typing import Any

import pytest
from django.db import connection

from scorekeeper import safekeeping

from .house import MISERE, House, refused, stored
from .table import begin


def test_the_password_stands_in_no_line_of_a_program(house: House, monkeypatch: pytest.MonkeyPatch):
    seen, run = [], subprocess.run
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "hush-hush")

    def look(command: list[str], **how: Any) -> Any:
        seen.append((command, how["env"]))
        return run(command, **how)

    monkeypatch.setattr(subprocess, "run", look)
    house.backup()
    assert seen
    assert all("hush-hush" not in " ".join(command) for command, _ in seen)
    assert all(environment["PGPASSWORD"] == "hush-hush" for _, environment in seen)


def test_without_its_programs_it_says_what_to_install(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    assert "pg_dump is not installed here. It comes with PostgreSQL" in refused(house, "backup")


def test_a_program_that_is_too_old_is_quoted(house: House, monkeypatch: pytest.MonkeyPatch):
    old = house.folder / "pg_dump"
    old.write_text("#!/bin/sh\necho 'aborting because of server version mismatch' >&2\nexit 1\n")
    old.chmod(0o700)
    monkeypatch.setattr(shutil, "which", lambda _program: str(old))
    assert "pg_dump failed: aborting because of server version mismatch" in refused(house, "backup")


def test_should_a_copy_fail_after_all_everything_is_as_it_was(house: House, monkeypatch: pytest.MonkeyPatch):
    copy = house.backup()
    begin().record(**MISERE)
    before = stored()
    copy.write_bytes(copy.read_bytes()[:-200])
    monkeypatch.setattr(safekeeping.PostgreSQL, "examine", lambda _self, _file: safekeeping.Contents())
    assert "pg_restore failed" in refused(house, "restore", copy, "--replace")
    assert stored() == before
