"""Links in the memory of a process for a short time, so that a viral link needs no query.

The cache is bounded in size and time: an entry lives for LIFE at most, never beyond the end of
its link, and reads do not prolong it. `drop` forgets links that have changed; `clear` forgets all,
after changes may have been missed.
"""

import threading
from collections.abc import Iterable
from typing import Generic, TypeVar

from foundation.database.clock import steady

T = TypeVar("T")

LIFE = 5_000_000_000  # ns
MAX_ENTRIES = 10_000


class LocalCache(Generic[T]):
    """Values by key; threads may share it."""

    def __init__(self, *, limit: int = MAX_ENTRIES) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        # Increased by each change: a value that was read before a change is not kept after it.
        self.generation = 0
        self._values: dict[str, tuple[int, T]] = {}  # with the end, ns on the steady clock

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> T | None:
        """Return the value, or None if there is none or it has expired."""
        found = self._values.get(key)
        return found[1] if found is not None and steady() < found[0] else None

    def keep(self, key: str, value: T, *, generation: int, until: int | None) -> None:
        """Keep `value` for LIFE, but at most until `until` on the steady clock.

        `generation` is the one before the value was read: if there has been a change since, the
        value may be outdated, and is not kept.
        """
        end = steady() + LIFE
        with self._lock:
            if generation != self.generation:
                return
            self._values.pop(key, None)
            if len(self._values) >= self.limit:
                del self._values[next(iter(self._values))]  # the oldest
            self._values[key] = (end if until is None else min(end, until), value)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget these keys."""
        with self._lock:
            self.generation += 1
            for key in keys:
                self._values.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self.generation += 1
            self._values.clear()
