"""The payload of events: a snapshot made in the transaction of the transition (CloudEvents 1.0)."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, cast
from uuid import UUID

import uuid_utils.compat
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.actors import DEPLOYMENT, Actor
from foundation.database import rows
from foundation.ids import public_id, raw_id
from foundation.times import rfc3339
from targets.events.kinds import EventKind
from targets.models import Reference, Target, Transition
from targets.state import Health

logger = logging.getLogger(__name__)

MAX_REFERENCES = 1000  # reference ids in one part of an event
MAX_REFERENCE_BYTES = 512 * 1024  # of their JSON: a part stays well below the 1 MiB of many brokers
MAX_ERROR_BYTES = 16 * 1024  # of the JSON that an EVENT_BUILDER returns

ErrorDetails = dict[str, Any] | None
EventBuilder = Callable[[Target, ErrorDetails], ErrorDetails]


def event_type(state: str) -> str:
    """Return the CloudEvents type of a transition into `state`."""
    return f"linkwatch.target.{state}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of a target's state, as its event tells it."""

    target_id: UUID
    url: str
    canonical_url: str
    previous: str  # state
    health: Health  # since then
    at: datetime
    checked_at: datetime | None
    error: ErrorDetails = None  # why; None if all is well


def change_by_hand(target: Target, *, previous: str) -> Change:
    """Return the change of a target that became what it is now by no check."""
    return Change(
        target_id=raw_id("target", target.id),
        url=target.url,
        canonical_url=target.canonical_url,
        previous=previous,
        health=target.health,
        at=target.state_changed_at,
        checked_at=target.last_checked_at,
    )


Referrer = tuple[str, int | None]  # a reference id and the id of its owner, if it has one


def payload(
    change: Change, *, referrers: Sequence[Referrer], error: ErrorDetails
) -> dict[str, Any]:
    """Return the event's data. Source: docs/requirements.md#events-death.

    `owners`, in the order of `reference_ids`, is for `public` alone; it is left out where no
    reference has any.
    """
    owners = [owner for _, owner in referrers]
    return {
        "target_id": public_id("target", change.target_id),
        "url": change.url,
        "canonical_url": change.canonical_url,
        "reference_ids": [object_id for object_id, _ in referrers],
        "state": change.health.state.value,
        "previous_state": change.previous,
        "failures": change.health.failures,
        "first_failed_at": rfc3339(change.health.first_failed_at),
        "checked_at": rfc3339(change.checked_at),
        "error": error,
    } | ({"owners": owners} if any(owners) else {})


def public(written: Mapping[str, Any], by: Actor = DEPLOYMENT) -> dict[str, Any]:
    """Return what somebody may read of an event's data: no owners, and of the ids those it knows.

    An id by which several owners refer is there once.
    """
    if by.sees_all and "owners" not in written:
        return dict(written)
    ids = written.get("reference_ids", [])
    owners = written.get("owners", [None] * len(ids))
    known = (id_ for id_, owner in zip(ids, owners, strict=True) if by.reaches(owner))
    return {name: value for name, value in written.items() if name != "owners"} | {
        "reference_ids": list(dict.fromkeys(known))
    }


_COLUMNS = ("id", "target_id", "kind", "from_state", "to_state", "at", "payload")
_REFERENCES = """\
SELECT {columns} FROM targets_reference WHERE target_id {ids} ORDER BY created_at, id
"""


def write_transitions(changes: Sequence[Change]) -> None:
    """Insert the transitions of these changes, each with its payload.

    Must run in the transaction that has written the targets' state. Two statements, however many;
    one more for an EVENT_BUILDER.
    """
    wanted = [
        change.target_id for change in changes if change.health.state in settings.EVENT_STATES
    ]
    referrers: dict[UUID, list[Referrer]] = {target_id: [] for target_id in wanted}
    if wanted:
        columns = ("target_id", "object_id", "owner_id")
        for target_id, *referrer in rows.select(Reference, columns, _REFERENCES, {"ids": wanted}):
            referrers[target_id].append((referrer[0], referrer[1]))
    errors = {change.target_id: change.error for change in changes}
    if wanted and event_builder() is not None:
        for target in Target.objects.filter(pk__among=wanted):
            target_id = raw_id("target", target.id)
            errors[target_id] = _build_error(target, errors[target_id])
    transitions = [
        (
            uuid_utils.compat.uuid7(),
            change.target_id,
            EventKind.STATE.value,
            change.previous,
            change.health.state.value,
            change.at,
            payload(
                change,
                referrers=referrers.get(change.target_id, []),
                error=errors[change.target_id],
            ),
        )
        for change in changes
    ]
    rows.insert(Transition, _COLUMNS, transitions)


@cache
def event_builder() -> EventBuilder | None:
    """Return what EVENT_BUILDER names, None if nothing. Raises ImportError for a bad name."""
    path = settings.EVENT_BUILDER
    return cast("EventBuilder", import_string(path)) if path else None


def _build_error(target: Target, error: ErrorDetails) -> ErrorDetails:
    """Let EVENT_BUILDER say it in its own words; without one, or when it fails, it stays as it is.

    A savepoint keeps a builder's failed query from breaking the transaction of the check.
    """
    build = event_builder()
    if build is None:
        return error
    try:
        with transaction.atomic():
            built = build(target, None if error is None else dict(error))
            _check_error(built)
    except Exception:  # (an operator's code raises what it likes)
        logger.exception("EVENT_BUILDER failed for %s; its event keeps the usual error", target.id)
        return error
    return built


def _check_error(built: object) -> None:
    """Raise TypeError or ValueError for what no database column or no reader could take."""
    if built is not None and not isinstance(built, dict):
        raise TypeError(f"it returned {type(built).__name__}, neither a dict nor None")
    text = json.dumps(built, ensure_ascii=False, allow_nan=False)
    if len(text.encode()) > MAX_ERROR_BYTES:
        raise ValueError(f"it returned more than {MAX_ERROR_BYTES} bytes")
    if "\\u0000" in text:
        raise ValueError("it returned a NUL character")


def cloud_events(transition: Transition, by: Actor = DEPLOYMENT) -> Iterator[dict[str, Any]]:
    """Yield a numbered transition in CloudEvents' JSON format, for `by`: one event, or its parts.

    Over MAX_REFERENCES reference ids (or MAX_REFERENCE_BYTES of them) it comes in parts with
    extension attributes `part` (from 1) and `parts`. Each part has some of the ids and all the
    rest; the first has the transition's id, the others that id with their number behind a dot.
    """
    data = public(transition.payload, by)
    chunks = list(_chunks(data.get("reference_ids", [])))
    for number, chunk in enumerate(chunks, start=1):
        event = {
            "specversion": "1.0",
            "id": str(transition.id) if number == 1 else f"{transition.id}.{number}",
            "source": settings.BASE_URL,
            "type": event_type(transition.to_state),
            "subject": transition.payload["target_id"],
            "time": rfc3339(transition.at),
            "datacontenttype": "application/json",
            "data": data,
        }
        if len(chunks) > 1:
            part = data | {"reference_ids": chunk}
            event |= {"data": part, "part": number, "parts": len(chunks)}
        yield event


def _chunks(reference_ids: list[str]) -> Iterator[list[str]]:
    """Split by number and by size; yields one empty list when there are none."""
    at_most = sum(map(len, reference_ids)) * 12 + 4 * len(reference_ids)  # a character is ≤ 12
    if len(reference_ids) <= MAX_REFERENCES and at_most <= MAX_REFERENCE_BYTES:
        yield reference_ids
        return
    chunk: list[str] = []
    size = 0
    for reference_id in reference_ids:
        more = len(json.dumps(reference_id)) + 2
        if chunk and (len(chunk) == MAX_REFERENCES or size + more > MAX_REFERENCE_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(reference_id)
        size += more
    yield chunk
