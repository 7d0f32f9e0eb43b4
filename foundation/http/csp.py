"""The Content-Security-Policy of every page that Django renders.

Our own pages load only our own files, and run no inline code without the nonce of their request.
The admin's theme and the API's pages come from libraries that need slightly more.
"""

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

_HOST = re.compile(r"[\w.:\[\]-]+", re.ASCII)
# By path prefix. The admin's theme uses Alpine, which evaluates attributes. The theme and
# Swagger have style attributes, and Swagger's images are in its style sheet.
_LIBRARY_SCRIPTS = {
    "/admin/": "script-src 'self' 'unsafe-eval'",
    "/v1/": "script-src 'self'",
}
_LIBRARY_POLICY = (
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def policy(host: str, *, nonce: str = "", form_action: str = "'self'") -> str:
    """Return the policy for one of our own pages, requested at `host`.

    It allows our own files and WebSockets only. Not every browser treats a WebSocket to the same
    host as 'self'. `form_action` has the sources for forms.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    inline = f" 'nonce-{nonce}'" if nonce else ""
    return (
        f"default-src 'none'; script-src 'self'{inline}; style-src 'self'{inline}; "
        f"img-src 'self'; font-src 'self'; connect-src 'self'{sockets}; "
        f"base-uri 'none'; form-action {form_action}; frame-ancestors 'none'"
    )


class _Nonce:
    """The nonce of one request, created at its first use in a template."""

    def __init__(self) -> None:
        self.value = ""

    def __call__(self) -> str:
        self.value = self.value or secrets.token_urlsafe(16)
        return self.value


class ContentSecurityPolicyMiddleware:
    """Adds the policy to every page that does not have one.

    `csp_nonce` in a template is the nonce for inline code.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        nonce = _Nonce()
        request.csp_nonce = SimpleLazyObject(nonce)  # type: ignore[attr-defined]
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Content-Security-Policy", _policy(request, nonce.value))
        return response


def _policy(request: HttpRequest, nonce: str) -> str:
    for prefix, scripts in _LIBRARY_SCRIPTS.items():
        if request.path.startswith(prefix):
            return f"default-src 'none'; {scripts}; {_LIBRARY_POLICY}"
    return policy(request.META.get("HTTP_HOST", ""), nonce=nonce)


def nonce(request: HttpRequest) -> dict[str, object]:
    """Context processor: `csp_nonce`."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}
