"""Where `manage.py up` runs its bundled Valkey, and whether it runs: other commands find it there.

Settings are read with it, so it knows no Django.
"""

import socket
from pathlib import Path

_ANSWER = 1.0  # seconds to be let in


def socket_path(data_dir: Path) -> Path:
    """Return the socket's place; a link leads on where its path would be too long for a socket."""
    return data_dir / "valkey" / "valkey.sock"


def url(path: Path) -> str:
    """Return the address of the server behind this socket."""
    return f"unix://{path.resolve()}?db=0"


def listens(path: Path) -> bool:
    """Whether a server is behind this socket: one that was killed leaves its socket behind."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_ANSWER)
        try:
            probe.connect(str(path.resolve()))
        except (TimeoutError, BlockingIOError):  # it hangs, and its queue is full
            return True
        except OSError:
            return False
    return True


def running_url(data_dir: Path) -> str:
    """Return the address of the server that runs in `data_dir`, empty when none does."""
    path = socket_path(data_dir)
    return url(path) if listens(path) else ""
