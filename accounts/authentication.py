"""Authentication by API token or session, before the body of a request is read."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, parse_cookie
from django.utils import timezone
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.token_use import check_scope, note_use
from foundation.database import rows
from foundation.models import TokenTerms

# `select_related` would build this statement anew for each request.
_MODELS = (AuthToken, User, TokenTerms)
_FIND = """\
SELECT {columns} FROM knox_authtoken
JOIN auth_user ON auth_user.id = knox_authtoken.user_id
LEFT JOIN lib_tokenterms ON lib_tokenterms.token_id = knox_authtoken.digest
WHERE knox_authtoken.digest = %(digest)s
"""


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """`Authorization: Token <key>`, with one query; expired tokens are refused, not deleted.

    `is_optional`: on public pages, a token that is invalid or lacks the scope is ignored.
    """

    def __init__(self, *, is_optional: bool = False) -> None:
        self.is_optional = is_optional

    def authenticate(self, request: Request) -> Any:
        """Return user and token, or None without a token.

        Raises AuthenticationFailed, or PermissionDenied for a request outside the token's scope.
        """
        try:
            credentials = super().authenticate(request)
            if credentials is not None:
                package = type(request.parser_context["view"]).__module__.partition(".")[0]
                _use(credentials[1], method=request.method or "", package=package)
        except (AuthenticationFailed, PermissionDenied):
            if self.is_optional:
                return None
            raise
        return credentials

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return user and token; raises AuthenticationFailed, including for non-text bytes."""
        try:
            digest = hash_token(token.decode())
        except ValueError:
            raise AuthenticationFailed("Invalid token.") from None
        token_row = _find(digest)
        if token_row is None or (token_row.expiry and token_row.expiry <= timezone.now()):
            raise AuthenticationFailed("Invalid token.")
        return self.validate_user(token_row)


class BearerAuthentication(TokenAuthentication):
    """`Authorization: Bearer <key>`, for a view that checks the token's scope itself."""

    def authenticate(self, request: Request) -> Any:
        """Return user and token, or None without a token. Raises AuthenticationFailed."""
        credentials = KnoxTokenAuthentication.authenticate(self, request)
        if credentials is not None:
            note_use(credentials[1], now=timezone.now())
        return credentials

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme."""
        return "Bearer"


def _find(digest: str) -> Any:
    """Return the token with this digest, with its user and terms, or None."""
    found = rows.select_instances(_MODELS, _FIND, {"digest": digest})
    if not found:
        return None
    [(token, user, terms)] = found
    for name, related in (("user", user), ("terms", terms)):
        AuthToken._meta.get_field(name).set_cached_value(token, related)
    return token


def _use(token: Any, *, method: str, package: str) -> None:
    """Check a token's scope for a route of this package, and note its use."""
    check_scope(getattr(token, "terms", None), method=method, package=package)
    note_use(token, now=timezone.now())


def sender_of_read(headers: Iterable[tuple[bytes, bytes]], *, package: str) -> tuple[Any, Any]:
    """Return user and token of a GET with these headers to a route of this package.

    Ignores an invalid token. Without valid credentials, the user is AnonymousUser. For a session,
    the token is None. For requests handled before they reach Django. Queries the database.
    """
    by_name = dict(headers)
    scheme, _, text = by_name.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"token":
        with suppress(AuthenticationFailed, PermissionDenied):
            user, token = TokenAuthentication().authenticate_credentials(text.strip())
            _use(token, method="GET", package=package)
            return user, token
    return user_of_cookies(by_name.get(b"cookie", b"").decode("latin-1")), None


def has_valid_credentials(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether there is a valid token or, without a token, the session of an active user.

    Queries the database. The view checks rights.
    """
    by_name = dict(headers)
    scheme, _, token = by_name.get(b"authorization", b"").partition(b" ")
    if scheme.lower() in (b"token", b"bearer"):
        try:
            return TokenAuthentication().authenticate_credentials(token.strip()) is not None
        except AuthenticationFailed:
            return False
    return bool(user_of_cookies(by_name.get(b"cookie", b"").decode("latin-1")).is_active)


def user_of_cookies(cookies: str) -> Any:
    """Return the user of the session that this Cookie header names, or Django's AnonymousUser."""
    return user_of_session(parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME))


def user_of_session(key: str | None) -> Any:
    """Return the user of the session with this key, or Django's AnonymousUser."""
    request = HttpRequest()
    request.session = _Session(key)
    return get_user(request)


class _Session(SessionStore):
    """A read-only session: no response here can set a new cookie."""

    key_salt = "django.contrib.sessions.SessionStore"  # the salt of Django's session signatures

    def cycle_key(self) -> None:
        """Keep the key, even after a change of SECRET_KEY, so that the client stays signed in."""
