"""Fixtures of the tests of accounts."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.rights import assign
from accounts.roles import Role
from foundation.breaker import Breaker
from foundation.valkey import scripts
from foundation.valkey.clients import client as redis_client


@pytest.fixture(autouse=True)
def _fresh_limits(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    redis_client().flushdb()


@pytest.fixture
def somebody(db):
    """Return a function that makes a user with a role and returns its browser, signed in."""

    def somebody(role: Role | None, name: str = "somebody") -> Client:
        user = User.objects.create_user(name, f"{name}@example.org", "correct horse")
        assign(user, role)
        client = Client(headers={"accept": "text/html"})
        client.force_login(user)
        return client

    return somebody
