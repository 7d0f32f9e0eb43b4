"""Reading of certificates: who issued one and when it is valid, verified or not.

Python's own ssl decodes verified certificates only, and the others are what VERIFY_TLS=warn is for.
Its fields stand at fixed places of RFC 5280's structure, so a walk over its DER finds them.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_ISSUER, _VALIDITY = 3, 4  # places in tbsCertificate, after the version: serial, algorithm, …
_VERSION = 0xA0  # the tag of the optional version
_UTC_TIME = 0x17
_BMP_STRING = 0x1E
_COMMON_NAME, _ORGANIZATION = b"\x55\x04\x03", b"\x55\x04\x0a"  # 2.5.4.3 and 2.5.4.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What is told of a server's certificate."""

    issuer: str  # common name and organisation, in the issuer's own words
    expires_at: datetime  # UTC
    valid_from: datetime | None = None  # UTC

    def expires_within(self, warning: timedelta, *, now: datetime) -> bool:
        """Tell whether it ends within `warning`, and in the last third of its life.

        Programs renew then: a certificate that lives six days is not late for that alone.
        """
        left = self.expires_at - now
        life = None if self.valid_from is None else self.expires_at - self.valid_from
        return left < warning and (life is None or left < life / 3)


def read_certificate(der: bytes) -> Certificate | None:
    """Return issuer and expiry of a certificate, or None for one that cannot be read."""
    try:
        [(_, certificate)] = _elements(der)
        fields = _elements(_elements(certificate)[0][1])
        fields = fields if fields[0][0] == _VERSION else [(_VERSION, b""), *fields]
        since, until = _elements(fields[_VALIDITY][1])
        return Certificate(
            issuer=_name(fields[_ISSUER][1]), expires_at=_time(*until), valid_from=_time(*since)
        )
    except (ValueError, IndexError):
        return None


def _elements(data: bytes) -> list[tuple[int, bytes]]:
    """Return the (tag, content) of each element in `data`. Raises ValueError, IndexError."""
    found = []
    while data:
        tag, length, start = data[0], data[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[2:start], "big")
        if start + length > len(data):
            raise ValueError("an element is cut off")
        found.append((tag, data[start : start + length]))
        data = data[start + length :]
    return found


def _name(data: bytes) -> str:
    """Return the common name and the organisation of a Name, as far as it has them."""
    words: dict[bytes, str] = {}
    for _, entries in _elements(data):
        for _, entry in _elements(entries):
            (_, kind), (tag, value) = _elements(entry)
            codec = "utf-16-be" if tag == _BMP_STRING else "utf-8"
            words.setdefault(kind, value.decode(codec, "replace"))
    return ", ".join(words[kind] for kind in (_COMMON_NAME, _ORGANIZATION) if kind in words)


def _time(tag: int, value: bytes) -> datetime:
    """Return a UTCTime (two digits of the year, 1950 to 2049) or a GeneralizedTime."""
    text = value.decode("ascii")
    if tag == _UTC_TIME:
        text = ("20" if text < "50" else "19") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
