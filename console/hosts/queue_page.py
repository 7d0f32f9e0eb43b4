"""`/queue`: the order in which hosts will be checked."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from console.hosts.views import HostPage
from console.replica_reads import read_list
from console.uplink_banner import uplink_context
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from hosts.models import Host, Slot
from targets.models import Target

_PAGE_SIZE = 25


class _CheckQueuePagination(KeysetPagination):
    time_field = "check_ready_at"


@dataclass(frozen=True, slots=True)
class QueuedHost:
    """An entry of the queue: the leased or next host of a slot, and the first target on it."""

    slot: Slot
    host: str
    target: Target | None
    badge: tuple[str, str]  # tone and label


class QueuePage(HostPage):
    """Hosts in the order of their checks, each with its first target; an alias has one entry."""

    def get(self, request: HttpRequest) -> HttpResponse:
        now, pages, token = database_now(), _CheckQueuePagination(), request.GET.get("page_token")

        def find() -> list[QueuedHost]:
            slots = pages.take(_with_next_host(Slot.objects.all()), limit=_PAGE_SIZE, token=token)
            return _entries(slots, now)

        try:
            entries, age = read_list(request, find)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "now": now,
            "entries": entries,
            "age": age,
            "is_first": token is None,
            "next_page_token": pages.next_page_token,
            **uplink_context(),
        }
        return render(request, "console/hosts/queue.html", context)


def _with_next_host(slots: QuerySet[Slot]) -> QuerySet[Slot]:
    """Return the given slots that have scheduled checks, each with the name of its `next_host`."""
    due = Host.objects.filter(slot=OuterRef("pk"), check_at__isnull=False)
    first = due.order_by("check_at", "pk").values("name")[:1]
    return slots.filter(check_ready_at__isnull=False).annotate(next_host=Subquery(first))


def _entries(slots: list[Any], now: datetime) -> list[QueuedHost]:
    names = {slot.leased_host or slot.next_host for slot in slots} - {None, ""}
    due = Target.objects.scheduled().filter(host=OuterRef("name")).order_by("next_check_at", "pk")
    first = Host.objects.filter(name__in=names).values_list("name", Subquery(due.values("pk")[:1]))
    ids = dict(first)
    targets = Target.objects.in_bulk([pk for pk in ids.values() if pk])
    entries = []
    for slot in slots:
        name = slot.leased_host or slot.next_host or slot.key
        entries.append(QueuedHost(slot, name, targets.get(ids.get(name)), _badge(slot, now)))
    return entries


def _badge(slot: Slot, now: datetime) -> tuple[str, str]:
    if slot.leased_until is not None and slot.leased_until > now:
        return "info", "Being checked" if slot.leased_for == "check" else "Being fetched"
    if slot.is_paused(now):
        return "paused", "Paused"
    if slot.is_left_alone(now):
        return "inconclusive", "Throttled"
    return ("", "Due") if slot.check_ready_at <= now else ("", "Queued")  # type: ignore[operator]
