"""Rewrites links that have moved for good, each at its exact place and nowhere else."""

import difflib
import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urldefrag, urlsplit

from linkwatch_client.accepting import replace_file
from linkwatch_client.asking import is_http
from linkwatch_client.findings import LinkPlace
from linkwatch_client.url_status import UrlStatus

_SAFE = "/:?#@!$&*+,;=%~-._"  # what no form of text gives a meaning of its own within a URL


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before and after its links were rewritten."""

    file: str
    before: bytes
    after: bytes

    def diff(self) -> str:
        """Return what changes, as a unified diff."""
        before, after = (
            text.decode("utf-8").splitlines(keepends=True) for text in (self.before, self.after)
        )
        lines = difflib.unified_diff(before, after, f"a/{self.file}", f"b/{self.file}")
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def new_address(url: str, status: UrlStatus) -> str | None:
    """Return where a link should lead now, or None if its page has not moved for good.

    The link's fragment stays. Characters that could end the link in its file are escaped.
    """
    if not status.has_moved or status.is_dead or status.outcome != "success":
        return None
    moved = quote(status.moved_to, safe=_SAFE)
    fragment = urldefrag(url).fragment
    if fragment and "#" not in moved:
        moved += f"#{fragment}"
    try:
        is_usable = is_http(moved) and bool(urlsplit(moved).hostname) and moved != url
    except ValueError:
        return None
    return moved if is_usable else None


def fix_files(
    root: Path, places: Iterable[LinkPlace], addresses: Mapping[str, str]
) -> tuple[list[FixedFile], list[LinkPlace]]:
    """Return the files with these places' links rewritten, and the places that were left alone.

    A link is left alone if the file does not have its URL to the letter at its place.
    """
    by_file: dict[str, list[LinkPlace]] = {}
    for place in places:
        if place.url in addresses:
            by_file.setdefault(place.file, []).append(place)
    fixed, left = [], []
    for file, own in by_file.items():
        before = (root / file).read_bytes()
        after, missed = _rewritten(before, own, addresses)
        left += missed
        if after != before:
            fixed.append(FixedFile(file, before, after))
    return fixed, left


def _rewritten(
    content: bytes, places: Iterable[LinkPlace], addresses: Mapping[str, str]
) -> tuple[bytes, list[LinkPlace]]:
    ordered = sorted(places, key=lambda place: (place.line, place.column), reverse=True)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content, ordered
    starts = _line_starts(text)
    missed, limit = [], len(text)
    for place in ordered:
        span = _span(text, starts, place)
        if span is None or span[1] > limit:
            missed.append(place)
            continue
        start, end = span
        address = addresses[place.url]
        if text[start:end] != place.url:
            address = html.escape(address, quote=False)
        text = text[:start] + address + text[end:]
        limit = start
    return text.encode("utf-8"), missed


def _line_starts(text: str) -> list[int]:
    """Return where each line starts; a CR, an LF and both together end a line."""
    starts, at = [0], 0
    for line in text.replace("\r\n", "\0\n").replace("\r", "\n").split("\n")[:-1]:
        at += len(line) + 1
        starts.append(at)
    return starts


def _span(text: str, starts: list[int], place: LinkPlace) -> tuple[int, int] | None:
    """Return where the URL stands in the text, as it is or with its & escaped."""
    if not 0 < place.line <= len(starts) or not place.column:
        return None
    byte_order_mark = 1 if place.line == 1 and text.startswith("\ufeff") else 0
    start = starts[place.line - 1] + place.column - 1 + byte_order_mark
    for form in (place.url, html.escape(place.url, quote=False)):
        if text.startswith(form, start):
            end = start + len(form)
            return (start, end) if not text[end : end + 1].isalnum() else None
    return None


def write_fixed(root: Path, fixed: Iterable[FixedFile]) -> None:
    """Write the files; one that somebody changed meanwhile is left alone."""
    for one in fixed:
        path = root / one.file
        if path.read_bytes() == one.before:
            replace_file(path, one.after)
