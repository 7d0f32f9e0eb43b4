"""Webhooks in the OpenAPI description: bodies and headers."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiWebhook

from notify.message_texts import DIGEST, DISABLED, SKIPPED, TEST
from outbox.event_kinds import TARGET_KINDS, EventKind
from targets.state import State

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_INTEGER: Schema = {"type": "integer"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_TRUNCATION: Mapping[str, Schema] = {
    "truncated": {
        "const": True,
        "description": "Set if the message exceeded 20 kB: data is shortened or omitted.",
    },
    "link": {"type": "string", "format": "uri", "description": "Link to the details."},
}
_HEADERS = {
    "webhook-id": "The event's id: the same each time it is sent.",
    "X-Request-ID": "The same id. Log it to find this message in Linkwatch's logs.",
    "webhook-timestamp": "Time of this attempt, in seconds since 1970.",
    "webhook-signature": "`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under "
    "the secret; two of them, separated by a space, while the secret is being rotated.",
}
_RESPONSES = {
    "2XX": "The event is accepted. Respond within 15 seconds; the response body has no effect.",
    "410": "Stop sending: Linkwatch disables the channel.",
    "4XX": "This event is not retried; later ones are still sent. 407, 408 and 429 are treated "
    "like 5XX.",
    "5XX": "Try again later, after the time in Retry-After if given; after three days, the "
    "channel is disabled. Redirects are not followed and are treated the same.",
}


def _event(types: list[str], data: Mapping[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """Return the schema of a CloudEvent of these types."""
    schema = {"type": "object", "properties": {**data, **_TRUNCATION}, "required": list(required)}
    fields: Mapping[str, Schema] = {
        "specversion": {"const": "1.0"},
        "id": {"type": "string", "format": "uuid"},
        "source": {"type": "string", "format": "uri"},
        "type": {"enum": types},
        "subject": {
            **_TEXT,
            "description": "What the event is about, if it is about a single resource.",
        },
        "time": _TIME,
        "datacontenttype": {"const": "application/json"},
        "data": schema,
    }
    required_fields = [name for name in fields if name != "subject"]
    return {"type": "object", "properties": dict(fields), "required": required_fields}


def _webhook(name: str, summary: str, schema: Schema) -> OpenApiWebhook:
    """Return a webhook whose body has this schema."""
    parameters = [
        {"in": "header", "name": header, "required": True, "schema": _TEXT, "description": text}
        for header, text in _HEADERS.items()
    ]
    body = {"required": True, "content": {"application/cloudevents+json": {"schema": schema}}}
    operation = {
        "summary": summary,
        "description": "Follows the Standard Webhooks specification: https://www.standardwebhooks.com.",
        "tags": ["notify"],
        "parameters": parameters,
        "requestBody": body,
        "responses": {status: {"description": text} for status, text in _RESPONSES.items()},
    }
    return OpenApiWebhook(name, {"post": operation})


_STATE: Schema = {"enum": [state.value for state in State]}
_TARGET = _event(
    sorted(
        {f"linkwatch.target.{state.value}" for state in State}
        | {f"linkwatch.target.{kind.value}" for kind in TARGET_KINDS - {EventKind.STATE}}
    ),
    {
        "target_id": _TEXT,
        "url": _TEXT,
        "canonical_url": _TEXT,
        "reference_ids": {**_TEXTS, "description": "References that the channel's owner can see."},
        "occurrences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "reference_id": _TEXT,
                    "line": {"type": ["integer", "null"]},
                    "column": {"type": ["integer", "null"]},
                    "text": _TEXT,
                },
            },
            "description": "Where the link appears in the documents of the first references, if "
            "known.",
        },
        "reference_ids_count": {
            **_INTEGER,
            "description": "Total number, if the list is shortened.",
        },
        "state": _STATE,
        "previous_state": _STATE,
        "failures": _INTEGER,
        "first_failed_at": {"type": ["string", "null"], "format": "date-time"},
        "checked_at": {"type": ["string", "null"], "format": "date-time"},
        "error": {
            "type": ["object", "null"],
            "description": "What went wrong; null if nothing did.",
        },
        "flag": {**_TEXT, "description": "The flag that was raised or cleared."},
        "moved_to": {
            **_TEXT,
            "description": "For `repaired`: the page's new address.",
        },
        "replaced_by": {**_TEXT, "description": "The target for the new address."},
        "copy": {
            "type": "object",
            "description": "Copy of the dead page in a web archive: "
            "result, archive, url, captured_at, asked_at.",
        },
    },
    ("target_id",),
)
_DEPLOYMENT = _event(
    [
        *(f"linkwatch.{kind.replace('_', '.')}" for kind in EventKind if kind not in TARGET_KINDS),
        *(SKIPPED, DISABLED, TEST),
    ],
    {
        "since": _TIME,
        "until": {"type": ["string", "null"], "format": "date-time"},
        "reason": _TEXT,
        "set_aside": {**_INTEGER, "description": "Number of checks that did not count."},
        "name": {
            **_TEXT,
            "description": "The sink or folder with a problem, `schedules`, or the id of a batch.",
        },
        "detail": {**_TEXT, "description": "A sentence that describes the problem."},
        "key": {**_TEXT, "description": "Key of the short link that expires soon."},
        "destination": _TEXT,
        "ends_at": _TIME,
        "channel_id": _TEXT,
        "channel": _TEXT,
        "skipped": {
            **_INTEGER,
            "description": "Number of events that were skipped.",
        },
        "summary": _TEXT,
    },
)
_DIGEST = _event(
    [DIGEST],
    {
        "summary": {**_TEXT, "description": "For example, `3 dead links on example.org`."},
        "began_at": _TIME,
        "count": {**_INTEGER, "description": "Number of events in the message."},
        "skipped": _INTEGER,
        "event_ids": _TEXTS,
        "event_ids_count": _INTEGER,
        "events": {
            "type": "array",
            "items": {"type": "object"},
            "description": "The first ten events.",
        },
        "events_count": _INTEGER,
    },
    ("summary", "count"),
)

TARGET_WEBHOOK = _webhook("target", "What happened to a target", _TARGET)
DEPLOYMENT_WEBHOOK = _webhook(
    "deployment", "What happened to the deployment, a short link, a batch or a channel", _DEPLOYMENT
)
DIGEST_WEBHOOK = _webhook("digest", "Several events in one message", _DIGEST)
