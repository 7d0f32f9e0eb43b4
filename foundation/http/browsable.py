"""The browsable API, whose forms are filled in with working samples."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

from rest_framework.renderers import BrowsableAPIRenderer
from rest_framework.request import Request

_ROUTE_PARAMETER = re.compile(r"<[^<>]*>")
_PATH_PARAMETER = re.compile(r"\{[^{}]*\}")
_MINIMAL_VALUES = {"object": {}, "integer": 1, "number": 1, "boolean": False}


class PageRenderer(BrowsableAPIRenderer):
    """Renders the pages; their templates are in `templates/rest_framework/`."""

    def get_raw_data_form(self, data: Any, view: Any, method: str, request: Request) -> Any:
        """Return the form for a request body, filled in with a sample."""
        form = super().get_raw_data_form(data, view, method, request)
        match = request.resolver_match
        if form and match is not None:
            route = f"/{_ROUTE_PARAMETER.sub('{}', match.route)}"
            form.initial["_content"] = json.dumps(_samples().get((method, route), {}), indent=2)
        return form

    def get_breadcrumbs(self, request: Request) -> list[tuple[str, str]]:
        """Return the parent URLs, each named by its last part: `v1`, `targets`."""
        breadcrumbs = super().get_breadcrumbs(request)
        return [(unquote(url.rstrip("/").rpartition("/")[2]), url) for _, url in breadcrumbs]


@cache
def _samples() -> dict[tuple[str, str], Any]:
    """Return a sample of each request body, by method and route.

    The sample is the body's first example, or a value with its required fields. The result is
    cached, because generating the schema takes a second.
    """
    from drf_spectacular.generators import SchemaGenerator  # imports views, which need a renderer

    schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    samples = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is not None:
                examples = [example["value"] for example in content.get("examples", {}).values()]
                sample = examples or [_example(content["schema"], schema["components"])]
                samples[method.upper(), _PATH_PARAMETER.sub("{}", path)] = sample[0]
    return samples


def _example(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """Return an example or a minimal value for a schema."""
    if "$ref" in schema:
        return _example(components["schemas"][schema["$ref"].rpartition("/")[2]], components)
    for name in ("example", "default"):
        if name in schema:
            return schema[name]
    if schema.get("type") == "array":
        return [_example(schema["items"], components)]
    properties = schema.get("properties", {})
    if properties:
        return {name: _example(properties[name], components) for name in schema.get("required", ())}
    return _MINIMAL_VALUES.get(schema.get("type", ""), "example")
