"""The Kafka reader, if it is configured, and mistakes in its settings, as sentences for
start-up."""

import re
import ssl
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings as django_settings

if TYPE_CHECKING:
    from outbox.kafka import KafkaReader

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_TOPIC = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}")  # Kafka's own rule
_VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


def instances() -> Iterator["KafkaReader"]:
    """Yield the reader if KAFKA_BOOTSTRAP_SERVERS is set.

    Imports it only then, because its library takes 15 MB of memory.
    """
    if django_settings.KAFKA_BOOTSTRAP_SERVERS:
        from outbox.kafka import KafkaReader

        yield KafkaReader()


def kafka_mistakes(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence, which begins with the setting's name, for each invalid or contradictory
    value."""
    for server in settings["KAFKA_BOOTSTRAP_SERVERS"]:
        if not _is_address(server.strip()):
            yield f"KAFKA_BOOTSTRAP_SERVERS: {server!r} is not in the form host:port."
    if not _TOPIC.fullmatch(settings["KAFKA_TOPIC"]):
        topic = settings["KAFKA_TOPIC"][:250]
        yield (
            f"KAFKA_TOPIC: {topic!r} is not a valid topic; use 1 to 249 of these characters: "
            "A-Z a-z 0-9 . _ -"
        )
    version = settings["KAFKA_API_VERSION"]
    if version and not _VERSION.fullmatch(version):
        yield f"KAFKA_API_VERSION: {version!r} is not a version such as 2.0."
    yield from _security_mistakes(settings)


def _security_mistakes(settings: Mapping[str, Any]) -> Iterator[str]:
    protocol = settings["KAFKA_SECURITY_PROTOCOL"]
    if protocol not in PROTOCOLS:
        yield f"KAFKA_SECURITY_PROTOCOL: {protocol!r} is unknown; use {', '.join(PROTOCOLS)}."
        return
    yield from _sasl_mistakes(settings, uses_sasl=protocol.startswith("SASL"))
    path = settings["KAFKA_CA_FILE"]
    if path and not protocol.endswith("SSL"):
        yield (
            f"KAFKA_CA_FILE: KAFKA_SECURITY_PROTOCOL={protocol} does not use one; "
            "use SSL or SASL_SSL."
        )
    elif path:
        try:
            ssl.create_default_context(cafile=path)
        except OSError as error:  # includes ssl.SSLError
            yield f"KAFKA_CA_FILE: {path} cannot be used ({error.strerror or error})."


def _sasl_mistakes(settings: Mapping[str, Any], *, uses_sasl: bool) -> Iterator[str]:
    mechanism = settings["KAFKA_SASL_MECHANISM"]
    names = ("KAFKA_SASL_MECHANISM", "KAFKA_USERNAME", "KAFKA_PASSWORD")
    if not uses_sasl:
        for name in names:
            if settings[name]:
                yield f"{name}: it requires a KAFKA_SECURITY_PROTOCOL that begins with SASL."
        return
    if mechanism not in MECHANISMS:
        yield f"KAFKA_SASL_MECHANISM: {mechanism!r} is unknown; use {', '.join(MECHANISMS)}."
    for name in names[1:]:
        if not settings[name]:
            yield f"{name}: it is not set, but SASL requires it."


def _is_address(server: str) -> bool:
    try:
        parts = urlsplit(f"//{server}")
        port = parts.port
    except ValueError:
        return False
    return bool(parts.hostname and port) and parts.netloc == server and "@" not in server
