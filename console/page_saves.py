"""`/account/saves`: consent to saving pages in a public archive, and the results."""

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.account_pages import ActorPage
from archives import save_consent, saving
from archives.archive_settings import Archive
from archives.models import PageSave
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from targets.models import Reference

_SAVES_PER_PAGE = 50


class _SavePagination(KeysetPagination):
    time_field = "queued_at"
    newest_first = True


class PageSavesPage(ActorPage):
    """Page saves, newest first: of all targets, or of those with a reference that the user may see.

    POST gives or withdraws the user's consent. Operators can also pause or resume all saves.
    """

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        service, pages, by, now = _service(), _SavePagination(), self.actor, database_now()
        token = request.GET.get("page_token")
        try:
            rows = pages.take(self._visible(), limit=_SAVES_PER_PAGE, token=token)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "rows": rows,
            "archive": service.replay_archive.name,
            "prefixes": [
                each for each in settings.ARCHIVE_SAVE_PREFIXES if each != save_consent.ALL
            ],
            "is_off": not settings.ARCHIVE_SAVE_PREFIXES,
            "has_agreed": save_consent.has_agreed(by),
            "may_agree": by.owner is not None,
            "is_operator": by.is_operator,
            "is_paused": saving.is_paused(service),
            "backoff": saving.backoff(service, now=now),
            "now": now,
            "is_first": token is None,
            "next_page_token": pages.next_page_token,
        }
        return render(request, "console/page_saves.html", context)

    def _visible(self) -> QuerySet[PageSave]:
        saves = PageSave.objects.select_related("target")
        if self.actor.sees_all:
            return saves
        own = self.actor.reach(Reference.objects.all())
        return saves.filter(target__in=own.values("target"))

    def post(self, request: HttpRequest) -> HttpResponse:
        service, by, now = _service(), self.actor, database_now()
        action = request.POST.get("action", "")
        if action in ("agree", "refuse"):
            try:
                save_consent.set_consent(agrees=action == "agree", by=by, now=now)
            except ApiError:
                return self.handle_no_permission()
            messages.success(
                request,
                "You have agreed to have new pages saved."
                if action == "agree"
                else "New pages that only you watch will no longer be saved.",
            )
        elif action in ("pause", "resume"):
            if not by.is_operator:
                return self.handle_no_permission()
            (saving.pause if action == "pause" else saving.resume)(service, by=by, now=now)
            messages.success(
                request,
                "Page saving is paused." if action == "pause" else "Page saving has resumed.",
            )
        return redirect("page-saves")


def _service() -> Archive:
    """Return the archive that saves pages; raises Http404 if none is configured."""
    service: Archive | None = settings.ARCHIVE_SAVES
    if service is None:
        raise Http404("This deployment does not save pages.")
    return service
