"""Stops processes: in time after any stop signal, with all child processes, without orphans."""

import ctypes
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue

from django.conf import settings

logger = logging.getLogger(__name__)

# A closing terminal sends SIGHUP; a process started by `nohup` ignores it.
_HANDLES_SIGHUP = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if _HANDLES_SIGHUP else []))
_KILL_AFTER = 1.5  # seconds after the grace period
_THREADS_ABANDONED_AFTER = 0.25  # seconds after the grace period
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_libc = ctypes.CDLL(None)

# Shared memory without a lock, because a signal handler sets it, and a process killed while reading
# must not leave a lock behind (as multiprocessing.Event would).
_stop = RawValue(c_bool, False)


def request_stop() -> None:
    """Ask this process and its children to finish their current work and stop."""
    _stop.value = True


def stop_requested() -> bool:
    """Return whether this process and its children should stop."""
    return bool(_stop.value)


@contextmanager
def stop_signals_blocked() -> Iterator[None]:
    """Block stop signals within the block, so that a process started there is registered first.

    A child forked in the block must unblock them after it has dropped its parent's handlers.
    """
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def reset_in_child() -> None:
    """Drop the parent's stop flag and handlers, in a child that is an independent process.

    A stop of the parent does not stop the child, and stopping the child and its own children does
    not stop the parent's other children.
    """
    global _stop
    _stop = RawValue(c_bool, False)
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def begin_to_stop() -> None:
    """Request that this process stops, and enforce it; call this after a stop signal.

    A process that has not ended shortly after SHUTDOWN_GRACE is killed by an alarm, which nothing
    in this process handles. The alarm needs neither a thread nor a lock, because either may be the
    cause of the hang.
    """
    ignore_stop_signals()
    request_stop()
    # Only once: a second signal does not extend the time.
    if not any(signal.getitimer(signal.ITIMER_REAL)):
        grace = settings.SHUTDOWN_GRACE.total_seconds()
        signal.setitimer(signal.ITIMER_REAL, grace + _KILL_AFTER)


def ignore_stop_signals() -> None:
    """Ignore further stop signals.

    A handler that does nothing is not enough, because Python drops it before the process ends.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def stop_on_signals() -> None:
    """Begin to stop on the first of STOP_SIGNALS; later ones are ignored."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: begin_to_stop())


def leave_threads_behind() -> None:
    """Exit with 0 shortly after SHUTDOWN_GRACE, even if threads still wait.

    Call it in a process that has begun to stop and finishes its work within the grace period. A
    thread that waits for a database lock of a hanging process can't be woken, and the interpreter
    would wait for it until the alarm. Its uncommitted changes are rolled back.
    """
    grace = settings.SHUTDOWN_GRACE.total_seconds()
    timer = threading.Timer(grace + _THREADS_ABANDONED_AFTER, _leave)
    timer.daemon = True
    timer.start()


def _leave() -> None:
    exempt = (threading.main_thread(), threading.current_thread())
    names = [other.name for other in threading.enumerate() if not (other in exempt or other.daemon)]
    logger.warning("Threads did not finish before the stop and are abandoned: %s", ", ".join(names))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def die_with_parent(death_signal: signal.Signals = signal.SIGTERM) -> None:
    """Have the kernel send this process `death_signal` when its parent ends in any way (Linux).

    Call it in a child right after the fork: as `preexec_fn`, or through `os.register_at_fork`.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, death_signal)


def name_process(name: str) -> None:
    """Set the name of this process in tools such as `top`, up to 15 bytes (Linux)."""
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_NAME, name.encode())
