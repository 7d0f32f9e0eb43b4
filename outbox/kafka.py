"""Kafka as a reader: CloudEvents in binary mode, and the producer that sends them.

For `run_relay` only: a producer has threads, so it can't be created before a fork, and creating one
may block for KAFKA_TIMEOUT, too long for a web request.
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, cast

from cloudevents.core.bindings.kafka import to_binary_event
from cloudevents.core.v1.event import CloudEvent
from django.conf import settings
from kafka import KafkaProducer
from kafka.errors import InvalidRecordError, KafkaError, KafkaTimeoutError, MessageSizeTooLargeError

from outbox.events import cloud_events
from outbox.messages import Message, MessageReader
from outbox.models import Event

MAX_MESSAGE_BYTES = 1024 * 1024  # the default limit of brokers
_MAX_REASONS = 3
_MARGIN = timedelta(seconds=1)  # for acknowledgements, beyond the producer's own timeout


def to_message(event: dict[str, Any]) -> Message:
    """Return an event from `cloud_events` as a message, whose key is the target's id."""
    attributes = {name: value for name, value in event.items() if name != "data"}
    attributes["time"] = datetime.fromisoformat(attributes["time"])
    for name in ("part", "parts"):
        if name in attributes:
            attributes[name] = str(attributes[name])
    binary = to_binary_event(CloudEvent(attributes, event["data"]))
    return Message(event["subject"].encode(), binary.value, list(binary.headers.items()))


class _KafkaProducer(KafkaProducer):  # type: ignore[misc] # it has no types
    """A producer that can be dropped with unsent messages."""

    def flush(self, timeout: float | None = None) -> None:
        """Do nothing: `close` would wait here, and after a while give up without closing."""


class KafkaReader(MessageReader):
    """Sends messages and waits for the brokers' acknowledgements."""

    name = "kafka"
    # Errors about one message; other errors are about the connection or the topic.
    refusals: ClassVar = (MessageSizeTooLargeError, InvalidRecordError)
    failures: ClassVar = (KafkaError, OSError)

    def __init__(self) -> None:
        self._producer: _KafkaProducer | None = None

    @property
    def begins_at_start(self) -> bool:
        """Return whether KAFKA_START says that the reader begins at the start of the feed."""
        return bool(settings.KAFKA_START == "start")

    @property
    def timeout(self) -> timedelta:
        """KAFKA_TIMEOUT each for connecting, the topic and acknowledgements, and one second."""
        timeout: timedelta = 3 * settings.KAFKA_TIMEOUT
        return timeout + _MARGIN

    def encode(self, event: Event) -> list[Message]:
        """Return the event's messages; raises MessageSizeTooLargeError before a broker would."""
        messages = [to_message(part) for part in cloud_events(event)]
        largest = max(message.size for message in messages)
        if largest > MAX_MESSAGE_BYTES:
            raise MessageSizeTooLargeError(f"a message of {largest} bytes is too large")
        return messages

    def send(self, messages: Sequence[Message]) -> list[Exception | None]:
        """Send all messages at once; a message is accepted once all in-sync replicas have it.

        If two messages have the same key, the first can fail while the second arrives. After any
        error, the next call uses a new producer.
        """
        try:
            errors = self._send(messages)
        except BaseException:
            self.close()
            raise
        if any(errors):
            self.close()
        return errors

    def _send(self, messages: Sequence[Message]) -> list[Exception | None]:
        if self._producer is None:
            self.connecting = True  # for up to KAFKA_TIMEOUT, with no messages in flight
            try:
                self._producer = _connect()
            finally:
                self.connecting = False
        topic = settings.KAFKA_TOPIC
        futures = [
            self._producer.send(topic, key=item.key, value=item.value, headers=item.headers)
            for item in messages
        ]
        deadline = time.monotonic() + (settings.KAFKA_TIMEOUT + _MARGIN).total_seconds()
        return [_error_of(future, deadline) for future in futures]

    def close(self) -> None:
        """Drop the producer and its unsent messages."""
        producer, self._producer = self._producer, None
        if producer is not None:
            producer.close(timeout=0)


def _error_of(future: Any, deadline: float) -> Exception | None:
    try:
        future.get(timeout=max(0.0, deadline - time.monotonic()))
    except KafkaError as error:
        return cast("Exception", error)
    return None


class _FailureLog(logging.Handler):
    """Collects the reasons for failed connections, which kafka-python only logs."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        _, _, reason = record.getMessage().partition("Connection lost: ")
        if reason and len(self.reasons) < _MAX_REASONS:
            self.reasons[reason] = None


_failure_log = _FailureLog()
logging.getLogger("kafka").addHandler(_failure_log)


def _connect() -> _KafkaProducer:
    """Return a new producer that knows the topic.

    Raises KafkaTimeoutError with the known reasons, and other errors from kafka-python.

    The producer is not idempotent, because an idempotent one fails forever after one refused
    message in kafka-python 3.0. The order is kept by one request in flight, and by the relay, which
    never sends two events of a target at once.
    """
    _failure_log.reasons.clear()
    try:
        producer = _KafkaProducer(**_options())
    except KafkaTimeoutError as error:
        why = "; ".join(_failure_log.reasons) or "no response"
        raise KafkaTimeoutError(f"no connection to the brokers ({why})") from error
    try:
        producer.partitions_for(settings.KAFKA_TOPIC)
    except BaseException as error:
        producer.close(timeout=0)
        if isinstance(error, KafkaTimeoutError):
            why = f"the brokers don't have the topic {settings.KAFKA_TOPIC!r}, or do not respond"
            raise KafkaTimeoutError(why) from error
        raise
    return producer


def _options() -> dict[str, Any]:
    timeout = int(settings.KAFKA_TIMEOUT.total_seconds() * 1000)
    version = settings.KAFKA_API_VERSION
    return {
        "bootstrap_servers": [server.strip() for server in settings.KAFKA_BOOTSTRAP_SERVERS],
        "client_id": "linkwatch-relay",
        "enable_idempotence": False,
        "acks": "all",
        "max_in_flight_requests_per_connection": 1,
        "max_request_size": 2 * MAX_MESSAGE_BYTES,  # above the limit that `encode` checks
        "bootstrap_timeout_ms": timeout,
        "max_block_ms": timeout,
        "request_timeout_ms": timeout,
        "delivery_timeout_ms": timeout,
        "reconnect_backoff_max_ms": 1000,
        "metrics_enabled": False,
        "api_version": tuple(map(int, version.split("."))) if version else None,
        **_security(),
    }


def _security() -> dict[str, Any]:
    options: dict[str, Any] = {"security_protocol": settings.KAFKA_SECURITY_PROTOCOL}
    if settings.KAFKA_CA_FILE:
        options["ssl_cafile"] = settings.KAFKA_CA_FILE
    if settings.KAFKA_SASL_MECHANISM:
        options["sasl_mechanism"] = settings.KAFKA_SASL_MECHANISM
        options["sasl_plain_username"] = settings.KAFKA_USERNAME
        options["sasl_plain_password"] = settings.KAFKA_PASSWORD
    return options
