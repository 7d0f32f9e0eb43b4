"""What tests of channels share."""

import ipaddress

import pytest

from targets.services import network_guard


@pytest.fixture
def loopback_allowed(settings):
    """ALLOW_NETWORKS has loopback, where receivers of tests are: operators' channels reach them."""
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.ALLOW_PORTS = (range(1, 65536),)
    network_guard.cache_clear()
    yield
    network_guard.cache_clear()
