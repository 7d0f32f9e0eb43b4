"""Clients of `/ws/live/` when Redis or the client's connection fails."""

import asyncio
import json
from functools import partial

import pytest

from analytics import consumers, counters, live_counts, view_history
from analytics.consumers import LiveConsumer
from analytics.live_messages import is_own_origin
from analytics.models import DailyMetrics
from foundation.database.thread_pool import in_thread
from foundation.valkey.clients import client as valkey
from tests.conftest import NOW
from tests.foundation.redis_servers import run

pytestmark = pytest.mark.any_database


def serve(send, *, act=lambda: None, query=b"ids=key-1"):
    """Serve one connection whose messages go to `send`; `act` runs after the first of them."""

    async def scenario():
        received = asyncio.Queue()
        received.put_nowait({"type": "websocket.connect"})

        async def answer(message):
            if message["type"] == "websocket.accept":
                act()
            if message["type"] == "websocket.close":
                received.put_nowait({"type": "websocket.disconnect", "code": message["code"]})
            await send(message)

        scope = {"type": "websocket", "headers": [], "query_string": query}
        async with asyncio.timeout(60):
            await LiveConsumer.as_asgi()(scope, received.get, answer)
        assert len(live_counts.hub()) == 0
        assert live_counts.hub().watched() == []

    run(scenario())


@pytest.fixture(autouse=True)
def _no_counts():
    """Empty the tests' Redis, so that all counts are 0."""
    valkey().flushdb()
    valkey().set(counters.RESTORED, 1)


@pytest.fixture
def sent():
    return []


def test_a_client_that_does_not_make_room_for_a_message_is_disconnected(sent, monkeypatch):
    monkeypatch.setattr(consumers, "SEND_TIMEOUT", 0.01)

    async def send(message):
        sent.append(message)
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    serve(send)
    assert sent[-1] == {"type": "websocket.close", "code": 1013}


def test_without_redis_a_client_is_asked_to_try_again_later(sent, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    async def send(message):
        sent.append(message)

    serve(send)
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.close"]
    assert sent[-1]["code"] == 1013


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("views", [0, 7])
def test_a_client_gets_the_counts_of_the_history_until_they_are_restored(sent, views):
    """0 on a new deployment, whose first worker has not started."""
    DailyMetrics.objects.create(subject="short:key-1", day=NOW.date(), views=views)
    valkey().flushdb()

    async def send(message):
        sent.append(message)

    serve_and_leave(send)
    counts = [json.loads(message["text"])["counts"] for message in sent if "text" in message]
    assert counts == [{"key-1": views}]


@pytest.mark.usefixtures("threads")
def test_counts_do_not_fall_if_redis_loses_them():
    DailyMetrics.objects.create(subject="short:key-1", day=NOW.date(), views=7)
    restore = partial(view_history.restore, valkey(), now=NOW)
    restore()

    async def publish_until_received(client, subject, count):
        """Return all values that the client receives meanwhile."""
        received = []
        while subject not in dict(received):
            valkey().publish(counters.CHANNEL, json.dumps({subject: count}))
            await asyncio.sleep(0.01)
            if client.pending:
                received += (await client.next_values()).items()
        return received

    async def scenario():
        hub = live_counts.hub()
        with hub.client() as client:
            hub.watch(client, ["short:key-1", "short:key-2"])
            assert await live_counts.snapshot(hub, ["short:key-1"]) == {"short:key-1": 7}
            valkey().flushdb()
            async with asyncio.timeout(60), live_counts.feeding_hub():
                received = await publish_until_received(client, "short:key-2", 1)
                await in_thread(restore)
                received += await publish_until_received(client, "short:key-1", 8)
        assert [count for subject, count in received if subject == "short:key-1"] == [8]

    run(scenario())


def test_the_number_of_clients_is_limited(sent, monkeypatch):
    monkeypatch.setattr(LiveConsumer.slots, "limit", 0)

    async def send(message):
        sent.append(message)

    serve(send)
    assert sent[-1] == {"type": "websocket.close", "code": 1013}


def test_a_client_that_connects_during_the_shutdown_is_disconnected(sent):
    async def send(message):
        sent.append(message)

    def stop():
        live_counts.hub().stopping = True
        for client in live_counts.hub()._clients:
            client.stop()

    serve(send, act=stop)
    assert json.loads(sent[1]["text"])["type"] == "snapshot"
    assert sent[-1] == {"type": "websocket.close", "code": 1001}


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("https://links.example", "links.example", True),
        ("https://links.example:443", "LINKS.example", True),
        ("http://links.example:8080", "links.example:8080", True),
        ("http://[::1]:8080", "[::1]:8080", True),
        ("http://links.example", "links.example:8080", False),
        ("https://links.example.evil.example", "links.example", False),
        ("https://evil.example", "links.example", False),
        ("https://links.example:x", "links.example", False),
        ("null", "links.example", False),
        ("", "", False),
        ("null", "", False),
    ],
)
def test_an_origin_is_ours_if_it_is_the_requested_host(origin, host, own):
    assert is_own_origin(origin, host) is own


def test_a_client_that_connects_too_often_is_refused(sent, settings):
    settings.RATE_LIMIT = (2, settings.RATE_LIMIT[1])

    async def send(message):
        sent.append(message)

    for _ in range(3):
        serve_and_leave(send)
    statuses = [message["status"] for message in sent if "status" in message]
    assert statuses == [429]
    assert sum(message["type"] == "websocket.accept" for message in sent) == 2


def test_a_client_that_sends_too_often_gets_an_error_and_keeps_its_counts(
    sent, settings, monkeypatch
):
    settings.RATE_LIMIT = (2, settings.RATE_LIMIT[1])
    monkeypatch.setattr(consumers, "MESSAGE_PAUSE", 0)

    async def send(message):
        sent.append(message)

    asks = ['{"subscribe": ["key-2"]}', '{"subscribe": ["key-3"]}']
    serve_and_leave(send, *asks)
    reported = [json.loads(message["text"]) for message in sent if "text" in message]
    kinds = [(one["type"], one.get("code")) for one in reported]
    assert kinds == [("snapshot", None), ("snapshot", None), ("error", "rate_limited")]


def serve_and_leave(send, *texts):
    """Serve a client that sends this and leaves."""

    async def scenario():
        received = asyncio.Queue()
        received.put_nowait({"type": "websocket.connect"})
        for text in texts:
            received.put_nowait({"type": "websocket.receive", "text": text})
        received.put_nowait({"type": "websocket.disconnect", "code": 1000})
        scope = {"type": "websocket", "headers": [], "query_string": b"ids=key-1"}
        async with asyncio.timeout(60):
            await LiveConsumer.as_asgi()(scope, received.get, send)

    run(scenario())
