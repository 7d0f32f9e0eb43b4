"""The list of targets: searched, sorted, grouped by document, host or reason, and exported."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.account_pages import ActorPage
from accounts.time_zones import reader_zone
from console.replica_reads import read_list
from console.targets.bulk_actions import find_all, permitted_actions
from console.targets.forms import TargetSearchForm
from console.uplink_banner import uplink_context
from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_response
from foundation.http.exports import stream_csv
from hosts import icon_store
from hosts.models import Host, Slot
from targets import counts
from targets.lists import target_csv
from targets.models import Target
from targets.search.criteria import Criteria
from targets.search.target_search import ORDERS, FoundTarget, TargetSearch
from targets.state import Outcome

TARGETS_PER_PAGE = 25
ACTION_BUTTONS = 3  # the other actions are in the menu More
TICKS, TICK_DISTANCE = 30, 7  # in the bar of recent checks
_REFERENCES_SHOWN = 3  # per target


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A row of the list of targets."""

    target: Target
    bar_text: str  # the text alternative of the bar of recent checks
    ticks: list[tuple[int, str]]  # of the bar: position and outcome, newest last
    references: list[str]  # the first reference ids
    more: int  # further references
    host_slot: Slot | None  # of a host that must not be contacted yet
    is_host_paused: bool  # by an operator; otherwise a backoff


# Targets by heading, icons by host, whether no target exists, the number of targets by state.
_ListData = tuple[list[tuple[str, list[TargetRow]]], dict[str, str], bool, dict[str, int] | None]


class TargetListPage(ActorPage):
    """All targets, or those that match a search."""

    permission_required = ("targets.view_target",)

    def get(self, request: HttpRequest) -> HttpResponse:
        by = self.actor
        zone = reader_zone(request)
        form = TargetSearchForm(request.GET, by=by, zone=zone)
        is_valid = form.is_valid()
        criteria, order = form.criteria(), form.order_name()
        token = request.GET.get("page_token")
        search = TargetSearch(criteria, by=by, order=order)
        with_states = is_valid and criteria == Criteria()
        sees_hosts = request.user.has_perm("hosts.view_host")
        sees_all, now = by.sees_all, database_now()  # read from the primary

        def find() -> _ListData:
            rows = search.find(limit=TARGETS_PER_PAGE, token=token) if is_valid else []
            is_empty = is_valid and not rows and not Target.objects.exists()
            states = counts.by_state(counts.totals()) if with_states else None
            hosts = {row.target.host for row in rows if sees_hosts}
            return list(_groups(rows, now=now)), icon_store.digests(hosts), is_empty, states

        try:
            (groups, icons, is_empty, states), age = read_list(request, find)
        except ApiError as error:
            raise Http404(error.message) from None
        operations = permitted_actions(request)
        try:
            matched = find_all(_query(request), by, zone=zone) if _selects_all(request) else None
        except ApiError as error:
            return error_response(request, error)
        context = {
            "form": form,
            "now": now,
            "groups": groups,
            "icons": icons,
            "has_headings": bool(ORDERS[order].heading),
            "is_by_document": order == "document",
            "is_by_host": order == "host",
            "chips": list(_chips(form, request)) if is_valid else [],
            "is_empty": is_empty,
            "states": states,
            "age": age,
            "sees_all": sees_all,
            "operations": operations,
            "everyday": operations[:ACTION_BUTTONS],
            "rare": operations[ACTION_BUTTONS:],
            "is_first": token is None,
            "all_chosen": "all" in request.GET,
            "matching": None if matched is None else len(matched.ids),
            "has_all": matched is None or matched.is_all,
            "total": sum(states.values()) if states and ORDERS[order].lists_all else None,
            "query": _query(request),
            "page_token": token,
            "next_page_token": search.next_page_token,
            **uplink_context(),
        }
        return render(request, "console/targets/list.html", context)


def _selects_all(request: HttpRequest) -> bool:
    return request.GET.get("all") == "match"


def _groups(rows: list[FoundTarget], *, now: datetime) -> Iterator[tuple[str, list[TargetRow]]]:
    """Yield the targets by heading; in one group if the order has no headings."""
    slots = Host.objects.left_alone({row.target.host for row in rows}, now=now)
    for heading, group in groupby(rows, key=lambda row: row.heading):
        yield heading, [_row(row.target, slots.get(row.target.host), now=now) for row in group]


def _row(target: Target, slot: Slot | None, *, now: datetime) -> TargetRow:
    ids = list(dict.fromkeys(row.object_id for row in target.first_references))
    shown = ids[:_REFERENCES_SHOWN]
    more = max(0, target.reference_count - len(shown))
    is_paused = slot is not None and slot.is_paused(now)
    return TargetRow(target, _bar_text(target), list(_ticks(target)), shown, more, slot, is_paused)


def _ticks(target: Target) -> Iterator[tuple[int, str]]:
    """Yield each tick of the bar: its position and outcome, which is empty without a check."""
    outcomes = [str(outcome) for outcome in target.outcomes][-TICKS:]
    for index, outcome in enumerate([""] * (TICKS - len(outcomes)) + outcomes):
        yield TICK_DISTANCE * index, outcome


def _bar_text(target: Target) -> str:
    """Return the text alternative of the bar of recent checks."""
    outcomes = Counter(target.outcomes)
    if not outcomes:
        return "Not checked yet"
    words = {Outcome.FAILURE: "failed", Outcome.INCONCLUSIVE: "inconclusive"}
    results = [f"{outcomes[name]} {word}" for name, word in words.items() if outcomes[name]]
    count = outcomes.total()
    if count == 1:
        return f"Last check: {words.get(next(iter(outcomes)), 'succeeded')}"
    return f"Last {count} checks: {', '.join(results) or 'all succeeded'}"


def _chips(form: TargetSearchForm, request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the label of each filter in use, and the query without this filter."""
    for name, words in form.chips():
        yield words, _query(request, without=name)


def _query(request: HttpRequest, *, without: str = "") -> str:
    """Return the query of the first page of this list, without empty fields."""
    query = request.GET.copy()
    for name in [name for name, value in query.items() if not value]:
        del query[name]
    for name in ("page_token", "all", without):
        query.pop(name, None)
    return query.urlencode()


class TargetExportView(ActorPage):
    """A CSV file of all matching targets."""

    permission_required = ("targets.view_target",)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        form = TargetSearchForm(request.GET, by=self.actor, zone=reader_zone(request))
        if not form.is_valid():
            raise Http404
        pieces = target_csv.pieces(form.criteria(), by=self.actor, order=form.order_name())
        try:
            return stream_csv(pieces, filename="targets.csv")
        except ApiError as error:
            return error_response(request, error)
