"""`/hosts`: hosts with their status, the reasons why they wait, and pauses."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import PermissionRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views import View

from accounts import audit_log
from accounts.account_pages import ActorPage
from checker.models import HostTally, hour_of
from console.charts import column_chart
from console.hosts.forms import SORTS, STATES, HostSearchForm, PauseForm
from console.hosts.host_search import LARGEST, SPAN, HostRow, Sort
from console.replica_reads import read_list
from console.uplink_banner import uplink_context
from foundation.database.clock import database_now
from foundation.database.thread_pool import submit
from foundation.durations import duration_in_words
from foundation.net.hostnames import InvalidHostError, normalize_host
from foundation.templatetags.times import exact
from hosts import icon_store, services
from hosts.explain import explain_host
from hosts.models import Favicon, Host, HostState, Slot
from targets.models import Target
from targets.state import State

HOSTS_PER_PAGE = 25
MAX_TARGETS = 5_000  # targets of a host that are counted by state
_MAX_NEXT_CHECKS = 10
_HOURS = 48  # in the chart
_MAX_OTHERS = 20  # hosts of an alias
_MAX_ENTRIES = 10  # of the audit log
_HOUR = timedelta(hours=1)
_KINDS = {"failures": "failure", "inconclusive": "inconclusive", "slow": "warning"}
_STATES = (State.ALIVE, State.POTENTIALLY_DEAD, State.DEAD, State.PENDING)


class HostPage(ActorPage):
    """A page about hosts, for users who may see hosts and targets."""

    permission_required: tuple[str, ...] = ("hosts.view_host", "targets.view_target")


class HostListPage(HostPage):
    """The hosts with failures in the last day, the worst first, or the results of a search."""

    def get(self, request: HttpRequest) -> HttpResponse:
        now, form = database_now(), HostSearchForm(request.GET)
        search = form.search()
        page = form.cleaned_data.get("page") or 1
        if search.sort is Sort.TARGETS:
            submit(LARGEST.renew)
        is_valid = form.is_valid()

        def find() -> tuple[list[HostRow], dict[str, str], bool]:
            skip = HOSTS_PER_PAGE * (page - 1)
            rows = search.find(skip=skip, limit=HOSTS_PER_PAGE + 1, now=now) if is_valid else []
            icons = icon_store.digests({row.name for row in rows})
            return rows, icons, not (rows or search.is_filtered or Host.objects.exists())

        (rows, icons, is_empty), age = read_list(request, find)
        filters = {"q": search.text, "state": search.state}
        chosen = filters | {"sort": search.sort.value}
        context = {
            "now": now,
            "form": form,
            "rows": [(row, badge(row.host, now)) for row in rows[:HOSTS_PER_PAGE]],
            "icons": icons,
            # Without `sort`, because only the default order of a filtered list includes all hosts.
            "chips": _choices(STATES, "state", filters),
            "sorts": _choices(SORTS, "sort", chosen),
            "sort": search.sort.value,
            "since": hour_of(now - SPAN),
            "is_counting": search.is_counting,
            "is_filtered": search.is_filtered,
            "is_empty": is_empty,
            "age": age,
            "page": page,
            "has_more": len(rows) > HOSTS_PER_PAGE,
            "query": _query(chosen),
            **uplink_context(),
        }
        return render(request, "console/hosts/list.html", context)


def _choices(labels: dict[str, str], name: str, chosen: dict[str, str]) -> list[dict[str, Any]]:
    """Return a link for each choice of a filter, keeping the other filters."""
    return [
        {
            "label": label,
            "query": _query({**chosen, name: value}),
            "is_current": chosen.get(name, "") == value,
        }
        for value, label in labels.items()
    ]


def _query(chosen: dict[str, str]) -> str:
    return urlencode({name: value for name, value in chosen.items() if value})


def badge(host: Host | None, now: datetime) -> tuple[str, str]:
    """Return the tone and the label of a host's badge; a host without a row is idle."""
    if host is None:
        return "", "Idle"
    if host.slot.is_left_alone(now):
        if host.slot.is_paused(now):
            return "paused", "Paused"
        return "inconclusive", "Throttled"
    match host.state(now):
        case HostState.BUSY:
            return "info", "Being checked" if host.slot.leased_for == "check" else "Being fetched"
        case HostState.QUEUED:
            is_due = any(at <= now for at in (host.check_at, host.fetch_at) if at)
            return "", "Due" if is_due else "Queued"
        case state:
            return "", state.label.capitalize()


class HostDetailPage(HostPage):
    """A host: its targets by state, the reason why it waits, its next checks, and its audit log."""

    def get(self, request: HttpRequest, host: str) -> HttpResponse:
        name = self.find_name(host)
        if name != host:
            return redirect("host", name)
        return self.show(name, PauseForm(now=database_now()))

    def find_name(self, text: str) -> str:
        """Return the normalized name of a host with a row or with targets; raises Http404."""
        try:
            name = normalize_host(text)
        except InvalidHostError as error:
            raise Http404(str(error)) from None
        if Host.objects.filter(name=name).exists() or Target.objects.filter(host=name).exists():
            return name
        raise Http404("There is no such host.")

    def show(self, name: str, form: PauseForm, *, status: int = 200) -> HttpResponse:
        """Return the page of the host with this normalized name."""
        now = form.now
        host = Host.objects.filter(name=name).select_related("slot").first()
        slot = host.slot if host else None
        context = {
            "now": now,
            "name": name,
            "icons": icon_store.digests({name}),
            "host": host,
            "slot": slot,
            "badge": badge(host, now),
            "why": explain_host(host, now=now) if host else None,
            "is_left_alone": slot is not None and slot.is_left_alone(now),
            "delay": _delay(slot),
            "has_own_delay": slot is not None and slot.delay is not None,
            **_target_counts(name),
            **_problems(name, now=now),
            "next": _next_checks(name, slot),
            **_alias_group(slot, name),
            "form": form,
            "is_open": form.is_bound,
            "audit_entries": self._audit_entries(name, slot),
            **uplink_context(),
        }
        return render(self.request, "console/hosts/page.html", context, status=status)

    def _audit_entries(self, name: str, slot: Slot | None) -> list[Any]:
        entries = list(
            audit_log.visible_to(self.actor, audit_log.entries_about("host", name))[:_MAX_ENTRIES]
        )
        if slot is not None and slot.alias:
            alias_entries = audit_log.visible_to(
                self.actor, audit_log.entries_about("alias", slot.alias)
            )
            entries += alias_entries[:_MAX_ENTRIES]
            entries.sort(key=lambda entry: entry.at, reverse=True)
        return entries[:_MAX_ENTRIES]


def _delay(slot: Slot | None) -> str:
    own = slot.delay if slot else None
    return duration_in_words(settings.HOST_DELAY if own is None else own)


def _target_counts(name: str) -> dict[str, Any]:
    """Return the number of targets by state, counting at most MAX_TARGETS."""
    rows = list(
        Target.objects.filter(host=name)
        .order_by()
        .values_list("state", "paused", "inconclusive_since")[:MAX_TARGETS]
    )
    states = Counter(state for state, _, _ in rows)
    return {
        "states": {state.value: states[state.value] for state in _STATES},
        "paused": sum(paused for _, paused, _ in rows),
        "unsure": sum(since is not None for _, _, since in rows),
        "total": len(rows),
        "is_all": len(rows) < MAX_TARGETS,
    }


def _problems(name: str, *, now: datetime) -> dict[str, Any]:
    """Return the problems in each of the last _HOURS hours, a chart, and the sums of a day."""
    hours = [hour_of(now) - n * _HOUR for n in reversed(range(_HOURS))]
    tallies = HostTally.objects.filter(host=name)
    rows = list(tallies.filter(hour__in=hours).order_by("-hour"))
    by_hour = {row.hour: vars(row) for row in rows}
    day = [hour for hour in hours if hour >= hour_of(now - SPAN)]
    sums = tallies.filter(hour__in=day).of_hosts([name])
    return {
        "hours": rows,
        "since": hours[0],
        "chart": column_chart(
            [(f"{hour:%Y-%m-%d %H:00} UTC", by_hour.get(hour, {})) for hour in hours], _KINDS
        )
        if rows
        else None,
        "sums": sums.get(name, {}),
    }


def _next_checks(name: str, slot: Slot | None) -> list[tuple[Target, datetime | None]]:
    """Return the next _MAX_NEXT_CHECKS targets, each with the earliest time of its check."""
    not_before = slot.not_before if slot else None
    rows = Target.objects.scheduled().filter(host=name).order_by("next_check_at")[:_MAX_NEXT_CHECKS]
    return [(row, max(filter(None, (row.next_check_at, not_before)), default=None)) for row in rows]


def _alias_group(slot: Slot | None, name: str) -> dict[str, Any]:
    """Return the alias of a slot, if any, and the first _MAX_OTHERS other hosts that have it."""
    if slot is None or not slot.is_alias:
        return {"alias": None}
    others = Host.objects.filter(slot=slot).exclude(name=name).order_by("name")
    names = list(others.values_list("name", flat=True)[: _MAX_OTHERS + 1])
    has_more = len(names) > _MAX_OTHERS
    return {"alias": slot.key, "group": names[:_MAX_OTHERS], "has_more_hosts": has_more}


class FaviconView(PermissionRequiredMixin, View):
    """The icon of a host; browsers cache it if the URL has the current digest (`?v=`)."""

    permission_required = HostPage.permission_required

    def get(self, request: HttpRequest, host: str) -> HttpResponse:
        try:
            name = normalize_host(host)
        except InvalidHostError as error:
            raise Http404(str(error)) from None
        icon = Favicon.objects.filter(host=name).exclude(digest="").first()
        if icon is None:
            raise Http404("This host has no icon.")
        is_current = request.GET.get("v") == icon.digest
        caching = "max-age=31536000, immutable" if is_current else "no-cache"
        headers = {"Cache-Control": f"private, {caching}", "Content-Security-Policy": "sandbox"}
        return HttpResponse(bytes(icon.png), content_type="image/png", headers=headers)


class HostPauseView(HostDetailPage):
    """POST pauses a host, and with it all hosts of its alias."""

    permission_required = ("hosts.view_host", "targets.view_target", "hosts.change_host")

    def get(self, request: HttpRequest, host: str) -> HttpResponse:
        """Redirect to the page: people who had to sign in first arrive here."""
        return redirect("host", self.find_name(host))

    def post(self, request: HttpRequest, host: str) -> HttpResponse:
        name, now = self.find_name(host), database_now()
        form = PauseForm(request.POST, now=now)
        if not form.is_valid():
            return self.show(name, form)
        until = form.end()
        services.change(name, {"sleep_until": until}, now=now, by=self.actor)
        messages.success(
            request, f"Host paused. No requests will be sent to {name} until {exact(until)}."
        )
        return redirect("host", name)


class HostResumptionView(HostPauseView):
    """POST resumes a host, and with it all hosts of its alias."""

    def post(self, request: HttpRequest, host: str) -> HttpResponse:
        name = self.find_name(host)
        services.change(name, {"sleep_until": None}, now=database_now(), by=self.actor)
        messages.success(request, f"Host resumed. {name} will be checked when it is due.")
        return redirect("host", name)
