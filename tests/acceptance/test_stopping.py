"""Every process ends in time after a signal: to its pid or group, repeated, or during start-up."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from tests.acceptance.processes import (
    PATIENCE,
    ROOT,
    answers,
    environment,
    is_alive,
    running,
    until,
)
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

GRACE = 6.0  # seconds
WITHIN = GRACE + 2
KINDS = ("run_web", "run_tasks", "run_relay", "run_analytics", "up")
# Seconds after the start; on a slow machine, processes are still starting then.
MOMENTS = (0.3, 0.7, 1.1, 1.6)
_TASKS = 2 + 2 + 1  # workers, django-q2's monitor and pusher, a checker worker
_CHILDREN = {"run_tasks": _TASKS, "up": 4 + _TASKS}  # Valkey and three others


@contextmanager
def process(kind, data_dir, **changes):
    port = str(free_port())
    changes |= {"DATA_DIR": str(data_dir), "HTTP_PORT": port, "SHUTDOWN_GRACE": f"{GRACE:.0f}s"}
    if kind != "up":
        changes["REDIS_URL"] = settings.REDIS_URL
    with running(kind, log=data_dir / "log", **changes) as started:
        yield started, f"http://127.0.0.1:{port}/livez"


def _catches(pid, number):
    mask = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())[1]
    return bool(int(mask, 16) >> (number - 1) & 1)


def _runs(kind, pid, livez):
    if kind in ("run_web", "up") and not answers(livez):
        return False
    children = psutil.Process(pid).children(recursive=True)
    return _catches(pid, signal.SIGTERM) and len(children) >= _CHILDREN.get(kind, 0)


def _ends_in_time(started, family):
    """Return the exit status; fails if the process or its children do not end in time."""
    status = started.wait(WITHIN)
    until(lambda: not any(is_alive(child) for child in family), within=2)
    return status


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_stops_cleanly_when_its_group_is_signalled_twice(kind, data_dir):
    with process(kind, data_dir) as (started, livez):
        until(lambda: _runs(kind, started.pid, livez))
        family = psutil.Process(started.pid).children(recursive=True)
        os.killpg(started.pid, signal.SIGTERM)
        time.sleep(0.2)  # it is stopping, or has ended
        os.killpg(started.pid, signal.SIGTERM)
        assert _ends_in_time(started, family) == 0
    assert "Traceback" not in (data_dir / "log").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_stops_cleanly_on_ctrl_c_at_every_process(kind, data_dir):
    with process(kind, data_dir) as (started, livez):
        until(lambda: _runs(kind, started.pid, livez))
        family = psutil.Process(started.pid).children(recursive=True)
        # A service manager signals every process in any group.
        for pid in (started.pid, *(child.pid for child in family)):
            os.kill(pid, signal.SIGINT)
        assert _ends_in_time(started, family) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_stops_when_signalled_during_startup(kind, data_dir):
    for moment in MOMENTS:
        with process(kind, data_dir) as (started, _):
            time.sleep(moment)
            family = psutil.Process(started.pid).children(recursive=True)
            os.killpg(started.pid, signal.SIGTERM)
            # Until it handles the signal, the signal simply ends it.
            assert _ends_in_time(started, family) in (0, -signal.SIGTERM)


def test_a_stopped_or_killed_up_leaves_nothing_in_the_temporary_folder(data_dir):
    """Its web process compresses static files; Valkey's socket needs a path shorter than this."""
    deep = data_dir / ("deep-" * 20)
    deep.mkdir()
    shutil.move(data_dir / "linkwatch.db", deep)
    with tempfile.TemporaryDirectory() as temporary:  # pytest's own folder has a long path, too
        for ends_by in (signal.SIGKILL, signal.SIGTERM):
            with process("up", deep, TMPDIR=temporary) as (started, livez):
                until(lambda: _runs("up", started.pid, livez))
                style = livez.replace("livez", "static/linkwatch/linkwatch.css")
                request = urllib.request.Request(style, headers={"Accept-Encoding": "gzip"})
                with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                    assert response.headers["Content-Encoding"] == "gzip"
                family = psutil.Process(started.pid).children(recursive=True)
                assert len(os.listdir(temporary)) == 2
                started.send_signal(ends_by)
                assert _ends_in_time(started, family) == (0 if ends_by == signal.SIGTERM else -9)
        assert os.listdir(temporary) == []


def _up(data_dir, *, fault):
    """Run `up` in a process in which these lines of Python have put a fault; return its end."""
    script = f"""
import os, signal
import django
django.setup()
from django.core.management import call_command
{fault}
call_command("up")
"""
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(
            DATA_DIR=str(data_dir),
            HTTP_PORT=str(free_port()),
            DJANGO_SETTINGS_MODULE="linkwatch.settings",
        ),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_up_stops_cleanly_when_signalled_during_exec_of_text(data_dir):
    fault = """
from linkwatch.management.commands import up
up._migrate = lambda: exec("os.kill(os.getpid(), signal.SIGTERM)")
"""
    ended = _up(data_dir, fault=fault)
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "Linkwatch has stopped.")


def test_a_first_start_that_is_stopped_leaves_no_operator_with_an_unknown_password(data_dir):
    fault = """
from accounts import tokens
tokens.create = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)
"""
    ended = _up(data_dir, fault=fault)
    assert (ended.returncode, "password" in ended.stdout) == (0, False)
    with contextlib.closing(sqlite3.connect(data_dir / "linkwatch.db")) as database:
        assert database.execute("SELECT count(*) FROM auth_user").fetchone() == (0,)


def test_a_task_that_ignores_a_stop_ends_with_the_other_processes(data_dir):
    queue = "from django_q.tasks import async_task; async_task('time.sleep', 300)"
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", queue],
        cwd=ROOT,
        env=environment(DATA_DIR=str(data_dir), REDIS_URL=settings.REDIS_URL),
        check=True,
    )
    with process("run_tasks", data_dir) as (started, livez):
        until(lambda: _runs("run_tasks", started.pid, livez))
        until(lambda: _task_has_started(data_dir))
        family = psutil.Process(started.pid).children(recursive=True)
        os.killpg(started.pid, signal.SIGTERM)
        assert _ends_in_time(started, family) == -signal.SIGALRM


def _task_has_started(data_dir):
    """Return whether a worker has the task: django-q2 locks a task by a time in the future."""
    with contextlib.closing(sqlite3.connect(data_dir / "linkwatch.db")) as database:
        found = database.execute(
            "SELECT count(*) FROM django_q_ormq WHERE lock > datetime('now', '+1 minute')"
        )
        return found.fetchone()[0] == 1


def test_web_stops_cleanly_while_requests_wait_for_a_hanging_database(data_dir):
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as stack:
        host, port = silent.getsockname()
        own = str(free_port())
        changes = {
            "DATABASE_URL": f"postgresql://u@{host}:{port}/x?connect_timeout=300",
            "DATA_DIR": str(data_dir),
            "HTTP_PORT": own,
            "REDIS_URL": settings.REDIS_URL,
            "SHUTDOWN_GRACE": "2s",
        }
        log = data_dir / "log"
        started = stack.enter_context(running("run_web", log=log, **changes))
        until(lambda: answers(f"http://127.0.0.1:{own}/livez"))
        client = stack.enter_context(socket.create_connection(("127.0.0.1", int(own))))
        client.sendall(
            b"GET /v1/targets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token x\r\n\r\n"
        )
        for _ in ("whether it may run", "what heals the cache", "the request"):
            stack.enter_context(silent.accept()[0])
        started.terminate()
        assert started.wait(2 + 2) == 0
        assert b" 503 " in client.recv(65536)
    assert "GET /v1/targets did not finish before the shutdown" in log.read_text()
    assert re.search(
        "Threads did not finish before the stop and are abandoned: .*WSGI_0", log.read_text()
    )


@pytest.fixture
def _without_nohup():
    """Give started processes the default of SIGHUP, even if the tests run under `nohup`."""
    # A new program inherits that a signal is ignored, but not that it has a handler.
    usual = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, usual)


@pytest.mark.usefixtures("_without_nohup")
@pytest.mark.parametrize("kind", ["up", "run_web"])
def test_a_process_stops_cleanly_when_its_terminal_is_closed(kind, data_dir):
    with process(kind, data_dir) as (started, livez):
        until(lambda: _runs(kind, started.pid, livez))
        family = psutil.Process(started.pid).children(recursive=True)
        started.send_signal(signal.SIGHUP)
        assert _ends_in_time(started, family) == 0
    assert "Traceback" not in (data_dir / "log").read_text()


@pytest.mark.usefixtures("_without_nohup")
@pytest.mark.parametrize(("wrapper", "is_heeded"), [([], True), (["nohup"], False)])
def test_a_process_under_nohup_ignores_hangups(wrapper, is_heeded):
    ask = "import signal, foundation.shutdown as s; print(signal.SIGHUP in s.STOP_SIGNALS)"
    command = [*wrapper, sys.executable, "-c", ask]
    reported = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert reported.stdout.strip() == str(is_heeded).encode()


def test_a_hanging_process_is_ended_by_an_alarm(tmp_path):
    hanging = """
import os, pathlib, signal, sys
from django.conf import settings
from foundation.shutdown import stop_on_signals
assert settings.SHUTDOWN_GRACE
stop_on_signals()
pathlib.Path(sys.argv[1]).touch()
while True:
    signal.pause()
"""
    changes = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "linkwatch.settings"}
    ready = tmp_path / "ready"
    with subprocess.Popen(
        [sys.executable, "-c", hanging, str(ready)],
        cwd=ROOT,
        env=environment(SHUTDOWN_GRACE="1s", **changes),
    ) as started:
        until(ready.exists)
        for _ in range(3):
            started.terminate()
            time.sleep(0.1)  # a later signal does not extend the time
        assert started.wait(PATIENCE) == -signal.SIGALRM


def _ask_until_refused(port, headers, failures):
    """Send requests until a connection is refused; note lost requests."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    while True:
        try:
            client.connect()
        except (ConnectionRefusedError, ConnectionResetError):
            return  # before any request; a proxy uses another server
        is_kept = True
        while is_kept:
            try:
                client.request("GET", "/livez", headers=headers)
                response = client.getresponse()
                response.read()
            except (OSError, http.client.HTTPException) as error:
                failures.append(repr(error))
                client.close()
                break
            is_kept = response.getheader("Connection") != "close"


@pytest.mark.parametrize(("connection", "lost"), [("keep-alive", 0), ("close", 2)])
def test_a_web_server_that_stops_loses_no_request(data_dir, connection, lost):
    """Requests are answered until a response announces the connection's end; later connections are
    refused. The kernel may reset a few of those that 24 clients open just when the server stops."""
    failures = []
    with process("run_web", data_dir) as (started, livez):
        until(lambda: answers(livez))
        port = int(livez.split(":")[2].split("/")[0])
        arguments = port, {"Connection": connection}, failures
        clients = [threading.Thread(target=_ask_until_refused, args=arguments) for _ in range(24)]
        for client in clients:
            client.start()
        time.sleep(0.5)  # all are connected
        started.send_signal(signal.SIGTERM)
        for client in clients:
            client.join()
        assert started.wait(WITHIN) == 0
    assert len(failures) <= lost, failures
