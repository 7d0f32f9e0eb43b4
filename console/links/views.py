"""Pages for short links: search, create, show, change, disable and delete."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts import audit_log, sharing
from accounts.account_pages import ActorPage
from accounts.actors import Actor
from checker.models import CheckResult
from console.links.forms import LinkChangeForm, LinkCreationForm, LinkSearchForm
from console.links.visits_chart import sparklines, visit_report
from console.replica_reads import read_list
from console.target_page import history
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.tags import normalize_tag
from shortener import qr_code, services, visits
from shortener.destinations import short_url
from shortener.link_search import LinkSearch
from shortener.models import LinkState, ShortURL
from targets.models import Target

LINKS_PER_PAGE = 25
_MAX_ENTRIES = 10  # of the audit log, on a link's page


class LinkPage(ActorPage):
    """A page about links, for users who may see them."""

    permission_required: tuple[str, ...] = ("shortener.view_shorturl",)

    def link(self, key: str, *, to_change: bool = False) -> ShortURL:
        """Return a link that the user may see (or change); raises Http404 or PermissionDenied."""
        try:
            return services.get(key, by=self.actor, to_change=to_change)
        except ApiError as error:
            if error.status_code == HTTPStatus.FORBIDDEN:
                raise PermissionDenied(error.message) from None
            raise Http404(error.message) from None


class LinkListPage(LinkPage):
    """The links that the user may see, newest first."""

    def get(self, request: HttpRequest) -> HttpResponse:
        now, by, search = database_now(), self.actor, LinkSearch()
        form = LinkSearchForm(request.GET)
        filters = _filters(form, by)
        token = request.GET.get("page_token")
        sees_all = by.sees_all  # rights are read from the primary, and read_list may use a replica
        try:
            links, age = read_list(
                request,
                lambda: search.find(filters, by=by, now=now, limit=LINKS_PER_PAGE, token=token),
            )
        except ApiError as error:
            raise Http404(error.message) from None
        counts, lines = visits.totals(links), sparklines(links, today=now.date())
        query = request.GET.copy()
        query.pop("page_token", None)
        context = {
            "form": form,
            "now": now,
            "rows": [(link, link.state(now), counts[link.key], lines[link.key]) for link in links],
            "age": age,
            "sees_all": sees_all,
            "has_others": sees_all or bool(by.teams) or sharing.any_shared_with_everyone(ShortURL),
            "is_narrowed": bool(filters),
            "is_empty": form.is_valid() and not (links or filters or token),
            "tag": filters.get("tag", ""),
            "is_first": token is None,
            "query": query.urlencode(),
            "whose": form.cleaned_data.get("whose", ""),
            "next_page_token": search.next_page_token,
        }
        return render(request, "console/links/list.html", context)


def _filters(form: LinkSearchForm, by: Actor) -> dict[str, Any]:
    """Return the filters for LinkSearch; unknown values are ignored."""
    form.is_valid()
    cleaned = form.cleaned_data
    filters: dict[str, Any] = {}
    if text := cleaned.get("q"):
        filters["text"] = text
    if tag := normalize_tag(cleaned.get("tag", "")):
        filters["tag"] = tag
    if cleaned.get("state"):
        filters["state"] = LinkState(cleaned["state"])
    return filters | form.ownership_filter(by)


class LinkCreationPage(LinkPage):
    """Creates a link; `?url=` fills in the destination."""

    permission_required = ("shortener.view_shorturl", "shortener.add_shorturl")

    def get(self, request: HttpRequest) -> HttpResponse:
        form = LinkCreationForm(
            now=database_now(), by=self.actor, initial={"long_url": request.GET.get("url", "")}
        )
        return self._show(form)

    def post(self, request: HttpRequest) -> HttpResponse:
        now = database_now()
        form = LinkCreationForm(request.POST, now=now, by=self.actor)
        if not form.is_valid():
            return self._show(form)
        created = services.create([form.new_link()], now=now, by=self.actor)[0]
        if isinstance(created, ApiError):
            # The key has just been taken, or the actor has left the team.
            form.add_error("team" if created.code == "unknown_team" else "key", created.message)
            return self._show(form)
        messages.success(request, "Link created.")
        return redirect("link", created.key)

    def _show(self, form: LinkCreationForm) -> HttpResponse:
        return render(self.request, "console/links/new.html", {"form": form})


class LinkDetailPage(LinkPage):
    """A link: its URL to copy, its destination with its state, and its audit log."""

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        link, now = self.link(key), database_now()
        url = short_url(link.key)
        context = {
            "now": now,
            "link": link,
            "state": link.state(now),
            "address": url,
            "url_prefix": url.removesuffix(link.key),
            "visits": visits.totals([link])[link.key],
            "report": visit_report(link, by=request.GET.get("by"), now=now),
            "is_mine": link.owner_id == request.user.pk,
            "may_change": self.actor.may_change(link),
            "sees_checks": _may_see_checks(request),
        }
        if context["may_change"]:
            context["audit_entries"] = audit_log.entries_about(services.AUDIT_KIND, link.key)[
                :_MAX_ENTRIES
            ]
        if link.target is not None and _may_see_checks(request):
            context["last_check"] = _last_check(link.target)
        return render(request, "console/links/page.html", context)


def _may_see_checks(request: HttpRequest) -> bool:
    return request.user.has_perms(("targets.view_target", "checker.view_checkresult"))


def _last_check(target: Target) -> history.ResultInWords | None:
    results = CheckResult.objects.filter(target=target).order_by("-checked_at", "-id")
    return next(map(history.result_in_words, results.read_in_spans(1)), None)


class LinkChangePage(LinkPage):
    """Changes a link, without overwriting concurrent changes."""

    permission_required = ("shortener.view_shorturl", "shortener.change_shorturl")

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        link = self.link(key, to_change=True)
        return self._show(link, LinkChangeForm(link=link, now=database_now(), by=self.actor))

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        link, now = self.link(key, to_change=True), database_now()
        form = LinkChangeForm(request.POST, link=link, now=now, by=self.actor)
        if not form.is_valid():
            return self._show(link, form)
        try:
            services.update(
                key, form.changes(), now=now, by=self.actor, version=form.cleaned_data["version"]
            )
        except ApiError as error:
            return self._refuse(link, form, error, now=now)
        messages.success(request, "Saved.")
        return redirect("link", key)

    def _refuse(
        self, link: ShortURL, form: LinkChangeForm, error: ApiError, *, now: datetime
    ) -> HttpResponse:
        if error.code != "version_mismatch":
            form.show_error(error)
            return self._show(link, form)
        link = self.link(link.key)
        typed = {**self.request.POST.dict(), "version": link.version}
        form = LinkChangeForm(typed, link=link, now=now, by=self.actor)
        return self._show(link, form, was_changed=True)

    def _show(
        self, link: ShortURL, form: LinkChangeForm, *, was_changed: bool = False
    ) -> HttpResponse:
        last_change = (
            audit_log.entries_about(services.AUDIT_KIND, link.key).first() if was_changed else None
        )
        context = {
            "link": link,
            "form": form,
            "now": form.now,
            "was_changed": was_changed,
            "change": last_change,
            "address": short_url(link.key),
        }
        return render(self.request, "console/links/change.html", context)


class LinkDisablingView(LinkPage):
    """POST disables a link, which then does not redirect until it is reactivated."""

    permission_required = ("shortener.view_shorturl", "shortener.change_shorturl")
    success_message = "The link is disabled. It won't redirect until you reactivate it."

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        """Redirect to the link's page: people who had to sign in first arrive here."""
        return redirect("link", self.link(key).key)

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        try:
            self.act(self.link(key, to_change=True).key)
        except ApiError as error:
            is_active = error.code == "unchanged"
            messages.warning(request, "This link is active." if is_active else error.message)
        else:
            messages.success(request, self.success_message)
        return redirect("link", key)

    def act(self, key: str) -> None:
        services.update(key, {"disabled": True}, now=database_now(), by=self.actor)


class LinkRevivalView(LinkDisablingView):
    """POST reactivates a link, removes a past expiry, and allows new visits if none are left."""

    success_message = "The link redirects again."

    def act(self, key: str) -> None:
        services.revive(key, now=database_now(), by=self.actor)


class LinkDeletionPage(LinkPage):
    """Asks for confirmation, then deletes a link."""

    permission_required = ("shortener.view_shorturl", "shortener.delete_shorturl")

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        link = self.link(key, to_change=True)
        count = visits.totals([link])[link.key]
        context = {
            "question": "Delete this link?",
            "subject": short_url(link.key),
            "sentences": [
                f"It has {count:,} visit{'' if count == 1 else 's'}. Visitors will see that the "
                "link was deleted.",
                "Keys are never reused, so this can't be undone. To turn the link off temporarily, "
                "disable it instead.",
            ],
            "button": "Delete",
            "back": reverse("link", args=[link.key]),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        try:
            services.delete(self.link(key, to_change=True).key, now=database_now(), by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Deleted: {short_url(key)}")
        return redirect("links")


class QRCodeView(LinkPage):
    """The QR code of a link; with `?download`, as a file to save."""

    def get(self, request: HttpRequest, key: str, kind: str) -> HttpResponse:
        if kind not in qr_code.TYPES:
            raise Http404
        link = self.link(key)
        image = qr_code.draw(link.key, kind=kind)
        response = HttpResponse(image, content_type=qr_code.TYPES[kind])
        if "download" in request.GET:
            response["Content-Disposition"] = f'attachment; filename="{link.key}.{kind}"'
        return response
