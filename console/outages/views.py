"""`/outages`: when our own network was down; `/history`: how many targets were in each state."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from checker.models import DailyStates, Outage
from console.charts import column_chart
from console.uplink_banner import own_side
from foundation.database.clock import database_now
from foundation.http.permissions import PermittedPage

OUTAGES = 25  # on a page
DAYS = 84  # twelve weeks
_DAY = timedelta(days=1)
_BAD = {"dead": "dead", "potentially_dead": "potentially_dead"}
_ALL = {**_BAD, "pending": "pending", "alive": "alive"}
_WHY = {
    "dns": "No name was found",
    "dns_temporary": "The name service gave no answer",
    "connect": "No connection was made",
    "timeout": "Nothing answered in time",
    "no_route": "There was no route",
    "proxy": "The proxy let nobody through",
}


class OutagesPage(PermittedPage):
    """Times in which nothing answered our checks, the newest first; `?page=` shows older ones."""

    permission_required = ("targets.view_target", "checker.view_checkresult")

    def get(self, request: HttpRequest) -> HttpResponse:
        now, page = database_now(), _page(request)
        skip = OUTAGES * (page - 1)
        found = list(Outage.objects.all()[skip : skip + OUTAGES + 1])
        context = {
            "now": now,
            "outages": [_in_words(outage, now) for outage in found[:OUTAGES]],
            "page": page,
            "has_more": len(found) > OUTAGES,
            **own_side(),
        }
        return render(request, "console/outages/list.html", context)


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _in_words(outage: Outage, now: datetime) -> dict[str, Any]:
    return {
        "began_at": outage.began_at,
        "ended_at": outage.ended_at,
        "length": (outage.ended_at or now) - outage.began_at,
        "checks": outage.checks,
        "resumed": outage.resumed,
        "reason": _WHY.get(outage.reason, "Nothing answered"),
    }


class HistoryPage(PermittedPage):
    """How many targets were in each state over the last weeks, a bar for each day."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        now = database_now()
        today = now.astimezone(UTC).date()
        rows = {row.day: row for row in DailyStates.objects.filter(day__gt=today - DAYS * _DAY)}
        days = [today - n * _DAY for n in reversed(range(DAYS))]
        counts = [(f"{day:%Y-%m-%d}", vars(rows[day]) if day in rows else {}) for day in days]
        kinds = {"All targets": _ALL, "Those that fail": _BAD}
        context = {
            "now": now,
            "charts": [(title, column_chart(counts, drawn)) for title, drawn in kinds.items()],
            "rows": [rows[day] for day in reversed(days) if day in rows],
            **own_side(),
        }
        return render(request, "console/outages/history.html", context)
