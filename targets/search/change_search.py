"""Pages of changes: deaths, recoveries, flags, attention and outages, newest first.

Events are read by position, which is nearly chronological, so that the cost of a page does not
depend on the number of events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from accounts.actors import Actor
from foundation.http.pagination import (
    SearchClock,
    decode_token,
    encode_token,
    invalid_page_token,
)
from outbox.event_kinds import EventKind
from outbox.models import Event, EventQuerySet
from targets.models import Reference, Target
from targets.state import State

FIRST_STEP, STEP = 2_000, 10_000  # positions per statement
MAX_COUNTED = 1_000  # changes that `by_document` counts
_MARGIN = timedelta(minutes=5)  # by which positions may deviate from chronological order
_NETWORK = Q(kind__in=[EventKind.NETWORK_DOWN, EventKind.NETWORK_BACK])
KINDS: Mapping[str, Q] = {
    "deaths": Q(kind=EventKind.STATE, to_state=State.DEAD),
    "recoveries": Q(kind=EventKind.STATE, from_state=State.DEAD),
    "flags": Q(kind__in=[EventKind.FLAG_RAISED, EventKind.FLAG_CLEARED]),
    "attention": Q(kind__in=[EventKind.ATTENTION_NEEDED, EventKind.ATTENTION_ENDED]),
    "outages": _NETWORK,
}
_ALL = Q()
for _condition in KINDS.values():
    _ALL |= _condition
# Not the whole payload, which may have a hundred thousand references.
_PAYLOAD_FIELDS = ("url", "error", "failures", "flag", "set_aside")
_COLUMNS = ("id", "kind", "from_state", "to_state", "at", "position", "target_id")


@dataclass(frozen=True, slots=True)
class FoundChange:
    """A change, and its target. `target` is None for outages and for deleted targets."""

    event: Event  # not saved: it has only some fields, with _PAYLOAD_FIELDS of the payload
    target: Target | None  # with the references that the actor may see


@dataclass(kw_only=True)
class ChangeSearch:
    """A search for the changes that an actor may see.

    Quiet changes are left out: those of quiet targets, and those that a repair or an upgrade makes.
    Members and service users see outages, and changes of targets with a reference that they may
    change. With `document`, all actors only see changes of targets with this reference, if they may
    see it. The search for a page ends when it is full or SearchClock stops it: a page with
    `next_page_token` may have few changes, or none.
    """

    by: Actor
    kind: str = ""  # a key of KINDS; empty: all
    since: datetime | None = None
    until: datetime | None = None
    document: str = ""  # a reference id of the target

    next_page_token: str | None = None
    counted: int = 0  # changes that `by_document` has counted

    def find(self, *, limit: int, token: str | None = None) -> list[FoundChange]:
        """Return a page of changes, newest first; raises ApiError `invalid_page_token`.

        Events that have no position yet, usually for a moment, appear only on the first page.
        """
        columns = (*_COLUMNS, *(f"payload__{name}" for name in _PAYLOAD_FIELDS))
        rows = self._walk(columns, limit=limit, token=token)
        targets = Target.objects.with_references(self.by).in_bulk(
            {row["target_id"] for row in rows if row["target_id"]}
        )
        return [FoundChange(_event(row), targets.get(row["target_id"])) for row in rows]

    def by_document(self, limit: int) -> list[tuple[str, int]]:
        """Return up to `limit` reference ids with the number of their changed targets, largest
        first.

        Counts at most the newest MAX_COUNTED changes, and only references that the actor may
        change; `next_page_token` is set if there may be more changes.
        """
        rows = self._walk(_COLUMNS, limit=MAX_COUNTED, token=None, is_page=False)
        self.counted = len(rows)
        changed = {row["target_id"] for row in rows if row["target_id"]}
        visible = Reference.objects.filter(target__pk__among=list(changed))
        visible = self.by.reach(visible, to_change=True)
        counts = (
            visible.order_by().values("object_id").annotate(count=Count("target", distinct=True))
        )
        documents = counts.order_by("-count", "object_id")
        return list(documents.values_list("object_id", "count")[:limit])

    def _walk(
        self, columns: tuple[str, ...], *, limit: int, token: str | None, is_page: bool = True
    ) -> list[dict[str, Any]]:
        """Return the next changes. A page ends soon after its first; other walks take longer."""
        self.next_page_token = None
        matching = self._matching()
        events = Event.objects.all()
        if token is None:
            top = events.newest_position()
            if self.until is not None:
                top = events.position_before(self.until + _MARGIN)
            fresh = matching.filter(position__isnull=True).order_by("-at", "-id")
            rows = list(fresh.values(*columns)[: limit + 1])
        else:
            top, rows = _decode_position(token), []
        bottom = events.position_before(self.since - _MARGIN) if self.since else _lowest(events) - 1
        clock, end, size = SearchClock(), top, FIRST_STEP
        while end > bottom and len(rows) <= limit:
            if end < top and clock.is_time_up(rows if is_page else ()):
                self.next_page_token = _page_token(end)
                return rows
            begin = max(bottom, end - size)
            step = matching.filter(position__gt=begin, position__lte=end).order_by("-position")
            rows += step.values(*columns)[: limit + 1 - len(rows)]
            end, size = begin, STEP
        if len(rows) > limit:
            last = rows[limit - 1]["position"]
            self.next_page_token = _page_token(top if last is None else last - 1)
        return rows[:limit]

    def _matching(self) -> EventQuerySet:
        rows = Event.objects.filter(KINDS.get(self.kind, _ALL), quiet=False)
        if self.since is not None:
            rows = rows.filter(at__gte=self.since)
        if self.until is not None:
            rows = rows.filter(at__lt=self.until)
        references = Reference.objects.filter(target=OuterRef("target"))
        if self.document:
            document = references.filter(object_id=self.document)
            return rows.filter(Exists(self.by.reach(document)))
        changeable = self.by.reach(references, to_change=True)
        return rows if self.by.sees_all else rows.filter(Exists(changeable) | _NETWORK)


def _event(row: dict[str, Any]) -> Event:
    parts = {name: row.pop(f"payload__{name}") for name in _PAYLOAD_FIELDS}
    payload = {name: value for name, value in parts.items() if value is not None}
    return Event(**row, payload=payload)


def _lowest(events: EventQuerySet) -> int:
    return events.numbered().values_list("position", flat=True).first() or 1


def _page_token(position: int) -> str:
    return encode_token({"changes_up_to": position})


def _decode_position(token: str) -> int:
    position = decode_token(token, keys={"changes_up_to"})["changes_up_to"]
    if not isinstance(position, int) or not 0 <= position < 2**63:
        raise invalid_page_token()
    return position
