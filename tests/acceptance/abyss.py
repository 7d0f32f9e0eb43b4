"""Networks that drop packets silently, each in its own namespace.

`unshare --net python -m tests.acceptance.abyss COMMAND…` runs a command as in a container: its IPv4
and IPv6 addresses are private, and nothing comes back from beyond its gateways.
"""

import os
import subprocess
import sys
from collections.abc import Iterable

_NOWHERE = "02:00:00:00:00:01"  # the address of a known neighbour, which nobody has
CONTAINER = ("172.31.0.2/16", "fd00:d0c::2/64")
GATEWAYS = ("172.31.0.1", "fd00:d0c::1")


def may_make_networks() -> bool:
    """Return whether this user may create a network namespace with a cable in it."""
    try:
        cable = "ip link add hole type veth peer name abyss"
        made = subprocess.run(["unshare", "--net", "sh", "-c", cable], capture_output=True)
    except OSError:
        return False
    return made.returncode == 0


def ip(*words: str) -> None:
    """Run iproute2's `ip`."""
    subprocess.run(["ip", *words], check=True)


def lay_cable(*addresses: str) -> None:
    """Create a cable that leads nowhere, with these addresses on our end, and bring loopback up."""
    ip("link", "set", "lo", "up")
    ip("link", "add", "hole", "type", "veth", "peer", "name", "abyss")
    for address in addresses:
        ip("address", "add", address, "dev", "hole", *(["nodad"] if ":" in address else []))
    ip("link", "set", "abyss", "up")
    ip("link", "set", "hole", "up")


def lead_nowhere(neighbours: Iterable[str]) -> None:
    """Drop packets to these neighbours at the other end of the cable."""
    for address in neighbours:
        ip("neighbour", "replace", address, "lladdr", _NOWHERE, "dev", "hole", "nud", "permanent")


def main(command: list[str]) -> None:
    """Execute the command, as in a container whose gateways let nothing through."""
    lay_cable(*CONTAINER)
    lead_nowhere(GATEWAYS)
    for gateway in GATEWAYS:
        ip("route", "add", "default", "via", gateway, "dev", "hole")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
