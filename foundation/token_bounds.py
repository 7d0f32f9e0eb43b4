"""The URLs that a token may look up: hosts, subdomains, and beginnings of URLs."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ada_url import URL

from foundation.net.hostnames import host_of, normalize_host

MAX_BOUNDS = 500
_MAX_LISTED = 3  # bounds in a sentence
_ANY_SUBDOMAIN = "*."
_HOST = re.compile(r"https?://(\[[^\]]*\]|[^/?:]*)")


@dataclass(frozen=True)
class TokenBounds:
    """Bounds in their normal form, as `normalize` returns them; without bounds, no URL is
    within."""

    bounds: tuple[str, ...]

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(self.bounds)

    @cached_property
    def _subdomains(self) -> tuple[str, ...]:
        return tuple(bound[1:] for bound in self.bounds if bound.startswith(_ANY_SUBDOMAIN))

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        # A slash or query follows: https://a.example/docs does not include /docs-of-others.
        prefixes = (bound for bound in self.bounds if "/" in bound)
        return tuple(prefix + end for prefix in prefixes for end in "/?")

    def include(self, canonical_url: str) -> bool:
        """Return whether a URL in canonical form is within these bounds."""
        match = _HOST.match(canonical_url)
        host = match[1] if match else ""
        return (
            host in self._exact
            or canonical_url in self._exact
            or host.endswith(self._subdomains)
            or canonical_url.startswith(self._prefixes)
        )

    def __str__(self) -> str:
        """Return the first bounds and the number of the others, for a sentence."""
        more = len(self.bounds) - _MAX_LISTED
        shown = ", ".join(self.bounds[:_MAX_LISTED])
        return f"{shown} and {more:,} more" if more > 0 else shown


def normalize(bounds: Iterable[str]) -> list[str]:
    """Return these bounds in the normal form, without duplicates.

    Each is a host, `*.` and a host for all its subdomains, or a URL, which includes all URLs that
    continue it with `/` or `?`. Raises ValueError for more than MAX_BOUNDS, or naming an invalid
    bound.
    """
    normalized = []
    for bound in bounds:
        try:
            normalized.append(_prefix(bound) if "/" in bound else _host(bound))
        except ValueError as error:
            raise ValueError(f"{bound[:100]}: {error}") from None
    normalized = list(dict.fromkeys(normalized))
    if len(normalized) > MAX_BOUNDS:
        raise ValueError(f"A token can be limited to at most {MAX_BOUNDS} hosts or URLs.")
    return normalized


def _host(text: str) -> str:
    any_subdomain = _ANY_SUBDOMAIN if text.startswith(_ANY_SUBDOMAIN) else ""
    host = normalize_host(text.removeprefix(any_subdomain))
    if "*" in host:
        raise ValueError("An asterisk can only stand for subdomains, as in *.example.com.")
    return any_subdomain + host


def _prefix(text: str) -> str:
    """Return the beginning of a URL in the form of canonical URLs (`targets.canonical`)."""
    if "://" not in text:
        raise ValueError("Must be a host, or a URL that begins with https:// or http://.")
    host, url = host_of(text), URL(text)
    if "?" in text or "#" in text:
        raise ValueError("The URL must not contain ? or #.")
    port = f":{url.port}" if url.port else ""
    return f"{url.protocol}//{host}{port}{url.pathname.removesuffix('/')}"
