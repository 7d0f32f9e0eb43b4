"""`up` and its processes, tested with processes of the test."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta

import psutil
import pytest

from linkwatch.processes.supervisor import Process, Supervisor, check_fork_is_safe
from tests.acceptance.processes import ROOT, environment, is_alive, until

pytestmark = pytest.mark.any_database

STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(3600)
"""

# Forks two children that report when they run and when they are asked to stop.
FORKING = """
import os, pathlib, signal, sys, time
import django
django.setup()
from django.conf import settings
from foundation.shutdown import stop_on_signals, stop_requested
from linkwatch.processes.supervisor import Supervisor

folder = pathlib.Path(sys.argv[1])

def be(name):
    stop_on_signals()
    (folder / f"{name}.{os.getpid()}").touch()
    while not stop_requested():
        time.sleep(0.02)
    (folder / f"reported-{name}.{os.getpid()}").touch()

supervisor = Supervisor(grace=settings.SHUTDOWN_GRACE)
signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
supervisor.fork("first", lambda: be("first"))
supervisor.fork("second", lambda: be("second"))
supervisor.run()
"""


def test_a_process_that_does_not_stop_within_the_grace_is_killed(tmp_path, caplog):
    ready = tmp_path / "ready"
    supervisor = Supervisor(grace=timedelta(milliseconds=100))
    supervisor.add("stubborn", [sys.executable, "-c", STUBBORN, str(ready)])
    process = psutil.Process(supervisor.processes[0].running.pid)
    until(ready.exists)

    supervisor.stop()
    supervisor.run()

    assert not is_alive(process)
    assert "did not stop in time: killed" in caplog.text


@pytest.fixture
def forking(tmp_path):
    """A supervisor of two forked children in a separate process, and the children."""
    settings = {"DATA_DIR": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "linkwatch.settings"}
    command = [sys.executable, "-c", FORKING, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(**settings)) as process:
        pids = until(lambda: len(list(tmp_path.glob("*.*"))) == 2 and _pids(tmp_path))
        try:
            yield process, pids
        finally:
            process.kill()
            until(lambda: not any(is_alive(psutil.Process(pid)) for pid in _alive(tmp_path)))


def _pids(folder):
    return {path.stem: int(path.suffix[1:]) for path in folder.glob("[fs]*.*")}


def _alive(folder):
    return [pid for pid in _pids(folder).values() if psutil.pid_exists(pid)]


def _has_reported(folder, name, pid):
    return (folder / f"reported-{name}.{pid}").exists()


def test_only_the_stopped_child_ends_and_it_is_forked_again(forking, tmp_path):
    _, pids = forking
    os.kill(pids["first"], signal.SIGTERM)
    until(lambda: _has_reported(tmp_path, "first", pids["first"]))
    until(lambda: len(list(tmp_path.glob("first.*"))) == 2)

    assert is_alive(psutil.Process(pids["second"]))
    assert not _has_reported(tmp_path, "second", pids["second"])
    newer = next(
        int(path.suffix[1:])
        for path in tmp_path.glob("first.*")
        if path.suffix != f".{pids['first']}"
    )
    assert is_alive(psutil.Process(newer)), "it ignores the signal that was sent to its predecessor"


def test_a_killed_child_comes_back(forking, tmp_path):
    _, pids = forking
    os.kill(pids["first"], signal.SIGKILL)
    until(lambda: len(list(tmp_path.glob("first.*"))) == 2)


def test_all_children_end_with_a_supervisor_that_is_told_to_stop(forking, tmp_path):
    process, pids = forking
    process.terminate()
    assert process.wait(10) == 0
    assert all(_has_reported(tmp_path, name, pid) for name, pid in pids.items())
    assert not any(psutil.pid_exists(pid) for pid in pids.values())


def test_all_children_end_with_a_supervisor_that_is_killed(forking, tmp_path):
    process, pids = forking
    process.kill()
    process.wait()
    until(lambda: all(_has_reported(tmp_path, name, pid) for name, pid in pids.items()))


def test_a_process_with_a_thread_is_not_forked():
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match=r"Refusing to fork: the process has .* threads"):
            check_fork_is_safe()
    finally:
        ended.set()
        thread.join()


class RunningProcess:
    """A process that was started, and ends on request."""

    pid = 0

    def status(self):
        return 0

    def hangs(self):
        return False


def test_a_process_is_registered_even_if_a_signal_interrupts_its_start():
    def interrupt(*_):
        raise KeyboardInterrupt

    def begin():
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        return RunningProcess()

    supervisor = Supervisor(grace=timedelta(seconds=1))
    usual = signal.signal(signal.SIGTERM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            supervisor._add(Process("it", begin, is_dependency=False))
    finally:
        signal.signal(signal.SIGTERM, usual)
    (process,) = supervisor.processes
    assert isinstance(process.running, RunningProcess)


def test_a_stuck_process_is_killed_once_even_if_it_takes_a_while_to_end(monkeypatch):
    class StuckProcess(RunningProcess):
        def status(self):
            return None

        def hangs(self):
            return True

    killed = []
    monkeypatch.setattr(os, "killpg", lambda *parameters: killed.append(parameters))
    process = Process("stuck", StuckProcess, is_dependency=False)
    process.start()
    supervisor = Supervisor(grace=timedelta(seconds=1), processes=[process])
    for _ in range(3):
        supervisor.look_after()
    assert killed == [(0, signal.SIGKILL)]


def test_a_failed_restart_is_retried_while_other_processes_are_supervised():
    def refuse():
        raise BlockingIOError("no pid is left")

    supervisor = Supervisor(grace=timedelta(seconds=1))
    ill, other = (Process(name, refuse, is_dependency=False) for name in ("ill", "other"))
    other.running = RunningProcess()
    supervisor.processes = [ill, other]
    supervisor.look_after()
    assert ill.running is None
    assert ill.restart_at > time.monotonic()
    assert other.running is None, "the supervisor notices that it has ended"
