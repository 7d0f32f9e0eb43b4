"""The old names of `outbox.kafka`."""

from typing import TYPE_CHECKING

from foundation.moved import moved

if not TYPE_CHECKING:
    __getattr__ = moved(
        __name__, {"KafkaSink": "outbox.kafka.KafkaReader", "message": "outbox.kafka.message"}
    )
