"""Fixtures for the tests of analytics: an empty Redis, and a separate producer."""

import asyncio

import pytest
from django.db import connection

from analytics import stream
from foundation.database import thread_pool
from foundation.valkey import clients as clients
from foundation.valkey import metrics


@pytest.fixture
def redis():
    """The tests' Redis, empty before and after; the memory of this process is cleared as well."""
    client = clients.client()
    client.flushdb()
    metrics._begin()
    yield client
    client.flushdb()
    metrics._begin()


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections after each query."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    thread_pool.close_connections()


@pytest.fixture
def produce(redis):
    """Return a function that runs `act`, then flushes the producer as a server does at its end.

    The function returns the entries of the stream.
    """

    def run(act=lambda: None):
        async def live():
            async with stream.producing():
                act()

        asyncio.run(live())
        return redis.xrange(stream.STREAM)

    return run
