"""Monitors of Uptime Kuma and Gatus: pages to watch, with their periods and expectations.

Sources: Uptime Kuma's backup and list of monitors (`server/model/monitor.js`), Gatus'
`config/endpoint` and `client/config.go`.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from linkwatch_client.importers.bookmark_services import reference_id
from linkwatch_client.importers.export_entries import (
    ExportEntry,
    ProgramExport,
    RefusedEntryError,
    TargetEntry,
    flag_in,
    number_in,
    tags_in,
    text_in,
)
from linkwatch_client.importers.export_files import (
    json_entries,
    not_an_export,
    read_text,
    yaml_entries,
)
from linkwatch_client.status_requests import is_http

_PAGE_TYPES = ("http", "keyword", "json-query")  # types of Uptime Kuma's monitors
_MAX_ACCEPTED_STATUSES = 50
_STATUSES_ACCEPTED_BY_DEFAULT = range(200, 400)
_MAX_TIMEOUT = 60  # seconds
_MAX_TEXT_LENGTH = 500
_UNIT_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION_PART = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)")
_STATUS = re.compile(r"\[STATUS\] (==|<|<=) (.{1,200})")
_BODY = re.compile(r"\[BODY\] == pat\(\*([^*?\[\]]{1,500})\*\)")


def read_uptime_kuma(path: Path, *, now: datetime) -> ProgramExport:
    """Read a backup of Uptime Kuma 1, or the API's list of monitors."""
    text = read_text(path)
    keys = () if text.lstrip()[:1] == "[" else ("monitorList",)
    entries = list(json_entries(path, text, *keys))
    if not entries or not {"type", "interval"} <= entries[0].fields.keys():
        raise not_an_export(path, "Uptime Kuma", "monitorList")
    return ProgramExport(name=str(path)).add(entries, _kuma_target)


def _kuma_target(entry: ExportEntry) -> TargetEntry:
    kind = text_in(entry, "type")
    if kind not in _PAGE_TYPES:
        raise RefusedEntryError(f"A monitor of type {kind} does not check a page.")
    if flag_in(entry, "upsideDown"):
        raise RefusedEntryError("It is in upside-down mode: it expects the page to fail.")
    _check_request(text_in(entry, "method"), entry.fields.get("body"))
    notes: list[str] = []
    settings = _status_settings(_kuma_statuses(entry.fields.get("accepted_statuscodes")), notes)
    if kind == "keyword" and not flag_in(entry, "invertKeyword"):
        _expect_text(settings, text_in(entry, "keyword"), notes)
    elif kind != "http":
        notes.append("Its checks of the content are not imported.")
    if headers := _kuma_headers(entry, notes):
        settings["headers"] = headers
    if flag_in(entry, "ignoreTls"):
        notes.append("It ignores bad certificates; Linkwatch does not.")
    if entry.fields.get("active") in (False, 0):
        settings["paused"] = True
    policy = _policy(
        interval=number_in(entry, "interval"),
        retry_interval=number_in(entry, "retryInterval"),
        retries=number_in(entry, "maxretries"),
    )
    name = text_in(entry, "pathName", "name")
    return _target(entry, "uptime-kuma", name, policy, settings, notes)


def _policy(
    *, interval: int | None, retry_interval: int | None = None, retries: int | None = None
) -> dict[str, Any]:
    policy: dict[str, Any] = {}
    if interval:
        policy["check_period"] = f"{interval}s"
    if retry_interval:
        policy["recheck_period"] = f"{retry_interval}s"
    if retries is not None:
        policy["recheck_threshold"] = min(retries + 1, 1000)
    return policy


def _kuma_statuses(value: Any) -> list[range]:
    """Return the accepted statuses as ranges; raises RefusedEntryError."""
    ranges = []
    for text in tags_in(value, ","):
        first, _, last = text.partition("-")
        if not re.fullmatch(r"[1-9][0-9]{2}(-[1-9][0-9]{2})?", text):
            raise RefusedEntryError(f"{text[:40]!r} is not a status.")
        ranges.append(range(int(first), int(last or first) + 1))
    return ranges


def _kuma_headers(entry: ExportEntry, notes: list[str]) -> dict[str, str]:
    raw: Any = entry.fields.get("headers") or {}
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            raw = None
    if isinstance(raw, Mapping) and all(isinstance(text, str) for text in raw.values()):
        headers = dict(raw)
    else:
        notes.append("Its headers can't be read.")
        headers = {}
    method = text_in(entry, "authMethod")
    if user := text_in(entry, "basic_auth_user"):
        pair = f"{user}:{text_in(entry, 'basic_auth_pass')}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"
    elif method not in ("", "basic", "null"):
        notes.append(f"It signs in with {method[:20]}, which can't be imported.")
    return headers


def read_gatus(path: Path, *, now: datetime) -> ProgramExport:
    """Read the endpoints of a Gatus configuration."""
    entries = list(yaml_entries(path, read_text(path), "endpoints"))
    if not entries or not {"url", "conditions"} <= entries[0].fields.keys():
        raise not_an_export(path, "Gatus", "endpoints")
    return ProgramExport(name=str(path)).add(entries, _gatus_target)


def _gatus_target(entry: ExportEntry) -> TargetEntry:
    fields = entry.fields
    _check_request(text_in(entry, "method"), fields.get("body"))
    notes: list[str] = []
    settings = _condition_settings(fields.get("conditions"), notes)
    client = fields.get("client") if isinstance(fields.get("client"), Mapping) else {}
    timeout = _seconds((client or {}).get("timeout"))
    if timeout is not None and 1 <= timeout <= _MAX_TIMEOUT:
        settings["timeout"] = f"{timeout}s"
    if ignored := sorted(str(name) for name in (client or {}).keys() - {"timeout"}):
        notes.append(f"These settings of its client are not imported: {', '.join(ignored)}.")
    headers = fields.get("headers") or {}
    if not isinstance(headers, Mapping) or any("$" in str(text) for text in headers.values()):
        notes.append("Its headers contain environment variables and are not imported.")
    elif headers:
        settings["headers"] = {str(name): str(value) for name, value in headers.items()}
    if fields.get("enabled") is False:
        settings["paused"] = True
    policy = _policy(interval=_seconds(fields.get("interval")) or 60)
    name = "/".join(filter(None, (text_in(entry, "group"), text_in(entry, "name"))))
    return _target(entry, "gatus", name, policy, settings, notes)


def _condition_settings(conditions: Any, notes: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for condition in conditions if isinstance(conditions, list) else ():
        text = str(condition).strip()
        if status := _STATUS.fullmatch(text):
            if ranges := _gatus_statuses(status[1], status[2]):
                settings |= _status_settings(ranges, notes)
                continue
        elif body := _BODY.fullmatch(text):
            _expect_text(settings, body[1], notes)
            continue
        elif text == "[CONNECTED] == true":
            continue
        notes.append(f"Its condition {text[:60]} is not imported.")
    return settings


def _gatus_statuses(operator: str, value: str) -> list[range]:
    """Return the statuses that a condition accepts, as ranges; empty if it can't be imported."""
    listed = re.fullmatch(r"any\(([0-9, ]{3,200})\)", value)
    texts = listed[1].split(",") if listed else [value]
    if not all(re.fullmatch(r"[1-9][0-9]{2}", text.strip()) for text in texts):
        return []
    if operator == "==":
        return [range(int(text), int(text) + 1) for text in texts]
    return [range(200, int(texts[0]) + (operator == "<="))]


def _status_settings(ranges: Iterable[range], notes: list[str]) -> dict[str, Any]:
    """Return settings for these statuses: `expect` for a single one, `accept` for unusual ones."""
    accepted = {status for span in ranges for status in span if 100 <= status <= 999}
    settings: dict[str, Any] = {}
    if len(accepted) == 1:
        settings["expect"] = {"status": next(iter(accepted))}
    unusual = sorted(status for status in accepted if status not in _STATUSES_ACCEPTED_BY_DEFAULT)
    if len(unusual) > _MAX_ACCEPTED_STATUSES:
        notes.append(
            f"It accepts more than {_MAX_ACCEPTED_STATUSES} other statuses, which are not imported."
        )
    elif unusual:
        settings["accept"] = unusual
    return settings


def _expect_text(settings: dict[str, Any], text: str, notes: list[str]) -> None:
    if 0 < len(text) <= _MAX_TEXT_LENGTH:
        settings["expect"] = settings.get("expect", {}) | {"text": text}
    else:
        notes.append("The text that it expects is not imported.")


def _check_request(method: str, body: Any) -> None:
    if method.upper() not in ("", "GET", "HEAD"):
        raise RefusedEntryError(f"It uses {method[:20]}; Linkwatch uses GET.")
    if body:
        raise RefusedEntryError("It sends a body; Linkwatch does not.")


def _seconds(value: Any) -> int | None:
    """Return the whole seconds of a duration in Go's notation, such as 1m30s; at least 1.

    Returns None for anything else.
    """
    text = str(value or "").strip()
    parts = _DURATION_PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return max(1, round(sum(float(number) * _UNIT_SECONDS[unit] for number, unit in parts)))


def _target(
    entry: ExportEntry,
    program: str,
    name: str,
    policy: Mapping[str, Any],
    settings: Mapping[str, Any],
    notes: Iterable[str],
) -> TargetEntry:
    url = text_in(entry, "url")
    if not url:
        raise RefusedEntryError("It has no URL.")
    if not is_http(url):
        raise RefusedEntryError(f"{url[:80]} is not an http or https URL.")
    if "${" in url:
        raise RefusedEntryError("Its URL contains an environment variable.")
    item = {"url": url, "reference_id": reference_id(program, name or url), **policy}
    return TargetEntry(line=entry.line, item=item, settings=settings, notes=tuple(notes))
