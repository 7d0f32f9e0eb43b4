"""A small Valkey that is full: caches are evicted; counts, streams and locks stay."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest
from redis import OutOfMemoryError

from analytics import counters, stream, view_history
from analytics.models import DailyMetrics, HourlyMetrics
from foundation.valkey import cache_aside, clients, eviction, metrics
from foundation.valkey.cache_aside import CacheHit, CacheStatus, Key
from tests.analytics.events import count_all, put, view, visit

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]

MEMORY = 32 * 1024 * 1024
ENTRY = b"x" * 50_000


@pytest.fixture
def small(redis):
    """The tests' Valkey with the smallest VALKEY_MEMORY, and the policy of the product."""
    used = redis.info("memory")["used_memory"]
    earlier = redis.config_get("maxmemory*")
    redis.config_set("maxmemory", used + MEMORY)
    redis.config_set("maxmemory-policy", "noeviction")
    yield redis
    redis.config_set("maxmemory", earlier["maxmemory"])
    redis.config_set("maxmemory-policy", earlier["maxmemory-policy"])


def fill(redis, prefix):
    """Write keys until the server refuses more; return how many keys there are.

    The limit is then a little below the memory in use, so that shrinking client buffers make no
    room.
    """
    number, size = 0, len(ENTRY)
    while size:
        try:
            redis.set(f"{prefix}{number}", ENTRY[:size])
            number += 1
        except OutOfMemoryError:
            size //= 4  # up to the last bytes
    redis.config_set("maxmemory", redis.info("memory")["used_memory"] - 200_000)
    return number


def read(key, load):
    async def run():
        try:
            return await cache_aside.read(key, load)
        finally:
            await clients.close_async_client()

    return asyncio.run(run())


def is_full(redis):
    try:
        redis.set("probe", b"x" * 1000)
    except OutOfMemoryError:
        return True
    return False


def test_only_cached_entries_are_evicted_for_views(small, produce, caplog):
    put(view("s_a", visitor="v"), view("short:k"))
    count_all()
    locks = {"lock:short:k": b"1", "rl:short:192.0.2.1": b"1", "cached:stats:turn": b"1"}
    for name, value in locks.items():
        small.set(name, value, ex=600)
    counted = {name: small.get(name) for name in small.scan_iter("views:*")}
    cached = fill(small, "short:")
    assert is_full(small)
    caplog.set_level(logging.WARNING)
    produce(lambda: stream.view("s_b", "192.0.2.1", b"agent"))
    count_all()
    assert counters.totals(["s_b"]) == {"s_b": 1}
    assert {name: small.get(name) for name in counted} == counted
    assert {name: small.get(name) for name in locks} == locks
    left = sum(1 for _ in small.scan_iter("short:*"))
    assert 0.5 * cached < left < cached  # a tenth of the memory, or all that was found
    assert not is_full(small)
    assert "cached entries were dropped to make room for views" in caplog.text


def test_if_nothing_can_be_evicted_views_are_dropped_and_reads_continue(small, caplog, monkeypatch):
    put(view("s_a", visitor="v"))
    count_all()
    fill(small, "x:filler:")
    monkeypatch.setattr(stream, "BUFFER_LIMIT", 10)
    for _ in range(25):
        stream.view("s_a", "192.0.2.1", b"agent")
    producer = stream._producer
    for _ in range(3):
        assert not producer._flush()
    assert metrics.totals(small)["events_dropped"] == 15  # visible while it is full
    assert caplog.text.count("Redis is full, and no cached entries are left") == 1
    answer = read(Key("short:k"), lambda: CacheHit(b'{"a":1}'))
    assert (answer.cache, answer.entry) == (CacheStatus.MISS, CacheHit(b'{"a":1}'))
    assert counters.totals(["s_a"]) == {"s_a": 1}

    small.delete(*small.scan_iter("x:filler:*"))
    assert producer._flush()
    count_all()
    assert counters.totals(["s_a"]) == {"s_a": 11}
    assert read(Key("short:k"), lambda: CacheHit(b'{"a":1}')).cache is CacheStatus.MISS
    assert read(Key("short:k"), lambda: CacheHit(b"")).cache is CacheStatus.HIT


def test_the_stream_is_counted_and_saved_while_valkey_is_full(small):
    worker = count_all()
    put(*(view(f"s_{number}", visitor="v", n=3) for number in range(50)))
    fill(small, "x:filler:")
    worker.step()
    assert counters.totals(["s_0", "s_49"]) == {"s_0": 3, "s_49": 3}
    view_history.roll_up(small)
    assert sum(row.views for row in DailyMetrics.objects.all()) == 150
    assert not small.hlen(counters.UNSAVED)


def test_a_worker_starts_and_restores_days_while_valkey_is_full(small):
    count_all()
    late = datetime.now(UTC) - timedelta(days=3)
    DailyMetrics.objects.create(subject="short:k", day=late.date(), views=5)
    HourlyMetrics.objects.create(subject="short:k", day=late.date(), hours=[5] * 24)
    put(visit("short:k", at=late))
    fill(small, "x:filler:")
    count_all()
    assert small.get(f"views:short:k:{late:%Y%m%d}") == b"6"
    assert small.hget(f"hours:short:k:{late:%Y%m%d}", late.hour) == b"6"


def test_a_server_without_a_memory_limit_is_never_full(redis):
    redis.config_set("maxmemory", 0)
    redis.set("short:k", 1)
    assert eviction.make_room(redis) == 0
    assert redis.get("short:k") == b"1"
