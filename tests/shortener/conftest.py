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
from shortener import local_cache, reads
from shortener.local_cache import LocalCache


@pytest.fixture(autouse=True)
def redis(monkeypatch):
    """The tests' Redis, empty; what is loaded is kept there also on a slow machine."""
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 60.0)
    client().flushdb()
    return client()


@pytest.fixture(autouse=True)
def _new_process(monkeypatch):
    """A process that has just begun: nothing is nearby, the clock is not measured."""
    monkeypatch.setattr(reads, "LOCAL_CACHE", LocalCache())
    monkeypatch.setattr(reads, "CLOCK", DatabaseClock())
    monkeypatch.setattr(reads.INVALIDATION, "is_due", threading.Event())
    monkeypatch.setattr(reads.DATABASE, "_closed_again_at", None)


@pytest.fixture
def patient(monkeypatch):
    """What is nearby stays so on a slow machine as well."""
    monkeypatch.setattr(local_cache, "LIFE", 60 * local_cache.LIFE)


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections when they have answered."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    thread_pool.close_connections()


@pytest.fixture(autouse=True)
def events(monkeypatch):
    """What services said that had happened."""
    told = []
    monkeypatch.setattr(
        "shortener.services.emit", lambda kind, subject, **_: told.append((kind.value, subject))
    )
    return told


@pytest.fixture
def visits(monkeypatch):
    """The subjects of the views that were emitted."""
    told = []
    monkeypatch.setattr(stream, "view", lambda subject, *_request: told.append(subject))
    return told
