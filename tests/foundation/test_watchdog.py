"""Notifies systemd, a supervisor and a container's health check while loops run."""

import os
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest

from foundation import watchdog
from tests.acceptance.processes import ROOT, environment, is_alive, until
from tests.ports import free_port

pytestmark = pytest.mark.any_database

TURNING = """
import sys, threading, time
from foundation import watchdog
second = threading.Event()
hang = threading.Event()

def beside():
    with watchdog.loop(patience=0.3):
        while not hang.wait(0.02):
            watchdog.turn()
        second.set()
        time.sleep(3600)

threading.Thread(target=beside, daemon=True).start()
with watchdog.loop():
    while True:
        watchdog.turn()
        time.sleep(0.02)
        if sys.stdin in __import__("select").select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()
            hang.set()
"""


@pytest.fixture
def systemd(tmp_path):
    """A notification socket like systemd's."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.settimeout(60)
        yield receiver


def _env(systemd, **changes):
    return {"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "400000", **changes}


def _wait_for_silence(systemd):
    """Wait until no notification has arrived for three times the usual interval."""
    systemd.settimeout(0.5)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            systemd.recv(100)
        except TimeoutError:
            return True
    return False


def test_systemd_is_notified_until_a_loop_of_the_process_hangs(systemd):
    command = [sys.executable, "-c", TURNING]
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | _env(systemd), stdin=subprocess.PIPE
    ) as process:
        try:
            assert systemd.recv(100) == b"READY=1\nWATCHDOG=1"
            assert {systemd.recv(100) for _ in range(5)} == {b"WATCHDOG=1"}

            process.stdin.write(b"\n")
            process.stdin.flush()

            assert _wait_for_silence(systemd)
            assert process.poll() is None
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("run_web", {}),
        pytest.param("run_web", {"WEB_PROCESSES": "2"}, marks=pytest.mark.release),
        ("run_tasks", {"CHECKER_SHIFTS": "0"}),
        pytest.param("run_relay", {}, marks=pytest.mark.release),
        pytest.param(
            "run_analytics", {"REDIS_URL": os.environ["REDIS_URL"]}, marks=pytest.mark.release
        ),
    ],
)
def test_each_process_reports_its_loops_until_it_is_stopped(data_dir, systemd, command, changes):
    changes = {"DATA_DIR": str(data_dir), "HTTP_PORT": str(free_port()), **changes}
    env = environment(**changes) | _env(systemd, ALIVE_FILE=str(data_dir / "alive"))
    with subprocess.Popen([sys.executable, "manage.py", command], cwd=ROOT, env=env) as process:
        try:
            assert systemd.recv(100) == b"READY=1\nWATCHDOG=1"
            assert systemd.recv(100) == b"WATCHDOG=1"
            assert _looks(env).returncode == 0

            process.send_signal(signal.SIGSTOP)

            assert _wait_for_silence(systemd)
            process.send_signal(signal.SIGCONT)
            systemd.settimeout(60)
            assert systemd.recv(100) == b"WATCHDOG=1"
        finally:
            process.terminate()
            assert process.wait(60) == 0


def test_a_container_is_unhealthy_when_its_loops_hang(tmp_path):
    alive = tmp_path / "alive"
    env = os.environ | {"ALIVE_FILE": str(alive)}
    assert _looks(env).returncode == 1

    alive.touch()
    assert _looks(env).returncode == 0

    long_ago = time.time() - watchdog.PATIENCE - 10
    os.utime(alive, (long_ago, long_ago))
    found = _looks(env)
    assert found.returncode == 1
    assert found.stdout.startswith("The process has been stuck for 13")


def _looks(env):
    command = [sys.executable, "-m", "foundation.watchdog"]
    return subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)


def test_a_thread_that_is_not_a_loop_sends_no_notice(tmp_path, monkeypatch):
    monkeypatch.setenv("ALIVE_FILE", str(tmp_path / "alive"))

    watchdog.turn()

    assert not (tmp_path / "alive").exists()


SUPERVISING = """
import os, pathlib, sys, time
import django
django.setup()
from datetime import timedelta
from foundation import watchdog
from linkwatch.processes.supervisor import Supervisor

watchdog.PATIENCE = 0.5
folder = pathlib.Path(sys.argv[1])

def be():
    (folder / str(os.getpid())).touch()
    with watchdog.loop():
        while len(list(folder.iterdir())) > 1:  # the first one hangs
            watchdog._notify_at = 0.0
            watchdog.turn()
            time.sleep(0.02)
        time.sleep(3600)

supervisor = Supervisor(grace=timedelta(seconds=1))
supervisor.fork("hangs", be)
supervisor.run()
"""


def test_a_supervisor_kills_a_child_that_hangs_and_starts_another(tmp_path):
    folder = tmp_path / "seen"
    folder.mkdir()
    changes = {"DATA_DIR": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "linkwatch.settings"}
    command = [sys.executable, "-c", SUPERVISING, str(folder)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(**changes), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            first = int(until(lambda: next(folder.iterdir(), None)).name)
            until(lambda: len(list(folder.iterdir())) == 2)
            assert not (psutil.pid_exists(first) and is_alive(psutil.Process(first)))
        finally:
            process.terminate()
            reported = process.communicate()[1]
    assert "hangs is stuck: killing and restarting it" in reported
