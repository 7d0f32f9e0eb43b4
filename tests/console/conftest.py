"""Fixtures for tests of the pages."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.rights import assign, grant
from accounts.roles import Role
from foundation.breaker import Breaker
from foundation.valkey import scripts


@pytest.fixture(autouse=True)
def _own_breaker(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker())


@pytest.fixture
def reader(db) -> Client:
    """A signed-in browser of staff who may see everything and change nothing."""
    user = User.objects.create_user("reader", is_staff=True)
    grant(user, read_only=True)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def member(db) -> Client:
    """A signed-in browser of a member."""
    user = User.objects.create_user("member")
    assign(user, Role.MEMBER)
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


@pytest.fixture
def person():
    """Return a function that creates a user with a role and returns their browser."""

    def person(name, role=Role.MEMBER):
        user, is_new = User.objects.get_or_create(username=name)
        if is_new:
            assign(user, role)
        client = Client(headers={"accept": "text/html"})
        client.force_login(user)
        return client

    return person


@pytest.fixture
def ada(person):
    """The browser of a member."""
    return person("ada")
