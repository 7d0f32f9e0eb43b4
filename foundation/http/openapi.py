"""The OpenAPI description: a common style for all operations, and the errors of each."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from foundation.http.deprecations import deprecation_of
from foundation.http.idempotency import MAX_KEY_LENGTH
from foundation.http.problems import MEDIA_TYPE, ProblemSerializer

View = TypeVar("View", bound=Callable[..., Any])

_JSON = "application/json"
_ERROR_CONTENT = {
    _JSON: {"schema": {"$ref": "#/components/schemas/Error"}},
    MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}},
}
_SECONDS = {"schema": {"type": "integer", "minimum": 1}, "description": "Seconds to wait."}
# Errors of every operation, of those with a body, and of those that require signing in.
_COMMON_ERRORS = {
    "bad_request": 400,
    "not_acceptable": 406,
    "server_error": 500,
    "stopping": 503,
    "unavailable": 503,
}
_BODY_ERRORS = {
    "invalid": 400,
    "parse_error": 400,
    "timeout": 408,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "busy": 503,
}
_SIGN_IN_ERRORS = {"not_authenticated": 401, "permission_denied": 403}
# Parameters with their own errors.
_PARAMETER_ERRORS = {
    "page_token": {"invalid_page_token": 400},
    "Idempotency-Key": {"invalid_idempotency_key": 400, "idempotency_key_reused": 422},
    "If-Match": {"invalid_if_match": 400, "version_mismatch": 412},
}

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH},
    OpenApiParameter.HEADER,
    description="If a request is repeated with the same key, it is processed only once; the "
    "repeated request gets the same body, with status 200.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": '^("[0-9]{1,18}"|\\*)$', "example": '"1"'},
    OpenApiParameter.HEADER,
    description="The `version` that you expect, in quotes; 412 if it has changed.",
)


def fails(**codes: int) -> Callable[[View], View]:
    """Declare the errors of an operation: codes with their HTTP statuses.

    Errors that every operation has, or that follow from parameters, a body or signing in, are added
    automatically.
    """

    def mark(view: View) -> View:
        view.fails = codes  # type: ignore[attr-defined]
        return view

    return mark


class OperationSchema(AutoSchema):
    """An operation, tagged with its app; a view's docstring is its summary and description.

    A view's `path_schemas` add to the schemas of path parameters, by name.
    """

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        names = {parameter["name"] for parameter in operation.get("parameters", ())}
        if operation.get("deprecated"):
            _describe_deprecation(operation["responses"])
        _describe_success(operation["responses"], is_repeatable="Idempotency-Key" in names)
        codes = self._codes(operation, names)
        self.resolve_serializer(ProblemSerializer, "response")
        operation["responses"] |= {
            status: response
            for status, response in _error_responses(codes).items()
            if status not in operation["responses"]
        }
        return dict(operation)

    def is_deprecated(self) -> bool:
        return deprecation_of(type(self.view), self._action()) is not None

    def _action(self) -> str:
        """Return the name of the view's method."""
        return getattr(self.view, "action", None) or self.method.lower()

    def get_operation_id(self) -> str:
        """Return an id such as `targets_list` or `targets_results_retrieve`."""
        words = [part for part in self.path.split("/") if part and not part.startswith("{")]
        nouns = [word.partition(".")[0] for word in words if word not in ("v1", "api", "admin")]
        action: str = getattr(self.view, "action", "retrieve")
        if nouns and action.partition("_")[0] == nouns[-1]:
            nouns.pop()
        return "_".join([*nouns, action])

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.partition(".")[0]]

    def get_summary(self) -> str:
        return self._paragraphs()[0].removesuffix(".")

    def get_description(self) -> str:  # type: ignore[override]
        return "\n\n".join(self._paragraphs()[1:])

    def _paragraphs(self) -> list[str]:
        text = super().get_description()
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]

    def _resolve_path_parameters(self, variables: list[str]) -> list[dict[str, Any]]:
        schemas: Mapping[str, Any] = getattr(self.view, "path_schemas", {})
        parameters: list[dict[str, Any]] = super()._resolve_path_parameters(variables)  # type: ignore[no-untyped-call]
        for parameter in parameters:
            parameter["schema"] = parameter["schema"] | schemas.get(parameter["name"], {})
        return parameters

    def _codes(self, operation: Mapping[str, Any], names: set[str]) -> dict[str, int]:
        """Return the codes of all errors that this operation may return, with their statuses."""
        codes = dict(_COMMON_ERRORS)
        if {} not in operation.get("security", ()):
            codes |= _SIGN_IN_ERRORS
        if self.view.throttle_classes:
            codes["rate_limited"] = 429
        if "{" in self.path:
            codes["not_found"] = 404
        if any(parameter["in"] == "query" for parameter in operation.get("parameters", ())):
            codes["invalid"] = 400
        if "requestBody" in operation:
            codes |= _BODY_ERRORS
        for name in names & _PARAMETER_ERRORS.keys():
            codes |= _PARAMETER_ERRORS[name]
        codes |= getattr(getattr(self.view, self._action()), "fails", {})
        return codes


def _describe_deprecation(responses: dict[str, Any]) -> None:
    """Add the headers Deprecation and Sunset to the responses of a deprecated operation."""
    for response in responses.values():
        headers = response.setdefault("headers", {})
        for name, text in (
            ("Deprecation", "Time of the deprecation."),
            ("Sunset", "Time of the removal."),
        ):
            headers[name] = {"schema": {"type": "string"}, "description": text}


def _describe_success(responses: dict[str, Any], *, is_repeatable: bool) -> None:
    """Add missing descriptions, and the headers of responses to create requests and replays."""
    for status, response in responses.items():
        response["description"] = response["description"] or HTTPStatus(int(status)).phrase
    if "201" in responses:
        location = {"schema": {"type": "string"}, "description": "Path of the created resource."}
        responses["201"].setdefault("headers", {})["Location"] = location
        if is_repeatable:
            replay = {**responses["201"], "description": HTTPStatus.OK.phrase, "headers": {}}
            responses.setdefault("200", replay)
    if is_repeatable:
        mark = {"type": "string", "enum": ["true"]}
        description = "Set if this is a repeated response to the same Idempotency-Key."
        headers = responses["200"].setdefault("headers", {})
        headers["Idempotency-Replayed"] = {"schema": mark, "description": description}


def _error_responses(codes: Mapping[str, int]) -> dict[str, Any]:
    """Return the responses of these errors by status; `x-codes` lists their codes for programs."""
    by_status: dict[int, list[str]] = defaultdict(list)
    for code, status in codes.items():
        by_status[status].append(code)
    responses: dict[str, Any] = {}
    for status, group in sorted(by_status.items()):
        names = sorted(group)
        response: dict[str, Any] = {
            "description": ", ".join(f"`{name}`" for name in names),
            "content": _ERROR_CONTENT,
            "x-codes": names,
        }
        if status in (429, 503):
            response["headers"] = {"Retry-After": _SECONDS}
        responses[str(status)] = response
    return responses
