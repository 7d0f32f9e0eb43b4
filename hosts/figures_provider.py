"""Figures of hosts from the checker, which is in a higher layer: `linkwatch.urls` injects them into
the API."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Protocol

from django.db.models import QuerySet

from hosts.models import Host

PROBLEMS = ("failures", "inconclusive", "slow")


class HostFigures(Protocol):
    """The figures of the last day: PROBLEMS, and `mean_ms`, the average of slow responses."""

    def by_host(self, names: Collection[str], *, now: datetime) -> Mapping[str, Mapping[str, Any]]:
        """Return the figures of these hosts by name."""

    def worst(
        self,
        problem: str,
        hosts: QuerySet[Host],
        *,
        after: tuple[int, str] | None,
        limit: int,
        now: datetime,
    ) -> list[tuple[int, str]]:
        """Return how often each of these hosts had this problem, and the host, the worst first.

        Hosts without the problem are omitted. Returns up to `limit` pairs, those that follow
        `after`.
        """


class NoFigures:
    """Used when nothing checks hosts."""

    def by_host(self, names: Collection[str], *, now: datetime) -> Mapping[str, Mapping[str, Any]]:
        return {name: {**dict.fromkeys(PROBLEMS, 0), "mean_ms": None} for name in names}

    def worst(self, problem: str, hosts: QuerySet[Host], **_: Any) -> list[tuple[int, str]]:
        return []
