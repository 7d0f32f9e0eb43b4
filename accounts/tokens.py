"""API tokens: created and revoked by their users and by operators."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from knox.models import AuthToken
from knox.settings import CONSTANTS

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from foundation import scopes, token_bounds
from foundation.http.errors import ApiError
from foundation.models import TokenTerms

MAX_TOKENS = 100  # per user
PREFIX_LENGTH = 8  # characters of a token that lists show


def tokens_of(user: User) -> QuerySet[Any]:
    """Return the tokens of a user with their terms, newest first."""
    tokens: QuerySet[Any] = AuthToken.objects.filter(user=user)
    return tokens.select_related("terms").order_by("-created", "digest")


@transaction.atomic
def create(
    user: User,
    *,
    name: str = "",
    scope: str = scopes.WRITE,
    lifetime: timedelta | None = None,
    bounds: Collection[str] = (),
    by: Actor = DEPLOYMENT,
) -> str:
    """Create and return a token; it can't be shown again. Without `lifetime`, it never expires.

    With `bounds` (`foundation.token_bounds`), the token may only look up URLs within them.
    Raises ApiError `user_inactive`, `too_many_tokens` (409), or `invalid_bounds` for invalid bounds
    or a scope that can't have any.
    """
    normalized = _bounds(bounds, scope=scope)
    if not user.is_active:
        raise ApiError("user_inactive", f"{user} is not active, so a token would not work.")
    if tokens_of(user).count() >= MAX_TOKENS:
        raise ApiError(
            "too_many_tokens",
            f"{'You already have' if by.user == user else f'{user} already has'} {MAX_TOKENS} "
            "tokens. Revoke one first.",
            status=409,
        )
    token, text = AuthToken.objects.create(user=user, expiry=lifetime)
    TokenTerms.objects.create(token=token, name=name, scope=scope, bounds=normalized)
    fields = ["bounds"] if normalized else []
    audit_log.write(by, "create", "token", [audit_name(token)], now=token.created, fields=fields)
    return str(text)


def _bounds(bounds: Collection[str], *, scope: str) -> list[str] | None:
    """Return the bounds of a token of this scope in their stored form; None for no bounds.

    Raises ApiError `invalid_bounds`.
    """
    if not bounds:
        return None
    if scope not in scopes.BINDABLE:
        labels = (scopes.LABELS[scope].removeprefix("Only ") for scope in sorted(scopes.BINDABLE))
        sentence = f"Only tokens for {' or '.join(labels)} can be limited to hosts or URLs."
        raise ApiError("invalid_bounds", sentence)
    try:
        return token_bounds.normalize(bounds)
    except ValueError as error:
        raise ApiError("invalid_bounds", str(error)) from None


def audit_name(token: Any) -> str:
    """Return the name of a token in audit entries: its first characters."""
    return str(token.token_key[:PREFIX_LENGTH])


@transaction.atomic
def revoke(tokens: QuerySet[Any], prefix: str, *, now: datetime, by: Actor = DEPLOYMENT) -> bool:
    """Revoke the only token that begins with `prefix`; return False if there is not exactly one, or
    if `prefix` has fewer than PREFIX_LENGTH characters.

    If the prefix is longer, such as a whole token, only the characters that the database has count.
    """
    if len(prefix) < PREFIX_LENGTH or not prefix.isalnum():
        return False
    known = prefix[: CONSTANTS.TOKEN_KEY_LENGTH]
    matches = list(tokens.filter(token_key__startswith=known)[:2])
    if len(matches) != 1:
        return False
    matches[0].delete()
    audit_log.write(by, "revoke", "token", [audit_name(matches[0])], now=now)
    return True


@transaction.atomic
def revoke_all(user: User, *, now: datetime) -> int:
    """Revoke all tokens of a user, on the user's behalf; return how many."""
    revoked = list(tokens_of(user))
    tokens_of(user).delete()
    audit_log.write(
        Actor(user), "revoke", "token", [audit_name(token) for token in revoked], now=now
    )
    return len(revoked)


def has_expired(token: Any, *, now: datetime) -> bool:
    return token.expiry is not None and token.expiry <= now
