"""Leases on rows: one process at a time may work on a row, by the database's clock.

A lease is two columns of the row: `token`, which proves who holds it, and `leased_until`. Once a
lease has expired, others may take the row; until then, its holder may still renew it. A holder
fences its writes with `token=`: after another process has taken the row, they match nothing. With
a `length`, a lease that ends more than twice that length from now was taken while the clock was
ahead, and counts as expired. `take`, `renew` and `release` each run one statement.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

Rows = QuerySet[Any]

# Parts of SQL for the statements of `hosts/slots.py`, which lease many rows at once. `is_live` is
# `live` without a `length`. Parameters are `now` and `until`; each row gets its own token.
SQL = {
    "is_live": "leased_until > %(now)s",
    "leased": "token = {new_token}, leased_until = %(until)s",
    "renewed": "leased_until = %(until)s",
    "released": "token = NULL, leased_until = NULL",
}


def live(now: datetime, *, length: timedelta | None = None) -> Q:
    """Return a condition for rows whose lease has not expired; `length` is the longest lease."""
    unexpired = Q(leased_until__gt=now)
    return unexpired if length is None else unexpired & Q(leased_until__lte=now + 2 * length)


def free(now: datetime, *, length: timedelta | None = None) -> Q:
    """Return a condition for free rows: never leased, released, or with an expired lease."""
    available = Q(token=None) | Q(leased_until=None) | Q(leased_until__lte=now)
    return available if length is None else available | Q(leased_until__gt=now + 2 * length)


def lease(token: UUID, *, length: timedelta, now: datetime) -> dict[str, Any]:
    """Return the column values of a new lease."""
    return {"token": token, "leased_until": now + length}


def take(rows: Rows, token: UUID, *, length: timedelta, now: datetime, **changes: Any) -> int:
    """Lease the rows that are free or already leased by `token`; return how many."""
    takable = rows.filter(free(now, length=length) | Q(token=token))
    return takable.update(**lease(token, length=length, now=now), **changes)


def renew(rows: Rows, token: UUID, *, length: timedelta, now: datetime, **changes: Any) -> int:
    """Renew the leases of `token` for `length` from now; return how many.

    Expired leases are also renewed, unless the row was taken.
    """
    return rows.filter(token=token).update(leased_until=now + length, **changes)


def release(rows: Rows, token: UUID, **changes: Any) -> int:
    """Release the leases of `token`; return how many."""
    return rows.filter(token=token).update(token=None, leased_until=None, **changes)
