"""Fixtures for the tests of accounts."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.rights import assign
from accounts.roles import Role
from foundation.breaker import Breaker
from foundation.valkey import scripts
from foundation.valkey.clients import client as redis_client
from tests.accounts.provider import CLIENT, SECRET, running_provider


@pytest.fixture(autouse=True)
def _fresh_limits(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    redis_client().flushdb()


@pytest.fixture
def somebody(db):
    """Return a function that creates a user with a role and returns the user's signed-in
    browser."""

    def somebody(role: Role | None, name: str = "somebody") -> Client:
        user = User.objects.create_user(name, f"{name}@example.org", "correct horse")
        assign(user, role)
        client = Client(headers={"accept": "text/html"})
        client.force_login(user)
        return client

    return somebody


@pytest.fixture
def provider(db, settings):
    with running_provider() as provider:
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID = CLIENT
        settings.OIDC_CLIENT_SECRET = SECRET
        settings.OIDC_GROUPS = {"a": "Operators", "b": "Members", "c": "Viewers"}
        settings.OIDC_DEFAULT_ROLE = ""
        settings.BASE_URL = "https://links.example"
        yield provider
