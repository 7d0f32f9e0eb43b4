import time
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_network

import pytest

from archives.archive_requests import QueryTurn
from foundation.net.egress import network_guard
from tests.conftest import NOW


@pytest.fixture
def reachable(settings) -> Iterator[None]:
    """Open loopback, where the tests have their archives, and remove the limit of requests."""
    network_guard.cache_clear()
    settings.ALLOW_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.ARCHIVE_LIMIT = (900_000, timedelta(seconds=1))
    yield
    network_guard.cache_clear()


@pytest.fixture
def turn() -> QueryTurn:
    return QueryTurn(now=NOW, ends_at=time.monotonic() + 300)
