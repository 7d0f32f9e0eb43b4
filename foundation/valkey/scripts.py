"""Lua scripts that run in Redis: each is one atomic step and one round trip.

Scripts that coroutines run in one moment go out together, over one connection per event loop: a
thousand simultaneous requests need no thousand connections, and each script costs less.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import redis
from redis.exceptions import NoScriptError

from foundation.breaker import Breaker
from foundation.per_loop import PerLoop
from foundation.valkey.clients import async_client

BREAKER = Breaker()  # one for all of this process's calls that something waits for

# What scripts share. Redis's clock is the one that all processes have in common.
CLOCK = """
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
"""

Argument = str | bytes | int | float


class Script:
    """A script, of `parts`; Redis is sent its text only when it does not have it yet."""

    def __init__(self, *parts: str) -> None:
        self.source = "\n".join(parts)
        self._sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    async def run(self, keys: Sequence[str], *args: Argument) -> Any:
        """Run it from a coroutine; returns what it returns.

        Raises redis.RedisError; at once, while Redis has just been found out of reach.
        """
        with BREAKER.around_call():
            batches = _batches()
            try:
                return await batches.call("EVALSHA", self._sha, len(keys), *keys, *args)
            except NoScriptError:
                return await batches.call("EVAL", self.source, len(keys), *keys, *args)

    def call(self, client: "redis.Redis", keys: Sequence[str], *args: Argument) -> Any:
        """Run it from a thread; returns what it returns. Raises redis.RedisError.

        No breaker is asked: background work waits for Redis in its own way.
        """
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self.source, len(keys), *keys, *args)


_AT_ONCE = 64  # calls in one round trip


class _Batches:
    """Calls of one event loop that wait for their turn."""

    def __init__(self) -> None:
        self._waiting: list[tuple[tuple[Any, ...], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    def call(self, *command: Any) -> "asyncio.Future[Any]":
        """Return what will be the answer to `command`."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())
        return answer

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
                try:
                    answers = await _ask([command for command, _ in batch])
                except Exception as error:  # noqa: BLE001 (it is told to all who wait)
                    # Who has come meanwhile must not wait for the same time-out again.
                    batch, self._waiting = [*batch, *self._waiting], []
                    answers = [error] * len(batch)
                for (_, future), answer in zip(batch, answers, strict=True):
                    if future.done():  # its caller has gone
                        continue
                    if isinstance(answer, Exception):
                        future.set_exception(answer)
                    else:
                        future.set_result(answer)
        finally:
            self._task = None


_batches = PerLoop(_Batches)


async def _ask(commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the answers to `commands`, an exception for each that Redis has refused.

    Raises redis.RedisError, OSError when Redis is out of reach.
    """
    async with async_client().pipeline(transaction=False) as pipeline:
        for command in commands:
            pipeline.execute_command(*command)
        return list(await pipeline.execute(raise_on_error=False))
