"""The backoff between the attempts of one check, and how long a check may take with it. Pure.

Source: docs/requirements.md#checks-retries.
"""

from datetime import timedelta
from typing import TypeVar

_Time = TypeVar("_Time", float, timedelta)


def pauses(first: _Time, *, retries: int) -> list[_Time]:
    """Return the pause before each retry: `first`, doubled each time."""
    return [first * 2**number for number in range(retries)]


def longest_check(*, timeout: timedelta, retries: int, backoff: timedelta) -> timedelta:
    """Return how long all attempts of one check may take, with the pauses between them.

    A HEAD asked first and a made-up neighbour asked last share the time of an attempt; the root of
    a host that refuses has one of its own.
    """
    return (retries + 2) * timeout + sum(pauses(backoff, retries=retries), timedelta())
