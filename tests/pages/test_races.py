"""Two phones, four taps each, at the same moment, on a real server: one hand, and a straight answer for everybody.

The short form of what ``make prove`` does a thousand times on each database.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection

from scorekeeper import turnstile
from tests.prove import races, writers
from tests.prove.house import house
from tests.prove.phones import Answer

KIND = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"


def test_of_two_phones_that_save_the_same_hand_one_is_stored_and_the_other_is_shown_both():
    assert "5 rounds" in races.prove(KIND, 5)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([200] * 4, [200] * 4),
        ([409] * 4, [409] * 4),
        ([200, 200, 200, 409], [409] * 4),
        ([200] * 4, [409, 409, 409, 500]),
    ],
)
def test_control_a_race_with_any_other_answers_is_a_fault(first: list[int], second: list[int]):
    shown = ", ".join(map(races.words, races.FIGURES))
    answers = [[Answer(status, {}, shown) for status in phone] for phone in (first, second)]
    with pytest.raises(AssertionError):
        races.judge(answers)


def test_control_a_conflict_that_shows_one_version_only_is_a_fault():
    mine, yours = map(races.words, races.FIGURES)
    saved = [Answer(200, {}, "")] * 4
    assert races.judge([saved, [Answer(409, {}, mine + yours)] * 4]) == 0
    with pytest.raises(AssertionError):
        races.judge([saved, [Answer(409, {}, mine)] * 4])


def test_eight_writers_of_four_processes_on_sqlite_lose_no_hand():
    with house() as one:
        assert "80 hands" in (told := writers.measured(one, 80))
    assert ", 0 failed" in told


# --- the line in which writers stand ---


def test_who_came_first_goes_first():
    line, order = turnstile.Line(), list[int]()

    def stand(number: int) -> None:
        with line.turn(60):
            order.append(number)

    with ThreadPoolExecutor(5) as pool, line.turn(60):
        for number in range(5):
            pool.submit(stand, number)
            while len(line.waiting) < number + 2 and not order:
                time.sleep(0.001)
        assert order == []
    assert order == [0, 1, 2, 3, 4]
    assert not line.waiting


def test_who_has_waited_long_enough_goes_on_without_a_turn_and_holds_nobody_up():
    line = turnstile.Line()
    with line.turn(60) as first:
        with line.turn(0) as second:
            pass
        assert (first, second) == (True, False)
    with line.turn(60) as third:
        assert third


def test_a_writer_that_fails_leaves_the_line():
    line = turnstile.Line()
    with pytest.raises(ZeroDivisionError), line.turn(60):
        raise ZeroDivisionError
    with line.turn(60) as is_first:
        assert is_first


@pytest.mark.skipif(turnstile.fcntl is None, reason="no fcntl on this system")
def test_two_processes_pass_the_door_one_after_the_other(tmp_path: Path):
    file, let_in = tmp_path / "db", threading.Event()
    with turnstile.door(str(file), 60):

        def knock() -> None:
            with turnstile.door(str(file), 60):
                let_in.set()

        waiting = threading.Thread(target=knock)
        waiting.start()
        assert not let_in.wait(0.1)
    waiting.join(60)
    assert let_in.is_set()


@pytest.mark.skipif(turnstile.fcntl is None, reason="no fcntl on this system")
def test_a_door_that_somebody_keeps_shut_is_passed_by_after_a_while(tmp_path: Path):
    with turnstile.door(str(tmp_path / "db"), 60), turnstile.door(str(tmp_path / "db"), 0.01):
        pass
    with turnstile.door(str(tmp_path / "no folder" / "db"), 60):
        pass
