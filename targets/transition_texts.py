"""Texts that describe events."""

from collections.abc import Callable, Mapping
from typing import Any

from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.flags import flag_label
from targets.state import State

MAX_LENGTH = 160  # characters


def describe(event: Event) -> str:
    """Return a line about an event of any kind; untrusted text, to be escaped."""
    kind = EventKind(event.kind)
    if kind is EventKind.STATE:
        return reason(event.from_state, event.to_state, event.payload)
    return _short(_SENTENCES[kind](event.payload))


def _flag(data: Mapping[str, Any]) -> str:
    return flag_label(str(data["flag"]))


_SENTENCES: dict[EventKind, Callable[[Mapping[str, Any]], str]] = {
    EventKind.FLAG_RAISED: lambda data: f"Flag raised: {_flag(data)}",
    EventKind.FLAG_CLEARED: lambda data: f"Flag cleared: {_flag(data)}",
    EventKind.ARCHIVED: lambda data: f"Copy found: {data['copy']['url']}",
    EventKind.REPAIRED: lambda data: f"References were moved to {data['moved_to']}",
    EventKind.ATTENTION_NEEDED: lambda data: f"Needs attention: {_error(data.get('error'))}",
    EventKind.ATTENTION_ENDED: lambda _: "No longer needs attention",
    EventKind.NETWORK_DOWN: lambda _: "Linkwatch went offline",
    EventKind.NETWORK_BACK: lambda data: f"Back online; checks ignored: {data['set_aside']}",
    EventKind.LINK_ENDING: lambda data: f"The short link {data['key']} expires soon",
    EventKind.BATCH_DONE: lambda data: f"Batch {data['name']} is done",
    **dict.fromkeys(
        (EventKind.SINK_BEHIND, EventKind.DISK_FILLING, EventKind.SCHEDULES_LATE),
        lambda data: str(data["detail"]),
    ),
}


def _short(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"


def reason(before: str, after: str, payload: Mapping[str, Any]) -> str:
    """Return why a target went from one state to another, from its transition's payload.

    Contains untrusted text, to be escaped.
    """
    if after == State.ALIVE:
        return "A check succeeded" if before == State.PENDING else "Checks are succeeding again"
    if after == State.PENDING:
        return "Checks have started over"
    text = _error(payload.get("error"))
    if after == State.DEAD and (failures := payload.get("failures") or 0) > 1:
        text = f"{failures} failures in a row: {text}"
    return _short(text)


def _error(error: Any) -> str:
    """Return the sentence of an error; EVENT_BUILDER may have returned anything."""
    if isinstance(error, dict):
        for key in ("message", "kind"):
            if isinstance(error.get(key), str) and error[key]:
                return str(error[key])
    return "The check failed"
