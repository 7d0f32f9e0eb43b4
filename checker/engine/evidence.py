"""Evidence of a check, for people who doubt the verdict: bounded JSON, safe to print."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from checker.engine.connection import FetchTrace
from checker.engine.exchange import Exchange
from checker.engine.noarchive import archiving_permission
from checker.engine.roots import RootAnswer
from checker.engine.verdict import Verdict

# Bytes of JSON, so that a check with all its attempts and redirects stays under 16 KiB.
_MAX_TEXT = 300  # of a header or an error
_MAX_DETAIL = 120  # of one attempt's error
_MAX_MARK, _MAX_MARKS = 120, 8  # of one mark; number of marks
_MAX_HOP = 512  # of the URL of a redirect
_MAX_URL = 2048  # of the final URL
_HEADERS = (
    *("server", "content-type", "content-length", "location", "via"),
    *("retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"),
    *("ratelimit", "ratelimit-policy", "ratelimit-remaining", "ratelimit-reset"),
)
_PARAMETERS = ("rule", "code", "wait", "detail", "mark", "flag", "condition", "error")
_MAX_ESCAPE = len(r"\ud83d\ude00")  # for one character


def clean(text: str, *, limit: int = _MAX_TEXT) -> str:
    """Return `text` on one line, without control and other invisible characters.

    It is truncated so that its JSON has at most `limit` bytes.
    """
    text = text[: 4 * limit]
    if not text.isprintable():
        text = "".join(filter(str.isprintable, text))
    text = text[:limit]
    if len(text) * _MAX_ESCAPE <= limit:
        return text
    while (excess := len(json.dumps(text)) - len('""') - limit) > 0:
        text = text[: -max(1, excess // _MAX_ESCAPE)]
    return text


def clean_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the known parameters of a verdict's sentence for JSON: integers or cleaned strings."""
    return {
        name: value if isinstance(value, int) else clean(str(value))
        for name, value in parameters.items()
        if name in _PARAMETERS
    }


def describe_attempt(
    exchange: Exchange, *, method: str, trace: FetchTrace, latency_ms: int
) -> dict[str, Any]:
    """Return the evidence of one attempt.

    Times are in milliseconds: `latency_ms` for the whole attempt, the others for its last request.
    Added only if they apply: `proxy` (true, or the status of a proxy that did not get through),
    `kept` (true if the connection had carried a request before) and `precondition` (the header of
    a conditional request).
    """
    proxy = {"proxy": trace.proxy_status or True} if trace.proxy else {}
    sent = exchange.precondition
    precondition = {"precondition": clean(f"{sent.name}: {sent.value}")} if sent else {}
    kept = {"kept": True} if trace.earlier_requests else {}
    return {
        "method": method,
        "status": exchange.status,
        "error": exchange.error and exchange.error.value,
        "detail": clean(exchange.detail, limit=_MAX_DETAIL),
        "latency_ms": latency_ms,
        "address": trace.address,
        "dns_ms": trace.dns_ms,
        "connect_ms": trace.connect_ms,
        "tls_ms": trace.tls_ms,
        "first_byte_ms": trace.first_byte_ms,
        **proxy,
        **precondition,
        **kept,
    }


def describe(
    exchange: Exchange, *, verdict: Verdict, attempts: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return the evidence of a check; `exchange` is the result of its last attempt."""
    certificate, sibling, root = exchange.certificate, exchange.sibling, exchange.root
    permission = archiving_permission(exchange)
    return {
        "attempts": list(attempts),
        "url": clean(exchange.url, limit=_MAX_URL),
        "redirects": [
            {"status": hop.status, "url": clean(hop.url, limit=_MAX_HOP)}
            for hop in exchange.redirects
        ],
        "headers": {
            name: clean(exchange.headers[name]) for name in _HEADERS if name in exchange.headers
        },
        "body_bytes": len(exchange.body),
        **({"unread": True} if exchange.has_unread else {}),
        **({"archiving": permission} if permission else {}),
        "rule": clean(verdict.rule),
        "mark": verdict.mark and clean(verdict.mark),
        "marks": [clean(mark, limit=_MAX_MARK) for mark in verdict.marks[:_MAX_MARKS]],
        "tls": certificate
        and {
            "issuer": clean(certificate.issuer),
            "expires_at": certificate.expires_at.isoformat(),
        },
        "tls_error": exchange.tls_error and clean(exchange.tls_error),
        "root": root
        and {
            "url": clean(root.url, limit=_MAX_HOP),
            "refuses": root.answer is RootAnswer.REFUSES,
            "answer": root.answer,
            "how": root.how,
        },
        "sibling": sibling
        and {
            "asked": clean(sibling.asked, limit=_MAX_HOP),
            "url": clean(sibling.url, limit=_MAX_HOP),
            "status": sibling.status,
            "error": sibling.error and sibling.error.value,
        },
    }
