"""Bar charts: the geometry of SVG drawings without JavaScript."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 100.0  # of a drawing, in its own units
SLOT = 10.0  # width of the slot of a column, in the same units
BAR = 7.0  # width of the bar in a slot
_LOWEST = 1.5  # minimum height of a visible piece
_STEPS = (1, 2, 5)  # times a power of ten: round numbers
_SUFFIXES = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"))


@dataclass(frozen=True, slots=True)
class ChartPiece:
    """The part of a column for one kind, which determines its colour."""

    kind: str
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the counts of one period, such as an hour."""

    name: str
    x: float  # start of its slot
    count: int
    pieces: list[ChartPiece]  # from the bottom; kinds without a count have none


@dataclass(frozen=True, slots=True)
class Gridline:
    """A line at a value or time; `at` is in percent from the top or left of the drawing."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class ColumnChart:
    """A drawing that is `width` wide and HEIGHT high; the newest column is on the right."""

    width: float
    columns: list[Column]
    lines: list[Gridline]  # from the bottom
    slot_width: float = SLOT
    bar_width: float = BAR


def column_chart(
    counts: Sequence[tuple[str, Mapping[str, int]]], kinds: Mapping[str, str]
) -> ColumnChart:
    """Return the chart of these columns.

    `counts`: the label of each column, and its counts by name, oldest first. `kinds`: the names to
    draw, from the bottom, each with the kind that determines its colour. The scale begins at zero,
    with lines at round numbers.
    """
    sums = [sum(column_counts.get(name, 0) for name in kinds) for _, column_counts in counts]
    step = _step(max(sums, default=0))
    top = step * max(1, -(-max(sums, default=0) // step))
    columns = [
        Column(name, number * SLOT, count, _pieces(column_counts, kinds, number=number, top=top))
        for number, ((name, column_counts), count) in enumerate(zip(counts, sums, strict=True))
    ]
    lines = [
        Gridline(100 - 100 * value / top, short_number(value)) for value in range(0, top + 1, step)
    ]
    return ColumnChart(len(counts) * SLOT, columns, lines)


def sparkline(counts: Sequence[int], *, height: int, bar: int, gap: int) -> str:
    """Return the SVG path of a small bar for each count, oldest first; empty if all are 0."""
    maximum = max(counts, default=0)
    return "".join(
        f"M{n * (bar + gap)} {height}v-{max(1, round(height * count / maximum))}h{bar}V{height}z"
        for n, count in enumerate(counts)
        if count
    )


def _pieces(
    counts: Mapping[str, int], kinds: Mapping[str, str], *, number: int, top: int
) -> list[ChartPiece]:
    y, x = HEIGHT, number * SLOT + (SLOT - BAR) / 2
    pieces = []
    for name, kind in kinds.items():
        if count := counts.get(name, 0):
            height = min(y, max(_LOWEST, HEIGHT * count / top))
            y -= height
            pieces.append(ChartPiece(kind, x, y, height))
    return pieces


def _step(maximum: int) -> int:
    """Return the smallest round distance between lines with at most two lines above zero."""
    power = 1
    while True:
        for factor in _STEPS:
            if 2 * factor * power >= maximum:
                return factor * power
        power *= 10


def short_number(value: int) -> str:
    """Return a multiple of 1,000 in a short form, such as `20k` or `1M`; other numbers in full."""
    for unit, suffix in _SUFFIXES:
        if value and value % unit == 0:
            return f"{value // unit}{suffix}"
    return str(value)
