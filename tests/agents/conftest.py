"""Limits of their own for tests of tools."""

import pytest

from foundation.valkey.clients import client


@pytest.fixture(autouse=True)
def _empty_valkey():
    """Let no other test have spent what limits allow."""
    client().flushdb()
