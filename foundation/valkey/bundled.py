"""The bundled Valkey of `manage.py up`: its URL, and whether it is running.

The settings use this module, so it does not import Django.
"""

import socket
from pathlib import Path

_CONNECT_TIMEOUT = 1.0  # seconds


def socket_path(data_dir: Path) -> Path:
    """Return the path of the socket, or of a symlink to it if the path is too long for a socket."""
    return data_dir / "valkey" / "valkey.sock"


def url(path: Path) -> str:
    """Return the URL of the server behind this socket."""
    return f"unix://{path.resolve()}?db=0"


def is_listening(path: Path) -> bool:
    """Return whether a server is listening on this socket, even if it hangs.

    The socket's existence does not prove it: a killed server leaves its socket behind.
    """
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_CONNECT_TIMEOUT)
        try:
            probe.connect(str(path.resolve()))
        except (TimeoutError, BlockingIOError):  # the server hangs, and its queue is full
            return True
        except OSError:
            return False
    return True


def running_url(data_dir: Path) -> str:
    """Return the URL of the server running in `data_dir`, or an empty string."""
    path = socket_path(data_dir)
    return url(path) if is_listening(path) else ""
