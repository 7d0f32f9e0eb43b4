"""Visits of a link as bars: pure geometry for a drawing without JavaScript."""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 100.0  # of the drawing, in its own units
SLOT = 10.0  # width of an hour, day or month
_BAR = 7.0
_LOWEST = 1.5  # height of a bar that is to be seen
_STEPS = (1, 2, 5)  # times a power of ten: what people count in
_SUFFIXES = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"))


@dataclass(frozen=True, slots=True)
class Bar:
    """The visits of one part; the newest is on the right. `slot` is where its column begins."""

    slot: float
    x: float
    y: float
    height: float
    name: str
    visits: int


@dataclass(frozen=True, slots=True)
class Gridline:
    """A line of equal numbers; `y` is in percent from the top."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, `width` wide and HEIGHT high; columns are SLOT wide and bars `bar`."""

    width: float
    bars: list[Bar]
    lines: list[Gridline]  # from the bottom
    slot: float = SLOT
    bar: float = _BAR


def visits_chart(parts: Sequence[tuple[str, int]]) -> Chart:
    """Return the chart of parts, oldest first, each with its name and its visits.

    The scale begins at zero, and its lines are at whole numbers.
    """
    most = max((visits for _, visits in parts), default=0)
    step = _step(most)
    top = step * max(1, -(-most // step))
    bars = []
    for number, (name, visits) in enumerate(parts):
        height = max(_LOWEST, HEIGHT * visits / top) if visits else 0.0
        slot = number * SLOT
        bars.append(Bar(slot, slot + (SLOT - _BAR) / 2, HEIGHT - height, height, name, visits))
    lines = [
        Gridline(100 - 100 * value / top, short_number(value)) for value in range(0, top + 1, step)
    ]
    return Chart(len(parts) * SLOT, bars, lines)


def _step(most: int) -> int:
    """Return the least distance of lines, of which two or fewer are above zero."""
    power = 1
    while True:
        for factor in _STEPS:
            if 2 * factor * power >= most:
                return factor * power
        power *= 10


def short_number(value: int) -> str:
    """Return a round number in few characters: `500`, `20k`, `1M`; others in full."""
    for unit, suffix in _SUFFIXES:
        if value and value % unit == 0:
            return f"{value // unit}{suffix}"
    return str(value)
