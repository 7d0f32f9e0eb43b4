"""The old names of `outbox.kafka_settings`."""

from foundation.moved_names import moved

_NAMES = ("instances", "kafka_mistakes")
__getattr__ = moved(__name__, {name: f"outbox.kafka_settings.{name}" for name in _NAMES})
