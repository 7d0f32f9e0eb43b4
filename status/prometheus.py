"""Metrics of the product for Prometheus: cached, so that frequent scrapes cost little.

No label is a URL, host, key or user, because their number is unbounded.
"""

import platform
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

import django
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Count
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    SummaryMetricFamily,
)
from prometheus_client.metrics_core import Metric

from analytics.views import PrometheusView
from batches import ending
from checker import heartbeat
from checker.models import CheckResult, ResultReport
from foundation.valkey import metrics
from foundation.valkey.cached_value import CachedValue
from foundation.valkey.clients import client
from hosts.models import Slot
from notify.channel_status import channel_status
from shortener import reaper_runs
from status.health import health_of
from status.stats import STATS, hosts_left_alone
from targets import counts
from targets.models import Target

_HOUR = timedelta(hours=1)


def _product(now: datetime) -> dict[str, Any]:
    """Return the figures that are not in STATS, except `paused`, which is in both."""
    recent = CheckResult.objects.filter(checked_at__gte=now - _HOUR).order_by()
    due = Target.objects.due(now).exclude(host__in=hosts_left_alone(now))
    first_due_at = due.values_list("next_check_at", flat=True).first()
    reaper_stats = reaper_runs.stats(now)
    return {
        "paused": counts.totals().get(counts.PAUSED, 0),
        "oldest_due": 0.0 if first_due_at is None else (now - first_due_at).total_seconds(),
        "asleep": Slot.objects.filter(token=None, not_before__gt=now + settings.HOST_DELAY).count(),
        "leases": Slot.objects.busy(now).count(),
        "checks": list(recent.values_list("outcome", "reason").annotate(Count("pk"))),
        "reaper": {"ok": reaper_stats.successful_runs, "failed": reaper_stats.failed_runs},
        "reaper_batch": reaper_stats.last_batch_size,
        "health": health_of(),
        "checker_lag": heartbeat.lag(),
        "reports": ResultReport.objects.filter(handled_at=None).count(),
        "channels": asdict(channel_status(now)),
        "batches": ending.open_work(now),
    }


PRODUCT = CachedValue("product", _product, pause=5.0)


def families() -> Iterator[Metric]:
    """Yield each metric, except those that have not been computed yet.

    If the database is unavailable, the only metric about it is that it is down. Raises RedisError,
    and OSError if there is no DATA_DIR.
    """
    disk = shutil.disk_usage(settings.DATA_DIR)
    yield _gauge("disk_free_bytes", "Free space on the disk that holds DATA_DIR", disk.free)
    yield _gauge("disk_size_bytes", "Size of the disk that holds DATA_DIR", disk.total)
    about = {"version": settings.VERSION, "python": platform.python_version()}
    labels = {**about, "django": django.__version__, "database": connection.vendor}
    yield _labeled(
        "build_info", "Versions that this process is running", list(labels), [(labels, 1)]
    )
    totals = metrics.totals(client())
    yield _requests(totals)
    yield from _cleanups(totals)
    try:
        stats, product = STATS.get(), PRODUCT.get()
    except (DatabaseError, InterfaceError):
        yield _health({"database": "down"})
        return
    if stats:
        yield from _stats_metrics(stats.value)
    if product:
        yield from _product_metrics(product.value)


def _stats_metrics(stats: dict[str, Any]) -> Iterator[Metric]:
    states = [({"state": state}, number) for state, number in stats["targets"].items()]
    yield _labeled("targets", "Targets by state", ["state"], states)
    yield _gauge(
        "targets_needing_attention",
        "Targets that are currently inconclusive",
        stats["needs_attention"],
    )
    yield _gauge("targets_due", "Targets whose check is due, up to 10,000", stats["due"])
    yield _gauge(
        "targets_overdue",
        "Targets due for longer than CHECK_INTERVAL, up to 10,000",
        stats["overdue"],
    )
    if "waiting_for_hosts" in stats:  # missing if a process of version 0.2.0 counted
        text = "Overdue targets whose hosts can't be contacted yet, up to 10,000"
        yield _gauge("targets_waiting", text, stats["waiting_for_hosts"])
    text = "Free hosts with scheduled work, up to 10,000"
    yield _gauge("hosts_queued", text, stats["hosts"]["queued"])
    yield _gauge("hosts_busy", "Hosts under a lease, up to 10,000", stats["hosts"]["busy"])
    active = {name: sink for name, sink in stats["sinks"].items() if sink["off_since"] is None}
    pending = [({"sink": name}, sink["pending"]) for name, sink in active.items()]
    yield _labeled("sink_pending_events", "Events waiting to be sent", ["sink"], pending)
    set_aside = [({"sink": name}, sink["set_aside"]) for name, sink in active.items()]
    text = "Events set aside because the sink refused them"
    yield _labeled("sink_set_aside_events", text, ["sink"], set_aside)
    ages = [({"sink": name}, sink["oldest_pending_seconds"] or 0) for name, sink in active.items()]
    yield _labeled(
        "sink_oldest_pending_seconds", "Age of the oldest event waiting to be sent", ["sink"], ages
    )


def _batch_metrics(batches: dict[str, Any]) -> Iterator[Metric]:
    yield _gauge("batches_open", "Batches with checks in progress", batches["open"])
    yield _gauge(
        "batches_waiting_urls", "URLs in batches that are waiting for a check", batches["waiting"]
    )
    text = "How long the oldest open batch has been open"
    yield _gauge("batches_oldest_open_seconds", text, batches["oldest"])


def _product_metrics(product: dict[str, Any]) -> Iterator[Metric]:
    yield _gauge("targets_paused", "Paused targets", product["paused"])
    yield _gauge(
        "oldest_due_seconds",
        "How long the oldest due check of a host that may be contacted has been waiting",
        product["oldest_due"],
    )
    text = "Free hosts and aliases that are paused or throttled for longer than HOST_DELAY"
    yield _gauge("hosts_asleep", text, product["asleep"])
    yield _gauge("leases", "Current leases of hosts and aliases", product["leases"])
    checks = [
        ({"outcome": outcome, "reason": reason}, number)
        for outcome, reason, number in product["checks"]
    ]
    names = ["outcome", "reason"]
    yield _labeled("checks_last_hour", "Checks in the last hour by outcome", names, checks)
    text = "Maximum lag of the check event loop in the last minute"
    yield _gauge("checker_lag_seconds", text, product["checker_lag"])
    runs = CounterMetricFamily("linkwatch_reaper_runs", "Runs of the reaper", labels=["result"])
    for result, number in product["reaper"].items():
        runs.add_metric([result], number)
    yield runs
    interval = settings.CLEANUP_INTERVAL.total_seconds()
    yield _gauge("reaper_interval_seconds", "Time between two runs of the reaper", interval)
    if "reaper_batch" in product:  # missing if a process of version 0.2.0 counted
        text = "Links deleted in the reaper's last batch"
        yield _gauge("reaper_last_batch", text, product["reaper_batch"])
    if "reports" in product:  # likewise
        yield _gauge("reports_open", "Open reports of wrong results", product["reports"])
    if "batches" in product:  # likewise
        yield from _batch_metrics(product["batches"])
    yield _health(product["health"])
    yield from _channel_metrics(product["channels"])


def _channel_metrics(status: dict[str, Any]) -> Iterator[Metric]:
    states = [({"state": state}, number) for state, number in status["channels"].items()]
    yield _labeled("channels", "Channels by state", ["state"], states)
    yield _gauge("channels_failing", "Active channels whose last attempt failed", status["failing"])
    yield _gauge("messages_waiting", "Messages waiting to be sent", status["waiting"])
    oldest = status["oldest"]
    text = "How long the oldest message has been waiting for a working channel"
    yield _gauge("oldest_message_seconds", text, oldest or 0.0)


def _health(parts: dict[str, str]) -> Metric:
    values = [({"part": name}, state == "ok") for name, state in parts.items() if state != "off"]
    return _labeled("up", "Whether a part of Linkwatch works, as in /v1/health", ["part"], values)


def _requests(totals: Mapping[str, int]) -> Metric:
    text = "Duration of HTTP requests"
    family = HistogramMetricFamily(
        "linkwatch_http_request_seconds", text, labels=["route", "status"]
    )
    for labels, (numbers, seconds) in metrics.responses(totals).items():
        bounds = [*(str(bound) for bound in metrics.BUCKETS), "+Inf"]
        buckets = list(zip(bounds, accumulate(numbers), strict=True))
        family.add_metric(labels, buckets, seconds)
    return family


def _cleanups(totals: Mapping[str, int]) -> Iterator[Metric]:
    text = "Rows deleted by scheduled cleanups"
    rows = CounterMetricFamily("linkwatch_cleanup_deleted", text, labels=["kind"])
    text = "Duration of successful scheduled cleanups"
    runs = SummaryMetricFamily("linkwatch_cleanup_seconds", text, labels=["kind"])
    for kind, (count, deleted, seconds) in metrics.cleanups(totals).items():
        rows.add_metric([kind], deleted)
        runs.add_metric([kind], count, seconds)
    yield from (rows, runs)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"linkwatch_{name}", text, value=value)


def _labeled(
    name: str, text: str, labels: list[str], values: Iterable[tuple[dict[str, str], float]]
) -> Metric:
    family = GaugeMetricFamily(f"linkwatch_{name}", text, labels=labels)
    for value_labels, value in values:
        family.add_metric([value_labels[label] for label in labels], value)
    return family


class ProductView(PrometheusView):
    """Operational metrics and the metrics of the product, for Prometheus."""

    def additional_metrics(self) -> Iterable[Metric]:
        """Return the metrics of the product."""
        return list(families())
