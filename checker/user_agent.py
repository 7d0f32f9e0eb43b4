"""Warns about a USER_AGENT whose URL points to localhost, once a public page is checked."""

import ipaddress
import logging
import re
from collections.abc import Iterable

import redis
from django.conf import settings
from django.core.cache import cache

from checker.engine.fetch import Probe

logger = logging.getLogger(__name__)

_LOCALHOST = re.compile(r"//(localhost|127\.|\[::1\]|0\.0\.0\.0)")
_KEY = "checker:user_agent"
_WARNING_PERIOD = 30 * 86_400  # seconds
HINT = "Set BASE_URL, or a USER_AGENT that contains your address."
_warned: set[str] = set()  # user agents that this process has warned about


def names_localhost() -> bool:
    """Whether the URL in USER_AGENT points webmasters to their own machine."""
    return _LOCALHOST.search(settings.USER_AGENT) is not None


def warn_about_localhost(probes: Iterable[Probe]) -> None:
    """Log a warning if USER_AGENT names localhost and one of these checks visited a public page.

    Warns at most once a month; without Redis, once per process.
    """
    agent = settings.USER_AGENT
    if agent in _warned or not names_localhost() or not any(map(_is_public, probes)):
        return
    _warned.add(agent)
    try:
        is_first = cache.add(_KEY, agent, timeout=_WARNING_PERIOD)
    except (redis.RedisError, OSError):
        is_first = True
    if is_first:
        logger.warning(
            "Public pages are checked as %s. Their webmasters can't find out who is requesting "
            "them. %s",
            agent,
            HINT,
        )


def _is_public(probe: Probe) -> bool:
    for attempt in probe.evidence.get("attempts", ()):
        try:
            if ipaddress.ip_address(attempt.get("address") or "").is_global:
                return True
        except ValueError:
            continue
    return False
