"""Publishes changes to all processes."""

import asyncio

import pytest
import redis
from django.db import transaction

from foundation.valkey import changes
from foundation.valkey.changes import ANYTHING, ChangesSubscription
from tests.foundation import redis_servers

pytestmark = pytest.mark.any_database


async def heard(follower):
    async with asyncio.timeout(60):
        await follower.wait(offline_limit=60)


def run(work):
    async def listening():
        async with changes.listening():
            changes_subscription = changes.changes_subscription()
            with changes_subscription.follow(ANYTHING) as first:
                await heard(first)  # the subscription
            await work(changes_subscription)

    redis_servers.run(listening())


def test_all_of_very_many_changes_are_received(monkeypatch):
    monkeypatch.setattr(changes, "_MAX_TOPICS", 2)

    async def work(changes_subscription):
        with changes_subscription.follow("target:4") as last:
            await asyncio.to_thread(changes.announce, [f"target:{number}" for number in range(5)])
            await heard(last)

    run(work)


def test_followers_of_one_object_get_only_its_changes():
    async def work(changes_subscription):
        with (
            changes_subscription.follow("target:t_1", "host:a.example") as one,
            changes_subscription.follow("x") as other,
        ):
            await asyncio.to_thread(changes.announce, ["target:t_2", "host:a.example"])
            await heard(one)
            assert not other.changed.is_set()

    run(work)


def test_followers_of_everything_get_all_changes():
    async def work(changes_subscription):
        with changes_subscription.follow(ANYTHING) as follower:
            await asyncio.to_thread(changes.announce, ["host:a.example"])
            await heard(follower)

    run(work)


def test_a_follower_without_changes_gets_nothing_and_is_removed():
    async def work(changes_subscription):
        with changes_subscription.follow(ANYTHING) as follower:
            await asyncio.to_thread(changes.announce, [])
            await asyncio.to_thread(changes.announce, ["host:a.example"])
            await heard(follower)
            assert not follower.changed.is_set()
        assert changes_subscription.followers == {}

    run(work)


@pytest.mark.django_db(transaction=True)
def test_a_change_is_published_after_a_commit_and_not_after_a_rollback(monkeypatch):
    reported = []
    monkeypatch.setattr(changes, "announce", reported.append)
    with transaction.atomic():
        changes.announce_on_commit(["1"])
        assert reported == []
    with transaction.atomic():
        changes.announce_on_commit(["2"])
        transaction.set_rollback(True)
    assert reported == [["1"]]


@pytest.mark.django_db(transaction=True)
def test_frequent_changes_are_published_rarely(monkeypatch):
    reported = []
    monkeypatch.setattr(changes, "announce", reported.append)
    monkeypatch.setattr(changes, "_announced_at", -1e9)
    for _ in range(50):
        changes.announce_rarely_on_commit("target")
    assert reported == [["target"]]


def test_after_a_gap_everything_counts_as_changed():
    changes_subscription = ChangesSubscription()

    async def work():
        with changes_subscription.follow("a") as follower:
            changes_subscription.notify_all()
            await heard(follower)

    asyncio.run(work())


def test_a_follower_without_a_subscription_polls():
    async def work():
        with ChangesSubscription().follow("a") as follower:
            async with asyncio.timeout(60):
                await follower.wait(offline_limit=0.001)

    asyncio.run(work())


def test_a_redis_that_does_not_answer_delays_one_change_and_not_the_next(monkeypatch):
    asked = []

    def client():
        asked.append(1)
        raise redis.TimeoutError("hangs")

    monkeypatch.setattr(changes, "client", client)
    changes.announce(["a"])
    changes.announce(["b"])
    assert asked == [1]


def test_without_redis_nothing_is_reported_and_nothing_fails(settings):
    settings.REDIS_URL = ""
    changes.announce(["a"])
