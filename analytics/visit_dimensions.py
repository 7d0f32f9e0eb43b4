"""Dimensions of a link's visits: referrer, kind of device, country.

The producer's thread derives them from requests; only names and counts leave the process. Clients
can send anything, so values are bounded in length and number; the rest is `other`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from foundation.net.bots import is_bot

MAX_REFERRER = 128  # bytes of a Referer that are read: enough for a scheme and a host
MAX_HOST = 100
MAX_HOSTS = 100  # per entry of the stream, and per link and month
DIRECT, OTHER = "direct", "other"
DEVICES = ("phone", "tablet", "desktop", "bot", OTHER)
_DIMENSIONS = {"referrer", "device", "country"}
_MAX_VALUES = 300  # per dimension; there are about 250 countries
_MAX_CACHED_KINDS = 4  # kinds of visits: the text of an entry with more is not cached
_MAX_CACHED_BYTES = 200  # bytes of text: a longer text is not cached

# An Android app names itself as the host.
_REFERRER = re.compile(
    rb"(?:https?|android-app)://(?:[^/?#@]*@)?([A-Za-z0-9._-]{1,%d})\.?(?::\d{1,5})?(?:[/?#].*)?"
    % MAX_HOST,
    re.IGNORECASE | re.DOTALL,
)
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# Lower-case substrings of User-Agents, by device. Televisions and consoles count as OTHER.
_TVS_AND_CONSOLES = ("smart-tv", "smarttv", "bravia", "appletv", "crkey", "xbox", "playstation")
_TELEVISION = re.compile(r"\btv\b|\baft[a-z]")
_TABLETS = ("ipad", "tablet", "kindle", "silk/", "playbook")
_PHONES = ("iphone", "ipod", "mobile", "windows phone", "blackberry", "opera mini", "symbian")
_DESKTOPS = ("windows nt", "macintosh", "x11;", "cros ", "linux")


# The properties shared by visits that are counted together: referrer (a host, DIRECT or OTHER),
# device (one of DEVICES), country (two letters, UNKNOWN, or "" if countries are not counted).
VisitKind = tuple[str, str, str]


@lru_cache(maxsize=8192)
def referring_host(referrer: bytes) -> str:
    """Return the host that a Referer names, in lower case.

    DIRECT without a Referer or for this site; OTHER if the host can't be shown.
    """
    if not referrer:
        return DIRECT
    match = _REFERRER.fullmatch(referrer)
    host = match[1].decode("ascii").lower().rstrip(".") if match else ""
    if not _HOST.fullmatch(host) or host in (DIRECT, OTHER):
        return OTHER
    return DIRECT if host in _our_names() or validate_host(host, _our_patterns()) else host


def _our_names() -> tuple[str | None, str]:
    return urlsplit(settings.BASE_URL).hostname, settings.SHORT_DOMAIN.partition(":")[0]


def _our_patterns() -> list[str]:
    return [name for name in settings.ALLOWED_HOSTS if name != "*"]


def device_of(agent: str) -> str:
    """Return the one of DEVICES that a User-Agent names, or OTHER.

    An Android device without "Mobile" is a tablet.
    """
    if is_bot(agent):
        return "bot"
    agent = agent.lower()

    def has_any(words: Iterable[str]) -> bool:
        return any(word in agent for word in words)

    if has_any(_TVS_AND_CONSOLES) or (has_any(("tv", "aft")) and _TELEVISION.search(agent)):
        return OTHER
    if has_any(_TABLETS) or ("android" in agent and "mobile" not in agent):
        return "tablet"
    if has_any(_PHONES):
        return "phone"
    return "desktop" if has_any(_DESKTOPS) else OTHER


def as_text(visits: Mapping[VisitKind, int]) -> str:
    """Return the visits of each kind as written in an entry of the stream.

    JSON: the values of each dimension with their counts; MAX_HOSTS hosts, and the rest as OTHER.
    """
    items = tuple(visits.items())
    return _as_text(items) if len(items) <= _MAX_CACHED_KINDS else _as_text.__wrapped__(items)


@lru_cache(maxsize=4096)
def _as_text(visits: tuple[tuple[VisitKind, int], ...]) -> str:
    counts: dict[str, dict[str, int]] = {"referrer": {}, "device": {}, "country": {}}
    for kind, n in visits:
        for dimension, value in zip(counts, kind, strict=True):
            value_counts = counts[dimension]
            value_counts[value] = value_counts.get(value, 0) + n
    if "" in counts["country"]:
        del counts["country"]
    counts["referrer"] = _bounded(counts["referrer"])
    return json.dumps(counts, separators=(",", ":"))


def _bounded(referrers: dict[str, int]) -> dict[str, int]:
    if len(referrers) <= MAX_HOSTS:
        return referrers
    by_count = sorted(referrers, key=lambda host: (host in (DIRECT, OTHER), referrers[host]))
    frequent = {host: referrers[host] for host in by_count[-MAX_HOSTS:]}
    rest = sum(referrers.values()) - sum(frequent.values())
    return {**frequent, OTHER: frequent.get(OTHER, 0) + rest}


class Parts(NamedTuple):
    """The dimensions of an entry, in the form that the counting script adds."""

    fields: dict[str, int]  # few in number: `device:phone`, `referrer:direct` …
    hosts: dict[str, int]


def parse(raw: bytes, *, n: int) -> Parts:
    """Parse what `as_text` wrote for `n` visits; if it is empty, all of them are OTHER.

    Raises ValueError or AttributeError for anything else.
    """
    return _parse(raw, n) if len(raw) <= _MAX_CACHED_BYTES else _parse.__wrapped__(raw, n)


@lru_cache(maxsize=4096)
def _parse(raw: bytes, n: int) -> Parts:
    if not raw:
        return Parts({f"referrer:{OTHER}": n, f"device:{OTHER}": n}, {})
    counts = json.loads(raw)
    _check(counts, n)
    hosts = counts.pop("referrer")
    fields = {f"referrer:{name}": hosts.pop(name) for name in (DIRECT, OTHER) if name in hosts}
    for dimension in ("device", "country"):
        for value, count in counts.get(dimension, {}).items():
            fields[f"{dimension}:{value}"] = count
    return Parts(fields, hosts)


def _check(counts: Any, n: int) -> None:
    if not isinstance(counts, dict) or not {"referrer", "device"} <= counts.keys() <= _DIMENSIONS:
        raise ValueError("dimensions are missing or unknown")
    for values in counts.values():
        if not all(type(count) is int and count > 0 for count in values.values()):
            raise ValueError("a dimension has a count that is not a positive integer")
        if sum(values.values()) != n:
            raise ValueError(f"a dimension does not add up to {n} views")
        if len(values) > _MAX_VALUES or max(map(len, values)) > MAX_HOST:
            raise ValueError("a dimension has too many values, or values that are too long")
