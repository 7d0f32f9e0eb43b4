"""JSON representations of check results."""

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from checker.models import CheckResult, Outage, ResultReport
from foundation.http.serializers import StrictSerializer
from targets.rule_urls import absolute_url, rule_path
from targets.state import Outcome


class ResultFilters(StrictSerializer):
    """Query parameters of `GET /v1/targets/{id}/results`."""

    outcome = serializers.ChoiceField(
        choices=[outcome.value for outcome in Outcome], required=False
    )


class RedirectSerializer(serializers.Serializer[dict[str, object]]):
    """One hop in a redirect chain: its status and the URL that it led to."""

    status = serializers.IntegerField()
    url = serializers.CharField()


class ResultSerializer(serializers.Serializer[CheckResult]):
    """One check."""

    id = serializers.IntegerField()
    checked_at = serializers.DateTimeField()
    status_code = serializers.IntegerField(allow_null=True)
    latency_ms = serializers.IntegerField()
    error = serializers.CharField(allow_null=True, source="sentence")
    outcome = serializers.CharField()
    reason = serializers.SerializerMethodField()
    attempts = serializers.IntegerField()
    final_url = serializers.CharField()
    redirects = RedirectSerializer(many=True)
    moved_to = serializers.SerializerMethodField()
    flags = serializers.ListField(child=serializers.CharField())
    rule_url = serializers.SerializerMethodField()
    summary = serializers.CharField(
        allow_null=True,
        source="advice.summary",
        help_text="The result in a few words, such as `Page gone`; null for a reason that comes "
        "from an operator's own condition.",
    )
    suggestion = serializers.CharField(
        allow_null=True,
        source="advice.suggestion",
        help_text="A sentence that says what to do; null if there is nothing to do.",
    )

    def get_moved_to(self, result: CheckResult) -> str | None:
        """Where the permanent redirects (301, 308) at the start of the chain lead, or null."""
        return result.moved_to or None

    def get_reason(self, result: CheckResult) -> str | None:
        """A code such as http_404; null on plain success."""
        return result.reason or None

    def get_rule_url(self, result: CheckResult) -> str | None:
        """URL of the rule's explanation.

        Null on plain success, for an operator's own condition, and for results from 0.2.0.
        """
        return None if result.rule is None else absolute_url(rule_path(result.rule.name))


class ReportRequestSerializer(StrictSerializer):
    """The body of a report on a result."""

    comment = serializers.CharField(
        max_length=ResultReport.COMMENT_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="What you see when you open the page.",
    )


class ReportSerializer(serializers.Serializer[ResultReport]):
    """A report of a wrong result."""

    id = serializers.IntegerField()
    target_id = serializers.CharField(allow_null=True)
    result_id = serializers.IntegerField()
    checked_at = serializers.DateTimeField()
    comment = serializers.CharField()
    created_at = serializers.DateTimeField()
    handled_at = serializers.DateTimeField(allow_null=True)


_OUTAGE = {
    "began_at": "2026-11-01T02:10:00Z",
    "ended_at": "2026-11-01T02:14:30Z",
    "reason": "dns",
    "checks_set_aside": 358,
    "targets_resumed": 340,
}


@extend_schema_serializer(examples=[OpenApiExample("Four minutes without DNS", _OUTAGE)])
class OutageSerializer(serializers.Serializer[Outage]):
    """A period in which no server responded to Linkwatch."""

    began_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True, help_text="Null while the outage lasts.")
    reason = serializers.SerializerMethodField()
    checks_set_aside = serializers.IntegerField(
        source="checks", help_text="Checks that failed during this time and do not count."
    )
    targets_resumed = serializers.IntegerField(
        source="resumed", help_text="Targets that became due again when the outage ended."
    )

    def get_reason(self, outage: Outage) -> str | None:
        """The code of the check that noticed it, such as dns or timeout; null if unknown."""
        return outage.reason or None


class ResultWithEvidenceSerializer(ResultSerializer):
    """One check with all its evidence."""

    evidence = serializers.JSONField()
