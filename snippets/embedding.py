"""Public snippets on other sites: oEmbed (oembed.com); `pages` answers with the framed page."""

from typing import Any
from xml.etree import ElementTree

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_response
from foundation.http.throttling import count_request
from snippets import pages, snippet_cache
from snippets.models import Snippet

_WIDTH, _HEIGHT = 640, 360  # of a frame, in pixels; a request may ask for less
_MAX_DIGITS = 5  # of a length


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the oEmbed response for the snippet at `url`."""
    try:
        _admit(request)
        format_ = _format(request)
        data = _oembed_data(_get_public(_id_in(request.GET.get("url", ""))), request)
    except ApiError as error:
        return error_response(request, error)
    if format_ == "json":
        return JsonResponse(data)
    return HttpResponse(_as_xml(data), content_type="text/xml; charset=utf-8")


def _format(request: HttpRequest) -> str:
    """Return json or xml; raises ApiError `not_implemented`, with the status in oEmbed's spec."""
    format_ = request.GET.get("format", "json")
    if format_ not in ("json", "xml"):
        raise ApiError("not_implemented", "format must be json or xml.", status=501)
    return format_


def _admit(request: HttpRequest) -> None:
    """Count the request; raises ApiError `rate_limited`."""
    admission = count_request("GET oembed", request)
    if admission is not None and not admission.admitted:
        headers = {"Retry-After": str(admission.reset)}
        sentence = "Too many requests. Please wait a moment."
        raise ApiError("rate_limited", sentence, status=429, headers=headers)


def _id_in(url: str) -> str:
    """Return the id in the URL of a snippet's page; empty for other URLs."""
    prefix = f"{settings.BASE_URL}/snippets/"
    return url.removeprefix(prefix) if url.startswith(prefix) else ""


def _get_public(snippet_id: str) -> Snippet:
    """Return a public snippet without a view limit; raises ApiError `not_found` for any other."""
    snippet = snippet_cache.find(snippet_id)
    if snippet is None or not pages.oembed_of(snippet) or snippet.has_expired(database_now()):
        raise snippet_cache.not_found()
    return snippet


def _oembed_data(snippet: Snippet, request: HttpRequest) -> dict[str, Any]:
    title = snippet.title or "Untitled snippet"
    width, height = _length(request, "maxwidth", _WIDTH), _length(request, "maxheight", _HEIGHT)
    frame = format_html(
        '<iframe src="{}/snippets/{}/embed" width="{}" height="{}" title="{}" loading="lazy" '
        'sandbox="allow-popups allow-popups-to-escape-sandbox" style="border:0;max-width:100%">'
        "</iframe>",
        *(settings.BASE_URL, snippet.pk, width, height, title),
    )
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Linkwatch",
        "provider_url": settings.BASE_URL,
        "width": width,
        "height": height,
        "html": str(frame),
    }


def _length(request: HttpRequest, name: str, limit: int) -> int:
    """Return `limit`, or the requested length if it is smaller; raises ApiError `invalid`."""
    text = request.GET.get(name, "")
    if not text:
        return limit
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS and int(text)):
        details = {name: ["Must be a whole number of pixels."]}
        raise ApiError("invalid", f"{name} must be a number of pixels.", details=details)
    return min(int(text), limit)


def _as_xml(data: dict[str, Any]) -> bytes:
    root = ElementTree.Element("oembed")
    for name, value in data.items():
        ElementTree.SubElement(root, name).text = _without_invalid(str(value))
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _without_invalid(text: str) -> str:
    """Return the text without characters that are invalid in XML."""
    return "".join(
        char for char in text if (char >= " " and char not in "\ufffe\uffff") or char in "\t\n\r"
    )
