"""Fixtures that all tests share."""

import contextlib
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import redis
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, TransactionTestCase, override_settings
from hypothesis import HealthCheck, settings
from rest_framework.test import APIClient
from whitenoise.middleware import WhiteNoiseMiddleware

from accounts import token_use
from analytics import stream
from checker import neighbour_cache
from checker.policies import HELD_PAGES
from checker.witness_requests import BYPASS_MEMORY, MEMORY
from console.dashboard import broadcast
from console.dashboard.summary import SUMMARY
from foundation import request_id
from foundation.breaker import Breaker
from foundation.database import thread_pool
from foundation.valkey import changes, metrics, scripts
from foundation.valkey import clients as clients
from status import asgi
from status.stats import STATS
from tests import migrated
from tests.acceptance.processes import PATIENCE, Product, running_product
from tests.emptying import Emptying

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

clients.TIMEOUT = 60.0  # a busy machine may delay Redis

# Use the same examples each time, and no deadline, so that failures come only from changes. To
# search for more, set HYPOTHESIS_PROFILE=search.
settings.register_profile(
    "same", derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "search", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck)
)
settings.register_profile("quick", settings.get_profile("same"), max_examples=30)


def pytest_configure(config):
    """Draw fewer examples in a quick run; `make test` draws them all."""
    usual = "quick" if config.getoption("--quick") else "same"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


@pytest.fixture
def now() -> datetime:
    """Return a fixed current time; functions below the entry points take the time as an
    argument."""
    return NOW


@pytest.fixture(autouse=True, scope="session")
def _quick_passwords():
    """Hash passwords quickly: real hashes are safe because they are slow."""
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(PASSWORD_HASHERS=quick):
        yield


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings):
    """Begin with a copy of a migrated database if the database is a file."""
    if connection.vendor == "sqlite":
        migrated.copy_to(Path(connection.settings_dict["TEST"]["NAME"]))
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Before the database is deleted, wait for the sessions of ended threads and processes.

    The sessions of this process's thread pool, which requests with tokens use, are closed here.
    """
    with django_db_blocker.unblock():
        emptying = Emptying()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test: emptying(test))
        yield
    thread_pool.close_connections()
    thread_pool.close_connections_of(asgi.POOL, asgi.THREADS)
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock():
            deadline = time.monotonic() + PATIENCE
            while others := _other_sessions():
                assert time.monotonic() < deadline, f"left by some test: {others}"
                time.sleep(0.1)


def _other_sessions() -> list[tuple[Any, ...]]:
    """Return the active queries of other sessions in this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT application_name, state, state_change, query FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchall()


@pytest.fixture(autouse=True, scope="session")
def _static_files_found_once():
    """Find the static files once, not again for the middleware of each test client."""
    found = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def find_once(middleware):
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


@pytest.fixture(autouse=True)
def _fresh_process():
    """Clear what earlier tests have recorded about the network and folders of servers."""
    MEMORY.clear()
    BYPASS_MEMORY.clear()
    HELD_PAGES.clear()
    neighbour_cache.MEMORY.clear()


@pytest.fixture(autouse=True)
def _no_request():
    """Remove the request id that `async_to_sync` leaves in the context of the test's thread."""
    with request_id.use(""):
        yield


@pytest.fixture(autouse=True)
def _closed_breaker(monkeypatch):
    """Close the breaker, so that a test queries Redis even if an earlier one could not reach it."""
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    monkeypatch.setattr(changes, "BREAKER", Breaker())


@pytest.fixture(autouse=True)
def _nothing_kept():
    """Drop cached counts, so that no test sees those of an earlier one."""
    with contextlib.suppress(redis.RedisError):
        STATS.forget()
        SUMMARY.forget()


_wake = stream._StreamProducer.wake


@pytest.fixture(autouse=True)
def _own_producer(monkeypatch):
    """Give each test its own producer and counts, and no thread that sends while the test counts.

    `stream.producing` starts such a thread, which ends with the test; events that are unsent by
    then are lost.
    """
    metrics._begin()
    started = set()
    start, run = stream._StreamProducer.start, stream._StreamProducer._run

    def note(producer):
        started.add(producer)
        start(producer)

    def run_until_done(producer):
        with contextlib.suppress(SystemExit):
            run(producer)

    def leave():
        raise SystemExit

    monkeypatch.setattr(stream._StreamProducer, "start", note)
    monkeypatch.setattr(stream._StreamProducer, "_run", run_until_done)
    monkeypatch.setattr(stream._StreamProducer, "wake", lambda self: self.filled.set())
    monkeypatch.setattr(stream, "_producer", stream._StreamProducer())
    yield
    for producer in started:
        producer._flush = leave
        producer.hurry_up()
        producer._thread.join()
        del producer._flush
        vars(producer).update(vars(stream._StreamProducer()))


@pytest.fixture
def sending(monkeypatch, _own_producer):
    """Let an event start the thread that sends it, as in production."""
    monkeypatch.setattr(stream._StreamProducer, "wake", _wake)


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """Collect the tasks that a view of the dashboard would run in a thread, without running them.

    A thread sees nothing of a test's transaction, and its connection would outlive the test.
    """
    asked = []
    monkeypatch.setattr(broadcast, "submit", asked.append)
    return asked


@pytest.fixture(autouse=True)
def written(monkeypatch):
    """Collect the uses of tokens that a thread would write, without writing them."""
    written = []
    monkeypatch.setattr(token_use, "submit", written.append)
    monkeypatch.setattr(token_use, "_noted", {})
    return written


@pytest.fixture
def operator(db) -> User:
    """Return a user who may do everything."""
    return User.objects.create_superuser("operator", password="correct horse")


@pytest.fixture
def browser(operator) -> Client:
    """Return the browser of a user who may do everything, signed in."""
    client = Client(headers={"accept": "text/html"})
    client.force_login(operator)
    return client


@pytest.fixture
def api(operator) -> APIClient:
    """Return a client of the API with every right."""
    client = APIClient()
    client.force_authenticate(operator)
    return client


@pytest.fixture
def data_dir(tmp_path) -> Path:
    """Return a DATA_DIR for this test, with an SQLite database that is already migrated."""
    folder: Path = tmp_path / "data"
    migrated.copy_to(folder / "linkwatch.db")
    return folder


@pytest.fixture(scope="session")
def product(tmp_path_factory) -> Iterator[Product]:
    """Yield the whole product, shared by all tests that only use it."""
    with running_product(tmp_path_factory.mktemp("product")) as product:
        yield product
