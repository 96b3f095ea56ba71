"""`make audit` never says that all is well when nobody could be asked."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

WELL = {"name": "django", "version": "5.2", "vulns": []}
ILL = {"name": "jinja2", "version": "2.4.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.7"]}]}
UNKNOWN = {"name": "segno", "skip_reason": "not found"}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", Path(__file__).parents[1] / ".ci" / "audit.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("pins", "control", "says", "status"),
    [
        ([WELL], [ILL], "1 packages, no known faults.", 0),
        ([WELL, ILL], [ILL], "jinja2 2.4.1: PYSEC-1, mended in 2.7", 1),
        ([WELL, UNKNOWN], [ILL], "Not checked: segno.", 2),
        ([WELL], [UNKNOWN], "Not checked: what answers here does not know", 2),
        ([WELL], [WELL], "Not checked: what answers here does not know", 2),
    ],
)
def test_what_is_said_of_the_pins(audit: ModuleType, pins: Any, control: Any, says: str, status: int):
    lines, left = audit.judged({"dependencies": pins}, {"dependencies": control})
    assert says in "\n".join(lines)
    assert left == status


@pytest.mark.parametrize("who", [0, 1])
def test_a_service_that_cannot_be_reached_is_told(audit: ModuleType, who: int):
    reports: list[Any] = [{"dependencies": [WELL]}, {"dependencies": [ILL]}]
    reports[who] = "ConnectionError: no route to host"
    lines, left = audit.judged(*reports)
    assert lines == [
        "Not checked: the service that knows of faults cannot be asked from here (ConnectionError: no route to host)."
    ]
    assert left == 2
