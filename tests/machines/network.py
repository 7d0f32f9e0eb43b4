"""Machines as network namespaces: one bridge joins all, another connects workers to the world.

This process is the rest of the world, in its own namespace (deploy/try-machines).
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.acceptance.processes import ROOT, environment

INSIDE, OUTSIDE = "inside", "outside"
WORLD = "10.231.0.1"  # this process's address on the inner bridge
CLIENT = "10.232.0.1"  # also on the outer bridge, where clients are
SITES = "10.232.1"  # the network of the checked hosts
NETWORK, WEB = "10.231.0.0/24", "10.232.0.0/16"


def ip(*words: str) -> None:
    """Run iproute2's `ip`, which prints its own errors."""
    subprocess.run(["ip", *words], check=True)


def build_bridges(sites: int) -> list[str]:
    """Create the two bridges; return the addresses of the hosts to be checked."""
    Path("/run/netns").mkdir(exist_ok=True)  # for names of namespaces; ends with our own
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run/netns"], check=True)
    ip("link", "set", "lo", "up")
    for bridge, address in ((INSIDE, f"{WORLD}/24"), (OUTSIDE, f"{CLIENT}/16")):
        ip("link", "add", bridge, "type", "bridge")
        ip("address", "add", address, "dev", bridge)
        ip("link", "set", bridge, "up")
    hosts = [f"{SITES}.{number + 1}" for number in range(sites)]
    for host in hosts:
        ip("address", "add", f"{host}/16", "dev", OUTSIDE)
    return hosts


@dataclass(frozen=True)
class Machine:
    """A machine with a cable to each of its bridges."""

    name: str
    number: int  # the last part of its addresses
    bridges: Sequence[str] = (INSIDE,)

    @property
    def address(self) -> str:
        return f"10.231.0.{self.number}"

    @property
    def outer_address(self) -> str:
        return f"10.232.0.{self.number}"

    def build(self) -> None:
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")
        addresses = {INSIDE: f"{self.address}/24", OUTSIDE: f"{self.outer_address}/16"}
        for bridge in self.bridges:
            cable = f"{self.name}-{bridge}"
            ip("link", "add", cable, "type", "veth", "peer", "name", bridge, "netns", self.name)
            ip("link", "set", cable, "master", bridge, "up")
            ip("-n", self.name, "address", "add", addresses[bridge], "dev", bridge)
            ip("-n", self.name, "link", "set", bridge, "up")

    def cut_off(self, *bridges: str) -> None:
        """Unplug these cables, by default all."""
        for bridge in bridges or self.bridges:
            ip("link", "set", f"{self.name}-{bridge}", "down")

    def join(self) -> None:
        """Plug in all cables again."""
        for bridge in self.bridges:
            ip("link", "set", f"{self.name}-{bridge}", "up")

    def start(self, *command: str, log: Path, **changes: str) -> Any:
        """Start a process on the machine, in its own session; return its psutil.Process.

        `ip netns exec` replaces itself with the command, so the process is the command.
        """
        with log.open("ab") as output:
            return psutil.Popen(
                ["ip", "netns", "exec", self.name, *command],
                cwd=ROOT,
                env=environment(**changes),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
