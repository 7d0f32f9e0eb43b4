"""The latencies of a target's checks as a chart: pure geometry for a drawing without JavaScript."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

HEIGHT = 100.0  # of the drawing, in its own units
SLOT = 10.0  # width of a check
_FEWEST = 40  # slots, so that a few checks are no walls
_BAR = 7.0
_LOWEST = 2.0  # height of a bar that is to be seen


@dataclass(frozen=True, slots=True)
class Check:
    """What the chart shows of a check."""

    at: datetime
    outcome: str
    latency_ms: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One check; the newest is on the right."""

    x: float
    y: float
    width: float
    height: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Gridline:
    """A line of equal latency; `y` is in percent from the top."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, `width` wide and HEIGHT high."""

    width: float
    bars: list[Bar]
    lines: list[Gridline]
    since: datetime
    until: datetime


def latency_chart(checks: Sequence[Check]) -> Chart | None:
    """Return the chart of these checks, oldest first; None if there are none.

    The scale is logarithmic, over whole powers of ten: a timeout of seconds and an answer within
    milliseconds are both to be seen.
    """
    if not checks:
        return None
    latencies = [max(1, check.latency_ms) for check in checks]
    bottom = math.floor(math.log10(min(latencies)))
    top = max(bottom + 1, math.ceil(math.log10(max(latencies))))
    slots = max(_FEWEST, len(checks))
    first = slots - len(checks)
    bars = []
    for number, (check, latency) in enumerate(zip(checks, latencies, strict=True), first):
        height = max(_LOWEST, HEIGHT * (math.log10(latency) - bottom) / (top - bottom))
        x = number * SLOT + (SLOT - _BAR) / 2
        bars.append(Bar(x, HEIGHT - height, _BAR, height, check.outcome))
    lines = [
        Gridline(100 * (top - power) / (top - bottom), _milliseconds(10**power))
        for power in range(bottom, top + 1)
    ]
    return Chart(slots * SLOT, bars, lines, checks[0].at, checks[-1].at)


def _milliseconds(count: int) -> str:
    return f"{count} ms" if count < 1000 else f"{count // 1000} s"
