"""The scope of tokens, and when each was last used."""

import time
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from rest_framework.exceptions import PermissionDenied

from foundation import scopes
from foundation.database.thread_pool import submit
from foundation.models import TokenTerms

_DESCRIPTION_PACKAGES = {"drf_spectacular", "foundation"}  # packages with views about the API
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_MINUTE = timedelta(minutes=1)
_MAX_NOTED = 10_000  # tokens that one process remembers

_noted: dict[str, float] = {}  # when this process last recorded the use of a token, by digest


def check_scope(terms: TokenTerms | None, *, method: str, package: str) -> None:
    """Raise PermissionDenied for a request outside the token's scope.

    `package` contains the route's view. The caller checks the user's rights.
    """
    if terms is None or terms.scope == scopes.WRITE or package in _DESCRIPTION_PACKAGES:
        return
    if terms.scope == scopes.READ:
        if method in _SAFE_METHODS:
            return
        sentence = "This token is read-only."
    elif scopes.BY_PACKAGE.get(package) == terms.scope:
        return
    else:
        allowed = terms.scope_label.removeprefix("Only ")
        sentence = f"This token can only be used for {allowed}."
    raise PermissionDenied(sentence)


def note_use(token: Any, *, now: datetime) -> None:
    """Record that the token was used, at most once a minute.

    A separate thread writes, so that requests neither wait for the write nor fail if it fails.
    """
    terms = getattr(token, "terms", None)
    if terms is None or (terms.last_used_at and now - terms.last_used_at < _MINUTE):
        return
    monotonic_now = time.monotonic()
    if monotonic_now - _noted.get(token.pk, float("-inf")) < _MINUTE.total_seconds():
        return
    if len(_noted) >= _MAX_NOTED:
        _noted.clear()
    _noted[token.pk] = monotonic_now
    submit(lambda: write_use(token.pk, before=now - _MINUTE))


def write_use(digest: str, *, before: datetime) -> None:
    """Record the time of use, unless another process has done so since `before`."""
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=before)
    TokenTerms.objects.filter(stale, token=digest).update(last_used_at=Now())
