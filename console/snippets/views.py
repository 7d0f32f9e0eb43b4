"""Pages for snippets: search, create, show, edit, compare versions and delete."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from rest_framework.exceptions import APIException

from accounts import audit_log, sharing
from accounts.account_pages import ActorPage
from accounts.actors import STRANGER
from analytics import view_metrics
from console.replica_reads import read_list
from console.snippets.diff import difference
from console.snippets.forms import SnippetChangeForm, SnippetCreationForm, SnippetSearchForm
from foundation.database.clock import database_now
from foundation.http.client_address import sender_address
from foundation.http.errors import ApiError
from snippets import anonymous, services
from snippets.models import Snippet
from snippets.snippet_search import SnippetSearch

SNIPPETS_PER_PAGE = 25
_MAX_ENTRIES = 10  # of the audit log, on a snippet's page


class SnippetPage(ActorPage):
    """A page about snippets, for users who may see them."""

    permission_required: tuple[str, ...] = ("snippets.view_snippet",)

    def snippet(self, snippet_id: str, *, to_change: bool = False) -> Snippet:
        """Return a snippet that the user may see (or change), even if it has expired.

        Raises Http404 or PermissionDenied.
        """
        try:
            return services.get(snippet_id, by=self.actor, to_change=to_change)
        except ApiError as error:
            if error.status_code == HTTPStatus.FORBIDDEN:
                raise PermissionDenied(error.message) from None
            raise Http404(error.message) from None


class SnippetListPage(SnippetPage):
    """The snippets that the user may see, newest first."""

    def get(self, request: HttpRequest) -> HttpResponse:
        now, by, search = database_now(), self.actor, SnippetSearch()
        form = SnippetSearchForm(request.GET)
        text = form.cleaned_data.get("q", "") if form.is_valid() else ""
        whose, token = form.ownership_filter(by), request.GET.get("page_token")
        sees_all = by.sees_all  # rights are read from the primary, and read_list may use a replica
        try:
            snippets, age = read_list(
                request,
                lambda: search.find(
                    text, whose=whose, by=by, now=now, limit=SNIPPETS_PER_PAGE, token=token
                ),
            )
        except ApiError as error:
            raise Http404(error.message) from None
        counts = view_metrics.totals([snippet.pk for snippet in snippets])
        query = request.GET.copy()
        query.pop("page_token", None)
        context = {
            "form": form,
            "now": now,
            "rows": [(snippet, counts[snippet.pk]) for snippet in snippets],
            "age": age,
            "sees_all": sees_all,
            "has_others": sees_all or bool(by.teams) or sharing.any_shared_with_everyone(Snippet),
            "is_narrowed": bool(text or whose),
            "is_first": token is None,
            "query": query.urlencode(),
            "next_page_token": search.next_page_token,
        }
        return render(request, "console/snippets/list.html", context)


class SnippetCreationPage(SnippetPage):
    """Creates a snippet; with ANONYMOUS_SNIPPETS, also for visitors who have not signed in."""

    permission_required = ("snippets.view_snippet", "snippets.add_snippet")

    @property
    def is_anonymous(self) -> bool:
        """Whether the visitor has not signed in, but may create snippets."""
        return settings.ANONYMOUS_SNIPPETS and not self.request.user.is_authenticated

    def has_permission(self) -> bool:
        return self.is_anonymous or super().has_permission()

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(self._form(now=database_now()))

    def post(self, request: HttpRequest) -> HttpResponse:
        now = database_now()
        form = self._form(request.POST, request.FILES, now=now)
        if not form.is_valid():
            return self._show(form)
        if self.is_anonymous:
            return self._create_anonymously(form, now=now)
        try:
            snippet = services.create(form.new_fields(), now=now, by=self.actor)
        except ApiError as error:  # for example, the team no longer exists
            form.show_error(error)
            return self._show(form)
        messages.success(request, "Snippet saved.")
        return redirect("snippet-details", snippet.pk)

    def _create_anonymously(self, form: SnippetCreationForm, *, now: datetime) -> HttpResponse:
        address = sender_address(self.request)
        try:
            snippet = anonymous.create(form.new_fields(), address=address, now=now)
        except APIException as error:
            form.show_error(error)
            return self._show(form)
        return redirect(snippet.get_absolute_url())

    def _form(self, *data: Any, now: datetime) -> SnippetCreationForm:
        by = STRANGER if self.is_anonymous else self.actor
        return SnippetCreationForm(*data, now=now, by=by, is_anonymous=self.is_anonymous)

    def _show(self, form: SnippetCreationForm) -> HttpResponse:
        context = {"form": form, "is_anonymous": self.is_anonymous}
        return render(self.request, "console/snippets/new.html", context)


class SnippetDetailPage(SnippetPage):
    """A snippet: its URL to share, its content, its versions and its audit log."""

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        snippet, now = self.snippet(pk), database_now()
        may_change = self.actor.may_change(snippet)
        may_edit = may_change and request.user.has_perm("snippets.change_snippet")
        context = {
            "now": now,
            "snippet": snippet,
            "has_expired": snippet.has_expired(now),
            "address": request.build_absolute_uri(snippet.get_absolute_url()),
            "views": view_metrics.totals([pk])[pk],
            "is_mine": snippet.owner_id == request.user.pk,
            "may_change": may_change,
            "versions": services.versions(snippet) if may_edit else [],
            "audit_entries": audit_log.entries_about(services.AUDIT_KIND, pk)[:_MAX_ENTRIES]
            if may_change
            else [],
        }
        return render(request, "console/snippets/page.html", context)


class SnippetChangePage(SnippetPage):
    """Changes a snippet, without overwriting concurrent changes."""

    permission_required = ("snippets.view_snippet", "snippets.change_snippet")

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        snippet = self.snippet(pk, to_change=True)
        form = SnippetChangeForm(snippet=snippet, now=database_now(), by=self.actor)
        return self._show(snippet, form)

    def post(self, request: HttpRequest, pk: str) -> HttpResponse:
        snippet, now = self.snippet(pk, to_change=True), database_now()
        form = SnippetChangeForm(
            request.POST, request.FILES, snippet=snippet, now=now, by=self.actor
        )
        if not form.is_valid():
            return self._show(snippet, form)
        version = form.cleaned_data["version"]
        try:
            services.update(pk, form.changes(), now=now, by=self.actor, version=version)
        except ApiError as error:
            if error.code != "version_mismatch":
                form.show_error(error)
                return self._show(snippet, form)
            snippet = self.snippet(pk)
            typed = {name: form.data.get(name) for name in form.data}
            typed["version"] = snippet.version
            new_form = SnippetChangeForm(typed, snippet=snippet, now=now, by=self.actor)
            return self._show(snippet, new_form, was_changed=True)
        messages.success(request, "Saved.")
        return redirect("snippet-details", pk)

    def _show(self, snippet: Snippet, form: SnippetChangeForm, **extra: Any) -> HttpResponse:
        context = {"snippet": snippet, "form": form, "now": form.now, **extra}
        return render(self.request, "console/snippets/edit.html", context)


class VersionPage(SnippetPage):
    """An earlier version, and what has changed since; POST restores the version."""

    permission_required = ("snippets.view_snippet", "snippets.change_snippet")

    def get(self, request: HttpRequest, pk: str, number: int) -> HttpResponse:
        snippet, now = self.snippet(pk, to_change=True), database_now()
        version = self._version(snippet, number)
        context = {
            "now": now,
            "snippet": snippet,
            "version": version,
            "lines": difference(version.content, snippet.content),
            "is_current": (version.title, version.content, version.language)
            == (snippet.title, snippet.content, snippet.language),
        }
        return render(request, "console/snippets/version.html", context)

    def post(self, request: HttpRequest, pk: str, number: int) -> HttpResponse:
        snippet, now = self.snippet(pk, to_change=True), database_now()
        version = self._version(snippet, number)
        fields = {name: getattr(version, name) for name in ("title", "content", "language")}
        try:
            services.update(pk, fields, now=now, by=self.actor, version=snippet.version)
        except ApiError as error:
            messages.warning(request, error.message)
        else:
            messages.success(request, "Version restored.")
        return redirect("snippet-details", pk)

    def _version(self, snippet: Snippet, number: int) -> Any:
        if snippet.is_sealed:
            raise Http404("A snippet with a view limit shows no versions.")
        try:
            return services.version(snippet, number)
        except ApiError as error:
            raise Http404(error.message) from None


class SnippetDeletionPage(SnippetPage):
    """Asks for confirmation, then deletes a snippet."""

    permission_required = ("snippets.view_snippet", "snippets.delete_snippet")

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        snippet = self.snippet(pk, to_change=True)
        context = {
            "question": "Delete this snippet?",
            "subject": snippet.title or snippet.pk,
            "sentences": [
                "Visitors will get a “not found” page.",
                "Its versions will be deleted too. This can't be undone.",
            ],
            "button": "Delete",
            "back": reverse("snippet-details", args=[pk]),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, pk: str) -> HttpResponse:
        try:
            services.delete(self.snippet(pk, to_change=True).pk, now=database_now(), by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, "Snippet deleted.")
        return redirect("snippets")
