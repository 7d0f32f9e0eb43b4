"""Idempotency-Key: a repeated create request is not run again, and gets the same body.

Source: docs/requirements.md#registry-idempotency; details in docs/adr/0002-idempotency-keys.md.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from rest_framework.request import Request
from rest_framework.response import Response

from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.models import IdempotencyKey

MAX_KEY_LENGTH = 255
MAX_PATH_LENGTH = 255


class IdempotentAnswer(NamedTuple):
    """The result of a create request: HTTP status, JSON-serializable body, path of the object."""

    status: int
    body: Any
    location: str | None = None

    def response(self) -> Response:
        """Return the result as a response, with `Location` only for a 201."""
        headers = {"Location": self.location} if self.location and self.status == 201 else None
        return Response(self.body, status=self.status, headers=headers)


@restartable
def create_once(
    request: Request, create: Callable[[], IdempotentAnswer], *, now: datetime
) -> Response:
    """Return the response from `create`, or a replay of its first run under this Idempotency-Key.

    A replay has the same body, but the status 200 and no `Location`. The key's row and the writes
    of `create` are one transaction: a concurrent second request waits for the first and then
    replays it; a failed create leaves no key. Raises ApiError `invalid_idempotency_key` (400) or
    `idempotency_key_reused` (422), and the errors of `create`.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return create().response()
    if not request.user.is_authenticated:
        raise ApiError("invalid_idempotency_key", "Sign in to use Idempotency-Key.")
    if not (0 < len(key) <= MAX_KEY_LENGTH and key.isprintable()):
        raise ApiError(
            "invalid_idempotency_key",
            f"Idempotency-Key must have 1 to {MAX_KEY_LENGTH} printable characters.",
        )
    fingerprint = hashlib.sha256(json.dumps(request.data, sort_keys=True).encode()).hexdigest()
    identity = {"principal": request.user, "path": _stored_path(request.path), "key": key}
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(**identity, fingerprint=fingerprint, created_at=now)
    except IntegrityError:
        return _replay(IdempotencyKey.objects.get(**identity), fingerprint)
    answer = create()
    row.body = json.dumps(answer.body)
    row.save(update_fields=["body"])
    return answer.response()


def _stored_path(path: str) -> str:
    """Return a path as it is stored: a hash if the path is too long or not printable."""
    if len(path) <= MAX_PATH_LENGTH and path.isprintable():
        return path
    return f"sha256:{hashlib.sha256(path.encode()).hexdigest()}"


def _replay(row: IdempotencyKey, fingerprint: str) -> Response:
    if row.fingerprint != fingerprint:
        raise ApiError(
            "idempotency_key_reused",
            "This Idempotency-Key has already been used with a different body.",
            status=422,
        )
    return Response(json.loads(row.body), status=200, headers={"Idempotency-Replayed": "true"})


def delete_old_keys(before: datetime) -> int:
    """Delete the keys first used before `before`; return how many."""
    return delete_in_batches(IdempotencyKey.objects.filter(created_at__lt=before))
