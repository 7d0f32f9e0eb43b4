"""The payload of events: a snapshot taken in the transaction of the change (CloudEvents 1.0)."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, cast
from uuid import UUID

import uuid_utils.compat
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.module_loading import import_string

from foundation.database import rows
from foundation.ids import public_id, raw_id
from foundation.times import rfc3339
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.models import Reference, Target
from targets.scan_models import ReferenceOccurrences
from targets.state import Health, State, time_of_change

logger = logging.getLogger(__name__)

# Limits on occurrences and errors in an event. They take less than 400 KB of JSON, so that a part
# stays below the 1 MiB of `outbox.events`.
MAX_REFERENCES = 30  # with occurrences
MAX_OCCURRENCES = 3  # per reference
MAX_OCCURRENCE_TEXT = 80  # characters
MAX_ERROR_BYTES = 16 * 1024  # bytes of the JSON that an EVENT_BUILDER returns

ErrorDetails = dict[str, Any] | None
EventBuilder = Callable[[Target, ErrorDetails], ErrorDetails]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """A change of a target, usually of its state, for its event."""

    target_id: UUID
    url: str
    canonical_url: str
    previous: str  # state
    health: Health  # after the change
    at: datetime
    checked_at: datetime | None
    error: ErrorDetails = None  # why; None if all is well
    kind: EventKind = EventKind.STATE
    flag: str = ""  # the flag that the event is about
    quiet: bool = False  # nobody is notified
    copy: dict[str, Any] | None = None  # the copy of its page in an archive (`copy_json`)

    @property
    def names_references(self) -> bool:
        """Whether its event names references: all do, except changes of state that are neither into
        one of EVENT_STATES nor to or from `dead`."""
        state = self.health.state
        return (
            self.kind is not EventKind.STATE
            or state in settings.EVENT_STATES
            or State.DEAD in (self.previous, state)
        )


def manual_change(target: Target, *, previous: str) -> StateChange:
    """Return a change of a target that was not made by a check, with the target's values."""
    return StateChange(
        target_id=raw_id("target", target.id),
        url=target.url,
        canonical_url=target.canonical_url,
        previous=previous,
        health=target.health,
        at=target.state_changed_at,
        checked_at=target.last_checked_at,
        quiet=target.quiet,
    )


def flag_changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[EventKind, str]]:
    """Return the kind of event and the flag for each raised and each cleared flag."""
    raised = [flag for flag in dict.fromkeys(after) if flag not in before]
    cleared = [flag for flag in dict.fromkeys(before) if flag not in after]
    return [
        *((EventKind.FLAG_RAISED, flag) for flag in raised),
        *((EventKind.FLAG_CLEARED, flag) for flag in cleared),
    ]


class Referrer(NamedTuple):
    """A reference in an event."""

    object_id: str
    owner_id: int | None
    occurrences: Sequence[Mapping[str, Any]] = ()  # the first ones


def payload(
    change: StateChange, *, referrers: Sequence[Referrer], error: ErrorDetails
) -> dict[str, Any]:
    """Return the event's data. Source: docs/requirements.md#events-death.

    `owners`, in the order of `reference_ids`, is only for `outbox.events.visible_data`; it is
    omitted if no reference has an owner. The occurrences are inside `owner`, which processes of
    0.2.0 never show; it is omitted if there are none.
    """
    owners = [referrer.owner_id for referrer in referrers]
    occurrences = [
        {"reference": index, **occurrence}
        for index, referrer in enumerate(referrers)
        for occurrence in referrer.occurrences
    ]
    return {
        "target_id": public_id("target", change.target_id),
        "url": change.url,
        "canonical_url": change.canonical_url,
        "reference_ids": [referrer.object_id for referrer in referrers],
        "state": change.health.state.value,
        "previous_state": change.previous,
        "failures": change.health.failures,
        "first_failed_at": rfc3339(change.health.first_failed_at),
        "checked_at": rfc3339(change.checked_at),
        "error": error,
        **({"flag": change.flag} if change.flag else {}),
        **({"copy": change.copy} if change.copy else {}),
        **({"owners": owners} if any(owners) else {}),
        **({"owner": {"occurrences": occurrences}} if occurrences else {}),
    }


_COLUMNS = ("id", "target_id", "kind", "from_state", "to_state", "at", "payload", "quiet")
_REFERENCES = """\
SELECT {columns} FROM targets_reference WHERE target_id {ids} AND NOT EXISTS (
    SELECT 1 FROM targets_replacedreference WHERE old_id = targets_reference.id
) ORDER BY created_at, id
"""  # without references that have a twin: events about the twin's target name the twin


def write_transitions(changes: Sequence[StateChange]) -> None:
    """Insert the rows of these changes, each with its payload.

    Must run in the transaction that has written the targets. Runs at most three statements; with an
    EVENT_BUILDER, one more, and a savepoint for each target.
    """
    referrers = _referrers({change.target_id for change in changes if change.names_references})
    errors = _built_errors(list(filter(_has_built_error, changes)))
    values = []
    for change in changes:
        is_built = _has_built_error(change)
        error = errors.get(change.target_id, change.error) if is_built else change.error
        shown = referrers[change.target_id] if change.names_references else []
        data = payload(change, referrers=shown, error=error)
        is_state = change.kind is EventKind.STATE
        states = (change.previous, change.health.state.value) if is_state else ("", "")
        # Pages of 0.2.0 show all events of a target, and fail on unknown kinds.
        target_id = None if change.kind is EventKind.ARCHIVED else change.target_id
        row = (uuid_utils.compat.uuid7(), target_id, change.kind.value, *states, change.at)
        values.append((*row, data, change.quiet))
    rows.insert(Event, _COLUMNS, values)


def _has_built_error(change: StateChange) -> bool:
    """Return whether EVENT_BUILDER makes the error: for changes into one of EVENT_STATES."""
    return change.kind is EventKind.STATE and change.health.state in settings.EVENT_STATES


def _referrers(target_ids: Collection[UUID]) -> dict[UUID, list[Referrer]]:
    by_target: dict[UUID, list[Referrer]] = {target_id: [] for target_id in target_ids}
    if not by_target:
        return by_target
    columns = ("id", "target_id", "object_id", "owner_id")
    references = rows.select(Reference, columns, _REFERENCES, {"ids": list(by_target)})
    first = _first_of_each(references)
    places = dict(
        ReferenceOccurrences.objects.filter(reference__pk__among=first).values_list("pk", "places")
        if first
        else ()
    )
    for pk, target_id, object_id, owner_id in references:
        shown = [
            {**place, "text": place["text"][:MAX_OCCURRENCE_TEXT]}
            for place in places.get(pk, ())[:MAX_OCCURRENCES]
        ]
        by_target[target_id].append(Referrer(object_id, owner_id, shown))
    return by_target


def _first_of_each(references: Sequence[Sequence[Any]]) -> list[int]:
    """Return the primary keys of the first MAX_REFERENCES references of each target."""
    counts: Counter[UUID] = Counter()
    first = []
    for pk, target_id, *_ in references:
        counts[target_id] += 1
        if counts[target_id] <= MAX_REFERENCES:
            first.append(pk)
    return first


def write_repaired(
    target: Target, references: Sequence[Reference], *, new: Target, now: datetime
) -> None:
    """Write the event that these references of the target were moved to a new target."""
    change = replace(manual_change(target, previous=target.state), kind=EventKind.REPAIRED, at=now)
    referrers = [Referrer(row.object_id, row.owner_id) for row in references]
    data = payload(change, referrers=referrers, error=None)
    data |= {"moved_to": new.url, "replaced_by": new.pk}
    # Without the target, like ARCHIVED (`write_transitions`).
    row = (uuid_utils.compat.uuid7(), None, change.kind.value, "", "", change.at, data, False)
    rows.insert(Event, _COLUMNS, [row])


def write_ends(targets: Collection[Target], *, now: datetime) -> None:
    """Write the events that end the flags and the attention of targets that will be deleted.

    Call it before their references are deleted. Runs no statement if there are no such events.
    """
    marked = [target for target in targets if target.flags or target.attention_since]
    if not marked:
        return
    earlier = Event.objects.filter(target__pk__among=[target.pk for target in marked])
    latest = dict(earlier.order_by().values_list("target").annotate(Max("at")))
    write_transitions(
        [
            replace(
                manual_change(target, previous=target.state),
                at=time_of_change(now, before=latest.get(target.pk, target.created_at)),
                error=UNWATCHED,
                kind=kind,
                flag=flag,
            )
            for target in marked
            for kind, flag in _ends(target)
        ]
    )


UNWATCHED: dict[str, Any] = {"kind": "deleted", "message": "The target is no longer watched."}


def _ends(target: Target) -> list[tuple[EventKind, str]]:
    attention = [(EventKind.ATTENTION_ENDED, "")] if target.attention_since else []
    return [*flag_changes(target.flags, []), *attention]


@cache
def event_builder() -> EventBuilder | None:
    """Return the function that EVENT_BUILDER names; None if it is not set. Raises ImportError."""
    path = settings.EVENT_BUILDER
    return cast("EventBuilder", import_string(path)) if path else None


def _built_errors(changes: Sequence[StateChange]) -> dict[UUID, ErrorDetails]:
    """Return the errors that EVENT_BUILDER makes for these changes, by target; empty if it is not
    set."""
    errors = {change.target_id: change.error for change in changes}
    if not errors or event_builder() is None:
        return {}
    for target in Target.objects.filter(pk__among=list(errors)):
        target_id = raw_id("target", target.id)
        errors[target_id] = _build_error(target, errors[target_id])
    return errors


def _build_error(target: Target, error: ErrorDetails) -> ErrorDetails:
    """Return the error that EVENT_BUILDER makes, or `error` if it is not set or fails.

    A savepoint keeps a builder's failed query from breaking the transaction of the check.
    """
    build = event_builder()
    if build is None:
        return error
    try:
        with transaction.atomic():
            built = build(target, None if error is None else dict(error))
            _check_error(built)
    except Exception:  # an operator's code may raise anything
        logger.exception("EVENT_BUILDER failed for %s; its event keeps the usual error", target.id)
        return error
    return built


def _check_error(built: object) -> None:
    """Raise TypeError or ValueError for a value that a column or reader can't accept."""
    if built is not None and not isinstance(built, dict):
        raise TypeError(f"it returned {type(built).__name__}, neither a dict nor None")
    text = json.dumps(built, ensure_ascii=False, allow_nan=False)
    if len(text.encode()) > MAX_ERROR_BYTES:
        raise ValueError(f"it returned more than {MAX_ERROR_BYTES} bytes")
    if "\\u0000" in text:
        raise ValueError("it returned a NUL character")
