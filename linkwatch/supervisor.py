"""Run several processes as one: start, restart what dies, stop all within a grace.

Not a service manager: for `manage.py up` only, where systemd or compose would be too much.
"""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from foundation.shutdown import die_with_parent

logger = logging.getLogger(__name__)

LOOK = 0.1  # seconds between looks at the processes
_FIRST_PAUSE = 1.0  # seconds before a restart, doubled while a process does not stay up
_LONGEST_PAUSE = 30.0
_STAYED_UP = 60.0  # seconds
_LAST_MERCY = 0.8  # seconds after the grace until what is left is killed


@dataclass(slots=True)
class Process:
    """One supervised process."""

    name: str
    command: Sequence[str]
    others_need_it: bool  # stopped when the others are
    popen: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0  # monotonic
    restart_at: float = 0.0  # monotonic
    pause: float = _FIRST_PAUSE

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it in a session of its own: a Ctrl-C is for the supervisor alone."""
        self.started = time.monotonic()
        self.popen = subprocess.Popen(  # noqa: S603
            self.command,
            env=environment,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )

    def note_death(self) -> None:
        """Plan the restart of a process that ended by itself."""
        if self.popen is None:
            return
        now = time.monotonic()
        self.pause = _FIRST_PAUSE if now - self.started > _STAYED_UP else self.pause
        logger.error(
            "%s ended with status %s; it starts again in %.0f s",
            self.name,
            self.popen.returncode,
            self.pause,
        )
        self.popen = None
        self.restart_at = now + self.pause
        self.pause = min(2 * self.pause, _LONGEST_PAUSE)


@dataclass(slots=True)
class Supervisor:
    """Keeps processes running until `stop` is called, as from a signal handler.

    They get `grace` to end; all is over within `grace` and 2 s.
    """

    environment: Mapping[str, str]
    grace: timedelta
    processes: list[Process] = field(default_factory=list)
    stopping: bool = False

    def add(self, name: str, command: Sequence[str], *, others_need_it: bool = False) -> None:
        """Start a process and look after it from now on."""
        process = Process(name, command, others_need_it)
        process.start(self.environment)
        self.processes.append(process)

    def stop(self) -> None:
        """Ask `run` to stop everything."""
        self.stopping = True

    def run(self) -> None:
        """Restart what dies until `stop` is called; then stop all, what others need at last."""
        while not self.stopping:
            self.look_after()
            time.sleep(LOOK)
        self._stop_all()

    def look_after(self) -> None:
        """Notice what has died, and restart what has been dead for its pause. Returns at once."""
        for process in self.processes:
            if process.popen is None:
                if time.monotonic() >= process.restart_at:
                    process.start(self.environment)
            elif process.popen.poll() is not None:
                process.note_death()

    def _stop_all(self) -> None:
        deadline = time.monotonic() + self.grace.total_seconds() + _LAST_MERCY
        for needed in (False, True):
            group = [process for process in self.processes if process.others_need_it is needed]
            alive = [process.popen for process in group if process.popen is not None]
            for popen in alive:
                popen.send_signal(signal.SIGTERM)  # the pid, never the group
            for popen in alive:
                _wait_or_kill(popen, deadline)


def _wait_or_kill(popen: "subprocess.Popen[bytes]", deadline: float) -> None:
    try:
        popen.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        logger.error("Process %d did not stop in time: killed", popen.pid)  # noqa: TRY400
        os.killpg(popen.pid, signal.SIGKILL)
        popen.wait()
