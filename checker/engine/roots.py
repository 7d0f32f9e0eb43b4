"""The root of a host that refuses a page without a word: does it refuse us, or this page?

Source: docs/verdicts.md, *bare refusal* and *refused at the root*.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class RootAnswer(StrEnum):
    """What a root says to Linkwatch, which tells what a refusal of a page of its host means."""

    SPEAKS = "speaks"  # it is the page alone that is refused
    REFUSES = "refuses"  # Linkwatch is, wherever it asks
    RESTRICTED = "restricted"  # all who don't sign in are
    UNKNOWN = "unknown"  # it gave no answer, or said that it can't


# What the root at this URL said at its last check; None: it is no target of its own.
RootTarget = Callable[[str], Awaitable[RootAnswer | None]]

LASTS = 3600.0  # seconds that an answer is remembered
_REMEMBERED = 1000  # roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What is known of the root of the host that answered."""

    url: str
    answer: RootAnswer
    how: str  # it is known, in a word for people
    retry_after: float | None = None  # seconds for which the host wants to be left alone


class Roots:
    """What roots said, as far as this process asked; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._answers: dict[str, tuple[RootAnswer, float]] = {}  # and since when, oldest first
        self._clock = clock

    def recall(self, url: str) -> RootAnswer | None:
        """Return what this root said within the last hour; None if it was not asked."""
        answer, at = self._answers.get(url, (None, 0.0))
        return answer if self._clock() - at < LASTS else None

    def remember(self, url: str, answer: RootAnswer) -> None:
        """Keep what a root said."""
        self._answers.pop(url, None)
        self._answers[url] = (answer, self._clock())
        if len(self._answers) > _REMEMBERED:
            del self._answers[next(iter(self._answers))]


def root_of(url: str) -> str:
    """Return the root of the host that answers at `url`, which is absolute."""
    return "/".join(url.split("/", 3)[:3]) + "/"
