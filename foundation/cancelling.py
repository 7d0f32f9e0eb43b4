"""Cancels tasks of an event loop reliably."""

import asyncio

_RETRY_AFTER = 0.1  # seconds until a task that is still running is cancelled again


async def cancel(*tasks: "asyncio.Task[None]") -> None:
    """Cancel these tasks, and return once all of them have ended in any way.

    Cancels repeatedly, because libraries may swallow a cancellation, as redis-py does while
    connecting.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_RETRY_AFTER)
    await asyncio.gather(*tasks, return_exceptions=True)
