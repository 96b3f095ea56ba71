"""The secret that the first start makes and keeps."""

import os
import secrets
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from scorekeeper.settings import database, kept_secret

ROOT = Path(__file__).parents[2]


def test_the_first_start_makes_a_secret_and_the_next_finds_it(tmp_path: Path):
    folder = tmp_path / "not" / "yet"
    made = kept_secret(folder)
    assert len(made) >= 50
    assert kept_secret(folder) == made


def test_two_houses_have_two_secrets(tmp_path: Path):
    assert kept_secret(tmp_path / "one") != kept_secret(tmp_path / "two")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such modes")
def test_only_its_owner_may_read_the_secret(tmp_path: Path):
    kept_secret(tmp_path)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_the_secret_is_the_only_file_left(tmp_path: Path):
    kept_secret(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


def test_of_two_starts_at_once_the_slower_takes_the_secret_of_the_quicker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make, quicker = secrets.token_urlsafe, []

    def while_the_other_is_quicker(length: int) -> str:
        if not quicker:
            quicker.append("")
            quicker[0] = kept_secret(tmp_path)
        return make(length)

    monkeypatch.setattr(secrets, "token_urlsafe", while_the_other_is_quicker)
    assert kept_secret(tmp_path) == quicker[0] != ""


def test_a_folder_that_cannot_be_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="DATA_DIR"):
        kept_secret(tmp_path / "file" / "folder")


@pytest.mark.parametrize("url", ["potgres://u:geheim@h/x", "geheim", "postgres://u:gehe#im@h:54x/x"])
def test_an_address_of_no_database_is_refused_without_its_password(url: str):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as refused:
        database(url)
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DATABASE_URL", "potgres://u:geheim@h/x"),
        ("DATABASE_URL", "postgres://u:geheim@127.0.0.1:1/x"),
        ("DATA_DIR", f"{__file__}/folder"),
    ],
    ids=["no such database", "nobody answers", "no folder"],
)
def test_an_operator_s_slip_is_told_in_one_line(tmp_path: Path, variable: str, value: str):
    environment = os.environ | {"SECRET_KEY": "", "DATABASE_URL": "", "DATA_DIR": str(tmp_path)} | {variable: value}
    run = [sys.executable, "manage.py", "audit"]
    told = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 1
    assert told.stderr.startswith("manage.py: ")
    assert len(told.stderr.splitlines()) == 1
    assert "geheim" not in told.stderr
