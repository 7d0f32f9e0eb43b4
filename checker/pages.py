"""Pages for everybody: how this deployment checks and how to stop it, and its table of verdicts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from checker.document import verdicts
from checker.engine.connection import BODY_CAP
from checker.engine.verdict_table import BARE_REFUSAL
from foundation.durations import format_duration


@require_safe
def about_checks(request: HttpRequest) -> HttpResponse:
    """Show how this deployment checks. For everybody: USER_AGENT names this page."""
    context = {
        "user_agent": settings.USER_AGENT,
        "contact": settings.CONTACT,
        "base_url": settings.BASE_URL,
        "check_period": format_duration(settings.CHECK_PERIOD),
        "recheck_period": format_duration(settings.RECHECK_PERIOD),
        "recheck_threshold": settings.RECHECK_THRESHOLD,
        "retries": settings.CHECK_RETRIES,
        "refusals": sorted(BARE_REFUSAL.statuses),
        "host_delay": format_duration(settings.HOST_DELAY),
        "body_kib": BODY_CAP // 1024,
        "asks_neighbours": settings.ASK_NEIGHBOURS,
        "method": settings.CHECK_METHOD,
    }
    return render(request, "checker/about.html", context)


@require_safe
def about_verdicts(request: HttpRequest) -> HttpResponse:
    """Show docs/verdicts.md of this release, each rule, flag and mark with its anchor."""
    return render(request, "checker/verdicts.html", {"document": verdicts()})
