"""Rewrites links to pages that have moved permanently or have a copy, each at its exact place.

An HTML link to a copy gets the attributes of Robust Links, which keep the link's original URL and
the copy's date (robustlinks.mementoweb.org).
"""

import difflib
import html
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urldefrag, urlsplit

from linkwatch_client.accepted_links import replace_file
from linkwatch_client.extraction import UnreadableFile, extract, text_of
from linkwatch_client.extraction.file_kinds import kind_of, kind_of_content
from linkwatch_client.extraction.markdown import end_of_front_matter
from linkwatch_client.findings import LinkPlace
from linkwatch_client.status_requests import is_http
from linkwatch_client.url_status import UrlStatus

# An opening tag of HTML up to the value of its href.
_ANCHOR = re.compile(r"<a(?=\s)[^<>]*\shref\s*=\s*[\"']?", re.IGNORECASE)
_NO_NEWLINE = "\\ No newline at end of file\n"
_MAX_TAG = 4096  # characters of a tag before its URL, and also from the URL on
_SAFE = "/:?#@!$&*+,;=%~-._"  # characters without a special meaning in any file format


@dataclass(frozen=True, slots=True)
class NewURL:
    """The new URL of a link, and, if it leads to a copy, the date of the copy."""

    url: str
    copied_on: str = ""

    @property
    def reason(self) -> str:
        """Why the link changes, for people."""
        return f"has a copy at {self.url}" if self.copied_on else f"has moved to {self.url}"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before and after its links were rewritten."""

    file: str
    before: bytes
    after: bytes

    def diff(self) -> str:
        """Return the change as a unified diff."""
        before, after = (_lines(text.decode("utf-8")) for text in (self.before, self.after))
        lines = difflib.unified_diff(before, after, f"a/{self.file}", f"b/{self.file}")
        return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines of the text as patches count them: only an LF ends a line."""
    return io.StringIO(text, newline="\n").readlines()


def new_url(url: str, status: UrlStatus, *, archive: bool = False) -> NewURL | None:
    """Return the new URL of a link, or None to leave the link as it is.

    A link is replaced if its page has moved permanently and the last check was successful; with
    `archive`, also if the page is dead and has a verified copy. The link's fragment is kept.
    Characters that could end the link in its file are escaped.
    """
    if status.has_moved and not status.is_dead and status.outcome == "success":
        return with_fragment(url, status.moved_to)
    if archive and status.is_dead and status.copy is not None:
        return with_fragment(url, status.copy.url, copied_on=status.copy.day)
    return None


def with_fragment(url: str, new: str, *, copied_on: str = "") -> NewURL | None:
    """Return `new` with the fragment of `url`; None if the result is unusable or equals `url`."""
    try:
        safe = quote(new, safe=_SAFE)
        fragment = urldefrag(url).fragment
        if fragment and "#" not in safe:
            safe += f"#{fragment}"
        is_usable = is_http(safe) and bool(urlsplit(safe).hostname) and safe != url
    except ValueError:  # such as `http://[`, or a lone surrogate
        return None
    return NewURL(safe, copied_on) if is_usable else None


def fix_files(
    root: Path, places: Iterable[LinkPlace], new_urls: Mapping[str, NewURL]
) -> tuple[list[FixedFile], list[LinkPlace]]:
    """Return the files in which these places' links are rewritten, and the skipped places.

    Writes nothing. A place is skipped if the file is not UTF-8, or does not contain the URL,
    verbatim or escaped for HTML, at exactly that place. All places of a file are skipped if the
    rewritten file would not have the same links except for the new URLs.
    """
    places_by_file: dict[str, list[LinkPlace]] = {}
    for place in places:
        if place.url in new_urls:
            places_by_file.setdefault(place.file, []).append(place)
    fixed, skipped = [], []
    for file, file_places in places_by_file.items():
        before = (root / file).read_bytes()
        after, missed = _rewrite(file, before, file_places, new_urls)
        rewritten = set(file_places).difference(missed)
        if not _keeps_other_links(file, before, after, rewritten, new_urls):
            missed = file_places
        elif after != before:
            fixed.append(FixedFile(file, before, after))
        skipped += missed
    return fixed, skipped


def _keeps_other_links(
    file: str,
    before: bytes,
    after: bytes,
    rewritten: Iterable[LinkPlace],
    new_urls: Mapping[str, NewURL],
) -> bool:
    """Whether the links after the change are those before it, with new URLs at these places."""
    new = {(place.line, place.column): new_urls[place.url].url for place in rewritten}
    try:
        expected = [
            new.get((link.line or 0, link.column or 0), link.url) for link in extract(file, before)
        ]
        return [link.url for link in extract(file, after)] == expected
    except UnreadableFile:
        return False


def _rewrite(
    file: str, content: bytes, places: Iterable[LinkPlace], new_urls: Mapping[str, NewURL]
) -> tuple[bytes, list[LinkPlace]]:
    ordered = sorted(places, key=lambda place: (place.line, place.column), reverse=True)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content, ordered
    kind = kind_of(file) or kind_of_content(content)
    is_xml = kind == "sitemap" or file.lower().endswith(".xhtml")
    has_html = kind in ("html", "markdown")
    attributes_from = end_of_front_matter(text_of(content)) if has_html else len(text)
    starts = _line_starts(text)
    missed, limit = [], len(text)
    for place in ordered:
        span = _span(text, starts, place)
        if span is None or span[1] > limit:
            missed.append(place)
            continue
        start, end = span
        new = new_urls[place.url]
        is_escaped = is_xml or text[start:end] != place.url
        url = html.escape(new.url, quote=False) if is_escaped else new.url
        takes_attributes = new.copied_on and start > attributes_from
        insert_at = _attributes_at(text, start) if takes_attributes else None
        if insert_at is None:
            text = text[:start] + url + text[end:]
        else:
            attributes = robust_attributes(place.url, new.url, new.copied_on)
            text = f"{text[:insert_at]} {attributes}{text[insert_at:start]}{url}{text[end:]}"
        limit = start if insert_at is None else insert_at
    return text.encode("utf-8"), missed


def robust_attributes(url: str, copy: str, day: str) -> str:
    """Return the attributes of Robust Links for a link to the copy of a page."""
    values = {"originalurl": url, "versionurl": copy, "versiondate": day}
    return " ".join(f'data-{name}="{html.escape(value)}"' for name, value in values.items())


def _attributes_at(text: str, url_at: int) -> int | None:
    """Return where to add attributes to the HTML link whose URL is at `url_at`, or None."""
    begin = text.rfind("<", max(0, url_at - _MAX_TAG), url_at)
    if begin < 0 or not _ANCHOR.fullmatch(text[begin:url_at]):
        return None
    end = text.find(">", url_at, url_at + _MAX_TAG)
    return begin + len("<a") if "data-originalurl" not in text[begin:end] else None


def _line_starts(text: str) -> list[int]:
    """Return the start of each line; a CR, an LF or both together end a line."""
    starts, at = [0], 0
    for line in text.replace("\r\n", "\0\n").replace("\r", "\n").split("\n")[:-1]:
        at += len(line) + 1
        starts.append(at)
    return starts


def _span(text: str, starts: list[int], place: LinkPlace) -> tuple[int, int] | None:
    """Return the span of the URL, verbatim or escaped for HTML; None if it is not at its place."""
    if not 0 < place.line <= len(starts) or not place.column:
        return None
    byte_order_mark = 1 if place.line == 1 and text.startswith("\ufeff") else 0
    start = starts[place.line - 1] + place.column - 1 + byte_order_mark
    for spelling in (place.url, html.escape(place.url, quote=False)):
        if text.startswith(spelling, start):
            end = start + len(spelling)
            return (start, end) if not text[end : end + 1].isalnum() else None
    return None


def write_fixed(root: Path, fixed: Iterable[FixedFile]) -> None:
    """Write the files, except for those that have changed since they were read."""
    for fixed_file in fixed:
        path = root / fixed_file.file
        if path.read_bytes() == fixed_file.before:
            replace_file(path, fixed_file.after)
