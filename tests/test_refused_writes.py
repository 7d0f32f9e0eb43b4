"""A database that accepts no writes is down, with the reason, and recovers."""

import json
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from knox.models import AuthToken

from foundation.database import unavailable
from status import health, write_probe
from tests.acceptance.processes import until
from tests.disks import filled, small_disk
from tests.postgres_copies import copy
from tests.snippets.servers import web
from tests.test_database_unavailable import ask
from tests.test_health import reported

pytestmark = pytest.mark.django_db(transaction=True)
LOOKS = 20
only_postgresql = pytest.mark.skipif(connection.vendor == "sqlite", reason="it is no server")
only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="it is a server")


@contextmanager
def database_on_a_small_disk(folder: Path):
    """Yield the address of a copy of the tests' database, and its disk."""
    if connection.vendor == "sqlite":
        with small_disk(folder / "disk", size="16m") as disk:
            with connection.cursor() as cursor:
                cursor.execute(f"VACUUM INTO '{disk / 'copy.db'}'")
            yield str(disk / "copy.db"), disk
    else:
        with copy(disk="400m") as server:
            server.promote()
            yield server.url(), server.folder


class Writer:
    """A client that registers new targets."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.number = port, 0
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def __call__(self) -> tuple[int, str]:
        """Return the status, and the sentence of a refusal."""
        self.number += 1
        urls = [f"https://example.org/{self.number}/{n}/{'x' * 500}" for n in range(200)]
        body = json.dumps({"items": [{"url": url} for url in urls]}).encode()
        reply, text = ask(self.port, "POST", "/v1/targets/bulk", self.headers, body)
        return reply.status, json.loads(text).get("message", "")


def reason(port: int, path: str = "/v1/health") -> str | None:
    """Return the reason that `path` gives for the database; None if it is up."""
    status, body, _ = reported(port, path)
    state = body["dependencies"]["database"]
    assert (state == "ok") == ("database" not in body.get("reasons", {}))
    assert status == 503 or state == "ok"
    return body.get("reasons", {}).get("database")


@pytest.mark.acceptance
def test_a_full_disk_is_down_in_each_process_until_there_is_room_again(tmp_path, operator):
    token = AuthToken.objects.create(operator)[1]
    with (
        database_on_a_small_disk(tmp_path) as (url, disk),
        web(tmp_path, DATABASE_URL=url) as port,
        web(tmp_path, DATABASE_URL=url) as reader,  # it meets no refusal itself
    ):
        write = Writer(port, token)
        assert write()[0] < 300
        assert [reason(one) for one in (port, reader)] == [None, None]
        with filled(disk):
            full = "not accepting writes, because its disk is full"
            seen = [
                (write(), reason(port), reason(reader), reason(port, "/readyz"))
                for _ in range(LOOKS)
            ]
            sentence = (
                "The database is not accepting writes: its disk is full. Please try again later."
            )
            assert seen == [((503, sentence), full, full, full)] * LOOKS
        assert write()[0] < 300
        assert [reason(one) for one in (port, reader)] == [None, None]
    for one in (port, reader):
        log = (tmp_path / f"web-{one}.log").read_text()
        assert "Traceback" not in log
        assert (
            1 <= log.count("The database does not accept writes because its disk is full: ") <= 2
        )  # a minute


@pytest.fixture
def server():
    """Yield a server with few locks."""
    with copy() as made:
        made.promote()
        for name, value in (("max_locks_per_transaction", 10), ("max_connections", 30)):
            made.ask(f"ALTER SYSTEM SET {name} = {value}")
        made.stop()
        made.start()
        yield made


def take_all_locks(session: "psycopg.Connection") -> None:
    with pytest.raises(psycopg.errors.OutOfMemory):
        session.execute("SELECT pg_advisory_lock(n) FROM generate_series(1, 1000000) AS n")


@pytest.mark.acceptance
@only_postgresql
def test_a_server_without_locks_or_in_read_only_mode_is_down_temporarily(tmp_path, server):
    with web(tmp_path, DATABASE_URL=server.url()) as port:
        assert reason(port) is None
        with psycopg.connect(server.url(), autocommit=True) as greedy:
            take_all_locks(greedy)
            assert reason(port) == "not accepting writes, because it is out of memory or locks"
        until(lambda: reason(port) is None)
        server.ask("ALTER SYSTEM SET default_transaction_read_only = on")
        server.ask("SELECT pg_reload_conf()")
        until(lambda: reason(port) == "not accepting writes, because it is read-only")
        server.ask("ALTER SYSTEM RESET default_transaction_read_only")
        server.ask("SELECT pg_reload_conf()")
        until(lambda: reason(port) is None)


@only_sqlite
def test_people_and_programs_get_the_reason_until_a_write_succeeds(client):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            body = client.get("/readyz").json()
            [_, part] = health.parts(health.health_of("database"))
        finally:
            cursor.execute("PRAGMA query_only = 0")
    assert body == {
        "status": "down",
        "dependencies": {"database": "down", "schema": "ok"},
        "reasons": {"database": "not accepting writes, because it is read-only"},
    }
    assert (part["state"], part["does"]) == (
        "down",
        "not accepting writes, because it is read-only",
    )
    assert health.health_of("database") == {"database": "ok"}
    assert write_probe.why_refused() is None


@only_sqlite
def test_a_probe_does_not_wait_for_writers_and_keeps_the_time_out():
    with connection.copy().cursor() as other, connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()
        other.execute("BEGIN IMMEDIATE")
        assert health.health_of("database") == {"database": "ok"}
        other.execute("ROLLBACK")
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == patience == (20_000,)
        assert cursor.execute("PRAGMA user_version").fetchone() == (0,)
        other.db.close()


@only_sqlite
def test_sqlite_on_a_full_disk_refuses_a_commit_with_the_same_reason(tmp_path):
    own = connection.copy()
    with small_disk(tmp_path / "disk") as disk:
        own.settings_dict["NAME"] = str(disk / "own.db")
        try:
            with own.cursor() as cursor:
                cursor.execute("CREATE TABLE any (text)")
                with filled(disk), pytest.raises(OperationalError) as caught:
                    cursor.execute("INSERT INTO any VALUES (zeroblob(100000))")
        finally:
            own.close()
    assert unavailable.why_refused(caught.value) == unavailable.DISK_FULL


@only_postgresql
def test_the_probe_works_for_a_role_without_temporary_files():
    with connection.cursor() as cursor:
        cursor.execute("SET temp_file_limit = '64kB'")
        try:
            assert health.health_of("database") == {"database": "ok"}
        finally:
            cursor.execute("RESET temp_file_limit")


def test_an_error_of_another_kind_gives_no_reason():
    assert unavailable.why_refused(OperationalError("the connection is lost")) is None
    assert unavailable.why_refused(ValueError("x")) is None
    assert unavailable.message(OperationalError("the connection is lost")) == unavailable.MESSAGE
