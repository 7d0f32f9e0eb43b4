"""An archive's captures of a page from before a given time, closest first.

Archives speak one of three dialects: CDX, TimeMap and TimeGate. Unreadable parts of answers are
skipped; no answer can redirect to another server.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

from archives.answer_cache import remembered
from archives.archive_requests import LARGEST, ArchiveUnavailableError, AskingTurn, request
from archives.archive_settings import Archive
from foundation.net.client import LOCATION, Reply
from foundation.net.inflate import as_text
from targets.canonical import InvalidURLError, canonicalize

MOST = 50  # captures of a page examined
_STEPS, _GAP = 20, timedelta(days=1)  # towards the past, from a TimeGate
_BEGIN = datetime(1996, 1, 1, tzinfo=UTC)  # no archive has older captures
_GOOD = ("200", "203", "206", "", "-")  # a revisit of an earlier capture has no status
_STAMP = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/")
_LINK = re.compile(
    r"<([^<>]{1,4096})>((?:\s*+;\s*+[\w-]{1,30}=(?:\"[^\"]{0,500}\"|[^\s,;\"]++))*+)"
)
_PARAMETER = re.compile(r"([\w-]{1,30})=(?:\"([^\"]{0,500})\"|([^\s,;\"]++))")
_DIGEST = re.compile(r"[\w:+/=-]{1,64}", re.ASCII)
_NOT_ARCHIVED = (400, 403, 404, 410, 451)  # statuses that concern this page only
_ADDRESS = re.compile(r"[!#-;=?-~]+")  # printable ASCII without blanks, quotes, angle brackets
_SAFE = ":/?#[]@!$&'()*+,;=%~-._"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """An archive's copy of a page at one time."""

    at: datetime
    address: str  # for people
    raw: str  # URL of the unmodified body
    digest: str  # equal for equal bodies; empty if unknown

    def as_json(self) -> list[str]:
        """Return the capture for a JSON column."""
        return [f"{self.at:%Y%m%d%H%M%S}", self.address, self.raw, self.digest]

    @classmethod
    def from_json(cls, kept: list[str]) -> "Capture":
        """Return the capture that `as_json` returned."""
        return cls(at=_time(kept[0]), address=kept[1], raw=kept[2], digest=kept[3])


def captures(
    archive: Archive, url: str, *, before: datetime, turn: AskingTurn
) -> Iterator[Capture]:
    """Yield possibly good captures of a page, the one closest to `before` first.

    Raises ArchiveUnavailableError and BudgetSpentError.
    """
    if archive.kind == "timegate":
        yield from _by_timegate(archive, url, before=before, turn=turn)
        return
    question = [archive.kind, archive.address, url, f"{before:%Y%m%d%H%M%S}"]
    listing = _by_cdx if archive.kind == "cdx" else _by_timemap
    kept = remembered(
        question,
        lambda: [one.as_json() for one in listing(archive, url, before=before, turn=turn)],
        now=turn.now,
    )
    yield from map(Capture.from_json, kept)


def capture_at(archive: Archive, stamp: str, url: str) -> Capture | None:
    """Return the capture of a page at a time, 14 digits; None if there is no such time."""
    at = _time_or_none(stamp)
    return None if at is None else _capture(archive.replay, at, url)


def datetime_of(reply: Reply) -> datetime | None:
    """Return the Memento-Datetime of an answer; None without one."""
    return _http_time(reply.headers.get("memento-datetime", ""))


def _by_cdx(archive: Archive, url: str, *, before: datetime, turn: AskingTurn) -> list[Capture]:
    stamp = f"{before:%Y%m%d%H%M%S}"
    query = {"url": url, "output": "json", "to": stamp, "closest": stamp, "sort": "closest"}
    rows = _cdx_rows(archive, {**query, "limit": str(MOST)}, turn=turn)
    found = _good(archive, rows, url=url, before=before)
    if not found and len(rows) >= MOST:  # the recent captures are all errors and redirects
        query["filter"] = "statuscode:200"
        rows = _cdx_rows(archive, {**query, "limit": str(MOST)}, turn=turn)
        found = _good(archive, rows, url=url, before=before)
    return found


def _cdx_rows(archive: Archive, query: dict[str, str], *, turn: AskingTurn) -> list[dict[str, Any]]:
    """Return the rows of an index: one array with a header, or lines of JSON."""
    mark = "&" if urlsplit(archive.address).query else "?"
    reply = request(archive, f"{archive.address}{mark}{urlencode(query)}", turn=turn)
    if reply.status in _NOT_ARCHIVED:
        return []
    if reply.status != 200:
        raise ArchiveUnavailableError(f"HTTP {reply.status}")
    text = _text(reply)
    if not text.strip():
        return []
    try:
        if text.lstrip().startswith("["):
            header, *lines = json.loads(text) or [[]]
            rows = [dict(zip(header, line, strict=True)) for line in lines]
        else:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, TypeError, RecursionError) as error:
        raise ArchiveUnavailableError("The archive's index could not be read.") from error
    if not all(isinstance(row, dict) for row in rows):
        raise ArchiveUnavailableError("The archive's index could not be read.")
    return rows[:MOST]


def _good(
    archive: Archive, rows: list[dict[str, Any]], *, url: str, before: datetime
) -> list[Capture]:
    found = []
    for row in rows:
        stamp = str(row.get("timestamp", ""))
        original = str(row.get("original") or row.get("url") or "")
        status = str(row.get("statuscode", row.get("status", "")))
        if not re.fullmatch(r"\d{14}", stamp) or status not in _GOOD or not _is(original, url):
            continue
        at = _time_or_none(stamp)
        if at is not None and at <= before:
            found.append(_capture(archive.replay, at, original, _digest(row)))
    return sorted(found, key=lambda one: one.at, reverse=True)


def _digest(row: dict[str, Any]) -> str:
    digest = str(row.get("digest", ""))
    return digest if _DIGEST.fullmatch(digest) else ""


def _capture(replay: str, at: datetime, url: str, digest: str = "") -> Capture:
    stamp, behind = f"{at:%Y%m%d%H%M%S}", quote(url, safe=_SAFE)
    return Capture(
        at=at,
        address=f"{replay}{stamp}/{behind}",
        raw=f"{replay}{stamp}id_/{behind}",
        digest=digest,
    )


def _by_timemap(archive: Archive, url: str, *, before: datetime, turn: AskingTurn) -> list[Capture]:
    reply = request(archive, f"{archive.address}{quote(url, safe=_SAFE)}", turn=turn)
    if reply.status in _NOT_ARCHIVED:
        return []
    if reply.status != 200:
        raise ArchiveUnavailableError(f"HTTP {reply.status}")
    mementos = _mementos(archive, _text(reply))
    found = [one for one in mementos if one.at <= before]
    return sorted(found, key=lambda one: one.at, reverse=True)[:MOST]


def _by_timegate(
    archive: Archive, url: str, *, before: datetime, turn: AskingTurn
) -> Iterator[Capture]:
    """Ask for successively earlier times: a TimeGate redirects to the nearest capture, earlier or
    later.

    If the capture is known or too late, the next step back is larger.
    """
    at, gap, seen = before, _GAP, set[datetime]()
    for _ in range(_STEPS):
        question = ["timegate", archive.address, url, f"{at:%Y%m%d%H%M%S}"]
        kept = remembered(question, partial(_step, archive, url, at, turn=turn), now=turn.now)
        if kept is None:
            return
        found = Capture.from_json(kept)
        if found.at <= before and found.at not in seen:
            yield found
            seen.add(found.at)
            at, gap = found.at - _GAP, _GAP
        else:
            gap *= 3
            at = max(at - gap, _BEGIN)
        if at <= _BEGIN:
            return


def _step(archive: Archive, url: str, at: datetime, *, turn: AskingTurn) -> list[str] | None:
    """Return the capture to which a TimeGate redirects, or None."""
    asked = f"{archive.address}{quote(url, safe=_SAFE)}"
    headers = {"Accept-Datetime": format_datetime(at.astimezone(UTC), usegmt=True)}
    reply = request(archive, asked, turn=turn, headers=headers)
    if reply.status in _NOT_ARCHIVED:
        return None
    location = reply.headers.get(LOCATION)
    stamp = _STAMP.search(location) if location and reply.status in (301, 302, 303, 307) else None
    if location and stamp:
        found = _memento(archive, urljoin(asked, location), _time_or_none(stamp[1]))
        return found.as_json() if found else None
    mementos = _mementos(archive, ", ".join(reply.headers.get_list("link")))
    if not mementos:
        raise ArchiveUnavailableError("The URL is not that of a TimeGate.")
    # If a link has several relations, the last one counts.
    closest = min(mementos, key=lambda one: abs(one.at - at))
    return closest.as_json()


def _mementos(archive: Archive, text: str) -> list[Capture]:
    """Return the mementos of a Link header or a TimeMap (RFC 6690)."""
    found = []
    for address, rest in _LINK.findall(text[:LARGEST]):
        given = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(rest)}
        if "memento" in given.get("rel", "").split():
            one = _memento(archive, address, _http_time(given.get("datetime", "")))
            found += [one] if one else []
    return found


def _memento(archive: Archive, address: str, at: datetime | None) -> Capture | None:
    """Return the capture at a URL of the archive; None if it is on another server."""
    try:
        address = urljoin(archive.address, address)
        own, other = urlsplit(archive.address), urlsplit(address)
    except ValueError:
        return None
    if not _ADDRESS.fullmatch(address):
        return None
    if at is None or (own.scheme, own.netloc) != (other.scheme, other.netloc):
        return None
    stamp = _STAMP.search(address)
    if stamp is None:
        return Capture(at=at, address=address, raw=address, digest="")
    if _time_or_none(stamp[1]) != at:
        return None
    before, behind = address[: stamp.start()], address[stamp.end() :]
    return Capture(
        at=at,
        address=f"{before}/{stamp[1]}/{behind}",
        raw=f"{before}/{stamp[1]}id_/{behind}",
        digest="",
    )


def _is(original: str, url: str) -> bool:
    """Return whether a capture is of this page: http or https, with www. or without it."""
    return _bare(original) == _bare(url)


def _bare(url: str) -> str:
    try:
        parts = urlsplit(canonicalize(url).url)
    except InvalidURLError:
        return url
    host = parts.netloc.removesuffix(":80").removesuffix(":443").removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _text(reply: Reply) -> str:
    if not reply.is_whole and len(reply.body) < LARGEST:
        raise ArchiveUnavailableError("The archive's index was cut off.")
    body = as_text(reply.body, encoding=reply.headers.get("content-encoding", ""), limit=LARGEST)
    return body.decode("utf-8", "replace")


def _time(stamp: str) -> datetime:
    return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _time_or_none(stamp: str) -> datetime | None:
    try:
        at = _time(stamp)
    except ValueError:
        return None
    return at if at >= _BEGIN else None


def _http_time(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text[:100]).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return at if at >= _BEGIN else None
