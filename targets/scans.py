"""Scans of repositories: leases of runs, and the removal of references.

A run holds a lease, one for each repository and owner. References belong to the scan that last saw
them; when a complete run ends, references that it has not seen are removed. Lock a scan before
anything else. Source: docs/adr/0062-occurrences.md.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts import audit_log
from accounts.actors import Actor
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.ids import is_id
from foundation.valkey import metrics
from targets import services
from targets.models import Reference
from targets.occurrences import ScanRun
from targets.scan_models import ReferenceOccurrences, RepositoryScan

LEASE = timedelta(minutes=2)  # the maximum time between two requests of a run
MAX_SCANS = 1000  # per owner
MAX_REMOVED_SHARE = 0.2  # of a scan's references, without confirmation
MAX_REMOVED = 1000  # references per request
_MAX_CLOCK_LEAD = timedelta(days=1)  # of a committer's clock
_LOCK = 0x4C57_0007  # PostgreSQL's advisory lock for beginning a run; SQLite has one writer


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanEnd:
    """The number of references that a request has removed, and the number still to be removed."""

    ended: int
    remaining: int


@restartable
def begin(fields: Mapping[str, Any], *, now: datetime, by: Actor) -> RepositoryScan:
    """Begin a run of this `repository` and `paths`, at `commit`, which dates from `committed_at`.

    Raises ApiError `invalid` for a commit that is dated more than a day in the future,
    `scan_running` while another run of the repository is in progress, `scan_outdated` after a run
    of a newer commit, and `too_many_scans`; the last three are 409.
    """
    if fields["committed_at"] > now + _MAX_CLOCK_LEAD:
        sentence = "The commit is dated in the future: its committer's clock is wrong."
        raise ApiError("invalid", sentence, details={"committed_at": [sentence]})
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    own = RepositoryScan.objects.filter(owner=by.owner)
    repository, scope = fields["repository"], "\n".join(fields["paths"])
    # Locked, because a run may extend its lease meanwhile.
    scans = list(own.select_for_update(no_key=True).filter(repository=repository).order_by("pk"))
    _check_not_running(scans, now=now)
    scan = next((row for row in scans if row.scope == scope), None)
    if scan is None:
        if own.count() >= MAX_SCANS:
            subject = "You already have" if by.owner else "There are already"
            sentence = f"{subject} {MAX_SCANS:,} scans, which is the maximum."
            raise ApiError("too_many_scans", sentence, status=409)
        scan = RepositoryScan(owner=by.owner, repository=repository, scope=scope)
    elif fields["committed_at"] < scan.committed_at and fields["commit"] != scan.commit:
        sentence = f"A newer commit has already been scanned: {scan.commit}."
        raise ApiError("scan_outdated", sentence, status=409)
    scan.run += 1
    scan.known = ReferenceOccurrences.objects.filter(scan=scan.pk).count()
    scan.commit, scan.committed_at = fields["commit"], fields["committed_at"]
    scan.begun_at, scan.leased_until = now, now + LEASE
    scan.save()
    return scan


def _check_not_running(scans: Sequence[RepositoryScan], *, now: datetime) -> None:
    until = max((row.leased_until for row in scans if row.leased_until), default=now)
    if until > now:
        seconds = math.ceil((until - now).total_seconds())
        raise ApiError(
            "scan_running",
            "Another run is already scanning this repository.",
            status=409,
            headers={"Retry-After": str(seconds)},
        )


def renew_lease(run: ScanRun, *, now: datetime, by: Actor) -> RepositoryScan:
    """Lock the scan of a run and extend its lease, in the caller's transaction.

    Raises ApiError `not_found`, and `scan_over` (409) once another run has begun, or this run has
    finished.
    """
    scan = _lock(run, RepositoryScan.objects.filter(owner=by.owner))
    _extend(scan, now=now)
    return scan


def _extend(scan: RepositoryScan, *, now: datetime) -> None:
    others = RepositoryScan.objects.filter(
        owner=scan.owner_id, repository=scan.repository, leased_until__gt=now
    ).exclude(pk=scan.pk)
    if scan.leased_until is None or others.exists():
        raise _run_over_error()
    scan.leased_until = now + LEASE
    scan.save(update_fields=["leased_until"])


def _lock(run: ScanRun, scans: "QuerySet[RepositoryScan]") -> RepositoryScan:
    rows = scans.select_for_update(no_key=True)
    scan = rows.filter(pk=run.scan_id).first() if is_id("scan", run.scan_id) else None
    if scan is None:
        raise _not_found()
    if scan.run != run.run:
        raise _run_over_error()
    return scan


def _not_found() -> ApiError:
    return ApiError("not_found", "There is no such scan.", status=404)


def _run_over_error() -> ApiError:
    return ApiError("scan_over", "This run of the scan is over.", status=409)


def find(scan_id: str, *, by: Actor) -> RepositoryScan:
    """Return a scan that `by` may see; raises ApiError `not_found`."""
    visible = by.reach(RepositoryScan.objects.all())
    scan = visible.filter(pk=scan_id).first() if is_id("scan", scan_id) else None
    if scan is None:
        raise _not_found()
    return scan


def finish(
    run: ScanRun,
    *,
    is_complete: bool,
    unread: Sequence[str] = (),
    is_confirmed: bool = False,
    now: datetime,
    by: Actor,
) -> ScanEnd:
    """Remove up to MAX_REMOVED references that a complete run has not seen; repeat if some remain.

    References in `unread` files are kept. An incomplete run removes nothing. Raises ApiError
    `too_many_ended` (409), without removing anything, if several references and more than
    MAX_REMOVED_SHARE of the scan's references would be removed, unless `is_confirmed`. Afterwards,
    the run is over, unless references remain to be removed. Also raises ApiError `not_found`, and
    `scan_over` (409).
    """
    with transaction.atomic():
        scan = _lock(run, by.reach(RepositoryScan.objects.all()))
        if scan.leased_until is None:  # a repeated request: the first response was lost
            if is_complete and (scan.completed_at is None or scan.completed_at < scan.begun_at):
                raise _run_over_error()  # refused, or incomplete
            return ScanEnd(ended=0, remaining=0)
        unseen = _unseen(scan, unread, by=by) if is_complete else Reference.objects.none()
        missing = unseen.count()
        first = list(unseen.values_list("pk", flat=True)[:MAX_REMOVED])
        is_refused = missing > max(1, int(scan.known * MAX_REMOVED_SHARE)) and not is_confirmed
        if is_refused or not missing:
            _release(scan, is_complete=is_complete and not is_refused, now=now)
    if is_refused:
        raise _too_many_error(missing, scan.known)
    if not missing:
        return ScanEnd(ended=0, remaining=0)
    return _remove(run, first, more=missing - len(first), now=now, by=by)


@restartable
def _remove(
    run: ScanRun, missing: Collection[int], *, more: int, now: datetime, by: Actor
) -> ScanEnd:
    scan = _lock(run, by.reach(RepositoryScan.objects.all()))
    _extend(scan, now=now)
    unseen = ReferenceOccurrences.objects.filter(scan=scan, pk__in=missing).exclude(run=scan.run)
    keys = list(
        Reference.objects.filter(pk__in=unseen.values("pk")).values_list(
            "target_id", "object_id", "owner_id"
        )
    )
    services.unregister_all(keys, now=now)
    targets = sorted({target_id for target_id, *_ in keys})
    audit_log.write(by, "unregister", "reference", targets, now=now)
    transaction.on_commit(lambda: metrics.count("scan_references_ended", len(keys)))
    if more <= 0:
        _release(scan, is_complete=True, now=now)
    return ScanEnd(ended=len(keys), remaining=max(0, more))


def _unseen(scan: RepositoryScan, unread: Collection[str], *, by: Actor) -> "QuerySet[Reference]":
    """Return the references of the scan that the run has not seen, except those in `unread` files.

    Excludes references that the actor may not change, such as those in a team that the actor has
    left.
    """
    unseen = ReferenceOccurrences.objects.filter(scan=scan).exclude(run=scan.run)
    references = Reference.objects.filter(pk__in=unseen.values("pk"), owner=scan.owner_id)
    unread_ids = [f"{scan.repository}:{path}" for path in unread]
    return by.reach(references.exclude(object_id__in=unread_ids), to_change=True).order_by("pk")


def _release(scan: RepositoryScan, *, is_complete: bool, now: datetime) -> None:
    scan.leased_until = None
    if is_complete:
        scan.completed_at = now
    scan.save(update_fields=["leased_until", "completed_at"])


def _too_many_error(missing: int, total: int) -> ApiError:
    return ApiError(
        "too_many_ended",
        f"This would remove {missing:,} of {total:,} references, which is more than "
        f"{MAX_REMOVED_SHARE:.0%}, so nothing was removed.",
        status=409,
        details={"missing": missing, "known": total},
    )
