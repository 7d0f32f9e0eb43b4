"""How processes end: one stop signal for a process and all that it forks, and no orphans."""

import ctypes
import signal
import sys
from ctypes import c_bool
from multiprocessing.sharedctypes import RawValue

_PR_SET_PDEATHSIG = 1
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


def die_with_parent() -> None:
    """Let this process get SIGTERM when its parent ends in whatever way (Linux).

    To be called in a child just after the fork: as `preexec_fn`, or by `os.register_at_fork`.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
