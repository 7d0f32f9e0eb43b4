"""The hub and the messages it owes its clients, without a socket."""

import asyncio
import time

import pytest

from analytics import hub as hub_module
from analytics.hub import Hub

pytestmark = pytest.mark.any_database


def run(scenario):
    """Run `scenario(hub)` next to the hub's fan-out."""

    async def together():
        hub = Hub()
        fan_out = asyncio.create_task(hub.fan_out())
        try:
            async with asyncio.timeout(60):
                await scenario(hub)
        finally:
            fan_out.cancel()

    asyncio.run(together())


async def heard(client, subject, value):
    """Collect the messages of a client until one has this value; returns all of them."""
    news = []
    while not news or news[-1].get(subject) != value:
        news.append(await client.next_values())
    return news


def test_a_client_receives_only_the_counts_that_it_watches():
    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a", "b"])
            hub.update({"a": 1, "c": 7})
            assert await client.next_values() == {"a": 1}
            hub.unwatch(client, ["a"])
            hub.update({"a": 2, "b": 5})
            assert await client.next_values() == {"b": 5}

    run(scenario)


def test_a_thousand_views_are_a_few_messages_and_the_last_count_is_among_them(monkeypatch):
    monkeypatch.setattr(hub_module, "FLUSH_INTERVAL", 0.02)

    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a"])
            listening = asyncio.create_task(heard(client, "a", 1000))
            for count in range(1, 1001):
                hub.update({"a": count})
                if count % 100 == 0:
                    await asyncio.sleep(0.001)
            assert len(await listening) < 100

    run(scenario)


def test_messages_for_a_client_that_does_not_read_are_bounded_by_its_subjects(monkeypatch):
    monkeypatch.setattr(hub_module, "FLUSH_INTERVAL", 0.0)

    async def scenario(hub):
        with hub.client() as sleeper, hub.client() as reader:
            for client in (sleeper, reader):
                hub.watch(client, ["a", "b"])
            for count in range(1, 501):
                hub.update({"a": count, "b": count, "c": count})
                await reader.next_values()
            assert sleeper.pending == {"a": 500, "b": 500}

    run(scenario)


def test_a_late_total_does_not_lower_a_count():
    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a"])
            hub.update({"a": 12})
            hub.update({"a": 10})
            assert await client.next_values() == {"a": 12}

    run(scenario)


def test_totals_that_are_read_again_replace_earlier_ones():
    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a"])
            hub.update({"a": 12})
            assert await client.next_values() == {"a": 12}
            hub.correct({"a": 3})
            assert await client.next_values() == {"a": 3}

    run(scenario)


def test_a_snapshot_includes_counts_received_while_it_was_read():
    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a", "b"])
            hub.update({"a": 6})
            assert hub.snapshot({"a": 5, "b": 2}) == {"a": 6, "b": 2}

    run(scenario)


def test_a_newer_snapshot_updates_the_other_clients():
    async def scenario(hub):
        with hub.client() as first, hub.client() as second:
            hub.watch(first, ["a"])
            assert hub.snapshot({"a": 5}) == {"a": 5}
            hub.watch(second, ["a"])
            assert hub.snapshot({"a": 6}) == {"a": 6}
            assert await first.next_values() == {"a": 6}

    run(scenario)


def test_a_snapshot_takes_no_longer_if_others_watch_many_subjects():
    async def scenario(hub):
        with hub.client() as client, hub.client() as other:
            hub.watch(client, ["a"])
            hub.watch(other, map(str, range(100_000)))
            started = time.process_time()
            for value in range(1000):  # 5 to 10 ms each, if it went through all subjects
                assert hub.snapshot({"a": value}) == {"a": value}
            assert time.process_time() - started < 1

    run(scenario)


def test_disconnected_clients_leave_nothing_behind():
    async def scenario(hub):
        with hub.client() as client:
            hub.watch(client, ["a"])
            hub.update({"a": 1})
            assert (len(hub), hub.watched()) == (1, ["a"])
        assert (len(hub), hub.watched(), hub._latest) == (0, [], {})

    run(scenario)


def test_stopping_disconnects_all_clients_including_new_ones():
    async def stay(hub):
        with hub.client() as client:
            return await client.next_values()

    async def scenario(hub):
        early = asyncio.create_task(stay(hub))
        await asyncio.sleep(0)
        await hub.stop(within=60)
        assert await early is None
        assert await stay(hub) is None
        assert len(hub) == 0

    run(scenario)
