"""Links that this process remembers for a moment, so that a viral one asks nobody.

It is bounded in number and in time: an entry lives for LIFE at most, and never beyond the end of
its link; being read does not prolong it. Changes elsewhere come by `drop`; whoever may have missed
some calls `clear`.
"""

import threading
from collections.abc import Iterable
from typing import Generic, TypeVar

from foundation.database.clock import steady

T = TypeVar("T")

LIFE = 5_000_000_000  # ns
LIMIT = 10_000  # entries


class LocalCache(Generic[T]):
    """Values by key; safe to be shared between threads."""

    def __init__(self, *, limit: int = LIMIT) -> None:
        self.limit = limit
        self._writing = threading.Lock()
        # Moves on with each change: what was read before one may not be kept after it.
        self.generation = 0
        self._values: dict[str, tuple[int, T]] = {}  # with the end on the steady clock

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> T | None:
        """Return what is remembered and still holds."""
        found = self._values.get(key)
        return found[1] if found is not None and steady() < found[0] else None

    def keep(self, key: str, value: T, *, generation: int, until: int | None) -> None:
        """Remember `value`, which holds until then on the steady clock (None: for ever), a moment.

        `generation` is what it was before the value was read: if there was a change since, the
        value may be an old one, and is not kept.
        """
        end = steady() + LIFE
        with self._writing:
            if generation != self.generation:
                return
            self._values.pop(key, None)
            if len(self._values) >= self.limit:
                del self._values[next(iter(self._values))]  # the oldest
            self._values[key] = (end if until is None else min(end, until), value)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget these keys."""
        with self._writing:
            self.generation += 1
            for key in keys:
                self._values.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._writing:
            self.generation += 1
            self._values.clear()
