"""The web archives of the setting ARCHIVES. Pure.

An archive is `wayback`, or a kind of server with its address: `cdx INDEX REPLAY`, `timegate
ADDRESS`, `timemap ADDRESS`. Sources: RFC 7089 (Memento); the CDX server API of the Wayback Machine.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

_WAYBACK = "cdx https://web.archive.org/cdx/search/cdx https://web.archive.org/web/"
_ADDRESSES = {"cdx": 2, "timegate": 1, "timemap": 1}  # by kind
_LONGEST = 500  # characters of an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A web archive and the way to ask it."""

    kind: str  # cdx, timegate or timemap
    address: str  # of the index; a page's URL is appended
    replay: str = ""  # of `cdx`: base URL of captures

    @property
    def name(self) -> str:
        """The archive's host; its budget has this name, too."""
        return urlsplit(self.replay or self.address).netloc

    @property
    def hosts(self) -> list[str]:
        """The hosts that get to know the URLs."""
        return [urlsplit(one).netloc for one in (self.address, self.replay) if one]


def parse_archives(text: str) -> list[Archive]:
    """Return the archives of a list such as `wayback, timegate https://archive.example/web/`.

    Raises ValueError.
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    archives = [_parse(_WAYBACK if item == "wayback" else item) for item in items]
    names = [archive.name for archive in archives]
    if len(set(names)) < len(names):
        raise ValueError("an archive is named twice")
    return archives


def _parse(item: str) -> Archive:
    kind, *addresses = item.split()
    if len(addresses) != _ADDRESSES.get(kind):
        raise ValueError(f"{item[:100]!r} is not an archive")
    for address in addresses:
        parts = urlsplit(address)
        is_plain = parts.scheme in ("http", "https") and parts.hostname and not parts.fragment
        if not is_plain or "@" in parts.netloc or len(address) > _LONGEST or not address.isascii():
            raise ValueError(f"{address[:100]!r} is not the address of an archive")
    replay = f"{addresses[1].removesuffix('/')}/" if kind == "cdx" else ""
    return Archive(kind=kind, address=addresses[0], replay=replay)
