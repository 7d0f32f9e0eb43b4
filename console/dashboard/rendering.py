"""Renders the summary as sections of the dashboard, for the first response and for updates."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from console.access import Audience
from console.dashboard.checks_chart import check_charts
from console.dashboard.summary import Summary
from console.outages.trends import ALL_STATES, daily_chart
from foundation.valkey.cached_value import Copy

# Each name is a template, and the id of an element of the page.
_COMMON = (
    *("headline", "alarm", "needs", "targets", "weeks", "changes", "failing", "slow", "asleep"),
    *("engine", "figures", "bars", "parts"),
)
SECTIONS = {Audience.STAFF: (*_COMMON, "trending", "expiring"), Audience.MEMBERS: _COMMON}


@dataclass(frozen=True, slots=True)
class DashboardRendering:
    """A rendered summary. Sections are HTML; `rates` is the data of the chart of version 0.2.0."""

    computed_at: datetime  # when the summary was computed
    now: str  # when it was rendered, RFC 3339
    patience: float  # seconds without a message until a page shows that it is stale
    sections: Mapping[Audience, Mapping[str, str]]  # empty ones have nothing to show
    rates: Mapping[str, list[Any]]


def render(cached: Copy[Summary], *, now: datetime, patience: float) -> DashboardRendering:
    """Return the rendering of a cached summary at `now`."""
    return DashboardRendering(
        computed_at=cached.at,
        now=now.isoformat(),
        patience=patience,
        sections={audience: sections(cached.value, audience, now=now) for audience in Audience},
        rates=rates(cached.value),
    )


def sections(summary: Summary, audience: Audience, *, now: datetime) -> dict[str, SafeString]:
    """Return the sections of the page by name; an empty one has nothing to show."""
    for_staff = audience is Audience.STAFF
    down = [part for part in summary["parts"] if part["state"] == "down"]
    days = summary["days"]
    context = {
        "summary": summary,
        "now": now,
        "for_staff": for_staff,
        "needs": [need for need in summary["needs"] if for_staff or not need["for_staff"]],
        "weeks": daily_chart(days, ALL_STATES, now=now) if len(days) > 1 else None,
        "down": down,
        # Only complete minutes, because the current one would always look like a decline.
        "charts": check_charts(summary["minutes"][:-1], summary["long_spans"]),
    }
    return {
        name: mark_safe(  # noqa: S308 - the template escapes it
            render_to_string(f"console/dashboard/{name}.html", context).strip()
        )
        for name in SECTIONS[audience]
    }


def rates(summary: Summary) -> dict[str, list[Any]]:
    """Return the data of the chart of version 0.2.0, for pages of that version that are still open.

    `checks` are per second; `failures` and `inconclusive` are in percent of the checks, or None for
    minutes without checks.
    """
    minutes = summary["minutes"][:-1]
    return {
        "at": [int(minute["minute"].timestamp()) for minute in minutes],
        "checks": [round(minute["checks"] / 60, 4) for minute in minutes],
        "failures": [_share(minute["failures"], minute["checks"]) for minute in minutes],
        "inconclusive": [_share(minute["inconclusive"], minute["checks"]) for minute in minutes],
    }


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None
