"""The old names of `outbox.events` and `targets.payload`."""

from typing import TYPE_CHECKING

from foundation.moved import moved

_OUTBOX = ("event_type", "public", "write", "cloud_event", "whole_event", "cloud_events")
_TARGETS = ("payload", "Change", "event_builder")

if not TYPE_CHECKING:
    __getattr__ = moved(
        __name__,
        {name: f"outbox.events.{name}" for name in _OUTBOX}
        | {name: f"targets.payload.{name}" for name in _TARGETS},
    )
