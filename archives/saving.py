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
    AskingTurn,
    BudgetSpentError,
    back_off,
    is_awake,
    request,
)
from archives.archive_settings import Archive
from archives.dialects import Capture, capture_at
from archives.models import ArchiveBackoff, PageSave, SaveState
from archives.save_queue import ClaimedSave
from foundation.database.transactions import restartable
from foundation.net.client import Reply
from foundation.net.inflate import as_text
from targets.canonical import fetch_url
from targets.models import Target

logger = logging.getLogger(__name__)

_PAUSED_UNTIL = datetime(9000, 1, 1, tzinfo=UTC)
_JOB = re.compile(r"[\w-]{1,100}", re.ASCII)
_STAMP = re.compile(r"\d{14}", re.ASCII)
_CODE = re.compile(r"error:([\w-]{1,80})", re.ASCII)
_FIRST_POLL, _POLLS = timedelta(seconds=30), 12  # with doubling pauses: 34 hours in total
_AGAIN, _ATTEMPTS = timedelta(hours=6), 4
_SKEW = timedelta(minutes=5)  # between the archive's clock and ours
# Errors of a page that another offer would not change.
_FINAL = frozenset(
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
_BUSY = "user-session-limit"  # the account has its maximum of jobs: the page is not to blame
_BUSY_PAUSE = 600.0  # seconds


def follow_one(service: Archive, *, turn: AskingTurn) -> bool:
    """Poll one job that is due; return whether there was one. Raises BudgetSpentError."""
    return _act(service.replaying, SaveState.OFFERED, _follow, turn=turn)


def offer_one(service: Archive, *, turn: AskingTurn) -> bool:
    """Offer one page that waits; return whether there was one. Raises BudgetSpentError."""
    return _act(service, SaveState.WAITING, _offer, turn=turn)


def _act(
    archive: Archive,
    state: SaveState,
    do: Callable[[ClaimedSave, AskingTurn], None],
    *,
    turn: AskingTurn,
) -> bool:
    claimed = save_queue.claim(state, now=turn.now) if is_awake(archive, now=turn.now) else None
    if claimed is None:
        return False
    try:
        do(claimed, turn)
    except ArchiveUnavailableError:  # the page may be the cause, so other pages come first
        save_queue.give_back(claimed, at=turn.clock)
    except BudgetSpentError:
        save_queue.give_back(claimed)
        raise
    except Exception:  # an error about one page must not affect the others
        logger.exception("%s could not be saved", claimed.target.pk)
        _again(claimed, "internal error", attempts=claimed.save.attempts + 1, turn=turn)
    return True


def _offer(claimed: ClaimedSave, turn: AskingTurn) -> None:
    if why := save_queue.objection(claimed.target):
        save_queue.withhold(claimed, why, now=turn.clock)
        return
    service = _service()
    form = {
        "url": fetch_url(claimed.target.url),
        "skip_first_archive": "1",
        "if_not_archived_within": "1d",  # an offer whose answer was lost is not saved twice
    }
    save_queue.note_offer(claimed, now=turn.clock)
    try:
        reply = request(service, service.address, turn=turn, headers=_headers(), form=form)
    except BudgetSpentError:
        save_queue.take_back_offer(claimed)
        raise
    answer = _read(reply)
    error, job = _error(answer), str(answer.get("job_id") or "")
    if reply.status in (401, 403) or error == _BUSY:
        why = error or f"HTTP {reply.status}"
        back_off(service, why, now=turn.clock, wait=_BUSY_PAUSE if error == _BUSY else None)
        raise ArchiveUnavailableError(why)
    if error or not _JOB.fullmatch(job):
        attempts = claimed.save.attempts + 1
        _again(claimed, error or f"HTTP {reply.status}, no job", attempts=attempts, turn=turn)
        return
    save_queue.offered(claimed, job, ask_at=turn.clock + _FIRST_POLL, now=turn.clock)


def _follow(claimed: ClaimedSave, turn: AskingTurn) -> None:
    service, save = _service(), claimed.save
    address = f"{service.address}/status/{save.job}"
    answer = _read(request(service.replaying, address, turn=turn, headers=_headers()))
    state = answer.get("status")
    if state == "success" and (found := _capture(service, claimed, answer, now=turn.clock)):
        save_queue.saved(claimed, found.address, found.at, now=turn.clock)
    elif state == "pending" and save.polls < _POLLS:
        save_queue.still_pending(claimed, ask_at=turn.clock + _FIRST_POLL * 2**save.polls)
    else:
        _again(claimed, _error(answer) or "no capture", attempts=save.attempts, turn=turn)


def _service() -> Archive:
    """Return the service; only called while there is one."""
    if settings.ARCHIVE_SAVES is None:
        raise RuntimeError("ARCHIVE_SAVES is not set.")
    return settings.ARCHIVE_SAVES


def _again(claimed: ClaimedSave, error: str, *, attempts: int, turn: AskingTurn) -> None:
    """Schedule another offer of the page, or give up."""
    if error in _FINAL or attempts >= _ATTEMPTS:
        save_queue.failed(claimed, error, now=turn.clock)
        return
    at = turn.clock + _AGAIN * 4 ** max(attempts - 1, 0)
    save_queue.offer_again(claimed, error, at=at, attempts=attempts)


def _headers() -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if settings.ARCHIVE_SAVE_KEY:
        headers["Authorization"] = f"LOW {settings.ARCHIVE_SAVE_KEY}"
    return headers


def _read(reply: Reply) -> Mapping[str, Any]:
    """Return the JSON object of an answer; an empty one for anything else."""
    text = as_text(reply.body, encoding=reply.headers.get("content-encoding", ""))
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _error(answer: Mapping[str, Any]) -> str:
    """Return the code of an error without its `error:`; empty without any."""
    found = _CODE.fullmatch(str(answer.get("status_ext", "")))
    if found:
        return found[1]
    return "unknown" if answer.get("status") == "error" else ""


def _capture(
    service: Archive, claimed: ClaimedSave, answer: Mapping[str, Any], *, now: datetime
) -> Capture | None:
    """Return the capture that the service names; None if it has none or a future one."""
    stamp = str(answer.get("timestamp", ""))
    if not _STAMP.fullmatch(stamp):
        return None
    found = capture_at(service, stamp, fetch_url(claimed.target.url))
    return found if found and found.at <= now + _SKEW else None


def saved_capture(target: Target) -> tuple[Archive, Capture] | None:
    """Return the capture of a page from when it was alive, and its archive; None if there is
    none."""
    service: Archive | None = settings.ARCHIVE_SAVES
    save = PageSave.objects.filter(pk=target.pk, state=SaveState.SAVED).first()
    if service is None or save is None or save.captured_at is None:
        return None
    stamp = f"{save.captured_at.astimezone(UTC):%Y%m%d%H%M%S}"
    found = capture_at(service, stamp, fetch_url(target.url))
    return (service.replaying, found) if found else None


def is_paused(service: Archive) -> bool:
    """Return whether operators have paused offers."""
    return ArchiveBackoff.objects.filter(pk=service.name, until=_PAUSED_UNTIL).exists()


def backoff(service: Archive, *, now: datetime) -> ArchiveBackoff | None:
    """Return since when and why offers are suspended; None if they are not."""
    return ArchiveBackoff.objects.filter(pk=service.name, until__gt=now).first()


@restartable
def pause(service: Archive, *, by: Actor, now: datetime) -> None:
    """Offer nothing until operators resume; jobs under way are followed."""
    ArchiveBackoff.objects.update_or_create(
        archive=service.name,
        defaults={"until": _PAUSED_UNTIL, "failures": 0, "error": "Paused by an operator."},
    )
    audit_log.write(by, "pause", "saves", [service.replaying.name], now=now)


@restartable
def resume(service: Archive, *, by: Actor, now: datetime) -> None:
    """Offer pages again, also if the service was paused after failures."""
    ArchiveBackoff.objects.filter(pk=service.name).delete()
    audit_log.write(by, "resume", "saves", [service.replaying.name], now=now)
