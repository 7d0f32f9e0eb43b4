"""The parts of the API's description that drf-spectacular can't find out by itself."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key", OpenApiTypes.STR, OpenApiParameter.HEADER, description="1 to 255 characters"
)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How to authenticate with a token."""

    target_class = "foundation.http.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return build_bearer_security_scheme_object(
            header_name="Authorization", token_prefix=self.target.authenticate_header("")
        )


def add_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook: any operation may answer an error in the envelope."""
    error = {"$ref": "#/components/schemas/Error"}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = {
                "description": "An error",
                "content": {"application/json": {"schema": error}},
            }
    return result
