"""The registrable domain of a host, by the public suffix list within `publicsuffixlist`."""

import functools

from publicsuffixlist import PublicSuffixList

_LONGEST = 253  # characters of a name. Source: RFC 1035, 3.1


@functools.lru_cache(maxsize=4096)
def registrable(host: str | None) -> str:
    """Return the name that somebody registered for a host: `example.co.uk` of `a.example.co.uk`.

    An address, a name that is a public suffix itself or longer than a name can be is returned as it
    is.
    """
    host = (host or "").rstrip(".")
    if len(host) > _LONGEST or ":" in host or host.replace(".", "").isdigit():
        return host
    return _suffixes().privatesuffix(host) or host


@functools.cache
def _suffixes() -> PublicSuffixList:
    """Return the list; reading it takes a tenth of a second, so not before it is needed."""
    return PublicSuffixList(accept_unknown=True)
