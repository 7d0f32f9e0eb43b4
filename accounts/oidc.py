"""Sign-in with OpenID Connect: allauth's code flow, and what allauth leaves to us (ADR 26).

An account is identified by issuer and subject, never by its email address. Its groups determine its
role at each sign-in; an account without a role is refused. The groups also determine the account's
membership in the teams that OIDC_TEAMS names.
"""

import asyncio
import hashlib
import hmac
import io
import ipaddress
import re
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit

import jwt
import requests
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from requests.adapters import BaseAdapter

from accounts import adapters, audit_log, provider_sign_ins, rights, teams
from accounts.actors import Actor
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.net.client import FAILURES, Reply, guarded_client, send_request
from foundation.net.egress import egress_proxy, network_guard
from foundation.net.guard import Guard
from foundation.net.inflate import inflate

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
_LEEWAY = 60  # seconds of clock skew
_TIMEOUT = 10.0  # seconds for one response from the provider
_MAX_RESPONSE_SIZE = 1024 * 1024  # bytes, both compressed and decompressed
_ALL_NETWORKS = (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
_SUBJECT = r"[\x20-\x7e]{1,191}"  # the length that allauth stores


class ProviderSession(requests.Session):
    """Sends allauth's requests to the provider through the guarded client; follows no redirects."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.headers["Accept-Encoding"] = "gzip, deflate"
        self.mount("https://", _GuardedAdapter())
        self.mount("http://", _GuardedAdapter())

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class _GuardedAdapter(BaseAdapter):
    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Return the provider's whole response; raises requests.ConnectionError."""
        try:
            reply = asyncio.run(_send(request))
        except FAILURES as error:
            raise requests.ConnectionError(f"{request.url}: {error}", request=request) from error
        encoding = reply.headers.get("content-encoding", "")
        body = inflate(reply.body, encoding=encoding, limit=_MAX_RESPONSE_SIZE + 1)
        if not reply.is_whole or len(body) > _MAX_RESPONSE_SIZE:
            raise requests.ConnectionError(
                f"{request.url} sent an incomplete or overly long response."
            )
        response = requests.Response()
        response.request, response.url = request, str(request.url)
        response.status_code = reply.status
        response.headers.update(reply.headers)
        response.encoding = requests.utils.get_encoding_from_headers(response.headers)
        response.raw = io.BytesIO(body)
        return response

    def close(self) -> None:
        """Do nothing: no connection is kept open."""


async def _send(request: requests.PreparedRequest) -> Reply:
    url, body = str(request.url), cast("str | bytes | None", request.body) or b""
    async with guarded_client(_guard_for(url), proxy=egress_proxy()) as client:
        return await send_request(
            client,
            str(request.method),
            url,
            headers=cast("dict[str, str]", dict(request.headers.items())),
            body=body.encode() if isinstance(body, str) else body,
            limit=_MAX_RESPONSE_SIZE,
            within=_TIMEOUT,
        )


def _guard_for(url: str) -> Guard:
    """Return the guard for a URL. OIDC_ISSUER's host may have any address and port.

    That includes this machine. Other hosts, which only discovery names, get `network_guard`.
    """
    if urlsplit(url).hostname == urlsplit(settings.OIDC_ISSUER).hostname:
        return Guard(allow_networks=_ALL_NETWORKS, allow_ports=(range(1, 65536),))
    return network_guard()


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """The provider's side: its endpoints, and the validation of its ID token."""

    _nonce = ""
    id_token = ""
    claims: dict[str, Any]  # of the ID token, after validation

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's discovery document; raises OAuth2Error if it names a different issuer."""
        config: dict[str, Any] = super().openid_config
        if not isinstance(config, dict) or config.get("issuer") != settings.OIDC_ISSUER:
            raise OAuth2Error("Discovery names a different issuer from OIDC_ISSUER.")
        return config

    def get_provider(self) -> "Provider":
        return provider(self.request)

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return settings.BASE_URL + reverse("oidc-callback")

    def get_access_token_data(
        self, request: HttpRequest, app: SocialApp, client: Any, pkce_code_verifier: Any = None
    ) -> dict[str, Any]:
        self._nonce = nonce_of(pkce_code_verifier)
        data: dict[str, Any] = super().get_access_token_data(
            request, app, client, pkce_code_verifier=pkce_code_verifier
        )
        return data

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any
    ) -> Any:
        """Return the sign-in of the ID token's subject; raises OAuth2Error for an invalid token.

        If the token has no groups, they are read from the userinfo endpoint.
        """
        id_token = kwargs["response"].get("id_token")
        claims = self._claims(id_token)
        self.id_token, self.claims = id_token, claims
        if "groups" not in claims and self.openid_config.get("userinfo_endpoint"):
            info = self._fetch_user_info(token.token)
            if info.get("sub") != claims["sub"]:
                raise OAuth2Error("The userinfo describes another subject.")
            claims = info | claims
        return self.get_provider().sociallogin_from_response(request, {"id_token": claims})

    def _claims(self, id_token: Any) -> dict[str, Any]:
        try:
            key = find_key(self.signing_keys(), jwt.get_unverified_header(id_token))
            claims = decode(id_token, key, require=["sub", "exp"])
        except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
            raise OAuth2Error(f"The ID token is not valid: {error}") from error
        nonce = claims.get("nonce")
        if not isinstance(nonce, str) or not hmac.compare_digest(
            nonce.encode(), self._nonce.encode()
        ):
            raise OAuth2Error("The nonce of the ID token does not match.")
        if claims.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
            raise OAuth2Error("The ID token was issued to another client.")
        if not re.fullmatch(_SUBJECT, claims["sub"]):
            raise OAuth2Error("The ID token has no valid subject.")
        return claims

    def signing_keys(self) -> list[jwt.PyJWK]:
        """Return the provider's keys; raises OAuth2Error, requests.RequestException."""
        with ProviderAdapter().get_requests_session() as session:
            response = session.get(self.openid_config["jwks_uri"])
            response.raise_for_status()
        return jwt.PyJWKSet.from_dict(response.json()).keys


def find_key(keys: list[jwt.PyJWK], header: dict[str, Any]) -> Any:
    """Return the signing key that a token's header names, or the first key if it names none.

    Raises OAuth2Error if there is no such key.
    """
    for key in keys:
        if header.get("kid") in (None, key.key_id) and key.public_key_use in (None, "sig"):
            return key.key
    raise OAuth2Error("The token is not signed with any of the provider's keys.")


def decode(token: Any, key: Any, *, require: list[str]) -> dict[str, Any]:
    """Return the claims of a token that the provider signed with this key for us; `iat` is a time.

    Raises jwt.PyJWTError, TypeError, ValueError.
    """
    claims: dict[str, Any] = jwt.decode(
        token,
        key=key,
        algorithms=_ALGORITHMS,
        issuer=settings.OIDC_ISSUER,
        audience=settings.OIDC_CLIENT_ID,
        leeway=_LEEWAY,
        options={"require": ["iss", "aud", "iat", *require]},
    )
    try:
        claims["iat"] = datetime.fromtimestamp(int(claims["iat"]), UTC)
    except (OverflowError, OSError) as error:
        raise ValueError("Its iat claim is not a time.") from error
    return claims


class Provider(OpenIDConnectProvider):  # type: ignore[misc]
    """Linkwatch's side: the request, with a code verifier (PKCE) and the nonce derived from it."""

    oauth2_adapter_class = Adapter
    pkce_enabled_default = True

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the claims that are stored: the groups that the settings name."""
        groups = data["id_token"].get("groups")
        names = groups if isinstance(groups, list) else [groups]
        configured = dict.fromkeys([*settings.OIDC_GROUPS, *settings.OIDC_TEAMS])
        return {"groups": [name for name in configured if name in names]}

    def get_pkce_params(self) -> dict[str, str]:
        params: dict[str, str] = super().get_pkce_params()
        return params | {"nonce": nonce_of(params["code_verifier"])}


def nonce_of(verifier: str) -> str:
    """Return the nonce of the sign-in with this secret verifier, which is stored in the session."""
    return hashlib.sha256(b"nonce:" + verifier.encode()).hexdigest()


def provider(request: HttpRequest) -> Provider:
    return Provider(
        request,
        app=SocialApp(
            provider=Provider.id,
            provider_id=settings.OIDC_ISSUER,
            name=settings.OIDC_ISSUER,
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
            settings={"server_url": settings.OIDC_ISSUER.rstrip("/")},
        ),
    )


def start(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider, or show an error page if it is unavailable."""
    try:
        response: HttpResponse = provider(request).redirect(
            request, process="login", next_url=get_next_redirect_url(request)
        )
    except (requests.RequestException, OAuth2Error, KeyError, ValueError) as error:
        adapters.logger.error("OIDC_ISSUER cannot be used: %s", error)
        sentence = f"{settings.OIDC_ISSUER} did not respond as expected. Please try again later."
        return adapters.refusal(request, sentence, status=503)
    return response


def finish(request: HttpRequest) -> HttpResponse:
    """Sign in the user whom the provider has sent back, or refuse."""
    adapter = Adapter(request, settings.OIDC_ISSUER)
    view = OAuth2CallbackView.adapter_view(adapter)
    try:
        response: HttpResponse = view(request)
    except (KeyError, ValueError, TypeError, AttributeError) as error:  # unexpected JSON
        adapters.logger.warning("OIDC_ISSUER sent an unexpected response: %r", error)
        sentence = "The sign-in was not completed. Please start again."
        return adapters.refusal(request, sentence)
    if adapter.id_token:
        provider_sign_ins.remember(
            request,
            adapter.claims,
            id_token=adapter.id_token,
            end_session_endpoint=adapter.openid_config.get("end_session_endpoint"),
        )
    return response


def role_of(sign_in: Any) -> Role | None:
    """Return the highest role of a user's groups, or OIDC_DEFAULT_ROLE; None without either."""
    roles = {settings.OIDC_GROUPS.get(name) for name in sign_in.account.extra_data["groups"]}
    role = next((role for role in reversed(Role) if role in roles), None)
    return role or (Role(settings.OIDC_DEFAULT_ROLE) if settings.OIDC_DEFAULT_ROLE else None)


def admit(request: HttpRequest, sign_in: Any) -> None:
    """Renew the role and teams of a known account; refuse any account without a role.

    Raises ImmediateHttpResponse to refuse. A user who has lost their role loses all rights and the
    teams of OIDC_TEAMS.
    """
    role = role_of(sign_in)
    sign_in.email_addresses = []  # an address does not identify a user
    if sign_in.user.pk is not None and rights.role_of(sign_in.user) is not role:
        with transaction.atomic():
            rights.assign(sign_in.user, role)
            _log(sign_in.user, "change")
    if sign_in.user.pk is not None:
        _update_teams(sign_in, role)
    if role is None:
        sentence = "None of your account's groups may use Linkwatch. Please contact an operator."
        raise ImmediateHttpResponse(adapters.refusal(request, sentence))


def set_up_account(user: User, sign_in: Any) -> User:
    """Give a new account its role and teams, and return its user."""
    with transaction.atomic():
        rights.assign(user, role_of(sign_in))
        _log(user, "create")
        _update_teams(sign_in, role_of(sign_in))
    return user


def _update_teams(sign_in: Any, role: Role | None) -> None:
    """Put a user into the teams of their groups, and into no other team of OIDC_TEAMS.

    A user without a role leaves all of them.
    """
    if not settings.OIDC_TEAMS:
        return
    groups = sign_in.account.extra_data["groups"] if role else []
    names = {settings.OIDC_TEAMS[name] for name in groups if name in settings.OIDC_TEAMS}
    managed = set(settings.OIDC_TEAMS.values())
    teams.set_memberships(sign_in.user, names, managed=managed, now=database_now())


def _log(user: User, action: str) -> None:
    """Log a change of the role in the user's name, because it comes from the user's claims."""
    subject, now = user.get_username(), database_now()
    audit_log.write(Actor(user), action, "account", [subject], now=now, fields=["role"])


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """allauth's adapter for accounts of the OIDC provider."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True  # only with a role: see `pre_social_login`

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        admit(request, sociallogin)

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """Set name and email address; an invalid name is replaced when the account is saved."""
        fields = {name: data.get(name) for name in ("username", "email")}
        return super().populate_user(request, sociallogin, fields)

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        return set_up_account(super().save_user(request, sociallogin, form), sociallogin)

    def on_authentication_error(self, request: HttpRequest, provider: Any, **kwargs: Any) -> None:
        adapters.logger.warning(
            "Sign-in with OIDC failed: %s", kwargs.get("exception") or kwargs.get("error")
        )
        sentence = "The sign-in was not completed. Please start again."
        raise ImmediateHttpResponse(adapters.refusal(request, sentence))

    def get_requests_session(self) -> Any:
        return ProviderSession()
