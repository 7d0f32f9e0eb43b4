"""A page's bytes as text, in the charset that its header, its mark or its meta names.

Source: the encoding sniffing of the WHATWG's HTML standard, as far as it decides anything here.
"""

import codecs
import functools
import html
import re

_LABEL = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.ASCII | re.IGNORECASE)
_META = re.compile(rb"<meta[^<>]{0,500}", re.IGNORECASE)
_TOO_LARGE = re.compile(r"&#(?:[0-9]|[xX][0-9a-fA-F])[0-9a-fA-F]{9,};?")
_HEAD = 2048  # bytes in which a meta may name the charset
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python's names of the encodings that browsers know. Others of its codecs unpack or run what they
# read, or need quadratic time.
_KNOWN = re.compile(
    r"ascii|utf-8|utf-16(-[bl]e)?|iso8859-\d+|cp(125\d|866|874|932|949)|koi8-[rtu]|mac-\w+|tis-620"
    r"|gb2312|gbk|gb18030|big5(hkscs)?|euc_(jp|kr)|shift_jis|iso2022_jp"
)
_AS_BROWSERS_READ_IT = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030"}


def decode(page: bytes, *, content_type: str = "") -> str:
    """Return what `page` says. Never raises: what its charset has not becomes a sign of that.

    A page that is right UTF-8 is read so where no charset is named, else as Windows-1252.
    """
    for mark, codec in _MARKS:
        if page.startswith(mark):
            return page[len(mark) :].decode(codec, "replace")
    name = _codec(content_type) or _named_by_meta(page)
    if name:
        return page.decode(name, "replace")
    try:
        # The end may be cut within a letter.
        return codecs.getincrementaldecoder("utf-8")().decode(page)
    except UnicodeDecodeError:
        return page.decode("cp1252", "replace")


def unescape(text: str) -> str:
    """Return `text` with its entities decoded, but for numbers that no character has."""
    return html.unescape(_TOO_LARGE.sub("", text))


def _named_by_meta(page: bytes) -> str | None:
    for meta in _META.findall(page, 0, _HEAD):
        if name := _codec(meta.decode("latin-1")):
            # It could not have been read in an encoding of two bytes.
            return "utf-8" if name.startswith("utf-16") else name
    return None


@functools.lru_cache(maxsize=256)
def _codec(text: str) -> str | None:
    """Return Python's name of the charset that a header or meta names; None for an unknown one."""
    label = _LABEL.search(text)
    if label is None:
        return None
    try:
        name = codecs.lookup(label[1]).name
    except (LookupError, ValueError):
        return None
    return _AS_BROWSERS_READ_IT.get(name, name) if _KNOWN.fullmatch(name) else None
