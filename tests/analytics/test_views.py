"""Metrics over HTTP."""

import time
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest
import redis as redis_py
from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate

from analytics import consumer_group, serializers, trend
from analytics import metrics as stream_metrics
from analytics.models import DailyMetrics
from analytics.stream import STREAM, ViewEventKind
from analytics.views import TrendingView
from foundation.valkey import metrics
from status import health
from tests.analytics.events import count_all, event, put, view, worker

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


@pytest.fixture
def redis_away(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"


def test_many_hidden_subjects_take_few_queries(redis, operator):
    redis.zadd(trend.KEY, {f"s_{number}": number for number in range(2_000)})
    questions = []

    def hidden(subjects):
        questions.append(subjects)
        return set(subjects) - {"s_0"}

    request = APIRequestFactory().get("/v1/trending?limit=1")
    force_authenticate(request, operator)
    items = TrendingView.as_view(hidden=hidden)(request).data["items"]
    assert [item["subject"] for item in items] == ["s_0"]
    assert len(questions) < 10


def test_trending_shows_the_highest_first(redis, api):
    assert api.get("/v1/trending").json() == {"items": []}
    put(view("s_a"), view("short:k"), view("s_a"))
    count_all()
    items = api.get("/v1/trending").json()["items"]
    assert [(item["subject"], item["views"]) for item in items] == [("s_a", 2), ("short:k", 1)]
    assert items[0]["trend_score"] == pytest.approx(2, abs=0.01)
    assert len(api.get("/v1/trending?limit=1").json()["items"]) == 1
    assert api.get("/v1/trending?limit=0").status_code == 400
    assert api.get("/v1/trending?other=1").status_code == 400


def test_metrics_include_the_documented_figures(redis, api):
    metrics.count("cache_hits", 3)
    metrics.count("cache_misses", 2)
    metrics.count("cache_warm", 1)
    metrics.count("rate_limit_denials")
    metrics.set_gauge("websocket_clients", 4)
    metrics.flush(redis)
    put(view("s_a"), event(ViewEventKind.CREATE, "s_b"))
    redis.xadd(STREAM, {"no": "event"})
    one = count_all()
    put(view("s_a", n=20), view("s_a"))
    consumer_group.read(redis, one.consumer, limit=1, wait=10)

    found = api.get("/v1/metrics").json()

    assert found.pop("oldest_pending_seconds") >= 0
    assert found.pop("worker_latency_seconds") >= 0
    assert found == {
        "cache_hits": 3,
        "cache_misses": 2,
        "cache_warm": 1,
        "rate_limit_denials": 1,
        "events_counted": {"view": 1, "create": 1, "update": 0, "delete": 0},
        "events_dropped": 0,
        "events_lost": 0,
        "adds_failed": 0,
        "gone_pages": 0,
        "scan_references_ended": 0,
        "icon_requests": 0,
        "archive_requests": 0,
        "archive_failures": 0,
        "repaired_references": 0,
        "repairs_undone": 0,
        "copies_found": 0,
        "pages_offered": 0,
        "pages_saved": 0,
        "events_waiting": 20,  # 21 minus the one that was not announced
        "stream_length": 5,
        "stream_pending": 1,
        "stream_backlog": 2,
        "workers": 1,
        "dead_letters": 1,
        "websocket_clients": 4,
    }


def test_metrics_of_a_fresh_deployment_are_all_zero_or_unknown(redis, api):
    found = api.get("/v1/metrics").json()
    assert found["oldest_pending_seconds"] is None
    assert found["worker_latency_seconds"] is None
    assert found["stream_backlog"] == 0


def test_metrics_require_a_right(redis, django_user_model):
    client = APIClient()
    for path in ("/v1/metrics", "/v1/trending"):
        assert client.get(path).status_code == 401
    client.force_authenticate(django_user_model.objects.create_user("anybody"))
    for path in ("/v1/metrics", "/v1/trending"):
        assert client.get(path).status_code == 403


@pytest.mark.usefixtures("redis_away")
def test_metrics_show_that_redis_is_unavailable(api):
    for path in ("/v1/metrics", "/v1/trending", "/metrics"):
        response = api.get(path)
        assert (response.status_code, response.json()["code"]) == (503, "unavailable")
        assert int(response["Retry-After"]) >= 1


def test_prometheus_reads_the_same_metrics(redis, client):
    metrics.count("cache_hits", 3)
    metrics.flush(redis)
    put(view("s_a"))
    count_all()
    response = client.get("/metrics", headers={"Accept": "application/openmetrics-text"})
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    lines = response.content.decode().splitlines()
    assert "linkwatch_cache_hits_total 3.0" in lines
    assert 'linkwatch_events_total{kind="view"} 1.0' in lines
    assert "linkwatch_stream_backlog 0.0" in lines
    assert "linkwatch_oldest_pending_seconds 0.0" in lines
    assert "linkwatch_event_latency_seconds_count 1.0" in lines


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.0.2.1"}, 401),
        ({"REMOTE_ADDR": ""}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=192.0.2.1"}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_HOST": "links.example"}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_PROTO": "https"}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_ACCEPT": "text/plain"}, 200),
    ],
)
def test_prometheus_may_scrape_from_this_machine_or_with_a_token(redis, meta, expected, api):
    response = APIClient().get("/metrics", **meta)
    assert response.status_code == expected
    if expected == 401:
        assert response.json()["code"] == "not_authenticated"
    assert api.get("/metrics", **meta).status_code == 200


def test_prometheus_needs_a_token_where_a_proxy_may_be_in_front(redis, settings, api):
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.0/8")]
    assert APIClient().get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 401
    assert api.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 200


@pytest.fixture
def running_for_long(monkeypatch):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic() - 1000)


def analytics_health(client):
    return client.get("/v1/health").json()["dependencies"]["analytics"]


@pytest.mark.usefixtures("running_for_long")
def test_health_is_down_without_a_worker_even_without_events(redis, client):
    assert analytics_health(client) == "down"
    one = worker()
    consumer_group.read(redis, one.consumer, limit=1, wait=1)
    assert analytics_health(client) == "ok"
    consumer_group.forget_consumers(redis, leaving_consumer=one.consumer)
    assert analytics_health(client) == "down"


def test_workers_have_a_minute_to_register(redis, client, monkeypatch):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic())
    assert analytics_health(client) == "ok"


@pytest.mark.parametrize("is_read", [False, True])
def test_health_is_down_while_an_old_event_is_not_counted(redis, client, is_read, monkeypatch):
    monkeypatch.setattr(consumer_group, "CLAIM_AFTER", 0)
    an_hour_ago = int(time.time() * 1000) - 3_600_000
    redis.xadd(STREAM, {"kind": "view"}, id=f"{an_hour_ago}-0")
    assert analytics_health(client) == "down"
    one = worker()
    if is_read:
        consumer_group.read(redis, one.consumer, limit=1, wait=1)
    assert analytics_health(client) == "down"
    one.do_housekeeping()
    count_all()
    assert analytics_health(client) == "ok"


def test_health_is_down_without_redis(client, settings, monkeypatch):
    def refuse(client, *, starting):
        raise redis_py.ConnectionError

    monkeypatch.setattr(stream_metrics, "check", refuse)
    assert analytics_health(client) == "down"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ("2026-01-31", "2026-03-01")),
        ("from=2026-02-27", ("2026-02-27", "2026-03-01")),
        ("to=2026-02-01", ("2026-01-03", "2026-02-01")),
        ("from=2025-02-01&to=2025-02-01", ("2025-02-01", "2025-02-01")),
        ("to=0001-01-01", ("0001-01-01", "0001-01-01")),
    ],
)
def test_a_report_has_the_requested_days(query, expected, now):
    days = serializers.DaysQuery(data=QueryDict(query).dict()).days(now)
    assert tuple(day.isoformat() for day in days) == expected


@pytest.mark.parametrize(
    "query", ["from=2026-03-02", "from=2024-01-01", "from=soon", "day=2026-03-01"]
)
def test_impossible_days_are_refused(query, now):
    with pytest.raises(ValidationError):
        serializers.DaysQuery(data=QueryDict(query).dict()).days(now)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ("2026-01-31", "2026-03-01")),
        ("by=hour", ("2026-02-28", "2026-03-01")),
        ("by=hour&from=2026-02-22", ("2026-02-22", "2026-03-01")),
        ("by=month", ("2025-04-01", "2026-03-01")),
        ("by=month&from=2026-01-17&to=2026-02-02", ("2026-01-01", "2026-02-02")),
        ("by=month&to=0001-05-05", ("0001-01-01", "0001-05-05")),
    ],
)
def test_visits_by_hour_or_month_have_the_requested_days(query, expected, now):
    days = serializers.VisitsQuery(data=QueryDict(query).dict()).days(now)
    assert tuple(day.isoformat() for day in days) == expected


@pytest.mark.parametrize("query", ["by=hour&from=2026-02-21", "by=year", "by=", "by=hour&to=soon"])
def test_impossible_days_of_visits_are_refused(query, now):
    with pytest.raises(ValidationError):
        serializers.VisitsQuery(data=QueryDict(query).dict()).days(now)


def test_a_report_is_shown_under_its_public_id(redis, rf, now):
    from rest_framework.request import Request

    from analytics.views import show_view_metrics

    put(view("short:k", at=datetime.now(UTC), visitor="v"))
    count_all()
    request = Request(rf.get("/"))
    found = show_view_metrics(request, subject="short:k", id_="k", now=datetime.now(UTC)).data
    assert (found["id"], found["views"], found["uniques_estimate"]) == ("k", 1, 1)
    assert len(found["daily"]) == 30
    assert found["daily"][-1]["views"] == 1


def test_operators_can_only_read_the_history(redis, client, operator, now):
    DailyMetrics.objects.create(subject="s_a", day=now.date(), views=3)
    DailyMetrics.objects.create(subject="short:other", day=now.date(), views=4)
    client.force_login(operator)
    page = "/admin/analytics/dailymetrics/"
    found = client.get(page, {"q": "s_a"}).content
    assert b"s_a" in found
    assert b"short:other" not in found
    assert client.get(f"{page}add/").status_code == 403
