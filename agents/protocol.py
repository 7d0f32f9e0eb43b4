"""Messages of the Model Context Protocol, as a stateless tool server needs them.

Two generations of the protocol are in use. Since 2026-07-28 each request carries its context in
`params._meta` and repeats it in headers; before that a client began with `initialize`. Pure: no
Django.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STATELESS_VERSION = "2026-07-28"
HANDSHAKE_VERSIONS = ("2025-06-18", "2025-11-25")
VERSIONS = (*HANDSHAKE_VERSIONS, STATELESS_VERSION)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
SERVER_ERROR = -32000  # an HTTP error: not signed in, too many requests, too large ...
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022

_STATUSES = {METHOD_NOT_FOUND: 404}  # HTTP statuses of errors; all others are 400
_META_PREFIX = "io.modelcontextprotocol/"
_BASE64_DELIMITERS = ("=?base64?", "?=")  # around the value of a header that is not plain ASCII


class RPCError(Exception):
    """An error in a message, with its JSON-RPC code."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    @property
    def status(self) -> int:
        """The HTTP status of a response with this error."""
        return _STATUSES.get(self.code, 400)

    def body(self, id_: int | str | None) -> dict[str, Any]:
        """Return the response to a message; `id_` is None if the id could not be read."""
        return error_body(self.code, str(self), self.data, id_=id_)


def error_body(
    code: int, message: str, data: Mapping[str, Any] | None = None, *, id_: int | str | None = None
) -> dict[str, Any]:
    """Return a JSON-RPC error."""
    error = {"code": code, "message": message, **({"data": dict(data)} if data else {})}
    return {"jsonrpc": "2.0", "id": id_, "error": error}


@dataclass(frozen=True, slots=True)
class ProtocolMessage:
    """A request, or a notification, which has no id."""

    method: str
    id: int | str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def read_message(data: Any) -> ProtocolMessage:
    """Return the message in a body; raises RPCError, including for a batch or a response."""
    if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
        raise RPCError(INVALID_REQUEST, "Send one JSON-RPC 2.0 request or notification.")
    method, id_, params = data.get("method"), data.get("id"), data.get("params", {})
    if not isinstance(method, str):
        raise RPCError(INVALID_REQUEST, "The method is missing or is not a string.")
    if "id" in data and (isinstance(id_, bool) or not isinstance(id_, int | str)):
        raise RPCError(INVALID_REQUEST, "The id is not a string or a whole number.")
    if not isinstance(params, dict):
        raise RPCError(INVALID_REQUEST, "The parameters are not an object.")
    return ProtocolMessage(method, id_, params)


def is_stateless(headers: Mapping[str, str]) -> bool:
    """Return whether a request uses the stateless protocol, according to its version header.

    Raises RPCError for an unknown version. A request without the header uses a handshake version.
    """
    version = headers.get("Mcp-Protocol-Version")
    if version is not None and version not in VERSIONS:
        raise _unsupported(version)
    return version == STATELESS_VERSION


def check_envelope(message: ProtocolMessage, headers: Mapping[str, str]) -> None:
    """Raise RPCError unless the body of a STATELESS_VERSION request has its context, and the
    headers match the body."""
    meta = message.params.get("_meta")
    required = ("protocolVersion", "clientCapabilities")
    if not isinstance(meta, dict) or any(_META_PREFIX + name not in meta for name in required):
        names = " and ".join(_META_PREFIX + name for name in required)
        raise RPCError(INVALID_PARAMS, f"params._meta must have {names}.")
    mirrored = {
        "Mcp-Protocol-Version": meta[_META_PREFIX + "protocolVersion"],
        "Mcp-Method": message.method,
    }
    if message.method == "tools/call" and "name" in message.params:
        mirrored["Mcp-Name"] = message.params["name"]
    for name, value in mirrored.items():
        if _decode(headers.get(name)) != value:
            raise RPCError(HEADER_MISMATCH, f"The header {name} does not match the body.")


def version_for(message: ProtocolMessage) -> str:
    """Return the version for the response to `initialize`: the requested one, or else the latest.

    The result is one of HANDSHAKE_VERSIONS. Raises RPCError if the message requests no version.
    """
    requested = message.params.get("protocolVersion")
    if not isinstance(requested, str):
        raise RPCError(INVALID_PARAMS, "params.protocolVersion is missing or is not a string.")
    return requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]


def _unsupported(version: str) -> RPCError:
    data = {"supported": list(VERSIONS), "requested": version[:100]}
    return RPCError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _decode(value: str | None) -> str | None:
    """Return the decoded text of a header; None if it is missing or malformed."""
    prefix, suffix = _BASE64_DELIMITERS
    if value is None or not (value.startswith(prefix) and value.endswith(suffix)):
        return value
    try:
        return base64.b64decode(value[len(prefix) : -len(suffix)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def server_info(version: str) -> dict[str, str]:
    """Return the server's name and version."""
    return {"name": "linkwatch", "title": "Linkwatch", "version": version}


def complete_result(result: Mapping[str, Any], *, version: str) -> dict[str, Any]:
    """Return a result with the fields that STATELESS_VERSION requires."""
    meta = {_META_PREFIX + "serverInfo": server_info(version)}
    return {"resultType": "complete", **result, "_meta": meta}
