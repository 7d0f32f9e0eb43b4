"""Fixtures for tests of snippets: an empty Redis, and no connection that outlives its test."""

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection

from accounts import rights
from accounts.roles import Role
from analytics import counters, stream
from foundation.database import thread_pool
from foundation.valkey import cache_aside
from foundation.valkey.clients import client
from snippets import highlighting


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Raise time limits, so that a slow machine also caches the entries that it loads, and
    highlights code."""
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 600.0)
    monkeypatch.setattr(cache_aside, "PATIENCE", 600.0)
    monkeypatch.setattr(highlighting, "MAX_CPU_TIME", 600.0)


@pytest.fixture(autouse=True)
def redis():
    """The tests' Redis, empty, with all counts at 0."""
    client().flushdb()
    client().set(counters.RESTORED, 1)
    return client()


ROLES = {
    "ada": Role.MEMBER,
    "bob": Role.MEMBER,
    "viewer": Role.VIEWER,
    "operator": Role.OPERATOR,
    "service": None,
}


@pytest.fixture
def people(db):
    """Create two members, a viewer, an operator, and a program with all rights for snippets."""
    people = {name: User.objects.create_user(name) for name in ROLES}
    for name, role in ROLES.items():
        if role is not None:
            rights.assign(people[name], role)
    people["service"].user_permissions.add(
        *Permission.objects.filter(content_type__app_label="snippets")
    )
    return people


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections after each response."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    thread_pool.close_connections()


@pytest.fixture
def events(monkeypatch):
    """The emitted events: kind and subject."""
    reported = []
    monkeypatch.setattr(
        "snippets.services.emit", lambda kind, subject, **_: reported.append((kind.value, subject))
    )
    monkeypatch.setattr(
        stream, "view", lambda subject, _address, _agent: reported.append(("view", subject))
    )
    return reported
