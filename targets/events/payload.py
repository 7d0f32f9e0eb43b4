"""The payload of events: a snapshot made in the transaction of the transition (CloudEvents 1.0)."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from foundation.times import rfc3339
from targets.models import Reference, Target, Transition

logger = logging.getLogger(__name__)

MAX_REFERENCES = 1000  # reference ids in one part of an event
MAX_REFERENCE_BYTES = 512 * 1024  # of their JSON: a part stays well below the 1 MiB of many brokers
MAX_ERROR_BYTES = 16 * 1024  # of the JSON that an EVENT_BUILDER returns

ErrorDetails = dict[str, Any] | None
EventBuilder = Callable[[Target, ErrorDetails], ErrorDetails]


def event_type(state: str) -> str:
    """Return the CloudEvents type of a transition into `state`."""
    return f"linkwatch.target.{state}"


def payload(
    target: Target, *, previous: str, reference_ids: list[str], error: ErrorDetails
) -> dict[str, Any]:
    """Return the event's data for a target as it stands now. `error` says why, None if all is well.

    Source: docs/requirements.md#events-death.
    """
    return {
        "target_id": target.id,
        "url": target.url,
        "canonical_url": target.canonical_url,
        "reference_ids": reference_ids,
        "state": target.state,
        "previous_state": previous,
        "failures": target.failures,
        "first_failed_at": rfc3339(target.first_failed_at),
        "checked_at": rfc3339(target.last_checked_at),
        "error": error,
    }


def write_transitions(
    transitions: Iterable[Transition], *, errors: dict[str, dict[str, Any] | None]
) -> None:
    """Insert transitions with their payloads; `errors` maps target ids to what went wrong.

    Must run in the transaction that writes the targets' state. Two statements, however many.
    """
    rows = list(transitions)
    references: dict[str, list[str]] = {}
    wanted = [row.target_id for row in rows if row.to_state in settings.EVENT_STATES]
    for target_id, object_id in (
        Reference.objects.filter(target__in=wanted)
        .order_by("created_at", "pk")
        .values_list("target_id", "object_id")
    ):
        references.setdefault(target_id, []).append(object_id)
    for row in rows:
        target = cast("Target", row.target)
        error = errors.get(target.id)
        row.payload = payload(
            target,
            previous=row.from_state,
            reference_ids=references.get(target.id, []),
            error=_build_error(target, error) if target.id in wanted else error,
        )
    Transition.objects.bulk_create(rows)


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


def cloud_events(transition: Transition) -> Iterator[dict[str, Any]]:
    """Yield a numbered transition in CloudEvents' JSON format: one event, or its parts.

    Over MAX_REFERENCES reference ids (or MAX_REFERENCE_BYTES of them) it comes in parts with
    extension attributes `part` (from 1) and `parts`. Each part has some of the ids and all the
    rest; the first has the transition's id, the others that id with their number behind a dot.
    """
    chunks = list(_chunks(transition.payload.get("reference_ids", [])))
    for number, chunk in enumerate(chunks, start=1):
        event = {
            "specversion": "1.0",
            "id": str(transition.id) if number == 1 else f"{transition.id}.{number}",
            "source": settings.BASE_URL,
            "type": event_type(transition.to_state),
            "subject": transition.payload["target_id"],
            "time": rfc3339(transition.at),
            "datacontenttype": "application/json",
            "data": transition.payload,
        }
        if len(chunks) > 1:
            data = transition.payload | {"reference_ids": chunk}
            event |= {"data": data, "part": number, "parts": len(chunks)}
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
