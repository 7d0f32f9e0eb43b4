"""Results of checks for operators, also on the page of their target."""

from django.contrib import admin
from django.utils.safestring import SafeString
from unfold.decorators import display

from checker.models import CheckResult
from linkwatch.lib.admin import NewestInline, as_json
from targets.admin import TargetAdmin, TargetHistoryAdmin, target_link
from targets.models import Target
from targets.state import Outcome

OUTCOME_COLOURS = {
    Outcome.SUCCESS.value: "success",
    Outcome.FAILURE.value: "danger",
    Outcome.INCONCLUSIVE.value: "warning",
}


def _words(flags: list[str]) -> str | None:
    return ", ".join(flags) or None


class CheckResultInline(NewestInline):
    model = CheckResult
    ordering = ("-checked_at", "-id")
    fields = (
        *("checked_at", "outcome", "reason", "shown_flags"),
        *("status_code", "latency_ms", "attempts"),
    )
    readonly_fields = ("shown_flags",)
    verbose_name_plural = "newest checks"

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, result: CheckResult) -> str | None:
        return _words(result.flags)


# The page of a target belongs to the layer below, which knows of no checks.
admin.site.unregister(Target)


@admin.register(Target)
class CheckedTargetAdmin(TargetAdmin):
    """A target with its newest checks."""

    inlines = (CheckResultInline, *TargetAdmin.inlines)
    histories = (("checker_checkresult", "checks"), *TargetAdmin.histories)


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
        "error",
        "shown_redirects",
        "shown_evidence",
    )
    list_filter = ("outcome",)
    ordering = ("-pk",)  # as they were written

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, result: CheckResult) -> SafeString:
        return target_link(result.target_id, result.target.url)

    @display(description="Outcome", label=OUTCOME_COLOURS)  # type: ignore[untyped-decorator]
    def shown_outcome(self, result: CheckResult) -> str:
        return result.outcome

    @display(description="Flags")  # type: ignore[untyped-decorator]
    def shown_flags(self, result: CheckResult) -> str | None:
        return _words(result.flags)

    @display(description="Redirects")  # type: ignore[untyped-decorator]
    def shown_redirects(self, result: CheckResult) -> SafeString | None:
        return as_json(result.redirects) if result.redirects else None

    @display(description="Evidence")  # type: ignore[untyped-decorator]
    def shown_evidence(self, result: CheckResult) -> SafeString:
        return as_json(result.evidence)
