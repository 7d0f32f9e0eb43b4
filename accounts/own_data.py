"""Everything that an account owns, as one JSON document, streamed a page of rows at a time."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder

from accounts import audit_log, rights, tokens
from accounts.time_zones import own_zone
from foundation.app import OwnedRows
from foundation.database.paging import in_pages

# Minimum characters of a piece, because it is slow to pass a piece from a thread to the event loop.
_MIN_PIECE_LENGTH = 64 * 1024


def pieces(user: User, *, now: datetime) -> Iterator[str]:
    """Yield the document: the account itself, then a list for each kind of object."""
    piece = f'{{"exported_at": {_json(now)}, "account": {_json(_account(user))}'
    for name, rows in _kinds(user):
        piece += f", {_json(name)}: ["
        for number, row in enumerate(rows):
            piece += f"{', ' if number else ''}{_json(row)}"
            if len(piece) > _MIN_PIECE_LENGTH:
                yield piece
                piece = ""
        piece += "]"
    yield piece + "}\n"


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _kinds(user: User) -> Iterator[OwnedRows]:
    yield "tokens", map(_token, tokens.tokens_of(user))
    yield "audit_log", map(_audit_entry, _own_entries(user))
    for app in rights.our_apps():
        yield from app.export_owned(user.pk)


def _own_entries(user: User) -> Iterator[Any]:
    for name in audit_log.user_names(user):
        yield from in_pages(audit_log.entries_by(user, user_name=name), order_by="at")


def _account(user: User) -> dict[str, Any]:
    return {
        "username": user.get_username(),
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "date_joined": user.date_joined,
        "last_login": user.last_login,
        "role": rights.role_of(user),
        "teams": list(user.teams.order_by("name").values_list("name", flat=True)),
        "time_zone": own_zone(user),
        "sign_in_by": list(user.socialaccount_set.values("provider", "uid")),  # type: ignore[attr-defined]
    }


def _token(token: Any) -> dict[str, Any]:
    terms = getattr(token, "terms", None)
    return {
        "name": terms.name if terms else "",
        "scope": terms.scope if terms else "",
        "bounds": terms.bounds if terms else None,
        "begins_with": tokens.audit_name(token),
        "created": token.created,
        "expiry": token.expiry,
        "last_used_at": terms.last_used_at if terms else None,
    }


def _audit_entry(entry: Any) -> dict[str, Any]:
    return {
        "at": entry.at,
        "action": entry.action,
        "kind": entry.kind,
        "subjects": [entry.subject] if entry.subject else entry.subjects,
        "fields": entry.fields,
        "token": entry.token,
    }
