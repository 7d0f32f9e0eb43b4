"""The network guard and the egress proxy of this deployment, made from its settings."""

from dataclasses import replace
from functools import cache

from django.conf import settings

from foundation.net.guard import Guard
from foundation.net.proxy import EgressProxy, parse_proxy


@cache
def network_guard() -> Guard:
    """Return the guard for all fetches of this deployment."""
    return Guard(
        allow_networks=tuple(settings.ALLOW_NETWORKS),
        allow_ports=settings.ALLOW_PORTS,
        own_port=settings.HTTP_PORT,
    )


def guard_of(*, is_open: bool) -> Guard:
    """Return the guard: with ALLOW_NETWORKS if `is_open`, otherwise for global addresses only."""
    guard = network_guard()
    return guard if is_open else replace(guard, allow_networks=())


def egress_proxy() -> EgressProxy | None:
    """Return the proxy for all fetches of this deployment; None without EGRESS_PROXY."""
    if not settings.EGRESS_PROXY:
        return None
    return parse_proxy(settings.EGRESS_PROXY, bypass=settings.EGRESS_BYPASS)
