"""How processes end: in time after any signal, with all that they forked, and no orphans."""

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

# A terminal that closes says SIGHUP; a process started by `nohup` ignores it.
_IS_HEEDED = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if _IS_HEEDED else []))
_LAST_MERCY = 1.5  # seconds after the grace
_MERCY = 0.25  # seconds after the grace, for threads
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_libc = ctypes.CDLL(None)

# Shared memory without a lock: it is set in a signal handler, and a process killed while it looks
# must not leave a lock behind (multiprocessing.Event would).
_stop = RawValue(c_bool, False)


def request_stop() -> None:
    """Ask this process and those forked from it to finish what they have in hand."""
    _stop.value = True


def stop_requested() -> bool:
    """Whether they should."""
    return bool(_stop.value)


@contextmanager
def signals_wait() -> Iterator[None]:
    """Let stop signals wait until this is left: what is begun within is known before one is heeded.

    A child that is forked within has to unblock them when it has forgotten its parent's handlers.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_anew() -> None:
    """Forget the parent's stop flag and handlers, in a child that is a process of its own.

    What was set up to stop the parent is not for the child, and to ask it, or those forked from it,
    is not to ask its parent's other children.
    """
    global _stop
    _stop = RawValue(c_bool, False)
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def begin_to_stop() -> None:
    """Ask for the stop, and see that it comes: to be called when a stop signal has come.

    Whoever has not ended a little after SHUTDOWN_GRACE is ended by an alarm, which nothing in this
    process catches. It needs neither a thread nor a lock, of which one may be what hangs.
    """
    ignore_stop_signals()
    request_stop()
    if not any(signal.getitimer(signal.ITIMER_REAL)):  # once: it gives no more time
        grace = settings.SHUTDOWN_GRACE.total_seconds()
        signal.setitimer(signal.ITIMER_REAL, grace + _LAST_MERCY)


def ignore_stop_signals() -> None:
    """Mind no more of them. A handler would not do: Python drops it before the process is over."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def stop_on_signals() -> None:
    """Begin to stop on SIGTERM, SIGINT and SIGHUP, however often they come."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: begin_to_stop())


def leave_threads_behind() -> None:
    """End with 0 a little after SHUTDOWN_GRACE, whatever threads wait for by then.

    To be called by a process that has begun to stop, and does its last deeds within the grace. Who
    waits for a lock that a process that hangs has in the database can't be woken, and the
    interpreter would wait for it until the alarm, though nobody wants its answer any more. What it
    has not committed is undone.
    """
    grace = settings.SHUTDOWN_GRACE.total_seconds()
    timer = threading.Timer(grace + _MERCY, _leave)
    timer.daemon = True
    timer.start()


def _leave() -> None:
    here = (threading.main_thread(), threading.current_thread())
    names = [one.name for one in threading.enumerate() if one not in here and not one.daemon]
    logger.warning("Threads take longer than the stop, which leaves them: %s", ", ".join(names))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def die_with_parent(how: signal.Signals = signal.SIGTERM) -> None:
    """Let this process get the signal `how` when its parent ends in whatever way (Linux).

    To be called in a child just after the fork: as `preexec_fn`, or by `os.register_at_fork`.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, how)


def name_process(name: str) -> None:
    """Have this process called so, by 15 letters of it, in lists such as `top` (Linux)."""
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_NAME, name.encode())
