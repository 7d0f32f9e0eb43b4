"""Stacked bars: each piece to scale, the smallest still seen."""

import pytest

from console.stacked import HEIGHT, SLOT, stacks

pytestmark = pytest.mark.any_database
KINDS = {"failures": "failure", "slow": "warning"}


def test_the_highest_bar_fills_the_drawing_and_pieces_stand_on_each_other():
    drawing = stacks([{"failures": 3, "slow": 1, "other": 99}, {}, {"slow": 2}], KINDS)
    assert (drawing.width, drawing.most) == (3 * SLOT, 4)
    found = [(piece.kind, piece.y, piece.height) for piece in drawing.pieces]
    assert found == [("failure", 25, 75), ("warning", 0, 25), ("warning", 50, 50)]
    assert [piece.x // SLOT for piece in drawing.pieces] == [0, 0, 2]


def test_one_among_many_is_seen_and_nothing_leaves_the_drawing():
    one, many = stacks([{"slow": 1}, {"failures": 100_000}], KINDS).pieces
    assert 1 < one.height < 3
    full = stacks([{"failures": 100_000, "slow": 1}], KINDS)
    assert all(piece.y >= 0 for piece in full.pieces)
    assert many.height == HEIGHT


def test_without_any_count_nothing_is_drawn():
    assert stacks([{}, {}], KINDS).pieces == []
    assert stacks([], KINDS).most == 0
