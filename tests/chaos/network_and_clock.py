"""The environment that all parts share: the wires to the servers, and the time of day."""

import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from tests.acceptance.processes import until
from tests.chaos.parts import Part
from tests.hours.clock import Clock
from tests.ports import free_port


@dataclass
class Wire(Part):
    """The wire from the product's processes to one server; it can be cut in one direction."""

    faults: Sequence[str] = ("cut_there", "cut_back")
    socket: str = ""  # of the server
    port: int = field(default_factory=free_port)

    def start(self) -> None:
        self.popen(sys.executable, "-m", "tests.chaos.wire", str(self.port), self.socket)
        until(self._is_open)

    def _is_open(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def cut_there(self, seconds: float) -> None:
        """Drop data to the server for that many seconds; its answers still arrive."""
        self._cut(signal.SIGUSR1, seconds)

    def cut_back(self, seconds: float) -> None:
        """Drop all answers for that many seconds; the server still receives everything."""
        self._cut(signal.SIGUSR2, seconds)

    def _cut(self, number: int, seconds: float) -> None:
        self.process.send_signal(number)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGHUP)


@dataclass
class TimeOfDay(Part):
    """The clocks of all parts, which jump together. It is not a process."""

    faults: Sequence[str] = ("jump",)
    clocks: Sequence[Clock] = ()

    def start(self) -> None:
        """Do nothing: there is no process to start."""

    def has_ended(self) -> bool:
        return False

    def jump(self, seconds: float) -> None:
        self.shift(self.chance.choice([1, -1]) * timedelta(hours=1))
        time.sleep(seconds)
        self.shift(timedelta())

    def shift(self, shift: timedelta) -> None:
        for clock in self.clocks:
            clock.shift = shift
