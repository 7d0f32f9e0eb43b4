"""Fixtures of the dashboard's tests."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from linkwatch.accounts import grant
from linkwatch.lib import lua
from linkwatch.lib.breaker import Breaker


@pytest.fixture(autouse=True)
def _own_breaker(monkeypatch):
    monkeypatch.setattr(lua, "BREAKER", Breaker())


@pytest.fixture
def reader(db) -> Client:
    """Staff who may see everything and change nothing, signed in."""
    user = User.objects.create_user("reader", is_staff=True)
    grant(user, read_only=True)
    client = Client()
    client.force_login(user)
    return client
