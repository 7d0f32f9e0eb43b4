"""Limits on imports: a rate limit, few at once, and no work for a client that disconnected."""

import asyncio
import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory

from console.imports import MAX_IMPORTS, limit_imports
from foundation.valkey.clients import client as valkey
from linkwatch import asgi
from shortener.models import ShortURL
from targets.models import Target

pytestmark = pytest.mark.django_db
PAGES = ["/targets/import", "/links/import"]


@pytest.mark.parametrize("path", PAGES)
def test_downloads_count_towards_the_rate_limit(settings, member, path):
    valkey().flushdb()
    settings.RATE_LIMIT = (2, timedelta(minutes=1))
    answers = [member.post(path, {"text": "https://a.example"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1]["Retry-After"]) >= 1
    assert "Try again in " in answers[-1].content.decode()
    program = member.post(path, {"text": "x"}, headers={"accept": "application/json"})
    assert json.loads(program.content)["code"] == "rate_limited"
    assert member.get(path).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_two_files_are_read_at_once(member, path):
    seen = []

    def ask(page, request):
        seen.append(member.post(path, {"text": "https://a.example"}))
        return HttpResponse()

    def ask_during_another(page, request):
        return limit_imports(ask)(page, request)

    request = RequestFactory().post("/")
    assert MAX_IMPORTS == 2
    limit_imports(ask_during_another)(None, request)
    limit_imports(ask)(None, request)
    assert [answer.status_code for answer in seen] == [503, 200]
    assert int(seen[0]["Retry-After"]) >= 1


def send(client, path, fields, *, leaves):
    """Post this form without the server's parser; return the status of the response."""
    body = urlencode(fields).encode()
    cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={'a' * 32}"
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    messages += [{"type": "http.disconnect"}] * leaves
    sent = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.Event().wait()

    async def note(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/x-www-form-urlencoded"),
            (b"content-length", str(len(body)).encode()),
            (b"cookie", cookies.encode()),
            (b"x-csrftoken", b"a" * 32),
        ],
    }
    asyncio.run(asgi.application(scope, receive, note))
    return sent[0]["status"]


@pytest.fixture
def _brief_connections(monkeypatch):
    """Close the connections of the server's long-lived threads after each request."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_brief_connections")
@pytest.mark.parametrize(("path", "model"), [(PAGES[0], Target), (PAGES[1], ShortURL)])
def test_nothing_is_created_for_a_client_that_disconnected(member, path, model):
    lines = "\n".join(f"https://a.example/{n}" for n in range(1500))
    fields = {"text": lines, "confirmed": "yes"}
    assert send(member, path, fields, leaves=True) == 408
    assert not model.objects.exists()
    assert send(member, path, fields, leaves=False) == 302
    assert model.objects.count() == 1500
