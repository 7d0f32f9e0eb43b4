"""Runs several processes as one: starts them, restarts dead ones, stops all within a grace period.

It is not a service manager: it serves `manage.py up` and several web processes only, where systemd
or compose would be too much. Our own processes are forked from this one, which has imported
everything and has no threads or connections (ADR 24); other programs are commands.
"""

import gc
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from ctypes import c_double
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from django.db import connections

from foundation import watchdog
from foundation.shutdown import (
    STOP_SIGNALS,
    die_with_parent,
    name_process,
    reset_in_child,
    stop_signals_blocked,
)

logger = logging.getLogger(__name__)

_CHECK_INTERVAL = 0.25  # seconds between checks of the processes
_FIRST_PAUSE = 1.0  # seconds before a restart, doubled while a process keeps dying
_MAX_PAUSE = 30.0
_STABLE_AFTER = 60.0  # seconds of running after which the pause is reset
_STOP_POLL_INTERVAL = 0.05  # seconds between checks while processes stop
_KILL_AFTER = 0.8  # seconds after the grace period until remaining processes are killed
_fork = multiprocessing.get_context("fork")


class _Running(Protocol):
    """A process that was started."""

    @property
    def pid(self) -> int: ...

    def status(self) -> int | None:
        """Return the process's exit status, or None while it runs. Leaves no zombie behind."""

    def hangs(self) -> bool:
        """Return whether the last report of the process's loops is too old."""


class _Command:
    """A program in its own session, so that Ctrl-C reaches only the supervisor."""

    def __init__(self, command: Sequence[str]) -> None:
        self._popen = subprocess.Popen(  # noqa: S603
            command, start_new_session=True, preexec_fn=_prepare_child
        )
        self.pid = self._popen.pid

    def status(self) -> int | None:
        return self._popen.poll()

    def hangs(self) -> bool:
        return False  # other programs don't report


class _Fork:
    """A function that runs in a forked process with its own session."""

    def __init__(self, name: str, run: Callable[[], None]) -> None:
        check_fork_is_safe()
        self._heartbeat = watchdog.new_heartbeat()
        self._process = _fork.Process(
            target=_begin, args=(name, run, os.getpid(), self._heartbeat), name=name
        )
        self._process.start()
        self.pid = int(self._process.pid or 0)

    def status(self) -> int | None:
        return self._process.exitcode

    def hangs(self) -> bool:
        return watchdog.hangs(self._heartbeat)


def check_fork_is_safe() -> None:
    """Raise RuntimeError if a child would share more than memory with this process.

    Threads are not forked, and their locks stay locked; database connections, or SQLite's locks,
    would be shared. (Redis clients are separated by pid.)
    """
    threads = [path.name for path in Path("/proc/self/task").glob("*")]
    if len(threads) > 1:
        raise RuntimeError(f"Refusing to fork: the process has {len(threads)} threads.")
    if any(database.connection is not None for database in connections.all(initialized_only=True)):
        raise RuntimeError("Refusing to fork: the process has an open database connection.")


def freeze() -> None:
    """Share existing objects with future children: the garbage collector ignores them."""
    gc.collect()
    gc.freeze()


def _prepare_child() -> None:
    die_with_parent()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _begin(name: str, run: Callable[[], None], parent: int, heartbeat: "c_double") -> None:
    """Call `run` in a forked child: an independent process, as if a shell had started it."""
    os.setsid()
    die_with_parent()
    if os.getppid() != parent:  # the parent has already ended
        os._exit(1)
    reset_in_child()
    watchdog.start_in_child(heartbeat)
    name_process(name)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    try:
        run()
    except Exception:
        logger.exception("%s has failed", name)
        sys.exit(1)


@dataclass(slots=True)
class Process:
    """One supervised process."""

    name: str
    begin: Callable[[], _Running]
    is_dependency: bool  # stopped after the others
    running: _Running | None = None
    started_at: float = 0.0  # monotonic
    restart_at: float = 0.0  # monotonic
    pause: float = _FIRST_PAUSE
    is_killed: bool = False  # because it was stuck; it may take a while to end

    def start(self) -> None:
        """Start the process, with stop signals blocked: `_stop_all` must know each process."""
        self.started_at, self.is_killed = time.monotonic(), False
        with stop_signals_blocked():
            self.running = self.begin()

    def note_death(self, status: int) -> None:
        """Schedule the restart of a process that has ended or could not be started."""
        now = time.monotonic()
        self.pause = _FIRST_PAUSE if now - self.started_at > _STABLE_AFTER else self.pause
        logger.error("%s ended with status %s; restarting in %.0f s", self.name, status, self.pause)
        self.running = None
        self.restart_at = now + self.pause
        self.pause = min(2 * self.pause, _MAX_PAUSE)


@dataclass(slots=True)
class Supervisor:
    """Keeps processes running until `stop` is called, for example by a signal handler.

    Then, the processes get `grace` to end, and are killed if necessary; all end within `grace` plus
    2 s.
    """

    grace: timedelta
    processes: list[Process] = field(default_factory=list)
    stopping: bool = False

    def add(self, name: str, command: Sequence[str], *, is_dependency: bool = False) -> Process:
        """Start a program and supervise it from now on."""
        return self._add(Process(name, lambda: _Command(command), is_dependency))

    def fork(self, name: str, run: Callable[[], None]) -> None:
        """Run a function in a child process and supervise it from now on.

        A process that has ended is forked again, with this process's code. Raises RuntimeError if
        `check_fork_is_safe` does.
        """
        self._add(Process(name, lambda: _Fork(name, run), is_dependency=False))

    def _add(self, process: Process) -> Process:
        self.processes.append(process)
        process.start()
        return process

    def stop(self) -> None:
        """Ask `run` to stop everything."""
        self.stopping = True

    def run(self) -> None:
        """Until `stop` is called, restart processes that die; then stop all, dependencies last."""
        try:
            with watchdog.loop():
                while not self.stopping:
                    watchdog.turn()
                    self.look_after()
                    time.sleep(_CHECK_INTERVAL)
        finally:
            self._stop_all()

    def look_after(self) -> None:
        """Restart dead processes whose pause is over, and kill stuck ones. Returns at once."""
        for process in self.processes:
            if process.running is None:
                if time.monotonic() >= process.restart_at:
                    self._restart(process)
            elif (status := process.running.status()) is not None:
                process.note_death(status)
            elif process.running.hangs() and not process.is_killed:
                logger.critical("%s is stuck: killing and restarting it", process.name)
                os.killpg(process.running.pid, signal.SIGKILL)
                process.is_killed = True

    def _restart(self, process: Process) -> None:
        try:
            process.start()
        except (OSError, RuntimeError, subprocess.SubprocessError):  # out of memory or process ids
            logger.exception("%s cannot be started", process.name)
            process.note_death(1)

    def _stop_all(self) -> None:
        deadline = time.monotonic() + self.grace.total_seconds() + _KILL_AFTER
        for is_dependency in (False, True):
            group = [item for item in self.processes if item.is_dependency == is_dependency]
            alive = [
                item.running for item in group if item.running and item.running.status() is None
            ]
            for process in alive:
                os.kill(process.pid, signal.SIGTERM)  # the pid, never the group
            for process in alive:
                _wait_or_kill(process, deadline)


def _wait_or_kill(process: _Running, deadline: float) -> None:
    deadline = max(deadline, time.monotonic() + 0.1)
    while process.status() is None:
        if time.monotonic() > deadline:
            logger.error("Process %d did not stop in time: killed", process.pid)
            os.killpg(process.pid, signal.SIGKILL)
            deadline += 3600.0  # this signal can't be ignored
        time.sleep(_STOP_POLL_INTERVAL)
