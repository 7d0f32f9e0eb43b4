"""The identity of a page, stored to detect later whether another page has replaced it."""

import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Self
from urllib.parse import urlsplit

from checker.engine.certificate import Certificate
from checker.engine.domains import registrable
from checker.engine.gone_words import fold
from checker.engine.page import FetchedPage

_MAX_TITLE = 200  # characters
_MAX_FEATURES = 1500  # words of a text
_FEWEST = 12  # words; shorter texts can't be compared
# Words, and pairs of letters where there are no spaces between words.
_FEATURE = re.compile(
    r"[\u0e00-\u0eff\u1100-\u11ff\u2e80-\uffff]{1,2}|[^\W\u0e00-\u0eff\u1100-\uffff]+"
)
_WORD = re.compile(r"[^\W_]{4,}|[\u2e80-\uffff]{2}")
_COMMON_WORDS = frozenset(
    {
        "home",
        "page",
        "site",
        "website",
        "welcome",
        "online",
        "official",
        "best",
        "news",
        "free",
        "with",
        "from",
        "your",
        "this",
        "that",
        "about",
        "blog",
        "index",
        "start",
        "willkommen",
        "startseite",
        "accueil",
        "bienvenue",
        "inicio",
        "bienvenidos",
        "главная",
    }
)
# Two versions of one page differ in up to 10 bits, unrelated texts in about 32.
_FAR, _VERY_FAR = 14, 16
_ALIKE = 0.6  # share of words that two pages have in common
SAME_BITS = 10  # bits by which two versions of a page may differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A page as it was last seen without any sign of a problem."""

    title: str
    domain: str  # registrable
    simhash: int | None  # of the text; None if it is too short
    language: str  # as declared by the page, such as `en`; empty if undeclared
    issuer: str  # of the certificate; empty without one
    name: str = ""  # the title as written, for people

    def as_json(self) -> dict[str, Any]:
        """Return a value for a JSON column; the simhash is text (64 bits)."""
        return asdict(self) | {"simhash": None if self.simhash is None else f"{self.simhash:016x}"}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any] | None) -> Self | None:
        """Return the identity from the value of `as_json`; None for None."""
        if kept is None:
            return None
        simhash = kept["simhash"]
        return cls(**{**kept, "simhash": None if simhash is None else int(simhash, 16)})


def identify(
    page: FetchedPage, *, url: str, certificate: Certificate | None, known: Identity | None
) -> Identity:
    """Return a page's identity. The text is read only if title or domain differ from `known`."""
    title = _storable(fold(page.title))
    domain = registrable(urlsplit(url).hostname)
    unchanged = known is not None and (known.title, known.domain) == (title, domain)
    return Identity(
        title=title,
        domain=domain,
        simhash=known.simhash if known is not None and unchanged else simhash(page.text),
        language=page.language,
        issuer=_storable(certificate.issuer) if certificate else "",
        name=_storable(page.written_title),
    )


def is_still(known: Identity, page: FetchedPage, *, url: str) -> bool:
    """Return whether a page is the known one, by title, domain and text."""
    if known.simhash is None or not known.title or _storable(fold(page.title)) != known.title:
        return False
    now = simhash(page.text) if registrable(urlsplit(url).hostname) == known.domain else None
    return now is not None and (known.simhash ^ now).bit_count() <= SAME_BITS


def changed_owner(known: Identity, now: Identity) -> str | None:
    """Return the changes that together suggest another owner; None if they do not.

    Requires a new title without a word of the old one, and another text. The texts may differ less
    if language, domain or issuer changed as well; all three must change if the texts are too short
    to compare.
    """
    if not known.title or not now.title or _have_words_in_common(known.title, now.title):
        return None
    others = [
        name
        for name, before, after in (
            ("language", known.language, now.language),
            ("domain", known.domain, now.domain),
            ("issuer", known.issuer, now.issuer),
        )
        if before and after and before != after
    ]
    changed = ["title", *others]
    if known.simhash is None or now.simhash is None:
        return f"changed: {', '.join(changed)}" if len(others) > 1 else None
    distance = (known.simhash ^ now.simhash).bit_count()
    if distance < (_FAR if others else _VERY_FAR):
        return None
    return f"changed: {', '.join([*changed, 'text'])}"


def _storable(text: str) -> str:
    """Return text that any database can store: without control characters and lone surrogates."""
    return "".join(letter for letter in text[:_MAX_TITLE] if letter.isprintable())


def _have_words_in_common(one: str, other: str) -> bool:
    words = set(_WORD.findall(one)) - _COMMON_WORDS
    return not words.isdisjoint(_WORD.findall(other))


def are_alike(one: str, other: str, *, least: float = _ALIKE) -> bool:
    """Return whether two texts are the same, except for words of each page's own URL."""
    first, second = set(_features(one)), set(_features(other))
    return len(first & second) >= least * len(first | second)


def simhash(text: str) -> int | None:
    """Return 64 bits, most of which are equal for similar texts; None for a text that is too short.

    Source: Charikar 2002; Manku, Jain and Das Sarma 2007.
    """
    features = set(_features(text))
    if len(features) < _FEWEST:
        return None
    words = [feature.encode("utf-8", "replace") for feature in features]
    # Two checksums with different starts: a keyed hash would be slower and no better here.
    high = _set_in_most([zlib.crc32(word) for word in words])
    return high << 32 | _set_in_most([zlib.crc32(word, 0x9E3779B9) for word in words])


def _set_in_most(checksums: Sequence[int]) -> int:
    """Return the 32 bits that more than half of the checksums have set."""
    count = len(checksums)
    packed, ones = struct.pack(f"<{count}I", *checksums), int.from_bytes(b"\1" * count)
    found = 0
    for place in range(4):
        column = int.from_bytes(packed[place::4])  # one byte of each checksum
        for bit in range(8):
            if 2 * (column >> bit & ones).bit_count() > count:
                found |= 1 << (8 * place + bit)
    return found


def _features(text: str) -> Iterable[str]:
    return (found[0] for found in islice(_FEATURE.finditer(text), _MAX_FEATURES))
