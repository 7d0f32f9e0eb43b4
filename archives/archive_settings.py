"""Parses the settings ARCHIVES and ARCHIVE_SAVES: the web archives to query. Pure.

An archive is `wayback`, or a protocol with its URLs: `cdx INDEX REPLAY`, `timegate ADDRESS`,
`timemap ADDRESS`. The service of ARCHIVE_SAVES is `wayback` or `SAVE REPLAY`. Sources: RFC 7089
(Memento); the CDX server API of the Wayback Machine; its Save Page Now 2 API.
"""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

SAVES = "save"  # the kind of a service that saves pages
_WAYBACK = "cdx https://web.archive.org/cdx/search/cdx https://web.archive.org/web/"
_WAYBACK_SAVE_SERVICE = "https://web.archive.org/save https://web.archive.org/web/"
_URL_COUNTS = {"cdx": 2, "timegate": 1, "timemap": 1, SAVES: 2}  # by kind
_MAX_URL = 500  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A web archive and how to query it."""

    kind: str  # cdx, timegate, timemap or SAVES
    # The index (cdx), the prefix of a page's URL (timegate, timemap), or the endpoint (SAVES).
    url: str
    replay: str = ""  # of `cdx` and SAVES: base URL of captures

    @property
    def name(self) -> str:
        """The archive's host, which names its budget. `save:` precedes it for a save service."""
        host = urlsplit(self.replay or self.url).netloc
        return f"{SAVES}:{host}" if self.kind == SAVES else host

    @property
    def replay_archive(self) -> "Archive":
        """The archive that the service saves to; requests to it count against its budget."""
        return replace(self, kind="cdx")

    @property
    def hosts(self) -> list[str]:
        """The hosts to which URLs are disclosed."""
        return [urlsplit(url).netloc for url in (self.url, self.replay) if url]


def parse_archives(text: str) -> list[Archive]:
    """Return the archives of a list such as `wayback, timegate https://archive.example/web/`.

    Raises ValueError.
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    if any(item.split()[0] == SAVES for item in items):
        raise ValueError(f"{SAVES!r} is not an archive")
    archives = [_parse(_WAYBACK if item == "wayback" else item) for item in items]
    names = [archive.name for archive in archives]
    if len(set(names)) < len(names):
        raise ValueError("an archive is named twice")
    return archives


def parse_save_service(text: str) -> Archive | None:
    """Return the service of `wayback` or `SAVE REPLAY` (two URLs); None for an empty setting.

    Raises ValueError.
    """
    text = text.strip()
    if not text:
        return None
    return _parse(f"{SAVES} {_WAYBACK_SAVE_SERVICE if text == 'wayback' else text}")


def _parse(item: str) -> Archive:
    kind, *urls = item.split()
    if len(urls) != _URL_COUNTS.get(kind):
        raise ValueError(f"{item[:100]!r} is not an archive")
    for url in urls:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("http", "https") and parts.hostname and not parts.fragment
        if not is_plain or "@" in parts.netloc or len(url) > _MAX_URL or not url.isascii():
            raise ValueError(f"{url[:100]!r} is not the address of an archive")
    replay = f"{urls[1].removesuffix('/')}/" if len(urls) > 1 else ""
    return Archive(kind=kind, url=urls[0], replay=replay)
