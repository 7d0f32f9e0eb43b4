"""Reads certificates, verified or not: their issuer, dates and link to the issuer's certificate.

Python's ssl decodes verified certificates only; VERIFY_TLS=warn needs the others, too. The fields
have fixed positions in the structure of RFC 5280, so a walk over its DER finds them.
"""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MAX_BYTES = 32 * 1024  # of a certificate: enough for a thousand names
# Positions in tbsCertificate, after the version: serial, algorithm, …
_ISSUER, _VALIDITY, _SUBJECT = 3, 4, 5
_VERSION = 0xA0  # the tag of the optional version
_UTC_TIME = 0x17
_BMP_STRING = 0x1E
_EXTENSIONS = 0xA3
_SUBJECT_ALT_NAME = b"\x55\x1d\x11"  # 2.5.29.17, subjectAltName
_AUTHORITY_INFO_ACCESS = b"\x2b\x06\x01\x05\x05\x07\x01\x01"  # 1.3.6.1.5.5.7.1.1
_CA_ISSUERS = b"\x2b\x06\x01\x05\x05\x07\x30\x02"  # 1.3.6.1.5.5.7.48.2
_DNS_NAME, _URI, _ADDRESS = 0x82, 0x86, 0x87  # kinds of names
_COMMON_NAME, _ORGANIZATION = b"\x55\x04\x03", b"\x55\x04\x0a"  # 2.5.4.3 and 2.5.4.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A server's certificate."""

    issuer: str  # common name and organization, as the certificate states them
    expires_at: datetime  # UTC
    valid_from: datetime | None = None  # UTC

    def expires_within(self, warning: timedelta, *, now: datetime) -> bool:
        """Return whether it expires within `warning`, and is in the last third of its lifetime.

        ACME clients renew certificates then, so a six-day certificate is not late merely because
        its lifetime is short. If `valid_from` is unknown, only `warning` counts.
        """
        remaining = self.expires_at - now
        lifetime = None if self.valid_from is None else self.expires_at - self.valid_from
        return remaining < warning and (lifetime is None or remaining < lifetime / 3)


def read_certificate(der: bytes) -> Certificate | None:
    """Return the issuer and dates of a certificate, or None if it cannot be read."""
    try:
        fields = _fields(der)
        since, until = _elements(fields[_VALIDITY][1])
        return Certificate(
            issuer=_name(fields[_ISSUER][1]), expires_at=_time(*until), valid_from=_time(*since)
        )
    except (ValueError, IndexError):
        return None


def leads_to_issuer(der: bytes, *, host: str, now: datetime) -> bool:
    """Return whether this is a valid certificate for `host` with a URL of its issuer's certificate.

    `host` is ASCII without brackets. Self-signed certificates do not count. With the URL, browsers
    can fetch the issuer's certificate, which the server left out. This does not prove who signed
    the certificate: such a server may be checked, but gets no secrets.
    """
    try:
        fields = _fields(der)
        since, until = _elements(fields[_VALIDITY][1])
        if fields[_ISSUER] == fields[_SUBJECT] or not _time(*since) <= now <= _time(*until):
            return False
        extensions = dict(_extensions(fields))
        [(_, names)] = _elements(extensions.get(_SUBJECT_ALT_NAME, b""))
        [(_, descriptions)] = _elements(extensions.get(_AUTHORITY_INFO_ACCESS, b""))
        names_host = any(_is_name_of(host, kind, name) for kind, name in _elements(names))
        return names_host and any(_is_issuer_location(each) for _, each in _elements(descriptions))
    except (ValueError, IndexError):
        return False


def _fields(der: bytes) -> list[tuple[int, bytes]]:
    if len(der) > MAX_BYTES:
        raise ValueError("the certificate is too long")
    [(_, certificate)] = _elements(der)
    fields = _elements(_elements(certificate)[0][1])
    return fields if fields[0][0] == _VERSION else [(_VERSION, b""), *fields]


def _extensions(fields: list[tuple[int, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    for tag, content in fields:
        if tag == _EXTENSIONS:
            for _, extension in _elements(_elements(content)[0][1]):
                (_, kind), *_, (_, value) = _elements(extension)
                yield kind, value


def _is_name_of(host: str, kind: int, name: bytes) -> bool:
    """Return whether a name in a certificate is that of `host`. Source: RFC 6125, 6.4."""
    if kind == _ADDRESS:
        try:
            return ipaddress.ip_address(host).packed == name
        except ValueError:
            return False
    if kind != _DNS_NAME:
        return False
    expected, pattern = host.lower().rstrip("."), name.decode("latin-1").lower()
    if pattern.startswith("*.") and pattern.count(".") > 1:
        return expected.partition(".")[2] == pattern[2:]
    return expected == pattern


def _is_issuer_location(description: bytes) -> bool:
    """Return whether an access description is the location of the issuer's certificate."""
    (_, method), (kind, url) = _elements(description)
    return method == _CA_ISSUERS and kind == _URI and url.lower().startswith(b"http")


def _elements(data: bytes) -> list[tuple[int, bytes]]:
    """Return the (tag, content) of each element in `data`. Raises ValueError, IndexError."""
    elements, position = [], 0
    while position < len(data):
        tag, length, start = data[position], data[position + 1], position + 2
        if length & 0x80:
            position, start = start, start + (length & 0x7F)
            length = int.from_bytes(data[position:start], "big")
        position = start + length
        if position > len(data):
            raise ValueError("an element is cut off")
        elements.append((tag, data[start:position]))
    return elements


def _name(data: bytes) -> str:
    """Return the common name and the organization of a Name; empty if it has neither."""
    values: dict[bytes, str] = {}
    for _, entries in _elements(data):
        for _, entry in _elements(entries):
            (_, kind), (tag, value) = _elements(entry)
            codec = "utf-16-be" if tag == _BMP_STRING else "utf-8"
            values.setdefault(kind, value.decode(codec, "replace"))
    return ", ".join(values[kind] for kind in (_COMMON_NAME, _ORGANIZATION) if kind in values)


def _time(tag: int, value: bytes) -> datetime:
    """Return the time of a UTCTime (a two-digit year, 1950 to 2049) or a GeneralizedTime.

    Raises ValueError.
    """
    text = value.decode("ascii")
    if tag == _UTC_TIME:
        text = ("20" if text < "50" else "19") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
