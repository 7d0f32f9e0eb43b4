"""Redis channels, over connections that break in different ways."""

import asyncio
import errno
import os

import pytest
import redis

from foundation.breaker import Breaker
from foundation.valkey import pubsub, scripts
from foundation.valkey.clients import async_client
from foundation.valkey.pubsub import PubSubSubscription, messages
from foundation.valkey.scripts import Script
from tests.foundation import redis_servers
from tests.foundation.redis_servers import Mortal

pytestmark = pytest.mark.any_database


def test_a_connection_closed_by_tcp_is_lost_and_not_silent():
    async def listen():
        async with async_client().pubsub() as channel:
            await channel.subscribe("test")
            heard = messages(channel)
            assert (await anext(heard))["type"] == "subscribe"
            given_up = OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            channel.connection._reader.set_exception(given_up)  # asyncio raises this
            with pytest.raises(redis.ConnectionError, match="lost"):
                await anext(heard)

    redis_servers.run(listen())


def test_a_silent_connection_is_not_lost(monkeypatch):
    monkeypatch.setattr(pubsub, "_MAX_WAIT", 0.02)

    async def listen():
        async with async_client().pubsub() as channel:
            await channel.subscribe("test")
            heard = messages(channel)
            await anext(heard)
            asyncio.get_running_loop().call_later(
                0.1, lambda: sent.append(asyncio.ensure_future(async_client().publish("test", "x")))
            )
            assert (await anext(heard))["data"] == b"x"
            await asyncio.gather(*sent)

    sent: list[asyncio.Future] = []
    redis_servers.run(listen())


def test_a_connection_that_breaks_while_opening_raises_an_error_of_redis(monkeypatch):
    async def break_off(*_args, **_options):
        raise RuntimeError("the handler is closed")  # uvloop raises this

    async def call():
        with pytest.raises(redis.ConnectionError, match="the handler is closed"):
            await Script("return 1").run([])

    monkeypatch.setattr(redis.asyncio.connection.AbstractConnection, "connect", break_off)
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    redis_servers.run(call())


class Listener:
    """A subscription, and the messages that it has received."""

    def __init__(self, fails_at=b""):
        self.seen, self._news, self._fails_at = [], asyncio.Event(), fails_at
        self.subscription = PubSubSubscription(
            "test",
            on_message=self._take,
            on_connect=self._connect,
            on_disconnect=lambda: self._note("disconnected"),
        )

    def _note(self, what):
        self.seen.append(what)
        self._news.set()

    def _take(self, data):
        if data == self._fails_at:
            raise ValueError("it can't be read")
        self._note(data)

    async def _connect(self):
        await asyncio.sleep(0)  # as a listener that reads again does
        self._note("connected")

    async def until(self, *seen):
        async with asyncio.timeout(60):
            while self.seen != list(seen):
                self._news.clear()
                await self._news.wait()


@pytest.fixture
def _at_once(monkeypatch):
    monkeypatch.setattr(pubsub, "PAUSE", 0.01)


@pytest.mark.usefixtures("_at_once")
def test_a_restarted_redis_is_subscribed_to_again(settings, caplog):
    async def listen():
        listener = Listener()
        async with listener.subscription.listening():
            await listener.until("connected")
            server.client().publish("test", "1")
            await listener.until("connected", b"1")
            server.kill()
            await listener.until("connected", b"1", "disconnected")
            assert not listener.subscription.is_connected
            await asyncio.sleep(0.1)  # failed attempts: neither counted nor logged again
            server.start()
            await listener.until("connected", b"1", "disconnected", "connected")
            assert listener.subscription.is_connected
            server.client().publish("test", "2")
            await listener.until("connected", b"1", "disconnected", "connected", b"2")

    with Mortal() as server:
        settings.REDIS_URL = server.url
        redis_servers.run(listen())
    assert caplog.text.count("The channel test is disconnected") == 1


@pytest.mark.usefixtures("_at_once")
def test_messages_may_be_lost_when_a_connection_is_cut():
    async def listen():
        listener = Listener()
        async with listener.subscription.listening():
            await listener.until("connected")
            await async_client().client_kill_filter(_type="pubsub")
            await listener.until("connected", "connected")

    redis_servers.run(listen())


@pytest.mark.usefixtures("_at_once")
def test_an_unreadable_message_counts_as_missed():
    async def listen():
        listener = Listener(fails_at=b"nonsense")
        async with listener.subscription.listening():
            await listener.until("connected")
            await async_client().publish("test", "nonsense")
            await listener.until("connected", "disconnected", "connected")
            await async_client().publish("test", "1")
            await listener.until("connected", "disconnected", "connected", b"1")

    redis_servers.run(listen())


def test_without_redis_one_line_is_logged(settings, caplog, monkeypatch):
    monkeypatch.setattr(pubsub, "PAUSE", 0.001)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    async def listen():
        listener = Listener()
        async with listener.subscription.listening():
            await asyncio.sleep(0.1)
        assert listener.seen == []

    redis_servers.run(listen())
    assert caplog.text.count("The channel test is disconnected") == 1
