"""*Check links*: checks the links in pasted text, a file or a page, and shows the results.

With ANONYMOUS_CHECKS, anonymous visitors may also use it; they see no earlier results.
"""

from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from rest_framework.exceptions import APIException

from accounts.account_pages import ActorPage
from accounts.actors import STRANGER, Actor
from batches import services
from batches.batch_rate_limit import charge_batch
from batches.items import items
from batches.models import Batch
from batches.services import NewBatch
from console.check_links import anonymous
from console.check_links.fetching import fetch_page
from console.check_links.forms import CheckLinksForm, WatchForm
from console.check_links.grouping import as_csv, as_markdown, group_items, hide_history
from console.imports import limit_imports
from console.target_import import summarize
from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from foundation.files.lists import UnreadableFileError
from foundation.http.client_address import sender_address
from foundation.http.client_disconnects import ConnectionCheck, stop_if_left
from foundation.http.errors import ApiError, error_body
from foundation.ids import is_id
from lookups.serializers import MAX_URLS
from targets import registration
from targets.lists import import_plans
from targets.lists.import_plans import PlanKind
from targets.serializers import MAX_BULK, RegistrationSerializer

MAX_SHOWN = 900  # links on the page of results, each with a checkbox
_MAX_AGE = timedelta(days=1)  # of earlier results that replace a check
_GIVE_UP_AFTER = timedelta(minutes=10)  # users do not wait longer


class CheckLinksPage(ActorPage):
    """Asks for links, starts to check them, and redirects to the results."""

    permission_required = ("targets.view_target", "batches.add_batch")

    @property
    def is_anonymous(self) -> bool:
        """Whether the visitor has not signed in, but may have links checked."""
        return settings.ANONYMOUS_CHECKS and not self.request.user.is_authenticated

    def has_permission(self) -> bool:
        return self.is_anonymous or super().has_permission()

    @property
    def requester(self) -> Actor:
        """The actor for whom the links are checked."""
        return STRANGER if self.is_anonymous else self.actor

    @property
    def max_links(self) -> int:
        """The largest number of links in one request."""
        return anonymous.MAX_LINKS if self.is_anonymous else MAX_URLS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show_form(CheckLinksForm(is_anonymous=self.is_anonymous))

    @limit_imports
    def post(self, request: HttpRequest) -> HttpResponse:
        form = CheckLinksForm(request.POST, request.FILES, is_anonymous=self.is_anonymous)
        if not form.is_valid():
            return self._show_form(form)
        field = "url" if form.cleaned_data.get("url") else form.source()
        try:
            urls = self._links(form, partial(stop_if_left, request))
            batch = self._check(urls)
        except (UnreadableFileError, APIException) as error:
            form.add_error(field, _message(error))
            return self._show_form(form)
        key = f"?key={anonymous.key_of(batch.pk)}" if self.is_anonymous else ""
        return redirect(reverse("checked-links", args=[batch.pk]) + key)

    def _links(self, form: CheckLinksForm, check_connected: ConnectionCheck) -> list[str]:
        """Return the submitted links without duplicates; raises UnreadableFileError.

        Also raises ClientLeftError, as `check_connected` does. Adds messages about skipped links
        and about a page that was not read to its end.
        """
        is_whole = True
        if url := form.cleaned_data.get("url"):
            page = fetch_page(url, is_open=self.requester.is_operator)
            content, kind = page.content, PlanKind.HTML if page.is_html else PlanKind.TEXT
            is_whole = page.is_whole
        else:
            content, upload = form.content(), form.cleaned_data["file"]
            kind = import_plans.kind_of(content, upload.name if upload else "")
            kind = PlanKind.TEXT if kind is PlanKind.LIST else kind  # a line may have several links
        planned = import_plans.plan(content, kind, check_connected=check_connected)
        urls = list(dict.fromkeys(row.new_target.url for row in planned.rows))
        if not urls:
            raise UnreadableFileError("No http or https links were found.")
        if len(urls) > self.max_links:
            message = f"Too many links: {len(urls):,}; the limit is {self.max_links:,}."
            raise UnreadableFileError(message)
        if count := len(planned.refused):
            skipped = "1 link that is" if count == 1 else f"{count:,} links that are"
            what = "a web address" if count == 1 else "web addresses"
            messages.info(self.request, f"Skipped {skipped} relative or not {what}.")
        if not is_whole:
            message = (
                "The page is larger than 2 MB, or the connection was lost: links may be missing."
            )
            messages.warning(self.request, message)
        return urls

    @restartable
    def _check(self, urls: list[str]) -> Batch:
        """Return a new batch for these links; raises Throttled or ApiError if it is refused."""
        new = NewBatch(
            urls=urls,
            max_age=timedelta(0) if self.is_anonymous else _MAX_AGE,
            give_up=_GIVE_UP_AFTER,
            is_high=not self.is_anonymous,
        )
        batch, _ = services.create(new, now=database_now(), by=self.requester)
        if self.is_anonymous:
            anonymous.charge_checks(len(urls), address=sender_address(self.request))
        else:
            charge_batch(self.request, len(urls), by=self.actor)
        return batch

    def _show_form(self, form: CheckLinksForm) -> HttpResponse:
        context = {"form": form, "max_links": self.max_links, "is_anonymous": self.is_anonymous}
        return render(self.request, "console/check_links/ask.html", context)


def _message(error: Exception) -> str:
    return str(error_body(error)["message"]) if isinstance(error, APIException) else str(error)


class CheckedLinksPage(ActorPage):
    """The results of a batch; the page polls until all links are checked."""

    permission_required: tuple[str, ...] = ("targets.view_target", "batches.view_batch")

    @property
    def is_anonymous(self) -> bool:
        """Whether the URL has the key of an anonymous batch."""
        key, batch_id = self.request.GET.get("key", ""), self.kwargs["batch_id"]
        return settings.ANONYMOUS_CHECKS and bool(key) and anonymous.is_key_of(key, batch_id)

    def has_permission(self) -> bool:
        return self.is_anonymous or super().has_permission()

    def batch(self) -> Batch:
        """Return the batch in the URL, if the visitor may see it; raises Http404."""
        batch_id = self.kwargs["batch_id"]
        try:
            if not is_id("batch", batch_id):
                raise Http404
            by = STRANGER if self.is_anonymous else self.actor
            return services.visible_batch(batch_id, by=by)
        except ApiError:
            raise Http404 from None

    def get(self, request: HttpRequest, batch_id: str) -> HttpResponse:
        return self.show(self.batch(), WatchForm())

    def show(self, batch: Batch, form: WatchForm) -> HttpResponse:
        """Return the page with the groups; if all are checked, it offers to copy and watch them."""
        by = STRANGER if self.is_anonymous else self.actor
        results = items(batch, by=by, limit=MAX_URLS)
        for number, item in enumerate(results):
            item["number"] = number
        groups = group_items(hide_history(results) if self.is_anonymous else results)
        is_done, total = batch.ended_at is not None, sum(len(group.items) for group in groups)
        checked = sum(len(group.items) for group in groups if group.is_checked)
        remaining, shown_groups = MAX_SHOWN, []
        for group in groups:
            omitted = max(0, len(group.items) - remaining)
            shown_groups.append((group, group.items[:remaining], omitted))
            remaining = max(0, remaining - len(group.items))
        may_watch = is_done and not self.is_anonymous
        context: dict[str, Any] = {
            "batch": batch,
            "groups": shown_groups,
            "is_done": is_done,
            "total": total,
            "checked": checked,
            "form": form,
            "may_watch": may_watch and self.request.user.has_perm("targets.add_target"),
            "is_anonymous": self.is_anonymous,
        }
        if is_done:
            context |= {"markdown": as_markdown(groups), "csv": as_csv(groups)}
        return render(self.request, "console/check_links/results.html", context)


class WatchCheckedLinksView(CheckedLinksPage):
    """POST watches the ticked links, or all, under a reference; GET redirects to the results."""

    permission_required = ("targets.view_target", "batches.view_batch", "targets.add_target")
    is_anonymous = False

    def get(self, request: HttpRequest, batch_id: str) -> HttpResponse:
        return redirect("checked-links", self.batch().pk)

    def post(self, request: HttpRequest, batch_id: str) -> HttpResponse:
        batch, form = self.batch(), WatchForm(request.POST)
        selected = set(request.POST.getlist("link"))
        rows = batch.items.exclude(canonical_url="").order_by("number")
        urls = [
            row.url for row in rows if "everything" in request.POST or str(row.number) in selected
        ]
        if not urls:
            form.add_error(None, "Select the links to watch.")
        if not form.is_valid():
            return self.show(batch, form)
        serializer, reference_id = RegistrationSerializer(), form.cleaned_data["reference_id"]
        try:
            registrations = [
                serializer.registration({"url": url, "reference_id": reference_id}) for url in urls
            ]
        except APIException as error:  # such as an address that is no longer allowed
            form.add_error(None, _message(error))
            return self.show(batch, form)
        results = []
        for start in range(0, len(urls), MAX_BULK):
            some = registrations[start : start + MAX_BULK]
            results += registration.register(some, now=database_now(), by=self.actor)
        messages.success(request, summarize(results))
        return redirect("checked-links", batch.pk)
