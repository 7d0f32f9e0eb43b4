"""An archive's captures of a page from before a given time, closest first.

Archives speak one of three dialects: CDX, TimeMap and TimeGate. An unreadable CDX index counts as a
failure of the archive; unreadable links are skipped. No response can redirect to another server.
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

from archives.answer_cache import get_or_fetch
from archives.archive_requests import MAX_BYTES, ArchiveUnavailableError, QueryTurn, request
from archives.archive_settings import Archive
from foundation.net.client import LOCATION, Reply
from foundation.net.inflate import inflate
from targets.canonical import InvalidURLError, canonicalize

MAX_CAPTURES = 50  # captures of a page in a listing
_MAX_STEPS, _GAP = 20, timedelta(days=1)  # steps into the past with a TimeGate
_EARLIEST = datetime(1996, 1, 1, tzinfo=UTC)  # no archive has older captures
_GOOD_STATUSES = ("200", "203", "206", "", "-")  # a revisit of an earlier capture has no status
_STAMP = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/")
_LINK = re.compile(
    r"<([^<>]{1,4096})>((?:\s*+;\s*+[\w-]{1,30}=(?:\"[^\"]{0,500}\"|[^\s,;\"]++))*+)"
)
_PARAMETER = re.compile(r"([\w-]{1,30})=(?:\"([^\"]{0,500})\"|([^\s,;\"]++))")
_DIGEST = re.compile(r"[\w:+/=-]{1,64}", re.ASCII)
_NOT_ARCHIVED = (400, 403, 404, 410, 451)  # statuses that concern this page only
_URL = re.compile(r"[!#-;=?-~]+")  # printable ASCII without spaces, quotes, angle brackets
_SAFE = ":/?#[]@!$&'()*+,;=%~-._"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """An archive's copy of a page at one time."""

    at: datetime
    url: str  # for people
    raw_url: str  # of the unmodified body
    digest: str  # equal for equal bodies; empty if unknown

    def as_json(self) -> list[str]:
        """Return the capture as JSON, for the cache."""
        return [f"{self.at:%Y%m%d%H%M%S}", self.url, self.raw_url, self.digest]

    @classmethod
    def from_json(cls, fields: list[str]) -> "Capture":
        """Return the capture from the value of `as_json`."""
        return cls(at=_time(fields[0]), url=fields[1], raw_url=fields[2], digest=fields[3])


def captures(archive: Archive, url: str, *, before: datetime, turn: QueryTurn) -> Iterator[Capture]:
    """Yield captures of a page that may be good, from `before` or earlier, the latest first.

    Yields at most MAX_CAPTURES. Raises ArchiveUnavailableError or BudgetSpentError.
    """
    if archive.kind == "timegate":
        yield from _by_timegate(archive, url, before=before, turn=turn)
        return
    query_key = [archive.kind, archive.url, url, f"{before:%Y%m%d%H%M%S}"]
    listing = _by_cdx if archive.kind == "cdx" else _by_timemap
    stored = get_or_fetch(
        query_key,
        lambda: [capture.as_json() for capture in listing(archive, url, before=before, turn=turn)],
        now=turn.now,
    )
    yield from map(Capture.from_json, stored)


def capture_at(archive: Archive, stamp: str, url: str) -> Capture | None:
    """Return the capture of a page at the time `stamp` (14 digits), without a request.

    Returns None if `stamp` is not a time, or earlier than 1996.
    """
    at = _time_or_none(stamp)
    return None if at is None else _capture(archive.replay, at, url)


def datetime_of(reply: Reply) -> datetime | None:
    """Return the Memento-Datetime of a response; None without one."""
    return _http_time(reply.headers.get("memento-datetime", ""))


def _by_cdx(archive: Archive, url: str, *, before: datetime, turn: QueryTurn) -> list[Capture]:
    stamp = f"{before:%Y%m%d%H%M%S}"
    query = {"url": url, "output": "json", "to": stamp, "closest": stamp, "sort": "closest"}
    rows = _cdx_rows(archive, {**query, "limit": str(MAX_CAPTURES)}, turn=turn)
    usable = _usable_captures(archive, rows, url=url, before=before)
    if not usable and len(rows) >= MAX_CAPTURES:  # the recent captures are all errors and redirects
        query["filter"] = "statuscode:200"
        rows = _cdx_rows(archive, {**query, "limit": str(MAX_CAPTURES)}, turn=turn)
        usable = _usable_captures(archive, rows, url=url, before=before)
    return usable


def _cdx_rows(archive: Archive, query: dict[str, str], *, turn: QueryTurn) -> list[dict[str, Any]]:
    """Return up to MAX_CAPTURES rows of an index; none if the page is not archived.

    The response is one array with a header, or lines of JSON.
    """
    separator = "&" if urlsplit(archive.url).query else "?"
    reply = request(archive, f"{archive.url}{separator}{urlencode(query)}", turn=turn)
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
    return rows[:MAX_CAPTURES]


def _usable_captures(
    archive: Archive, rows: list[dict[str, Any]], *, url: str, before: datetime
) -> list[Capture]:
    usable = []
    for row in rows:
        stamp = str(row.get("timestamp", ""))
        original = str(row.get("original") or row.get("url") or "")
        status = str(row.get("statuscode", row.get("status", "")))
        if status not in _GOOD_STATUSES or not _matches(original, url):
            continue
        at = _time_or_none(stamp) if re.fullmatch(r"\d{14}", stamp) else None
        if at is not None and at <= before:
            usable.append(_capture(archive.replay, at, original, _digest(row)))
    return sorted(usable, key=lambda capture: capture.at, reverse=True)


def _digest(row: dict[str, Any]) -> str:
    digest = str(row.get("digest", ""))
    return digest if _DIGEST.fullmatch(digest) else ""


def _capture(replay: str, at: datetime, url: str, digest: str = "") -> Capture:
    stamp, suffix = f"{at:%Y%m%d%H%M%S}", quote(url, safe=_SAFE)
    return Capture(
        at=at,
        url=f"{replay}{stamp}/{suffix}",
        raw_url=f"{replay}{stamp}id_/{suffix}",
        digest=digest,
    )


def _by_timemap(archive: Archive, url: str, *, before: datetime, turn: QueryTurn) -> list[Capture]:
    reply = request(archive, f"{archive.url}{quote(url, safe=_SAFE)}", turn=turn)
    if reply.status in _NOT_ARCHIVED:
        return []
    if reply.status != 200:
        raise ArchiveUnavailableError(f"HTTP {reply.status}")
    mementos = _mementos(archive, _text(reply))
    earlier = [memento for memento in mementos if memento.at <= before]
    return sorted(earlier, key=lambda memento: memento.at, reverse=True)[:MAX_CAPTURES]


def _by_timegate(
    archive: Archive, url: str, *, before: datetime, turn: QueryTurn
) -> Iterator[Capture]:
    """Ask for successively earlier times: a TimeGate redirects to the nearest capture, earlier or
    later.

    If the capture is known or too late, the next step back is larger.
    """
    at, gap, seen_times = before, _GAP, set[datetime]()
    for _ in range(_MAX_STEPS):
        query_key = ["timegate", archive.url, url, f"{at:%Y%m%d%H%M%S}"]
        stored = get_or_fetch(query_key, partial(_step, archive, url, at, turn=turn), now=turn.now)
        if stored is None:
            return
        capture = Capture.from_json(stored)
        if capture.at <= before and capture.at not in seen_times:
            yield capture
            seen_times.add(capture.at)
            at, gap = capture.at - _GAP, _GAP
        else:
            gap *= 3
            at = max(at - gap, _EARLIEST)
        if at <= _EARLIEST:
            return


def _step(archive: Archive, url: str, at: datetime, *, turn: QueryTurn) -> list[str] | None:
    """Return the capture to which a TimeGate redirects or links, as JSON; None if there is none."""
    query_url = f"{archive.url}{quote(url, safe=_SAFE)}"
    headers = {"Accept-Datetime": format_datetime(at.astimezone(UTC), usegmt=True)}
    reply = request(archive, query_url, turn=turn, headers=headers)
    if reply.status in _NOT_ARCHIVED:
        return None
    location = reply.headers.get(LOCATION)
    stamp = _STAMP.search(location) if location and reply.status in (301, 302, 303, 307) else None
    if location and stamp:
        capture = _memento(archive, location, _time_or_none(stamp[1]), base=query_url)
        return capture.as_json() if capture else None
    mementos = _mementos(archive, ", ".join(reply.headers.get_list("link")))
    if not mementos:
        raise ArchiveUnavailableError("The URL is not that of a TimeGate.")
    closest = min(mementos, key=lambda memento: abs(memento.at - at))
    return closest.as_json()


def _mementos(archive: Archive, text: str) -> list[Capture]:
    """Return the mementos of a Link header or a TimeMap (RFC 6690)."""
    mementos = []
    for url, rest in _LINK.findall(text[:MAX_BYTES]):
        # If a parameter is repeated, the last one counts.
        values = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(rest)}
        if "memento" in values.get("rel", "").split():
            at = _http_time(values.get("datetime", ""))
            memento = _memento(archive, url, at, base=archive.url)
            mementos += [memento] if memento else []
    return mementos


def _memento(archive: Archive, url: str, at: datetime | None, *, base: str) -> Capture | None:
    """Return the capture at a URL of the archive, which may be relative to `base`.

    Returns None if the URL is invalid or on another server, or if `at` is None or differs
    from the time in the URL.
    """
    try:
        url = urljoin(base, url)
        own, other = urlsplit(archive.url), urlsplit(url)
    except ValueError:
        return None
    if not _URL.fullmatch(url):
        return None
    if at is None or (own.scheme, own.netloc) != (other.scheme, other.netloc):
        return None
    stamp = _STAMP.search(url)
    if stamp is None:
        return Capture(at=at, url=url, raw_url=url, digest="")
    if _time_or_none(stamp[1]) != at:
        return None
    prefix, suffix = url[: stamp.start()], url[stamp.end() :]
    return Capture(
        at=at,
        url=f"{prefix}/{stamp[1]}/{suffix}",
        raw_url=f"{prefix}/{stamp[1]}id_/{suffix}",
        digest="",
    )


def _matches(original: str, url: str) -> bool:
    """Return whether a capture is of this page, regardless of scheme, `www.` and a final slash."""
    return _without_variants(original) == _without_variants(url)


def _without_variants(url: str) -> str:
    try:
        parts = urlsplit(canonicalize(url).url)
    except InvalidURLError:
        return url
    host = parts.netloc.removesuffix(":80").removesuffix(":443").removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _text(reply: Reply) -> str:
    if not reply.is_whole and len(reply.body) < MAX_BYTES:
        raise ArchiveUnavailableError("The archive's index was cut off.")
    body = inflate(reply.body, encoding=reply.headers.get("content-encoding", ""), limit=MAX_BYTES)
    return body.decode("utf-8", "replace")


def _time(stamp: str) -> datetime:
    return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _time_or_none(stamp: str) -> datetime | None:
    try:
        at = _time(stamp)
    except ValueError:
        return None
    return at if at >= _EARLIEST else None


def _http_time(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text[:100]).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return at if at >= _EARLIEST else None
