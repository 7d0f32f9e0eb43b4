"""Events as written to the outbox, and as CloudEvents 1.0 for readers."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from accounts.actors import DEPLOYMENT, Actor
from foundation.times import rfc3339
from outbox.event_kinds import TARGET_KINDS, EventKind
from outbox.models import Event

MAX_REFERENCES = 1000  # reference ids in one part of an event
# Bytes of their JSON: parts stay well below 1 MiB, the usual limit of brokers.
MAX_REFERENCE_BYTES = 512 * 1024
_OWNER_FIELDS = ("owner", "owners", "team")  # fields of the data with internal ids


def write(kind: EventKind, *payloads: Mapping[str, Any], now: datetime) -> None:
    """Insert events without a target, each with its payload (`outbox.event_kinds`). One statement.

    Higher layers call it in the transaction of the cause, so that an event exists if and only if
    its cause does.
    """
    Event.objects.bulk_create(
        Event(kind=kind.value, at=now, payload=dict(data)) for data in payloads
    )


def event_type(event: Event) -> str:
    """Return the CloudEvents type of an event.

    The type of a change of state contains the new state, as in linkwatch.target.dead. Other types
    contain the kind, as in linkwatch.target.flag_raised and linkwatch.network.back.
    """
    if event.kind in TARGET_KINDS:
        return f"linkwatch.target.{event.to_state or event.kind}"
    return f"linkwatch.{event.kind.replace('_', '.')}"


def _subject(event: Event) -> Any:
    """Return the subject: the id of a target, the key of a link, `network`, or the name of a batch
    or of a part of the deployment."""
    if event.kind in TARGET_KINDS:
        return event.payload["target_id"]
    if event.kind in (EventKind.NETWORK_DOWN, EventKind.NETWORK_BACK):
        return "network"
    return event.payload["key" if event.kind == EventKind.LINK_ENDING else "name"]


def visible_data(
    payload: Mapping[str, Any], by: Actor = DEPLOYMENT, *, to_change: bool = False
) -> dict[str, Any]:
    """Return the event data that the actor may read: without owners, and only with references that
    the actor may see.

    With `to_change`, only with references that the actor may change, which excludes those shared
    with everyone. A reference id of several owners is listed once. Only occurrences of these
    references are included.
    """
    shown = {name: value for name, value in payload.items() if name not in _OWNER_FIELDS}
    if "reference_ids" not in payload:
        return shown
    ids = payload["reference_ids"]
    if by.sees_all and "owners" not in payload:
        visible_ids = dict(enumerate(ids))
    else:
        owners = payload.get("owners", [None] * len(ids))
        visible_ids = {
            index: id_
            for index, (id_, owner) in enumerate(zip(ids, owners, strict=True))
            if by.reaches_reference(owner, id_, to_change=to_change)
        }
        shown["reference_ids"] = list(dict.fromkeys(visible_ids.values()))
    occurrences = [
        {"reference_id": visible_ids[occurrence["reference"]]}
        | {name: value for name, value in occurrence.items() if name != "reference"}
        for occurrence in (payload.get("owner") or {}).get("occurrences", ())
        if occurrence["reference"] in visible_ids
    ]
    return shown | ({"occurrences": occurrences} if occurrences else {})


def cloud_event(
    event_id: str, type_: str, data: Mapping[str, Any], *, subject: str | None, at: datetime
) -> dict[str, Any]:
    """Return an event in CloudEvents' JSON format; without a `subject` (None), that attribute is
    omitted."""
    event = {
        "specversion": "1.0",
        "id": event_id,
        "source": settings.BASE_URL,
        "type": type_,
        "subject": subject,
        "time": rfc3339(at),
        "datacontenttype": "application/json",
        "data": data,
    }
    return {name: value for name, value in event.items() if value is not None}


def whole_event(event: Event, by: Actor = DEPLOYMENT, *, to_change: bool = False) -> dict[str, Any]:
    """Return a row of any kind as a single event for the actor, with the data of
    `visible_data`."""
    data = visible_data(event.payload, by, to_change=to_change)
    subject, type_ = _subject(event), event_type(event)
    return cloud_event(str(event.id), type_, data, subject=subject, at=event.at)


def cloud_events(transition: Event, by: Actor = DEPLOYMENT) -> Iterator[dict[str, Any]]:
    """Yield a row of any kind in CloudEvents' JSON format for the actor: one event, or its parts.

    An event with more than MAX_REFERENCES reference ids (or MAX_REFERENCE_BYTES of them) is split
    into parts with the extension attributes `part` (from 1) and `parts`. Each part has some of the
    reference ids with their occurrences, and all other data. The first part has the event's id; the
    id of every other part is the event's id, a dot and the number of the part.

    `transition` keeps its name from version 0.2.0, because sinks may pass it as a keyword.
    """
    whole = whole_event(transition, by)
    data = whole["data"]
    chunks = list(_chunks(data.get("reference_ids", [])))
    if len(chunks) == 1:
        yield whole
        return
    for number, chunk in enumerate(chunks, start=1):
        part_data = data | {"reference_ids": chunk}
        if "occurrences" in data:
            part_data["occurrences"] = _occurrences_of(data["occurrences"], set(chunk))
        part = {"part": number, "parts": len(chunks), "data": part_data}
        yield whole | part | ({} if number == 1 else {"id": f"{transition.id}.{number}"})


def _occurrences_of(occurrences: list[dict[str, Any]], ids: set[str]) -> list[dict[str, Any]]:
    return [occurrence for occurrence in occurrences if occurrence["reference_id"] in ids]


def _chunks(reference_ids: list[str]) -> Iterator[list[str]]:
    """Split ids by number and size; yield one empty list if there are no ids."""
    # A character takes at most 12 bytes.
    max_bytes = sum(map(len, reference_ids)) * 12 + 4 * len(reference_ids)
    if len(reference_ids) <= MAX_REFERENCES and max_bytes <= MAX_REFERENCE_BYTES:
        yield reference_ids
        return
    chunk: list[str] = []
    size = 0
    for reference_id in reference_ids:
        length = len(json.dumps(reference_id)) + 2
        if chunk and (len(chunk) == MAX_REFERENCES or size + length > MAX_REFERENCE_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(reference_id)
        size += length
    yield chunk
