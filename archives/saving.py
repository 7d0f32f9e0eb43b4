"""Saves pages while they are alive: offers them to a Save Page Now service and follows its jobs.

The API is that of the Internet Archive, "Save Page Now 2": a POST with the URL returns a job, whose
status is polled until it has a time or an error. Offers have a separate budget
(ARCHIVE_SAVE_LIMIT); polls of jobs count as ordinary requests to that archive.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings

from accounts import audit_log
from accounts.actors import Actor
from archives import save_queue
from archives.archive_requests import (
    ArchiveUnavailableError,
    BudgetSpentError,
    QueryTurn,
    back_off,
    is_available,
    request,
)
from archives.archive_settings import Archive
from archives.dialects import Capture, capture_at
from archives.models import ArchiveBackoff, PageSave, SaveState
from archives.save_queue import ClaimedSave
from foundation.database.transactions import restartable
from foundation.net.client import Reply
from foundation.net.inflate import inflate
from targets.canonical import url_to_fetch
from targets.models import Target

logger = logging.getLogger(__name__)

_PAUSED_UNTIL = datetime(9000, 1, 1, tzinfo=UTC)
_JOB = re.compile(r"[\w-]{1,100}", re.ASCII)
_STAMP = re.compile(r"\d{14}", re.ASCII)
_CODE = re.compile(r"error:([\w-]{1,80})", re.ASCII)
_POLL_PAUSE, _MAX_POLLS = timedelta(seconds=30), 12  # with doubling pauses: 34 hours in total
_RETRY_PAUSE, _MAX_ATTEMPTS = timedelta(hours=6), 4
_SKEW = timedelta(minutes=5)  # between the archive's clock and ours
# Errors about a page that another offer would not change.
_FINAL_ERRORS = frozenset(
    {
        *(
            "blocked",
            "blocked-url",
            "filesize-limit",
            "ftp-access-denied",
            "invalid-host-resolution",
        ),
        *("invalid-url-syntax", "method-not-allowed", "no-access", "not-found", "not-implemented"),
        *("http-version-not-supported", "too-many-redirects", "unauthorized"),
    }
)
_BUSY = "user-session-limit"  # the account has its maximum of jobs; the page is not the cause
_BUSY_PAUSE = 600.0  # seconds


def poll_job(service: Archive, *, turn: QueryTurn) -> bool:
    """Poll a due job; return False if none is due or the archive is in a backoff.

    Raises BudgetSpentError.
    """
    return _act_on_next(service.replay_archive, SaveState.OFFERED, _poll, turn=turn)


def offer_page(service: Archive, *, turn: QueryTurn) -> bool:
    """Offer a waiting page; return False if none is due or the service is paused or in a backoff.

    Raises BudgetSpentError.
    """
    return _act_on_next(service, SaveState.WAITING, _offer, turn=turn)


def _act_on_next(
    archive: Archive,
    state: SaveState,
    act: Callable[[ClaimedSave, QueryTurn], None],
    *,
    turn: QueryTurn,
) -> bool:
    claimed = save_queue.claim(state, now=turn.now) if is_available(archive, now=turn.now) else None
    if claimed is None:
        return False
    try:
        act(claimed, turn)
    except ArchiveUnavailableError:  # the page may be the cause, so other pages come first
        save_queue.give_back(claimed, at=turn.current_time)
    except BudgetSpentError:
        save_queue.give_back(claimed)
        raise
    except Exception:  # an error about one page must not affect the others
        logger.exception("%s could not be saved", claimed.target.pk)
        _retry(claimed, "internal error", attempts=claimed.save.attempts + 1, turn=turn)
    return True


def _offer(claimed: ClaimedSave, turn: QueryTurn) -> None:
    if reason := save_queue.objection(claimed.target):
        save_queue.withhold(claimed, reason, now=turn.current_time)
        return
    service = _service()
    form = {
        "url": url_to_fetch(claimed.target.url),
        "skip_first_archive": "1",
        "if_not_archived_within": "1d",  # an offer whose response was lost is not saved twice
    }
    save_queue.record_offer(claimed, now=turn.current_time)
    try:
        reply = request(service, service.url, turn=turn, headers=_headers(), form=form)
    except BudgetSpentError:
        save_queue.take_back_offer(claimed)
        raise
    except ArchiveUnavailableError as failure:
        if failure.status < 500:
            raise
        # An error of the service may be caused by the page.
        _retry(claimed, str(failure), attempts=claimed.save.attempts + 1, turn=turn)
        return
    answer = _parse(reply)
    error, job = _error(answer), str(answer.get("job_id") or "")
    if reply.status in (401, 403) or error == _BUSY:
        reason = error or f"HTTP {reply.status}"
        wait = _BUSY_PAUSE if error == _BUSY else None
        back_off(service, reason, now=turn.current_time, wait=wait)
        raise ArchiveUnavailableError(reason)
    if error or not _JOB.fullmatch(job):
        attempts = claimed.save.attempts + 1
        _retry(
            claimed,
            error or f"the archive did not accept the page (HTTP {reply.status})",
            attempts=attempts,
            turn=turn,
        )
        return
    now = turn.current_time
    save_queue.record_job(claimed, job, poll_at=now + _POLL_PAUSE, now=now)


def _poll(claimed: ClaimedSave, turn: QueryTurn) -> None:
    service, save = _service(), claimed.save
    url = f"{service.url}/status/{save.job}"
    answer = _parse(request(service.replay_archive, url, turn=turn, headers=_headers()))
    state = answer.get("status")
    if state == "success" and (
        capture := _capture(service, claimed, answer, now=turn.current_time)
    ):
        save_queue.record_saved(claimed, capture.url, capture.at, now=turn.current_time)
    elif state == "pending" and save.polls < _MAX_POLLS:
        save_queue.poll_later(claimed, at=turn.current_time + _POLL_PAUSE * 2**save.polls)
    else:
        _retry(
            claimed,
            _error(answer) or "the archive reports no copy",
            attempts=save.attempts,
            turn=turn,
        )


def _service() -> Archive:
    """Return the service; only called while there is one."""
    if settings.ARCHIVE_SAVES is None:
        raise RuntimeError("ARCHIVE_SAVES is not set.")
    return settings.ARCHIVE_SAVES


def _retry(claimed: ClaimedSave, error: str, *, attempts: int, turn: QueryTurn) -> None:
    """Schedule another offer of the page; give up after a final error or _MAX_ATTEMPTS."""
    if error in _FINAL_ERRORS or attempts >= _MAX_ATTEMPTS:
        save_queue.give_up(claimed, error, now=turn.current_time)
        return
    at = turn.current_time + _RETRY_PAUSE * 4 ** max(attempts - 1, 0)
    save_queue.offer_again(claimed, error, at=at, attempts=attempts)


def _headers() -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if settings.ARCHIVE_SAVE_KEY:
        headers["Authorization"] = f"LOW {settings.ARCHIVE_SAVE_KEY}"
    return headers


def _parse(reply: Reply) -> Mapping[str, Any]:
    """Return the JSON object of a response; an empty one for anything else."""
    text = inflate(reply.body, encoding=reply.headers.get("content-encoding", ""))
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _error(answer: Mapping[str, Any]) -> str:
    """Return the error code without its prefix `error:`, or "unknown"; empty without an error."""
    match = _CODE.fullmatch(str(answer.get("status_ext", "")))
    if match:
        return match[1]
    return "unknown" if answer.get("status") == "error" else ""


def _capture(
    service: Archive, claimed: ClaimedSave, answer: Mapping[str, Any], *, now: datetime
) -> Capture | None:
    """Return the capture that the service names; None if it names none or a future one."""
    stamp = str(answer.get("timestamp", ""))
    if not _STAMP.fullmatch(stamp):
        return None
    capture = capture_at(service, stamp, url_to_fetch(claimed.target.url))
    return capture if capture and capture.at <= now + _SKEW else None


def saved_capture(target: Target) -> tuple[Archive, Capture] | None:
    """Return the archive, and the capture that was saved while the page was alive.

    Returns None if the page was not saved or ARCHIVE_SAVES is empty.
    """
    service: Archive | None = settings.ARCHIVE_SAVES
    save = PageSave.objects.filter(pk=target.pk, state=SaveState.SAVED).first()
    if service is None or save is None or save.captured_at is None:
        return None
    stamp = f"{save.captured_at.astimezone(UTC):%Y%m%d%H%M%S}"
    capture = capture_at(service, stamp, url_to_fetch(target.url))
    return (service.replay_archive, capture) if capture else None


def is_paused(service: Archive) -> bool:
    """Return whether operators have paused offers."""
    return ArchiveBackoff.objects.filter(pk=service.name, until=_PAUSED_UNTIL).exists()


def backoff(service: Archive, *, now: datetime) -> ArchiveBackoff | None:
    """Return the backoff or pause of offers that is in effect, if any."""
    return ArchiveBackoff.objects.filter(pk=service.name, until__gt=now).first()


@restartable
def pause(service: Archive, *, by: Actor, now: datetime) -> None:
    """Offer nothing until operators resume offers; jobs in progress are still polled."""
    ArchiveBackoff.objects.update_or_create(
        archive=service.name,
        defaults={"until": _PAUSED_UNTIL, "failures": 0, "error": "Paused by an operator."},
    )
    audit_log.write(by, "pause", "saves", [service.replay_archive.name], now=now)


@restartable
def resume(service: Archive, *, by: Actor, now: datetime) -> None:
    """Offer pages again, even during a backoff after failures."""
    ArchiveBackoff.objects.filter(pk=service.name).delete()
    audit_log.write(by, "resume", "saves", [service.replay_archive.name], now=now)
