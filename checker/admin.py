"""Admin pages for check results and for reports of wrong results."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.messages import WARNING
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts.actors import actor_of
from checker import reports
from checker.models import CheckResult, ResultReport
from foundation.admin.pages import ReadOnlyAdmin, as_json, column, link
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from targets.admin import TargetHistoryAdmin, target_link
from targets.rule_urls import rule_path
from targets.state import Outcome

OUTCOME_COLORS = {
    Outcome.SUCCESS.value: "success",
    Outcome.FAILURE.value: "danger",
    Outcome.INCONCLUSIVE.value: "default",  # gray: "warning" is for potentially dead
}


def joined_flags(result: CheckResult) -> str | None:
    """Return a result's flags, separated by commas; None if there are none."""
    return ", ".join(result.flags) or None


@admin.register(CheckResult)
class CheckResultAdmin(TargetHistoryAdmin):
    """The results of checks, with their evidence."""

    list_display = (
        "checked_at",
        "shown_target",
        "shown_outcome",
        "reason",
        "shown_flags",
        "status_code",
        "latency",
    )
    fields = (
        ("checked_at", "outcome"),
        ("reason", "shown_flags", "shown_rule"),
        ("status_code", "latency"),
        "attempts",
        "shown_target",
        "shown_final_url",
        "moved_to",
        "sentence",
        "shown_redirects",
        "shown_evidence",
    )
    list_filter = ("outcome",)
    ordering = ("-pk",)  # most recently written first

    latency = column("latency_ms", "Latency (ms)")
    shown_final_url = column("final_url", "Final URL")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CheckResult]:
        """Return results with their targets; results without a target are not shown."""
        results: QuerySet[CheckResult] = super().get_queryset(request)
        return results.select_related("target")

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, result: CheckResult) -> SafeString:
        return target_link(result.target_id, result.target.url)

    @display(description="Outcome", label=OUTCOME_COLORS)  # type: ignore[untyped-decorator]
    def shown_outcome(self, result: CheckResult) -> str:
        return result.outcome

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, result: CheckResult) -> str | None:
        return joined_flags(result)

    @display(description="Rule")  # type: ignore[untyped-decorator]
    def shown_rule(self, result: CheckResult) -> SafeString | None:
        rule = result.rule
        return None if rule is None else link(rule_path(rule.name), rule.title)

    @display(description="Redirects")  # type: ignore[untyped-decorator]
    def shown_redirects(self, result: CheckResult) -> SafeString | None:
        return as_json(result.redirects) if result.redirects else None

    @display(description="Evidence")  # type: ignore[untyped-decorator]
    def shown_evidence(self, result: CheckResult) -> SafeString:
        return as_json(result.evidence)


class HandledFilter(admin.SimpleListFilter):
    """Shows open reports (the queue, by default), those that operators have handled, or all."""

    title = parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Open"), ("handled", "Handled"), ("all", "All")]

    def value(self) -> str:
        return super().value() or "open"

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Leave out Django's own "All": a list without a parameter shows the queue."""
        return islice(super().choices(changelist), 1, None)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in ("open", "handled"):
            return queryset
        return queryset.filter(handled_at__isnull=self.value() == "open")


@admin.register(ResultReport)
class ResultReportAdmin(ReadOnlyAdmin):
    """Reports of wrong results, for operators only."""

    list_display = (
        *("created_at", "shown_target", "shown_reason", "comment", "shown_proposal"),
        *("user", "handled_at"),
    )
    fields = (
        ("created_at", "user"),
        "comment",
        "shown_proposal",
        "shown_target",
        ("checked_at", "shown_reason"),
        ("handled_at", "shown_handler"),
        "shown_evidence",
    )
    help_texts: ClassVar[Mapping[str, str]] = {"handled_at": "When an operator handled the report."}
    list_filter = (HandledFilter,)
    list_select_related = ("user",)
    ordering = ("-created_at", "-pk")
    sortable_by = ()
    actions = ("accept_proposals", "mark_as_handled", "mark_as_open")

    def has_view_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return actor_of(request).is_operator

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_handle_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, report: ResultReport) -> SafeString:
        return target_link(report.target_id, str(report))

    @display(description="Handled by")  # type: ignore[untyped-decorator]
    def shown_handler(self, report: ResultReport) -> User | None:
        return User.objects.in_bulk([report.handled_by_id]).get(report.handled_by_id)

    @display(description="Result")  # type: ignore[untyped-decorator]
    def shown_reason(self, report: ResultReport) -> str:
        result = report.evidence
        parts = [result.get("outcome"), result.get("reason"), *(result.get("flags") or ())]
        return " ".join(str(word) for word in parts if word)

    @display(description="Proposed")  # type: ignore[untyped-decorator]
    def shown_proposal(self, report: ResultReport) -> str | None:
        words = ", ".join(map(str, report.proposed or ()))
        return f"This is fine: {words}" if words else None

    @display(description="Evidence")  # type: ignore[untyped-decorator]
    def shown_evidence(self, report: ResultReport) -> SafeString:
        return as_json(report.evidence)

    @action(  # type: ignore[untyped-decorator]
        description="Accept proposals", permissions=["handle"]
    )
    def accept_proposals(self, request: HttpRequest, queryset: QuerySet[ResultReport]) -> None:
        """Accept the proposals of open reports, which marks these reports as handled."""
        now, by = database_now(), actor_of(request)
        open_reports = queryset.filter(handled_at=None)
        count = 0
        for report in open_reports.select_related("target"):
            if report.target is None or report.proposed is None:
                continue
            try:
                reports.accept_proposal(report, now=now, by=by)
            except ApiError as error:
                self.message_user(request, f"{report}: {error.message}", level=WARNING)
                continue
            count += 1
        self.message_user(request, f"Proposals accepted: {count}.")

    @action(  # type: ignore[untyped-decorator]
        description="Mark as handled", permissions=["handle"]
    )
    def mark_as_handled(self, request: HttpRequest, queryset: QuerySet[ResultReport]) -> None:
        open_reports = queryset.filter(handled_at=None)
        count = open_reports.update(handled_at=database_now(), handled_by=actor_of(request).user)
        self.message_user(request, f"Reports marked as handled: {count}.")

    @action(  # type: ignore[untyped-decorator]
        description="Mark as open", permissions=["handle"]
    )
    def mark_as_open(self, request: HttpRequest, queryset: QuerySet[ResultReport]) -> None:
        count = queryset.update(handled_at=None, handled_by=None)
        self.message_user(request, f"Reports marked as open: {count}.")
