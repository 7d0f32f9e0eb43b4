"""A watchdog: a process reports that its loops run; a hanging process is killed and restarted.

Each loop of a process calls `turn` in each iteration. While all loops do so, the process notifies
the supervisor that forked it (shared memory), systemd (`NOTIFY_SOCKET`, with `Type=notify` and
WatchdogSec), or the health check of a container (ALIVE_FILE, which `python -m foundation.watchdog`
reads). No separate thread notifies, because it would continue while a loop hangs.
"""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import c_double
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawValue
from pathlib import Path

logger = logging.getLogger(__name__)

PATIENCE = 120.0  # seconds without a turn: longer than an unreachable server blocks a loop
_NOTICE_INTERVAL = 5.0  # seconds between two notices


@dataclass(slots=True)
class _Loop:
    name: str
    patience: float  # seconds
    turned_at: float  # monotonic


_loops: dict[int, _Loop] = {}  # by thread
_heartbeat: "c_double | None" = None  # read by the supervisor
_notify_at = 0.0  # monotonic
_is_ready = False
_last_checked_at = time.monotonic()  # when `hangs` was last called
_ignore_until = 0.0  # monotonic
# Only this process reports its loops, not a worker that a library forks.
os.register_at_fork(after_in_child=_loops.clear)


@contextmanager
def loop(*, patience: float = PATIENCE) -> Iterator[None]:
    """Register this thread as a loop of the process, within the context."""
    thread = threading.current_thread()
    _loops[thread.ident or 0] = _Loop(thread.name, patience, time.monotonic())
    try:
        yield
    finally:
        _loops.pop(thread.ident or 0, None)  # not registered in a forked process


def turn() -> None:
    """Record a turn of this thread's loop; notify if it is time and all other loops turn.

    Does nothing in a thread not registered by `loop`.
    """
    global _notify_at
    now = time.monotonic()
    if (own := _loops.get(threading.get_ident())) is None:
        return
    own.turned_at = now
    if now < _notify_at:
        return
    _notify_at = now + _interval()
    late = [loop.name for loop in list(_loops.values()) if now - loop.turned_at > loop.patience]
    if late:
        logger.critical(
            "These loops are stuck, and the process will be killed: %s", ", ".join(late)
        )
    else:
        _notify(now)


def start_in_child(heartbeat: "c_double") -> None:
    """Notify only the supervisor that has just forked this process, through `heartbeat`."""
    global _heartbeat, _notify_at
    _heartbeat, _notify_at = heartbeat, 0.0
    _loops.clear()


def new_heartbeat() -> "c_double":
    """Return shared memory for the time of a process's last notice, without a lock."""
    return RawValue(c_double, time.monotonic())


def hangs(heartbeat: "c_double") -> bool:
    """Return whether the process with this heartbeat has been silent for too long.

    For the supervisor's loop. If the supervisor itself has paused, as in a paused container, all
    processes get another PATIENCE seconds.
    """
    global _last_checked_at, _ignore_until
    now = time.monotonic()
    if now - _last_checked_at > PATIENCE:
        _ignore_until = now + PATIENCE
    _last_checked_at = now
    return now >= _ignore_until and now - heartbeat.value > PATIENCE


def _interval() -> float:
    """Return the seconds between two notices.

    There are at least four notices per WatchdogSec; systemd recommends two.
    """
    usec = os.environ.get("WATCHDOG_USEC", "")
    return min(_NOTICE_INTERVAL, int(usec) / 4e6) if usec.isdecimal() else _NOTICE_INTERVAL


def _notify(now: float) -> None:
    global _is_ready
    if _heartbeat is not None:
        _heartbeat.value = now
        return
    if path := os.environ.get("ALIVE_FILE"):
        with suppress(OSError):  # health checks report a full disk
            Path(path).touch()
    if address := os.environ.get("NOTIFY_SOCKET"):
        _send(address, b"WATCHDOG=1" if _is_ready else b"READY=1\nWATCHDOG=1")
        _is_ready = True


def _send(address: str, state: bytes) -> None:
    """Send a datagram as sd_notify does; a leading `@` means an abstract socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.setblocking(False)
        with suppress(OSError):  # the notice is lost; the next one will arrive
            sender.sendto(state, "\0" + address[1:] if address.startswith("@") else address)


def main() -> int:
    """Return 0 if the process of this container has touched ALIVE_FILE within PATIENCE seconds.

    Otherwise, print why not, and return 1.
    """
    path = os.environ.get("ALIVE_FILE", "")
    try:
        age = time.time() - os.stat(path).st_mtime
    except OSError as error:
        print(f"ALIVE_FILE={path} cannot be read ({error.strerror}).")
        return 1
    if age > PATIENCE:
        print(f"The process has been stuck for {age:.0f} s.")
    return int(age > PATIENCE)


if __name__ == "__main__":
    sys.exit(main())
