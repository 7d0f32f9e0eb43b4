"""The old names of `outbox.events`."""

from foundation.moved_names import moved

_NAMES = ("cloud_event", "cloud_events", "event_type", "whole_event", "write")
__getattr__ = moved(
    __name__,
    {name: f"outbox.events.{name}" for name in _NAMES} | {"public": "outbox.events.visible_data"},
)
