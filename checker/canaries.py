"""Canaries that the network guard refuses: they would never be a witness.

Literal addresses stop start-up; a name is known by what it resolves to, which is looked up
when a shift starts and every five minutes.
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
_KEPT = 900  # seconds; they are looked up every five minutes


async def look_up(policy: FetchPolicy) -> None:
    """Take down which canaries may not be visited, for `refused`. Never an error."""
    hosts = await asyncio.gather(*(_refused(url, policy) for url in settings.CANARY_URLS))
    refused = sorted({host for host in hosts if host is not None})
    for host in refused:
        logger.warning(explain(host))
    try:
        cache.set(_KEY, refused, timeout=_KEPT)
    except (redis.RedisError, OSError):
        logger.warning("The canaries that are refused could not be written down")


async def _refused(url: str, policy: FetchPolicy) -> str | None:
    """Return the URL's host if it may not be visited; None also while its name does not resolve."""
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


def refused() -> list[str]:
    """Return the hosts of canaries that may not be visited, as the last shift found them."""
    try:
        return list(cache.get(_KEY) or [])
    except (redis.RedisError, OSError):
        return []


def explain(host: str) -> str:
    """Return in a sentence that this host is of no use as a canary."""
    return (
        f"The canary {host} resolves to no address that Linkwatch may visit; ALLOW_NETWORKS or"
        " ALLOW_PORTS would open it."
    )
