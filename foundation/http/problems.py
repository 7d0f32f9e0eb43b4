"""Problem details (RFC 9457): the second form of errors, for clients that accept it (ADR 67).

A wrapper around the ASGI application converts the envelope of an error response. The envelope stays
the default form.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

from rest_framework import serializers

from foundation.http.negotiation import MAX_ACCEPT, parse_media_type

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Callable[[], Awaitable[Message]], Send], Awaitable[None]]

MEDIA_TYPE = "application/problem+json"
_MEDIA_TYPE_BYTES = MEDIA_TYPE.encode()
_ENVELOPE_KEYS = {"code", "message", "details"}
_REPLACED = {b"content-type", b"content-length"}  # headers that change with the form


class ProblemSerializer(serializers.Serializer[Any]):
    """An error as problem details."""

    type = serializers.CharField(
        help_text=("Always `about:blank`; use `code` to distinguish problems.")
    )
    title = serializers.CharField(help_text="The name of the HTTP status.")
    status = serializers.IntegerField(help_text="The HTTP status.")
    detail = serializers.CharField(help_text="A human-readable message.")
    code = serializers.RegexField(
        "^[a-z_]+$", help_text="A machine-readable code; the same as `code` of `Error`."
    )
    details = serializers.DictField(
        help_text="For `invalid`: what is wrong, by field. Other codes may have other details."
    )
    request_id = serializers.CharField(
        required=False, help_text="The same as `X-Request-ID`; it also appears in the log."
    )


def accepts_problems(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request's headers (names in lower case) accept problem details."""
    accept = b",".join(value for name, value in headers if name == b"accept").lower()
    if _MEDIA_TYPE_BYTES not in accept or len(accept) > MAX_ACCEPT:
        return False
    types = map(parse_media_type, accept.split(b","))
    return any(name == _MEDIA_TYPE_BYTES and weight > 0 for name, weight in types)


def problem(status: int, envelope: Mapping[str, Any]) -> dict[str, Any]:
    """Return an error's envelope as problem details."""
    rest = {name: value for name, value in envelope.items() if name != "message"}
    title = HTTPStatus(status).phrase
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": envelope["message"],
        **rest,
    }


def with_problem_details(application: Application) -> Application:
    """Wrap the application: requests that accept problem details get errors in that form."""

    async def convert_errors(scope: Scope, receive: Any, send: Send) -> None:
        is_accepted = accepts_problems(scope["headers"])
        await application(scope, receive, _converting(send) if is_accepted else send)

    return convert_errors


def _converting(send: Send) -> Send:
    """Return a `send` that buffers an error and sends it as problem details."""
    start: Message | None = None
    body = b""

    async def send_converted(message: Message) -> None:
        nonlocal start, body
        if message["type"].endswith("http.response.start") and _is_error(message):
            start = message
        elif start is None:
            await send(message)
        else:
            body += message.get("body", b"")
            if not message.get("more_body", False):
                start, body = _convert(start, body)
                await send(start)
                await send({**message, "body": body})

    return send_converted


def _is_error(start: Message) -> bool:
    types = [value for name, value in start["headers"] if name.lower() == b"content-type"]
    return start["status"] >= 400 and types[:1] == [b"application/json"]


def _convert(start: Message, body: bytes) -> tuple[Message, bytes]:
    """Return the start and body of a problem; both are unchanged if the body is not an envelope."""
    try:
        envelope = json.loads(body)
    except ValueError:  # the empty body of a HEAD
        return start, body
    if not (isinstance(envelope, dict) and envelope.keys() >= _ENVELOPE_KEYS):
        return start, body
    body = json.dumps(problem(start["status"], envelope)).encode()
    headers = [(name, value) for name, value in start["headers"] if name.lower() not in _REPLACED]
    headers += [
        (b"content-type", _MEDIA_TYPE_BYTES),
        (b"content-length", str(len(body)).encode()),
        (b"vary", b"accept"),
    ]
    return {**start, "headers": headers}, body
