"""The chart of latencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.target_page.chart import HEIGHT, Check, latency_chart
from tests.conftest import NOW

pytestmark = pytest.mark.any_database


def chart(*latencies, outcome="success"):
    return latency_chart([Check(NOW, outcome, latency) for latency in latencies])


def test_without_a_check_there_is_none():
    assert chart() is None


def test_equal_steps_are_equal_factors():
    bars = chart(10, 100, 1000).bars
    assert [round(bar.height) for bar in bars] == [2, 50, 100]  # the lowest is still to be seen


def test_its_lines_are_powers_of_ten_and_named():
    drawn = chart(12, 5000)
    assert [(line.label, round(line.y)) for line in drawn.lines] == [
        ("10 ms", 100),
        ("100 ms", 67),
        ("1 s", 33),
        ("10 s", 0),
    ]


def test_a_few_checks_stand_on_the_right_and_are_no_walls():
    drawn = chart(10, 20)
    assert drawn.bars[-1].x + 10 > drawn.width - 5
    assert drawn.bars[0].width < drawn.width / 20


@given(st.lists(st.integers(0, 2**31), min_size=1, max_size=150))
def test_every_bar_is_within_the_drawing(latencies):
    drawn = chart(*latencies)
    assert len(drawn.bars) == len(latencies)
    for bar in drawn.bars:
        assert bar.x >= 0
        assert bar.x + bar.width <= drawn.width
        assert -0.001 <= bar.y < HEIGHT
        assert bar.y + bar.height == pytest.approx(HEIGHT)
