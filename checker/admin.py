"""Results of checks for operators."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import display

from checker.models import CheckResult
from foundation.admin.pages import as_json
from targets.admin import TargetHistoryAdmin, target_link
from targets.state import Outcome

OUTCOME_COLOURS = {
    Outcome.SUCCESS.value: "success",
    Outcome.FAILURE.value: "danger",
    Outcome.INCONCLUSIVE.value: "default",  # grey: "warning" is of the potentially dead
}


def flags_in_a_row(result: CheckResult) -> str | None:
    """Return a result's flags as one text; None without any."""
    return ", ".join(result.flags) or None


@admin.register(CheckResult)
class CheckResultAdmin(TargetHistoryAdmin):
    """What each check found, with its evidence."""

    list_display = (
        "checked_at",
        "shown_target",
        "shown_outcome",
        "reason",
        "shown_flags",
        "status_code",
        "latency_ms",
    )
    fields = (
        ("checked_at", "outcome"),
        ("reason", "shown_flags"),
        ("status_code", "latency_ms"),
        "attempts",
        "shown_target",
        "final_url",
        "moved_to",
        "sentence",
        "shown_redirects",
        "shown_evidence",
    )
    list_filter = ("outcome",)
    ordering = ("-pk",)  # as they were written

    def get_queryset(self, request: HttpRequest) -> QuerySet[CheckResult]:
        """Results with their targets: one that had none would not be shown."""
        results: QuerySet[CheckResult] = super().get_queryset(request)
        return results.select_related("target")

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, result: CheckResult) -> SafeString:
        return target_link(result.target_id, result.target.url)

    @display(description="Outcome", label=OUTCOME_COLOURS)  # type: ignore[untyped-decorator]
    def shown_outcome(self, result: CheckResult) -> str:
        return result.outcome

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, result: CheckResult) -> str | None:
        return flags_in_a_row(result)

    @display(description="Redirects")  # type: ignore[untyped-decorator]
    def shown_redirects(self, result: CheckResult) -> SafeString | None:
        return as_json(result.redirects) if result.redirects else None

    @display(description="Evidence")  # type: ignore[untyped-decorator]
    def shown_evidence(self, result: CheckResult) -> SafeString:
        return as_json(result.evidence)
