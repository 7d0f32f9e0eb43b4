"""The holdings of a web archive in tests: snapshots of pages by their URLs."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha1


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The site's answer at a certain time."""

    at: datetime
    body: bytes = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    location: str = ""
    is_revisit: bool = False  # the archive only noted that the body was unchanged

    @property
    def stamp(self) -> str:
        return f"{self.at:%Y%m%d%H%M%S}"

    @property
    def digest(self) -> str:
        return sha1(self.body, usedforsecurity=False).hexdigest().upper()

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", self.kind), *([("Location", self.location)] * bool(self.location))]


@dataclass(slots=True)
class Holdings:
    """All snapshots of an archive."""

    by_url: dict[str, list[Snapshot]] = field(default_factory=lambda: defaultdict(list))

    def add(self, url: str, *snapshots: Snapshot) -> None:
        self.by_url[url] = sorted([*self.by_url[url], *snapshots], key=lambda one: one.at)

    def of(self, url: str) -> list[Snapshot]:
        return self.by_url.get(url, [])

    def closest(self, url: str, stamp: str) -> Snapshot | None:
        """Return the snapshot nearest to a time, before or after it, as archives do."""
        wanted = datetime.strptime(f"{stamp:0<14}+0000", "%Y%m%d%H%M%S%z")
        return min(self.of(url), key=lambda one: abs(one.at - wanted), default=None)

    def __iter__(self) -> Iterator[tuple[str, Snapshot]]:
        return ((url, one) for url, snapshots in self.by_url.items() for one in snapshots)
