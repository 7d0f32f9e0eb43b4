"""Public pages: how this deployment checks and how to stop it, and the table of verdicts."""

import re
from datetime import datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from checker.engine.connection import MAX_BODY
from checker.engine.robots import AGENT
from checker.engine.verdict_table import BARE_REFUSAL
from checker.verdicts_document import verdicts
from foundation.database.clock import database_now
from foundation.durations import duration_in_words, period_in_words

_VALIDITY = timedelta(days=180)  # of security.txt, from today; RFC 9116 recommends less than a year
_EMAIL = re.compile(r"[\w.+%'-]+@[\w.-]+", re.ASCII)
_URI = re.compile(r"(?:https|mailto|tel):[\w.~:/?#@!$&'()*+,;=%\[\]-]+", re.ASCII | re.IGNORECASE)


def archive_save_hosts() -> str:
    """Return the hosts of archives to which URLs are submitted, comma-separated; empty if none."""
    if not (settings.ARCHIVE_SAVES and settings.ARCHIVE_SAVE_PREFIXES):
        return ""
    return ", ".join(dict.fromkeys(settings.ARCHIVE_SAVES.hosts))


@require_safe
def about_checks(request: HttpRequest) -> HttpResponse:
    """Show how this deployment checks. The page is public: USER_AGENT contains its URL."""
    dead_period = settings.DEAD_RECHECK_PERIOD
    context = {
        "user_agent": settings.USER_AGENT,
        "contact": settings.CONTACT,
        "base_url": settings.BASE_URL,
        "check_period": period_in_words(settings.CHECK_PERIOD),
        "recheck_period": period_in_words(settings.RECHECK_PERIOD),
        "recheck_threshold": settings.RECHECK_THRESHOLD,
        "dead_period": dead_period and period_in_words(dead_period),
        "retries": settings.CHECK_RETRIES,
        "refusals": sorted(BARE_REFUSAL.statuses),
        "host_delay": duration_in_words(settings.HOST_DELAY) if settings.HOST_DELAY else "",
        "body_kib": MAX_BODY // 1024,
        "asks_neighbours": settings.ASK_NEIGHBOURS,
        "favicons": settings.FAVICONS,
        "saves": archive_save_hosts(),
        "method": settings.CHECK_METHOD,
        "agent": AGENT if settings.ROBOTS == "optout" else "",
    }
    return render(request, "checker/about.html", context)


@require_safe
def about_verdicts(request: HttpRequest) -> HttpResponse:
    """Show this release's docs/verdicts.md, with an anchor for each rule, flag and mark."""
    return render(request, "checker/verdicts.html", {"document": verdicts()})


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116); raise Http404 if `contact_uri` rejects CONTACT."""
    contact = contact_uri(settings.CONTACT)
    if contact is None:
        raise Http404("CONTACT is neither an email address nor an https, mailto or tel URI.")
    expires = datetime.combine(database_now().date() + _VALIDITY, time())
    lines = [
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Canonical: {settings.BASE_URL}/.well-known/security.txt",
        "Preferred-Languages: en",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


def contact_uri(contact: str) -> str | None:
    """Return CONTACT as a URI; None unless it is an email address or https, mailto or tel URI."""
    contact = contact.strip()
    if _URI.fullmatch(contact):
        return contact
    return f"mailto:{contact}" if _EMAIL.fullmatch(contact) else None
