"""Content negotiation: the format that a client prefers."""

import re
from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

LONGEST = 1024  # bytes of an Accept header that are read; those of browsers have about 150
_NUMBER = re.compile(rb"[01](\.\d{0,3})?")


class FirstRenderer(DefaultContentNegotiation):
    """Selects the first renderer regardless of what the client accepts, as for images."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


class AlsoProblems(DefaultContentNegotiation):
    """DRF's negotiation, plus problem details, which apply to errors only; a success is JSON."""

    def get_accept_list(self, request: Request) -> list[str]:
        accepted = super().get_accept_list(request)
        names = {one.partition(";")[0].strip().lower() for one in accepted}
        return [*accepted, "*/*"] if "application/problem+json" in names else accepted


class CSVRenderer(BaseRenderer):
    """Declares CSV, which is streamed without a renderer. Errors are JSON."""

    media_type = "text/csv"
    format = "csv"

    def render(self, data: Any, media_type: Any = None, context: Any = None) -> bytes:
        return JSONRenderer().render(data, media_type, context)


def prefers_html(accept: bytes) -> bool:
    """Return whether a client prefers a page, as browsers do.

    That is, its header names HTML, and no type before it or with more weight. A mere `*/*`, or a
    header longer than LONGEST, comes from a program.
    """
    if len(accept) > LONGEST:
        return False
    weights = [weigh(part) for part in accept.lower().split(b",")]
    pages = [weight for name, weight in weights if name == b"text/html"]
    if not pages or not pages[0]:
        return False
    rivals = [(name, weight) for name, weight in weights if weight >= pages[0]]
    named = next(name for name, weight in rivals if name != b"*/*")
    return named == b"text/html" and all(weight == pages[0] for _, weight in rivals)


def weigh(part: bytes) -> tuple[bytes, float]:
    """Return a media type of an Accept header with its weight, 0 if it is not a number."""
    name, *parameters = (one.strip() for one in part.split(b";"))
    given = next((one[2:] for one in parameters if one.startswith(b"q=")), b"1")
    return name, float(given) if _NUMBER.fullmatch(given) else 0.0
