"""Public lists created by people. Each change is one transaction.

The lists in the setting PUBLIC_LISTS, which change only at a restart, take precedence.
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

AUDIT_KIND = "public list"
MAX_LISTS = 100  # per owner


def find_shown(name: str) -> PublicList | None:
    """Return the list with this name that anybody may see, or None.

    A list from PUBLIC_LISTS is an unsaved object.
    """
    if name in settings.PUBLIC_LISTS:
        return PublicList(name=name, prefix=settings.PUBLIC_LISTS[name])
    return PublicList.objects.shown().filter(name=name).first()


def find_list(name: str, *, by: Actor, lock: bool = False) -> PublicList:
    """Return a list that `by` may see, locked if `lock`; raises ApiError `not_found`."""
    rows = PublicList.objects.all()
    if lock:
        rows = rows.select_for_update(of=("self",))
    public_list = by.reach(rows).select_related("owner").filter(name=name).first()
    if public_list is None:
        raise ApiError("not_found", "There is no such public list.", status=404)
    return public_list


@transaction.atomic
def create_list(fields: Mapping[str, Any], *, now: datetime, by: Actor) -> PublicList:
    """Create a public list of the actor's references.

    `fields`: name, reference_prefix; for operators, also `deployment`, to list references without
    an owner instead. Raises ApiError `invalid`, `name_taken` (409) and `too_many_lists` (409).
    """
    if fields.get("deployment") and not by.is_operator:
        message = "Only operators can list references that programs registered."
        raise ApiError("invalid", message, details={"deployment": [message]})
    owner = None if fields.get("deployment") else by.owner
    if PublicList.objects.filter(owner=owner).count() >= MAX_LISTS:
        raise ApiError(
            "too_many_lists",
            f"{'You already have' if owner else 'There are already'} {MAX_LISTS} public lists; "
            "delete one first.",
            status=409,
        )
    name, prefix = fields["name"], fields["reference_prefix"]
    if name == "new":  # /lists/new is the page that creates lists
        message = "A public list can't be named “new”. Use another name."
        raise ApiError("invalid", message, details={"name": [message]})
    if name in settings.PUBLIC_LISTS:
        raise _name_taken()
    public_list = PublicList(name=name, prefix=prefix, owner=owner, created_at=now)
    try:
        with transaction.atomic():
            public_list.save(force_insert=True)
    except IntegrityError:
        raise _name_taken() from None
    audit_log.write(by, "create", AUDIT_KIND, [name], now=now)
    return public_list


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

    Raises ApiError `not_found`, and `version_mismatch` (412) if `version` is given and the list has
    a different one.
    """
    public_list = find_list(name, by=by, lock=True)
    check_version(public_list.version, version)
    if "reference_prefix" in changes:
        public_list.prefix = changes["reference_prefix"]
    public_list.version += bool(changes)
    public_list.save(update_fields=["prefix", "version"])
    audit_log.write(by, "change", AUDIT_KIND, [name] if changes else [], now=now, fields=changes)
    return public_list


@transaction.atomic
def delete_list(name: str, *, now: datetime, by: Actor) -> None:
    """Delete a list: its page and badge are removed immediately. Raises ApiError `not_found`."""
    public_list = find_list(name, by=by, lock=True)
    audit_log.write(by, "delete", AUDIT_KIND, [name], now=now)
    public_list.delete()


def _name_taken() -> ApiError:
    message = "There is already a public list with this name. Use another name."
    return ApiError("name_taken", message, status=409, details={"name": [message]})
