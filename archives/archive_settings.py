"""Parses the settings ARCHIVES and ARCHIVE_SAVES: the web archives to ask. Pure.

An archive is `wayback`, or a protocol with its address: `cdx INDEX REPLAY`, `timegate ADDRESS`,
`timemap ADDRESS`. The service of ARCHIVE_SAVES is `wayback` or `SAVE REPLAY`. Sources: RFC 7089
(Memento); the CDX server API of the Wayback Machine; its Save Page Now 2 API.
"""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

SAVES = "save"  # the kind of a service that saves pages
_WAYBACK = "cdx https://web.archive.org/cdx/search/cdx https://web.archive.org/web/"
_SAVES_OF_WAYBACK = "https://web.archive.org/save https://web.archive.org/web/"
_ADDRESSES = {"cdx": 2, "timegate": 1, "timemap": 1, SAVES: 2}  # by kind
_LONGEST = 500  # characters of an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A web archive and how to query it."""

    kind: str  # cdx, timegate, timemap or SAVES
    address: str  # of the index; a page's URL is appended
    replay: str = ""  # of `cdx` and SAVES: base URL of captures

    @property
    def name(self) -> str:
        """The archive's host, which also names its budget. A saving service has its own."""
        host = urlsplit(self.replay or self.address).netloc
        return f"{SAVES}:{host}" if self.kind == SAVES else host

    @property
    def replaying(self) -> "Archive":
        """The archive that the service saves to, with the budget of other requests."""
        return replace(self, kind="cdx")

    @property
    def hosts(self) -> list[str]:
        """The hosts to which URLs are disclosed."""
        return [urlsplit(one).netloc for one in (self.address, self.replay) if one]


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
    """Return the service of `wayback` or `SAVE REPLAY`, two addresses; None for nothing.

    Raises ValueError.
    """
    text = text.strip()
    if not text:
        return None
    return _parse(f"{SAVES} {_SAVES_OF_WAYBACK if text == 'wayback' else text}")


def _parse(item: str) -> Archive:
    kind, *addresses = item.split()
    if len(addresses) != _ADDRESSES.get(kind):
        raise ValueError(f"{item[:100]!r} is not an archive")
    for address in addresses:
        parts = urlsplit(address)
        is_plain = parts.scheme in ("http", "https") and parts.hostname and not parts.fragment
        if not is_plain or "@" in parts.netloc or len(address) > _LONGEST or not address.isascii():
            raise ValueError(f"{address[:100]!r} is not the address of an archive")
    replay = f"{addresses[1].removesuffix('/')}/" if len(addresses) > 1 else ""
    return Archive(kind=kind, address=addresses[0], replay=replay)
