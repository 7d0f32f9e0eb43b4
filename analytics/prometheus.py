"""The figures as Prometheus reads them: all of the whole deployment, read from Redis when asked."""

from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from analytics.metrics import COUNTS

_GAUGES = {
    "stream_length": "Entries in the event stream",
    "stream_pending": "Events given to a worker and not yet counted",
    "stream_backlog": "Events not yet counted in all",
    "oldest_pending_seconds": "Age of the oldest event that is not counted",
    "workers": "Analytics workers that read lately",
    "dead_letters": "Events set aside",
    "websocket_clients": "Clients of live counts",
}


class _Figures(Collector):
    """One set of figures, as `analytics.metrics.figures` returns it."""

    def __init__(self, figures: dict[str, Any]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Yield each figure; one that is not known is left out, except the age: 0."""
        for name, text in COUNTS.items():
            yield CounterMetricFamily(f"linkwatch_{name}", text, value=self._figures[name])
        counted = CounterMetricFamily("linkwatch_events", "Events counted", labels=["kind"])
        for kind, number in self._figures["events_counted"].items():
            counted.add_metric([kind], number)
        yield counted
        for name, text in _GAUGES.items():
            value = self._figures[name]
            if name == "oldest_pending_seconds" or value is not None:
                yield GaugeMetricFamily(f"linkwatch_{name}", text, value=value or 0)
        count, seconds = self._figures["latency_events"], self._figures["latency_seconds"]
        text = "From an event's arrival in the stream until it is counted"
        yield SummaryMetricFamily("linkwatch_event_latency_seconds", text, count, seconds)


def render(figures: dict[str, Any]) -> bytes:
    """Return the text exposition of these figures."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(figures))
    return generate_latest(registry)
