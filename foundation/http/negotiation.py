"""Content negotiation: the format that a client prefers."""

import re
from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

MAX_ACCEPT = 1024  # bytes of an Accept header that is parsed; browsers send about 150
_WEIGHT = re.compile(rb"[01](\.\d{0,3})?")


class FirstRendererNegotiation(DefaultContentNegotiation):
    """Selects the first renderer regardless of what the client accepts, as for images."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


class ProblemNegotiation(DefaultContentNegotiation):
    """Also accepts a request for problem details, which only errors use; successes are JSON."""

    def get_accept_list(self, request: Request) -> list[str]:
        accepted = super().get_accept_list(request)
        names = {media_type.partition(";")[0].strip().lower() for media_type in accepted}
        return [*accepted, "*/*"] if "application/problem+json" in names else accepted


class CSVRenderer(BaseRenderer):
    """Declares CSV, which is streamed without a renderer. Errors are JSON, also by their type."""

    media_type = "text/csv"
    format = "csv"

    def render(self, data: Any, media_type: Any, context: Any) -> bytes:  # type: ignore[override]
        context["response"]["Content-Type"] = JSONRenderer.media_type
        return JSONRenderer().render(data, media_type, context)


def prefers_html(accept: bytes) -> bool:
    """Return whether a client prefers a page, as browsers do.

    That is, its Accept header names HTML, no type has more weight, and no type before HTML has the
    same weight, except `*/*`. A header without HTML or above MAX_ACCEPT comes from a program.
    """
    if len(accept) > MAX_ACCEPT:
        return False
    types = [parse_media_type(part) for part in accept.lower().split(b",")]
    html_weights = [weight for name, weight in types if name == b"text/html"]
    if not html_weights or not html_weights[0]:
        return False
    rivals = [(name, weight) for name, weight in types if weight >= html_weights[0]]
    first = next(name for name, weight in rivals if name != b"*/*")
    return first == b"text/html" and all(weight == html_weights[0] for _, weight in rivals)


def parse_media_type(part: bytes) -> tuple[bytes, float]:
    """Return a media type of an Accept header with its weight, which is 0 if `q` is invalid."""
    name, *parameters = (piece.strip() for piece in part.split(b";"))
    weight = next((value[2:] for value in parameters if value.startswith(b"q=")), b"1")
    return name, float(weight) if _WEIGHT.fullmatch(weight) else 0.0
