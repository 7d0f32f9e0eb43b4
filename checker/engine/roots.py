"""The root of a host that refuses a page without a reason: does the host refuse us, or this page?

Source: docs/verdicts.md, *bare refusal* and *refused at the root*.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class RootAnswer(StrEnum):
    """A root's response to Linkwatch, which shows what a refusal by its host means."""

    ANSWERS = "speaks"  # the root answers: only the page is refused
    REFUSES = "refuses"  # the root refuses Linkwatch, too
    RESTRICTED = "restricted"  # the root refuses everybody who has not signed in
    UNKNOWN = "unknown"  # no response, a server error, or an inconclusive response


# Returns the response of the root at this URL at its last check; None if it is not a target.
RootLookup = Callable[[str], Awaitable[RootAnswer | None]]

MAX_AGE = 3600.0  # seconds that a response is remembered
_MAX_ROOTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The root of the host that answered, and its response."""

    url: str
    answer: RootAnswer
    how: str  # for people: how Linkwatch knows the response
    retry_after: float | None = None  # seconds of pause that the host asks for


class Roots:
    """The responses of roots that this process requested; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._answers: dict[str, tuple[RootAnswer, float]] = {}  # and their times, oldest first
        self._clock = clock

    def recall(self, url: str) -> RootAnswer | None:
        """Return this root's response from the last hour; None if there is none."""
        answer, received_at = self._answers.get(url, (None, 0.0))
        return answer if self._clock() - received_at < MAX_AGE else None

    def remember(self, url: str, answer: RootAnswer) -> None:
        """Store the response of a root."""
        self._answers.pop(url, None)
        self._answers[url] = (answer, self._clock())
        if len(self._answers) > _MAX_ROOTS:
            del self._answers[next(iter(self._answers))]


def root_of(url: str) -> str:
    """Return the URL of the root of the host in `url`, which is absolute."""
    return "/".join(url.split("/", 3)[:3]) + "/"
