"""Compresses pages, and adds a random number of bytes to each, against BREACH."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PageCompressionMiddleware(GZipMiddleware):
    """Compresses HTML only: static files are compressed elsewhere, and JSON is sent as is."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_page = response.get("Content-Type", "").startswith("text/html")
        if not is_page or not isinstance(response, HttpResponse):
            return response
        return super().process_response(request, response)
