"""Sessions that began at the OIDC provider, looked up when either side signs out (ADR 71)."""

import hashlib
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import ProviderSignIn
from foundation import kept_secrets
from foundation.valkey import changes

_MAX_ID_TOKEN_LENGTH = 4096  # characters: it is sent in a URL, and servers limit the length of URLs
_MAX_URL_LENGTH = 2048
_STATE_MAX_AGE = 600  # seconds
_SALT = "accounts.provider_sign_ins"
# Together, these identify a sign-in under all keys that its session has had.
_IDENTIFYING_FIELDS = ("account_id", "sid_hash", "issued_at", "id_token")


def remember(
    request: HttpRequest, claims: dict[str, Any], *, id_token: str, end_session_endpoint: Any
) -> None:
    """Remember that the session of this request began with this ID token.

    Does nothing if the token's subject is not the signed-in user.
    """
    account = SocialAccount.objects.filter(
        provider=claims["iss"], uid=claims["sub"], user=request.user.pk
    ).first()
    if account is None:
        return
    stores_token = settings.OIDC_SIGN_OUT and len(id_token) <= _MAX_ID_TOKEN_LENGTH
    ProviderSignIn.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "account": account,
            "sid_hash": _hash(claims.get("sid")),
            "issued_at": claims["iat"],
            "id_token": kept_secrets.encrypt(id_token) if stores_token else "",
            "end_session_endpoint": _checked_url(end_session_endpoint),
        },
    )


def _checked_url(url: Any) -> str:
    """Return a URL from discovery; empty if people can't be redirected to it."""
    if not isinstance(url, str) or len(url) > _MAX_URL_LENGTH:
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("https", "http") and parts.hostname else ""


def _hash(sid: Any) -> str:
    return hashlib.sha256(sid.encode()).hexdigest() if isinstance(sid, str) and sid else ""


def for_session(key: str | None) -> ProviderSignIn | None:
    """Return the sign-in that a session began with; None if it was not at OIDC_ISSUER."""
    sign_ins = ProviderSignIn.objects.filter(account__provider=settings.OIDC_ISSUER)
    return sign_ins.filter(session_key=key or "").first()


def lock(key: str | None) -> ProviderSignIn | None:
    """Lock and return the sign-in of a session, so that no logout misses it."""
    return ProviderSignIn.objects.select_for_update().filter(session_key=key or "").first()


def copy_to_key(sign_in: ProviderSignIn, key: str) -> None:
    """Copy a locked sign-in to the session's new key.

    The row of the former key is kept for up to an hour, because concurrent requests may each
    give the session a new key.
    """
    sign_in.session_key = key
    sign_in.save(force_insert=True)


def sign_out_url(sign_in: ProviderSignIn) -> str:
    """Return the provider's sign-out URL; empty without OIDC_SIGN_OUT or an endpoint."""
    endpoint = sign_in.end_session_endpoint
    if not settings.OIDC_SIGN_OUT or not endpoint:
        return ""
    query = {
        "client_id": settings.OIDC_CLIENT_ID,
        "post_logout_redirect_uri": settings.BASE_URL + reverse("oidc-signed-out"),
        "state": signing.dumps("signed out", salt=_SALT),
    }
    if sign_in.id_token:
        # Without the token, the provider may ask for confirmation.
        with suppress(kept_secrets.UnreadableSecretError):
            query["id_token_hint"] = kept_secrets.decrypt(sign_in.id_token)
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def is_our_state(state: str) -> bool:
    """Return whether a sign-out with this `state` began here recently."""
    try:
        signing.loads(state, salt=_SALT, max_age=_STATE_MAX_AGE)
    except signing.BadSignature:
        return False
    return True


def end(*, subject: str, sid: str, issued_at: datetime) -> int:
    """End the sessions with both this subject and this `sid`; return how many.

    An empty subject or `sid` stands for any. After the commit, the WebSockets of these sessions'
    pages are closed. A session that began after `issued_at`, by the provider's clock, is kept, so a
    logout token that is sent twice does not end newer sessions.
    """
    sign_ins = ProviderSignIn.objects.filter(
        account__provider=settings.OIDC_ISSUER, issued_at__lte=issued_at
    )
    if subject:
        sign_ins = sign_ins.filter(account__uid=subject)
    if sid:
        sign_ins = sign_ins.filter(sid_hash=_hash(sid))
    return _end(sign_ins)


def end_sessions_of(sign_in: ProviderSignIn) -> None:
    """End the sessions that have this sign-in: one, or several after a change of key."""
    identity = {name: getattr(sign_in, name) for name in _IDENTIFYING_FIELDS}
    _end(ProviderSignIn.objects.filter(**identity))


@transaction.atomic
def _end(sign_ins: "QuerySet[ProviderSignIn]") -> int:
    """End these sessions, including those whose key changes meanwhile; return how many."""
    users: dict[str, int] = {}
    rows = sign_ins.select_for_update(of=("self",)).order_by("pk")
    while batch := dict(rows.values_list("pk", "account__user_id")):
        Session.objects.filter(pk__in=list(batch)).delete()
        ProviderSignIn.objects.filter(pk__in=list(batch)).delete()
        users |= batch
    changes.announce_on_commit(f"user:{user}" for user in set(users.values()))
    return len(users)
