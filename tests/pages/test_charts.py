"""The line of a match: every line, name and target where it belongs, however long the match and alike the totals."""

from itertools import pairwise

import pytest

import referee
from scorekeeper import charts
from tests.referee.strategies import random_match

from .table import ANN, BOB, CY, DEE, PLAYERS


@pytest.mark.parametrize("hands", [1, 2, 28, 60])
@pytest.mark.parametrize("players", [3, 6])
def test_lines_names_and_targets_keep_within_the_picture(hands: int, players: int):
    chart = charts.line_of(rounds(hands, players))
    assert len(chart.lines) == players
    for line in chart.lines:
        places = [tuple(map(float, place.split(","))) for place in line.points.split(" ")]
        assert len(places) == hands + 1
        assert all(0 <= x <= chart.width and 0 <= y <= chart.height for x, y in places)
        assert 0 <= float(line.top) < chart.height - 15
        assert line.end.x == chart.right
    tops = sorted(float(line.label) for line in chart.lines)
    assert all(after - before >= charts.A_NAME - 0.2 for before, after in pairwise(tops))
    assert len(chart.targets) <= charts.TARGETS
    assert chart.targets[0].first == 1
    assert chart.targets[-1].last == hands
    reached = float(chart.left)
    for target in chart.targets:
        assert float(target.x) == pytest.approx(reached, abs=0.2)
        reached = float(target.x) + float(target.width)
    assert reached == pytest.approx(float(chart.right) + charts.GAP, abs=0.2)


def test_who_has_more_stands_higher_after_every_hand():
    match = random_match("barbu", seed=2)
    chart = charts.line_of(match)
    heights = [[float(place.split(",")[1]) for place in line.points.split(" ")] for line in chart.lines]
    for number, scored in enumerate(match.scored, start=1):
        for seat, points in enumerate(scored.running):
            higher = [other for other in range(4) if heights[other][number] < heights[seat][number]]
            assert all(scored.running[other] > points for other in higher)
            assert (heights[seat][number] < float(chart.base)) == (points > 0)
    assert {column[0] for column in heights} == {float(chart.base)}


def rounds(hands: int, players: int) -> referee.Match:
    """So many rounds of Get Barbara in which one takes all Barbaras and another has a card left."""
    counts = {"barbaras": {0: 4}, "fives": {}, "ones": {1: 1}}
    told = [referee.Hand(result=referee.Result(counts=counts))] * hands
    match = referee.Match(referee.load("get-barbara"), ("Ann", "Bob", "Cy", "Dee", "Eli", "Fay")[:players], hands=told)
    assert len(match.finished_hands) == hands
    return match


def test_lines_that_never_part_and_lines_below_zero_are_drawn():
    level = referee.Match(
        referee.load("barbu"),
        PLAYERS,
        hands=(
            referee.Hand(
                contract="trumps",
                trump="S",
                doubles=(),
                result=referee.Result(counts={"tricks": {ANN: 4, BOB: 3, CY: 3, DEE: 3}}),
                adjustment=referee.Adjustment(points={ANN: -5, BOB: 1, CY: 2, DEE: 2}),
            ),
        ),
    )
    assert len({line.end.y for line in charts.line_of(level).lines}) <= 3
    below = referee.Match(referee.load("barbu"), PLAYERS, hands=(referee.Hand(contract="no-hearts", doubles=()),))
    chart = charts.line_of(below)
    assert [tick.says for tick in chart.ticks] == ["−10", "−8", "−6", "−4", "−2", "0"]
    assert chart.base == chart.ticks[-1].at
    nothing = referee.Match(
        referee.load("coup-detat"),
        PLAYERS,
        hands=(referee.Hand(contract="tableau", start="9", result=referee.Result(finish=(BOB, CY, DEE, ANN))),),
    )
    assert {line.end.y for line in charts.line_of(nothing).lines} == {charts.line_of(nothing).base}
    assert [tick.says for tick in charts.line_of(nothing).ticks] == ["10,000"]
