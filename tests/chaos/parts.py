"""Processes that are killed, stopped and restarted, and are back soon after."""

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
PAUSE = 1.0  # seconds until what has died is started again
_LOOK = 0.05
_TROUBLES = frozenset({"fill_disk", "flush", "jump"})  # in which it can be reached all the time
_HOUR = timedelta(hours=1)


@dataclass
class Outage:
    """When a part was away, or in trouble; monotonic."""

    start: float
    fault: str
    end: float = float("inf")
    is_away: bool = field(init=False)  # else it is there, and in trouble
    struck: float = float("-inf")  # just before it was killed, when it was
    killed: float = float("inf")  # just after

    def __post_init__(self) -> None:
        self.is_away = self.fault not in _TROUBLES


@dataclass
class Part(ABC):
    """One process with its children, or a server. Subclasses say how it starts."""

    name: str
    log: Path
    chance: random.Random
    faults: Sequence[str] = ("kill", "stop", "restart")
    outages: list[Outage] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    excuses: list[str] = field(default_factory=list)
    needs: Sequence["Part"] = ()  # the servers that it can't do without
    clock: Clock | None = None  # that it goes by; it may jump
    code: Path = ROOT  # the checkout whose code it runs
    process: Any = None  # psutil's, once it was started
    trouble: threading.Thread | None = None

    @abstractmethod
    def start(self) -> None:
        """Start it; returns when it is ready."""

    def popen(self, *command: str, **changes: str) -> None:
        """Start a process in a session of its own, its output in the log."""
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
        """Return the process, if there is one, and all below it."""
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
        """Kill it with -9; nothing of it stays, and it is started again."""
        family = self.family()
        with self.striking():
            self._kill(family)
        self.process.wait(PATIENCE)
        time.sleep(PAUSE)
        self.start()
        self._expect_gone(family)

    @contextmanager
    def striking(self) -> Iterator[None]:
        """Note when it is killed: to find all its processes takes longer than a flush."""
        outage = self.outages[-1]
        outage.struck = time.monotonic()
        yield
        outage.killed = time.monotonic()

    def _kill(self, family: list[psutil.Process]) -> None:
        family[0].kill()

    def stop(self, seconds: float) -> None:
        """Hold it for so long, as a machine that swaps does."""
        family = self.family()
        signal_all(family, signal.SIGSTOP)
        time.sleep(seconds)
        signal_all(reversed(family), signal.SIGCONT)

    def restart(self, _: float) -> None:
        """End it in order and start it again."""
        self.end()
        self.start()

    def jump(self, seconds: float) -> None:
        """Let its clock be an hour wrong for so long, and as suddenly right again."""
        assert self.clock
        self.clock.shift = self.chance.choice([_HOUR, -_HOUR])
        time.sleep(seconds)
        self.clock.shift = timedelta()

    def revive(self, _: float) -> None:
        """Start again what has ended by itself."""
        time.sleep(PAUSE)
        self.start()

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it in order; it is a complaint when that takes too long or is no success.

        A process that waits for an answer of a server that hangs, or is away, can't be woken but by
        its alarm, which is in time and therefore no fault then. With all servers there it is one.
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
            missing = [one.name for one in self.needs if one.was_hurt(started, ended)]
            if status == -signal.SIGALRM and missing:
                self.excuses.append(f"{said}: {', '.join(missing)} away meanwhile")
            else:
                self.complaints.append(said)

    def _expect_gone(self, family: list[psutil.Process]) -> None:
        """Nobody outlives a parent by more than the grace."""
        _, alive = psutil.wait_procs(family[1:], timeout=ENDS_WITHIN)
        if orphans := [one for one in alive if is_alive(one)]:
            self.complaints.append(f"{self.name} left behind {orphans}")
            signal_all(orphans, signal.SIGKILL)

    def was_away(self, start: float, end: float) -> bool:
        """Whether it was, for a moment of that time."""
        return any(one.is_away for one in self.outages_in(start, end))

    def was_hurt(self, start: float, end: float) -> bool:
        """Whether it was away or in trouble, for a moment of that time."""
        return bool(self.outages_in(start, end))

    def outages_in(self, start: float, end: float) -> list[Outage]:
        return [one for one in self.outages if one.start <= end and start <= one.end]

    def destroy(self) -> None:
        """Leave nothing of it."""
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
    """One of the product's: `manage.py COMMAND`."""

    command: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    url: str | None = None  # answers with 200 when it serves
    kills_children: bool = False

    def start(self) -> None:
        self.popen(sys.executable, "manage.py", self.command, **self.settings)
        until(lambda: self.is_ready() or not is_alive(self.process))

    def is_ready(self) -> bool:
        """Whether it would end in order, and serves."""
        return _minds_sigterm(self.process.pid) and (self.url is None or answers(self.url))

    def _kill(self, family: list[psutil.Process]) -> None:
        self.chance.choice(family if self.kills_children else family[:1]).kill()
