"""Traces: who changed what, by what token, and when. Written with the change, or not at all."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.actors import Actor
from accounts.models import Trace, TracedThing


def write(
    by: Actor,
    action: str,
    kind: str,
    subjects: Collection[str],
    *,
    now: datetime,
    fields: Collection[str] = (),
) -> None:
    """Write down one change, as a part of the caller's transaction; of no subjects nothing.

    `action`: a verb, such as "create"; `kind`: of what, such as "short link", with the ids of all
    `subjects`; `fields`: which of theirs were changed. The deployment leaves no traces.
    """
    if by.user is None or not subjects:
        return
    [only] = subjects if len(subjects) == 1 else [""]
    trace = Trace.objects.create(
        at=now,
        user=by.user,
        user_name=by.user.get_username(),
        token=by.token,
        action=action,
        kind=kind,
        subject=only,
        amount=len(subjects),
        fields=sorted(fields),
    )
    if not only:
        TracedThing.objects.bulk_create(
            TracedThing(trace=trace, kind=kind, subject=subject) for subject in subjects
        )


def of(kind: str, subject: str) -> QuerySet[Trace]:
    """Return the traces of one thing, the newest first: those of its own, and those of many."""
    among = TracedThing.objects.filter(kind=kind, subject=subject).values("trace")
    found = Trace.objects.filter(Q(kind=kind, subject=subject) | Q(pk__in=among))
    return found.order_by("-at", "-pk")


def delete_old(before: datetime, *, limit: int) -> int:
    """Delete up to `limit` traces from before that; returns how many."""
    oldest = Trace.objects.filter(at__lt=before).order_by("at").values_list("pk", flat=True)
    found = list(oldest[:limit])
    TracedThing.objects.filter(trace__in=found).delete()
    Trace.objects.filter(pk__in=found).delete()
    return len(found)
