"""Channels of Redis, over connections that break in ways of their own."""

import asyncio
import errno
import os

import pytest
import redis

from foundation.breaker import Breaker
from foundation.valkey import channels, scripts
from foundation.valkey.channels import messages
from foundation.valkey.clients import async_client
from foundation.valkey.scripts import Script
from tests.foundation import redis_servers

pytestmark = pytest.mark.any_database


def test_what_tcp_has_given_up_is_lost_and_not_silent():
    async def listen():
        async with async_client().pubsub() as channel:
            await channel.subscribe("test")
            heard = messages(channel)
            assert (await anext(heard))["type"] == "subscribe"
            given_up = OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            channel.connection._reader.set_exception(given_up)  # as asyncio does
            with pytest.raises(redis.ConnectionError, match="lost"):
                await anext(heard)

    redis_servers.run(listen())


def test_what_is_silent_is_not_lost(monkeypatch):
    monkeypatch.setattr(channels, "_SILENCE", 0.02)

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


def test_a_connection_that_breaks_while_it_is_opened_is_an_error_of_redis(monkeypatch):
    async def break_off(*_args, **_options):
        raise RuntimeError("the handler is closed")  # as uvloop does

    async def call():
        with pytest.raises(redis.ConnectionError, match="the handler is closed"):
            await Script("return 1").run([])

    monkeypatch.setattr(redis.asyncio.connection.AbstractConnection, "connect", break_off)
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    redis_servers.run(call())
