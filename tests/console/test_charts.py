"""Column charts draw each part to scale and keep the smallest part visible."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.charts import BAR_WIDTH, HEIGHT, SLOT_WIDTH, column_chart, short_number

pytestmark = pytest.mark.any_database
KINDS = {"failures": "failure", "slow": "warning"}


def drawing(*columns, kinds=KINDS):
    """Return a column chart; each column is its counts."""
    return column_chart([(str(n), counts) for n, counts in enumerate(columns)], kinds)


def pieces(chart):
    return [piece for column in chart.columns for piece in column.pieces]


def test_the_highest_column_fills_the_chart_and_parts_are_stacked():
    chart = drawing({"failures": 3, "slow": 1, "other": 99}, {}, {"slow": 2})
    assert chart.width == 3 * SLOT_WIDTH
    assert [column.count for column in chart.columns] == [4, 0, 2]
    found = [(piece.kind, piece.y, piece.height) for piece in pieces(chart)]
    assert found == [("failure", 25, 75), ("warning", 0, 25), ("warning", 50, 50)]
    assert [piece.x // SLOT_WIDTH for piece in pieces(chart)] == [0, 0, 2]


def test_a_single_count_among_many_is_visible_and_nothing_overflows():
    one, many = pieces(drawing({"slow": 1}, {"failures": 100_000}))
    assert 1 < one.height < 3
    assert many.height == HEIGHT
    assert all(piece.y >= 0 for piece in pieces(drawing({"failures": 100_000, "slow": 1})))


def test_without_any_count_nothing_is_drawn():
    assert pieces(drawing({}, {})) == []
    assert drawing().columns == []


def test_columns_begin_at_zero_and_grid_lines_are_round_numbers():
    chart = drawing({}, {"slow": 30}, {"slow": 60})
    assert [(line.label, line.at) for line in chart.lines] == [("0", 100), ("50", 50), ("100", 0)]
    assert [round(piece.height) for piece in pieces(chart)] == [30, 60]
    assert [short_number(n) for n in (0, 500, 1_000, 20_000, 1_500, 2_000_000)] == [
        *("0", "500", "1k", "20k", "1500", "2M")
    ]


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=60))
def test_every_column_is_within_the_drawing_with_few_grid_lines(numbers):
    chart = drawing(*({"slow": number} for number in numbers))
    assert chart.width == len(numbers) * SLOT_WIDTH
    for column, number in zip(chart.columns, numbers, strict=True):
        assert len(column.pieces) == (number > 0)
        for piece in column.pieces:
            assert 0 <= column.x < piece.x < piece.x + BAR_WIDTH < chart.width
            assert piece.y + piece.height == pytest.approx(HEIGHT)
            assert piece.y >= -0.001
            assert piece.height > 0
    assert 2 <= len(chart.lines) <= 3
    assert all(re.fullmatch(r"\d{1,4}[kMG]?|\d+", line.label) for line in chart.lines)
