"""Channels of Redis, over connections that break in ways of their own."""

import asyncio
import errno
import os

import pytest
import redis

from foundation.valkey import channels
from foundation.valkey.channels import messages
from foundation.valkey.clients import async_client
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
