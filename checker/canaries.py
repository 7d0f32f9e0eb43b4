"""Finds canaries that the network guard refuses: they prove nothing.

A refused literal address prevents start-up; names are resolved when a checker worker starts and
every five minutes.
"""

import asyncio
import logging
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.cache import cache

from checker.engine.fetch_policy import FetchPolicy
from foundation.net.guard import ForbiddenAddressError
from foundation.net.resolver import resolve

logger = logging.getLogger(__name__)

_KEY = "checker:canaries"
_TTL = 900  # seconds; canaries are looked up every five minutes


async def look_up(policy: FetchPolicy) -> None:
    """Find the hosts of refused canaries, and store them for `refused_hosts`."""
    hosts = await asyncio.gather(*(_refused_host(url, policy) for url in settings.CANARY_URLS))
    refused = sorted({host for host in hosts if host is not None})
    for host in refused:
        logger.warning(explain(host))
    try:
        cache.set(_KEY, refused, timeout=_TTL)
    except (redis.RedisError, OSError):
        logger.warning("The refused canaries could not be recorded")


async def _refused_host(url: str, policy: FetchPolicy) -> str | None:
    """Return the URL's host if it is refused; None if it is permitted or does not resolve here."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if policy.proxy is not None and policy.proxy.carries(host):
        return None  # the proxy resolves it
    try:
        policy.guard.permitted(await (policy.resolver or resolve)(host), port=port)
    except ForbiddenAddressError:
        return host
    except OSError:
        return None
    return None


def refused_hosts() -> list[str]:
    """Return the hosts of refused canaries, as the last checker worker stored them."""
    try:
        return list(cache.get(_KEY) or [])
    except (redis.RedisError, OSError):
        return []


def explain(host: str) -> str:
    """Return a sentence that explains why this host is useless as a canary, and what to do."""
    return (
        f"The canary {host} does not resolve to an address that Linkwatch is allowed to visit; "
        "allow it with ALLOW_NETWORKS or ALLOW_PORTS."
    )
