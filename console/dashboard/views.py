"""The dashboard, and the search box."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.actors import actor_of
from accounts.roles import Role
from console import search
from console.access import Audience, audience_of
from console.dashboard import broadcast
from console.dashboard.checks_chart import SPANS
from console.dashboard.member_page import OWN_PAGE, own_page_context
from console.dashboard.rendering import sections
from console.dashboard.summary import SUMMARY
from console.start import has_nothing, may_create_any
from foundation.database.clock import database_now
from foundation.durations import period_in_words
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage


class DashboardView(PermittedPage):
    """The dashboard, from the cached summary; open pages are updated through a WebSocket."""

    http_method_names = ["get", "head"]
    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the cached summary, and recompute it in the background if that is due.

        Members get a page with their own targets, links and snippets instead.
        """
        by = actor_of(request)
        if by.role is Role.MEMBER:
            context = own_page_context(by, now=database_now(), shows_start=_shows_start(request, 0))
            return render(request, OWN_PAGE, context)
        cached = SUMMARY.peek()
        broadcast.request_refresh()
        audience, now = audience_of(request.user) or Audience.MEMBERS, database_now()
        for_staff = audience is Audience.STAFF
        context = {
            "now": now,
            "for_staff": for_staff,
            "is_operator": by.is_operator,
            "shows_start": _shows_start(
                request, cached.value["total"] if cached and for_staff else 0
            ),
        }
        if cached is not None:
            context |= {
                "summary": cached.value,
                "check_spans": SPANS,
                "sections": sections(cached.value, audience, now=now),
                "is_well": all(part["state"] != "down" for part in cached.value["parts"]),
            }
        return render(request, "console/dashboard.html", context)


class FindView(PermittedPage):
    """The search box: finds a target, searches for text, or offers to watch a URL."""

    http_method_names = ["get", "head", "post"]
    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the target, or to the targets with the text; or show an error or an offer."""
        text = request.GET.get("url", "").strip()
        if not text:
            return render(request, "console/find.html")
        result = search.find(text, actor_of(request))
        if result.target_id is not None:
            return _redirect_to_target(result.target_id)
        if result.text and not result.offer:
            return redirect(f"{reverse('targets')}?{urlencode({'q': result.text})}")
        period = period_in_words(settings.CHECK_PERIOD)
        is_permanent = actor_of(request).role is not Role.MEMBER
        context = {"text": text, "found": result, "period": period, "is_permanent": is_permanent}
        return render(request, "console/find.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Watch the URL, if the user may register targets."""
        if not request.user.has_perm("targets.add_target"):
            raise PermissionDenied
        text = request.POST.get("url", "").strip()
        try:
            result = search.register(text, now=database_now(), by=actor_of(request))
        except ApiError as error:
            context = {"text": text, "found": search.SearchResult(problem=error.message)}
            return render(request, "console/find.html", context, status=400)
        if result.is_new:
            messages.success(request, "Added. The first check is due now.")
        elif result.is_new_reference:
            messages.success(
                request, "This URL was already being watched. Now you're watching it, too."
            )
        return _redirect_to_target(result.target.id)


def _shows_start(request: HttpRequest, total: int) -> bool:
    """Return whether the user may create objects, but has none yet.

    `total`: the number of targets on the user's dashboard; 0 if unknown.
    """
    return not total and may_create_any(request.user) and has_nothing(actor_of(request))


def _redirect_to_target(target_id: str) -> HttpResponse:
    return HttpResponseRedirect(f"/targets/{target_id}")
