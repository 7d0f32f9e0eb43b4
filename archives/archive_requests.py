"""Requests to web archives: guarded, limited in size and time, within budgets and backoffs."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlencode

import redis
from django.conf import settings
from django.db.models import F, Value
from django.db.models.functions import Greatest

from archives.archive_settings import SAVES, Archive
from archives.models import ArchiveBackoff
from foundation.net.client import FAILURES, Reply, guarded_client, send_request
from foundation.net.egress import egress_proxy, network_guard
from foundation.net.retry_after import parse_retry_after
from foundation.valkey import metrics, rate_limit

MAX_BYTES = 5 * 1024 * 1024  # of a response
TIMEOUT = 30.0  # seconds for a response
# Requests may take a second to arrive, and archives count arrivals.
_MARGIN = timedelta(seconds=1)
_FIRST_PAUSE, _MAX_PAUSE = timedelta(minutes=1), timedelta(days=1)
_MAX_ERROR = 200  # characters


class ArchiveUnavailableError(Exception):
    """The archive returned no usable response, or is in a backoff.

    `status` is the HTTP status, if that is the cause; otherwise 0.
    """

    def __init__(self, reason: str, *, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


class BudgetSpentError(Exception):
    """No request may be made now: the budget is spent or unknown, or the turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTurn:
    """The time that one process may spend on requests to archives."""

    now: datetime
    ends_at: float  # monotonic; no request starts after it
    started_at: float = field(default_factory=time.monotonic)

    @property
    def current_time(self) -> datetime:
        """The current time."""
        return self.now + timedelta(seconds=time.monotonic() - self.started_at)


def request(
    archive: Archive,
    url: str,
    *,
    turn: QueryTurn,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
) -> Reply:
    """Return the archive's response, which may be an error about the page, or a 401 or 403.

    A 429 or 5xx from the archive itself starts a backoff, as a failed request does. A `form` is
    posted. Raises ArchiveUnavailableError or BudgetSpentError.
    """
    now = turn.now
    if time.monotonic() >= turn.ends_at:
        raise BudgetSpentError
    if not is_available(archive, now=now):
        raise ArchiveUnavailableError("The archive asked for a pause or failed a moment ago.")
    _spend(archive)
    metrics.count("archive_requests")
    try:
        reply = asyncio.run(_fetch(url, headers or {}, form))
    except FAILURES as error:
        back_off(archive, type(error).__name__, now=turn.current_time)
        raise ArchiveUnavailableError(type(error).__name__) from error
    is_capture = "memento-datetime" in reply.headers  # the page itself was an error
    if not is_capture and (reply.status == 429 or reply.status >= 500):
        wait = parse_retry_after(reply.headers.get("retry-after", ""), now=turn.current_time)
        back_off(archive, f"HTTP {reply.status}", now=turn.current_time, wait=wait)
        raise ArchiveUnavailableError(f"HTTP {reply.status}", status=reply.status)
    if reply.status in (401, 403):
        return reply  # without deleting the backoff: pauses grow while the archive refuses us
    # Keep the backoff that another process stored meanwhile.
    ArchiveBackoff.objects.filter(pk=archive.name, until__lte=now).delete()
    return reply


def is_available(archive: Archive, *, now: datetime) -> bool:
    """Return whether no backoff of the archive is in effect."""
    return not ArchiveBackoff.objects.filter(pk=archive.name, until__gt=now).exists()


def _spend(archive: Archive) -> None:
    is_save = archive.kind == SAVES
    count, window = settings.ARCHIVE_SAVE_LIMIT if is_save else settings.ARCHIVE_LIMIT
    try:
        admission = rate_limit.admit(
            "archives", archive.name, rate=(count, window + _MARGIN), is_client=False
        )
    except (redis.RedisError, OSError) as error:  # how much is spent is unknown
        raise BudgetSpentError from error
    if not admission.admitted:
        raise BudgetSpentError


async def _fetch(url: str, headers: Mapping[str, str], form: Mapping[str, str] | None) -> Reply:
    all_headers = {"User-Agent": settings.USER_AGENT, "Accept-Encoding": "gzip", **headers}
    if form is not None:
        all_headers["Content-Type"] = "application/x-www-form-urlencoded"
    async with guarded_client(network_guard(), proxy=egress_proxy()) as client:
        return await send_request(
            client,
            "GET" if form is None else "POST",
            url,
            headers=all_headers,
            body=urlencode(form or {}).encode(),
            limit=MAX_BYTES,
            within=TIMEOUT,
        )


def back_off(archive: Archive, error: str, *, now: datetime, wait: float | None = None) -> None:
    """Start or extend the archive's backoff; a longer one stays.

    The pause is `wait` seconds; without `wait`, it doubles with each failure, up to a day.
    """
    metrics.count("archive_failures")
    row, is_new = ArchiveBackoff.objects.get_or_create(
        archive=archive.name, defaults={"until": now, "failures": 1, "error": error[:_MAX_ERROR]}
    )
    failures = 1 if is_new else row.failures + 1
    pause = min(_FIRST_PAUSE * 2 ** min(failures - 1, 20), _MAX_PAUSE)
    if wait is not None:
        pause = timedelta(seconds=wait)
    ArchiveBackoff.objects.filter(pk=archive.name).update(
        until=Greatest(F("until"), Value(now + pause)),
        error=error[:_MAX_ERROR],
        failures=F("failures") if is_new else F("failures") + 1,
    )
