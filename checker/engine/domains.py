"""The registrable domain of a host, by the public suffix list in `publicsuffixlist`."""

import functools

from publicsuffixlist import PublicSuffixList

_MAX_NAME = 253  # characters of a name. Source: RFC 1035, 3.1


@functools.lru_cache(maxsize=4096)
def registrable(host: str | None) -> str:
    """Return the registrable domain of a host: `example.co.uk` for `a.example.co.uk`.

    Addresses, public suffixes and names that are too long are returned as they are, without a final
    dot; None becomes an empty string.
    """
    host = (host or "").rstrip(".")
    if len(host) > _MAX_NAME or ":" in host or host.replace(".", "").isdigit():
        return host
    return _suffixes().privatesuffix(host) or host


@functools.cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffix list. Reading it takes a tenth of a second, so it is loaded
    lazily."""
    return PublicSuffixList(accept_unknown=True)
