"""Bar charts: the geometry of SVG drawings without JavaScript."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 100.0  # of a drawing, in its own units
SLOT_WIDTH = 10.0  # of the slot of a column, in the same units
BAR_WIDTH = 7.0  # of the bar in a slot
_MIN_HEIGHT = 1.5  # of a visible piece
_ROUND_FACTORS = (1, 2, 5)  # times a power of ten
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
    pieces: list[ChartPiece]  # from the bottom; none for kinds whose count is 0


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
    slot_width: float = SLOT_WIDTH
    bar_width: float = BAR_WIDTH


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
        Column(name, index * SLOT_WIDTH, count, _pieces(column_counts, kinds, index=index, top=top))
        for index, ((name, column_counts), count) in enumerate(zip(counts, sums, strict=True))
    ]
    lines = [
        Gridline(100 - 100 * value / top, short_number(value)) for value in range(0, top + 1, step)
    ]
    return ColumnChart(len(counts) * SLOT_WIDTH, columns, lines)


def sparkline(counts: Sequence[int], *, height: int, width: int, gap: int) -> str:
    """Return the SVG path of a bar for each count, oldest first; empty if all are 0."""
    top = max(counts, default=0)
    return "".join(
        f"M{n * (width + gap)} {height}v-{max(1, round(height * count / top))}h{width}V{height}z"
        for n, count in enumerate(counts)
        if count
    )


def _pieces(
    counts: Mapping[str, int], kinds: Mapping[str, str], *, index: int, top: int
) -> list[ChartPiece]:
    y, x = HEIGHT, index * SLOT_WIDTH + (SLOT_WIDTH - BAR_WIDTH) / 2
    pieces = []
    for name, kind in kinds.items():
        if count := counts.get(name, 0):
            height = min(y, max(_MIN_HEIGHT, HEIGHT * count / top))
            y -= height
            pieces.append(ChartPiece(kind, x, y, height))
    return pieces


def _step(maximum: int) -> int:
    """Return the smallest round distance with which two lines above zero reach `maximum`."""
    power = 1
    while True:
        for factor in _ROUND_FACTORS:
            if 2 * factor * power >= maximum:
                return factor * power
        power *= 10


def short_number(value: int) -> str:
    """Return a multiple of 1,000 in a short form, such as `20k` or `1M`; other numbers in full."""
    for unit, suffix in _SUFFIXES:
        if value and value % unit == 0:
            return f"{value // unit}{suffix}"
    return str(value)
