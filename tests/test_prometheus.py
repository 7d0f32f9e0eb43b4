"""`/metrics` describes the product with few labels; its alerts fire when they should."""

import json
import re
import shutil
import subprocess
from datetime import timedelta
from typing import Any

import pytest
from django.utils.module_loading import import_string
from prometheus_client.parser import text_string_to_metric_families

from checker.models import CheckResult
from foundation.database.clock import database_now
from foundation.valkey import metrics
from foundation.valkey.clients import client as redis_client
from hosts import operator_changes
from hosts.models import Purpose
from hosts.reservations import schedule
from linkwatch import asgi, schedules
from notify.tasks import delete_old_deliveries
from outbox.models import Cursor, DeadLetter
from shortener.tasks import reap_expired_urls
from status.prometheus import PRODUCT
from status.stats import STATS
from tests.acceptance.processes import ROOT
from tests.factories import TargetFactory, TransitionFactory
from tests.shortener.links import ShortURLFactory

DEPLOY = ROOT / "deploy"


@pytest.fixture(autouse=True)
def _empty():
    redis_client().flushdb()


def scrape(client):
    reply = client.get("/metrics", REMOTE_ADDR="127.0.0.1")
    assert reply.status_code == 200
    families = text_string_to_metric_families(reply.content.decode())
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.django_db
def test_the_report_includes_targets_checks_hosts_sinks_and_parts(client, settings):
    now = database_now()
    due = now - timedelta(minutes=10)
    target = TargetFactory(state="alive", next_check_at=due)
    TargetFactory(state="dead", next_check_at=None, paused=True)
    CheckResult.objects.create(
        target=target, checked_at=now, outcome="failure", reason="dns", latency_ms=1, attempts=1
    )
    Cursor.objects.create(name="kafka", position=0)
    found = scrape(client)
    assert found[("linkwatch_targets", ("state", "alive"))] == 1
    assert found[("linkwatch_targets", ("state", "dead"))] == 1
    assert found[("linkwatch_targets_paused",)] == 1
    assert found[("linkwatch_targets_due",)] == found[("linkwatch_targets_overdue",)] == 1
    assert 600 <= found[("linkwatch_oldest_due_seconds",)] < 700
    checks = ("linkwatch_checks_last_hour", ("outcome", "failure"), ("reason", "dns"))
    assert found[checks] == 1
    assert found[("linkwatch_sink_pending_events", ("sink", "kafka"))] == 0
    assert found[("linkwatch_up", ("part", "database"))] == 1
    assert found[("linkwatch_disk_free_bytes",)] > 0
    assert found[("process_open_fds",)] > 0
    for name in (
        "hosts_queued",
        "hosts_busy",
        "hosts_asleep",
        "leases",
        "reports_open",
        "batches_open",
    ):
        assert found[(f"linkwatch_{name}",)] == 0
    for result in ("ok", "failed"):
        assert found[("linkwatch_reaper_runs_total", ("result", result))] == 0
    assert target.host not in str(found.keys())


@pytest.mark.django_db
def test_a_target_of_a_paused_host_is_not_the_oldest_due_one(client):
    now = database_now()
    TargetFactory(next_check_at=now - timedelta(minutes=10))
    paused = TargetFactory(next_check_at=now - timedelta(hours=2))
    schedule({paused.host: now}, purpose=Purpose.CHECK, now=now)
    until = now + timedelta(days=1)
    operator_changes.set_pause(paused.host, until=until, delay=timedelta(0), now=now)
    assert 600 <= scrape(client)[("linkwatch_oldest_due_seconds",)] < 700


@pytest.mark.django_db
def test_scheduled_deletions_are_counted_by_kind_with_their_time(client):
    ShortURLFactory.create_batch(3, expires_at=database_now() - timedelta(days=30))
    assert reap_expired_urls() == 3
    assert reap_expired_urls() == 0
    assert delete_old_deliveries() == 0
    found = scrape(client)

    def of(name, kind):
        return found[(f"linkwatch_cleanup_{name}", ("kind", kind))]

    assert (of("deleted_total", "links"), of("seconds_count", "links")) == (3, 2)
    assert 0 < of("seconds_sum", "links") < 60
    assert (of("deleted_total", "deliveries"), of("seconds_count", "deliveries")) == (0, 1)
    assert found[("linkwatch_reaper_last_batch",)] == 3
    assert found[("linkwatch_reaper_interval_seconds",)] == 900


def test_each_scheduled_deletion_is_counted():
    """Scheduled deletions are recognized by name: delete, reap or prune."""
    deletions = {
        job.function
        for job in schedules.jobs()
        if re.search(r"\.(?:delete|reap|prune|clear|forget)_", job.function)
    }

    assert len(deletions) >= 9
    for name in deletions:
        assert hasattr(import_string(name), "counted_as"), name


@pytest.mark.django_db
def test_refused_events_of_a_sink_are_shown(client):
    sink = Cursor.objects.create(name="kafka", position=0)
    letter = {"transition": TransitionFactory(), "at": database_now(), "error": "Too large."}
    DeadLetter.objects.create(sink=sink, **letter)
    assert scrape(client)[("linkwatch_sink_set_aside_events", ("sink", "kafka"))] == 1


@pytest.mark.django_db
def test_a_scrape_uses_counts_of_the_last_moments(client, monkeypatch, django_assert_num_queries):
    for cached in STATS, PRODUCT:  # so that a slow machine's interval is one as well
        monkeypatch.setattr(cached, "pause", 60.0)
    scrape(client)
    assert None not in (STATS.peek(), PRODUCT.peek())
    with django_assert_num_queries(0):
        scrape(client)


@pytest.mark.django_db
def test_requests_are_counted_by_class_of_route_and_status_with_their_latencies(client):
    metrics.observe("api", 200, 0.03)
    metrics.observe("api", 200, 0.3)
    metrics.observe("api", 503, 60.0)
    metrics.flush(redis_client())
    found = scrape(client)

    def value(name, status, *bucket):
        return found[(f"linkwatch_http_request_seconds_{name}", *bucket, *rest(status))]

    def rest(status):
        return ("route", "api"), ("status", status)

    assert value("count", "200") == 2
    assert value("sum", "200") == pytest.approx(0.33)
    assert value("bucket", "200", ("le", "0.05")) == 1
    assert value("bucket", "200", ("le", "0.5")) == value("bucket", "200", ("le", "+Inf")) == 2
    assert value("bucket", "503", ("le", "5.0")) == 0
    assert value("bucket", "503", ("le", "+Inf")) == 1


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/s/abc", "redirect"),
        ("/v1/snippets/s_1/raw", "snippet"),
        ("/v1/targets", "api"),
        ("/v1/nothing/../x", "api"),
        ("/readyz", "health"),
        ("/any/thing", "page"),
    ],
)
def test_each_answer_is_observed_when_it_begins(monkeypatch, path, route):
    seen = []
    monkeypatch.setattr(metrics, "observe", lambda *what: seen.append(what))

    async def send(message):
        pass

    scope = {"path": path, "method": "GET", "headers": []}
    timed = asgi.with_common_headers(scope, send, asgi.door_of(scope))
    for kind in ("start", "body"):
        coroutine: Any = timed({"type": f"http.response.{kind}", "status": 204, "headers": []})
        with pytest.raises(StopIteration):
            coroutine.send(None)
    assert [what[:2] for what in seen] == [(route, 204)]
    assert 0 <= seen[0][2] < 60


def names_used(text):
    return set(re.findall(r"\blinkwatch_\w+", text))


@pytest.mark.django_db
def test_alerts_and_dashboard_use_existing_metrics(client):
    metrics.count_cleanup("results", 0, 0.1)
    Cursor.objects.create(name="kafka", position=0)
    TargetFactory(next_check_at=database_now())
    result = {"outcome": "failure", "reason": "dns", "latency_ms": 1, "attempts": 1}
    CheckResult.objects.create(target=TargetFactory(), checked_at=database_now(), **result)
    metrics.observe("api", 200, 0.03)
    metrics.flush(redis_client())
    there = {name for name, *_ in scrape(client)}
    alerts = (DEPLOY / "alerts.yml").read_text()
    dashboard = (DEPLOY / "grafana.json").read_text()
    json.loads(dashboard)
    assert names_used(alerts) - there == set()
    assert names_used(dashboard) - there == set()


@pytest.mark.any_database
@pytest.mark.skipif(shutil.which("promtool") is None, reason="Debian's package prometheus")
@pytest.mark.parametrize(
    ("verb", "file"),
    [("check", "alerts.yml"), ("test", "alerts_test.yml"), ("test", "alerts_days_test.yml")],
)
def test_promtool_finds_nothing_wrong_with_the_alerts(verb, file):
    done = subprocess.run(
        ["promtool", verb, "rules", file], cwd=DEPLOY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
