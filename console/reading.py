"""Lists for people, read from the replica where there is one."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.contrib.messages import get_messages
from django.http import HttpRequest

from foundation.database import replica

T = TypeVar("T")

_NOTABLE = timedelta(seconds=2)


def read_list(request: HttpRequest, find: Callable[[], T]) -> tuple[T, timedelta | None]:
    """Return what `find` finds, and how old it is where people are to know that.

    Who has just changed something, and is told so on this page, looks for it: that is read from the
    primary. `find` must judge no rights.
    """
    if len(get_messages(request)):
        return find(), None
    found, age = replica.read(find)
    return found, age if age > _NOTABLE else None
