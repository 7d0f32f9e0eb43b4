"""Marks of a page that is gone, though it came with a 200: "not found" in title or heading."""

import html
import re
from collections.abc import Mapping

from checker.engine.inflate import as_text

_HEAD_OF_PAGE = 16 * 1024  # bytes in which a page says what it is called
_HEADING = 500  # bytes of a title or first heading that are read
_TAG = re.compile(r"<[^>]*>")
# The whole of a title or heading, or how it begins. "Peugeot 404" and "HTTP 404" are real pages.
_NOT_FOUND_WHOLE = {"404", "not found", "error 404", "nicht gefunden", "introuvable"}
_NOT_FOUND_BEGINS = re.compile(r"404\s*(?:[-|:.!·–—]|error|page|not found|seite)")  # noqa: RUF001
_NOT_FOUND_PHRASES = (
    "page not found",
    "file not found",
    "404 not found",
    "page can't be found",
    "page can’t be found",  # noqa: RUF001
    "page cannot be found",
    "page could not be found",
    "page you requested was not found",
    "page does not exist",
    "page doesn't exist",
    "page no longer exists",
    "seite nicht gefunden",
    "seite wurde nicht gefunden",
    "page introuvable",
    "page non trouvée",
    "página no encontrada",
    "página não encontrada",
    "pagina non trovata",
    "pagina niet gevonden",
    "sidan hittades inte",
    "nie znaleziono strony",
    "sayfa bulunamadı",  # noqa: RUF001
    "страница не найдена",
    "ページが見つかりません",
    "页面不存在",
    "页面未找到",
)
# One pattern, since every page that is there is looked at.
_NOT_FOUND_WITHIN = re.compile("|".join(map(re.escape, _NOT_FOUND_PHRASES)))


def find_not_found(*, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the title or first heading by which an HTML page calls itself "not found", or None."""
    if "html" not in headers.get("content-type", "html"):
        return None
    encoding = headers.get("content-encoding")
    page = (as_text(body, encoding=encoding) if encoding else body)[:_HEAD_OF_PAGE]
    for tag in (b"title", b"h1"):
        words = _content(page, tag) or _content(page, tag.upper())
        if words and _says_not_found(words):
            return f"{tag.decode()}: {words}"
    return None


def _content(page: bytes, tag: bytes) -> str:
    """Return the words in the first element `tag`, in lower case; empty when there is none."""
    opening = page.find(b"<" + tag)
    if opening < 0:
        return ""
    start = page.find(b">", opening) + 1
    end = page.find(b"</" + tag, start, start + _HEADING)
    if not start or end < 0:
        return ""
    words = page[start:end].decode("utf-8", "replace").lower()
    if "<" in words or "&" in words:
        words = html.unescape(_TAG.sub(" ", words))
    return " ".join(words.split())


def _says_not_found(words: str) -> bool:
    return (
        words.strip(" !.") in _NOT_FOUND_WHOLE
        or _NOT_FOUND_BEGINS.match(words) is not None
        or _NOT_FOUND_WITHIN.search(words) is not None
    )
