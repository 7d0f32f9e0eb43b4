"""`/repairs`: permanently moved pages, whose new addresses users can accept; accepted repairs."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.account_pages import ActorPage
from checker.repairs.repair_acceptance import (
    AcceptedRepairPages,
    AcceptedRepairs,
    accept,
    accept_host,
    undo,
)
from checker.repairs.repair_csv import repair_lines, replaced_lines
from checker.repairs.repair_search import RepairSearch
from console.replica_reads import read_list
from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_response
from foundation.http.exports import stream_csv
from targets import repairs
from targets.models import Repair, Target
from targets.state import State

_PER_PAGE = 25  # moved pages, or accepted repairs
_RIGHTS = ("targets.view_target", "targets.add_target", "targets.add_reference")


class RepairsPage(ActorPage):
    """Moved pages with a reference that the user may change, in order of registration."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        token = request.GET.get("page_token")
        search = RepairSearch(by=self.actor, now=database_now())
        targets, age = _read(request, lambda: search.find(limit=_PER_PAGE, token=token))
        hosts = Counter(target.host for target in targets)
        context = {
            "targets": targets,
            "hosts": [host for host, count in hosts.most_common() if count > 1],
            "age": age,
            "is_first": token is None,
            "next_page_token": search.next_page_token,
        }
        return render(request, "console/repairs.html", context)


class RepairsExport(ActorPage):
    """The list of moved pages as CSV, one line per reference."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> Any:
        search = RepairSearch(by=self.actor, now=database_now())
        try:
            return stream_csv(repair_lines(search), filename="repairs.csv")
        except ApiError as error:
            return error_response(request, error)


class AcceptRepairView(ActorPage):
    """A button in the list: POST accepts the repair of one page, or the repairs of a host."""

    permission_required = _RIGHTS

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the list: people who had to sign in first arrive here."""
        return redirect("repairs")

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            accepted = self._accept(request.POST)
        except ApiError as error:
            messages.warning(request, f"Nothing was changed. {error.message}")
            return redirect("repairs")
        repairs.set_visible_counts(accepted.repairs, by=self.actor)
        moved = sum(repair.reference_count for repair in accepted.repairs)
        if accepted.repairs:
            points = "reference now points" if moved == 1 else "references now point"
            addresses = "address" if len(accepted.repairs) == 1 or moved == 1 else "addresses"
            messages.success(request, f"Repaired: {moved:,} {points} to the new {addresses}.")
        for target, refusal in accepted.refused[:3]:
            messages.warning(request, f"{target.url} was not repaired. {refusal.message}")
        if not accepted.repairs and not accepted.refused and not accepted.has_more:
            messages.info(
                request,
                "Nothing to repair. Pages whose repair was undone must be repaired one at a time.",
            )
        if accepted.has_more:
            messages.info(
                request, "Some references have not moved yet. Select the same button again."
            )
        return redirect("repairs")

    def _accept(self, data: Any) -> AcceptedRepairs:
        now = database_now()
        if "host" in data:
            return accept_host(data["host"].replace("\0", ""), now=now, by=self.actor)
        url = data.get("moved_to", "")
        repair, remaining = accept(data.get("target", ""), moved_to=url, now=now, by=self.actor)
        return AcceptedRepairs([repair], has_more=bool(remaining))


class AcceptedRepairsPage(ActorPage):
    """The repairs accepted in the last 30 days that the user may see, newest first."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        token, pages = request.GET.get("page_token"), AcceptedRepairPages()
        accepted, age = _read(request, lambda: pages.find(self.actor, limit=_PER_PAGE, token=token))
        repairs.set_visible_counts(accepted, by=self.actor)
        context = {
            "repairs": accepted,
            "dead": _dead_targets(accepted),
            "now": database_now(),
            "age": age,
            "is_first": token is None,
            "next_page_token": pages.next_page_token,
        }
        return render(request, "console/accepted_repairs.html", context)


class ReplacedExport(ActorPage):
    """A CSV file of the references moved by repairs; `?prefix=` selects ids that begin with it."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> Any:
        prefix = request.GET.get("prefix", "").replace("\0", "")
        try:
            return stream_csv(replaced_lines(self.actor, prefix=prefix), filename="repaired.csv")
        except ApiError as error:
            return error_response(request, error)


class UndoRepairView(ActorPage):
    """A button: POST undoes a repair, for the references that the user may change."""

    permission_required = _RIGHTS

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        """Redirect to the list: people who had to sign in first arrive here."""
        return redirect("accepted-repairs")

    def post(self, request: HttpRequest, pk: str) -> HttpResponse:
        try:
            repair, remaining = undo(pk, now=database_now(), by=self.actor)
        except ApiError as error:
            if error.status_code == 404:
                raise Http404(error.message) from None
            messages.warning(request, error.message)
            return redirect("accepted-repairs")
        if remaining:
            rest = "1 reference has" if remaining == 1 else f"{remaining:,} references have"
            messages.info(request, f"{rest} not moved back yet. Select Undo again.")
        else:
            messages.success(request, f"Undone: {repair.old_url} is watched again.")
        return redirect("accepted-repairs")


def _read(request: HttpRequest, find: Callable[[], list[Any]]) -> tuple[list[Any], Any]:
    try:
        return read_list(request, find)
    except ApiError as error:
        raise Http404(error.message) from None


def _dead_targets(accepted: list[Repair]) -> set[str]:
    """Return the ids of these repairs' new targets that are dead."""
    new = Target.objects.filter(pk__in=[repair.new_target for repair in accepted])
    return set(new.filter(state=State.DEAD).values_list("pk", flat=True))
