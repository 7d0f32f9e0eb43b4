"""Counts of several kinds as stacked bars: pure geometry for a drawing without JavaScript."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 100.0  # of the drawing, in its own units
SLOT = 10.0  # width of an hour, or a day
_BAR = 7.0
_LOWEST = 1.5  # height of a piece that is to be seen


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar: so much of one kind."""

    kind: str  # as pages colour it
    x: float
    y: float
    height: float
    width: float = _BAR


@dataclass(frozen=True, slots=True)
class Stacks:
    """A drawing, `width` wide and HEIGHT high; the newest bar is on the right."""

    width: float
    pieces: list[Piece]
    most: int  # what the highest bar stands for


def stacks(bars: Sequence[Mapping[str, int]], kinds: Mapping[str, str]) -> Stacks:
    """Return the drawing of bars, oldest first, each with its counts by name.

    `kinds`: the names that are drawn, from the bottom, and as what pages colour them.
    """
    most = max((sum(bar.get(name, 0) for name in kinds) for bar in bars), default=0)
    pieces = []
    for number, bar in enumerate(bars):
        y, x = HEIGHT, number * SLOT + (SLOT - _BAR) / 2
        for name, kind in kinds.items():
            if count := bar.get(name, 0):
                height = min(y, max(_LOWEST, HEIGHT * count / most))
                y -= height
                pieces.append(Piece(kind, x, y, height))
    return Stacks(len(bars) * SLOT, pieces, most)
