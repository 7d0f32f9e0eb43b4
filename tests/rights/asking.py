"""Sends a request as a user, rolls it back, and reads from the response whether it was allowed."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.test import Client

from status.asgi import PATHS as PROBES
from tests.rights.world import Things

_CLIENT = Client()  # one client for all requests, because it stores no cookies
_FORM = "application/x-www-form-urlencoded"

# Values that a request needs to reach its objects.
BODIES: dict[str, Any] = {
    "POST /v1/targets": {"url": "http://new.example/"},
    "POST /v1/targets/bulk": {"items": [{"url": "http://new.example/"}]},
    "POST /v1/references": {"url": "http://new.example/", "reference_id": "new"},
    "POST /v1/snippets": {"title": "new", "content": "new"},
    "POST /v1/snippets/bulk/delete": {"ids": ["{snippet}"]},
    "PATCH /v1/snippets/{pk}": {"title": "changed"},
    "POST /v1/urls": {"long_url": "https://new.example/"},
    "POST /v1/urls/bulk": {"items": [{"long_url": "https://new.example/"}]},
    "POST /v1/urls/bulk/delete": {"keys": ["{key}"]},
    "PATCH /v1/urls/{key}": {"tags": ["changed"]},
    "POST /v1/teams": {"name": "new"},
    "PATCH /v1/teams/{team_id}": {"name": "changed"},
    "POST /v1/channels": {
        "kind": "webhook",
        "name": "new",
        "settings": {"url": "https://a.example/"},
    },
    "PATCH /v1/channels/{pk}": {"name": "changed"},
    "POST /v1/batches": {"urls": ["http://new.example/"]},
    "POST /v1/scans": {
        "repository": "new",
        "commit": "0" * 40,
        "committed_at": "2026-01-01T00:00:00Z",
    },
    "POST /v1/scans/{pk}/finish": {"run": 1, "complete": True},
    "POST /v1/repairs": {"target_id": "{target_id}"},
    "POST /repairs/accept": {"target": "{target_id}"},
    "POST /v1/shares": {"reference_prefix": "of-", "for_everyone": True},
    "PATCH /v1/shares/{share_id}": {"for_everyone": True},
    "POST /shares/new": {"reference_prefix": "of-", "for_everyone": "on"},
    "POST /shares/{share_id}": {"version": "1", "for_everyone": "on"},
    "POST /v1/lists": {"name": "new"},
    "PATCH /v1/lists/{name}": {"reference_prefix": "changed"},
    "POST /lists/new": {"name": "new"},
    "POST /lists/{name}": {"version": "1", "reference_prefix": "changed"},
    "POST /v1/channels/{pk}/redeliver": {"since": "2026-01-01T00:00:00Z"},
    "POST /v1/subscriptions": {"channel": "{channel_id}", "what": ["dead"]},
    "PATCH /v1/subscriptions/{pk}": {"what": ["alive"]},
    "POST /find": {"url": "http://new.example/"},
    "POST /account/people/{pk}": {"role": "Members", "is_active": "on"},
    "POST /targets/selected": {
        "operation": "leave",
        "target": "{target_id}",
        "confirmed": "yes",
    },
}
QUERIES = {
    "GET /v1/references": "?url=http://target.example/page",
    "DELETE /v1/references": "?url=http://target.example/page&reference_id={reference_id}",
    "GET /targets/{target_id}/unregister": "?reference={reference_id}",
    "POST /targets/{target_id}/unregister": "?reference={reference_id}",
    "GET /account/channels/new": "?kind=webhook",
    "POST /account/channels/new": "?kind=webhook",
    "GET /find": "?url=http://new.example/",
}


def ask(
    method: str, path: str, things: Things, *, look: Callable[[], Any], **headers: str
) -> tuple[Any, Any]:
    """Return the response to a request about these objects, and the result of `look` afterwards.

    All changes are rolled back.
    """
    name = f"{method} {path}"
    is_api = path.startswith(("/v1/", "/api/", "/metrics", "/mcp"))
    body = things.fill(json.dumps(BODIES.get(name, {})), like=path)
    if not is_api:
        body = urlencode(json.loads(body))
    with transaction.atomic():
        answer = _CLIENT.generic(
            method,
            things.fill(path + QUERIES.get(name, ""), like=path),
            "" if method == "GET" else body,
            "application/json" if is_api else _FORM,
            headers={
                "accept": "application/json" if is_api else "text/html",
                "cookie": "",
                **headers,
            },
        )
        if answer.streaming:
            answer.getvalue()  # few files may be open at once
        found = look()
        transaction.set_rollback(True)
    return answer, found


def said(answer: Any) -> str:
    """Return `ok`, `in` (sign in first), or the status of a refusal.

    A request that was allowed and failed for another reason, such as 400 or 409, is `ok`.
    """
    status = answer.status_code
    if status == 302 and answer.headers["Location"].startswith(("/sign-in", "/admin/login/")):
        return "in"
    if status == 503 and answer.wsgi_request.path in PROBES:  # no other process runs in tests
        return "ok"
    return str(status) if status in (401, 403, 404, 405) or status >= 500 else "ok"
