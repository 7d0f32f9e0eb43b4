"""CORS_ORIGINS: origins whose pages may call the API with a token."""

import pytest

from tests.factories import SnippetFactory
from tests.snippets.requests import get

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]

OURS = "https://app.example.org"
PREFLIGHT = {"origin": OURS, "access_control_request_method": "POST"}


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.CORS_ORIGINS = [OURS]


@pytest.fixture(params=["/v1/stats", "snippet", "/v1/nowhere"])
def path(request):
    """Return an address: Django's, one that is answered ahead of it, or a missing one."""
    return f"/v1/snippets/{SnippetFactory().id}" if request.param == "snippet" else request.param


def test_an_allowed_origin_reads_answers_and_errors_without_a_session(path):
    reply = get(path, origin=OURS)
    assert reply.headers["access-control-allow-origin"] == OURS
    assert "Location" in reply.headers["access-control-expose-headers"]
    assert "Origin" in reply.headers["vary"]
    assert "access-control-allow-credentials" not in reply.headers


@pytest.mark.parametrize(
    "origin", ["https://evil.example", OURS + ".evil.example", OURS + ":8443", "null", OURS.upper()]
)
def test_other_origins_read_nothing(path, origin):
    reply = get(path, origin=origin)
    assert not [name for name in reply.headers if name.startswith("access-control")]
    assert "Origin" in reply.headers["vary"]
    preflight = get(path, method="OPTIONS", **PREFLIGHT | {"origin": origin})
    assert "access-control-allow-origin" not in preflight.headers


def test_a_preflight_is_answered(path):
    reply = get(path, method="OPTIONS", **PREFLIGHT)
    assert (reply.status, reply.body) == (204, b"")
    assert reply.headers["access-control-allow-origin"] == OURS
    for name in ("Authorization", "Content-Type", "Idempotency-Key", "If-Match"):
        assert name in reply.headers["access-control-allow-headers"]
    assert "PATCH" in reply.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in reply.headers


@pytest.mark.parametrize("elsewhere", ["/s/abc", "/livez", "/sign-in", "/metrics"])
def test_cors_headers_are_sent_for_the_api_only(elsewhere):
    reply = get(elsewhere, origin=OURS)
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_without_the_setting_no_cors_header_is_sent(settings, path):
    settings.CORS_ORIGINS = []
    reply = get(path, origin=OURS)
    assert not [name for name in reply.headers if name.startswith("access-control")]
    assert "Origin" not in reply.headers.get("vary", "")
