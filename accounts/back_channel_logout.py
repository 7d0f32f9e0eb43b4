"""OpenID Connect Back-Channel Logout: the provider ends sessions here with a signed token.

Source: OpenID Connect Back-Channel Logout 1.0, sections 2.4 to 2.8.
"""

import logging
import threading
import time
from datetime import timedelta
from typing import Any

import jwt
import requests
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from accounts import oidc, provider_sign_ins
from accounts.sign_in_rate_limit import count_attempt

logger = logging.getLogger(__name__)

_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_MAX_TOKEN_LENGTH = 16 * 1024  # characters of a logout token
_PARSING_ERRORS = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
# A logout token is valid for at most this long, even if its `exp` is later.
_MAX_TOKEN_AGE = timedelta(minutes=10)
_KEYS_MAX_AGE = 300.0  # seconds
_STALE_KEYS_MAX_AGE = 3600.0  # seconds, if new keys cannot be fetched
_MIN_FETCH_INTERVAL = 10.0  # seconds between two requests for the provider's keys
_LOCK_TIMEOUT = 2.0  # seconds to wait for another thread that fetches the keys


class InvalidLogoutError(Exception):
    """The request has no valid logout token."""


def receive(request: HttpRequest) -> HttpResponse:
    """End the sessions that the logout token names; 400 without a valid one.

    A client that has sent more than SIGN_IN_LIMIT invalid tokens gets 429. Valid tokens are not
    limited: a provider ends many sessions at once, from one address.
    """
    try:
        claims = _claims(request)
    except InvalidLogoutError as error:
        logger.warning("A back-channel logout was refused: %s", error)
        return _refuse(request, str(error))
    ended = provider_sign_ins.end(
        subject=claims.get("sub", ""),
        sid=claims.get("sid", ""),
        issued_at=claims["iat"],
    )
    logger.info("A back-channel logout ended %s sessions.", ended)
    return HttpResponse()


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    body = {"error": "invalid_request", "error_description": sentence}
    admission = count_attempt(request)
    if admission is None or admission.admitted:
        return JsonResponse(body, status=400)
    return JsonResponse(body, status=429, headers={"Retry-After": str(admission.reset)})


def _claims(request: HttpRequest) -> dict[str, Any]:
    """Return the claims of the logout token; raises InvalidLogoutError."""
    token = request.POST.get("logout_token", "")
    if not token or len(token) > _MAX_TOKEN_LENGTH:
        raise InvalidLogoutError("Send a form with a logout_token of at most 16,384 characters.")
    try:
        key = _keys.find(request, jwt.get_unverified_header(token))
        claims = oidc.decode(token, key, require=["jti", "events"])
    except (jwt.PyJWTError, OAuth2Error, *_PARSING_ERRORS) as error:
        raise InvalidLogoutError(f"The logout token is not valid: {error}") from error
    except requests.RequestException as error:
        raise InvalidLogoutError("The provider's keys can't be fetched.") from error
    problem = _problem(claims)
    if problem:
        raise InvalidLogoutError(f"The logout token is not valid: {problem}.")
    return claims


def _problem(claims: dict[str, Any]) -> str:
    """Return what is wrong with the claims of a signed token, or an empty string."""
    ids = [claims.get("sub", ""), claims.get("sid", "")]
    events = claims["events"]
    if "nonce" in claims:
        return "it has a nonce, like an ID token"
    if not isinstance(events, dict) or not isinstance(events.get(_EVENT), dict):
        return f"its events lack {_EVENT}"
    if not all(isinstance(item, str) for item in ids) or not any(ids):
        return "it has neither a sub nor a sid"
    if not isinstance(claims["jti"], str) or not claims["jti"]:
        return "it has no jti"
    if claims["iat"] < timezone.now() - _MAX_TOKEN_AGE:
        return "it is too old"
    return ""


class _ProviderKeys:
    """The provider's keys, cached because anyone may send a token that needs them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._issuer = ""
        self._keys: list[jwt.PyJWK] = []
        # Monotonic: the last attempt to fetch the keys, and the last success.
        self._attempted_at = self._fetched_at = 0.0

    def find(self, request: HttpRequest, header: dict[str, Any]) -> Any:
        """Return the key that a token's header names; raises OAuth2Error, RequestException."""
        if self._lock.acquire(timeout=_LOCK_TIMEOUT):
            try:
                self._renew(request, header)
            finally:
                self._lock.release()
        return oidc.find_key(self._keys, header)

    def _renew(self, request: HttpRequest, header: dict[str, Any]) -> None:
        if not self._is_due(header):
            return
        if (
            self._issuer != settings.OIDC_ISSUER
            or time.monotonic() - self._fetched_at > _STALE_KEYS_MAX_AGE
        ):
            self._issuer, self._keys = settings.OIDC_ISSUER, []
        try:
            self._keys = oidc.Adapter(request, settings.OIDC_ISSUER).signing_keys()
            self._fetched_at = time.monotonic()
        finally:
            # Even a failed attempt counts, because any token may trigger a fetch.
            self._attempted_at = time.monotonic()

    def _is_due(self, header: dict[str, Any]) -> bool:
        age = time.monotonic() - self._attempted_at
        if self._issuer != settings.OIDC_ISSUER or age > _KEYS_MAX_AGE:
            return True
        key_ids = {key.key_id for key in self._keys}
        return age > _MIN_FETCH_INTERVAL and (
            not key_ids or header.get("kid") not in {None, *key_ids}
        )


_keys = _ProviderKeys()
