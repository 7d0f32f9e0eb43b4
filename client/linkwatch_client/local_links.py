"""Links to files in the same tree and to their sections, checked without a server."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from linkwatch_client.extraction import kind_of
from linkwatch_client.findings import FindingRule, LinkFinding, LinkPlace

# In files of other kinds, a link without a scheme need not be a path.
_CHECKED_KINDS = {"markdown", "html", "css", "jupyter"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}:")
_TEMPLATE = re.compile(r"[{}<>$|*\\]|%[^0-9A-Fa-f]")
# Sources from which site generators make pages.
_PAGE_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".htm", ".ipynb")
_MAX_BYTES = 8 * 1024 * 1024
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(\S.*)\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_ID_ATTRIBUTE = re.compile(
    r"""\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'=]+))""", re.IGNORECASE
)
_EXPLICIT_ID = re.compile(
    r"\{[^{}\n]{0,200}?#([^\s{}]{1,200})[^{}\n]{0,200}\}|^\(([^()\n]{1,200})\)=", re.MULTILINE
)
_LINK_TARGET = re.compile(r"\]\([^()\n]{0,500}\)")
_HEADING_ATTRIBUTES = re.compile(r"\{[^{}]{0,200}\}[ \t]*$")
_NUMBERING_CHARACTERS = "0123456789 .)("
_ID_SUFFIX = re.compile(r"[-_]\d{1,4}$")  # of a repeated heading
_ALWAYS_VALID_FRAGMENTS = {"", "top"}


def is_local(url: str) -> bool:
    """Whether a link leads to a file or section, not to another server."""
    return not (_SCHEME.match(url) or url.startswith(("//", "\\")) or _TEMPLATE.search(url))


def check_local(
    places: Iterable[LinkPlace], *, root: Path, site: Path | None, check_fragments: bool
) -> list[LinkFinding]:
    """Return a finding for each broken local link in Markdown, HTML, CSS and Jupyter files.

    `root` is the folder of the places' files; links that leave it are skipped. `site` is the folder
    for links that begin with /; if it is None, these are skipped, too.
    """
    findings = []
    for place in places:
        if is_local(place.url) and kind_of(place.file) in _CHECKED_KINDS:
            sentence = _problem(place, root=root, site=site, check_fragments=check_fragments)
            if sentence:
                findings.append(
                    LinkFinding(
                        place=place,
                        canonical_url=place.url,
                        rule=FindingRule.NO_FILE,
                        is_error=True,
                        verdict=sentence,
                    )
                )
    return findings


def _problem(place: LinkPlace, *, root: Path, site: Path | None, check_fragments: bool) -> str:
    path, _, fragment = place.url.partition("#")
    path = unquote(path.partition("?")[0])
    if "\0" in path:
        return "The path contains a NUL character."
    if path.startswith("/"):
        if site is None:
            return ""
        destination = site / path.lstrip("/")
    else:
        destination = root / place.file if not path else (root / place.file).parent / path
    destination = _normalize(destination)
    if not destination.is_relative_to(_normalize(root)):
        return ""
    page = _find_page(destination)
    if page is None:
        return f"The file {_display_path(destination, root)} does not exist."
    if check_fragments and not _has_section(page, unquote(fragment)):
        return f"{_display_path(page, root)} has no section #{unquote(fragment)}."
    return ""


def _normalize(path: Path) -> Path:
    """Resolve `..` as in a link, without following symlinks."""
    parts: list[str] = []
    for part in path.absolute().parts:
        if part == "..":
            parts = parts[:-1] or parts
        else:
            parts.append(part)
    return Path(*parts)


def _display_path(path: Path, root: Path) -> str:
    try:
        return path.relative_to(_normalize(root)).as_posix()
    except ValueError:
        return path.name


def _find_page(destination: Path) -> Path | None:
    """Return the file or folder at a path, or else the source of the page there, or else None."""
    try:
        if destination.exists():
            return destination
        stems = [destination.with_suffix("")] if destination.suffix in (".html", ".htm") else []
        for stem in [destination, *stems]:
            for suffix in _PAGE_SUFFIXES:
                page = stem.with_name(stem.name + suffix)
                if stem.name and page.is_file():
                    return page
    except (OSError, ValueError):  # an impossible file name
        pass
    return None


def _has_section(page: Path, fragment: str) -> bool:
    kind = kind_of(page.name)
    if fragment.lower() in _ALWAYS_VALID_FRAGMENTS or fragment.startswith((":~:", "/", "!")):
        return True
    if kind not in ("markdown", "html") or not page.is_file():
        return True
    exact, loose = _sections(page)
    if fragment in exact or fragment.removeprefix("user-content-") in exact:
        return True
    if kind == "html":
        return False
    return _loose_form(fragment) in loose or _loose_form(_ID_SUFFIX.sub("", fragment)) in loose


@lru_cache(maxsize=256)
def _sections(page: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the exact ids of a page, and its headings in a form common to all renderers.

    Renderers make ids from headings in different ways; all keep letters and digits.
    """
    with page.open("rb") as file:
        text = file.read(_MAX_BYTES).decode("utf-8", errors="replace").replace("\r\n", "\n")
    exact = {next(filter(None, match.groups()), "") for match in _ID_ATTRIBUTE.finditer(text)}
    if kind_of(page.name) == "html":
        return frozenset(exact), frozenset()
    exact |= {match[1] or match[2] for match in _EXPLICIT_ID.finditer(text)}
    headings = [match[1] for pattern in (_HEADING, _UNDERLINED) for match in pattern.finditer(text)]
    loose = set()
    for heading in headings:
        plain = _LINK_TARGET.sub("]", _HEADING_ATTRIBUTES.sub("", heading))
        variants = (heading, plain, _ascii(plain), plain.lstrip(_NUMBERING_CHARACTERS))
        loose |= {_loose_form(variant) for variant in variants}
    return frozenset(exact), frozenset(loose | {_loose_form(id_) for id_ in exact})


def _loose_form(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
