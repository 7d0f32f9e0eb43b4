"""Links to files in the same tree and to their sections, checked without a server."""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from linkwatch_client.extraction import UnreadableFile, kind_of, text_of
from linkwatch_client.findings import FindingRule, LinkFinding, LinkPlace

# In files of other kinds, a link without a scheme need not be a path.
_CHECKED_KINDS = {"markdown", "html", "css", "jupyter"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}:")
_TEMPLATE = re.compile(r"[{}<>$|*\\]|%[^0-9A-Fa-f]")
_OTHER_BASES = ("//", "\\", "~", "@")  # other hosts and drives, and aliases of bundlers
# Sources from which site generators make pages.
_PAGE_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".htm", ".ipynb")
_MAX_BYTES = 8 * 1024 * 1024
# Also in quotations and lists.
_HEADING = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*#{1,6}[ \t]+(.+)$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"^ {0,3}(\S.*(?:\n[ \t]*\S.*){0,3}?)\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE
)
_HEADING_TAG = re.compile(r"</?h[1-6]\b[^<>]{0,500}>", re.IGNORECASE)
_ID_ATTRIBUTE = re.compile(
    r"""\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'=]+))""", re.IGNORECASE
)
_EXPLICIT_ID = re.compile(
    r"\{(?:[^{}\n#]|#(?=\s)){0,200}#([^\s{}]{1,200})(?=[\s}])[^{}\n]{0,200}\}"
    r"|^\(([^()\n]{1,200})\)=",
    re.MULTILINE,
)
# What a heading does not show: comments, tags, images, and the destinations of links.
_HIDDEN = re.compile(
    r"<!--[^<>]{0,500}-->|<[^<>]{1,500}>"
    r"|(?:!\[[^\[\]]{0,500}\]|(?<=\]))(?:\((?:[^()]|\([^()]{0,500}\)){0,500}\)|\[[^\[\]]{0,500}\])"
)
_HEADING_ATTRIBUTES = re.compile(r"\{[^{}]{0,200}\}[ \t]*$")
_NUMBERING_CHARACTERS = "0123456789 .)("
_ID_SUFFIX = re.compile(r"[-_]\d{1,4}$")  # of a repeated heading
_ALWAYS_VALID_FRAGMENTS = {"", "top"}
_LINE_NUMBERS = re.compile(r"L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?")  # of a file's source


def is_local(url: str) -> bool:
    """Whether a link leads to a file or section, not to another server."""
    return not (_SCHEME.match(url) or url.startswith(_OTHER_BASES) or _TEMPLATE.search(url))


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
        if kind_of(place.file) == "css" and _may_be_package(path, (root / place.file).parent):
            return ""
        return f"The file {_display_path(destination, root)} does not exist."
    if check_fragments and not _has_section(page, unquote(fragment)):
        return f"{_display_path(page, root)} has no section #{unquote(fragment)}."
    return ""


def _may_be_package(path: str, folder: Path) -> bool:
    """Whether a bundler may find a style sheet in a package, such as `bootstrap/dist/main.css`."""
    parts = PurePosixPath(path).parts
    is_plain = not path.startswith((".", "/")) and PurePosixPath(path).suffix in ("", ".css")
    return is_plain and not (len(parts) > 1 and (folder / parts[0]).is_dir())


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
    if _LINE_NUMBERS.fullmatch(fragment) or page.stat().st_size > _MAX_BYTES:
        return True
    try:
        exact, loose = _sections(page)
    except (OSError, UnreadableFile):
        return True
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
        text = text_of(file.read(_MAX_BYTES))
    exact = {next(filter(None, match.groups()), "") for match in _ID_ATTRIBUTE.finditer(text)}
    if kind_of(page.name) == "html":
        return frozenset(exact), frozenset()
    exact |= {match[1] or match[2] for match in _EXPLICIT_ID.finditer(text)}
    loose = set()
    for heading in _headings(text):
        plain = html.unescape(_HIDDEN.sub("", _HEADING_ATTRIBUTES.sub("", heading)))
        variants = (heading, plain, _ascii(plain), plain.lstrip(_NUMBERING_CHARACTERS))
        loose |= {_loose_form(variant) for variant in variants}
    return frozenset(exact), frozenset(loose | {_loose_form(id_) for id_ in exact})


def _headings(text: str) -> Iterator[str]:
    """Yield the headings of a Markdown file as they are written, and some other lines."""
    for match in _HEADING.finditer(text):
        yield match[1]
    for match in _UNDERLINED.finditer(text):
        lines = match[1].split("\n")
        yield from ("".join(lines[start:]) for start in range(len(lines)))
    # Every second part is between an opening and a closing tag.
    yield from _HEADING_TAG.split(text)[1::2]


def _loose_form(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
