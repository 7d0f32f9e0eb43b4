"""Short links of Shlink, YOURLS, Kutt and Bitly.

Sources: shlinkio/shlink-web-component (its CSV) and Shlink's REST API, YOURLS' `stats` action and
table, Kutt's API, Bitly's API.
"""

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from linkwatch_client.counted import counted
from linkwatch_client.importers.export_entries import (
    ExportEntry,
    ProgramExport,
    RefusedEntryError,
    ShortLinkEntry,
    flag_in,
    number_in,
    tags_in,
    text_in,
)
from linkwatch_client.importers.export_files import (
    csv_entries,
    is_json,
    json_entries,
    not_an_export,
    read_text,
)


def read_shlink(path: Path, *, now: datetime) -> ProgramExport:
    """Read the CSV of Shlink's web client, or a response of `GET /rest/v3/short-urls`."""

    def convert(entry: ExportEntry) -> ShortLinkEntry:
        meta, summary = _object(entry, "meta"), _object(entry, "visitsSummary")
        start = _parse_time(text_in(meta, "validSince"))
        if start is not None and start > now:
            raise RefusedEntryError(
                f"It doesn't redirect until {start:%Y-%m-%d}; Linkwatch's links redirect at once."
            )
        has_rules = flag_in(entry, "hasRedirectRules")
        return _link(
            entry,
            key=text_in(entry, "shortCode", "shortcode"),
            long_url=text_in(entry, "longUrl", "longurl"),
            visits=number_in(summary, "total") or number_in(entry, "visits", "visitsCount"),
            tags=tags_in(entry.fields.get("tags"), "|", ","),
            expires_at=text_in(meta, "validUntil"),
            max_visits=number_in(meta, "maxVisits"),
            notes=("Its redirect rules are not imported.",) if has_rules else (),
            now=now,
        )

    text = read_text(path)
    if is_json(text):
        entries = json_entries(path, text, "shortUrls", "data")
        fields = ("shortCode", "longUrl")
    else:
        entries, fields = csv_entries(path, text), ("shortcode", "longurl")
    return ProgramExport(name=str(path)).add(_validate(fields, entries, path, "Shlink"), convert)


def read_yourls(path: Path, *, now: datetime) -> ProgramExport:
    """Read a response of YOURLS' action `stats`, or its table of URLs as CSV."""

    def convert(entry: ExportEntry) -> ShortLinkEntry:
        return _link(
            entry,
            key=text_in(entry, "keyword") or _key_of(text_in(entry, "shorturl")),
            long_url=text_in(entry, "url"),
            visits=number_in(entry, "clicks"),
            now=now,
        )

    text = read_text(path)
    if is_json(text):
        entries, fields = json_entries(path, text, "links"), ("shorturl", "url")
    else:
        entries, fields = csv_entries(path, text), ("keyword", "url")
    return ProgramExport(name=str(path)).add(_validate(fields, entries, path, "YOURLS"), convert)


def read_kutt(path: Path, *, now: datetime) -> ProgramExport:
    """Read a response of Kutt's `GET /api/v2/links`."""

    def convert(entry: ExportEntry) -> ShortLinkEntry:
        if flag_in(entry, "banned"):
            raise RefusedEntryError("It is banned.")
        if flag_in(entry, "password"):
            raise RefusedEntryError("It asks for a password; Linkwatch's links have none.")
        return _link(
            entry,
            key=text_in(entry, "address"),
            long_url=text_in(entry, "target"),
            visits=number_in(entry, "visit_count"),
            expires_at=text_in(entry, "expire_in"),
            now=now,
        )

    entries = json_entries(path, read_text(path), "data")
    links = _validate(("address", "target"), entries, path, "Kutt")
    return ProgramExport(name=str(path)).add(links, convert)


def read_bitly(path: Path, *, now: datetime) -> ProgramExport:
    """Read a response of Bitly's `GET /v4/groups/{guid}/bitlinks`, or a CSV of links."""

    def convert(entry: ExportEntry) -> ShortLinkEntry:
        custom = entry.fields.get("custom_bitlinks")
        own_link = custom[0] if isinstance(custom, list) and custom else ""
        short = own_link if isinstance(own_link, str) and own_link else text_in(entry, "link")
        return _link(
            entry,
            key=_key_of(short),
            long_url=text_in(entry, "long_url", "longurl"),
            visits=number_in(entry, "totalclicks", "clicks"),
            tags=tags_in(entry.fields.get("tags"), ",", "|"),
            now=now,
        )

    text = read_text(path)
    if is_json(text):
        entries, fields = json_entries(path, text, "links"), ("link", "long_url")
    else:
        entries, fields = csv_entries(path, text), ("longurl", "link")
    return ProgramExport(name=str(path)).add(_validate(fields, entries, path, "Bitly"), convert)


def _validate(
    fields: tuple[str, ...], entries: Iterator[ExportEntry], path: Path, program: str
) -> Iterator[ExportEntry]:
    """Yield the entries; raises InputOutputError if there are none, or the first lacks a field."""
    listed = list(entries)
    if not listed or not all(name in listed[0].fields for name in fields):
        raise not_an_export(path, program, f"entry with {' and '.join(fields)}")
    yield from listed


def _link(
    entry: ExportEntry,
    *,
    key: str,
    long_url: str,
    visits: int | None,
    now: datetime,
    tags: list[str] | None = None,
    expires_at: str = "",
    max_visits: int | None = None,
    notes: tuple[str, ...] = (),
) -> ShortLinkEntry:
    if not key or not long_url:
        raise RefusedEntryError(f"It has no {'destination' if key else 'key'}.")
    item: dict[str, Any] = {"key": key, "long_url": long_url, "earlier_visits": visits or 0}
    if tags:
        item["tags"] = tags
    if end := _parse_time(expires_at):
        if end <= now:
            raise RefusedEntryError(f"It expired on {end:%Y-%m-%d}.")
        item["expires_at"] = end.isoformat()
    if max_visits is not None:
        if max_visits <= (visits or 0):
            raise RefusedEntryError(f"It has reached its limit of {counted(max_visits, 'visit')}.")
        item["max_visits"] = max_visits - (visits or 0)
    return ShortLinkEntry(line=entry.line, item=item, notes=notes)


def _key_of(short_url: str) -> str:
    """Return the key of a short URL: the part after its last slash."""
    return short_url.partition("?")[0].rstrip("/").rpartition("/")[2]


def _object(entry: ExportEntry, name: str) -> ExportEntry:
    """Return an object in an entry as an entry with the same line, empty if there is none."""
    value = entry.fields.get(name)
    return ExportEntry(entry.line, value if isinstance(value, dict) else {})


def _parse_time(text: str) -> datetime | None:
    """Return a time, in UTC unless it has another zone; None for "".

    Raises RefusedEntryError for anything else.
    """
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise RefusedEntryError(f"{text[:40]!r} is not a time.") from None
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)
