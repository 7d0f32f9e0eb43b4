"""`/v1/`: the index of the API."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from foundation.http.openapi import fails
from foundation.http.serializers import StrictSerializer, read_query


class IndexSerializer(serializers.Serializer[Any]):
    """All paths with a description of their methods."""

    schema = serializers.CharField(help_text="The path of the OpenAPI description.")
    docs = serializers.CharField(help_text="The path of the human-readable documentation.")
    paths = serializers.DictField(child=serializers.DictField(child=serializers.CharField()))


class IndexView(APIView):
    """The first page of the API."""

    permission_classes = [AllowAny]
    authentication_classes = []

    @fails(invalid=400)
    @extend_schema(operation_id="index_retrieve", responses=IndexSerializer)
    def get(self, request: Request) -> Response:
        """Return all paths with a description of their methods."""
        read_query(StrictSerializer, request)
        return Response({"schema": "/v1/schema", "docs": "/v1/docs", "paths": _paths()})


@cache
def _paths() -> dict[str, dict[str, str]]:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        path: {method.upper(): operation["summary"] for method, operation in operations.items()}
        for path, operations in schema["paths"].items()
    }
