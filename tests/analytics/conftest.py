"""Fixtures of the analytics' tests: an empty Redis, and a producer of this test's own."""

import asyncio

import pytest

from analytics import stream
from foundation.valkey import clients as clients
from foundation.valkey import metrics


@pytest.fixture
def redis():
    """The tests' Redis, empty before and after, and nothing left in this process's memory."""
    client = clients.client()
    client.flushdb()
    metrics._begin()
    yield client
    client.flushdb()
    metrics._begin()


@pytest.fixture
def produce(redis):
    """A function that runs `act` beside the producer and flushes it, as at a server's end.

    It returns the entries of the stream.
    """

    def run(act=lambda: None):
        async def live():
            async with stream.producing():
                act()

        asyncio.run(live())
        return redis.xrange(stream.STREAM)

    return run
