"""The zoo's authority and name server, and checker workers without politeness delays."""

import ssl
from collections.abc import Iterator
from datetime import timedelta

import pytest

from checker.engine.tls import tls_context
from foundation.net import resolver
from foundation.net.egress import network_guard
from tests.checker.shifts import LOOPBACK
from tests.zoo import certificates, rows
from tests.zoo.names import NameServer, ThreadsAsking, name_server


@pytest.fixture(scope="session")
def authority(tmp_path_factory) -> certificates.Authority:
    return certificates.Authority.found(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def trusted(authority, monkeypatch) -> Iterator[certificates.Authority]:
    """Let checks trust the test's authority, as SSL_CERT_FILE does."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.root))
    tls_context.cache_clear()
    yield authority
    tls_context.cache_clear()


@pytest.fixture
def names(monkeypatch) -> Iterator[NameServer]:
    """Let the system's resolver query the zoo's name server."""
    with name_server(rows.NAMES) as server, ThreadsAsking(server) as threads:
        monkeypatch.setattr(resolver, "_threads", threads)
        yield server


@pytest.fixture(scope="session")
def tls(authority, tmp_path_factory) -> dict[str, ssl.SSLContext]:
    """Return the servers' TLS settings by the fault of their certificate."""
    return rows.contexts(authority, tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def quick(settings) -> Iterator[None]:
    """Open loopback to checker workers, wait for no politeness delay, and let nothing be late."""
    network_guard.cache_clear()
    settings.ALLOW_NETWORKS = [LOOPBACK]
    settings.HOST_DELAY = timedelta(0)
    settings.CHECK_INTERVAL = timedelta(seconds=1)
    settings.HTTP_TIMEOUT = timedelta(seconds=30)
    settings.MAX_CONCURRENCY = 8
    yield
    network_guard.cache_clear()
