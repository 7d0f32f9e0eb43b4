"""JSON representations of view metrics, trends and operational metrics."""

from datetime import date, datetime, timedelta
from typing import Any

from rest_framework import serializers

from analytics.stream_batches import MAX_DAYS
from analytics.view_metrics import DEFAULT_DAYS
from analytics.visit_counters import KEPT_DAYS
from analytics.visit_metrics import Interval, default_first_day
from foundation.http.serializers import StrictSerializer


class DaysQuery(StrictSerializer):
    """`?from=&to=`: days in UTC, both included; the last 30 by default."""

    to = serializers.DateField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which can't be the name of a class attribute."""
        return {"from": serializers.DateField(required=False), **super().get_fields()}

    def days(self, now: datetime) -> tuple[date, date]:
        """Return the first and the last day; raises ValidationError for an invalid period."""
        self.is_valid(raise_exception=True)
        last = self.validated_data.get("to", now.date())
        first = self.validated_data.get("from") or self.default_first_day(last)
        if not 0 <= (last - first).days < MAX_DAYS:
            raise serializers.ValidationError(
                {"from": [f"Must not be after `to`, or more than {MAX_DAYS - 1} days before it."]}
            )
        return first, last

    def default_first_day(self, last: date) -> date:
        """Return the default first day of a period that ends on `last`."""
        return last - min(timedelta(days=DEFAULT_DAYS - 1), last - date.min)


class VisitsQuery(DaysQuery):
    """`?by=hour|day|month&from=&to=`: by default two days by hour, 30 by day, 12 months by month.

    Hours are kept for a limited time. By month, `from` moves to the first day of its month.
    """

    by = serializers.ChoiceField(choices=[by.value for by in Interval], default=Interval.DAY.value)

    def days(self, now: datetime) -> tuple[date, date]:
        """Return the first and the last day; raises ValidationError for an invalid period."""
        first, last = super().days(now)
        if self.interval is Interval.HOUR and (now.date() - first).days >= KEPT_DAYS:
            raise serializers.ValidationError(
                {"from": [f"Hourly counts are kept for {KEPT_DAYS} days, including today."]}
            )
        return (first.replace(day=1) if self.interval is Interval.MONTH else first), last

    @property
    def interval(self) -> Interval:
        """The length of each part of the series; call `is_valid` first."""
        return Interval(self.validated_data["by"])

    def default_first_day(self, last: date) -> date:
        """Return the default first day of a period that ends on `last`."""
        return default_first_day(self.interval, last=last)


class DaySerializer(serializers.Serializer[Any]):
    """The views on one day in UTC."""

    day = serializers.DateField(
        help_text="For a month older than VIEWS_RETENTION, the first day has the totals for the "
        "whole month; the other days are 0."
    )
    views = serializers.IntegerField()
    uniques_estimate = serializers.IntegerField()


class ViewMetricsSerializer(serializers.Serializer[Any]):
    """`uniques_estimate` is the sum over all days: visitors are counted once per day."""

    id = serializers.CharField()
    views = serializers.IntegerField()
    uniques_estimate = serializers.IntegerField()
    trend_score = serializers.FloatField()
    daily = DaySerializer(many=True)


class PointSerializer(serializers.Serializer[Any]):
    """The views in one hour, day or month, in UTC."""

    at = serializers.DateTimeField(help_text="Start of the hour, day or month.")
    views = serializers.IntegerField()


class ValueSerializer(serializers.Serializer[Any]):
    """The views for one value of a dimension."""

    name = serializers.CharField()
    views = serializers.IntegerField()


class SourcesSerializer(serializers.Serializer[Any]):
    """The views in all months of the period, by dimension; each list adds up to `views`.

    A month counts as a whole, even if only a part of it was requested. `countries` is null without
    GEOIP_FILE, and adds up to less if GEOIP_FILE was not set for part of the time.
    """

    first = serializers.DateField(help_text="First day of the first month.")
    last = serializers.DateField(help_text="First day of the last month.")
    views = serializers.IntegerField(help_text="Views whose sources are known.")
    referrers = ValueSerializer(
        many=True,
        help_text="Referring hosts; `direct` for none or this site, `other` for rare or invalid "
        "ones.",
    )
    devices = ValueSerializer(many=True, help_text="phone, tablet, desktop, bot, other.")
    countries = ValueSerializer(
        many=True, allow_null=True, help_text="Two-letter ISO 3166-1 codes, or `unknown`."
    )


class VisitMetricsSerializer(ViewMetricsSerializer):
    """Views of a link by day, by the requested unit of time, and by dimension."""

    by = serializers.ChoiceField(choices=[by.value for by in Interval])
    series = PointSerializer(many=True)
    sources = SourcesSerializer()


class TrendSerializer(serializers.Serializer[Any]):
    """The popularity of a snippet or a short link."""

    subject = serializers.CharField(
        help_text="A snippet's id, or `short:` followed by a short link's key."
    )
    trend_score = serializers.FloatField()
    views = serializers.IntegerField()


class TrendingSerializer(serializers.Serializer[Any]):
    """Popular subjects, most popular first."""

    items = TrendSerializer(many=True)


class MetricsSerializer(serializers.Serializer[Any]):
    """Metrics for the whole deployment; counters cover the time since Redis was last empty."""

    cache_hits = serializers.IntegerField()
    cache_misses = serializers.IntegerField()
    cache_warm = serializers.IntegerField()
    rate_limit_denials = serializers.IntegerField()
    events_counted = serializers.DictField(child=serializers.IntegerField())
    events_dropped = serializers.IntegerField()
    events_lost = serializers.IntegerField()
    adds_failed = serializers.IntegerField()
    gone_pages = serializers.IntegerField()
    scan_references_ended = serializers.IntegerField()
    icon_requests = serializers.IntegerField()
    archive_requests = serializers.IntegerField()
    archive_failures = serializers.IntegerField()
    repaired_references = serializers.IntegerField()
    repairs_undone = serializers.IntegerField()
    copies_found = serializers.IntegerField()
    pages_offered = serializers.IntegerField()
    pages_saved = serializers.IntegerField()
    events_waiting = serializers.IntegerField()
    stream_length = serializers.IntegerField()
    stream_pending = serializers.IntegerField()
    stream_backlog = serializers.IntegerField(allow_null=True)
    oldest_pending_seconds = serializers.FloatField(allow_null=True)
    workers = serializers.IntegerField()
    worker_latency_seconds = serializers.FloatField(allow_null=True)
    dead_letters = serializers.IntegerField()
    websocket_clients = serializers.IntegerField()
