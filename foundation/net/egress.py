"""The ways out of this deployment, as its settings have them: the guard and the egress proxy."""

from dataclasses import replace
from functools import cache

from django.conf import settings

from foundation.net.guard import Guard
from foundation.net.proxy import EgressProxy, parse_proxy


@cache
def network_guard() -> Guard:
    """Return the guard that all fetches of this deployment pass."""
    return Guard(
        allow_networks=tuple(settings.ALLOW_NETWORKS),
        allow_ports=settings.ALLOW_PORTS,
        own_port=settings.HTTP_PORT,
    )


def guard_of(*, is_open: bool) -> Guard:
    """Return the guard: with ALLOW_NETWORKS where `is_open`, else what is global alone."""
    guard = network_guard()
    return guard if is_open else replace(guard, allow_networks=())


def egress_proxy() -> EgressProxy | None:
    """Return the proxy that all fetches of this deployment go by, None without one."""
    if not settings.EGRESS_PROXY:
        return None
    return parse_proxy(settings.EGRESS_PROXY, bypass=settings.EGRESS_BYPASS)
