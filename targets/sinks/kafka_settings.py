"""The old names of `outbox.kafka_settings`."""

from typing import TYPE_CHECKING

from foundation.moved import moved

if not TYPE_CHECKING:
    __getattr__ = moved(
        __name__,
        {name: f"outbox.kafka_settings.{name}" for name in ("instances", "kafka_mistakes")},
    )
