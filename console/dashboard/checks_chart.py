"""The dashboard's chart of checks: stacked bars over an hour, a day or a month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from checker.models import COUNT_FIELDS, Tally
from console.charts import Gridline, column_chart
from foundation.templatetags.numbers import number
from foundation.valkey.cached_value import CachedValue

_PAUSE = 60.0  # seconds between two computations of the bars of a day and a month
_KINDS = {"successes": "success", "inconclusive": "inconclusive", "failures": "failure"}

Counts = list[int]  # the values of COUNT_FIELDS in one bar


@dataclass(frozen=True, slots=True)
class CheckSpan:
    """A selectable span: the number of bars, and the length of each."""

    label: str
    period: str  # such as "in the last hour"
    bar_length: timedelta
    bar_count: int
    bar_length_words: str
    axis_labels: tuple[str, ...]  # below the bars, from left to right


SPANS: Mapping[str, CheckSpan] = {
    "hour": CheckSpan(
        "1 h",
        "in the last hour",
        timedelta(minutes=1),
        60,
        "minute",
        ("60 min ago", "30 min ago", "now"),
    ),
    "day": CheckSpan(
        "24 h",
        "in the last 24 hours",
        timedelta(minutes=15),
        96,
        "15 minutes",
        ("24 h ago", "12 h ago", "now"),
    ),
    "month": CheckSpan(
        "30 d",
        "in the last 30 days",
        timedelta(hours=6),
        120,
        "6 hours",
        ("30 days ago", "15 days ago", "now"),
    ),
}


@dataclass(frozen=True, slots=True)
class CheckChart:
    """A drawing of one span: an SVG path for each outcome, and a text alternative."""

    name: str
    span: CheckSpan
    width: float
    paths: list[tuple[str, str]]  # the outcome, which determines the colour, and the path
    lines: list[Gridline]
    sentence: str


def find_long_spans(now: datetime) -> dict[str, list[Counts]]:
    """Return the complete bars of the spans `day` and `month` by name, oldest first."""
    first = min(_first_start(span, now) for span in SPANS.values())
    rows = Tally.objects.by_minute(since=first)
    return {name: _bars(rows, SPANS[name], now) for name in ("day", "month")}


LONG_SPANS: CachedValue[dict[str, list[Counts]]] = CachedValue(
    "checks", find_long_spans, pause=_PAUSE
)


def _first_start(span: CheckSpan, now: datetime) -> datetime:
    """Return the start of the first bar of a span, whose last bar is the newest complete one."""
    seconds = span.bar_length.total_seconds()
    end = datetime.fromtimestamp(now.timestamp() // seconds * seconds, now.tzinfo)
    return end - span.bar_count * span.bar_length


def _bars(rows: Sequence[Mapping[str, Any]], span: CheckSpan, now: datetime) -> list[Counts]:
    bars, first = [[0] * len(COUNT_FIELDS) for _ in range(span.bar_count)], _first_start(span, now)
    for row in rows:
        index = (row["minute"] - first) // span.bar_length
        if 0 <= index < span.bar_count:
            for column, name in enumerate(COUNT_FIELDS):
                bars[index][column] += row[name]
    return bars


def check_charts(
    minutes: Sequence[Mapping[str, Any]], long_spans: Mapping[str, Sequence[Counts]]
) -> list[CheckChart]:
    """Return a chart of the hour, and one of each of `long_spans` (bars by name of the span).

    `minutes`: the complete minutes of the hour with their COUNT_FIELDS numbers, oldest first.
    """
    hour = [[minute[name] for name in COUNT_FIELDS] for minute in minutes]
    counts = {"hour": hour, **long_spans}
    return [_chart(name, SPANS[name], bars) for name, bars in counts.items()]


def _chart(name: str, span: CheckSpan, bars: Sequence[Counts]) -> CheckChart:
    counts = [dict(zip(COUNT_FIELDS, bar, strict=True)) for bar in bars]
    for bar in counts:
        bar["successes"] = bar["checks"] - bar["failures"] - bar["inconclusive"]
    drawn = column_chart([("", bar) for bar in counts], _KINDS)
    width = drawn.bar_width
    paths = [
        (
            kind,
            "".join(
                f"M{piece.x:g} {piece.y:.2f}h{width:g}v{piece.height:.2f}h-{width:g}z"
                for column in drawn.columns
                for piece in column.pieces
                if piece.kind == kind
            ),
        )
        for kind in _KINDS.values()
    ]
    return CheckChart(name, span, drawn.width, paths, drawn.lines, _sentence(counts, span))


def _sentence(counts: Sequence[Mapping[str, int]], span: CheckSpan) -> str:
    checks, failures, inconclusive = (sum(bar[name] for bar in counts) for name in COUNT_FIELDS)
    if not checks:
        return f"No checks {span.period}."
    plural = "" if checks == 1 else "s"
    return (
        f"{number(checks)} check{plural} {span.period}: {number(failures)} failed, "
        f"{number(inconclusive)} inconclusive."
    )
