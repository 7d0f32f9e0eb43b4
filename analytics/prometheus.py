"""Operational metrics of the whole deployment for Prometheus, read from Redis at each scrape."""

from collections.abc import Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from analytics.metrics import COUNTERS

_GAUGES = {
    "events_waiting": "Views and other events in the stream that are not yet counted",
    "stream_length": "Entries in the event stream: the views of one snippet or link within one "
    "second, or one other event",
    "stream_pending": "Entries delivered to a worker but not yet counted",
    "stream_backlog": "Total entries not yet counted",
    "oldest_pending_seconds": "Age of the oldest entry that is not yet counted",
    "workers": "Analytics workers that have read the stream recently",
    "dead_letters": "Entries that could not be counted",
    "websocket_clients": "WebSocket clients receiving live counts",
}


class _Metrics(Collector):
    """One set of metrics, as `analytics.metrics.read` returns it."""

    def __init__(self, metrics: dict[str, Any]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        """Yield each metric; leave out an unknown backlog. The age is 0 if nothing waits."""
        for name, text in COUNTERS.items():
            yield CounterMetricFamily(f"linkwatch_{name}", text, value=self._metrics[name])
        counted = CounterMetricFamily(
            "linkwatch_events", "Views and other events counted", labels=["kind"]
        )
        for kind, number in self._metrics["events_counted"].items():
            counted.add_metric([kind], number)
        yield counted
        for name, text in _GAUGES.items():
            value = self._metrics[name]
            if name == "oldest_pending_seconds" or value is not None:
                yield GaugeMetricFamily(f"linkwatch_{name}", text, value=value or 0)
        count, seconds = self._metrics["latency_events"], self._metrics["latency_seconds"]
        text = "Time from an event's arrival in the stream until it is counted"
        yield SummaryMetricFamily("linkwatch_event_latency_seconds", text, count, seconds)


class _AdditionalMetrics(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Return additional metrics."""
        return self._families


def render(metrics: dict[str, Any], additional: Iterable[Metric] = ()) -> bytes:
    """Return these metrics, the additional ones and this process's in Prometheus's text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Metrics(metrics))
    registry.register(_AdditionalMetrics(additional))
    ProcessCollector(registry=registry)
    return generate_latest(registry)
