"""The queue of pages to be saved: claims due pages, checks the consent again, stores the result."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.fields.json import KT

from archives.disclosure import may_be_saved
from archives.models import PageSave, SaveState
from archives.save_consent import permitted_targets
from checker.engine.noarchive import PERMITTED
from checker.models import CheckResult
from foundation.database.bulk_deletion import delete_in_batches
from foundation.valkey import metrics
from targets.canonical import url_to_fetch
from targets.models import Target
from targets.public_targets import seen_by_all
from targets.state import State

_MAX_CANDIDATES = 20  # due pages to try: other processes may claim some of them
_LEASE = timedelta(minutes=10)  # after which the claim of a killed process expires
_MAX_ERROR = 200  # characters
# Results to search: only a page's first check, and a few others, record whether it permits
# archiving.
_MAX_RESULTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedSave:
    """A page that only this process handles until the claim expires."""

    save: PageSave
    target: Target
    until: datetime


def add(target_ids: Collection[Any], *, now: datetime) -> None:
    """Queue the given targets that may be saved; leave those already queued unchanged."""
    permitted = permitted_targets(seen_by_all(Target.objects.filter(pk__in=target_ids)))
    rows = [
        PageSave(target_id=pk, queued_at=now, act_at=now)
        for pk, url in permitted.values_list("pk", "url")
        if may_be_saved(url_to_fetch(url))
    ]
    PageSave.objects.bulk_create(rows, ignore_conflicts=True)


def forget_deleted() -> int:
    """Delete the rows of targets that a process of version 0.2.0 deleted; return how many."""
    target = Target.objects.filter(pk=OuterRef("target_id"))
    return delete_in_batches(PageSave.objects.filter(~Exists(target)))


def claim(state: SaveState, *, now: datetime) -> ClaimedSave | None:
    """Claim and return the page in this state that has been due longest.

    Returns None if none of the first _MAX_CANDIDATES can be claimed. Deletes the rows of deleted
    targets.
    """
    due = PageSave.objects.filter(act_at__lte=now, state=state).order_by("act_at", "pk")
    until = now + _LEASE
    for save in due[:_MAX_CANDIDATES]:
        if not _unless_changed(save, save.act_at).update(act_at=until):
            continue  # another process has claimed it
        target = Target.objects.filter(pk=save.target_id).first()
        if target is not None:
            return ClaimedSave(save=save, target=target, until=until)
        _unless_changed(save, until).delete()
    return None


def give_back(claimed: ClaimedSave, *, at: datetime | None = None) -> None:
    """Release the claim: the page is due at `at`, or at its previous time if `at` is None."""
    _unless_changed(claimed.save, claimed.until).update(act_at=at or claimed.save.act_at)


def record_offer(claimed: ClaimedSave, *, now: datetime) -> None:
    """Record that the URL is disclosed to the service, whether or not the service accepts it."""
    _unless_changed(claimed.save, claimed.until).update(offered_at=now)


def take_back_offer(claimed: ClaimedSave) -> None:
    """Record that the URL was not disclosed after all."""
    _unless_changed(claimed.save, claimed.until).update(offered_at=claimed.save.offered_at)


def _unless_changed(save: PageSave, act_at: datetime | None) -> QuerySet[PageSave]:
    """Return the row of a page, unless another process has changed its `act_at`."""
    return PageSave.objects.filter(pk=save.pk, act_at=act_at)


def objection(target: Target) -> str:
    """Return a sentence that says why a page may not be saved now; empty if it may.

    Consent, secret headers and the page's own objection may have changed since the page was queued.
    """
    page = Target.objects.filter(pk=target.pk)
    if target.state != State.ALIVE.value:
        return "The page is not alive."
    if not seen_by_all(page).exists() or not may_be_saved(url_to_fetch(target.url)):
        return "The page is not public."
    if not permitted_targets(page).exists():
        return "Nobody who refers to the page has agreed to have it saved."
    return _objection_of_checks(target)


def _objection_of_checks(target: Target) -> str:
    """Return why the page may not be archived; empty if it may.

    The latest check that recorded whether the page permits archiving decides, among the last
    _MAX_RESULTS.
    """
    results = CheckResult.objects.filter(target=target).order_by("-checked_at", "-id")
    recent = results.annotate(archiving=KT("evidence__archiving")).defer("evidence")
    for result in recent.read_in_spans(_MAX_RESULTS):
        if archiving := vars(result)["archiving"]:
            if archiving != PERMITTED:
                return "The page asks not to be archived."
            if result.final_url and not may_be_saved(result.final_url):
                return "The page redirects to a URL that may not be saved."
            return ""
    return "No check has determined whether the page permits archiving."


def withhold(claimed: ClaimedSave, reason: str, *, now: datetime) -> None:
    """Mark the page as never to be offered, for this reason."""
    _write(claimed, state=SaveState.WITHHELD, ended_at=now, act_at=None, error=reason)


def record_job(claimed: ClaimedSave, job: str, *, poll_at: datetime, now: datetime) -> None:
    """Store the job id that the service assigned, and schedule the first poll."""
    columns = {"state": SaveState.OFFERED, "job": job, "offered_at": now, "act_at": poll_at}
    _write(claimed, **columns, attempts=claimed.save.attempts + 1, polls=0, error="")
    metrics.count("pages_offered")


def poll_later(claimed: ClaimedSave, *, at: datetime) -> None:
    """Schedule another poll of the job."""
    _write(claimed, act_at=at, polls=claimed.save.polls + 1)


def record_saved(claimed: ClaimedSave, url: str, captured_at: datetime, *, now: datetime) -> None:
    """Store the URL of the saved page."""
    columns = {"address": url, "captured_at": captured_at, "error": ""}
    if _write(claimed, state=SaveState.SAVED, ended_at=now, act_at=None, **columns):
        metrics.count("pages_saved")


def offer_again(claimed: ClaimedSave, error: str, *, at: datetime, attempts: int) -> None:
    """Schedule another offer of the page."""
    columns = {"state": SaveState.WAITING, "job": "", "error": error[:_MAX_ERROR], "act_at": at}
    _write(claimed, **columns, attempts=attempts)


def give_up(claimed: ClaimedSave, error: str, *, now: datetime) -> None:
    """Record that the page could not be saved."""
    _write(claimed, state=SaveState.FAILED, ended_at=now, act_at=None, error=error[:_MAX_ERROR])


def _write(claimed: ClaimedSave, **columns: Any) -> bool:
    """Write the columns and return True, or return False if the claim has expired."""
    return bool(_unless_changed(claimed.save, claimed.until).update(**columns))
