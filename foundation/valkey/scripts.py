"""Lua scripts that run in Redis: each is one atomic step and one round trip.

Concurrent scripts of coroutines are sent together, over one connection per event loop (`resp`), so
a thousand simultaneous requests do not need a thousand connections, and each costs less.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import redis
from redis.exceptions import NoScriptError

from foundation.breaker import Breaker
from foundation.valkey.resp import Argument, OnReply, Reply, calls

BREAKER = Breaker()  # shared by all of this process's calls that requests wait for

# Code that scripts share. All processes share Redis's clock.
CLOCK = """
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
"""

# A full Redis refuses a script whose first write needs memory, so scripts that count begin with a
# write that needs none. They must not be refused: they need little memory and free more (counted
# entries of the stream are trimmed).
ALSO_WHEN_FULL = "redis.call('DEL', 'x:full')"


class Script:
    """A script made of `parts`; its text is sent only if Redis does not know it yet."""

    def __init__(self, *parts: str) -> None:
        self.source = "\n".join(parts)
        self._sha = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    async def run(self, keys: Sequence[str], *args: Argument) -> Any:
        """Run the script from a coroutine and return its result.

        Raises redis.RedisError, immediately if Redis was recently unavailable.
        """
        with BREAKER.around_call():
            future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

            def settle(reply: Reply) -> None:
                if future.done():  # the caller was cancelled
                    return
                if isinstance(reply, Exception):
                    future.set_exception(reply)
                else:
                    future.set_result(reply)

            self._send(settle, keys, args)
            return await future

    def run_with_callback(self, then: OnReply, keys: Sequence[str], *args: Argument) -> None:
        """Run the script from the event loop, without a coroutine.

        `then` is called with the result, or with the error as an exception. Call this only while
        BREAKER is closed; it counts failures.
        """

        def on_reply(reply: Reply) -> None:
            if isinstance(reply, BREAKER.failures):
                BREAKER.fail()
            then(reply)

        self._send(on_reply, keys, args)

    def _send(self, then: OnReply, keys: Sequence[str], args: Sequence[Argument]) -> None:
        def eval_if_unknown(reply: Reply) -> None:
            if isinstance(reply, NoScriptError):
                calls().call(then, ("EVAL", self.source, len(keys), *keys, *args))
            else:
                then(reply)

        calls().call(eval_if_unknown, ("EVALSHA", self._sha, len(keys), *keys, *args))

    def call(self, client: "redis.Redis", keys: Sequence[str], *args: Argument) -> Any:
        """Run the script from a thread and return its result. Raises redis.RedisError.

        Ignores the breaker, because background work handles Redis outages on its own.
        """
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self.source, len(keys), *keys, *args)
