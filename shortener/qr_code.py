"""The QR code of a short link, black on white."""

from io import BytesIO

import segno

from shortener.destinations import short_url

TYPES = {"svg": "image/svg+xml", "png": "image/png"}  # media types by kind of file
_SCALE = 8  # pixels per module


def draw(key: str, *, kind: str = "svg") -> bytes:
    """Return the QR code of the link's URL as a file; `kind` is one of TYPES."""
    url, image = short_url(key), BytesIO()
    options = {"title": url} if kind == "svg" else {}
    segno.make(url, error="m").save(image, kind=kind, scale=_SCALE, light="#fff", **options)
    return image.getvalue()
