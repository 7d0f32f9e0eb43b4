"""Reports of wrong results as case files: the evidence, without secrets, for tests/zoo/wild.

A person adds the right verdict, and the page's body if the verdict depends on it: checks store no
bodies.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from checker.models import ResultReport
from hosts.models import Host
from targets.canonical import InvalidURLError, canonicalize
from targets.models import Target

FORMAT, VERSION = "linkwatch-case", 1
_MASK = "x"  # replaces a secret
# In URLs within any text: credentials and the values of queries and fragments, except short numbers
# (such as statuses) and routes such as `#/record/77`.
_USERINFO = re.compile(r"(?<=//)[^/?#@\s]{1,300}@")
_VALUE = re.compile(r"(?<=[?&#;])([^=&#;\s?]{1,100}=)(?!\d{1,3}(?![^&#;\s]))[^&#;\s]{1,10000}")
_TAIL = re.compile(r"(?<!\s)[?#]\S++")
_BARE_VALUE = re.compile(
    r"(?<=[?&#;])(?!(?:\d{1,3}|!?/[a-zA-Z-]{1,20}(?:/\d{1,10})?|[^\w/]{1,3})(?![^&#;?]))"
    r"(?:[^=&#;?]++|[^=&#;?]{16,}+=++)(?![^&#;?])"  # or long, with base64 padding
)
_HEADERS = ("server", "content-type", "location", "via", "retry-after")
_RATE_LIMIT_HEADERS = ("x-ratelimit-remaining", "x-ratelimit-reset")


def as_case(report: ResultReport, *, secrets: Collection[str] = ()) -> dict[str, Any]:
    """Return a report as a case; `secrets` are strings that the case must not contain."""
    result = report.evidence
    evidence = result.get("evidence") or {}
    parts = urlsplit(str(result.get("url", "")))
    attempts = evidence.get("attempts") or [{}]
    case = {
        "format": FORMAT,
        "version": VERSION,
        "name": f"report {report.pk}: {result.get('reason') or result.get('outcome')}"
        f" of {parts.hostname}",
        "truth": None,
        "note": report.comment,
        "checked_at": result.get("checked_at"),
        "url": result.get("url"),
        "condition": result.get("condition"),
        "found": {
            "outcome": result.get("outcome"),
            "reason": result.get("reason") or None,
            "flags": result.get("flags") or [],
            "rule": evidence.get("rule"),
        },
        "redirects": result.get("redirects") or [],
        "final_url": result.get("final_url"),
        "status": result.get("status_code"),
        "error": attempts[-1].get("error"),
        "detail": attempts[-1].get("detail") or "",
        "headers": _headers(evidence.get("headers") or {}),
        "body": None,
        "body_bytes": evidence.get("body_bytes"),
        "marks": list(filter(None, [evidence.get("mark"), *(evidence.get("marks") or ())[1:]])),
        "root": evidence.get("root"),
        "sibling": evidence.get("sibling"),
    }
    return {key: without_secrets(value, secrets) for key, value in case.items()}


def secrets_of(report: ResultReport) -> set[str]:
    """Return the header values in the instructions for a report's target and its host.

    Includes each word of six or more characters in these values.
    """
    instructions = list(
        Target.objects.filter(pk=report.target_id).values_list("instructions", flat=True)
    )
    with suppress(InvalidURLError):
        host = canonicalize(str(report.evidence.get("url", ""))).host
        instructions += Host.objects.filter(name=host).values_list("instructions", flat=True)
    values = {
        value for each in instructions if each for value in (each.get("headers") or {}).values()
    }
    return values | {word for value in values for word in value.split() if len(word) >= 6}


def _headers(headers: dict[str, Any]) -> dict[str, Any]:
    """Return the headers that verdicts depend on."""
    return {name: headers[name] for name in (*_HEADERS, *_RATE_LIMIT_HEADERS) if name in headers}


def without_secrets(value: Any, secrets: Collection[str]) -> Any:
    """Return the JSON value with secrets in all of its strings replaced by `x`, or removed.

    Credentials in URLs are removed; `secrets` and values in queries and fragments are replaced.
    """
    if isinstance(value, dict):
        return {key: without_secrets(each, secrets) for key, each in value.items()}
    if isinstance(value, list):
        return [without_secrets(each, secrets) for each in value]
    if not isinstance(value, str):
        return value
    for secret in sorted(secrets, key=len, reverse=True):
        value = value.replace(secret, _MASK)
    value = _TAIL.sub(lambda tail: _BARE_VALUE.sub(_MASK, tail[0]), _USERINFO.sub("", value))
    return _VALUE.sub(rf"\1{_MASK}", value)


def cases(reports: Iterator[ResultReport]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the file name and case for each report."""
    for report in reports:
        yield f"report-{report.pk}.json", as_case(report, secrets=secrets_of(report))
