"""Scores that a file brings along are held against the true ones, and every difference is a sentence."""

from typing import Any

import pytest
from strategies import random_match

from referee import Match, load, matchfile, names
from referee.claims import differences
from referee.jsontext import has_nul
from referee.report import report

TOLD: dict[str, Any] = {
    "format": "match/1",
    "ruleset": "barbu",
    "players": ["Ann", "Bob", "Cy", "Dee"],
    "first_declarer": "Ann",
    "hands": [
        {"contract": "misere", "doubles": [], "total": {"Ann": 1, "Bob": -9, "Cy": -9, "Dee": -9}},
        {"contract": "trumps", "trump": "S", "score": 7},
    ],
}
"""Ann's Misère is passed out; what is said of the second hand, which is not finished, is not looked at."""


def said(beside: object = None, **changes: Any) -> list[str]:
    """The differences in the file with these further fields."""
    file = matchfile.read(TOLD | changes)
    assert file.match is not None
    return [one.says for one in differences(file.match, file.extra, beside)]


def worked_out() -> dict[str, Any]:
    match = matchfile.read(TOLD).match
    assert match is not None
    return report(match)


@pytest.mark.parametrize("code", names())
def test_the_true_report_of_any_game_is_no_difference(code: str):
    match = random_match(code, 3)
    assert differences(match, {"report": report(match)}, report(match)) == ()


def test_a_match_without_claims_has_none():
    assert differences(Match(load("barbu"), ("Ann", "Bob", "Cy", "Dee")), {}) == ()


def test_claims_stand_by_name_or_in_seat_order():
    true = worked_out()["hands"][0]["total"]
    assert said(total={name: points for name, points in true.items() if name != "Cy"}) == []
    assert said(total=list(true.values())) == []
    assert said(scores=[0, *[*true.values()][1:]]) == [
        f"Final score, Ann: the file says 0, worked out it is {true['Ann']}.".replace("-", "−")
    ]


def test_a_hand_that_is_counted_differently_is_named():
    hand = TOLD["hands"][0]
    assert said(hands=[hand | {"score": {"Bob": 5}}]) == ["Hand 1, Bob: the file says 5, worked out it is −9."]
    assert said(hands=[hand | {"basic": [0]}]) == ["Hand 1, Ann: the file says 0 before doubling, worked out it is 1."]


def test_what_is_no_score_is_told_as_it_is():
    [one] = said(total={"Bob": {"points": 3}})
    assert one.startswith("Final score, Bob: the file says an object, worked out it is ")
    [one] = said(total={"Bob": True})
    assert one.startswith("Final score, Bob: the file says true, worked out it is ")
    assert said(total="many", report="none", standings="first") == []


def test_the_same_difference_is_told_once():
    told = {"standings": [{"player": "Ann", "score": 7}, {"player": 3, "score": 1}, "Bob"]}
    assert len(said(told | {"hands": [0, 0]}, **told)) == 1


def test_winners_are_compared():
    assert said(winners=[]) == []
    assert said(winners=["Ann", 7]) == ["Won, the file says: Ann, 7. Worked out: –."]


def test_a_report_of_another_number_of_hands_is_told():
    assert said({"hands": []}) == ["The file has scores of 0 hands, and the match has 2."]


def test_nul_is_found_wherever_it_stands():
    assert not has_nul({"a": ["b", 1, None, {"c": 2.5}]})
    for value in ("\0", ["a\0"], {"\0": 1}, {"a": [{"b": "c\0"}]}):
        assert has_nul(value)
