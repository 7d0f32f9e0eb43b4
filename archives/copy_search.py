"""Finds the copy of a dead page: the closest good capture from before it failed, in any archive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from archives.answer_cache import get_or_fetch
from archives.archive_requests import ArchiveUnavailableError, QueryTurn, request
from archives.archive_settings import Archive
from archives.capture_match import classify
from archives.dialects import Capture, captures, datetime_of
from checker.engine.connection import MAX_BODY
from checker.engine.page_identity import Identity
from targets.models import CopyResult

_MAX_CAPTURES = 8  # captures per archive whose bodies are read
_SKEW = timedelta(seconds=1)
_PAGE_STATUSES = (200, 203, 206)
_ORIGINAL = "x-archive-orig-"  # prefix of the page's own headers
_BODY_HEADERS = ("content-type", "content-encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCopy:
    """The result of a search for a copy; without `capture`, no copy was found."""

    result: CopyResult
    archive: str = ""
    capture: Capture | None = None


def find_copy(
    archives: Sequence[Archive],
    url: str,
    *,
    before: datetime,
    known: Identity | None,
    turn: QueryTurn,
    saved: tuple[Archive, Capture] | None = None,
) -> FoundCopy:
    """Return the copy of a page: a verified one, or otherwise the first possible one.

    Without a copy, the result is UNAVAILABLE if an archive failed, otherwise NONE. The capture that
    was `saved` while the page was alive is tried first, then the archives in their order. `known`
    is the page's identity; without it no copy can be verified. Raises BudgetSpentError; results so
    far stay cached.
    """
    best = FoundCopy(result=CopyResult.NONE)
    sources = [(archive, captures(archive, url, before=before, turn=turn)) for archive in archives]
    if saved is not None and saved[1].at <= before:
        sources.insert(0, (saved[0], iter([saved[1]])))
    for archive, listing in sources:
        try:
            for copy in _classify_captures(archive, url, listing, known=known, turn=turn):
                if copy.result is CopyResult.VERIFIED or known is None:
                    return copy
                best = best if best.capture else copy
        except ArchiveUnavailableError:
            best = best if best.capture else replace(best, result=CopyResult.UNAVAILABLE)
    return best


def _classify_captures(
    archive: Archive,
    url: str,
    listing: Iterator[Capture],
    *,
    known: Identity | None,
    turn: QueryTurn,
) -> Iterator[FoundCopy]:
    """Yield an archive's captures that may be the page.

    Reads at most _MAX_CAPTURES bodies, and equal bodies only once.
    """
    seen_bodies: set[str] = set()
    identity = str(known and known.as_json())
    for capture in listing:
        body_key = capture.digest or capture.raw_url
        if body_key in seen_bodies:
            continue
        if len(seen_bodies) == _MAX_CAPTURES:
            return
        seen_bodies.add(body_key)
        result = get_or_fetch(
            ["judged", archive.name, url, body_key, identity],
            partial(_classify, archive, url, capture, known=known, turn=turn),
            now=turn.now,
        )
        if result != CopyResult.NONE:
            yield FoundCopy(result=CopyResult(result), archive=archive.name, capture=capture)


def _classify(
    archive: Archive, url: str, capture: Capture, *, known: Identity | None, turn: QueryTurn
) -> CopyResult:
    """Classify a capture; NONE also for an error status, or a time that differs from the index."""
    reply = request(archive, capture.raw_url, turn=turn)
    if not reply.is_whole and len(reply.body) < MAX_BODY:
        raise ArchiveUnavailableError("The capture was cut off.")
    at = datetime_of(reply)
    if reply.status not in _PAGE_STATUSES or at is None or abs(at - capture.at) > _SKEW:
        return CopyResult.NONE
    headers = {
        name.removeprefix(_ORIGINAL): value
        for name, value in reply.headers.items()
        if name.startswith(_ORIGINAL)
    }
    for name in _BODY_HEADERS:  # as the archive sent them
        headers.pop(name, None)
        if name in reply.headers:
            headers[name] = reply.headers[name]
    return classify(url, status=reply.status, headers=headers, body=reply.body, known=known)
