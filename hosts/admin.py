"""Hosts, aliases and their leases for operators; changes go through hosts.services.

Source: docs/requirements.md#reservations-tables.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import DateTimeField, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts import audit_log
from accounts.actors import actor_of
from foundation.admin.pages import BigTableAdmin, column, link, list_link, state_filter
from foundation.database.clock import database_now
from foundation.durations import format_duration
from foundation.http.errors import ApiError
from foundation.net.hostnames import InvalidHostError, normalize_host
from hosts import services
from hosts.explain import explain_host
from hosts.forms import HostForm, SlotForm
from hosts.instructions_form import FIELDSET, InstructionsDisplay
from hosts.models import (
    MAX_SHOWN_HOSTS,
    Alias,
    Host,
    HostState,
    Slot,
    SlotQuerySet,
    slot_of,
)
from hosts.slots import EARLIEST

MAX_AUDIT_ENTRIES = 10
STATE_COLORS = {
    HostState.QUEUED.value: "info",
    HostState.BUSY.value: "success",
    HostState.WAITING.value: "warning",
}


def _digest(slot: Slot) -> str:
    """Return a digest that identifies this lease without revealing its token."""
    return salted_hmac("hosts.admin.lease", str(slot.token)).hexdigest()


class LeaseAdmin(BigTableAdmin):
    """What the admins of hosts and aliases have in common: the slot and its lease."""

    form = SlotForm
    actions = ("free",)
    actions_detail = ("free_this",)
    sortable_by = ()  # each table is sorted by its index

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Iterable[str]:
        shown = (name for _, options in self.fieldsets or () for name in options["fields"])
        return [name for name in shown if name not in self.form.base_fields]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Update only the fields changed in the form."""
        try:
            services.change_settings(
                str(obj),
                form.changes(),
                is_alias=isinstance(obj, Alias),
                now=database_now(),
                version=form.cleaned_data["version"],
                by=actor_of(request),
            )
        except ApiError as error:  # it was changed after the form was validated
            raise Http404(error.message) from None

    def get_object(self, request: HttpRequest, *args: Any) -> Any:
        """Return the row with the newest audit entries that the user may see, or None."""
        row, by = super().get_object(request, *args), actor_of(request)
        if row is not None:
            kind = "alias" if isinstance(row, Alias) else "host"
            entries = audit_log.visible_to(by, audit_log.entries_about(kind, str(row)))
            row.audit_entries = list(entries[:MAX_AUDIT_ENTRIES])
        return row

    @display(description="Latest changes")  # type: ignore[untyped-decorator]
    def latest_changes(self, row: Any) -> str:
        context = {"audit_entries": row.audit_entries, "now": database_now()}
        return render_to_string("linkwatch/audit_log.html", context)

    @staticmethod
    def slots(rows: QuerySet[Any]) -> SlotQuerySet:
        """Return the slots of these rows."""
        column = "slot" if issubclass(rows.model, Host) else "pk"
        return Slot.objects.filter(pk__in=rows.order_by().values(column))

    # Shown on read-only pages; otherwise the form has them.

    @display(description="Delay")  # type: ignore[untyped-decorator]
    def delay(self, row: Any) -> str | None:
        delay = slot_of(row).delay
        return None if delay is None else format_duration(delay)

    @display(description="No requests before")  # type: ignore[untyped-decorator]
    def sleep_until(self, row: Any) -> datetime | None:
        not_before = slot_of(row).not_before
        return not_before if not_before > database_now() else None

    @display(description="No requests before")  # type: ignore[untyped-decorator]
    def no_requests_before(self, row: Any) -> datetime | None:
        not_before = slot_of(row).not_before
        return None if not_before == EARLIEST else not_before

    @action(description="End lease…", permissions=["change"])  # type: ignore[untyped-decorator]
    def free(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Ask for confirmation, then end these leases, unless they have changed since."""
        now = database_now()
        leases = self.slots(queryset).busy(now).order_by("leased_until", "pk")
        if "lease" not in request.POST:
            return self._confirm(request, leases, rows=queryset.values_list("pk", flat=True))
        digests = set(request.POST.getlist("lease"))
        chosen = {slot.token: slot.pk for slot in leases if slot.token and _digest(slot) in digests}
        rows = list(queryset)  # read now, because lists of busy rows lose rows that are freed
        freed = services.free(chosen, now=now, by=actor_of(request))
        slots = {chosen[token] for token in freed}
        for row in rows:
            if slot_of(row).pk in slots:
                self.log_change(request, row, "Lease ended")
        self.message_user(request, f"Leases ended: {len(freed)}.", messages.SUCCESS)
        if ended := len(digests) - len(freed):
            self.message_user(request, f"Leases that had already ended: {ended}.", messages.WARNING)
        return None

    @action(  # type: ignore[untyped-decorator]
        description="End the current lease…", permissions=["change"], url_path="free"
    )
    def free_this(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation to end the lease of this row's slot; the form then calls `free`."""
        rows = self.model._default_manager.filter(pk=object_id)
        return self._confirm(request, self.slots(rows).busy(database_now()), rows=[object_id])

    def _confirm(
        self, request: HttpRequest, leases: QuerySet[Slot], *, rows: Iterable[Any]
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "End leases",
            "opts": self.opts,
            "leases": [(slot, _digest(slot)) for slot in leases],
            "rows": list(rows),
            "changelist": reverse(f"admin:hosts_{self.opts.model_name}_changelist"),
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "hosts/end_lease.html", context)


def _link(model: str, pk: int, text: str) -> SafeString:
    url = reverse(f"admin:hosts_{model}_change", args=[pk])
    return link(url, text)


@admin.register(Host)
class HostAdmin(InstructionsDisplay, LeaseAdmin):
    """All hosts by name; queued ones by due time, busy ones by the end of their lease.

    Source: docs/requirements.md#reservations-tables.
    """

    form = HostForm
    list_display = (
        *("name", "shown_state", "alias", "next_check", "next_fetch"),
        *("no_requests_before", "leased_for", "leased_until"),
    )
    list_filter = (state_filter(HostState),)
    search_fields = ("name",)  # shows the search field; get_search_results searches
    search_help_text = "A host, or an alias to list its hosts"
    list_select_related = ("slot",)
    fieldsets = (
        (None, {"fields": ("name", "alias", "targets", "explanation")}),
        (
            "Delay and pause, for all hosts with the same alias",
            {"fields": ("delay", "sleep_until")},
        ),
        FIELDSET,
        ("Due", {"fields": ("next_check", "next_fetch")}),
        ("Lease", {"fields": ("leased_host", "leased_for", "leased_until")}),
        ("Audit log", {"fields": ("latest_changes",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        as_of = Value(database_now(), DateTimeField())  # read the clock once for all rows
        hosts = Host.objects.with_next().select_related("slot").annotate(as_of=as_of)
        return hosts.order_by(*self.get_ordering(request))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the order of the index that finds the hosts in this state."""
        orders = {"queued": ("next_at", "pk"), "busy": ("slot__leased_until", "pk")}
        return orders.get(request.GET.get("state", ""), ("name",))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the hosts of the alias with exactly this name, or else the host. Uses indexes."""
        if not search_term:
            return queryset, False
        alias = Slot.objects.aliases().filter(key=search_term.strip()).first()
        if alias is not None:
            return queryset.filter(slot=alias), False
        try:
            return queryset.filter(name=normalize_host(search_term.strip())), False
        except InvalidHostError:
            return queryset.none(), False

    next_check = column("check_at", "Next check")
    next_fetch = column("fetch_at", "Next fetch")

    @display(description="Alias")  # type: ignore[untyped-decorator]
    def alias(self, host: Host) -> SafeString | None:
        return _link("alias", host.slot_id, host.slot.key) if host.slot.is_alias else None

    @display(description="Targets")  # type: ignore[untyped-decorator]
    def targets(self, host: Host) -> SafeString:
        return list_link("targets_target", "Show targets", q=host.name)

    @display(description="Status")  # type: ignore[untyped-decorator]
    def explanation(self, host: Host) -> str:
        return explain_host(host, now=database_now()).sentence

    @display(description="Reserved host")  # type: ignore[untyped-decorator]
    def leased_host(self, host: Host) -> str | None:
        return host.slot.leased_host or None

    @display(description="Reserved for")  # type: ignore[untyped-decorator]
    def leased_for(self, host: Host) -> str | None:
        return host.slot.leased_for or None

    @display(description="Reserved until")  # type: ignore[untyped-decorator]
    def leased_until(self, host: Host) -> datetime | None:
        return host.slot.leased_until

    @display(description="State", label=STATE_COLORS)  # type: ignore[untyped-decorator]
    def shown_state(self, host: Any) -> str:
        state: HostState = host.state(host.as_of)
        return state.value


class BusyFilter(admin.SimpleListFilter):
    """Shows only aliases with a reserved host."""

    title, parameter_name = "reservation", "busy"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Reserved")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.busy(database_now()) if self.value() == "yes" else queryset


@admin.register(Alias)
class AliasAdmin(LeaseAdmin):
    """Aliases by name, with their hosts; busy ones by the end of their lease.

    Source: docs/requirements.md#reservations-aliases.
    """

    list_display = (
        *("key", "host_count", "reserved_host", "reserved_for", "reserved_until"),
        *("delay", "no_requests_before"),
    )
    list_filter = (BusyFilter,)
    search_fields = ("key__exact",)
    search_help_text = "The exact alias"
    help_texts: ClassVar[Mapping[str, str]] = {"key": ""}  # the model's text also mentions hosts
    fieldsets = (
        (None, {"fields": ("key", "host_count", "hosts")}),
        ("Delay and pause", {"fields": ("delay", "sleep_until")}),
        ("Lease", {"fields": ("reserved_host", "reserved_for", "reserved_until")}),
        ("Audit log", {"fields": ("latest_changes",)}),
    )

    reserved_host = column("leased_host", "Reserved host")
    reserved_for = column("leased_for", "Reserved for")
    reserved_until = column("leased_until", "Reserved until")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        aliases = Alias.objects.aliases().with_count()
        return aliases.order_by(*self.get_ordering(request))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("leased_until", "pk") if request.GET.get("busy") == "yes" else ("key",)

    @display(description="Hosts")  # type: ignore[untyped-decorator]
    def host_count(self, alias: Alias) -> int:
        return alias.host_count

    @display(description=f"First {MAX_SHOWN_HOSTS} hosts")  # type: ignore[untyped-decorator]
    def hosts(self, alias: Alias) -> SafeString:
        first = Host.objects.filter(slot=alias.pk).order_by("name")[:MAX_SHOWN_HOSTS]
        links = ((_link("host", host.pk, host.name),) for host in first)
        return format_html_join(", ", "{}", links)
