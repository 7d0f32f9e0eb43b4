"""Deletion of an account by its owner: the account is closed, emptied and deleted (ADR 68)."""

import time
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import PROTECT, Exists, ManyToOneRel, OuterRef, ProtectedError
from knox.models import AuthToken

from accounts import audit_log, rights
from accounts.actors import Actor
from accounts.models import AccountDeletion
from foundation.http.errors import ApiError
from foundation.shutdown import stop_requested

BATCH_SIZE = 500  # objects in one transaction
_MAX_RUN_TIME = timedelta(seconds=60)  # per run, because tasks have a time limit


def count_owned(users: Collection[User]) -> Iterator[tuple[int, str]]:
    """Yield number and kind of the objects that prevent the deletion of these accounts."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.on_delete is PROTECT:
            model: Any = relation.related_model
            count = model.objects.filter(**{f"{relation.field.name}__in": users}).count()
            if count:
                name = model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural
                yield count, str(name)


@transaction.atomic
def request(user: User, *, now: datetime) -> None:
    """Close an account and schedule its deletion; its sessions and tokens end.

    Raises ApiError `last_operator`.
    """
    list(rights.active_operators().select_for_update().order_by("pk"))  # one at a time
    locked = User.objects.select_for_update().get(pk=user.pk)
    if rights.is_last_operator(locked):
        raise ApiError("last_operator", rights.LAST_OPERATOR, status=409)
    AccountDeletion.objects.get_or_create(pk=locked.pk, defaults={"requested_at": now})
    locked.is_active = False
    locked.save(update_fields=["is_active"])
    AuthToken.objects.filter(user=locked).delete()
    audit_log.write(Actor(locked), "delete", "account", [locked.get_username()], now=now)


def withdraw(user_id: int) -> None:
    """Withdraw a request for deletion, because an operator has reopened the account.

    The caller has locked the account in its transaction.
    """
    AccountDeletion.objects.filter(pk=user_id).delete()


def carry_out(*, now: datetime) -> int:
    """Delete the accounts whose deletion was requested, with what they own; return how many.

    Each batch is a transaction, and a run ends after _MAX_RUN_TIME: the next run continues. Runs
    may overlap. An account that an operator has reopened is kept, with its remaining objects.
    """
    deadline, deleted = time.monotonic() + _MAX_RUN_TIME.total_seconds(), 0
    reopened = User.objects.filter(pk=OuterRef("pk"), is_active=True)
    AccountDeletion.objects.filter(Exists(reopened)).delete()
    for user_id in list(
        AccountDeletion.objects.order_by("requested_at").values_list("pk", flat=True)
    ):
        if not _delete_owned(user_id, deadline=deadline, now=now):
            break
        deleted += delete_if_empty(user_id)
    return deleted


def _delete_owned(user_id: int, *, deadline: float, now: datetime) -> bool:
    """Delete what an account owns; return False if time is up or the process stops.

    Apps of higher layers come first, because links refer to targets. If the account is reopened or
    the request withdrawn, deletes nothing more and returns True.
    """
    requested = AccountDeletion.objects.filter(pk=user_id)
    reopened = User.objects.filter(pk=user_id, is_active=True)
    for app in reversed(rights.our_apps()):
        while requested.exists() and not reopened.exists():
            if not app.delete_owned(user_id, now=now, limit=BATCH_SIZE):
                break
            if stop_requested() or time.monotonic() > deadline:
                return False
    return True


def delete_if_empty(user_id: int) -> bool:
    """Delete a closed account that owns nothing, and the request for its deletion.

    Returns False if the account is open or owns something, or if the request was withdrawn.
    """
    try:
        with transaction.atomic():
            list(User.objects.select_for_update().filter(pk=user_id))
            if not AccountDeletion.objects.filter(pk=user_id).exists():
                return False
            User.objects.filter(pk=user_id, is_active=False).delete()
            if User.objects.filter(pk=user_id).exists():
                return False
            # If a process of 0.2.0 deleted the account, its request remains.
            AccountDeletion.objects.filter(pk=user_id).delete()
    except (ProtectedError, IntegrityError):  # a concurrent request created an object
        return False
    return True
