"""The registrable domain of a host, according to the public suffix list."""

import functools

from publicsuffixlist import PublicSuffixList

_MAX_NAME = 253  # characters of a name. Source: RFC 1035, 3.1


@functools.lru_cache(maxsize=4096)
def registrable_domain(host: str | None) -> str:
    """Return the registrable domain of a host: `example.co.uk` for `a.example.co.uk`.

    Addresses, public suffixes and names that are too long are returned without a trailing dot or
    brackets, but otherwise unchanged; None becomes an empty string.
    """
    host = (host or "").rstrip(".").strip("[]")
    if len(host) > _MAX_NAME or ":" in host or host.replace(".", "").isdigit():
        return host
    return _suffixes().privatesuffix(host) or host


@functools.cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffix list, loaded lazily because this takes a tenth of a second."""
    return PublicSuffixList(accept_unknown=True)
