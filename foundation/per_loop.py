"""One object per event loop, for objects that hold futures or connections of their loop."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Called in an event loop, returns that loop's object, created by `make` on first use."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def __call__(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            self._made[loop] = self._make()
        return self._made[loop]

    def pop(self) -> T | None:
        """Remove and return the running loop's object, if there is one."""
        return self._made.pop(asyncio.get_running_loop(), None)
