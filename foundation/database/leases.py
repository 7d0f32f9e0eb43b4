"""Leases on rows: one process at a time may work on a row, by the database's clock.

A lease is two columns of the row: `token`, which proves who holds it, and `leased_until`. Once a
lease is over, others may take the row; until one does, its holder may still renew it. A holder
fences what it writes by `token=`: after another process took the row, its writes match no row.
A lease that ends later than any can was taken by a clock that was ahead, and counts as over.
The functions take a queryset, and read and write by one statement.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

Rows = QuerySet[Any]

# The same in SQL, for the statements of `hosts/slots.py`, which lease many rows at once. Parameters
# are `now` and `until`; each row gets a token of its own.
SQL = {
    "is_live": "leased_until > %(now)s",
    "leased": "token = {new_token}, leased_until = %(until)s",
    "renewed": "leased_until = %(until)s",
    "released": "token = NULL, leased_until = NULL",
}


def live(now: datetime, *, length: timedelta | None = None) -> Q:
    """Return the condition for rows under a lease; `length` is the longest that one can have."""
    ends = Q(leased_until__gt=now)
    return ends if length is None else ends & Q(leased_until__lte=now + 2 * length)


def free(now: datetime, *, length: timedelta | None = None) -> Q:
    """Return the condition for rows that anyone may take: never leased, released, or over."""
    over = Q(token=None) | Q(leased_until=None) | Q(leased_until__lte=now)
    return over if length is None else over | Q(leased_until__gt=now + 2 * length)


def lease(token: UUID, *, length: timedelta, now: datetime) -> dict[str, Any]:
    """Return the columns of a new lease."""
    return {"token": token, "leased_until": now + length}


def take(rows: Rows, token: UUID, *, length: timedelta, now: datetime, **changes: Any) -> int:
    """Lease those of these rows that are free, or `token`'s already; return how many."""
    ours = rows.filter(free(now, length=length) | Q(token=token))
    return ours.update(**lease(token, length=length, now=now), **changes)


def renew(rows: Rows, token: UUID, *, length: timedelta, now: datetime, **changes: Any) -> int:
    """Let those of these rows that are `token`'s be leased for `length` from now; return how many.

    A lease that is over is renewed as well if nobody has taken the row since.
    """
    return rows.filter(token=token).update(leased_until=now + length, **changes)


def release(rows: Rows, token: UUID, **changes: Any) -> int:
    """Let others take those of these rows that are `token`'s; return how many."""
    return rows.filter(token=token).update(token=None, leased_until=None, **changes)
