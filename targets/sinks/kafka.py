"""The old name of `outbox.kafka`."""

from foundation.moved_names import moved

__getattr__ = moved(__name__, {"KafkaSink": "outbox.kafka.KafkaReader"})
