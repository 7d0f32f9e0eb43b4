"""Messages to `/mcp` as clients of both generations send them, through Django's test client."""

import json

from django.test import Client

from accounts import tokens
from agents.protocol import STATELESS_VERSION

_META = "io.modelcontextprotocol/"


def bearer(user, **terms):
    return {"authorization": f"Bearer {tokens.create(user, lifetime=None, **terms)}"}


def post(body, **headers):
    """Send this body; an object is encoded as JSON."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return Client().post("/mcp", text, content_type="application/json", headers=headers)


def ask(method, params=None, *, id_=1, **headers):
    """Send a request of the protocol's earlier generation."""
    message = {"jsonrpc": "2.0", "id": id_, "method": method}
    return post(message | ({} if params is None else {"params": params}), **headers)


def ask_stateless(method, params=None, *, meta=None, **headers):
    """Send a request of the stateless generation; `meta` and headers replace the defaults."""
    params = params or {}
    said = {_META + "protocolVersion": STATELESS_VERSION, _META + "clientCapabilities": {}}
    body = {
        "jsonrpc": "2.0",
        "id": "a",
        "method": method,
        "params": {**params, "_meta": said if meta is None else meta},
    }
    mirrored = {"mcp-protocol-version": STATELESS_VERSION, "mcp-method": method}
    if "name" in params:
        mirrored["mcp-name"] = params["name"]
    return post(body, **mirrored | headers)


def call(name, arguments, **headers):
    """Call a tool; returns its answer, and whether the answer is an error."""
    result = ask("tools/call", {"name": name, "arguments": arguments}, **headers).json()["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"], result["isError"]
