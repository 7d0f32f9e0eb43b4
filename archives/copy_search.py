"""Finds the copy of a dead page: the closest good capture from before it failed, in any archive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from archives.answer_cache import remembered
from archives.archive_requests import ArchiveUnavailableError, AskingTurn, request
from archives.archive_settings import Archive
from archives.capture_match import judge
from archives.dialects import Capture, captures, datetime_of
from checker.engine.page_identity import Identity
from targets.models import CopyResult

_MOST = 8  # captures per archive whose bodies are read
_SKEW = timedelta(seconds=1)
_PAGES = (200, 203, 206)
_ORIGINAL = "x-archive-orig-"  # prefix of the page's own headers
_OF_BODY = ("content-type", "content-encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCopy:
    """The copy of a page that the archives have."""

    result: CopyResult
    archive: str = ""
    capture: Capture | None = None


def find_copy(
    archives: Sequence[Archive],
    url: str,
    *,
    before: datetime,
    known: Identity | None,
    turn: AskingTurn,
    saved: tuple[Archive, Capture] | None = None,
) -> FoundCopy:
    """Return the copy of a page: a verified one, or otherwise the first possible one.

    The capture that was `saved` while the page lived is tried first, then the archives in their
    order. `known` is the page's identity; without it no copy can be verified. Raises
    BudgetSpentError; the answers so far are kept.
    """
    found = FoundCopy(result=CopyResult.NONE)
    sources = [(one, captures(one, url, before=before, turn=turn)) for one in archives]
    if saved is not None and saved[1].at <= before:
        sources.insert(0, (saved[0], iter([saved[1]])))
    for archive, listed in sources:
        try:
            for one in _judged(archive, url, listed, known=known, turn=turn):
                if one.result is CopyResult.VERIFIED or known is None:
                    return one
                found = found if found.capture else one
        except ArchiveUnavailableError:
            found = found if found.capture else replace(found, result=CopyResult.UNAVAILABLE)
    return found


def _judged(
    archive: Archive,
    url: str,
    listed: Iterator[Capture],
    *,
    known: Identity | None,
    turn: AskingTurn,
) -> Iterator[FoundCopy]:
    """Yield an archive's captures that may be the page; equal bodies are read once."""
    read: set[str] = set()
    identity = str(known and known.as_json())
    for capture in listed:
        body = capture.digest or capture.raw
        if body in read:
            continue
        if len(read) == _MOST:
            return
        read.add(body)
        result = remembered(
            ["judged", archive.name, url, body, identity],
            partial(_look, archive, url, capture, known=known, turn=turn),
            now=turn.now,
        )
        if result != CopyResult.NONE:
            yield FoundCopy(result=CopyResult(result), archive=archive.name, capture=capture)


def _look(
    archive: Archive, url: str, capture: Capture, *, known: Identity | None, turn: AskingTurn
) -> CopyResult:
    """Classify a capture; NONE also if its time differs from the one in the index."""
    reply = request(archive, capture.raw, turn=turn)
    if not reply.is_whole and not reply.body:
        raise ArchiveUnavailableError("The capture was cut off.")
    at = datetime_of(reply)
    if reply.status not in _PAGES or at is None or abs(at - capture.at) > _SKEW:
        return CopyResult.NONE
    headers = {
        name.removeprefix(_ORIGINAL): value
        for name, value in reply.headers.items()
        if name.startswith(_ORIGINAL)
    }
    for name in _OF_BODY:  # as sent by the archive
        headers.pop(name, None)
        if name in reply.headers:
            headers[name] = reply.headers[name]
    return judge(url, status=reply.status, headers=headers, body=reply.body, known=known)
