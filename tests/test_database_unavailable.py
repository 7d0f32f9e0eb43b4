"""During a database outage, every answer is 503 with Retry-After, and the log has one line."""

import http.client
import json
import logging
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django_q.models import OrmQ, Success
from django_q.tasks import async_task

from foundation.database.clock import database_now
from foundation.database.unavailable import OutageFilter, is_outage
from targets.models import Target
from tests.acceptance.processes import (
    PATIENCE,
    ROOT,
    answers,
    database_url,
    environment,
    running,
    until,
)
from tests.factories import TargetFactory
from tests.snippets.servers import web

KNOWN = {"Authorization": "Token " + "a" * 64, "Accept": "application/json"}
PERSON = {"Cookie": "sessionid=" + "a" * 32, "Accept": "text/html"}
SNIPPET = "s_0000000000000000000000"
ASKED = [  # requests that need the database
    ("GET", "/v1/targets", KNOWN, None),
    ("GET", "/v1/stats", KNOWN, None),
    ("POST", "/v1/targets", KNOWN, b"x" * 70_000),
    ("GET", f"/v1/snippets/{SNIPPET}", {}, None),
    ("GET", f"/v1/snippets/{SNIPPET}?x=1", {"Accept": "application/json; q=1"}, None),
    ("GET", f"/snippets/{SNIPPET}", PERSON, None),
    ("GET", "/s/none", {}, None),
    ("GET", "/", PERSON, None),
    ("GET", "/v1/targets", PERSON, None),
    ("GET", "/admin/", PERSON, None),
    (
        "GET",
        "/ws/dashboard/",
        {
            **PERSON,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        },
        None,
    ),
]

QUEUE_FAILED = '"linkwatch.processes.task_queue", "message": "The database can\'t be'


class Database:
    """The connection to this test's database, which can be blocked."""

    def __init__(self, folder: Path) -> None:
        self.way = folder / "way"
        if connection.vendor == "sqlite":
            self.url, self.end = str(self.way), Path(database_url())
        else:
            url, _, socket = database_url().partition("?host=")
            self.url, self.end = f"{url}?host={self.way}&application_name=blocked", Path(socket)
        self.way.symlink_to(self.end)

    def block(self) -> None:
        self.way.unlink()
        self.way.symlink_to("/proc/nowhere/at/all")
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'blocked'"
                )

    def open(self) -> None:
        self.way.unlink()
        self.way.symlink_to(self.end)


def ask(port, method, path, headers, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, body, {"Host": "localhost", **headers})
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply, text


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_every_answer_is_503_with_retry_after_and_is_logged_once(tmp_path):
    database = Database(tmp_path)
    with web(tmp_path, DATABASE_URL=database.url) as port:
        if connection.vendor == "postgresql":  # an open file of SQLite would stay usable
            assert ask(port, *ASKED[0])[0].status == 401
        database.block()
        assert not answers(f"http://127.0.0.1:{port}/readyz")
        for _ in range(3):
            for asked in ASKED:
                reply, text = ask(port, *asked)
                assert (asked[:2], reply.status) == (asked[:2], 503)
                assert int(reply.headers["Retry-After"]) >= 1
                if "html" not in reply.headers["Content-Type"]:
                    assert json.loads(text)["code"] == "unavailable"
                elif asked[1] not in ("/v1/targets",):
                    assert "try again" in text
        database.open()
        until(lambda: ask(port, *ASKED[0])[0].status == 401)
        assert answers(f"http://127.0.0.1:{port}/readyz")
    log = (tmp_path / f"web-{port}.log").read_text()
    assert "Traceback" not in log
    assert log.count("more such errors") == 1
    assert len(log) < 5_000


def running_tasks(database, log, **changes):
    """Run `run_tasks` with a connection to the database that can be blocked."""
    return running(
        "run_tasks",
        log=log,
        DATA_DIR=str(log.parent),
        DATABASE_URL=database.url,
        REDIS_URL=settings.REDIS_URL,
        SECRET_KEY=settings.SECRET_KEY,
        CHECKER_SHIFTS="0",
        **changes,
    )


@pytest.mark.acceptance
@pytest.mark.one_database  # on SQLite, the connection notices the outage only after a minute
@pytest.mark.django_db(transaction=True)
def test_the_tasks_stop_at_once_after_an_outage(tmp_path):
    database, log = Database(tmp_path), tmp_path / "tasks.log"
    with running_tasks(database, log, SHUTDOWN_GRACE="30s") as process:
        task = async_task("time.sleep", 0)
        until(lambda: Success.objects.filter(pk=task).exists() and not OrmQ.objects.exists())
        database.block()
        until(lambda: QUEUE_FAILED in log.read_text())
        database.open()
        process.send_signal(signal.SIGTERM)
        assert process.wait(8) == 0  # django-q2 would wait for 10 s before it tries again


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_the_tasks_continue_if_the_database_fails_during_a_task(tmp_path):
    database, log, gate = Database(tmp_path), tmp_path / "tasks.log", tmp_path / "gate"
    is_postgres = connection.vendor == "postgresql"
    os.mkfifo(gate)
    with running_tasks(database, log, SHUTDOWN_GRACE="3s") as process:
        async_task("subprocess.call", ["cat", str(gate)], save=False)
        until(lambda: OrmQ.objects.filter(lock__gt=database_now()).exists())
        database.block()
        gate.open("w").close()  # the task is done
        # The process that takes tasks notices the outage, too, on SQLite only after a minute.
        until(lambda: log.read_text().count(QUEUE_FAILED) >= (2 if is_postgres else 1))
        database.open()
        task = async_task("time.sleep", 0)
        until(lambda: Success.objects.filter(pk=task).exists())
        assert process.poll() is None
    assert "the cluster exits" not in log.read_text()


def record(error, **more):
    exc_info = None if error is None else (type(error), error, None)
    made = logging.LogRecord("any", logging.WARNING, "", 1, "It failed", (), exc_info)
    made.__dict__.update(more)
    return made


def test_one_line_a_minute_is_logged_and_other_errors_as_usual(monkeypatch):
    now = 1000.0
    monkeypatch.setattr("foundation.database.unavailable.time.monotonic", lambda: now)
    away, filter_ = OperationalError("connection failed:\n\tno such file"), OutageFilter()
    first = record(away)
    assert filter_.filter(first)
    assert (first.levelname, first.exc_info) == ("ERROR", None)
    assert first.getMessage().startswith(
        "The database can't be reached: connection failed: no such"
    )
    now += 59
    assert [filter_.filter(record(away)) for _ in range(5)] == [False] * 5
    assert filter_.filter(record(ValueError("x")))
    assert filter_.filter(record(None))
    assert not filter_.filter(record(None, status_code=503))
    assert filter_.filter(record(None, status_code=500))
    now += 2
    last = record(away)
    assert filter_.filter(last)
    assert "(5 more" in last.getMessage()


HANGS = """
import sys, django
django.setup()
from django.db import DatabaseError, transaction
from foundation.database.unavailable import is_outage
from targets.models import Target
try:
    with transaction.atomic():
        Target.objects.select_for_update().get()
        print("locked", flush=True)
        sys.stdin.readline()
        Target.objects.count()
except DatabaseError as error:
    print(is_outage(error), error)
"""


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="it has no locks of rows")
def test_a_client_that_hangs_during_a_transaction_delays_others_for_seconds_only(tmp_path):
    target = TargetFactory()
    changes = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "linkwatch.settings"}
    with subprocess.Popen(
        [sys.executable, "-c", HANGS],
        cwd=ROOT,
        env=environment(DATABASE_URL=database_url(), **changes),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as hanging:
        assert hanging.stdout.readline() == "locked\n"
        began = time.monotonic()
        Target.objects.filter(pk=target.pk).update(failures=1)
        assert 5 < time.monotonic() - began < 15
        said, _ = hanging.communicate("go on\n")
    assert said.startswith("True terminating connection due to idle-in-transaction timeout")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="it has no cursors of the server's")
def test_a_server_that_stops_during_iteration_raises_djangos_errors():
    connection.set_autocommit(False)
    cursor = connection.chunked_cursor()
    cursor.execute("SELECT set_config('idle_in_transaction_session_timeout', '1ms', true)")
    assert cursor.fetchall() == [("1ms",)]
    until(lambda: select.select([connection.connection], [], [], 1)[0])  # it has announced its end
    with pytest.raises(DatabaseError):
        cursor.close()
    psycopg.Cursor.close(cursor.cursor)  # psycopg needs this, otherwise it would warn
    connection.close()


@pytest.mark.django_db
def test_a_wrong_statement_does_not_mean_an_unavailable_database():
    with pytest.raises(Exception, match="nowhere") as caught, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM nowhere")
    assert not is_outage(caught.value)
    assert is_outage(InterfaceError("the connection is closed"))
    assert not is_outage(ValueError("x"))
