"""Pages of matching targets, in any of several orders.

The cost of a page does not depend on the number of targets: if many match, they are found soon by
walking an index in the search's order; if few match, they are fetched by another index and sorted
(docs/adr/0032-search.md).
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, connections, transaction
from django.db.models import F, Model, Q, QuerySet
from django.db.models.fields.tuple_lookups import (
    Tuple,
    TupleGreaterThan,
    TupleGreaterThanOrEqual,
    TupleLessThan,
    TupleLessThanOrEqual,
)

from accounts.actors import Actor
from foundation.database import replica
from foundation.http.pagination import (
    SearchClock,
    decode_token,
    encode_token,
    exact_time,
    exact_value,
    invalid_page_token,
)
from targets.models import FAILING, HAS_REASON, Reference, Target
from targets.search.criteria import INDEXED, Criteria

MAX_SORTED = 5_000  # targets that are sorted
MAX_IDS_SECONDS = 5.0  # seconds that a search for ids may take
FIRST_STEP, STEP = 2_000, 10_000  # index rows per statement
_TIMES = ("created_at", "state_changed_at")


@dataclass(frozen=True, slots=True)
class Order:
    """An order with an index; the last column is unique."""

    label: str
    columns: tuple[str, ...]
    newest_first: bool = False
    model: type[Model] = Target  # or Reference: a target appears once for each
    heading: str = ""  # the column whose values are the headings of groups
    index_condition: Q | None = None  # if the index is partial

    @property
    def via(self) -> str:
        """The lookup from a row to its target."""
        return "" if self.model is Target else "target__"

    @property
    def lists_all(self) -> bool:
        """Whether each target appears, once."""
        return self.model is Target and self.index_condition is None


ORDERS = {
    "newest": Order("Newest first", ("created_at", "id"), newest_first=True),
    "oldest": Order("Oldest first", ("created_at", "id")),
    "failed": Order(
        "Most recently failed first",
        ("state_changed_at", "id"),
        newest_first=True,
        index_condition=FAILING,
    ),
    "host": Order("By host", ("host", "created_at", "id"), heading="host"),
    "reason": Order(
        "By reason",
        ("last_reason", "created_at", "id"),
        heading="last_reason",
        index_condition=HAS_REASON,
    ),
    "document": Order("By document", ("object_id", "id"), model=Reference, heading="object_id"),
}
Key = tuple[Any, ...]  # a row's values of the order's columns


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """A matching target, with its references (`with_references`)."""

    target: Target
    heading: str  # empty if the order has no headings


class TargetSearch:
    """Pages of matching targets; everybody may see all targets, but not all references.

    The search for a page ends when it is full or SearchClock stops it: a page with
    `next_page_token` may have few targets, or none. Only a page without it is the last.
    """

    next_page_token: str | None = None
    was_cut_short = False

    def __init__(self, criteria: Criteria, *, by: Actor, order: str = "newest") -> None:
        self._criteria, self._by = criteria, by
        self._name, self._order = order, ORDERS[order]

    def find(self, *, limit: int, token: str | None = None) -> list[FoundTarget]:
        """Return a page of targets; raises ApiError `invalid_page_token`."""
        self.next_page_token = None  # discard what a failed attempt on the replica found
        vars(self).pop("_few_ids", None)
        after = None if token is None else self._decode(token)
        rows, matching = self._rows()
        keys = self._walk(rows, matching, after, limit + 1)
        if len(keys) > limit:
            self.next_page_token = self._token(keys[limit - 1][:-1])
        return self._load(keys[:limit])

    def ids(self, *, limit: int) -> list[str]:
        """Return the ids of up to `limit` matching targets, in order, without duplicates.

        Sets `was_cut_short` if the search ended after MAX_IDS_SECONDS, so that there may be more.
        """
        ids: dict[str, None] = {}
        started = time.monotonic()
        self.was_cut_short = False
        after: Key | None = None
        rows, matching = self._rows()
        while len(ids) < limit:
            self.next_page_token = None
            keys = self._walk(rows, matching, after, STEP)
            ids |= dict.fromkeys(key[-1] for key in keys)
            if self.next_page_token is not None:
                after = self._decode(self.next_page_token)
            elif len(keys) == STEP:
                after = keys[-1][:-1]
            else:
                break
            if time.monotonic() - started > MAX_IDS_SECONDS:
                self.was_cut_short = True
                break
        return list(ids)[:limit]

    def _rows(self) -> tuple[QuerySet[Any], QuerySet[Any] | None]:
        """Return the rows of an index in this order, and the matching rows, or None if all rows
        match."""
        order = self._order
        conditions = self._criteria.conditions(self._by, via=order.via)
        rows = order.model._default_manager.all()
        if order.columns == ORDERS["newest"].columns:
            name = next((name for name in INDEXED if name in conditions), None)
            if name is not None:
                rows = rows.filter(conditions.pop(name))
        if order.index_condition is not None:
            rows = rows.filter(order.index_condition)
        elif self._criteria.reason and order.model is Target:
            rows = rows.filter(HAS_REASON)  # allows the use of the partial index
        if order.columns[0] == "state_changed_at":
            rows = rows.filter(conditions.pop("since", Q()), conditions.pop("until", Q()))
        all_match = not conditions and (order.model is Target or self._by.sees_all)
        rows = rows.order_by(*(f"{'-' * order.newest_first}{name}" for name in order.columns))
        if all_match:
            return rows, None
        visible = rows if order.model is Target else self._by.reach(rows)
        return rows, visible.filter(*conditions.values())

    def _walk(
        self, rows: QuerySet[Any], matching: QuerySet[Any] | None, after: Key | None, limit: int
    ) -> list[Key]:
        """Return up to `limit` of the next matching rows, each as its key and its target's id.

        If the clock ends the page first, sets `next_page_token` to where the search stopped.
        """
        if matching is None:
            return self._read(rows, after, limit)
        clock = SearchClock()
        keys: list[Key] = []
        size = FIRST_STEP
        while (until := self._step_end(rows, after, size)) is not None:
            keys += self._read(matching, after, limit - len(keys), until=until)
            if len(keys) == limit:
                return keys
            after = until
            if size == FIRST_STEP and (few := self._few_ids) is not None:
                matching = matching.filter(**{f"{self._order.via}pk__among": few})
                break
            if clock.is_time_up(keys):
                self.next_page_token = self._token(after)
                return keys
            size = STEP
        return keys + self._read(matching, after, limit - len(keys))

    def _step_end(self, rows: QuerySet[Any], after: Key | None, size: int) -> Key | None:
        """Return the key of the last row of a step; None if fewer rows are left."""
        if after is not None:
            rows = rows.filter(self._beyond(after))
        end: Key | None = rows.values_list(*self._order.columns)[size - 1 : size].first()
        return end

    def _read(
        self, rows: QuerySet[Any], after: Key | None, limit: int, *, until: Key | None = None
    ) -> list[Key]:
        if after is not None:
            rows = rows.filter(self._beyond(after))
        if until is not None:
            rows = rows.filter(*self._up_to(until))
        return list(rows.values_list(*self._order.columns, f"{self._order.via}pk")[:limit])

    def _beyond(self, key: Key) -> Any:
        compare = TupleLessThan if self._order.newest_first else TupleGreaterThan
        return compare(Tuple(*map(F, self._order.columns)), key)

    def _up_to(self, key: Key) -> Iterator[Any]:
        """Yield a condition on tuples, and the part of it that SQLite can look up in an index."""
        columns, newest_first = self._order.columns, self._order.newest_first
        compare = TupleGreaterThanOrEqual if newest_first else TupleLessThanOrEqual
        yield compare(Tuple(*map(F, columns)), key)
        yield Q((f"{columns[0]}__{'gte' if newest_first else 'lte'}", key[0]))

    @cached_property
    def _few_ids(self) -> set[str] | None:
        """The ids of the targets that meet the first indexed condition with at most MAX_SORTED
        targets; None if there is no such condition."""
        own = self._by.reach(Reference.objects.all()).values_list("target_id")
        only_own = self._order.model is Reference and not self._by.sees_all
        sources = self._criteria.sources(self._by)
        for source in chain([own] if only_own else [], sources):
            with _without_table_scans():
                rows = list(source[: MAX_SORTED + 1])
            if len(rows) <= MAX_SORTED:
                return {pk for (pk,) in rows}
        return None

    def _load(self, keys: list[Key]) -> list[FoundTarget]:
        targets = Target.objects.with_references(self._by).in_bulk([key[-1] for key in keys])
        columns, heading = self._order.columns, self._order.heading
        index = columns.index(heading) if heading else None
        return [
            FoundTarget(targets[key[-1]], "" if index is None else key[index])
            for key in keys
            if key[-1] in targets
        ]

    def _token(self, key: Key) -> str:
        encoded_key = [value.isoformat() if isinstance(value, datetime) else value for value in key]
        return encode_token({"order": self._name, "after": encoded_key})

    def _decode(self, token: str) -> Key:
        decoded, columns = decode_token(token, keys={"order", "after"}), self._order.columns
        after, model = decoded["after"], self._order.model
        if decoded["order"] != self._name or not isinstance(after, list):
            raise invalid_page_token()
        try:
            return tuple(
                exact_time(value) if name in _TIMES else exact_value(model, name, value)
                for name, value in zip(columns, after, strict=True)
            )
        except (TypeError, ValueError, OverflowError, ValidationError):
            raise invalid_page_token() from None


def order_of(token: str) -> str:
    """Return the order of a page token; raises ApiError `invalid_page_token`."""
    return str(decode_token(token, keys={"order", "after"})["order"])


@contextmanager
def _without_table_scans() -> Iterator[None]:
    """Prevent PostgreSQL from scanning the table in expectation of early matches."""
    if connection.vendor == "sqlite":
        yield
        return
    using = replica.alias()
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        yield
        cursor.execute("SET LOCAL enable_seqscan = on")
