"""Invitations: created by operators, accepted once, before they expire."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from accounts import audit_log, rights
from accounts.actors import Actor
from accounts.models import Invitation
from accounts.roles import Role
from foundation.http.errors import ApiError

LIFETIME = timedelta(days=7)


@transaction.atomic
def invite(*, role: Role, email: str, by: Actor, now: datetime) -> tuple[Invitation, str]:
    """Create an invitation; return it and its secret, which cannot be shown again."""
    secret = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        role=role,
        email=email,
        secret_hash=_hash(secret),
        invited_by=by.user,
        created_at=now,
        expires_at=now + LIFETIME,
    )
    audit_log.write(by, "create", "invitation", [str(invitation.pk)], now=now)
    return invitation, secret


def find(secret: str, *, now: datetime) -> Invitation:
    """Return the invitation with this secret; raises ApiError (404) unless it is still open."""
    invitation = Invitation.objects.open(now).filter(secret_hash=_hash(secret)).first()
    if invitation is None:
        raise _closed_error()
    return invitation


def _closed_error() -> ApiError:
    return ApiError(
        "invitation_closed",
        "This invitation has expired or has already been used or withdrawn, or the link is "
        "incomplete. Please ask for a new one.",
        status=404,
    )


@transaction.atomic
def accept(secret: str, user: User, *, now: datetime) -> User:
    """Save the new user with the invitation's role; of several concurrent calls, one succeeds.

    Raises ApiError (404) for an invitation that is not open.
    """
    invitation = find(secret, now=now)
    if not Invitation.objects.open(now).filter(pk=invitation.pk).update(accepted_at=now):
        raise _closed_error()  # another request was faster
    user.email = user.email or invitation.email
    user.save()
    rights.assign(user, Role(invitation.role))
    Invitation.objects.filter(pk=invitation.pk).update(accepted_by=user)
    audit_log.write(Actor(user), "accept", "invitation", [str(invitation.pk)], now=now)
    return user


@transaction.atomic
def withdraw(pk: int, *, by: Actor, now: datetime) -> bool:
    """Delete an open invitation; return whether there was one."""
    if not Invitation.objects.open(now).filter(pk=pk).delete()[0]:
        return False
    audit_log.write(by, "withdraw", "invitation", [str(pk)], now=now)
    return True


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
