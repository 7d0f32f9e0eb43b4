"""The admin of targets: the newest checks of each, and changes through `targets.services`."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import DateTimeField, Q, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts.actors import Actor, actor_of
from checker.admin import joined_flags
from checker.models import CheckResult
from console.targets.bulk_actions import ACTIONS
from foundation.admin.pages import (
    BigTableAdmin,
    NewestInline,
    apply_to_each,
    column,
    is_confirmed,
    list_link,
    shorten,
)
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.urls import ascii_url
from foundation.templatetags.times import when
from hosts.instructions_form import FIELDS as INSTRUCTIONS
from hosts.instructions_form import FIELDSET, InstructionsDisplay
from outbox.models import Event
from targets import registration, services
from targets.admin import SEARCH_HELP, STATE_COLORS
from targets.flags import FLAGS, flag_label
from targets.forms import RegistrationForm, TargetForm
from targets.models import Reference, Target
from targets.search.lookup import matching
from targets.target_actions import OPERATIONS, REFUSALS

_Response = HttpResponse | None


class CheckResultInline(NewestInline):
    model = CheckResult
    ordering = ("-checked_at", "-id")
    fields = (
        *("checked_at", "outcome", "reason", "shown_flags"),
        *("status_code", "latency", "attempts"),
    )
    readonly_fields = ("shown_flags", "latency")
    verbose_name_plural = "newest checks"

    latency = column("latency_ms", "Latency (ms)")

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, result: CheckResult) -> str | None:
        return joined_flags(result)


class ReferenceInline(NewestInline):
    model = Reference
    ordering = ("-created_at", "-id")
    fields = ("reference_id", "owner", "created_at")
    readonly_fields = ("owner", "reference_id")
    verbose_name_plural = "newest references"

    reference_id = column("object_id", "Reference ID")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reference]:
        rows: QuerySet[Reference] = super().get_queryset(request).select_related("owner")
        return actor_of(request).reach(rows)


class EventInline(NewestInline):
    model = Event
    ordering = ("-at", "-id")
    fields = ("time", "kind", "from_state", "to_state", "position")
    readonly_fields = ("time",)
    verbose_name_plural = "newest events"

    time = column("at", "Time")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        events: QuerySet[Event] = super().get_queryset(request)
        return events.defer("payload")  # which names all references of the target


class NeedsAttentionFilter(admin.SimpleListFilter):
    """Selects targets whose checks are currently inconclusive."""

    title = "attention"
    parameter_name = "needs_attention"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Needed")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.needing_attention() if self.value() == "yes" else queryset


class NeverSeenFilter(admin.SimpleListFilter):
    """Selects targets whose checks since registration or revival were all inconclusive."""

    title = "conclusive checks"
    parameter_name = "never_seen"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Not yet")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.never_seen() if self.value() == "yes" else queryset


class FlagFilter(admin.SimpleListFilter):
    """Filters targets by flag; only the API can filter by flags of operators' own conditions."""

    title = "flag"
    parameter_name = "flag"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(flag, flag_label(flag)) for flag in FLAGS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Target]) -> QuerySet[Target]:
        return queryset.filter(flag_rows__flag=self.value()) if self.value() else queryset


@admin.register(Target)
class TargetAdmin(InstructionsDisplay, BigTableAdmin):
    """Targets with their state and next check."""

    form = TargetForm
    list_display = (
        "shown_url",
        "shown_state",
        "short_check",
        "checked",
        "next_check",
        "note",
    )
    list_filter = ("state", NeedsAttentionFilter, NeverSeenFilter, FlagFilter, "paused", "pinned")
    ordering = ("-created_at", "-id")
    sortable_by = ()  # no other order has an index
    search_fields = ("url",)  # shows the field; get_search_results does the search
    search_help_text = SEARCH_HELP
    inlines: tuple[type[NewestInline], ...] = (
        CheckResultInline,
        ReferenceInline,
        EventInline,
    )
    histories: tuple[tuple[str, str], ...] = (
        ("checker_checkresult", "checks"),
        ("outbox_event", "events"),
        ("targets_reference", "references"),
    )
    actions = ("check_now", "pause", "resume", "revive")
    editable = ("paused", "pinned", *registration.POLICY_FIELDS, *INSTRUCTIONS)
    add_fieldsets = (
        (None, {"fields": ("url", "reference_id")}),
        ("Policy", {"fields": registration.POLICY_FIELDS}),
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "url_link",
                    "shown_canonical_url",
                    "host_link",
                    "related",
                    "paused",
                    "pinned",
                )
            },
        ),
        ("Policy", {"fields": registration.POLICY_FIELDS}),
        FIELDSET,
        (
            "Health",
            {
                "fields": (
                    ("state", "state_changed_at"),
                    ("failures", "first_failed_at"),
                    ("last_checked_at", "next_check_at"),
                    ("last_check", "last_reason"),
                    "inconclusive_since",
                    "shown_flags",
                    "moved_to",
                    "created_at",
                )
            },
        ),
    )

    shown_canonical_url = column("canonical_url", "Canonical URL")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Target]:
        as_of = Value(database_now(), DateTimeField())  # read once for all rows
        targets: QuerySet[Target] = super().get_queryset(request).annotate(as_of=as_of)
        return targets

    def get_form(
        self, request: HttpRequest, obj: Target | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = TargetForm if change else RegistrationForm
        return super().get_form(request, obj, change=change, form=form, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Target | None = None) -> Iterable[str]:
        shown = (name for _, options in self.fieldsets for name in _flatten(options["fields"]))
        return [name for name in shown if name not in self.editable] if obj else []

    def get_inlines(self, request: HttpRequest, obj: Target | None) -> Iterable[Any]:
        return self.inlines if obj else ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Target], search_term: str
    ) -> tuple[QuerySet[Target], bool]:
        """Search only by index, never for a substring in millions of URLs."""
        condition = matching(search_term, actor_of(request)) if search_term else Q()
        return queryset.filter(condition), False

    @display(description="URL")  # type: ignore[untyped-decorator]
    def shown_url(self, target: Target) -> str:
        return shorten(ascii_url(target.url))

    @display(description="URL")  # type: ignore[untyped-decorator]
    def url_link(self, target: Target) -> SafeString:
        return format_html(
            '<a class="text-link" href="{}" target="_blank" rel="noopener noreferrer">{}</a>',
            target.url,
            target.url,
        )

    @display(description="Host")  # type: ignore[untyped-decorator]
    def host_link(self, target: Target) -> SafeString:
        return list_link("hosts_host", target.host, q=target.host)

    @display(description="History")  # type: ignore[untyped-decorator]
    def related(self, target: Target) -> SafeString:
        return format_html_join(
            " · ", "{}", ((list_link(model, text, q=target.pk),) for model, text in self.histories)
        )

    @display(description="State", label=STATE_COLORS)  # type: ignore[untyped-decorator]
    def shown_state(self, target: Target) -> tuple[str, str]:
        return target.state, target.get_state_display()

    @display(  # type: ignore[untyped-decorator]
        description="Note",
        label={"paused": "warning", "inconclusive": "default", "flagged": "info"},
    )
    def note(self, target: Target) -> tuple[str, str] | None:
        if target.paused:
            return "paused", "paused"
        if target.inconclusive_since is not None:
            words = "inconclusive", target.last_reason.replace("_", " ")
            return "inconclusive", ": ".join(filter(None, words))
        return ("flagged", self.shown_flags(target)) if target.flags else None

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, target: Target) -> str:
        return ", ".join(map(flag_label, target.flags))

    @display(description="Result")  # type: ignore[untyped-decorator]
    def short_check(self, target: Target) -> str | None:
        if target.last_checked_at is None:
            return None
        return _with_latency(_status_text(target), target)

    @display(description="Checked")  # type: ignore[untyped-decorator]
    def checked(self, target: Any) -> SafeString:
        return when(target.last_checked_at, target.as_of)

    @display(description="Next check")  # type: ignore[untyped-decorator]
    def next_check(self, target: Any) -> str:
        if target.paused or target.next_check_at is None:
            return "none"
        if target.next_check_at <= target.as_of:
            return "due now"
        return when(target.next_check_at, target.as_of)

    @display(description="Last check")  # type: ignore[untyped-decorator]
    def last_check(self, target: Target) -> str | None:
        if target.last_checked_at is None:
            return None
        return _with_latency(shorten(target.last_error or _status_text(target)), target)

    def save_model(self, request: HttpRequest, obj: Target, form: Any, change: bool) -> None:
        """Register the URL, or update only the fields changed in the form."""
        by = actor_of(request)
        if change:
            self._update(obj, form, by)
            return
        result = registration.register([form.registration()], now=database_now(), by=by)[0]
        obj.pk = result.target.pk
        obj.refresh_from_db()
        if not result.is_new:
            self.message_user(
                request, "This URL is already registered and keeps its policy.", messages.WARNING
            )

    def _update(self, target: Target, form: TargetForm, by: Actor) -> None:
        try:
            version = form.cleaned_data["version"]
            services.update(target, form.changes(), now=database_now(), version=version, by=by)
        except ApiError as error:
            raise Http404(error.message) from None

    def delete_model(self, request: HttpRequest, obj: Target) -> None:
        services.delete(obj, force=True, now=database_now(), by=actor_of(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Target]) -> None:
        self._apply_to_each(request, queryset, _delete, done="deleted", log=False)

    def get_deleted_objects(
        self, objs: Iterable[Target], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Show what would be deleted, without loading it: a target may have a million results."""
        targets = list(objs)
        references = Reference.objects.filter(target__in=targets).count()
        lines = [f"{target} with its references and checks" for target in targets]
        return lines, {"targets": len(targets), "references": references}, set(), []

    @action(description="Check now", permissions=["change"])  # type: ignore[untyped-decorator]
    def check_now(self, request: HttpRequest, queryset: QuerySet[Target]) -> _Response:
        return self._operate(request, queryset, "check", action="check_now")

    @action(description="Pause", permissions=["change"])  # type: ignore[untyped-decorator]
    def pause(self, request: HttpRequest, queryset: QuerySet[Target]) -> _Response:
        return self._operate(request, queryset, "pause", action="pause")

    @action(description="Resume", permissions=["change"])  # type: ignore[untyped-decorator]
    def resume(self, request: HttpRequest, queryset: QuerySet[Target]) -> _Response:
        return self._operate(request, queryset, "resume", action="resume")

    @action(description="Revive", permissions=["change"])  # type: ignore[untyped-decorator]
    def revive(self, request: HttpRequest, queryset: QuerySet[Target]) -> _Response:
        return self._operate(request, queryset, "revive", action="revive")

    def _operate(
        self, request: HttpRequest, targets: QuerySet[Target], name: str, *, action: str
    ) -> _Response:
        """Ask for confirmation, then perform the operation on each target."""
        operation = OPERATIONS[name]
        if is_confirmed(request):
            self._apply_to_each(request, targets, operation.run, done=operation.done)
            return None
        rows = list(targets)
        states = Counter(row.get_state_display() for row in rows)
        counts = ", ".join(f"{count} {state}" for state, count in states.most_common())
        return self.confirmation_page(
            request,
            rows,
            action=action,
            button=ACTIONS[name].prompt.format(f"{len(rows)} target{'s' * (len(rows) != 1)}"),
            sentence=f"Selected: {counts}. Targets that this doesn't apply to are left unchanged.",
        )

    def _apply_to_each(
        self,
        request: HttpRequest,
        targets: QuerySet[Target],
        act: Callable[[Target, datetime, Actor], None],
        *,
        done: str,
        log: bool = True,
    ) -> None:
        by = actor_of(request)

        def act_for_user(target: Target, now: datetime) -> None:
            act(target, now, by)

        labels = {"noun": "Targets", "done": done}
        apply_to_each(self, request, targets, act_for_user, **labels, reasons=REFUSALS, log=log)


def _flatten(fields: Iterable[Any]) -> Iterable[str]:
    for name in fields:
        yield from (name,) if isinstance(name, str) else name


def _delete(target: Target, now: datetime, by: Actor) -> None:
    services.delete(target, force=True, now=now, by=by)


def _status_text(target: Target) -> str:
    code = target.last_status_code
    return f"HTTP {code}" if code else target.last_reason or "no status"


def _with_latency(text: str, target: Target) -> str:
    latency = target.last_latency_ms
    return text if latency is None else f"{text}, {latency} ms"
