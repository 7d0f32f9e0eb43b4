"""Processes publish changes to each other, and repeat later what was not published."""

import asyncio

import pytest

from foundation.database import thread_pool
from foundation.database.clock import database_now
from foundation.valkey import pubsub
from shortener import link_cache, services, tasks
from tests.foundation.redis_servers import run
from tests.shortener.asking import ask, asked
from tests.shortener.links import HOUR, make

pytestmark = pytest.mark.usefixtures("threads", "visits", "patient")
pure = pytest.mark.any_database


@pure
def test_messages_drop_keys_and_every_subscription_clears_all():
    for key in ("abc", "abd", "abe"):
        make(key=key)
        ask(f"/s/{key}")
    link_cache.drop(b"abc abd nothing")
    assert link_cache.LOCAL_CACHE.get("abc") is None
    assert link_cache.LOCAL_CACHE.get("abe") is not None
    asyncio.run(link_cache.drop_all())
    assert len(link_cache.LOCAL_CACHE) == 0


@pure
def test_a_lost_subscription_is_renewed_and_clears_the_cache(redis, monkeypatch):
    monkeypatch.setattr(pubsub, "PAUSE", 0.01)
    make(key="abc")

    async def listened():
        async with link_cache.listening():
            await until_true(lambda: redis.pubsub_numsub(link_cache.CHANNEL)[0][1] == 1)
            while not len(link_cache.LOCAL_CACHE):  # the subscription clears it on its own schedule
                await asked("/s/abc")
            redis.client_kill_filter(_type="pubsub")
            await until_true(lambda: len(link_cache.LOCAL_CACHE) == 0)
            await until_true(lambda: redis.pubsub_numsub(link_cache.CHANNEL)[0][1] == 1)
            while not len(link_cache.LOCAL_CACHE):
                await asked("/s/abc")
            redis.publish(link_cache.CHANNEL, "abc")
            await until_true(lambda: len(link_cache.LOCAL_CACHE) == 0)

    run(listened())


async def until_true(condition):
    for _ in range(12_000):  # a minute
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen in time")


def test_unpublished_changes_are_published_by_the_next_task(redis, monkeypatch):
    make(key="changed")
    make(key="deleted")
    assert {ask(f"/s/{key}").status for key in ("changed", "deleted")} == {302}
    with monkeypatch.context() as crash:
        crash.setattr(link_cache, "forget", lambda keys: None)
        services.update("changed", {"disabled": True}, now=database_now())
        services.delete("deleted", now=database_now())
    link_cache.LOCAL_CACHE.clear()
    assert {ask(f"/s/{key}").status for key in ("changed", "deleted")} == {302}
    assert tasks.repeat_invalidation() == 2
    link_cache.LOCAL_CACHE.clear()
    assert ask("/s/changed").code == "disabled"
    assert ask("/s/deleted").code == "deleted"
    later = database_now() + HOUR
    assert (
        link_cache.INVALIDATION.repeat(later) == 2
    )  # changes just recent enough for a late commit
    assert link_cache.INVALIDATION.repeat(later) == 0


@pytest.mark.parametrize("missed", ["before", "while"])
def test_a_process_that_reconnects_to_redis_publishes_missed_changes_at_once(
    settings, redis, missed
):
    """Redis may restart with entries from before a link was deleted."""
    make(key="deleted")
    address = settings.REDIS_URL

    def delete_without_publishing():
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        services.delete("deleted", now=database_now())
        settings.REDIS_URL = address

    async def heard():
        assert (await asked("/s/deleted")).status == 302
        if missed == "before":
            await thread_pool.in_thread(delete_without_publishing)
        async with link_cache.listening():
            await until_true(lambda: redis.pubsub_numsub(link_cache.CHANNEL)[0][1] == 1)
            if missed == "while":
                await thread_pool.in_thread(delete_without_publishing)
            await until_true(lambda: not redis.exists("short:deleted"))
            await until_true(lambda: link_cache.LOCAL_CACHE.get("deleted") is None)
        assert (await asked("/s/deleted")).code == "deleted"

    run(heard())
