"""Whole evenings with their reports. A further file in ``cases/`` is picked up by itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee import matchfile
from referee.report import report

CASES = [
    pytest.param(case, id=f"{path.stem}-{index}")
    for path in sorted(Path(__file__).with_name("cases").glob("*.json"))
    for index, case in enumerate(json.loads(path.read_text("utf-8")))
]


def assert_holds(expected: Any, given: Any, place: str) -> None:
    """What is expected is given; an object may have more in it, a list may not."""
    if isinstance(expected, dict):
        for key, inner in expected.items():
            if key == "double_owed_remarks":
                owed = [remark for remark in given["remarks"] if remark["code"] == "double-owed"]
                assert len(owed) == inner, place
            else:
                assert key in given, f"{place}.{key}"
                assert_holds(inner, given[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(given) == len(expected), place
        for i, inner in enumerate(expected):
            assert_holds(inner, given[i], f"{place}[{i}]")
    else:
        assert given == expected, place


@pytest.mark.parametrize("case", CASES)
def test_the_report_holds_what_the_case_expects(case: dict[str, Any]) -> None:
    file = matchfile.parse(json.dumps(case["match"]).encode())
    assert file.problems == ()
    assert_holds(case["report"], report(file.match, file.ruleset_name), "report")


@pytest.mark.parametrize("case", CASES)
def test_there_is_no_remark_that_the_case_does_not_expect(case: dict[str, Any]) -> None:
    match = matchfile.parse(json.dumps(case["match"]).encode()).match
    for told, scored in zip(case["report"]["hands"], match.scored, strict=True):
        assert len(scored.remarks) == told.get("double_owed_remarks", 0)


@pytest.mark.parametrize("case", CASES)
def test_the_file_is_written_again_as_it_was(case: dict[str, Any]) -> None:
    file = matchfile.parse(json.dumps(case["match"]).encode())
    assert matchfile.to_data(file.match, played_on=file.played_on, extra=file.extra) == case["match"]
