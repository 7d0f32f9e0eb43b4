"""The chart of a target's checks: the geometry of an SVG drawing without JavaScript."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median_low
from typing import NamedTuple

from console.charts import HEIGHT, Gridline

WIDTH = 1000.0  # of the drawing, in its own units
SLOTS = 144  # of equal length: ten minutes in a day, five hours in 30 days
_BAR_WIDTH = 5.0  # a slot is 6.9 wide, which leaves a gap
_MIN_BAR_HEIGHT = 2.0
_OUTCOMES = ("failure", "inconclusive", "success")  # worst first: a bar shows the worst
_DAY = timedelta(days=1)


class Scale(NamedTuple):
    """A period that a chart may show, and the ticks that mark times in it."""

    length: timedelta
    step: timedelta  # between two ticks; the first is at midnight
    label_format: str  # of the ticks, for strftime


SCALES = {
    "day": Scale(_DAY, timedelta(hours=6), "%H:%M"),
    "week": Scale(7 * _DAY, _DAY, "%a"),
    "month": Scale(30 * _DAY, 7 * _DAY, "%b %-d"),
}


class ChartCheck(NamedTuple):
    """A check, with the values that the chart shows."""

    at: datetime
    outcome: str
    latency_ms: int


@dataclass(frozen=True, slots=True)
class Bar:
    """The checks of a slot: the height is their median latency, the colour their worst outcome."""

    x: float
    y: float
    height: float
    outcome: str  # the worst
    latency_ms: int  # the median
    since: datetime
    until: datetime
    counts: dict[str, int]  # by outcome


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of the checks between two times."""

    since: datetime
    until: datetime
    bars: list[Bar]
    lines: list[Gridline]  # of latencies
    ticks: list[Gridline]  # of times
    counts: Counter[str]  # of checks, by outcome
    missing: float  # width on the left without bars, because older checks were left out
    bar_width: float = _BAR_WIDTH

    @property
    def total(self) -> int:
        """The number of checks drawn."""
        return self.counts.total()


def checks_chart(
    checks: Sequence[ChartCheck], scale: Scale, *, now: datetime, is_cut: bool = False
) -> Chart:
    """Return the chart of these checks, which may be in any order.

    `is_cut`: older checks were left out. The chart ends with the slot of `now`. The scale of
    latencies is logarithmic, over whole powers of ten, so that timeouts of seconds and responses
    within milliseconds are both visible.
    """
    width = scale.length / SLOTS
    until = _slot_end(now, width)
    since = until - scale.length
    slots: dict[int, list[ChartCheck]] = defaultdict(list)
    for check in checks:
        if since <= check.at < until:
            slots[int((check.at - since) / width)].append(check)
    bottom, top = _powers([check.latency_ms for group in slots.values() for check in group])
    first = min(slots, default=0) if is_cut else 0
    return Chart(
        since=since,
        until=until,
        bars=[
            _bar(number, group, since=since + number * width, width=width, powers=(bottom, top))
            for number, group in sorted(slots.items())
        ],
        lines=[
            Gridline(100 * (top - power) / (top - bottom), _latency_label(10**power))
            for power in range(bottom, top + 1)
        ],
        ticks=list(_ticks(since, until, scale)),
        counts=Counter(check.outcome for group in slots.values() for check in group),
        missing=first * WIDTH / SLOTS,
    )


def _slot_end(now: datetime, width: timedelta) -> datetime:
    """Return the end of the slot of `now`; slots are counted from the midnight before `now`."""
    midnight = _midnight(now)
    return midnight + ((now - midnight) // width + 1) * width


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _powers(latencies: Sequence[int]) -> tuple[int, int]:
    if not latencies:
        return 1, 3
    bottom = math.floor(math.log10(max(1, min(latencies))))
    return bottom, max(bottom + 1, math.ceil(math.log10(max(1, *latencies))))


def _bar(
    number: int,
    checks: Sequence[ChartCheck],
    *,
    since: datetime,
    width: timedelta,
    powers: tuple[int, int],
) -> Bar:
    counts = Counter(check.outcome for check in checks)
    bottom, top = powers
    latency = median_low(check.latency_ms for check in checks)
    height = HEIGHT * (math.log10(max(1, latency)) - bottom) / (top - bottom)
    height = max(_MIN_BAR_HEIGHT, height)
    slot_width = WIDTH / SLOTS
    return Bar(
        x=number * slot_width + (slot_width - _BAR_WIDTH) / 2,
        y=HEIGHT - height,
        height=height,
        outcome=next(outcome for outcome in _OUTCOMES if counts[outcome]),
        latency_ms=latency,
        since=since,
        until=since + width,
        counts=dict(counts),
    )


def _ticks(since: datetime, until: datetime, scale: Scale) -> Iterator[Gridline]:
    at = _midnight(since)
    while at < until:
        percent = 100 * ((at - since) / (until - since))
        if 4 <= percent <= 94:  # a label at the edge would not fit
            yield Gridline(percent, at.strftime(scale.label_format))
        at += scale.step


def _latency_label(ms: int) -> str:
    return f"{ms} ms" if ms < 1000 else f"{ms // 1000} s"
