"""Notes on targets: "I'm on it", with author and time, one note for each target."""

from datetime import datetime

from django.db import transaction

from accounts import audit_log
from accounts.actors import Actor
from accounts.roles import Role
from foundation.http.errors import ApiError
from targets.models import Target, TargetNote


def may_act(target: Target, by: Actor) -> bool:
    """Return whether the actor may act on a target.

    Operators may, as may users who may change a reference.
    """
    if by.role is Role.VIEWER:
        return False
    return by.is_operator or by.reach(target.references.all(), to_change=True).exists()


def find_note(target: Target, by: Actor) -> TargetNote | None:
    """Return the note on a target, for users who may act on it, and for viewers."""
    if not by.sees_all and not may_act(target, by):
        return None
    return TargetNote.objects.select_related("author").filter(target=target).first()


@transaction.atomic
def write_note(target: Target, text: str, *, now: datetime, by: Actor) -> None:
    """Write the note on a target, replacing any other; without a text, delete it.

    Raises ApiError `not_found` if the target does not exist or the actor may not act on it.
    """
    locked = Target.objects.select_for_update(no_key=True).filter(pk=target.pk).first()
    if locked is None or by.user is None or not may_act(locked, by):
        raise ApiError("not_found", "There is no such target.", status=404)
    text = " ".join(text.replace("\0", "").split())[: TargetNote.LENGTH]
    if text:
        values = {"text": text, "author": by.user, "written_at": now}
        TargetNote.objects.update_or_create(target=locked, defaults=values)
        audit_log.write(by, "change", "target", [locked.pk], now=now, fields=["note"])
    elif TargetNote.objects.filter(target=locked).delete()[0]:
        audit_log.write(by, "clear", "target", [locked.pk], now=now, fields=["note"])
