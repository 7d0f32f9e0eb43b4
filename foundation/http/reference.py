"""`/v1/reference`: the API as one page of plain HTML, made from its OpenAPI description."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_safe

_METHODS = ("get", "post", "put", "patch", "delete")
_MAX_VALUES = 12  # listed values of a choice
_CODE = re.compile(r"`([^`]+)`")
_LABELS = {  # of tags, for people
    "checker": "Checks",
    "shortener": "Short links",
    "notify": "Notifications",
    "analytics": "Views",
    "foundation": "Index",
}


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter or a field."""

    name: str
    kind: str  # such as `integer`, `array of string`
    location: str  # path, query, header; empty for fields
    is_required: bool
    text: SafeString


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """A method of a path."""

    anchor: str
    method: str
    path: str
    summary: SafeString
    text: SafeString
    parameters: list[ApiField]
    body: list[ApiField]
    responses: list[tuple[str, str, list[ApiField]]]  # status, description, fields


@dataclass(frozen=True, slots=True)
class ApiSection:
    """The operations of one tag."""

    name: str
    text: str
    operations: list[ApiOperation] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The name shown to people."""
        return _LABELS.get(self.name, self.name.capitalize())


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show all operations with their parameters, bodies and responses; works without JavaScript."""
    context = {"content": _content()}
    return HttpResponse(render_to_string("linkwatch/reference.html", context, request))


@cache
def _content() -> SafeString:
    """Return the content. It is cached, because rendering 2,000 fields is slow."""
    return render_to_string("linkwatch/reference_content.html", {"sections": sections()})


@cache
def sections() -> list[ApiSection]:
    """Return the operations by tag, in the order of the description."""
    from drf_spectacular.generators import SchemaGenerator  # imports views, which need a renderer

    schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    by_tag = {tag["name"]: ApiSection(tag["name"], tag["description"]) for tag in schema["tags"]}
    for path, operations in schema["paths"].items():
        for method in _METHODS:
            if method in operations:
                operation = operations[method]
                name = (operation.get("tags") or ["foundation"])[0]
                section = by_tag.setdefault(name, ApiSection(name, ""))
                section.operations.append(_operation(schema, path, method, operation))
    return [section for section in by_tag.values() if section.operations]


def _operation(
    schema: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]
) -> ApiOperation:
    summary, text = operation.get("summary", ""), operation.get("description", "")
    body = operation.get("requestBody", {}).get("content", {})
    return ApiOperation(
        anchor=slugify(f"{method} {path.replace('/', '-')}"),
        method=method.upper(),
        path=path,
        summary=_as_html(summary),
        text=_as_html(text.removeprefix(summary).strip()),
        parameters=[
            ApiField(
                parameter["name"],
                _kind(schema, parameter.get("schema", {})),
                parameter["in"],
                parameter.get("required", False),
                _as_html(parameter.get("description", "")),
            )
            for parameter in operation.get("parameters", ())
        ],
        body=list(_fields(schema, _json_schema(body))),
        responses=[
            (
                status,
                response.get("description", ""),
                list(_response_fields(schema, status, response)),
            )
            for status, response in operation.get("responses", {}).items()
        ],
    )


def _response_fields(
    schema: Mapping[str, Any], status: str, response: Mapping[str, Any]
) -> Iterator[ApiField]:
    """Yield the fields of a successful response; errors are left out: all have the same fields."""
    if status.startswith("2"):
        yield from _fields(schema, _json_schema(response.get("content", {})))


def _json_schema(content: Mapping[str, Any]) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = content.get("application/json", {}).get("schema", {})
    return schema


def _resolve(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    return part


def _fields(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[ApiField]:
    """Yield the fields of an object, or of a list's items."""
    part = _resolve(schema, part)
    if part.get("type") == "array":
        part = _resolve(schema, part.get("items", {}))
    required = part.get("required", ())
    for name, field_schema in part.get("properties", {}).items():
        text = field_schema.get("description") or _resolve(schema, field_schema).get(
            "description", ""
        )
        yield ApiField(name, _kind(schema, field_schema), "", name in required, _as_html(text))


def _as_html(text: str) -> SafeString:
    """Return text from the description as HTML, with code in place of backticks."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text)))  # noqa: S308 - escaped


def _kind(schema: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """Return the type of a value in words."""
    if part.get("$ref", "").endswith("/NullEnum"):
        return "null"
    if "$ref" in part and "enum" not in _resolve(schema, part):
        return str(part["$ref"].rpartition("/")[2])
    part = _resolve(schema, part)
    if "enum" in part:
        values = [str(value) for value in part["enum"][:_MAX_VALUES] if value not in (None, "")]
        return " | ".join(values) + (" | …" if len(part["enum"]) > _MAX_VALUES else "")
    for name in ("oneOf", "anyOf", "allOf"):
        if name in part:
            return " or ".join(dict.fromkeys(_kind(schema, option) for option in part[name]))
    kind = part.get("type", "any")
    kinds = [name for name in (kind if isinstance(kind, list) else [kind]) if name != "null"]
    words = " or ".join(kinds) or "null"
    if "array" in kinds:
        words = f"array of {_kind(schema, part.get('items', {}))}"
    if part.get("format"):
        words = f"{words} ({part['format']})"
    return f"{words} or null" if isinstance(kind, list) and "null" in kind else words
