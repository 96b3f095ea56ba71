"""Each guard that ``make prove`` takes out stands where it says, and the tests that must notice are there."""

import re
from pathlib import Path

import pytest

from tests.prove.house import ROOT
from tests.prove.mutants import MUTANTS, Dropped, Mutant, make

from .test_constraints import CASES


def named(test: str) -> str:
    """The file and the name of a test, without its case."""
    return test.partition("[")[0]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_changes_something_and_names_tests_that_exist(mutant: Mutant | Dropped, tmp_path: Path):
    for name in ("scorekeeper/migrations", getattr(mutant, "file", "")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "scorekeeper" / "migrations").mkdir(exist_ok=True)
    (tmp_path / "scorekeeper" / "migrations" / "0001_initial.py").touch()
    if isinstance(mutant, Mutant):
        (tmp_path / mutant.file).write_text((ROOT / mutant.file).read_text())
    changed = make(mutant, tmp_path).read_text()
    compile(changed, "mutant", "exec")
    for test in mutant.tests:
        file, _, name = named(test).partition("::")
        assert re.search(rf"^def {name}", (ROOT / file).read_text(), re.MULTILINE)


def test_every_constraint_has_its_mutant():
    tried = {mutant.test for mutant in MUTANTS if isinstance(mutant, Dropped)}
    assert tried == {f"{model.__name__} {' '.join(fields)}" for model, fields in CASES}
