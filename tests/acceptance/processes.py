"""Real processes of the product, started as its users start them and ended by pid."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil
import redis
from django.db import connection

from tests import migrated
from tests.hours.clock import INHERITED as CLOCK
from tests.ports import free_port

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 90.0  # seconds for steps that are quick on an idle machine; this one may be busy
T = TypeVar("T")


def environment(**changes: str) -> dict[str, str]:
    """Return the tests' environment without the tests' own settings, changed by `changes`.

    All clients of the tests count as one client on loopback, which may have many connections.
    """
    kept = {"PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", *CLOCK}
    own = {name: value for name, value in os.environ.items() if name in kept}
    own["TZ"] = os.environ["TESTS_ZONE"]
    return own | {"CLIENT_CONNECTIONS": "10000"} | changes


def database_url() -> str:
    """Return the address of this test's database, for processes that share it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(database["NAME"])
    socket_folder = database["OPTIONS"]["host"]
    return f"postgresql://{database['USER']}@/{database['NAME']}?host={socket_folder}"


@contextmanager
def running(*command: str, log: Path, **changes: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `manage.py COMMAND` in its own session; it is killed afterwards with all its children."""
    with program(sys.executable, "manage.py", *command, log=log, folder=ROOT, **changes) as process:
        yield process


@contextmanager
def program(
    *command: str, log: Path, folder: Path, **changes: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program in `folder` as `running` runs a command."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(**changes),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def until(look: Callable[[], T], *, within: float = PATIENCE) -> T:
    """Return the result of `look` as soon as it is true; fail if it never is."""
    deadline = time.monotonic() + within
    while True:
        if found := look():
            return found
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


class Client:
    """A program that uses the API."""

    def __init__(self, base: str, token: str) -> None:
        self.base = base
        self.token = token

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            text = response.read()
        return json.loads(text) if text else None


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return bool(response.status == 200)
    except (OSError, http.client.HTTPException):
        return False


def is_alive(process: psutil.Process) -> bool:
    """Return whether the process runs; a process that has ended but was not waited for does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@dataclass(frozen=True, slots=True)
class Product:
    """The whole product: `manage.py up`."""

    host: str  # with the port
    token: str
    password: str  # of the operator
    folder: Path  # its DATA_DIR
    up: "subprocess.Popen[bytes]"

    @property
    def base(self) -> str:
        return f"http://{self.host}"

    @property
    def api(self) -> Client:
        return Client(self.base, self.token)

    def redis(self) -> "redis.Redis":
        return redis.Redis.from_url(f"unix://{self.folder}/valkey/valkey.sock?db=0")

    def process(self, name: str) -> psutil.Process:
        """Return the process of that name, as `top` shows it: it was forked from `up`."""
        children = psutil.Process(self.up.pid).children()
        return next(child for child in children if child.name() == name)


@contextmanager
def running_product(folder: Path, **changes: str) -> Iterator[Product]:
    """Run the whole product on a free port with its data in `folder`; its schema exists already."""
    port, log = free_port(), folder / "log"
    data = folder / "data"
    if "DATABASE_URL" not in changes and not data.exists():
        migrated.copy_to(data / "linkwatch.db")
    with running("up", log=log, DATA_DIR=str(data), HTTP_PORT=str(port), **changes) as up:
        until(lambda: "Linkwatch is running at" in log.read_text())
        found = re.search(r"password (\S+).*API token +(\w+)", log.read_text(), re.DOTALL)
        assert found
        host = f"127.0.0.1:{port}"
        yield Product(host=host, token=found[2], password=found[1], folder=data, up=up)
