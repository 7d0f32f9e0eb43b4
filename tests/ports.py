"""Ports for the servers of tests and benches."""

import contextlib
import os
import secrets
import socket
from pathlib import Path

_given: set[int] = set()  # ports


def free_port() -> int:
    """Return a loopback port that no other process uses before the caller does.

    It lies below the kernel's ephemeral ports and the local ends of connections. Each part of the
    tests has its own quarter, because the parts run at once.
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
