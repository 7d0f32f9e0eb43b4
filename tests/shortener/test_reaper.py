"""One reaper; test_races.py has several reapers and kill -9."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from redis import ConnectionError as RedisConnectionError

from analytics import counters
from analytics.models import DailyMetrics
from analytics.stream import short_subject
from analytics.tasks import save_history
from foundation.database.clock import database_now
from foundation.valkey.clients import client
from hosts.models import Host
from linkwatch.schedules import jobs
from shortener import reaper, reaper_runs, services, tasks
from shortener.models import CleanupRun, CleanupTotals, EndedLink, RetiredKey, ShortURL, Tag
from targets import services as targets
from targets.models import Reference, Target
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = pytest.mark.django_db
LONG = timedelta(minutes=5)


def reap(**options):
    return reaper.run(now=database_now(), budget=LONG, should_stop=lambda: False, **options)


def expired(count=1, *, ago=2 * HOUR, **fields):
    """Create links that expired this long ago, one after another."""
    first = database_now() - ago
    return [
        ShortURLFactory(expires_at=first + timedelta(microseconds=n), **fields)
        for n in range(count)
    ]


def expire(link):
    ShortURL.objects.filter(pk=link.pk).update(expires_at=database_now() - 2 * HOUR)


def keys():
    return set(ShortURL.objects.values_list("key", flat=True))


def test_only_links_that_expired_before_the_buffer_are_deleted(settings):
    settings.CLEANUP_BUFFER_TIME = HOUR
    kept = {
        *(link.key for link in expired(ago=HOUR - timedelta(minutes=10))),
        ShortURLFactory(expires_at=database_now() + HOUR).key,
        ShortURLFactory().key,
    }
    gone = expired(ago=HOUR + timedelta(seconds=1))[0]
    Tag.objects.create(short_url=gone, name="x", created_at=gone.created_at)
    assert reap().deleted == 1
    assert keys() == kept
    assert not Tag.objects.exists()
    retired = RetiredKey.objects.get()
    assert (retired.key, retired.reason) == (gone.key, "expired")


def test_batches_are_of_the_size_that_is_set(settings):
    settings.CLEANUP_BATCH_SIZE = 4
    expired(10)
    run = reap()
    assert (run.deleted, run.last_batch, run.error) == (10, 2, "")
    assert RetiredKey.objects.count() == 10


def test_reaped_links_are_kept_with_destination_owner_and_visits():
    """Links that people deleted are not kept."""
    ada = User.objects.create_user("ada")
    plain = expired(owner=ada, earlier_visits=3, long_url="https://example.com/\u00fc?q=1#f")[0]
    limited = expired(max_visits=10, visits_left=4)[0]
    watched = make(watch=True)
    expire(watched)
    deleted = make(key="mine")
    services.delete(deleted.key, now=database_now())
    client().mset({counters.RESTORED: 1, f"views:{short_subject(plain.key)}": 4})

    assert reap().deleted == 3

    kept = EndedLink.objects.in_bulk()
    assert kept.keys() == {plain.key, limited.key, watched.key}
    assert (kept[plain.key].visits, kept[limited.key].visits) == (7, 6)
    row = kept[plain.key]
    assert (row.long_url, row.owner) == ("https://example.com/\u00fc?q=1#f", ada)
    assert (row.created_at, row.expires_at) == (plain.created_at, plain.expires_at)


def test_visits_of_reaped_links_come_from_the_history_until_the_counts_are_restored(redis):
    links = [expired(earlier_visits=3)[0], make(watch=True)]
    expire(links[1])
    for link in links:
        subject = short_subject(link.key)
        DailyMetrics.objects.create(subject=subject, day=link.created_at.date(), views=1234)
    redis.flushall()

    assert reap().deleted == 2

    kept = EndedLink.objects.in_bulk()
    assert [kept[link.key].visits for link in links] == [1237, 1234]


def test_ended_links_are_deleted_after_their_retention_and_with_the_account(settings):
    ada, bob = User.objects.create_user("ada"), User.objects.create_user("bob")
    expired(owner=ada)
    expired(owner=bob)
    (old,) = expired()
    reap()
    EndedLink.objects.filter(pk=old.pk).update(ended_at=database_now() - timedelta(days=366))

    assert tasks.delete_old_ended_links() == 1
    ada.delete()
    assert {row.owner for row in EndedLink.objects.all()} == {bob}
    # As a process does that doesn't know the table.
    User.objects.filter(pk=bob.pk)._raw_delete("default")
    assert tasks.delete_old_ended_links() == 1
    assert not EndedLink.objects.exists()


def test_ended_links_are_not_kept_if_disabled(settings):
    expired()
    reap()
    settings.ENDED_LINKS_RETENTION = None
    expired()
    assert reap().deleted == 1
    assert tasks.delete_old_ended_links() == 1
    assert not EndedLink.objects.exists()


def test_an_account_that_owned_only_ended_links_can_be_deleted_in_the_admin(admin_client):
    bob = User.objects.create_user("bob")
    expired(owner=bob)
    reap()
    address = reverse("admin:auth_user_delete", args=[bob.pk])
    assert admin_client.post(address, {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=bob.pk).exists()
    assert not EndedLink.objects.exists()


def test_a_batch_of_any_size_needs_the_same_number_of_statements(settings):
    def statements(count):
        expired(count, disabled=True)
        with CaptureQueriesContext(connection) as captured:
            assert reap().deleted == count
        return len(captured)

    settings.CLEANUP_BATCH_SIZE = 100
    assert statements(3) == statements(99)


def test_links_that_expired_at_the_same_instant_are_all_deleted(settings):
    settings.CLEANUP_BATCH_SIZE = 3
    at = database_now() - 2 * HOUR
    for _ in range(10):
        ShortURLFactory(expires_at=at)
    assert reap().deleted == 10


def test_a_reaped_key_is_never_reused(api):
    link = make(key="abc", ttl="1h")
    expire(link)
    reap()
    response = api.post("/v1/urls", {"long_url": "https://b.example", "key": "abc"})
    assert response.json()["code"] == "key_taken"
    assert api.get("/v1/urls/abc").json()["code"] == "expired"


def test_an_already_retired_key_does_not_stop_the_reaper():
    """No link should have such a key, but if one has, the reaper deletes it."""
    link, *_ = expired(3)
    RetiredKey.objects.create(key=link.key, reason="deleted", retired_at=link.created_at)
    EndedLink.objects.create(
        key=link.key,
        long_url=link.long_url,
        visits=0,
        **dict.fromkeys(("created_at", "expires_at", "ended_at"), link.created_at),
    )
    assert (reap().deleted, keys()) == (3, set())
    assert RetiredKey.objects.count() == 3


def test_the_reaper_stops_between_two_batches_on_a_stop(settings):
    settings.CLEANUP_BATCH_SIZE = 2
    expired(5)
    run = reaper.run(now=database_now(), budget=LONG, should_stop=lambda: True)
    assert (run.deleted, run.finished_at is not None, run.error) == (2, True, "")


def test_the_reaper_stops_when_its_time_is_up(settings):
    settings.CLEANUP_BATCH_SIZE = 2
    expired(5)
    run = reaper.run(now=database_now(), budget=timedelta(0), should_stop=lambda: False)
    assert (run.deleted, run.error) == (2, "")


def test_a_batch_that_fails_is_a_failed_run_and_the_next_run_continues(settings, monkeypatch):
    settings.CLEANUP_BATCH_SIZE = 2
    expired(5)
    beat, calls = reaper_runs.beat, []

    def fail_once(*args):
        calls.append(args)
        beat(*args)
        if len(calls) == 2:
            raise DatabaseError("disk on fire")

    monkeypatch.setattr(reaper_runs, "beat", fail_once)
    failed = reap()
    assert (failed.deleted, failed.error) == (2, "DatabaseError: disk on fire")
    assert len(keys()) == 3
    assert RetiredKey.objects.count() == 2
    assert reap().deleted == 3
    stats = reaper_runs.stats(database_now())
    assert (stats.total_cleaned, stats.successful_runs, stats.failed_runs) == (5, 1, 1)


def test_the_counts_of_a_batch_reaped_during_an_outage_of_redis_are_deleted_by_the_next_run(
    redis, settings, monkeypatch
):
    settings.CLEANUP_BATCH_SIZE = 1
    first, second = expired(2)
    subject = short_subject(first.key)
    DailyMetrics.objects.create(subject=subject, day=first.created_at.date(), views=3)
    redis.mset({counters.RESTORED: 1, f"views:{subject}": 3})

    def fail(*_):
        raise RedisConnectionError("refused")

    with monkeypatch.context() as outage:
        outage.setattr(counters, "forget", fail)
        assert [reap().error for _ in range(2)] == ["ConnectionError: refused"] * 2
        assert keys() == {second.key}  # the second run deletes no more links
    assert (reap().deleted, keys()) == (1, set())
    assert not redis.exists(f"views:{subject}")
    save_history()
    assert not DailyMetrics.objects.exists()


def test_only_the_runs_that_failed_since_the_last_success_are_repaired():
    now = database_now()
    killed = reaper_runs.begin(now)
    reaper_runs.beat(killed, 7, now)
    second = reaper_runs.begin(now + reaper_runs.LEASE / 2)
    assert reaper_runs.first_failure(second) is None  # the first run may still be alive
    reaper_runs.end(second, now + reaper_runs.LEASE / 2)
    third = reaper_runs.begin(now + HOUR)
    assert reaper_runs.first_failure(third) == now
    reaper_runs.end(third, now + HOUR)
    assert reaper_runs.first_failure(reaper_runs.begin(now + 2 * HOUR)) is None


def test_watched_destinations_are_unregistered_and_deleted_with_the_last_reference():
    alone = make(watch=True, long_url="https://alone.example")
    first = make(watch=True, long_url="https://shared.example")
    second = make(watch=True, long_url="https://shared.example/")
    for link in (alone, first):
        expire(link)
    assert reap().deleted == 2
    assert [target.host for target in Target.objects.all()] == ["shared.example"]
    assert Reference.objects.get().object_id == services.reference_id(second.key)
    assert Host.objects.get(name="alone.example").check_at is None
    assert Host.objects.get(name="shared.example").check_at is not None
    second.refresh_from_db()
    assert second.target is not None


def test_a_pinned_destination_stays():
    link = make(watch=True)
    Target.objects.update(pinned=True)
    expire(link)
    reap()
    assert Target.objects.exists()
    assert not Reference.objects.exists()


def test_a_watched_link_revived_during_reaping_stays_watched(monkeypatch):
    link = make(watch=True, ttl="1h")
    expire(link)
    unregister_all = targets.unregister_all

    def revive_first(*args, **options):
        ShortURL.objects.filter(pk=link.pk).update(expires_at=None)
        monkeypatch.undo()
        unregister_all(*args, **options)

    monkeypatch.setattr(targets, "unregister_all", revive_first)
    assert "StartOverError" in reap().error  # nothing can restart within a test's transaction
    assert keys() == {link.key}
    assert Reference.objects.exists()


def test_a_failure_with_watched_links_delays_no_others(monkeypatch):
    expire(make(watch=True))
    expired(3)

    def fail(*args, **options):
        raise DatabaseError("no")

    monkeypatch.setattr(targets, "unregister_all", fail)
    run = reap()
    assert (run.deleted, run.error) == (3, "DatabaseError: no")


def test_stats_have_the_specified_fields(api, settings):
    settings.CLEANUP_BATCH_SIZE = 2
    address = "/api/admin/cleanup/stats"
    assert api.get(address).json() == {
        "last_cleanup_time": None,
        "total_cleaned": 0,
        "last_batch_size": 0,
        "successful_runs": 0,
        "failed_runs": 0,
        "average_cleanup_ms": 0.0,
        "is_running": False,
    }
    expired(5)
    assert tasks.reap_expired_urls() == 5
    tasks.reap_expired_urls()
    body = api.get(address).json()
    assert body.pop("last_cleanup_time") is not None
    assert body.pop("average_cleanup_ms") > 0
    assert body == {
        "total_cleaned": 5,
        "last_batch_size": 1,
        "successful_runs": 2,
        "failed_runs": 0,
        "is_running": False,
    }


def test_a_run_without_a_heartbeat_has_failed():
    begun = database_now()
    run = reaper_runs.begin(begun)
    reaper_runs.beat(run, 7, begun)
    stats = reaper_runs.stats(begun + reaper_runs.LEASE - timedelta(seconds=1))
    assert (stats.is_running, stats.failed_runs, stats.total_cleaned) == (True, 0, 7)
    stats = reaper_runs.stats(begun + reaper_runs.LEASE)
    assert (stats.is_running, stats.failed_runs, stats.total_cleaned) == (False, 1, 7)


def test_old_runs_are_folded_into_their_sums(monkeypatch):
    monkeypatch.setattr(reaper_runs, "KEPT_RUNS", 3)
    now = database_now()
    for number in range(10):
        run = reaper_runs.begin(now)
        reaper_runs.beat(run, 10, now)
        if number != 2:  # that one was killed
            reaper_runs.end(run, now + timedelta(milliseconds=20), error="x" if number == 3 else "")
        now += HOUR
    reaper_runs.fold(now)
    assert CleanupRun.objects.count() == 3
    assert CleanupTotals.objects.get().failed_runs == 2
    stats = reaper_runs.stats(now)
    assert (stats.total_cleaned, stats.successful_runs, stats.failed_runs) == (100, 8, 2)
    assert stats.average_cleanup_ms == 20.0
    assert not stats.is_running


def test_the_command_counts_or_reaps(capsys, monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)
    expired(3)
    expired(2, ago=HOUR / 2)
    call_command("reap_expired", "--dry-run")
    assert capsys.readouterr().out == "to be deleted: 3; expired within the last hour: 2\n"
    assert len(keys()) == 5
    call_command("reap_expired")
    assert capsys.readouterr().out == "deleted 3\n"
    assert len(keys()) == 2


def test_the_schedule_follows_the_settings(settings):
    settings.CLEANUP_INTERVAL = timedelta(seconds=90)
    assert [job.minutes for job in jobs() if "reap_expired_urls" in job.function] == [2]
    settings.CLEANUP_ENABLED = False
    assert not [job for job in jobs() if "reap_expired_urls" in job.function]
