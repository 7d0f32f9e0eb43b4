"""Separate limits for the tests of tools."""

import pytest

from foundation.valkey.clients import client


@pytest.fixture(autouse=True)
def _empty_valkey():
    """Empty Valkey, so that no earlier test has used up the limits."""
    client().flushdb()
