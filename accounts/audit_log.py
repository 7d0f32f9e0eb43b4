"""The audit log: who changed what, with which token, and when; written with the change."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min, QuerySet

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
    """Log one change, in the caller's transaction; does nothing without subjects.

    `action`: a verb, such as "create"; `kind`: the kind of object, such as "short link", with the
    ids of all `subjects`; `fields`: which fields changed. Changes by the deployment are not logged.
    All processes are notified on commit, but of "register" only rarely.
    """
    if not subjects:
        return
    if action == "register":  # frequent, and no page shows registrations by other people
        changes.announce_rarely_on_commit(kind)
    else:
        changes.announce_on_commit(f"{kind}:{subject}" for subject in subjects)
    if by.user is None:
        return
    [single] = subjects if len(subjects) == 1 else [""]
    who = (by.user.pk, by.user.get_username(), by.token)
    several = [] if single else sorted(set(subjects))
    values = (now, *who, action, kind, single, several, len(several) or 1, sorted(fields))
    if single:  # the usual case; bypasses the ORM, because every registration writes an entry
        rows.insert(Trace, _COLUMNS, [values])
        return
    entry = Trace.objects.create(**dict(zip(_COLUMNS, values, strict=True)))
    rows.insert(TracedThing, ("subject", "trace_id"), [(subject, entry.pk) for subject in several])


def entries_about(kind: str, subject: str, *kinds: str) -> QuerySet[Trace]:
    """Return the entries about an object, newest first, including those about several objects.

    `kinds`: other kinds under which changes of the same subject are logged.
    """
    entries = Trace.objects.filter(kind__in=(kind, *kinds))
    single = entries.filter(subject=subject).values("pk")
    with_subject = TracedThing.objects.filter(subject=subject).values("trace")
    several = entries.filter(pk__in=with_subject).values("pk")
    # A union, because no index helps with both conditions joined by OR.
    return Trace.objects.filter(pk__in=single.union(several)).order_by("-at", "-pk")


def visible_to(actor: Actor, entries: QuerySet[Trace]) -> QuerySet[Trace]:
    """Return the entries that the actor may see: all, or its own."""
    return entries if actor.sees_all else entries.filter(user=actor.user)


def entries_by(user: User, *, user_name: str = "") -> QuerySet[Trace]:
    """Return the entries of a user's actions under the current or this username, newest first."""
    name = user_name or user.get_username()
    entries = Trace.objects.filter(user=user, user_name=name)  # the indexed column
    return entries.order_by("-at", "-pk")


def user_names(user: User) -> list[str]:
    """Return the usernames under which a user's actions were logged, the first one first.

    Reads the whole audit log, which has no index for this.
    """
    entries = Trace.objects.filter(user=user).order_by()
    named = entries.values_list("user_name").annotate(first=Min("at")).order_by("first")
    return [name for name, _ in named]


def delete_old(before: datetime, *, limit: int) -> int:
    """Delete up to `limit` entries older than `before`, the oldest first; return how many."""
    oldest = Trace.objects.filter(at__lt=before).order_by("at").values_list("pk", "subjects")
    subjects_by_pk = dict(oldest[:limit])
    for pk, subjects in subjects_by_pk.items():
        if subjects:  # uses the index that begins with the subject
            TracedThing.objects.filter(trace=pk, subject__among=subjects).delete()
    Trace.objects.filter(pk__in=list(subjects_by_pk)).delete()
    return len(subjects_by_pk)
