"""Fixtures for tests of short links: empty caches, and no connection that outlives its test."""

import threading

import pytest
from django.db import connection

from analytics import stream
from foundation.breaker import Breaker
from foundation.database import thread_pool
from foundation.database.clock import DatabaseClock
from foundation.valkey import cache_aside, scripts
from foundation.valkey.clients import client
from shortener import link_cache, local_cache
from shortener.local_cache import LocalCache


@pytest.fixture(autouse=True)
def redis(monkeypatch):
    """The tests' Redis, empty; with long time limits, so that a slow machine also stores the
    entries that it loads."""
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 60.0)
    client().flushdb()
    return client()


@pytest.fixture(autouse=True)
def _new_process(monkeypatch):
    """Simulate a new process: the local cache is empty, and the clock is not measured."""
    monkeypatch.setattr(link_cache, "LOCAL_CACHE", LocalCache())
    monkeypatch.setattr(link_cache, "CLOCK", DatabaseClock())
    monkeypatch.setattr(link_cache.INVALIDATION, "is_due", threading.Event())
    monkeypatch.setattr(link_cache.DATABASE, "_retry_at", None)


@pytest.fixture
def patient(monkeypatch):
    """Keep entries in the local cache on a slow machine, too."""
    monkeypatch.setattr(local_cache, "LIFE", 60 * local_cache.LIFE)


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections after each response."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    thread_pool.close_connections()


@pytest.fixture(autouse=True)
def events(monkeypatch):
    """The events that services emitted."""
    reported = []
    monkeypatch.setattr(
        "shortener.services.emit", lambda kind, subject, **_: reported.append((kind.value, subject))
    )
    return reported


@pytest.fixture
def visits(monkeypatch):
    """The subjects of the emitted views."""
    reported = []
    monkeypatch.setattr(stream, "view", lambda subject, *_request: reported.append(subject))
    return reported
