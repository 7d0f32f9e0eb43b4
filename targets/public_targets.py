"""Public targets: those that an ordinary request from the internet would also see."""

from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from hosts.models import Host
from targets.models import Target

_HAS_SECRET_HEADERS = {"instructions__has_key": "headers"}


def seen_by_all(targets: QuerySet[Target]) -> QuerySet[Target]:
    """Return the targets for which `is_seen_by_all` is true."""
    is_public = Q(is_internal=False)
    if not settings.ALLOW_NETWORKS:
        is_public |= Q(is_internal=None)
    secret_hosts = Host.objects.filter(name=OuterRef("host"), **_HAS_SECRET_HEADERS)
    return targets.filter(is_public, ~Exists(secret_hosts)).exclude(**_HAS_SECRET_HEADERS)


def is_seen_by_all(is_internal: bool | None, *instructions: Any) -> bool:
    """Return whether a page is known to be public.

    `is_internal` is that of the target; `instructions` are those of the target and its host. False
    if checks send secret headers, or if the server's address is, or may be, allowed only by
    ALLOW_NETWORKS.
    """
    if any(own and own.get("headers") for own in instructions):
        return False
    return is_internal is False or (is_internal is None and not settings.ALLOW_NETWORKS)
