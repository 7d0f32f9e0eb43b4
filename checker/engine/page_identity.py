"""The identity of a page, stored to detect later whether another page has replaced it."""

import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Self

from checker.engine.certificate import Certificate
from checker.engine.domains import registrable_domain
from checker.engine.gate import host_of
from checker.engine.gone_words import fold
from checker.engine.page import FetchedPage

_MAX_TITLE = 200  # characters
_MAX_FEATURES = 1500  # words of a page's text
_MIN_FEATURES = 12  # words; shorter text can't be compared
# Words, and pairs of letters in scripts without spaces between words.
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
# Two versions of one page differ in up to 10 bits, unrelated pages in about 32. Text counts as
# different from these numbers of bits: if something else changed as well, and if nothing else did.
_MIN_DISTANCE, _MIN_DISTANCE_ALONE = 14, 16
_MIN_SHARE = 0.6  # share of words that two pages have in common
MAX_DIFFERENT_BITS = 10  # bits by which two versions of a page may differ


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
    def from_json(cls, stored: Mapping[str, Any] | None) -> Self | None:
        """Return the identity from the value of `as_json`; None for None."""
        if stored is None:
            return None
        simhash = stored["simhash"]
        return cls(**{**stored, "simhash": None if simhash is None else int(simhash, 16)})


def identify(
    page: FetchedPage, *, url: str, certificate: Certificate | None, known: Identity | None
) -> Identity:
    """Return a page's identity. The text is read only if title or domain differ from `known`."""
    title = _storable(fold(page.title))
    domain = registrable_domain(host_of(url))
    unchanged = known is not None and (known.title, known.domain) == (title, domain)
    return Identity(
        title=title,
        domain=domain,
        simhash=known.simhash if known is not None and unchanged else simhash(page.text),
        language=page.language,
        issuer=_storable(certificate.issuer) if certificate else "",
        name=_storable(page.written_title),
    )


def is_known_page(known: Identity, page: FetchedPage, *, url: str) -> bool:
    """Return whether a page is the known one, by title, domain and text."""
    if known.simhash is None or not known.title or _storable(fold(page.title)) != known.title:
        return False
    is_same_site = registrable_domain(host_of(url)) == known.domain
    current = simhash(page.text) if is_same_site else None
    return current is not None and (known.simhash ^ current).bit_count() <= MAX_DIFFERENT_BITS


def signs_of_new_owner(known: Identity, current: Identity) -> str | None:
    """Return the changes that together suggest a new owner; None if they do not.

    Requires a new title without a word of the old one, and different text. The text may differ less
    if language, domain or issuer changed as well. If it is too short to compare, at least two of
    these must have changed.
    """
    if not known.title or not current.title or _have_words_in_common(known.title, current.title):
        return None
    others = [
        name
        for name, before, after in (
            ("language", known.language, current.language),
            ("domain", known.domain, current.domain),
            ("issuer", known.issuer, current.issuer),
        )
        if before and after and before != after
    ]
    changed = ["title", *others]
    if known.simhash is None or current.simhash is None:
        return f"changed: {', '.join(changed)}" if len(others) > 1 else None
    distance = (known.simhash ^ current.simhash).bit_count()
    if distance < (_MIN_DISTANCE if others else _MIN_DISTANCE_ALONE):
        return None
    return f"changed: {', '.join([*changed, 'text'])}"


def _storable(text: str) -> str:
    """Return the first 200 characters of text, without unprintable ones.

    Some databases can't store some of the unprintable characters.
    """
    text = text[:_MAX_TITLE]
    return text if text.isprintable() else "".join(filter(str.isprintable, text))


def _have_words_in_common(title: str, other_title: str) -> bool:
    words = set(_WORD.findall(title)) - _COMMON_WORDS
    return not words.isdisjoint(_WORD.findall(other_title))


def are_alike(text: str, other_text: str, *, min_share: float = _MIN_SHARE) -> bool:
    """Return whether the two have at least `min_share` of their distinct words in common."""
    first, second = set(_features(text)), set(_features(other_text))
    return len(first & second) >= min_share * len(first | second)


def simhash(text: str) -> int | None:
    """Return 64 bits, most of which are equal for similar text; None if the text is too short.

    Source: Charikar 2002; Manku, Jain and Das Sarma 2007.
    """
    features = set(_features(text))
    if len(features) < _MIN_FEATURES:
        return None
    words = [feature.encode("utf-8", "replace") for feature in features]
    # Two checksums with different starts: a keyed hash would be slower and no better here.
    high = _majority_bits([zlib.crc32(word) for word in words])
    return high << 32 | _majority_bits([zlib.crc32(word, 0x9E3779B9) for word in words])


def _majority_bits(checksums: Sequence[int]) -> int:
    """Return the 32 bits that more than half of the checksums have set."""
    count = len(checksums)
    packed, ones = struct.pack(f"<{count}I", *checksums), int.from_bytes(b"\1" * count)
    bits = 0
    for offset in range(4):
        column = int.from_bytes(packed[offset::4])  # one byte of each checksum
        for bit in range(8):
            if 2 * (column >> bit & ones).bit_count() > count:
                bits |= 1 << (8 * offset + bit)
    return bits


def _features(text: str) -> Iterable[str]:
    return (match[0] for match in islice(_FEATURE.finditer(text), _MAX_FEATURES))
