"""JSON forms of view metrics, of what trends, and of operational metrics."""

from datetime import date, datetime, timedelta
from typing import Any

from rest_framework import serializers

from analytics.view_metrics import MOST_DAYS, USUAL_DAYS
from foundation.http.serializers import StrictSerializer


class DaysQuery(StrictSerializer):
    """`?from=&to=`: days in UTC, both included; the last 30 unless said otherwise."""

    to = serializers.DateField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """`from` is no name that a class attribute could have."""
        return {"from": serializers.DateField(required=False), **super().get_fields()}

    def days(self, now: datetime) -> tuple[date, date]:
        """Return the first and the last day; raises ValidationError for an impossible span."""
        self.is_valid(raise_exception=True)
        last = self.validated_data.get("to", now.date())
        usual = last - min(timedelta(days=USUAL_DAYS - 1), last - date.min)
        first = self.validated_data.get("from", usual)
        if not 0 <= (last - first).days < MOST_DAYS:
            raise serializers.ValidationError(
                {"from": [f"Give a day up to {MOST_DAYS - 1} days before `to`."]}
            )
        return first, last


class DaySerializer(serializers.Serializer[Any]):
    """The views of one day in UTC."""

    day = serializers.DateField()
    views = serializers.IntegerField()
    uniques_estimate = serializers.IntegerField()


class ViewMetricsSerializer(serializers.Serializer[Any]):
    """`uniques_estimate` in all is the sum of the days': visitors are told apart within a day."""

    id = serializers.CharField()
    views = serializers.IntegerField()
    uniques_estimate = serializers.IntegerField()
    trend_score = serializers.FloatField()
    daily = DaySerializer(many=True)


class TrendSerializer(serializers.Serializer[Any]):
    """How popular something is."""

    subject = serializers.CharField(help_text="A snippet's id, or `short:` and a short link's key.")
    trend_score = serializers.FloatField()
    views = serializers.IntegerField()


class TrendingSerializer(serializers.Serializer[Any]):
    """What is popular, most popular first."""

    items = TrendSerializer(many=True)


class MetricsSerializer(serializers.Serializer[Any]):
    """All are of the whole deployment, those of reads since Redis was empty."""

    cache_hits = serializers.IntegerField()
    cache_misses = serializers.IntegerField()
    cache_warm = serializers.IntegerField()
    rate_limit_denials = serializers.IntegerField()
    events_counted = serializers.DictField(child=serializers.IntegerField())
    events_dropped = serializers.IntegerField()
    events_lost = serializers.IntegerField()
    adds_failed = serializers.IntegerField()
    gone_pages = serializers.IntegerField()
    events_waiting = serializers.IntegerField()
    stream_length = serializers.IntegerField()
    stream_pending = serializers.IntegerField()
    stream_backlog = serializers.IntegerField(allow_null=True)
    oldest_pending_seconds = serializers.FloatField(allow_null=True)
    workers = serializers.IntegerField()
    worker_latency_seconds = serializers.FloatField(allow_null=True)
    dead_letters = serializers.IntegerField()
    websocket_clients = serializers.IntegerField()
