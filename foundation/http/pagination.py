"""Keyset pages: `?limit=` and `?page_token=`, ordered by (time, id).

Page 1,000 costs as much as page 1: one index range, compared as a row value. Source:
docs/requirements.md#registry-pages.
"""

import base64
import binascii
import json
import time
from collections.abc import Sequence, Sized
from datetime import UTC, datetime
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db.models import F, Model, Q, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from foundation.http.errors import ApiError

DEFAULT_LIMIT = 50
MAX_LIMIT = 1000
PAGE_PARAMETERS = ("limit", "page_token")
SEARCH_TIME = 0.06  # seconds after which a page of a search ends, once it has a hit
FIRST_HIT_TIME = 1.0  # seconds after which it ends without a hit


def encode_token(position: dict[str, Any]) -> str:
    """Return the opaque, URL-safe form of a position."""
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def decode_token(
    token: str, *, keys: set[str], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the position in `token`, which has exactly these keys and perhaps `optional` ones.

    Raises ApiError `invalid_page_token`.
    """
    try:
        padded = token + "=" * (-len(token) % 4)
        position = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        json.dumps(position, ensure_ascii=False).encode()  # refuses lone surrogates
    except (binascii.Error, ValueError, RecursionError):
        raise invalid_page_token() from None
    if not isinstance(position, dict) or set(position) - optional != keys:
        raise invalid_page_token()
    return position


def invalid_page_token() -> ApiError:
    return ApiError("invalid_page_token", "This page token is not valid for this list.")


def read_limit(request: Request) -> int:
    """Return `?limit=`, 1 to MAX_LIMIT, or DEFAULT_LIMIT; raises ApiError `invalid`."""
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_LIMIT):
        raise ApiError(
            "invalid",
            "The request has invalid fields.",
            details={"limit": [f"Must be a whole number from 1 to {MAX_LIMIT}."]},
        )
    return int(text)


class SearchClock:
    """Decides when to end a page of a search, which may read many rows for each hit."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def is_time_up(self, hits: Sized) -> bool:
        """Return whether to end the page after these hits."""
        seconds = SEARCH_TIME if hits else FIRST_HIT_TIME
        return time.monotonic() - self._start > seconds


class KeysetPagination(BasePagination):
    """Pages in order of (`time_field`, `id_field`); a subclass names the fields and direction.

    The time may be an annotation; `time_field` is None if pages are ordered by id alone.
    """

    time_field: str | None = "created_at"
    id_field = "pk"
    newest_first = False

    def paginate_queryset(
        self,
        queryset: QuerySet[Any] | Sequence[Any],
        request: Request,
        view: APIView | None = None,
    ) -> list[Any]:
        token = request.query_params.get("page_token")
        return self.take(cast("QuerySet[Any]", queryset), limit=read_limit(request), token=token)

    def take(self, queryset: QuerySet[Any], *, limit: int, token: str | None) -> list[Any]:
        """Return a page of at most `limit` rows; set `next_page_token`, to None on the last page.

        Raises ApiError `invalid_page_token`.
        """
        if token is not None:
            queryset = queryset.filter(self._after(queryset.model, token))
        sign = "-" if self.newest_first else ""
        order = [f"{sign}{name}" for name in (self.time_field, self.id_field) if name]
        rows = self.read(queryset.order_by(*order), limit + 1)
        self.next_page_token = self._token(rows[limit - 1]) if len(rows) > limit else None
        return rows[:limit]

    def read(self, ordered: QuerySet[Any], limit: int) -> list[Any]:
        """Return the first rows, up to `limit`."""
        return list(ordered[:limit])

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        return Response({"items": data, "next_page_token": self.next_page_token})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next_page_token"],
            "properties": {
                "items": schema,
                "next_page_token": {
                    "type": "string",
                    "nullable": True,
                    "example": None,
                    "description": "Pass it as `page_token`; null on the last page.",
                },
            },
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
        return [
            {"name": "limit", "in": "query", "schema": limit},
            {"name": "page_token", "in": "query", "schema": {"type": "string"}},
        ]

    def _token(self, row: Model) -> str:
        position = {"id": _json_id(getattr(row, self.id_field))}
        if self.time_field is not None:
            time: datetime = getattr(row, self.time_field)
            position = {self.time_field: time.isoformat(), **position}
        return encode_token(position)

    def _after(self, model: type[Model], token: str) -> Any:
        position = decode_token(token, keys={key for key in (self.time_field, "id") if key})
        try:
            values = [exact_value(model, self.id_field, position["id"])]
            if self.time_field is not None:
                values = [exact_time(position[self.time_field]), *values]
        except (TypeError, ValueError, OverflowError, ValidationError):
            raise invalid_page_token() from None
        if self.time_field is None:
            return Q((f"{self.id_field}__{'lt' if self.newest_first else 'gt'}", values[0]))
        compare = TupleLessThan if self.newest_first else TupleGreaterThan
        return compare(Tuple(F(self.time_field), F(self.id_field)), tuple(values))


def exact_time(text: Any) -> datetime:
    """Return the time in a token, in UTC.

    Raises ValueError or TypeError unless `text` is what `isoformat` returns for an aware time;
    `Z` may stand for UTC.
    """
    time = datetime.fromisoformat(text)
    if time.tzinfo is None or time.isoformat() != text.replace("Z", "+00:00"):
        raise ValueError("not a time in the form that tokens use")
    return time.astimezone(UTC)


def _json_id(pk: Any) -> int | str:
    return pk if isinstance(pk, int) else str(pk)


def exact_value(model: type[Model], name: str, value: Any) -> Any:
    """Return the value of this unique field whose JSON form is exactly `value`.

    Raises TypeError, ValueError or ValidationError if there is no such value.
    """
    if type(value) not in (int, str):
        raise TypeError("not an id")
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    exact = field.to_python(value)  # type: ignore[union-attr]
    if _json_id(exact) != value or (isinstance(exact, int) and not 0 <= exact < 2**63):
        raise ValueError("not an id")
    if isinstance(exact, str) and "\0" in exact:
        raise ValueError("not text that could be stored")
    return exact


class PagesMixin:
    """A mixin for views with `pagination_class` and `serializer_class`."""

    def page(self, queryset: QuerySet[Any]) -> Response:
        """Return the requested page of `queryset`."""
        view = cast("GenericAPIView[Any]", self)
        rows = view.paginate_queryset(queryset) or []
        return view.get_paginated_response(view.get_serializer(rows, many=True).data)
