"""Mutants: the house with one of its guards taken out, each of which the tests must notice.

Each is made in a copy of the tree, by replacing a piece of text or by one more migration that drops a
constraint; the tests named beside it are run there, and at least one must fail. Before, the same tests must
pass on the untouched copy. What no test can notice is ``synchronous`` switched off: after ``kill -9`` the
system still writes what it was given, only a pulled plug loses it; so a test asks the database for its setting.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .house import ROOT, postgres

EXACTLY, CONSTRAINTS = "tests/pages/test_exactly_once.py", "tests/pages/test_constraints.py"
NETWORK, RACES = "tests/pages/test_network.py", "tests/pages/test_races.py"
MATCH, TURNSTILE, VIEW = "scorekeeper/models/match.py", "scorekeeper/turnstile.py", "scorekeeper/views/match.py"
COPIED = ("scorekeeper", "referee", "templates", "static", "tests", "pyproject.toml", "README.md", "manage.py")

DROP = '''"""One constraint less."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("scorekeeper", "{last}")]
    operations = [{operation}]
'''


@dataclass(frozen=True)
class Mutant:
    """What is taken out, where, and the tests that must notice; ``database`` is where they are run."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    database: str = "SQLite"


@dataclass(frozen=True)
class Dropped:
    """A constraint that the database does not have, and the test that must notice."""

    model: str
    constraint: str
    test: str
    field: str = ""
    database: str = "SQLite"

    @property
    def name(self) -> str:
        return f"constraint {self.constraint or f'on {self.model}.{self.field}'} dropped"

    @property
    def tests(self) -> tuple[str, ...]:
        return (f"{CONSTRAINTS}::test_the_database_itself_refuses_a_second_one[{self.test}]",)

    @property
    def operation(self) -> str:
        """The step of the migration that drops it."""
        if self.constraint:
            return f'migrations.RemoveConstraint("{self.model}", "{self.constraint}")'
        field = '__import__("django.db.models").db.models.CharField(max_length=64, default="")'
        return f'migrations.AlterField("{self.model}", "{self.field}", {field})'


MUTANTS = (
    Mutant(
        "the transaction dropped",
        MATCH,
        "        with writing():\n            self.refresh_from_db(",
        "        if True:\n            self.refresh_from_db(",
        (f"{CONSTRAINTS}::test_a_hand_that_cannot_be_stored_leaves_nothing_behind",),
    ),
    Mutant(
        "the version lock dropped",
        MATCH,
        ", from_queryset=Match.objects.select_for_update()",
        "",
        (f"{EXACTLY}::test_of_eight_phones_at_once_one_is_stored_and_seven_are_told",),
        "PostgreSQL",
    ),
    Mutant(
        "the version check dropped",
        MATCH,
        "if stored or state.is_stale(number, revision) else",
        "if stored else",
        (f"{EXACTLY}::test_two_phones_in_the_same_hand_see_both_versions_and_the_later_may_go_on",),
    ),
    Mutant(
        "the key check dropped",
        MATCH,
        "if stored is not None and stored.did(action, number, hand):",
        "if False:",
        (f"{EXACTLY}::test_undo_and_redo_sent_twice_are_done_once",),
    ),
    Mutant(
        "the key check dropped, and that of the page with it",
        MATCH,
        "return (self.action, self.number) == (action, number)",
        "return False and (self.action, self.number) == (action, number)",
        (f"{EXACTLY}::test_the_same_post_again_stores_nothing_and_gets_the_same_answer",),
    ),
    Mutant(
        "a key may do a second deed",
        MATCH,
        "None if stored or state.is_stale",
        "None if state.is_stale",
        (f"{EXACTLY}::test_a_key_does_one_kind_of_deed_only",),
    ),
    Mutant(
        "a key answers for other figures",
        MATCH,
        "(action, number) and (hand is None or self.told() == hand)",
        "(action, number)",
        (f"{EXACTLY}::test_the_same_key_with_other_figures_is_a_conflict_that_shows_both",),
    ),
    Mutant(
        "an undo stores all its rows under one key",
        MATCH,
        'key if step == number else f"{key}+{step}"',
        "key",
        (f"{EXACTLY}::test_a_half_entered_hand_that_was_set_aside_meanwhile_is_no_form_of_the_one_before",),
    ),
    Mutant(
        "the match keeps its version",
        MATCH,
        "self.version, self.mark = self.version + 1, new_mark()",
        "self.version, self.mark = self.version, new_mark()",
        (f"{NETWORK}::test_after_quiet_both_phones_show_what_is_stored_and_nothing_acknowledged_is_missing",),
    ),
    Mutant(
        "a retry is not known after a penalty",
        VIEW,
        "repeated(request, found, state, hand, sent.key) or outcome",
        "outcome",
        (f"{EXACTLY}::test_a_retried_hand_is_known_though_another_phone_has_added_a_penalty",),
    ),
    Mutant(
        "the referee is not asked",
        MATCH,
        "return state.refused(number, hand) or {number: referee.to_record(hand)}",
        "return {number: referee.to_record(hand)}",
        ("tests/pages/test_record.py",),
    ),
    Mutant(
        "the line has no order",
        TURNSTILE,
        "self.waiting.append(mine)",
        "self.waiting.appendleft(mine)",
        (f"{RACES}::test_who_came_first_goes_first",),
    ),
    Mutant(
        "the door is not shut",
        TURNSTILE,
        "fcntl.LOCK_EX | fcntl.LOCK_NB",
        "fcntl.LOCK_SH | fcntl.LOCK_NB",
        (f"{RACES}::test_two_processes_pass_the_door_one_after_the_other",),
    ),
    Mutant(
        "synchronous off",
        "scorekeeper/settings.py",
        "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=OFF",
        (f"{CONSTRAINTS}::test_what_is_acknowledged_is_on_the_disk",),
    ),
    Dropped("hand", "one_truth_a_hand", "Hand match number revision"),
    Dropped("hand", "one_deed_a_key", "Hand match key"),
    Dropped("match", "one_number_a_table", "Match table number"),
    Dropped("match", "one_match_a_key", "Match table key"),
    Dropped("seat", "one_player_a_seat", "Seat match place"),
    Dropped("seat", "one_seat_a_player", "Seat match player"),
    Dropped("player", "one_name_a_table", "Player table name_key"),
    Dropped("player", "one_player_a_code", "Player table code"),
    Dropped("tablerules", "one_version_a_number", "TableRules table code version"),
    Dropped("tablerules", "one_version_a_key", "TableRules table key"),
    Dropped("device", "one_device_a_code", "Device table code"),
    Dropped("try", "one_count_a_span", "Try what who since"),
    Dropped("table", "", "Table key", "key"),
    Dropped("table", "", "Table code", "code"),
    Dropped("device", "", "Device token_hash", "token_hash"),
)


def copy(folder: Path) -> None:
    """The tree as it is now."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


def make(mutant: Mutant | Dropped, folder: Path) -> Path:
    """Take the guard out of the copy; the file that was changed or added."""
    if isinstance(mutant, Dropped):
        migrations = folder / "scorekeeper" / "migrations"
        last = max(file.stem for file in migrations.glob("[0-9]*.py"))
        file = migrations / f"{int(last[:4]) + 1:04}_one_constraint_less.py"
        file.write_text(DROP.format(last=last, operation=mutant.operation))
        return file
    file = folder / mutant.file
    text = file.read_text()
    if text.count(mutant.old) < 1:
        raise AssertionError(f"{mutant.name}: {mutant.old!r} does not stand in {mutant.file}")
    file.write_text(text.replace(mutant.old, mutant.new))
    return file


def run(folder: Path, tests: tuple[str, ...], database: str) -> tuple[bool, str]:
    """Run these tests there, up to the first that fails: whether all passed, and which did not."""
    own = f"{postgres().rpartition('/')[0]}/mutants_{os.getpid()}"
    told = {"DATA_DIR": str(folder / "var"), "DATABASE_URL": own if database == "PostgreSQL" else ""}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--create-db", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=folder, env=os.environ | told, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 1) or bool(failed) != bool(done.returncode):
        raise AssertionError(f"the tests did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0, failed[0] if failed else ""


def main(most: int = 10**6) -> list[str]:
    """Every mutant, or the first so many; which test caught each."""
    began, lines, chosen = time.perf_counter(), [], MUTANTS[:most]
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        copy(folder)
        for database in ("SQLite", "PostgreSQL"):
            tests = {
                test for mutant in chosen if getattr(mutant, "database", "SQLite") == database for test in mutant.tests
            }
            passed, failed = run(folder, tuple(sorted(tests)), database) if tests else (True, "")
            if not passed:
                raise AssertionError(f"without any mutant {failed} fails on {database}")
        for mutant in chosen:
            file = make(mutant, folder)
            passed, failed = run(folder, mutant.tests, mutant.database)
            if passed:
                raise AssertionError(f"mutant lives: {mutant.name}")
            lines.append(f"mutant: {mutant.name}: caught by {failed}")
            sys.stdout.write(f"{lines[-1]}\n")
            sys.stdout.flush()
            file.unlink()
            if isinstance(mutant, Mutant):
                shutil.copy(ROOT / mutant.file, file)
    return [f"mutants: {len(chosen)} made, all caught, in {time.perf_counter() - began:.0f} s", *lines]
