"""Lists for people, read from the replica if one exists."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.contrib.messages import get_messages
from django.http import HttpRequest

from foundation.database import replica

T = TypeVar("T")

_NOTABLE = timedelta(seconds=2)


def read_list(request: HttpRequest, find: Callable[[], T]) -> tuple[T, timedelta | None]:
    """Return the result of `find`, and its age if people should know the age.

    If this page has a message about a change, the primary is read, so that people see their change.
    `find` must not check rights.
    """
    if len(get_messages(request)):
        return find(), None
    result, age = replica.read(find)
    return result, age if age > _NOTABLE else None
