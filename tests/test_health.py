"""Health reports the truth, also about a full disk, and in time when a service hangs."""

import asyncio
import json
import signal
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from uuid import uuid4

import psutil
import pytest
import redis
from django.core.cache import cache
from django.core.management import call_command
from django.db import OperationalError, connection
from django_q.models import Schedule

from checker import heartbeat
from checker.models import CheckResult, Tally
from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.ids import public_id
from foundation.valkey.clients import client
from hosts.models import Purpose, Slot
from hosts.reservations import schedule
from status import asgi, health
from targets.state import Outcome
from tests.acceptance.processes import PATIENCE, database_url
from tests.disks import filled, small_disk
from tests.ports import free_port
from tests.snippets.servers import valkey, web

IN_TIME = 2.0  # seconds


@pytest.fixture
def anew(monkeypatch):
    """Forget what is known of the database."""
    monkeypatch.setattr(health, "_COMPATIBLE", set())


def reported(port, path):
    """Return status, body and seconds of an answer."""
    began = time.monotonic()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as reply:
            status, text = reply.status, reply.read()
    except urllib.error.HTTPError as refused:
        status, text = refused.code, refused.read()
    return status, json.loads(text), time.monotonic() - began


@pytest.mark.django_db
def test_a_database_that_lacks_a_migration_serves_no_requests(anew, client):
    assert client.get("/readyz").json() == {
        "status": "ok",
        "dependencies": {"database": "ok", "schema": "ok"},
    }
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'snippets'")
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["dependencies"]["schema"]) == (503, "down")
    health._COMPATIBLE.clear()
    assert health.health_of("schema") == {"schema": "down"}
    assert client.get("/v1/health").json()["dependencies"]["schema"] == "down"


@pytest.mark.acceptance
@pytest.mark.any_database
def test_a_database_without_tables_serves_no_requests(tmp_path):
    with web(tmp_path, DATABASE_URL=str(tmp_path / "empty.db"), REDIS_URL="") as port:
        status, body, _ = reported(port, "/readyz")
        assert (status, body["dependencies"]) == (503, {"database": "ok", "schema": "down"})
        status, body, _ = reported(port, "/v1/health")
        assert (status, list(body)) == (
            503,
            ["status", "dependencies", "replica", "events", "network"],
        )
        parts = body["dependencies"]
        assert (parts["schema"], parts["redis"], parts["analytics"]) == ("down", "off", "off")


@pytest.mark.any_database
@pytest.mark.django_db
def test_a_full_disk_is_down(tmp_path, settings):
    with small_disk(tmp_path / "disk") as disk:
        settings.DATA_DIR = disk
        assert health.health_of("disk") == {"disk": "ok"}
        with filled(disk):
            assert health.health_of("disk") == {"disk": "down"}
        assert health.health_of("disk") == {"disk": "ok"}
        assert list(disk.iterdir()) == []


@pytest.mark.any_database
@pytest.mark.django_db
def test_a_folder_that_cannot_be_written_is_down(tmp_path, settings):
    settings.DATA_DIR = tmp_path / "gone"
    assert health.health_of("disk") == {"disk": "down"}


@pytest.mark.any_database
def test_a_redis_that_accepts_no_writes_is_down(tmp_path, settings):
    with valkey(port := free_port(), tmp_path):
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        assert health.health_of("redis") == {"redis": "ok"}
        server = redis.Redis(port=port)
        server.config_set("maxmemory", 1)
        server.config_set("maxmemory-policy", "noeviction")
        assert server.get("x") is None  # it answers
        server.close()
        assert health.health_of("redis") == {"redis": "down"}


@pytest.mark.any_database
def test_a_redis_that_is_not_configured_is_off(settings):
    settings.REDIS_URL = ""
    assert health.health_of("redis", "analytics") == {"redis": "off", "analytics": "off"}


@pytest.mark.django_db
def test_a_database_that_accepts_no_writes_is_down_and_the_probe_leaves_no_rows():
    assert health.health_of("database") == {"database": "ok"}
    assert not Tally.objects.exists()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        assert health.health_of("database") == {"database": "down"}


@pytest.mark.django_db
def test_unprocessed_tasks_are_reported(monkeypatch):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic() - 3600)
    now = database_now()
    task = Schedule.objects.create(func="none.such", next_run=now)
    assert health.health_of("tasks") == {"tasks": "ok"}
    Schedule.objects.filter(pk=task.pk).update(next_run=now - timedelta(minutes=6))
    assert health.health_of("tasks") == {"tasks": "down"}


@pytest.mark.django_db
def test_a_process_that_starts_waits_for_others_but_not_for_the_database(monkeypatch):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic())
    since = database_now() - timedelta(hours=1)
    Schedule.objects.create(func="none.such", next_run=since)
    Slot.objects.create(is_alias=False, key="a.example", not_before=since, check_ready_at=since)
    monkeypatch.setattr(heartbeat, "is_beating", lambda: False)
    assert health.health_of("tasks", "checker") == {"tasks": "ok", "checker": "ok"}

    def away():
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(health, "database_now", away)
    assert health.health_of("tasks", "checker") == {"tasks": "down", "checker": "down"}


@pytest.mark.django_db
def test_checks_that_stop_because_no_lease_is_free_are_down(monkeypatch, settings):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic() - 3600)
    heartbeat.beat()
    now = database_now()
    assert health.health_of("checker") == {"checker": "ok"}
    since = now - timedelta(minutes=10)
    Slot.objects.create(is_alias=False, key="a.example", not_before=since, check_ready_at=since)
    assert health.health_of("checker") == {"checker": "down"}
    settings.HTTP_TIMEOUT = timedelta(minutes=10)  # a check may last longer than its due time
    assert health.health_of("checker") == {"checker": "ok"}
    settings.HTTP_TIMEOUT = timedelta(seconds=5)
    settings.CHECK_INTERVAL = timedelta(minutes=10)  # an idle worker may look only then
    assert health.health_of("checker") == {"checker": "ok"}
    settings.CHECK_INTERVAL = timedelta(seconds=15)
    assert health.health_of("checker") == {"checker": "down"}
    # It is only busy: with a target, or with a URL that only a batch refers to.
    CheckResult.objects.create(
        target_id=public_id("target", uuid4()),
        checked_at=now - timedelta(minutes=1),
        outcome=Outcome.SUCCESS.value,
        latency_ms=5,
        attempts=1,
        final_url="",
    )
    assert not Tally.objects.exists()
    assert health.health_of("checker") == {"checker": "ok"}


@pytest.fixture
def nothing_announced():
    """No process has announced itself, and no checker worker has looked for hosts."""
    keys = [settings_comparison._key(kind) for kind in settings_comparison._KINDS]
    client().delete(*keys)
    cache.clear()
    yield
    client().delete(*keys)


@pytest.mark.django_db
def test_checks_are_off_with_an_explanation_if_no_process_checks(
    nothing_announced, monkeypatch, settings
):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic() - 3600)
    now = database_now()
    schedule({"a.example": now - timedelta(minutes=10)}, purpose=Purpose.CHECK, now=now)
    assert health.health_of("checker") == {"checker": "down"}  # no process runs
    settings.CHECKER_SHIFTS = 0
    settings_comparison.Announcement("run_tasks").renew()
    settings.CHECKER_SHIFTS = 1  # of this web process, which answers
    states = health.health_of("checker")
    why = "no targets are being checked, because every running process has CHECKER_SHIFTS=0"
    assert health.readiness(states) == {
        "status": "ok",
        "dependencies": {"checker": "off"},
        "reasons": {"checker": why},
    }
    part = health.parts(states)[-1]
    assert (part["state"], part["does"]) == ("off", why)
    out = StringIO()
    call_command("hosts", "explain", "a.example", stdout=out)
    assert out.getvalue().endswith(f" UTC, but {why}.\n")
    heartbeat.beat()  # as checker workers of 0.2.0 do, which announce nothing of this kind
    assert health.health_of("checker") == {"checker": "ok"}


@pytest.mark.django_db
def test_one_checking_process_is_enough_in_any_order_of_announcements(
    nothing_announced, monkeypatch, settings
):
    monkeypatch.setattr(health, "_STARTED_AT", time.monotonic() - 3600)
    for settings.CHECKER_SHIFTS in (2, 0):
        settings_comparison.Announcement("run_tasks").renew()
    assert health.health_of("checker") == {"checker": "down"}  # it should check, and does not
    heartbeat.beat()
    assert health.health_of("checker") == {"checker": "ok"}


async def answer(path):
    """Return status and body of the answer of the callable ahead of Django."""
    reported = await asgi.probe({"method": "GET", "path": path, "headers": []})()
    return reported.status, json.loads(reported.body)


@pytest.mark.django_db(transaction=True)
def test_a_hanging_check_is_down_in_time_and_occupies_one_thread(monkeypatch):
    hold, asked = threading.Event(), []

    def hang():
        asked.append(1)
        hold.wait()

    check = replace(health.CHECKS["database"], run=hang)
    monkeypatch.setitem(health.CHECKS, "database", check)
    monkeypatch.setattr(asgi, "MIN_TIMEOUT", 0.1)

    async def ask():
        try:
            return [await answer("/v1/health") for _ in range(3)] + [await answer("/readyz")]
        finally:
            hold.set()

    *whole, ready = asyncio.run(ask())
    for status, body in whole:
        assert (status, list(body["dependencies"])) == (503, list(health.CHECKS))
        assert body["dependencies"]["database"] == body["dependencies"]["tasks"] == "down"
    assert ready == (
        503,
        {"status": "down", "dependencies": dict.fromkeys(health.READINESS_CHECKS, "down")},
    )
    assert len(asked) == 2  # one for each path


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("hanging", ["redis", "checker", "disk", "tasks"])
def test_a_hanging_check_affects_only_those_on_the_same_server(monkeypatch, hanging):
    hold = threading.Event()
    check = health.CHECKS[hanging]
    for name, other in health.CHECKS.items():  # regardless of earlier tests
        monkeypatch.setitem(health.CHECKS, name, replace(other, run=lambda: "ok"))
    monkeypatch.setitem(health.CHECKS, hanging, replace(check, run=lambda: str(hold.wait())))
    monkeypatch.setattr(asgi, "MIN_TIMEOUT", 4.0)  # enough for the others on a busy machine

    async def ask():
        try:
            return await answer("/v1/health")
        finally:
            hold.set()

    _, body = asyncio.run(ask())
    names = list(health.CHECKS)
    behind = names[names.index(hanging) :]
    asked = [name for name in behind if health.CHECKS[name].is_on()]
    down = {name for name in asked if health.CHECKS[name].waits_for == check.waits_for}
    said = body["dependencies"]
    assert {name for name in names if said[name] == "down"} == down
    assert said["sentinels"] == "off"  # there are none, so no query is needed
    assert (body["events"], body["network"]) != (None, None)


@pytest.mark.django_db(transaction=True)
def test_a_good_result_before_a_hang_expires(monkeypatch):
    hold = threading.Event()
    monkeypatch.setitem(
        health.CHECKS, "tasks", replace(health.CHECKS["tasks"], run=lambda: str(hold.wait()))
    )
    monkeypatch.setattr(asgi, "MIN_TIMEOUT", 0.5)

    async def ask():
        try:
            return [await answer("/v1/health") for _ in range(4)]
        finally:
            hold.set()

    states = [body["dependencies"]["database"] for _, body in asyncio.run(ask())]
    assert (states[0], states[-1]) == ("ok", "down")


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="no process that could be stopped")
def test_a_stopped_database_is_reported_in_time(tmp_path):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own = cursor.fetchone()[0]
    server = psutil.Process(own).parent()
    with web(tmp_path, DATABASE_URL=database_url()) as port:
        assert reported(port, "/readyz")[0] == 200
        stopped = [server, *(child for child in server.children() if child.pid != own)]
        for process in stopped:
            with suppress(psutil.NoSuchProcess):  # of a connection that was closed just before
                process.send_signal(signal.SIGSTOP)
        try:
            answers = [reported(port, path) for path in ("/v1/health", "/readyz", "/livez") * 2]
        finally:
            for process in stopped:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(signal.SIGCONT)
        for status, body, took in answers:
            assert took < IN_TIME + 1  # of a machine that may be busy
            assert status == (503 if "dependencies" in body else 200)
        parts = answers[0][1]["dependencies"]
        assert list(parts) == list(health.CHECKS)
        assert (parts["database"], parts["redis"]) == ("down", "ok")
        assert min(took for *_, took in answers) < 0.3
