"""Keyset pages: `?limit=` and `?page_token=`, ordered by (time, id).

Page 1,000 costs what page 1 costs: one index range, compared as a row value.
Source: seed 000, Cursor Pagination.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db.models import F, Field, Model, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from linkwatch.lib.errors import ApiError

DEFAULT_LIMIT = 50
MAX_LIMIT = 1000
PAGE_PARAMETERS = ("limit", "page_token")


def encode_token(position: dict[str, Any]) -> str:
    """Return the opaque, URL-safe form of a position."""
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def decode_token(token: str, *, keys: set[str]) -> dict[str, Any]:
    """Return the position in `token`, which has just these keys.

    Raises ApiError `invalid_page_token`.
    """
    try:
        padded = token + "=" * (-len(token) % 4)
        position = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise invalid_page_token() from None
    if not isinstance(position, dict) or set(position) != keys:
        raise invalid_page_token()
    return position


def invalid_page_token() -> ApiError:
    return ApiError("invalid_page_token", "The page token is not one that this list gave out.")


def read_limit(request: Request) -> int:
    """Return `?limit=`, 1 to MAX_LIMIT; raises ApiError `invalid` for anything else."""
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_LIMIT):
        raise ApiError(
            "invalid",
            "The request has invalid fields.",
            details={"limit": [f"Give a whole number from 1 to {MAX_LIMIT}."]},
        )
    return int(text)


class KeysetPagination(BasePagination):
    """Pages in the order of (`time_field`, id); a subclass names them and the direction."""

    time_field = "created_at"
    id_field = "pk"
    newest_first = False

    def paginate_queryset(
        self,
        queryset: QuerySet[Any] | Sequence[Any],
        request: Request,
        view: APIView | None = None,
    ) -> list[Any]:
        queryset = cast("QuerySet[Any]", queryset)
        limit = read_limit(request)
        token = request.query_params.get("page_token")
        if token is not None:
            queryset = queryset.filter(self._after(queryset.model, token))
        sign = "-" if self.newest_first else ""
        rows = list(
            queryset.order_by(f"{sign}{self.time_field}", f"{sign}{self.id_field}")[: limit + 1]
        )
        self.next_page_token = self._token(rows[limit - 1]) if len(rows) > limit else None
        return rows[:limit]

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        return Response({"items": data, "next_page_token": self.next_page_token})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next_page_token"],
            "properties": {
                "items": schema,
                "next_page_token": {"type": "string", "nullable": True},
            },
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
        return [
            {"name": "limit", "in": "query", "schema": limit},
            {"name": "page_token", "in": "query", "schema": {"type": "string"}},
        ]

    def _token(self, row: Model) -> str:
        time: datetime = getattr(row, self.time_field)
        return encode_token(
            {self.time_field: time.isoformat(), "id": _json_id(getattr(row, self.id_field))}
        )

    def _after(self, model: type[Model], token: str) -> Any:
        position = decode_token(token, keys={self.time_field, "id"})
        try:
            time = _utc(position[self.time_field])
            pk = _exact_pk(model, position["id"], self.id_field)
        except (TypeError, ValueError, OverflowError, ValidationError):
            raise invalid_page_token() from None
        compare = TupleLessThan if self.newest_first else TupleGreaterThan
        return compare(Tuple(F(self.time_field), F(self.id_field)), (time, pk))


def _utc(text: Any) -> datetime:
    """Return the time that is written just so in a token (or with Z, as the seed writes it)."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None or time.isoformat() != text.replace("Z", "+00:00"):
        raise ValueError("not a time as tokens have it")
    return time.astimezone(UTC)


def _json_id(pk: Any) -> int | str:
    return pk if isinstance(pk, int) else str(pk)


def _exact_pk(model: type[Model], value: Any, name: str) -> Any:
    """Return the id in field `name` whose JSON form is just `value`; raises if there is none."""
    if type(value) not in (int, str):
        raise TypeError("not a primary key")
    meta = model._meta
    field = meta.pk if name == "pk" else cast("Field[Any, Any]", meta.get_field(name))
    pk = field.to_python(value)
    if _json_id(pk) != value or (isinstance(pk, int) and not 0 <= pk < 2**63):
        raise ValueError("not a primary key")
    return pk


class PagesMixin:
    """For views with `pagination_class` and `serializer_class`."""

    def page(self, queryset: QuerySet[Any]) -> Response:
        """Return the page of `queryset` that the request asks for."""
        view = cast("GenericAPIView[Any]", self)
        rows = view.paginate_queryset(queryset) or []
        return view.get_paginated_response(view.get_serializer(rows, many=True).data)
