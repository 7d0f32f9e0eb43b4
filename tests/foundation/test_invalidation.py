"""Repeats cache invalidations that were lost."""

import asyncio
from datetime import timedelta

import pytest
import redis

from foundation.database import thread_pool
from foundation.valkey import invalidation
from foundation.valkey.clients import client
from foundation.valkey.invalidation import MAX_COMMIT_DELAY, Invalidation
from tests.conftest import NOW
from tests.foundation.redis_servers import full_redis, run

pytestmark = pytest.mark.any_database

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _empty_redis():
    client().flushdb()


class ChangedObjects:
    """ChangedObjects with the time of their last change, and a record of invalidations."""

    def __init__(self, changes):
        self.changes = changes
        self.forgotten = []
        self.invalidation = Invalidation(
            "objects", forget=self.forgotten.extend, changed_since=self.changed_since
        )

    def changed_since(self, time):
        return [key for key, at in self.changes.items() if at >= time]


def test_all_changes_since_the_last_run_are_invalidated_again():
    objects = ChangedObjects(
        {"a": NOW, "b": NOW - MAX_COMMIT_DELAY, "c": NOW - MAX_COMMIT_DELAY - MINUTE}
    )
    assert objects.invalidation.repeat(NOW) == 2
    assert objects.forgotten == ["a", "b"]  # c changed too long ago for the first run
    later = NOW + 100 * MINUTE  # as if no task had run meanwhile
    objects.changes["d"] = NOW + MINUTE
    del objects.forgotten[:]
    assert objects.invalidation.repeat(later) == 3
    assert objects.forgotten == ["a", "b", "d"]
    assert objects.invalidation.repeat(later) == 0


def test_the_time_is_stored_after_changes_or_periodically():
    objects = ChangedObjects({})

    def noted():
        return client().get("invalidated:objects")

    objects.invalidation.repeat(NOW)
    first = noted()
    objects.invalidation.repeat(NOW + MINUTE)
    assert noted() == first
    objects.changes["a"] = NOW + MINUTE
    objects.invalidation.repeat(NOW + 2 * MINUTE)
    second = noted()
    assert second > first
    del objects.changes["a"]
    objects.invalidation.repeat(NOW + 13 * MINUTE)
    assert noted() > second


def test_the_time_is_stored_while_redis_is_full():
    objects = ChangedObjects({"a": NOW})
    with full_redis():
        assert objects.invalidation.repeat(NOW) == 1
        assert client().exists("invalidated:objects")


def test_after_an_outage_of_redis_all_changes_since_are_invalidated():
    objects = ChangedObjects({"a": NOW + MINUTE})
    objects.invalidation.repeat(NOW)
    held = client().dump("invalidated:objects")
    objects.invalidation.repeat(NOW + 50 * MINUTE)
    client().restore("invalidated:objects", 0, held, replace=True)
    del objects.forgotten[:]
    objects.invalidation.repeat(NOW + 60 * MINUTE)
    assert objects.forgotten == ["a"]


def test_failed_invalidations_are_not_recorded_as_done(settings):
    objects = ChangedObjects({"a": NOW})

    def refuse(keys):
        raise redis.ConnectionError("away")

    broken = Invalidation("objects", forget=refuse, changed_since=objects.changed_since)
    with pytest.raises(redis.ConnectionError):
        broken.repeat(NOW)
    assert not client().exists("invalidated:objects")
    assert not broken.is_due.is_set()
    with broken.best_effort():
        refuse(["a"])
    assert broken.is_due.is_set()


def test_thousands_of_changes_are_invalidated_in_batches():
    parts = []
    keys = [str(number) for number in range(2500)]
    many = Invalidation("many", forget=parts.append, changed_since=lambda time: keys)
    assert many.repeat(NOW) == 2500
    assert [len(part) for part in parts] == [1000, 1000, 500]


@pytest.mark.django_db(transaction=True)
def test_a_process_repeats_invalidations_that_it_knows_to_be_due(monkeypatch):
    monkeypatch.setattr(invalidation, "PAUSE", 0.005)
    attempts = iter([redis.ConnectionError("away"), OSError("away"), None])
    forgotten = []

    def forget(keys):
        if error := next(attempts, None):
            raise error
        forgotten.extend(keys)

    lost = Invalidation("lost", forget=forget, changed_since=lambda time: ["a"])

    async def heal():
        async with asyncio.timeout(60), lost.healing():
            await asyncio.sleep(0.05)
            assert forgotten == []  # nothing is due
            lost.is_due.set()
            while not forgotten:  # noqa: ASYNC110 (it tells nobody)
                await asyncio.sleep(0.005)

    try:
        run(heal())
    finally:
        thread_pool.close_connections()
    assert forgotten == ["a"]
    assert not lost.is_due.is_set()
