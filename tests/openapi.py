"""The description of the API, to hold real answers against."""

from typing import Any

from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft7Validator, FormatChecker

SCHEMA: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)


def undescribed(response: Any, method: str, path: str) -> list[str]:
    """Return where a test client's answer differs from what this operation promises.

    An answer has what is promised and nothing else; a free object is the only thing that may have
    any fields.
    """
    responses = SCHEMA["paths"][path][method]["responses"]
    described = responses[str(response.status_code)]["content"]["application/json"]["schema"]
    validator = Draft7Validator(_closed(described), format_checker=FormatChecker())
    return [
        f"{error.json_path}: {error.message}" for error in validator.iter_errors(response.json())
    ]


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
