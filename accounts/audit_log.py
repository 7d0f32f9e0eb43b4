"""Traces: who changed what, by what token, and when. Written with the change, or not at all."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from accounts.actors import Actor
from accounts.models import Trace, TracedThing
from foundation.database import rows
from foundation.valkey import changes

_COLUMNS = (
    *("at", "user_id", "user_name", "token"),
    *("action", "kind", "subject", "subjects", "amount", "fields"),
)


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
    `subjects`; `fields`: which of theirs were changed. The deployment leaves no traces. On commit
    every process gets the change.
    """
    if not subjects:
        return
    if action == "register":  # of which there are many, and no page shows those of others
        changes.tell_seldom_on_commit(kind)
    else:
        changes.tell_on_commit(f"{kind}:{subject}" for subject in subjects)
    if by.user is None:
        return
    [only] = subjects if len(subjects) == 1 else [""]
    who = (by.user.pk, by.user.get_username(), by.token)
    several = [] if only else sorted(set(subjects))
    values = (now, *who, action, kind, only, several, len(several) or 1, sorted(fields))
    if only:  # as most are: past the ORM, for this is on the way of each registration
        rows.insert(Trace, _COLUMNS, [values])
        return
    trace = Trace.objects.create(**dict(zip(_COLUMNS, values, strict=True)))
    rows.insert(TracedThing, ("subject", "trace_id"), [(one, trace.pk) for one in several])


def of(kind: str, subject: str, *kinds: str) -> QuerySet[Trace]:
    """Return the traces of one thing, the newest first: those of its own, and those of many.

    `kinds`: under which else its changes are written, by the same subject.
    """
    known = Trace.objects.filter(kind__in=(kind, *kinds))
    alone = known.filter(subject=subject).values("pk")
    many = TracedThing.objects.filter(subject=subject).values("trace")
    among = known.filter(pk__in=many).values("pk")
    # A union, for no index would help to find what is one or the other.
    return Trace.objects.filter(pk__in=alone.union(among)).order_by("-at", "-pk")


def seen_by(by: Actor, found: QuerySet[Trace]) -> QuerySet[Trace]:
    """Return those of these traces that somebody may see: all, or what it did itself."""
    return found if by.sees_all else found.filter(user=by.user)


def left_by(user: User) -> QuerySet[Trace]:
    """Return the traces of what a user did, the newest first."""
    found = Trace.objects.filter(user=user, user_name=user.get_username())  # whose index it is
    return found.order_by("-at", "-pk")


def delete_old(before: datetime, *, limit: int) -> int:
    """Delete up to `limit` traces from before that; returns how many."""
    oldest = Trace.objects.filter(at__lt=before).order_by("at").values_list("pk", "subjects")
    found = dict(oldest[:limit])
    for pk, subjects in found.items():
        if subjects:  # by their index: it begins with the subject
            TracedThing.objects.filter(trace=pk, subject__among=subjects).delete()
    Trace.objects.filter(pk__in=list(found)).delete()
    return len(found)
