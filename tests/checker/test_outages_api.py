"""`GET /v1/outages` lists our own network's outages, and hosts have figures of their checks."""

from datetime import timedelta

import pytest

from checker.models import HostTally, Outage, hour_of
from foundation.database.clock import database_now
from tests.hosts.calls import due, ok, refused
from tests.openapi import undescribed

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _names(answer):
    return [item["host"] for item in answer["items"]]


def test_outages_are_paginated_newest_first(api):
    now = database_now()
    for hours in (1, 3, 2):
        began = now - hours * HOUR
        ended = began + timedelta(minutes=hours) if hours > 1 else None
        Outage.objects.create(began_at=began, ended_at=ended, reason="dns", checks=hours)

    response = api.get("/v1/outages?limit=2")
    first = ok(response)
    second = ok(api.get(f"/v1/outages?page_token={first['next_page_token']}"))

    assert undescribed(response, "get", "/v1/outages") == []
    assert [one["checks_set_aside"] for one in first["items"]] == [1, 2]
    assert [one["checks_set_aside"] for one in second["items"]] == [3]
    assert first["items"][0]["ended_at"] is None
    assert second["next_page_token"] is None


def test_hosts_show_the_figures_of_the_last_day(api):
    now = database_now()
    due("bad.example", "well.example")
    HostTally.objects.create(
        hour=hour_of(now), host="bad.example", failures=2, slow=2, slow_ms=5000
    )
    HostTally.objects.create(hour=hour_of(now - 30 * HOUR), host="well.example", failures=9)

    response = api.get("/v1/hosts")
    bad, well = ok(response)["items"]

    assert undescribed(response, "get", "/v1/hosts") == []
    assert bad["last_day"] == {
        "failures": 2,
        "inconclusive": 0,
        "slow": 2,
        "slow_mean_ms": 2500.0,
    }
    assert well["last_day"] == {
        "failures": 0,
        "inconclusive": 0,
        "slow": 0,
        "slow_mean_ms": None,
    }
    assert ok(api.get("/v1/hosts/bad.example"))["last_day"]["failures"] == 2


def test_hosts_are_sorted_by_their_problems_page_by_page(api):
    now = database_now()
    due("a.example", "b.example", "c.example", "d.example")
    for name, failures in [("a.example", 1), ("b.example", 5), ("c.example", 1), ("e.example", 7)]:
        HostTally.objects.create(hour=hour_of(now), host=name, failures=failures)

    first = ok(api.get("/v1/hosts?sort=failures&limit=2"))
    second = ok(api.get(f"/v1/hosts?sort=failures&limit=2&page_token={first['next_page_token']}"))

    assert _names(first) == ["b.example", "a.example"]
    assert _names(second) == ["c.example"]
    assert second["next_page_token"] is None
    assert _names(ok(api.get("/v1/hosts?sort=slow"))) == []
    assert _names(ok(api.get("/v1/hosts?sort=name&state=queued"))) == [
        *("a.example", "b.example", "c.example", "d.example"),
    ]


def test_an_unknown_order_of_hosts_is_refused(api):
    refused(api.get("/v1/hosts?sort=colour"), "invalid")
    refused(api.get("/v1/hosts?sort=failures&page_token=e30"), "invalid_page_token")
    due("a.example", "b.example")
    token = ok(api.get("/v1/hosts?limit=1"))["next_page_token"]
    refused(api.get(f"/v1/hosts?sort=failures&page_token={token}"), "invalid_page_token")
