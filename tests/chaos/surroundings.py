"""What all parts share: the wires to the servers, and the time of day."""

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
    """The way of the product's processes to one server, which may be cut in one direction."""

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
        """Let nothing reach the server for so long; its answers still come."""
        self._cut(signal.SIGUSR1, seconds)

    def cut_back(self, seconds: float) -> None:
        """Let no answer come back for so long; the server still hears all."""
        self._cut(signal.SIGUSR2, seconds)

    def _cut(self, number: int, seconds: float) -> None:
        self.process.send_signal(number)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGHUP)


@dataclass
class TimeOfDay(Part):
    """The clocks of all parts, which jump alike. It is no process."""

    faults: Sequence[str] = ("jump",)
    clocks: Sequence[Clock] = ()

    def start(self) -> None:
        """It is there."""

    def has_ended(self) -> bool:
        return False

    def jump(self, seconds: float) -> None:
        self.shift(self.chance.choice([1, -1]) * timedelta(hours=1))
        time.sleep(seconds)
        self.shift(timedelta())

    def shift(self, shift: timedelta) -> None:
        for clock in self.clocks:
            clock.shift = shift
