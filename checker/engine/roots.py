"""The root of a host that refuses a page without a word: does it refuse us, or this page?

Source: docs/verdicts.md, *bare refusal* and *refused at the root*.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

# Whether the root at this URL refused at its last check; None: it is no target of its own.
RootTarget = Callable[[str], Awaitable[bool | None]]

LASTS = 3600.0  # seconds that an answer is remembered
_REMEMBERED = 1000  # roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What is known of the root of the host that answered."""

    url: str
    refuses: bool
    how: str  # it is known, in a word for people
    retry_after: float | None = None  # seconds for which the host wants to be left alone


class Roots:
    """Which roots refused, as far as this process asked; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._refusals: dict[str, tuple[bool, float]] = {}  # and since when, oldest first
        self._clock = clock

    def recall(self, url: str) -> bool | None:
        """Return whether this root refused within the last hour; None if it was not asked."""
        refuses, at = self._refusals.get(url, (None, 0.0))
        return refuses if self._clock() - at < LASTS else None

    def remember(self, url: str, *, refuses: bool) -> None:
        """Keep what a root answered."""
        self._refusals.pop(url, None)
        self._refusals[url] = (refuses, self._clock())
        if len(self._refusals) > _REMEMBERED:
            del self._refusals[next(iter(self._refusals))]


def root_of(url: str) -> str:
    """Return the root of the host that answers at `url`, which is absolute."""
    return "/".join(url.split("/", 3)[:3]) + "/"
