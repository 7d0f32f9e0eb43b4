"""The root of a host that refuses a page without a reason: does the host refuse us, or this page?

Source: docs/verdicts.md, *bare refusal* and *refused at the root*.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class RootAnswer(StrEnum):
    """A root's response to Linkwatch, which shows what a refusal by its host means."""

    SPEAKS = "speaks"  # the root answers: only the page is refused
    REFUSES = "refuses"  # the root refuses Linkwatch, too
    RESTRICTED = "restricted"  # the root refuses everybody who has not signed in
    UNKNOWN = "unknown"  # no response, a server error, or an inconclusive response


# Looks up the response of the root at this URL at its last check; None: not a target.
RootTarget = Callable[[str], Awaitable[RootAnswer | None]]

MAX_AGE = 3600.0  # seconds that a response is remembered
_MAX_ROOTS = 1000  # roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The root of the host that answered, and its response."""

    url: str
    answer: RootAnswer
    how: str  # for people: how the response is known
    retry_after: float | None = None  # seconds of pause that the host asks for


class Roots:
    """The responses of roots that this process requested; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._answers: dict[str, tuple[RootAnswer, float]] = {}  # and their times, oldest first
        self._clock = clock

    def recall(self, url: str) -> RootAnswer | None:
        """Return this root's response within the last hour; None if there is none."""
        answer, at = self._answers.get(url, (None, 0.0))
        return answer if self._clock() - at < MAX_AGE else None

    def remember(self, url: str, answer: RootAnswer) -> None:
        """Store the response of a root."""
        self._answers.pop(url, None)
        self._answers[url] = (answer, self._clock())
        if len(self._answers) > _MAX_ROOTS:
            del self._answers[next(iter(self._answers))]


def root_of(url: str) -> str:
    """Return the root of the host that answers at `url`, which is absolute."""
    return "/".join(url.split("/", 3)[:3]) + "/"
