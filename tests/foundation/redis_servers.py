"""Redis for tests: an empty one, one of a test's own to kill, and coroutines that use it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from foundation.valkey import resp

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in an event loop of its own, and leave no connection behind."""

    async def whole() -> T:
        try:
            return await work
        finally:
            await resp.close_all()

    return asyncio.run(whole())
