"""A server that is killed at any moment: nothing that it called saved is lost, and nothing is there twice.

The short form of what ``make prove`` does two hundred times.
"""

import pytest
from django.db import connection

from tests.prove import kills
from tests.prove.kills import Ledger, Lost
from tests.prove.phones import Answer

KIND = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
SAVED = Answer(200, {}, "")
FIELDS = {"contract": "misere", "note": "mine", "key": "k"}
ROW = ("table", 1, 1, 1, "k", "enter", '{"contract": "misere", "note": "mine"}', 1)


def test_after_each_kill_every_acknowledged_hand_is_stored_once():
    assert "3 kills" in kills.prove(KIND, 3)


def test_control_a_server_that_acknowledges_before_it_commits_is_caught():
    assert "was acknowledged, [] is stored" in kills.control(20)


def ledger(answer: Answer = SAVED) -> Ledger:
    """A phone got this answer to a hand."""
    kept = Ledger()
    kept.enter("/t/table/1/", FIELDS, answer)
    return kept


def test_a_hand_that_is_stored_as_it_was_said_is_no_fault():
    ledger().compare([ROW])
    ledger(Answer(409, {}, "")).compare([])
    ledger(Answer(503, {}, "")).compare([])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("other", *ROW[1:])],
        [(*ROW[:6], '{"contract": "misere", "note": "yours"}', 1)],
        [ROW, ("table", 1, 1, 2, *ROW[4:])],
        [("table", 1, 1, 2, *ROW[4:])],
    ],
    ids=["lost", "at another table", "another hand", "twice", "a revision is missing"],
)
def test_control_a_hand_that_is_lost_changed_or_doubled_is_a_fault(rows: list[tuple[object, ...]]):
    with pytest.raises(Lost):
        ledger().compare(rows)
