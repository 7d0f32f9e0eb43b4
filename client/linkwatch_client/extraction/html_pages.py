"""Links in HTML: href, src, srcset, poster, meta refresh, CSS url(); resolved against `<base>`.

The running time is linear in the page's length. TAG is tried at each `<`, and may match `<` within
quotes; because each quote changes the state, at most two attempts can continue at any position.
"""

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from linkwatch_client.extraction import css
from linkwatch_client.extraction.links import MAX_TEXT, MAX_URL, Mention, decoded, short

MAX_BASE, MAX_BASE_SLASHES = 2048, 200  # characters and slashes, which cost time for each link
_LINK_ATTRIBUTES = {  # by element
    **dict.fromkeys(("a", "area", "base"), ("href",)),
    **dict.fromkeys(("audio", "embed", "frame", "iframe", "input", "script", "track"), ("src",)),
    **dict.fromkeys(("blockquote", "del", "ins", "q"), ("cite",)),
    **dict.fromkeys(("image", "use"), ("href", "xlink:href")),
    "img": ("src", "srcset"),
    "link": ("href", "imagesrcset"),
    "meta": (),
    "object": ("data",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
# Attributes of elements that site generators replace, such as `<Image>`.
_OTHER_LINK_ATTRIBUTES = ("href", "src")
_LINK_HINT = re.compile("href|src|style")
_SRCSET_ATTRIBUTES = ("srcset", "imagesrcset")
_RAW_ELEMENTS = ("script", "style", "textarea", "template")  # elements whose content has no tags
TAG_REST = r"([^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*)>"
TAG = re.compile(rf"<(?:!--|([A-Za-z][A-Za-z0-9.:-]*)(?=[\s/>]){TAG_REST})")
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+)))?")
_CLOSING_TAGS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW_ELEMENTS}
_CANDIDATE = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+[^,]*)?")
_REFRESH = re.compile(r"\s*[0-9.]+\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_URL_WHITESPACE = re.compile(r"[\t\n\r]+")  # removed by browsers
_MARKUP = re.compile(r"<[^>]*>?")
_HOST_RELATIONS = ("preconnect", "dns-prefetch")  # rel of links to a host, not a page

Attributes = dict[str, tuple[int, str]]  # offset of the value, and the value as written


def find(page: str) -> Iterator[Mention]:
    """Yield the links of an HTML page, relative ones resolved against its `<base>`.

    A base longer than MAX_BASE, or with more slashes than MAX_BASE_SLASHES, is ignored.
    """
    base = ""
    resolved_urls: dict[str, str] = {}
    for offset, url, text, key in _find(page):
        if key == "base":
            if not base and _is_usable_base(url):
                base = url
            continue
        if base and not url.startswith("#"):
            if url not in resolved_urls:  # pages often repeat links
                resolved_urls[url] = _resolve(base, url)
            url = resolved_urls[url]
        yield offset, url, text, ""


def base_of(page: str) -> str:
    """Return the URL of the page's `<base>`, which may be relative; empty if `find` has none."""
    if "<base" not in page.lower():
        return ""
    bases = (url for _, url, _, key in _find(page) if key == "base")
    return next((url for url in bases if url and _is_usable_base(url)), "")


def _is_usable_base(url: str) -> bool:
    return len(url) <= MAX_BASE and url.count("/") <= MAX_BASE_SLASHES


def _find(page: str) -> Iterator[Mention]:
    """Yield the links as written; the key is the element's name, empty in a style sheet."""
    at: int | None = 0
    while at is not None:
        start, at = at, None
        for tag in TAG.finditer(page, start):
            name = (tag[1] or "").lower()
            if name in _LINK_ATTRIBUTES or (name and _LINK_HINT.search(tag[2])):
                for offset, url, text, _ in find_in_tag(page, tag, name):
                    yield offset, url, text, name
            if not name or name in _RAW_ELEMENTS:
                at = _end_of_content(page, tag.end(), name)
                if name == "style":
                    yield from css.find(page, tag.end(), at)
                break


def _end_of_content(page: str, start: int, name: str) -> int:
    """Return the end of a comment or a raw element's content; the page's end if none is found."""
    if not name:
        end = page.find("-->", start)
        return end + 3 if end >= 0 else len(page)
    closing = _CLOSING_TAGS[name].search(page, start)
    return closing.start() if closing else len(page)


def find_in_tag(page: str, tag: re.Match[str], name: str) -> Iterator[Mention]:
    """Yield the links of a tag; group 2 of `tag` holds its attributes."""
    attributes = _attributes(page, tag)
    if name == "meta":
        yield from _refresh_link(attributes)
    elif not (name == "link" and _names_host(attributes)):
        for attribute in _LINK_ATTRIBUTES.get(name, _OTHER_LINK_ATTRIBUTES):
            if attribute in _SRCSET_ATTRIBUTES:
                yield from _srcset_links(*attributes.get(attribute, (0, "")))
            elif attribute in attributes:
                text = _text_of(page, tag.end(), name, attributes)
                yield _mention(*attributes[attribute], text)
    if "style" in attributes:
        offset, value = attributes["style"]
        for _, url, _, _ in css.find(decoded(value)):
            yield offset + max(value.find(url), 0), url, "", ""


def _mention(offset: int, value: str, text: str = "") -> Mention:
    return offset + len(value) - len(value.lstrip()), _url(value), text, ""


def _srcset_links(offset: int, value: str) -> Iterator[Mention]:
    """Yield the links of srcset: URLs with optional widths, separated by commas."""
    for candidate in _CANDIDATE.finditer(value):
        yield _mention(offset + candidate.start(1), candidate[1])


def _refresh_link(attributes: Attributes) -> Iterator[Mention]:
    if attributes.get("http-equiv", (0, ""))[1].lower() == "refresh":
        offset, value = attributes.get("content", (0, ""))
        if refresh := _REFRESH.match(value):
            yield _mention(offset + refresh.start(1), refresh[1])


def _text_of(page: str, end: int, name: str, attributes: Attributes) -> str:
    """Return the text of the element whose tag ends at `end`, or an image's alternative text."""
    if name == "a":
        return _text_after(page, end)
    if name == "img" and "alt" in attributes:
        return short(decoded(attributes["alt"][1][: 2 * MAX_TEXT]))
    return ""


def _attributes(page: str, tag: re.Match[str]) -> Attributes:
    attributes: Attributes = {}
    for match in _ATTRIBUTE.finditer(page, *tag.span(2)):
        group = match.lastindex or 1
        if group > 1:
            attributes.setdefault(match[1].lower(), (match.start(group), match[group]))
    return attributes


def _names_host(attributes: Attributes) -> bool:
    return attributes.get("rel", (0, ""))[1].lower() in _HOST_RELATIONS


def _url(value: str) -> str:
    if len(value) > 2 * MAX_URL:
        return value  # too long to be a link
    return _URL_WHITESPACE.sub("", decoded(value)).strip()


def _text_after(page: str, start: int) -> str:
    """Return the text of an element `a` whose tag ends at `start`."""
    inner = page[start : start + 3 * MAX_TEXT]
    end = inner.find("</a")
    if end < 0:
        end = inner.find("</A")
    inner = inner[:end] if end >= 0 else inner
    if "<" in inner:
        inner = _MARKUP.sub("", inner)
    return short(decoded(inner))


def _resolve(base: str, url: str) -> str:
    try:
        return url if urlsplit(url).scheme else urljoin(base, url)
    except ValueError:  # such as `http://[`
        return url
