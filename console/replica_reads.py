"""Lists for people, read from the replica if one exists."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.contrib.messages import get_messages
from django.http import HttpRequest

from foundation.database import replica

T = TypeVar("T")

_NOTABLE_AGE = timedelta(seconds=2)  # the age above which people are shown how old a list is


def read_list(request: HttpRequest, find: Callable[[], T]) -> tuple[T, timedelta | None]:
    """Return the result of `find` and its age, which is None if it is at most _NOTABLE_AGE.

    If this page shows a message, the primary is read, because the message may be about a change
    that the list must include. `find` may run twice, and must not check rights.
    """
    if len(get_messages(request)):
        return find(), None
    result, age = replica.read(find)
    return result, age if age > _NOTABLE_AGE else None
