"""The product's processes on the machines that work, restarted as systemd would."""

import re
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from tests.acceptance.processes import ROOT, answers, is_alive, until
from tests.machines.network import Machine

KINDS = ("web", "tasks", "relay", "analytics")
PORT = 8080
_UNITS = ROOT / "deploy" / "systemd"
_INSTALLED = "/opt/linkwatch"
_LOOK = 0.1
_STOPS_WITHIN = 15.0  # seconds, TimeoutStopSec; then it is killed


def command_of(kind: str) -> list[str]:
    """Return the command of a unit, in this checkout."""
    text = (_UNITS / f"linkwatch-{kind}.service").read_text()
    (line,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    return str(line).replace(_INSTALLED, str(ROOT)).split()


def restart_after() -> float:
    """Return RestartSec in seconds."""
    (drop_in,) = (_UNITS / "linkwatch-.service.d").iterdir()
    (seconds,) = re.findall(r"^RestartSec=(\d+)$", drop_in.read_text(), re.MULTILINE)
    return float(seconds)


class Death(NamedTuple):
    """A process that ended without being stopped."""

    unit: str
    status: int  # like Popen.returncode
    at: float  # monotonic


@dataclass
class Unit:
    """One process on one machine."""

    kind: str
    machine: Machine
    settings: dict[str, str]
    log: Path
    process: Any = None

    @property
    def name(self) -> str:
        return f"{self.kind} on {self.machine.name}"

    def start(self) -> None:
        command = command_of(self.kind)
        self.process = self.machine.start(*command, log=self.log, **self.settings)


@dataclass
class Keeper:
    """Starts the units, restarts units that end, and records each end."""

    units: list[Unit]
    deaths: list[Death] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)  # of units that were stopped
    _kept: list[Unit] = field(default_factory=list)
    _looking: threading.Lock = field(default_factory=threading.Lock)  # at _kept
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        for unit in self.units:
            unit.start()
        self._kept = list(self.units)
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()
        webs = [unit.machine.outer_address for unit in self.units if unit.kind == "web"]
        until(lambda: all(answers(f"http://{web}:{PORT}/readyz") for web in webs))

    def _keep(self) -> None:
        due: dict[str, float] = {}
        while not self._over.wait(_LOOK):
            with self._looking:
                self._look(due)

    def _look(self, due: dict[str, float]) -> None:
        """Record the units that ended, and restart units that are due, by name."""
        for unit in self._kept:
            if unit.name in due:
                if time.monotonic() >= due[unit.name]:
                    del due[unit.name]
                    unit.start()
            elif not is_alive(unit.process):
                self.deaths.append(Death(unit.name, unit.process.wait(), time.monotonic()))
                due[unit.name] = time.monotonic() + restart_after()

    def stop(self, *kinds: str) -> None:
        """Stop the units of these kinds in order, by default all."""
        with self._looking:
            ending = [unit for unit in self._kept if not kinds or unit.kind in kinds]
            self._kept = [unit for unit in self._kept if unit not in ending]
        for unit in ending:
            unit.process.terminate()
        _, alive = psutil.wait_procs([unit.process for unit in ending], timeout=_STOPS_WITHIN)
        for process in alive:
            process.kill()
        self.statuses |= {unit.name: unit.process.wait() for unit in ending}
        if not self._kept:
            self._over.set()
