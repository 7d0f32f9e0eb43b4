"""Notes on targets, such as "I'm on it", with author and time: at most one for each target."""

from datetime import datetime

from django.db import transaction

from accounts import audit_log
from accounts.actors import Actor
from accounts.roles import Role
from foundation.http.errors import ApiError
from targets.models import Target, TargetNote


def may_act(target: Target, by: Actor) -> bool:
    """Return whether the actor may act on a target.

    Operators may. Other users, except viewers, may if they can change one of its references.
    """
    if by.role is Role.VIEWER:
        return False
    return by.is_operator or by.reach(target.references.all(), to_change=True).exists()


def find_note(target: Target, by: Actor) -> TargetNote | None:
    """Return the note on a target, for users who may act on it and for viewers; otherwise None."""
    if not by.sees_all and not may_act(target, by):
        return None
    return TargetNote.objects.select_related("author").filter(target=target).first()


@transaction.atomic
def write_note(target: Target, text: str, *, now: datetime, by: Actor) -> None:
    """Write or replace the note on a target; if the text is blank, delete the note.

    Stores at most TargetNote.MAX_LENGTH characters, on one line. Raises ApiError `not_found` if the
    target does not exist, or if the actor may not act on it or is not a user.
    """
    locked = Target.objects.select_for_update(no_key=True).filter(pk=target.pk).first()
    if locked is None or by.user is None or not may_act(locked, by):
        raise ApiError("not_found", "There is no such target.", status=404)
    text = " ".join(text.replace("\0", "").split())[: TargetNote.MAX_LENGTH]
    if text:
        values = {"text": text, "author": by.user, "written_at": now}
        TargetNote.objects.update_or_create(target=locked, defaults=values)
        audit_log.write(by, "change", "target", [locked.pk], now=now, fields=["note"])
    elif TargetNote.objects.filter(target=locked).delete()[0]:
        audit_log.write(by, "clear", "target", [locked.pk], now=now, fields=["note"])
