"""Public pages about privacy (the data that this deployment stores) and accessibility."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.invitations import LIFETIME as INVITATION_LIFETIME
from checker.about_pages import archive_save_hosts
from foundation.durations import duration_in_words


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data is stored, how long it is kept, and which data leaves the server."""
    context = {
        "contact": settings.CONTACT,
        "base_url": settings.BASE_URL,
        "has_countries": bool(settings.GEOIP_FILE),
        "anonymous_snippets": settings.ANONYMOUS_SNIPPETS,
        "anonymous_checks": settings.ANONYMOUS_CHECKS,
        "provider": settings.OIDC_ISSUER,
        "keeps_id_token": settings.OIDC_ISSUER and settings.OIDC_SIGN_OUT,
        "sends_mail": bool(settings.EMAIL_URL),
        "archives": ", ".join(
            dict.fromkeys(host for archive in settings.ARCHIVES for host in archive.hosts)
        ),
        "saves": archive_save_hosts(),
        "proxy": bool(settings.EGRESS_PROXY),
        "session": duration_in_words(timedelta(seconds=settings.SESSION_COOKIE_AGE)),
        "invitations": duration_in_words(INVITATION_LIFETIME),
        "views": _retention(settings.VIEWS_RETENTION),
        "traces": _retention(settings.TRACES_RETENTION),
        "results": _retention(settings.RESULTS_RETENTION),
        "history": _retention(settings.TRANSITIONS_RETENTION),
        "batches": _retention(settings.BATCH_RETENTION),
        "ended_links": _retention(settings.ENDED_LINKS_RETENTION),
    }
    return render(request, "linkwatch/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show how far the pages conform to WCAG, and the contact for problems."""
    return render(request, "linkwatch/accessibility.html", {"contact": settings.CONTACT})


def _retention(span: timedelta | None) -> str:
    """Return a retention period in words; empty if there is no limit."""
    return duration_in_words(span) if span is not None else ""
