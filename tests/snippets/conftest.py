"""Fixtures of the snippets' tests: an empty Redis, and no connection that outlives its test."""

import pytest
from django.db import connection

from linkwatch.lib import dbthreads
from linkwatch.lib.redis import client


@pytest.fixture(autouse=True)
def redis():
    """The tests' Redis, empty."""
    client().flushdb()
    return client()


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections when they have answered."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    dbthreads.close_connections()


@pytest.fixture
def events(monkeypatch):
    """What was emitted: kind and subject."""
    told = []
    for module in ("snippets.reads", "snippets.services"):
        monkeypatch.setattr(
            f"{module}.emit", lambda kind, subject, **_: told.append((kind.value, subject))
        )
    return told
