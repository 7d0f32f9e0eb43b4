"""Processes that are killed, stopped and restarted, and are soon available again."""

import random
import re
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil

from tests.acceptance.processes import PATIENCE, ROOT, answers, environment, is_alive, until
from tests.hours.clock import Clock

GRACE = 10.0  # SHUTDOWN_GRACE of the processes, in seconds
ENDS_WITHIN = GRACE + 2
PAUSE = 1.0  # seconds until a part that has died is started again
_LOOK = 0.05
_TROUBLES = frozenset({"fill_disk", "flush", "jump"})  # it can be reached the whole time
_HOUR = timedelta(hours=1)


@dataclass
class Outage:
    """A time (monotonic) in which a part was unavailable or in trouble."""

    start: float
    fault: str
    end: float = float("inf")
    is_away: bool = field(init=False)  # otherwise it can be reached, and is in trouble
    struck: float = float("-inf")  # just before it was killed, if it was
    killed: float = float("inf")  # just after it was killed

    def __post_init__(self) -> None:
        self.is_away = self.fault not in _TROUBLES


@dataclass
class Part(ABC):
    """One process with its children, or a server. Subclasses implement the start."""

    name: str
    log: Path
    chance: random.Random
    faults: Sequence[str] = ("kill", "stop", "restart")
    outages: list[Outage] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    excuses: list[str] = field(default_factory=list)
    needs: Sequence["Part"] = ()  # the servers that it depends on
    clock: Clock | None = None  # its own clock, which may jump
    code: Path = ROOT  # the checkout whose code it runs
    process: Any = None  # the process, as psutil has it, once it was started
    trouble: threading.Thread | None = None

    @abstractmethod
    def start(self) -> None:
        """Start the part; returns when it is ready."""

    def popen(self, *command: str, **changes: str) -> None:
        """Start a process in its own session; its output goes to the log."""
        if self.clock:
            changes = self.clock.environment | changes
        with self.log.open("ab") as log:
            self.process = psutil.Popen(
                command,
                cwd=self.code,
                env=environment(**changes),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def has_ended(self) -> bool:
        return not is_alive(self.process)

    def is_well(self) -> bool:
        return self.trouble is None or not self.trouble.is_alive()

    def family(self) -> list[psutil.Process]:
        """Return the process, if it exists, and all its descendants."""
        try:
            return [self.process, *self.process.children(recursive=True)]
        except (AttributeError, psutil.NoSuchProcess):
            return []

    def suffer(self, fault: str, *, seconds: float = 0.0) -> None:
        """Let `fault` happen in the background; it is over when the part is ready again."""
        outage = Outage(time.monotonic(), fault)
        self.outages.append(outage)

        def happen() -> None:
            try:
                getattr(self, fault)(seconds)
            except Exception as error:  # noqa: BLE001 (for the audit)
                self.complaints.append(f"{self.name}, {fault}: {error!r}")
            outage.end = time.monotonic()

        self.trouble = threading.Thread(target=happen, name=f"{self.name}: {fault}")
        self.trouble.start()

    def kill(self, _: float) -> None:
        """Kill the part and its children with SIGKILL, and start it again."""
        family = self.family()
        with self.striking():
            self._kill(family)
        self.process.wait(PATIENCE)
        time.sleep(PAUSE)
        self.start()
        self._expect_gone(family)

    @contextmanager
    def striking(self) -> Iterator[None]:
        """Note the time of the kill: finding all its processes takes longer than a flush."""
        outage = self.outages[-1]
        outage.struck = time.monotonic()
        yield
        outage.killed = time.monotonic()

    def _kill(self, family: list[psutil.Process]) -> None:
        family[0].kill()

    def stop(self, seconds: float) -> None:
        """Stop the process for that many seconds, like a machine that swaps."""
        family = self.family()
        signal_all(family, signal.SIGSTOP)
        time.sleep(seconds)
        signal_all(reversed(family), signal.SIGCONT)

    def restart(self, _: float) -> None:
        """Stop the part in order and start it again."""
        self.end()
        self.start()

    def jump(self, seconds: float) -> None:
        """Make its clock wrong by an hour for that many seconds."""
        assert self.clock
        self.clock.shift = self.chance.choice([_HOUR, -_HOUR])
        time.sleep(seconds)
        self.clock.shift = timedelta()

    def revive(self, _: float) -> None:
        """Restart a part that has ended unexpectedly."""
        time.sleep(PAUSE)
        self.start()

    def end(self, number: int = signal.SIGTERM) -> None:
        """Stop the part normally; a slow end or an error status is a complaint.

        Only its alarm can end a process that waits for a hanging or unavailable server. If the
        alarm comes in time, it is no fault; with all servers available it is a fault.
        """
        family, started = self.family(), time.monotonic()
        self.process.send_signal(number)
        try:
            status = self.process.wait(ENDS_WITHIN)
        except psutil.TimeoutExpired:
            self.complaints.append(f"{self.name} did not end within {ENDS_WITHIN} s")
            signal_all(family, signal.SIGKILL)
            status = self.process.wait(PATIENCE)
        else:
            self._expect_gone(family)
        ended = time.monotonic()
        if status:
            said = f"{self.name} ended with {status} after {ended - started:.1f} s"
            missing = [one.name for one in self.needs if one.had_fault(started, ended)]
            if status == -signal.SIGALRM and missing:
                self.excuses.append(f"{said}: {', '.join(missing)} away meanwhile")
            else:
                self.complaints.append(said)

    def _expect_gone(self, family: list[psutil.Process]) -> None:
        """Check that no child outlives its parent by more than the grace."""
        _, alive = psutil.wait_procs(family[1:], timeout=ENDS_WITHIN)
        if orphans := [one for one in alive if is_alive(one)]:
            self.complaints.append(f"{self.name} left behind {orphans}")
            signal_all(orphans, signal.SIGKILL)

    def was_away(self, start: float, end: float) -> bool:
        """Return whether the part was unavailable at any moment of that time."""
        return any(one.is_away for one in self.outages_in(start, end))

    def had_fault(self, start: float, end: float) -> bool:
        """Return whether the part was unavailable or in trouble at any moment of that time."""
        return bool(self.outages_in(start, end))

    def outages_in(self, start: float, end: float) -> list[Outage]:
        return [one for one in self.outages if one.start <= end and start <= one.end]

    def destroy(self) -> None:
        """Kill the part and its children permanently."""
        if self.trouble is not None:
            self.trouble.join(PATIENCE)
        family = self.family()
        signal_all(family, signal.SIGKILL)
        for process in family[:1]:
            process.wait(PATIENCE)


def signal_all(family: Iterable[psutil.Process], number: int) -> None:
    for process in family:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue


def _minds_sigterm(pid: int) -> bool:
    with suppress(OSError):
        (caught,) = re.findall(r"SigCgt:\s+(\w+)", Path(f"/proc/{pid}/status").read_text())
        return bool(int(caught, 16) >> signal.SIGTERM - 1 & 1)
    return False


@dataclass
class Process(Part):
    """A process of the product: `manage.py COMMAND`."""

    command: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    url: str | None = None  # answers with 200 when the process serves
    kills_children: bool = False

    def start(self) -> None:
        self.popen(sys.executable, "manage.py", self.command, **self.settings)
        until(lambda: self.is_ready() or not is_alive(self.process))

    def is_ready(self) -> bool:
        """Return whether the process handles SIGTERM and serves."""
        return _minds_sigterm(self.process.pid) and (self.url is None or answers(self.url))

    def _kill(self, family: list[psutil.Process]) -> None:
        self.chance.choice(family if self.kills_children else family[:1]).kill()
