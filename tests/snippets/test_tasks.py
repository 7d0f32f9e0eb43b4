"""Tasks delete expired snippets and invalidate caches after every change."""

import asyncio
import threading
from datetime import timedelta

import pytest
import redis as redis_py
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from linkwatch import asgi
from snippets import services, snippet_cache, tasks
from snippets.models import RemovedSnippet, Snippet, Tag
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.foundation.redis_servers import run
from tests.threads import run_together

HOUR = timedelta(hours=1)


def expired(count, *, since):
    return [
        services.create({"content": "x", "tags": ["a"], "expires_at": since}, now=since - HOUR).pk
        for _ in range(count)
    ]


def test_snippets_that_expired_long_ago_are_reaped_in_batches(db, settings):
    settings.CLEANUP_BUFFER_TIME, settings.CLEANUP_BATCH_SIZE = HOUR, 3
    now = database_now()
    gone = expired(7, since=now - 2 * HOUR)
    kept = [*expired(1, since=now - HOUR / 2), *expired(1, since=now + HOUR), SnippetFactory().pk]

    assert tasks.reap_expired_snippets() == 7

    assert set(Snippet.objects.values_list("pk", flat=True)) == set(kept)
    assert set(RemovedSnippet.objects.values_list("pk", flat=True)) == set(gone)
    assert Tag.objects.count() == 2
    assert tasks.reap_expired_snippets() == 0


def test_reaping_reads_no_content(db):
    expired(3, since=NOW)
    with CaptureQueriesContext(connection) as queries:
        tasks.reap_expired_snippets()
    assert not any('"content"' in query["sql"] for query in queries)


@pytest.mark.django_db(transaction=True)
def test_reaped_snippets_leave_the_cache_and_are_reported_as_deleted(redis, events):
    pk = expired(1, since=NOW)[0]
    del events[:]
    redis.set(f"snippet:{pk}", "x")
    tasks.reap_expired_snippets()
    assert not redis.exists(f"snippet:{pk}")
    assert events == [("delete", pk)]


@pytest.mark.django_db(transaction=True)
def test_two_reapers_and_a_revival_at_once(settings):
    settings.CLEANUP_BATCH_SIZE = 2
    pks = expired(20, since=NOW)
    lucky = pks[10]

    def revive():
        try:
            services.update(lucky, {"expires_at": None}, now=database_now())
        except ApiError as error:  # the change came too late
            return error.code
        return "revived"

    first, second, outcome = run_together(
        [tasks.reap_expired_snippets, tasks.reap_expired_snippets, revive]
    )

    left = 1 if outcome == "revived" else 0
    tasks.reap_expired_snippets()  # the snippets that each had left to the other
    assert outcome in ("revived", "not_found")
    assert Snippet.objects.count() == left
    assert RemovedSnippet.objects.count() == 20 - left
    assert first + second <= 20 - left


@pytest.mark.django_db(transaction=True)
def test_a_lost_invalidation_is_repeated(redis, monkeypatch):
    now = database_now()
    with monkeypatch.context() as lost:
        lost.setattr(snippet_cache, "forget", lambda ids: None)
        changed = services.create({"content": "x"}, now=now).pk
        deleted = services.create({"content": "x"}, now=now - HOUR).pk
        services.delete(deleted, now=now)
    old = SnippetFactory().pk
    for pk in (changed, deleted, old):
        redis.set(f"snippet:{pk}", "old")
        redis.set(f"snippet:{pk}:page", "old")

    assert tasks.repeat_invalidation() == 2

    assert set(redis.keys("snippet:*")) == {
        f"snippet:{old}".encode(),
        f"snippet:{old}:page".encode(),
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("threads")
def test_a_server_repeats_invalidations_that_failed(settings, redis, monkeypatch):
    monkeypatch.setattr(snippet_cache.INVALIDATION, "is_due", threading.Event())
    pk = SnippetFactory().pk
    address, settings.REDIS_URL = settings.REDIS_URL, "redis://127.0.0.1:1/0"
    services.delete(pk, now=database_now())
    settings.REDIS_URL = address
    redis.set(f"snippet:{pk}", "old")

    async def serve():
        async with asyncio.timeout(60), asgi.background_work():
            while redis.exists(f"snippet:{pk}"):  # noqa: ASYNC110 (it tells nobody)
                await asyncio.sleep(0.01)

    run(serve())


def test_old_records_of_removals_are_deleted(db):
    pks = [SnippetFactory().pk for _ in range(2)]
    services.delete(pks[0], now=database_now() - HOUR)
    services.delete(pks[1], now=database_now())
    tasks.repeat_invalidation()
    assert [row.pk for row in RemovedSnippet.objects.all()] == [pks[1]]


def test_the_task_fails_with_an_error_without_redis(db, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    services.create({"content": "x"}, now=database_now())
    with pytest.raises(redis_py.RedisError):
        tasks.repeat_invalidation()


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_change_emits_no_event(events):
    with transaction.atomic():
        services.create({"content": "x"}, now=NOW)
        transaction.set_rollback(True)
    assert events == []
