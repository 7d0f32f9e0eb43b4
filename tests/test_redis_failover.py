"""Sentinels replace a dead master: every client follows, and no stale data is served."""

import asyncio
import signal
import threading
from contextlib import contextmanager

import pytest
import redis
from django.core.cache import caches
from django.db import connections

from analytics import live_counts, stream
from analytics.worker import Worker
from foundation.breaker import Breaker
from foundation.database import thread_pool
from foundation.database.clock import database_now
from foundation.valkey import changes, clients, scripts
from foundation.valkey.cache_aside import Gone
from foundation.valkey.scripts import Script
from linkwatch.settings import cache_settings
from shortener import link_cache, local_cache, services
from shortener.local_cache import LocalCache
from status.health import state_of
from tests.foundation.redis_servers import Mortal, run
from tests.foundation.sentinels import servers
from tests.shortener.links import make

pytestmark = [pytest.mark.any_database, pytest.mark.django_db(transaction=True)]

PATIENCE = 60.0  # seconds for operations that take some
NUMBER = Script("return redis.call('INCR', KEYS[1])")


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    with servers(tmp_path_factory.mktemp("sentinels")) as found:
        yield found


@pytest.fixture
def cluster(watched, settings, monkeypatch):
    """Servers whose master may be killed, as this deployment's Redis."""
    monkeypatch.setattr(clients, "TIMEOUT", 1.5)  # one of these servers hangs
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    monkeypatch.setattr(changes, "BREAKER", Breaker())
    monkeypatch.setattr(link_cache, "LOCAL_CACHE", LocalCache())
    settings.REDIS_URL = watched.url
    settings.CACHES = cache_settings(watched.url)
    clients.client().flushdb()
    yield watched
    thread_pool.close_connections()
    watched.bring_back()


async def soon(ask):
    """Return the result of `ask` in a thread, once it succeeds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                if found := await asyncio.to_thread(ask):
                    return found
            except redis.RedisError:
                pass
            await asyncio.sleep(0.02)


async def soon_here(ask):
    """Return the result of a coroutine function, once it succeeds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await ask()
            except redis.RedisError:
                await asyncio.sleep(0.02)


@contextmanager
def counting():
    """Count views in a thread, as `run_analytics` does."""
    ended = threading.Event()

    def count():
        Worker(should_stop=ended.is_set).run()
        connections.close_all()

    thread = threading.Thread(target=count)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def views(subject):
    return int(clients.client().get(f"views:{subject}") or 0)


def test_every_client_switches_when_the_master_hangs(cluster):
    def remember():
        cache = caches.create_connection("default")
        cache.set("a", "b")
        return cache.get("a") == "b"

    def view(subject):
        stream.view(subject, "192.0.2.1", b"")

    async def each_works(subject):
        with changes.changes_subscription().follow(subject) as follower:
            view(subject)
            *done, number = await asyncio.gather(
                soon(lambda: clients.client().set("x", 1)),
                soon(remember),
                soon_here(lambda: clients.async_client().set("x", 1)),
                soon_here(lambda: NUMBER.run(["n"])),
            )
            assert (done, number) == ([True] * 3, 1)
            assert await soon(lambda: views(subject))
            async with asyncio.timeout(PATIENCE):
                while not follower.changed.is_set():
                    changes.announce([subject])
                    await asyncio.sleep(0.1)
        assert scripts.BREAKER.is_closed

    async def scenario():
        async with link_cache.listening(), changes.listening(), stream.producing():
            with counting():
                await each_works("s_1")
                await asyncio.to_thread(clients.client().delete, "n")
                assert await asyncio.to_thread(state_of, "sentinels") == "ok"
                await asyncio.to_thread(lambda: cluster.fail_over(by=signal.SIGSTOP))
                await each_works("s_2")
                assert await soon(lambda: state_of("sentinels") == "down"), "no replica"

    run(scenario())


def test_a_late_answer_is_not_given_to_another_call(watched):
    one = clients.client_of(f"{watched.url}&socket_timeout=1")
    one.set("b", "2")
    with pytest.raises(redis.TimeoutError):
        one.blpop(["nothing"], timeout=1.5)

    assert one.get("b") == b"2"


@pytest.mark.release
def test_data_that_the_new_master_lacks_is_not_served(cluster):
    make(key="abc")

    async def outcome():
        return await soon_here(lambda: link_cache.follow("abc"))

    async def scenario():
        async with link_cache.listening():
            assert isinstance(await outcome(), link_cache.LinkRedirect)
            await asyncio.to_thread(cluster.cut_off_replica)
            await asyncio.to_thread(lambda: services.delete("abc", now=database_now()))
            assert isinstance(await outcome(), Gone)
            await asyncio.to_thread(lambda: cluster.fail_over(by=signal.SIGKILL))
            held = await asyncio.to_thread(cluster.server(cluster.ports[0]).get, "short:abc")
            assert b"a.example" in held, "the replica has not heard of it"
            outcomes, is_read = set(), False
            while not is_read:
                link_cache.LOCAL_CACHE.clear()
                outcomes.add(type(await outcome()))
                is_read = scripts.BREAKER.is_closed
                await asyncio.sleep(0)
            assert outcomes == {Gone}

    run(scenario())


@pytest.mark.release
def test_data_of_a_redis_that_died_is_not_used_afterwards(settings, monkeypatch):
    """Redis is killed and comes back empty, and messages published meanwhile are lost."""
    monkeypatch.setattr(link_cache, "LOCAL_CACHE", LocalCache())
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=0.05))
    monkeypatch.setattr(local_cache, "LIFE", 3600 * 10**9)
    make(key="abc")

    async def until_true(look):
        async with asyncio.timeout(PATIENCE):
            while not look():  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)

    async def scenario():
        hub, changes_subscription = live_counts.hub(), changes.changes_subscription()
        async with link_cache.listening(), changes.listening(), live_counts.feeding_hub():
            with hub.client() as viewer, changes_subscription.follow("host:a.example") as follower:
                await until_true(lambda: not changes_subscription.is_disconnected)
                hub.watch(viewer, ["s_1"])
                while not viewer.pending:  # a message published before the subscription is lost
                    server.client().publish("x:totals", '{"s_1": 7}')
                    await asyncio.sleep(0.01)
                assert await viewer.next_values() == {"s_1": 7}
                link = await soon_here(lambda: link_cache.follow("abc"))
                assert isinstance(link, link_cache.LinkRedirect)
                follower.changed.clear()
                server.kill()
                await until_true(lambda: changes_subscription.is_disconnected)
                assert follower.changed.is_set()  # from now on it looks for itself
                follower.changed.clear()
                await asyncio.to_thread(lambda: services.delete("abc", now=database_now()))
                # A change by another process, whose message was sent and not received.
                link_cache.LOCAL_CACHE.keep(
                    "b", link, generation=link_cache.LOCAL_CACHE.generation, until=None
                )
                server.start()
                await until_true(lambda: not changes_subscription.is_disconnected)
                assert follower.changed.is_set()
                await until_true(lambda: not len(link_cache.LOCAL_CACHE))
                assert await viewer.next_values() == {"s_1": 0}  # as the empty one has it
                assert isinstance(await soon_here(lambda: link_cache.follow("abc")), Gone)

    with Mortal() as server:
        settings.REDIS_URL = server.url
        run(scenario())
    thread_pool.close_connections()
