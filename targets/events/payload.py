"""The old names of `outbox.events` and `targets.payload`."""

from foundation.moved import moved

_OUTBOX = ("event_type", "public", "write", "cloud_event", "whole_event", "cloud_events")
_HERE = ("payload", "Change", "event_builder")

__getattr__ = moved(
    __name__,
    {name: f"outbox.events.{name}" for name in _OUTBOX}
    | {name: f"targets.payload.{name}" for name in _HERE},
)
