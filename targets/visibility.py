"""Which targets anybody may see: those that the internet and an ordinary request show as well."""

from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from hosts.models import Host
from targets.models import Target

_SECRET = {"instructions__has_key": "headers"}


def seen_by_all(targets: QuerySet[Target]) -> QuerySet[Target]:
    """Return those of these targets that `is_seen_by_all` tells so of."""
    opened = Q(is_internal=False)
    if not settings.ALLOW_NETWORKS:
        opened |= Q(is_internal=None)
    secret_hosts = Host.objects.filter(name=OuterRef("host"), **_SECRET)
    return targets.filter(opened, ~Exists(secret_hosts)).exclude(**_SECRET)


def is_seen_by_all(is_internal: bool | None, *instructions: Any) -> bool:
    """Return whether anybody can see a page, as far as is known.

    `is_internal`: of its target; `instructions`: of its target and its host. False if checks send
    secret headers, and if only ALLOW_NETWORKS opens the server's address or may have opened it.
    """
    if any(one and one.get("headers") for one in instructions):
        return False
    return is_internal is False or (is_internal is None and not settings.ALLOW_NETWORKS)
