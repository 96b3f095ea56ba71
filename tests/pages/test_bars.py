"""Bars: as long as their figures, from the line of zero, within the drawing, each with its figure beside it."""

import pytest

from referee import load
from referee.figures import game
from scorekeeper.bars import CHARACTER, WIDTH, Bars, bars
from scorekeeper.templatetags.figures import average, average_score


def drawn(*figures: tuple[float, float]) -> Bars:
    rows = [
        (f"row {n}", mine, average(mine), everyone, average(everyone)) for n, (mine, everyone) in enumerate(figures)
    ]
    return bars("Points", "says", rows)


CASES = [
    [(-6.1, -4.6), (6.7, 19.0)],
    [(-1190.9, -745.2), (-145.5, -200)],
    [(24.9, 19.8)],
    [(0, 0)],
    [(0, -5), (-3, -4)],
    [(0.04, -0.04)],
]


@pytest.mark.parametrize("figures", CASES)
def test_everything_stays_within_the_drawing(figures: list[tuple[float, float]]):
    chart = drawn(*figures)
    for row in chart.rows:
        for bar in (row.filled, row.outlined):
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH + 0.1
            length = CHARACTER * len(bar.says) * (-1 if bar.anchor == "end" else 1)
            assert 0 <= bar.text_x + length <= WIDTH
            assert bar.y + bar.height < chart.height


def test_a_bar_is_as_long_as_its_figure_on_its_side_of_zero():
    chart = drawn((-10, 5), (20, -5))
    loss, gain = chart.rows[0].filled, chart.rows[1].filled
    assert gain.width == pytest.approx(2 * loss.width, abs=0.2)
    assert loss.x + loss.width == pytest.approx(chart.zero, abs=0.1) == pytest.approx(gain.x, abs=0.1)
    assert (loss.anchor, gain.anchor) == ("end", "start")


@pytest.mark.parametrize(
    ("figure", "shown"),
    [(-12.25, "−12.3"), (12.25, "+12.3"), (0.04, "0.0"), (-0.04, "0.0"), (7, "+7.0"), (1234.5, "+1,234.5")],
)
def test_an_average_has_one_decimal_and_a_real_sign(figure: float, shown: str):
    assert average(figure) == shown


def test_the_average_of_a_purse_or_of_penalties_has_no_plus():
    assert average_score(9.5, game(load("get-barbara"))) == "9.5"
    assert average_score(10_250, game(load("coup-detat"))) == "10,250.0"
    assert average_score(-9.5, game(load("barbu"))) == "−9.5"
    assert average_score(9.5, game(load("barbu"))) == "+9.5"
