"""Webhooks according to the Standard Webhooks specification: a signed POST of a CloudEvent.

Source: standardwebhooks.com, version 1.
"""

import base64
import hmac
import json
import ssl
from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

import httpx
from django.conf import settings as deployment
from django.utils import timezone

from accounts.actors import Actor
from foundation import kept_secrets as secrets
from foundation.net.client import FAILURES, Reply
from foundation.net.egress import guard_of
from foundation.net.guard import ForbiddenAddressError
from foundation.net.retry_after import parse_retry_after
from notify.kinds.kind import (
    ChannelKindBase,
    SendAttempt,
    SendOutcome,
    belongs_to_operators,
    invalid_setting,
)
from notify.kinds.webhook import webhook_clients
from notify.message_types import Content
from notify.models import Channel, Delivery
from targets.canonical import InvalidURLError, canonicalize, url_to_fetch

TIMEOUT = 15.0  # seconds for a whole attempt
MAX_BYTES = 20_000  # bytes of a body, as the specification advises
_ESSENTIAL_FIELDS = ("target_id", "state", "previous_state", "summary", "count")
# 4xx statuses that are temporary: proxy authentication, timeouts and rate limits.
_TEMPORARY_STATUSES = (
    HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
)


class Webhook(ChannelKindBase):
    """Posts to the URL in the channel's settings."""

    def new_secret(self) -> str:
        return secrets.new_webhook_secret()

    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return `url` as WHATWG serializes it, without its fragment; raises ApiError `invalid`."""
        url = settings.get("url")
        if not isinstance(url, str):
            raise invalid_setting("url", "The URL to post to is required.")
        try:
            canonical = canonicalize(url)
            guard = guard_of(is_open=by.is_operator)
            guard.check_literal(canonical.host, port=canonical.port)
        except (InvalidURLError, ForbiddenAddressError) as error:
            raise invalid_setting("url", str(error)) from None
        return {"url": url_to_fetch(url)}

    def compose(self, channel: Channel, content: Content) -> str:
        """Return the event as JSON; if it is too large, with a link to the omitted parts."""
        return as_body(content)

    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Post the message, signed for this attempt."""
        now = timezone.now()
        body = delivery.body.encode()
        try:
            headers = _signed_headers(channel, str(delivery.message_id), body, now=now)
            reply = await webhook_clients.post(
                channel.settings["url"],
                body,
                headers=headers,
                is_open=await _may_use_open_client(channel),
                within=TIMEOUT,
            )
        except secrets.UnreadableSecretError as error:
            return SendAttempt(outcome=SendOutcome.HELD, error=str(error))
        except FAILURES as error:
            return SendAttempt(outcome=SendOutcome.HELD, error=_sentence_of(error))
        return _attempt_of_reply(reply, now=now)

    async def close(self) -> None:
        await webhook_clients.close()


async def _may_use_open_client(channel: Channel) -> bool:
    """Return whether ALLOW_NETWORKS applies to the channel or is empty."""
    return not deployment.ALLOW_NETWORKS or await belongs_to_operators(channel)


def as_body(content: Content) -> str:
    """Return the event as JSON of at most MAX_BYTES.

    If an event is larger, occurrences are omitted, then long lists are cut, with their lengths
    added, and finally all data except the _ESSENTIAL_FIELDS is omitted. `truncated` reports this,
    and `link` leads to the rest.
    """
    event = dict(content.data)
    body = _as_json(event)
    data = event["data"]
    bare = {name: value for name, value in data.items() if name != "occurrences"}
    shorter = [bare, *(_cut_lists(bare, limit=limit) for limit in (100, 10, 1))]
    for cut in (*shorter, {name: data[name] for name in _ESSENTIAL_FIELDS if name in data}):
        if len(body.encode()) <= MAX_BYTES:
            break
        body = _as_json({**event, "data": {**cut, "truncated": True, "link": content.link}})
    return body


def _cut_lists(data: Mapping[str, Any], *, limit: int) -> dict[str, Any]:
    """Return the data with all lists cut to `limit` items, and their lengths in `*_count`."""
    cut: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, list):
            cut[name] = [
                _cut_lists(item, limit=limit) if isinstance(item, dict) else item
                for item in value[:limit]
            ]
            cut[f"{name}_count"] = len(value)
        else:
            cut[name] = _cut_lists(value, limit=limit) if isinstance(value, dict) else value
    return cut


def _as_json(event: Mapping[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def _signed_headers(
    channel: Channel, message_id: str, body: bytes, *, now: datetime
) -> dict[str, str]:
    """Return the headers of an attempt; raises UnreadableSecretError.

    While the secret is being rotated, there are two signatures; receivers accept either.
    """
    stamp = str(int(now.timestamp()))
    encrypted = [channel.secret]
    if channel.former_secret and (channel.former_secret_until or now) > now:
        encrypted.append(channel.former_secret)
    signed = f"{message_id}.{stamp}.".encode() + body
    signatures = (_signature(secrets.decrypt(secret), signed) for secret in encrypted)
    return {
        "Content-Type": "application/cloudevents+json; charset=utf-8",
        "User-Agent": deployment.USER_AGENT,
        "Accept": "*/*",
        "X-Request-ID": message_id,
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(signatures),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode('ascii')}"


def _attempt_of_reply(reply: Reply, *, now: datetime) -> SendAttempt:
    """Return the result of an attempt with this reply, by its status and Retry-After."""
    status = reply.status
    if 200 <= status < 300:
        outcome, error = SendOutcome.ACCEPTED, ""
    elif status == HTTPStatus.GONE:
        outcome, error = (
            SendOutcome.GONE,
            "The receiver returned 410 Gone: it does not want any more messages.",
        )
    elif 400 <= status < 500 and status not in _TEMPORARY_STATUSES:
        outcome, error = SendOutcome.REFUSED, f"The receiver returned {_phrase(status)}."
    elif 300 <= status < 400:
        outcome = SendOutcome.HELD
        error = f"The receiver returned {_phrase(status)}. Use the address that it redirects to."
    else:
        outcome, error = SendOutcome.HELD, f"The receiver returned {_phrase(status)}."
    seconds = parse_retry_after(reply.headers.get("retry-after", ""), now=now)
    return SendAttempt(
        outcome=outcome,
        status_code=status,
        error=error,
        answer=reply.body.decode("utf-8", "replace").replace("\0", "\ufffd"),
        retry_after=None if seconds is None else timedelta(seconds=seconds),
    )


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _sentence_of(error: BaseException) -> str:
    """Return a sentence that says why there was no response."""
    match error:
        case ForbiddenAddressError():
            return str(error)
        case TimeoutError() | httpx.TimeoutException():
            return f"The receiver did not respond within {TIMEOUT:.0f} seconds."
        case httpx.ProxyError():
            return "The proxy of this deployment refused the request."
        case httpx.ConnectError() if isinstance(error.__cause__, ssl.SSLCertVerificationError):
            return "The receiver's certificate is not valid."
        case httpx.ConnectError() if isinstance(error.__cause__, ssl.SSLError):
            return "The TLS connection to the receiver failed."
        case httpx.ConnectError():
            return "The receiver could not be reached."
        case httpx.ProtocolError():
            return "The receiver's response is not HTTP."
    return "The connection to the receiver was lost."
