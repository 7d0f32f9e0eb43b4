"""API tokens and sessions: knox's tokens, and whom a request is from before its body is read."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """`Authorization: Token <key>`, in one statement."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return user and token; raises AuthenticationFailed, also for what is no text at all."""
        try:
            return super().authenticate_credentials(token)
        except ValueError:
            raise AuthenticationFailed("Invalid token.") from None

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Delete this token if it has expired, and with it others of its user; tell whether it has.

        Ours have no end. knox would look through all of the user's for such at each request.
        """
        return auth_token.expiry is not None and bool(super()._cleanup_token(auth_token))


def knows_sender(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Tell whether these headers bring a valid token, or the session of an active user.

    Asks the database. Rights are not judged: that is the view's matter.
    """
    found = dict(headers)
    scheme, _, token = found.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"token":
        try:
            return TokenAuthentication().authenticate_credentials(token.strip()) is not None
        except AuthenticationFailed:
            return False
    return bool(session_user(found.get(b"cookie", b"").decode("latin-1")).is_active)


def session_user(cookies: str) -> Any:
    """Return the user of the session that this Cookie header names, or Django's AnonymousUser."""
    request = HttpRequest()
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return get_user(request)
