"""The old names of `outbox.events`."""

from foundation.moved_names import moved

_NAMES = ("cloud_event", "cloud_events", "event_type", "public", "whole_event", "write")
__getattr__ = moved(__name__, {name: f"outbox.events.{name}" for name in _NAMES})
