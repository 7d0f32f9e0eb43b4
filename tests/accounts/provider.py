"""An OpenID Connect provider on loopback, with its own signing key, and with faults on request."""

import base64
import gzip
import hashlib
import json
import secrets
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

CLIENT, SECRET = "linkwatch", "provider's secret"


@cache
def signing_key() -> rsa.RSAPrivateKey:
    """Return the key of all providers, because generating one takes a tenth of a second."""
    return rsa.generate_private_key(65537, 2048)


class Provider:
    """A provider whose answers can be changed at any time: the `claims` of the user who signs in,
    and its faults."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {"sub": "1234", "preferred_username": "ada", "groups": ["a"]}
        self.userinfo: dict[str, Any] | None = None
        self.faults: dict[str, Any] = {}  # wrong claims of the ID token
        self.discovery: dict[str, Any] = {}  # replaces values of the discovery document
        self.key = self.signing_key = signing_key()
        self.algorithm = "RS256"
        self.drips = False
        self.is_compressed = False
        self.filler = 0  # spaces after each answer
        self.redirects_to = ""
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        self.issuer = ""

    def configuration(self) -> dict[str, Any]:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }
        if self.userinfo is not None:
            found["userinfo_endpoint"] = f"{self.issuer}/userinfo"
        return found | self.discovery

    def keys(self) -> dict[str, Any]:
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [key | {"kid": "one", "use": "sig", "alg": "RS256"}]}

    def authorize(self, query: dict[str, str]) -> str:
        """Return the address that the browser is redirected to after a user has signed in here."""
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Return status and body for a code, which works once."""
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None or (form["client_id"], form["client_secret"]) != (CLIENT, SECRET):
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (challenge, form["redirect_uri"]) != (asked["code_challenge"], asked["redirect_uri"]):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
        }
        key = None if self.algorithm == "none" else self.signing_key
        token = jwt.encode(
            claims | self.claims | self.faults,
            key,
            algorithm=self.algorithm,
            headers={"kid": "one"},
        )
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": token}

    def logout_token(self, *, kid: str = "one", typ: str = "logout+jwt", **claims: Any) -> str:
        """Return a logout token with these claims; a claim of None is left out."""
        now = int(time.time())
        found = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 120,
            "jti": secrets.token_urlsafe(8),
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
            "sub": self.claims["sub"],
        }
        kept = {name: value for name, value in (found | claims).items() if value is not None}
        key = None if self.algorithm == "none" else self.signing_key
        return jwt.encode(kept, key, algorithm=self.algorithm, headers={"kid": kid, "typ": typ})

    def as_sent(self, status: int, found: Any) -> tuple[int, tuple[str, str], bytes]:
        """Return status, a header and body of an answer, with its faults."""
        body = json.dumps(found).encode() + b" " * self.filler
        if self.redirects_to:
            return 302, ("Location", self.redirects_to), body
        if self.is_compressed:
            return status, ("Content-Encoding", "gzip"), gzip.compress(body)
        return status, ("Content-Encoding", "identity"), body


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            provider.asked.append(parts.path)
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(dict(parse_qsl(parts.query))))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            answers = {
                "/.well-known/openid-configuration": provider.configuration,
                "/keys": provider.keys,
                "/userinfo": lambda: provider.userinfo,
            }
            self.answer(200, answers[parts.path]())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(*provider.token(dict(parse_qsl(body))))

        def answer(self, status: int, found: Any) -> None:
            status, header, body = provider.as_sent(status, found)
            self.send_response(status)
            self.send_header(*header)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not provider.drips:
                self.wfile.write(body)
                return
            for place in range(len(body)):
                self.wfile.write(body[place : place + 1])
                self.wfile.flush()
                time.sleep(0.05)

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def running_provider() -> Iterator[Provider]:
    provider = Provider()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(provider)) as server:
        server.daemon_threads = True
        provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield provider
        server.shutdown()
        thread.join()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def visit_provider(client, **query):
    """Go to the provider as a browser does; return the path and query of its redirect back."""
    response = client.get("/sign-in/oidc", query)
    assert response.status_code == 302, response.content.decode()
    opener = urllib.request.build_opener(_NoRedirect)
    with pytest.raises(HTTPError) as answer:
        opener.open(response.headers["Location"])
    with answer.value as found:
        place = found.headers["Location"]
    assert place.startswith("https://links.example/sign-in/oidc/callback?")
    return place.removeprefix("https://links.example")


def sign_in(client=None, **query):
    client = client or Client()
    return client.get(visit_provider(client, **query))
