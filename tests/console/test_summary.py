"""The dashboard's summary is computed in the background and is the same for every view."""

from datetime import timedelta

import pytest

from analytics import counters, trend
from analytics.stream import short_subject
from checker.models import HostTally, Tally, hour_of
from console.dashboard import summary
from console.dashboard.summary import SUMMARY, compute_summary
from foundation.database.clock import database_now
from foundation.valkey.clients import client
from hosts import reservations, services
from outbox.models import Event
from outbox.relay import number_events
from shortener.models import ShortURL
from targets.state import Outcome, State
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, SnippetFactory, TargetFactory, TransitionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_trend():
    client().delete(trend.KEY, trend.BASE)


def link(key, **fields):
    return ShortURL.objects.create(
        key=key, long_url=f"https://example.org/{key}", created_at=NOW, **fields
    )


def viewed(**counts):
    """Give subjects these view counts; subjects of short links begin with `link_`."""
    client().set(counters.RESTORED, 1)
    for name, views in counts.items():
        subject = short_subject(name.removeprefix("link_")) if name.startswith("link_") else name
        client().set(f"views:{subject}", views)
        client().zadd(trend.KEY, {subject: views})


def test_an_empty_registry_has_a_summary_too():
    found = compute_summary(NOW)
    assert (found["total"], found["per_second"]) == (0, 0.0)
    assert len(found["minutes"]) == summary.MINUTES + 1
    empty = {"changes", "failing", "slow", "trending", "expiring"}
    assert {name for name, value in found.items() if value == []} >= empty


def test_targets_are_counted_by_state():
    TargetFactory.create_batch(2, state=State.ALIVE)
    DeadTargetFactory()
    found = compute_summary(NOW)
    assert found["stats"]["targets"] == {
        "pending": 0,
        "alive": 2,
        "potentially_dead": 0,
        "dead": 1,
    }
    assert found["total"] == 3


def test_the_last_changes_are_newest_first_including_unnumbered_ones():
    for minutes in (3, 1, 2):
        TransitionFactory(at=NOW - timedelta(minutes=minutes))
    number_events()
    TransitionFactory(at=NOW - timedelta(seconds=30))
    ages = [NOW - change["at"] for change in compute_summary(NOW)["changes"]]
    assert ages == [timedelta(seconds=s) for s in (30, 60, 120, 180)]
    assert len(Event.objects.newest(2)) == 2


def test_a_change_outlives_its_target():
    transition = TransitionFactory()
    url = transition.target.url
    Event.objects.update(payload=transition.payload | {"url": url})
    transition.target.delete()
    (change,) = compute_summary(NOW)["changes"]
    assert (change["target"], change["url"]) == (None, url)


def test_rates_are_those_of_the_tallies_with_every_minute_of_the_hour():
    Tally.objects.add([Outcome.SUCCESS] * 9, now=NOW - timedelta(minutes=61))
    Tally.objects.add([Outcome.SUCCESS] * 3, now=NOW - timedelta(minutes=60))
    Tally.objects.add([Outcome.SUCCESS, Outcome.FAILURE], now=NOW - timedelta(minutes=1))
    Tally.objects.add([Outcome.FAILURE, Outcome.INCONCLUSIVE], now=NOW)
    Tally.objects.add([Outcome.SUCCESS] * 2, now=NOW)

    found = compute_summary(NOW + timedelta(seconds=20))

    checks = {
        m["minute"]: (m["checks"], m["failures"], m["inconclusive"])
        for m in found["minutes"]
        if m["checks"]
    }
    assert checks == {
        NOW - timedelta(minutes=60): (3, 0, 0),
        NOW - timedelta(minutes=1): (2, 1, 0),
        NOW: (4, 1, 1),
    }
    assert found["per_second"] == 6 / 80


def test_recent_failures_of_hosts_come_from_the_tallies_of_this_hour_and_the_last():
    hour = hour_of(NOW)
    for host, ago, problems in (
        ("bad.example", 0, {"failures": 2, "inconclusive": 1}),
        ("bad.example", 1, {"failures": 3}),
        ("slow.example", 1, {"slow": 2, "slow_ms": 6000}),
        ("old.example", 2, {"failures": 9, "slow": 9, "slow_ms": 90_000}),
    ):
        HostTally.objects.create(hour=hour - ago * timedelta(hours=1), host=host, **problems)

    found = compute_summary(NOW)

    quiet = {"failures": 0, "inconclusive": 0, "slow": 0, "mean_ms": None}
    assert found["hosts_since"] == hour - timedelta(hours=1)
    assert found["failing"] == [{**quiet, "host": "bad.example", "failures": 5, "inconclusive": 1}]
    assert found["slow"] == [{**quiet, "host": "slow.example", "slow": 2, "mean_ms": 3000.0}]


def test_hosts_in_backoff_are_reported_with_the_reason():
    for name in ("paused.example", "throttled.example", "awake.example"):
        services.change(name, {"delay": timedelta(seconds=1)}, now=NOW)
    services.change("paused.example", {"sleep_until": NOW + timedelta(hours=2)}, now=NOW)
    reservations.back_off("throttled.example", until=NOW + timedelta(hours=1))
    reservations.back_off("awake.example", until=NOW)

    assert compute_summary(NOW)["asleep"] == [
        {"name": name, "is_alias": False, "is_paused": is_paused, "until": NOW + hours}
        for name, is_paused, hours in (
            ("paused.example", True, timedelta(hours=2)),
            ("throttled.example", False, timedelta(hours=1)),
        )
    ]
    services.change("paused.example", {"sleep_until": None}, now=NOW)
    assert [host["name"] for host in compute_summary(NOW)["asleep"]] == ["throttled.example"]


def test_trending_items_have_title_and_views_and_expired_ones_are_left_out():
    popular, expired = SnippetFactory(title="<b>"), SnippetFactory(expires_at=NOW)
    link("gone-by", expires_at=NOW)
    link("key-1")
    viewed(**{popular.id: 7, expired.id: 8, "link_gone-by": 9, "link_key-1": 3})
    assert compute_summary(NOW)["trending"] == [
        {
            "id": popular.id,
            "title": "<b>",
            "address": f"/snippets/{popular.id}",
            "is_link": False,
            "views": 7,
        },
        {
            "id": "key-1",
            "title": "https://example.org/key-1",
            "address": "/s/key-1+",
            "is_link": True,
            "views": 3,
        },
    ]


def test_popular_unlisted_snippets_leave_room_for_what_may_be_shown():
    hidden = [SnippetFactory(visibility="unlisted") for _ in range(2 * summary.MAX_TRENDING)]
    link("key-1")
    viewed(**{snippet.id: 9 for snippet in hidden}, **{"link_key-1": 3})
    assert [item["id"] for item in compute_summary(NOW)["trending"]] == ["key-1"]


def test_links_that_expire_soon_are_sorted_by_expiry():
    for key, days in (("later", 6), ("soon", 1), ("far", 8), ("over", -1)):
        link(key, expires_at=NOW + timedelta(days=days))
    link("off", expires_at=NOW + timedelta(days=2), disabled=True)
    link("for-ever")
    assert [one["key"] for one in compute_summary(NOW)["expiring"]] == ["soon", "later"]


def test_without_redis_only_data_from_redis_is_missing(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    DeadTargetFactory()
    found = compute_summary(NOW)
    assert found["trending"] is None
    assert found["stats"]["targets"]["dead"] == 1


def test_the_summary_needs_no_more_statements_for_more_rows(django_assert_max_num_queries):
    """The number depends on what the process has kept for seconds: 38 to 60."""
    for target in TargetFactory.create_batch(60):
        TransitionFactory(target=target)
        HostTally.objects.create(hour=hour_of(database_now()), host=target.host, failures=1)
    with django_assert_max_num_queries(65):
        compute_summary(database_now())


def test_a_stored_summary_equals_the_computed_one():
    link("soon", expires_at=database_now() + timedelta(days=1))
    TransitionFactory(at=database_now())
    copy = SUMMARY.get()
    assert copy.value["changes"][0]["at"] == Event.objects.get().at
    assert copy.value["expiring"][0]["at"] == ShortURL.objects.get().expires_at
    assert SUMMARY.peek() == copy
