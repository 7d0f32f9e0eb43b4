"""Invalid KAFKA_* settings stop start-up, each with its own error message."""

import pytest

from outbox.kafka_settings import kafka_mistakes

pytestmark = pytest.mark.one_database

GOOD = {
    "KAFKA_BOOTSTRAP_SERVERS": ["a.example:9092", " [::1]:9092"],
    "KAFKA_TOPIC": "linkwatch.targets",
    "KAFKA_START": "end",
    "KAFKA_API_VERSION": "",
    "KAFKA_SECURITY_PROTOCOL": "PLAINTEXT",
    "KAFKA_SASL_MECHANISM": "",
    "KAFKA_USERNAME": "",
    "KAFKA_PASSWORD": "",
    "KAFKA_CA_FILE": "",
}
SASL = {
    "KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
    "KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
    "KAFKA_USERNAME": "me",
    "KAFKA_PASSWORD": "secret",
}


@pytest.mark.parametrize("changes", [{}, SASL, {"KAFKA_API_VERSION": "2.0"}])
def test_valid_settings_are_not_mistakes(changes):
    assert list(kafka_mistakes(GOOD | changes)) == []


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        (
            {"KAFKA_BOOTSTRAP_SERVERS": ["a", "a:x", ":1", "u@a:1", "http://a:1"]},
            [
                f"KAFKA_BOOTSTRAP_SERVERS: {server!r} is not in the form host:port."
                for server in ("a", "a:x", ":1", "u@a:1", "http://a:1")
            ],
        ),
        (
            {"KAFKA_TOPIC": "a b"},
            [
                "KAFKA_TOPIC: 'a b' is not a valid topic; use 1 to 249 of these "
                "characters: A-Z a-z 0-9 . _ -"
            ],
        ),
        (
            {"KAFKA_TOPIC": ".."},
            [
                "KAFKA_TOPIC: '..' is not a valid topic; use 1 to 249 of these "
                "characters: A-Z a-z 0-9 . _ -"
            ],
        ),
        ({"KAFKA_API_VERSION": "2"}, ["KAFKA_API_VERSION: '2' is not a version such as 2.0."]),
        (
            {"KAFKA_SECURITY_PROTOCOL": "TLS"},
            [
                "KAFKA_SECURITY_PROTOCOL: 'TLS' is unknown; "
                "use PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL."
            ],
        ),
        (
            {"KAFKA_USERNAME": "me"},
            ["KAFKA_USERNAME: it requires a KAFKA_SECURITY_PROTOCOL that begins with SASL."],
        ),
        (
            SASL | {"KAFKA_SASL_MECHANISM": "GSSAPI", "KAFKA_PASSWORD": ""},
            [
                "KAFKA_SASL_MECHANISM: 'GSSAPI' is unknown; "
                "use PLAIN, SCRAM-SHA-256, SCRAM-SHA-512.",
                "KAFKA_PASSWORD: it is not set, but SASL requires it.",
            ],
        ),
        (
            {"KAFKA_CA_FILE": "/ca.pem"},
            [
                "KAFKA_CA_FILE: KAFKA_SECURITY_PROTOCOL=PLAINTEXT does not use one; use SSL or "
                "SASL_SSL."
            ],
        ),
        (
            {"KAFKA_CA_FILE": "/no/ca.pem", "KAFKA_SECURITY_PROTOCOL": "SSL"},
            ["KAFKA_CA_FILE: /no/ca.pem cannot be used (No such file or directory)."],
        ),
    ],
)
def test_each_mistake_is_explained_in_a_sentence(changes, sentences):
    assert list(kafka_mistakes(GOOD | changes)) == sentences
