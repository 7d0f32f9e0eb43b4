"""How tasks of an event loop are ended for sure."""

import asyncio

_AGAIN = 0.1  # seconds until one that goes on is cancelled again


async def cancelled(*tasks: "asyncio.Task[None]") -> None:
    """Cancel these tasks and return once all have ended, however they did.

    Again and again: libraries, such as redis-py while it connects, may swallow a cancellation.
    """
    while going_on := [task for task in tasks if not task.done()]:
        for task in going_on:
            task.cancel()
        await asyncio.wait(going_on, timeout=_AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)
