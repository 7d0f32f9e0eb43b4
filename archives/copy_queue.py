"""The queue of dead targets whose pages are looked up in archives."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from archives.copy_search import FoundCopy
from archives.disclosure import may_be_disclosed
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.transactions import restartable
from foundation.ids import raw_id
from foundation.valkey import changes, metrics
from outbox.event_kinds import EventKind
from targets import event_payload
from targets.canonical import url_to_fetch
from targets.copies import copy_json
from targets.models import CopyResult, Target, TargetCopy
from targets.public_targets import seen_by_all
from targets.state import State

_BATCH_SIZE = 1000  # targets that one call adds
_MAX_CANDIDATES = 20  # due targets to try: other processes may claim some of them
_LEASE = timedelta(minutes=10)  # after which the claim of a killed process expires
_MAX_PAUSE = timedelta(days=180)
# The first pause until archives are queried again, and its factor after each query.
_PAUSES = {
    CopyResult.UNAVAILABLE: (timedelta(hours=1), 4),
    CopyResult.NONE: (timedelta(days=7), 3),
    CopyResult.POSSIBLE: (timedelta(days=30), 3),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedCopy:
    """A target for which only this process queries archives until the claim expires."""

    copy: TargetCopy
    target: Target
    until: datetime


def add_dead(*, now: datetime) -> int:
    """Queue dead public targets that are not queued yet, the latest deaths first.

    Returns how many, at most _BATCH_SIZE. May run concurrently.
    """
    queued = TargetCopy.objects.filter(target=OuterRef("pk"))
    dead = seen_by_all(Target.objects.filter(~Exists(queued), state=State.DEAD))
    newest = dead.order_by("-state_changed_at", "-id")
    columns = ("pk", "url", "first_failed_at", "state_changed_at")
    rows = [
        TargetCopy(
            target_id=pk,
            before=first_failed_at or changed_at,
            # The newest deaths come first. Targets that must not be disclosed get a row
            # without a time.
            ask_again_at=min(changed_at, now) if may_be_disclosed(url_to_fetch(url)) else None,
        )
        for pk, url, first_failed_at, changed_at in newest.values_list(*columns)[:_BATCH_SIZE]
    ]
    TargetCopy.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def delete_obsolete() -> int:
    """Delete the rows of targets that are alive again, or that an older release deleted.

    Returns how many.
    """
    target = Target.objects.filter(pk=OuterRef("target_id"))
    obsolete = Q(Exists(target.filter(state=State.ALIVE))) | ~Q(Exists(target))
    return delete_in_batches(TargetCopy.objects.filter(obsolete))


def claim(*, now: datetime) -> ClaimedCopy | None:
    """Claim and return the due target that died last.

    Returns None if none of the first _MAX_CANDIDATES can be claimed. Deletes the rows of targets
    that are alive again or no longer public.
    """
    due = TargetCopy.objects.filter(ask_again_at__lte=now).order_by("-ask_again_at", "-pk")
    until = now + _LEASE
    for copy in due[:_MAX_CANDIDATES]:
        if not _unless_changed(copy, copy.ask_again_at).update(ask_again_at=until):
            continue  # another process has claimed it
        target = seen_by_all(Target.objects.filter(pk=copy.target_id, state=State.DEAD)).first()
        if target is not None:
            return ClaimedCopy(copy=copy, target=target, until=until)
        _unless_changed(copy, until).delete()  # alive again, or no longer public
    return None


def give_back(claimed: ClaimedCopy) -> None:
    """Make the target due again, at the same time as before the claim."""
    _unless_changed(claimed.copy, claimed.until).update(ask_again_at=claimed.copy.ask_again_at)


def _unless_changed(copy: TargetCopy, ask_again_at: datetime | None) -> QuerySet[TargetCopy]:
    """Return the row of a copy, unless another process has changed its `ask_again_at`."""
    return TargetCopy.objects.filter(pk=copy.pk, ask_again_at=ask_again_at)


@restartable
def save(claimed: ClaimedCopy, found_copy: FoundCopy, *, now: datetime) -> bool:
    """Store the result of a search, and write an event if there is a new copy.

    Returns whether there is one: a copy whose URL or result differs from the stored one. Nothing is
    stored if the target is no longer dead or the claim has expired.
    """
    copy = claimed.copy
    columns = _columns(claimed, found_copy, now=now)
    target = Target.objects.filter(pk=copy.target_id, state=State.DEAD).first()
    if target is None or not _unless_changed(copy, claimed.until).update(**columns):
        return False
    capture = found_copy.capture
    if capture is None or (capture.url, found_copy.result.value) == (copy.address, copy.result):
        return False
    event = replace(
        event_payload.manual_change(target, previous=target.state),
        kind=EventKind.ARCHIVED,
        at=now,
        copy=copy_json(TargetCopy(**columns)),
    )
    event_payload.write_transitions([event])
    changes.announce_on_commit([raw_id("target", target.id).hex])
    metrics.count("copies_found")
    return True


def _columns(claimed: ClaimedCopy, found_copy: FoundCopy, *, now: datetime) -> dict[str, Any]:
    copy = claimed.copy
    keeps_earlier_copy = found_copy.capture is None and copy.address
    result = CopyResult(copy.result) if keeps_earlier_copy else found_copy.result
    attempts = copy.attempts + 1 if result == copy.result else 1
    # Without a stored identity, no copy can ever be verified.
    may_improve = found_copy.result is not CopyResult.POSSIBLE or claimed.target.identity
    plan = _PAUSES.get(found_copy.result) if may_improve else None
    pause = min(plan[0] * plan[1] ** min(attempts - 1, 10), _MAX_PAUSE) if plan else None
    columns: dict[str, Any] = {
        "result": result.value,
        "asked_at": now,
        "ask_again_at": None if pause is None else now + pause,
        "attempts": attempts,
    }
    if found_copy.capture is not None:
        columns |= {
            "archive": found_copy.archive,
            "address": found_copy.capture.url,
            "captured_at": found_copy.capture.at,
        }
    return columns
