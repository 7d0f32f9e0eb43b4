"""`/outages`: when our own network was down; `/trends`: targets by state over time."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views import View

from checker.models import Outage
from console.outages.trends import ALL_STATES, FAILING_STATES, daily_chart, daily_states
from console.uplink_banner import uplink_context
from foundation.database.clock import database_now
from foundation.http.permissions import PermittedPage
from targets import counts

OUTAGES_PER_PAGE = 25
_REASONS = {
    "dns": "DNS: name not found",
    "dns_temporary": "No response from DNS",
    "connect": "No connection",
    "timeout": "Timeout",
    "no_route": "No route",
    "proxy": "Refused by the proxy",
}


class OutagesPage(PermittedPage):
    """The periods when no server responded to checks, newest first; `?page=` is the page number."""

    permission_required = ("targets.view_target", "checker.view_checkresult")

    def get(self, request: HttpRequest) -> HttpResponse:
        now, page = database_now(), _page_number(request)
        skip = OUTAGES_PER_PAGE * (page - 1)
        outages = list(Outage.objects.all()[skip : skip + OUTAGES_PER_PAGE + 1])
        context = {
            "now": now,
            "outages": [_in_words(outage, now) for outage in outages[:OUTAGES_PER_PAGE]],
            "page": page,
            "has_more": len(outages) > OUTAGES_PER_PAGE,
            **uplink_context(),
        }
        return render(request, "console/outages/list.html", context)


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _in_words(outage: Outage, now: datetime) -> dict[str, Any]:
    return {
        "began_at": outage.began_at,
        "ended_at": outage.ended_at,
        "length": (outage.ended_at or now) - outage.began_at,
        "checks": outage.checks,
        "resumed": outage.resumed,
        "reason": _REASONS.get(outage.reason, "No response"),
    }


class TrendsPage(PermittedPage):
    """The number of targets in each state over the last weeks, with a bar for each day."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        now = database_now()
        stored = counts.totals()
        unsure = stored.get(counts.UNSURE, 0)
        days = daily_states(now, states=counts.by_state(stored), unsure=unsure)
        charts = {"All targets": ALL_STATES, "Failing targets": FAILING_STATES}
        context = {
            "now": now,
            "charts": [(name, daily_chart(days, kinds, now=now)) for name, kinds in charts.items()],
            "rows": days[::-1],
            **uplink_context(),
        }
        return render(request, "console/outages/trends.html", context)


class FormerTrendsRedirect(View):
    """Redirects from the URL of *Trends* up to 0.2.0."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("trends", permanent=True)
