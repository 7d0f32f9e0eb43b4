"""Cancels tasks of an event loop reliably."""

import asyncio

_AGAIN = 0.1  # seconds until a task that continues is cancelled again


async def cancelled(*tasks: "asyncio.Task[None]") -> None:
    """Cancel these tasks, and return once all of them have ended in any way.

    Cancels repeatedly, because libraries may swallow a cancellation, as redis-py does while
    connecting.
    """
    while going_on := [task for task in tasks if not task.done()]:
        for task in going_on:
            task.cancel()
        await asyncio.wait(going_on, timeout=_AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)
