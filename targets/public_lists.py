"""Public lists created by people. Each call is one transaction.

The lists of the setting PUBLIC_LISTS, which change only at a restart, take precedence.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts import audit_log
from accounts.actors import Actor
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from targets.models import PublicList

TRACED_AS = "public list"
MAX_LISTS = 100  # per owner


def find_shown(name: str) -> PublicList | None:
    """Return the visible list of this name; a list of the setting is an unsaved object."""
    if name in settings.PUBLIC_LISTS:
        return PublicList(name=name, prefix=settings.PUBLIC_LISTS[name])
    return PublicList.objects.shown().filter(name=name).first()


def find_list(name: str, *, by: Actor, locked: bool = False) -> PublicList:
    """Return a list that `by` may see, `locked` for a change; raises ApiError `not_found`."""
    rows = PublicList.objects.all()
    if locked:
        rows = rows.select_for_update(of=("self",))
    found = by.reach(rows).select_related("owner").filter(name=name).first()
    if found is None:
        raise ApiError("not_found", "There is no such public list.", status=404)
    return found


@transaction.atomic
def create_list(fields: Mapping[str, Any], *, now: datetime, by: Actor) -> PublicList:
    """Create a public list of `by`'s references.

    `fields`: name, reference_prefix; `deployment`, for operators, for references without an owner.
    Raises ApiError `invalid`, `name_taken`, `too_many_lists`.
    """
    if fields.get("deployment") and not by.is_operator:
        message = "Only operators can list references that programs registered."
        raise ApiError("invalid", message, details={"deployment": [message]})
    owner = None if fields.get("deployment") else by.owner
    if PublicList.objects.filter(owner=owner).count() >= MAX_LISTS:
        raise ApiError(
            "too_many_lists",
            f"There are already {MAX_LISTS} public lists; delete one first.",
            status=409,
        )
    name, prefix = fields["name"], fields["reference_prefix"]
    if name in settings.PUBLIC_LISTS:
        raise _name_taken()
    made = PublicList(name=name, prefix=prefix, owner=owner, created_at=now)
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError:
        raise _name_taken() from None
    audit_log.write(by, "create", TRACED_AS, [name], now=now)
    return made


@transaction.atomic
def change_list(
    name: str,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor,
    version: int | None = None,
) -> PublicList:
    """Change which references a list has; its name is used in links and can't change.

    Raises ApiError `not_found`, and `version_mismatch` (412) unless it has this `version`.
    """
    changed = find_list(name, by=by, locked=True)
    check_version(changed.version, version)
    if "reference_prefix" in changes:
        changed.prefix = changes["reference_prefix"]
    changed.version += bool(changes)
    changed.save(update_fields=["prefix", "version"])
    audit_log.write(by, "change", TRACED_AS, [name] if changes else [], now=now, fields=changes)
    return changed


@transaction.atomic
def end_list(name: str, *, now: datetime, by: Actor) -> None:
    """End a list: its page and badge are removed immediately. Raises ApiError `not_found`."""
    ended = find_list(name, by=by, locked=True)
    audit_log.write(by, "delete", TRACED_AS, [name], now=now)
    ended.delete()


def _name_taken() -> ApiError:
    message = "There is already a public list with this name. Use another name."
    return ApiError("name_taken", message, status=409, details={"name": [message]})
