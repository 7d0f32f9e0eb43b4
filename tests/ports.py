"""Ports for what tests and benches start."""

import contextlib
import os
import secrets
import socket
from pathlib import Path

_given: set[int] = set()  # ports


def free_port() -> int:
    """Return a port of loopback that nobody takes between this choice and its use.

    It lies below those that the kernel gives to whoever asks for any, and to the near ends of
    connections; of the parts of the tests, which run at once, each has its own quarter.
    """
    lowest_of_kernel = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    parts = {"sqlite": 1, "postgres": 2, "product": 3}
    quarter = parts.get(os.environ.get("TEST_DATABASE", ""), 0)
    while True:
        port = 10_000 + 4 * secrets.randbelow((lowest_of_kernel - 10_000) // 4) + quarter
        if port in _given:
            continue
        _given.add(port)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
