"""`/ws/live/` of the running product."""

import asyncio
import json
import signal
from contextlib import AsyncExitStack
from itertools import count

import pytest
from websockets.exceptions import InvalidStatus

from foundation.valkey import metrics
from tests.acceptance.processes import PATIENCE, answers, running, until
from tests.analytics.sockets import (
    CUT_OFF,
    Sleeper,
    close_code,
    counts_until,
    live,
    next_counts,
    next_message,
    publish,
)
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

SNIPPET = "s_0350z0NL0MRifntkJXr5Is"
_numbers = count(1)


@pytest.fixture
def key():
    """Return a short key that no other test uses."""
    return f"live-{next(_numbers)}"


def run(scenario):
    return asyncio.run(scenario())


def test_a_snapshot_comes_first_then_absolute_counts(product, key):
    async def scenario():
        publish(product.redis(), {SNIPPET: 12})
        async with live(product.host, SNIPPET, key) as client:
            assert await next_counts(client, "snapshot") == {SNIPPET: 12, key: 0}
            publish(product.redis(), {SNIPPET: 15, "short:other": 2})
            assert await next_counts(client, "views") == {SNIPPET: 15}
            publish(product.redis(), {f"short:{key}": 1})
            assert await next_counts(client, "views") == {key: 1}

    run(scenario)


def test_messages_add_and_remove_ids(product, key):
    async def scenario():
        async with live(product.host) as client:
            assert await next_counts(client, "snapshot") == {}
            await client.send(json.dumps({"subscribe": [key, f"{key}-other"]}))
            assert await next_counts(client, "snapshot") == {key: 0, f"{key}-other": 0}
            await client.send(json.dumps({"unsubscribe": [key], "subscribe": []}))
            assert await next_counts(client, "snapshot") == {}
            publish(product.redis(), {f"short:{key}": 1, f"short:{key}-other": 2})
            assert await next_counts(client, "views") == {f"{key}-other": 2}

    run(scenario)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("{", "The message is not JSON."),
        ("[" * 60_000, "The message is not JSON."),
        (b"{}", "The message is not JSON."),
        ("[]", 'A message must be an object with "subscribe", "unsubscribe", or both.'),
        (
            '{"subscribe": ["abc"], "x": 1}',
            'A message must be an object with "subscribe", "unsubscribe", or both.',
        ),
        ('{"subscribe": "abc"}', "subscribe is not a list of ids."),
        ('{"subscribe": [1]}', "subscribe is not a list of ids."),
        (
            '{"subscribe": ["s_short"]}',
            "Each id must be that of a snippet, or the key of a short link.",
        ),
        (
            '{"subscribe": ["a b"]}',
            "Each id must be that of a snippet, or the key of a short link.",
        ),
        (
            json.dumps({"subscribe": [f"key-{n}" for n in range(100)]}),
            "A client can watch at most 100 ids.",
        ),
    ],
)
def test_a_malformed_message_is_answered_with_a_sentence_and_changes_nothing(
    product, key, message, sentence
):
    async def scenario():
        async with live(product.host, key) as client:
            await next_counts(client, "snapshot")
            await client.send(message)
            error = await next_message(client, "error")
            assert (error["code"], error["message"]) == ("invalid", sentence)
            publish(product.redis(), {f"short:{key}": 1})
            assert await next_counts(client, "views") == {key: 1}

    run(scenario)


@pytest.mark.parametrize("ids", [["s_short"], [f"key-{n}" for n in range(101)]])
def test_bad_ids_in_the_address_are_reported_and_the_socket_closed(product, ids):
    async def scenario():
        async with live(product.host, *ids) as client:
            await next_message(client, "error")
            assert await close_code(client) == 1008

    run(scenario)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", "http://localhost"])
def test_pages_of_others_are_refused(product, key, origin):
    async def scenario():
        with pytest.raises(InvalidStatus) as refused:
            await live(product.host, key, origin=origin)
        assert refused.value.response.status_code == 403

    run(scenario)


def test_our_own_pages_and_programs_are_accepted(product, key):
    async def scenario():
        for origin in (product.base, None):
            async with live(product.host, key, origin=origin) as client:
                await next_counts(client, "snapshot")

    run(scenario)


def test_an_address_that_is_not_a_socket_is_refused(product):
    async def scenario():
        with pytest.raises(InvalidStatus):
            await live(product.host, path="/ws/nothing/")

    run(scenario)


def test_a_message_of_64_kib_is_read_and_a_larger_one_ends_it(product):
    async def scenario():
        async with live(product.host) as client:
            await next_counts(client, "snapshot")
            await client.send("x" * 65_536)
            await next_message(client, "error")
            await client.send(["x" * 65_536, "x"])
            assert await close_code(client) == 1009

    run(scenario)


def test_counts_missed_during_an_outage_of_redis_are_read_again(product, key):
    async def scenario():
        redis = product.redis()
        async with live(product.host, key) as client:
            assert await next_counts(client, "snapshot") == {key: 0}
            redis.mset({"x:restored": 1, f"views:short:{key}": 7})  # and no client receives it
            redis.client_kill_filter(_type="pubsub")
            assert await next_counts(client, "views") == {key: 7}
            publish(redis, {f"short:{key}": 8})
            assert await next_counts(client, "views") == {key: 8}

    run(scenario)


def test_clients_receive_the_last_count_despite_idle_ones(product):
    """500 clients read, 50 never do; the counts of a hundred ids change twenty times a second."""
    long = "a-key-as-long-as-a-key-may-be"
    keys = [f"{long}{number:0>{64 - len(long)}}" for number in range(100)]
    redis, web = product.redis(), product.process("run_web")

    def clients():
        return metrics.gauges(redis)["websocket_clients"]

    async def change_counts_until_idle_clients_are_disconnected():
        sizes = []
        async with asyncio.timeout(2 * PATIENCE):
            while clients() > 500:
                publish(redis, {f"short:{key}": len(sizes) for key in keys})
                sizes.append(web.memory_info().rss)
                await asyncio.sleep(0.05)
        return sizes

    async def scenario():
        await asyncio.to_thread(until, lambda: clients() == 0)
        async with AsyncExitStack() as stack:
            sleepers = [stack.enter_context(Sleeper(product.host, *keys)) for _ in range(50)]
            readers = [live(product.host, keys[number % 100]) for number in range(500)]
            readers = await asyncio.gather(*map(stack.enter_async_context, readers))
            await asyncio.to_thread(until, lambda: clients() == 550)
            reading = [
                asyncio.create_task(counts_until(reader, keys[number % 100], 1_000_000))
                for number, reader in enumerate(readers)
            ]
            sizes = await change_counts_until_idle_clients_are_disconnected()
            publish(redis, {f"short:{key}": 1_000_000 for key in keys})
            await asyncio.gather(*reading)
            assert {sleeper.wake_up() for sleeper in sleepers} <= {1013, CUT_OFF}
        assert max(sizes) - sizes[0] < 20 * 1024 * 1024

    run(scenario)


def test_a_stopping_server_closes_with_its_code(tmp_path, data_dir, product, key):
    async def scenario():
        port = free_port()
        changes = {"REDIS_URL": f"unix://{product.folder}/valkey/valkey.sock"}
        changes |= {"DATA_DIR": str(data_dir), "HTTP_PORT": str(port), "SHUTDOWN_GRACE": "20s"}
        host = f"127.0.0.1:{port}"
        with running("run_web", log=tmp_path / "log", **changes) as web:
            until(lambda: answers(f"http://{host}/livez"))
            async with live(host, key) as client, live(host) as other:
                await next_counts(client, "snapshot")
                web.send_signal(signal.SIGTERM)
                assert await close_code(client) == 1001
                assert await close_code(other) == 1001
            await asyncio.to_thread(web.wait, PATIENCE)
        assert (tmp_path / "log").read_text() == ""

    run(scenario)
