"""Lua scripts that run in Redis: each is one atomic step and one round trip.

What coroutines call in one moment goes out together, over one connection per event loop: a
thousand simultaneous requests need no thousand connections, and each call costs less.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from redis.exceptions import NoScriptError

from foundation.breaker import Breaker
from foundation.valkey.clients import async_client, client

BREAKER = Breaker()  # one for all of this process's calls

# What scripts share. Redis's clock is the one that all processes have in common.
CLOCK = """
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
"""


class Script:
    """A script; Redis is sent its text only when it does not have it yet.

    Calls raise redis.RedisError; at once, while Redis has just been found out of reach.
    """

    def __init__(self, *parts: str) -> None:
        self.source = "\n".join(parts)
        self._sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    async def run(self, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run it from a coroutine; returns what it returns."""
        with BREAKER.around_call():
            calls = _calls()
            try:
                return await calls.make("EVALSHA", self._sha, len(keys), *keys, *args)
            except NoScriptError:
                return await calls.make("EVAL", self.source, len(keys), *keys, *args)

    def call(self, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run it from a thread; returns what it returns."""
        with BREAKER.around_call():
            redis = client()
            try:
                return redis.evalsha(self._sha, len(keys), *keys, *args)
            except NoScriptError:
                return redis.eval(self.source, len(keys), *keys, *args)


_AT_ONCE = 64  # calls in one round trip


class _Calls:
    """Calls of one event loop that wait for their turn."""

    def __init__(self) -> None:
        self._waiting: list[tuple[tuple[Any, ...], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    def make(self, *command: Any) -> "asyncio.Future[Any]":
        """Return what will be the answer to `command`."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return answer

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
                try:
                    answers = await _ask([call for call, _ in batch])
                except Exception as error:  # noqa: BLE001 (it is told to all who wait)
                    # Who has come meanwhile must not wait for the same time-out again.
                    batch, self._waiting = [*batch, *self._waiting], []
                    answers = [error] * len(batch)
                _settle([future for _, future in batch], answers)
        finally:
            self._task = None


async def _ask(commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the answers to `commands`, an exception for each that Redis has refused.

    Raises redis.RedisError, OSError when Redis is out of reach.
    """
    async with async_client().pipeline(transaction=False) as pipeline:
        for command in commands:
            pipeline.execute_command(*command)
        return list(await pipeline.execute(raise_on_error=False))


def _settle(futures: "Sequence[asyncio.Future[Any]]", answers: Sequence[Any]) -> None:
    for future, answer in zip(futures, answers, strict=True):
        if future.done():  # its caller has gone
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


_calls_by_loop: "WeakKeyDictionary[asyncio.AbstractEventLoop, _Calls]" = WeakKeyDictionary()


def _calls() -> _Calls:
    loop = asyncio.get_running_loop()
    if loop not in _calls_by_loop:
        _calls_by_loop[loop] = _Calls()
    return _calls_by_loop[loop]
