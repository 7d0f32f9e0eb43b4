"""The OpenAPI document, to compare real answers with."""

from typing import Any

from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft7Validator, FormatChecker

SCHEMA: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)


def undescribed(response: Any, method: str, path: str) -> list[str]:
    """Return the differences between a test client's answer and the description of its operation.

    An answer must have the described fields and no others; only a free object may have any fields.
    """
    described = SCHEMA["paths"][path][method]["responses"].get(str(response.status_code))
    if described is None:
        return [f"status {response.status_code} {response.content[:200]!r}"]
    missing = [name for name in described.get("headers", {}) if name in _SURE]
    faults = [f"no {name}" for name in missing if name not in response.headers]
    if not response.content:
        return faults + [f"no body of {response.status_code}"] * ("content" in described)
    media_type = response.headers["Content-Type"].partition(";")[0]
    if media_type not in described.get("content", {}):
        return [*faults, f"{media_type} with {response.status_code}"]
    if media_type != "application/json":
        return faults
    body = response.json()
    if "x-codes" in described and body.get("code") not in described["x-codes"]:
        faults.append(f"{response.status_code} with {body}")
    return faults + invalid(body, described["content"][media_type]["schema"])


_SURE = ("Location",)  # the headers that an answer always has are described


def invalid(value: Any, schema: Any) -> list[str]:
    """Return the differences between a value and a part of the description."""
    validator = Draft7Validator(_closed(schema), format_checker=FormatChecker())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def _closed(node: Any) -> Any:
    """Return a part of OpenAPI 3.0 as a JSON Schema in which every named object is closed."""
    if isinstance(node, list):
        return [_closed(one) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _closed(SCHEMA["components"]["schemas"][node["$ref"].rpartition("/")[2]])
    closed = {name: _closed(one) for name, one in node.items() if name != "nullable"}
    if "properties" in node:
        closed["additionalProperties"] = False
    return {"anyOf": [closed, {"type": "null"}]} if node.get("nullable") is True else closed
