"""The secret that the first start makes and keeps."""

import secrets
import stat
import sys
from pathlib import Path

import pytest

from scorekeeper.settings import kept_secret


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
