"""A batch of stream entries, summed by counter, as the counting script reads it."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings

from analytics import visit_counters
from analytics.stream import STREAM_LIMIT, ViewEventKind, has_dimensions
from analytics.visit_counters import day_text
from analytics.visit_dimensions import parse

MAX_DAYS = 400  # days that are shown at once; also the maximum delay of a view
_MAX_CLOCK_LEAD = 3_600_000  # milliseconds that a producer's clock may be ahead of Redis's
_DAY = 86_400_000  # milliseconds
_HOUR = 3_600_000
_MAX_SUBJECT = 100
_MAX_VISITORS = 10_000  # visitors and hosts in a batch
_KINDS = frozenset(kind.value.encode() for kind in ViewEventKind)


@dataclass(slots=True)
class Views:
    """The views of one subject on one day within a batch."""

    n: int = 0
    # Ids of entries by their number of views and, for links, their hour and encoded dimensions.
    ids: dict[tuple[int, int, bytes], list[str]] = field(default_factory=dict)
    visitors: set[str] = field(default_factory=set)
    weight: float = 0.0  # what the views add to the trend, relative to the batch's time


@dataclass(slots=True)
class ViewBatch:
    """Entries of the stream, summed by counter."""

    views: dict[tuple[bytes, int], Views] = field(default_factory=dict)  # days since 1970
    others: dict[bytes, list[str]] = field(default_factory=dict)  # ids of entries by kind
    deletes: dict[bytes, list[str]] = field(default_factory=dict)  # ids of entries by subject
    at: float = 0.0  # seconds since 1970: the trend's weights are relative to it
    n: int = 0  # number of views and other events in its valid entries
    oldest: int = 0  # first arrival in the stream, milliseconds since 1970
    arrived: int = 0  # sum of the arrivals of all views and other events
    poison: list[tuple[str, str]] = field(
        default_factory=list
    )  # ids of malformed entries, with reasons

    def add(self, entry: str, fields: Mapping[bytes, bytes], *, half_life: float) -> None:
        """Add an entry; a malformed one goes to `poison`."""
        arrived = int(entry.partition("-")[0])
        try:
            kind, subject, at = fields[b"kind"], fields[b"subject"], int(fields[b"at"])
            n = int(fields.get(b"n", 1))  # older versions wrote no n, and one `visitor`
            _check(kind, subject, at - arrived, n)
            encoded = fields.get(b"dimensions", b"")
            parse(encoded, n=n)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self.poison.append((entry, f"{type(error).__name__}: {error}"))
            return
        self.n += n
        self.oldest = min(self.oldest or arrived, arrived)
        self.arrived += n * arrived
        if kind == b"view":
            views = self.views.get(key := (subject, at // _DAY)) or self.views.setdefault(
                key, Views()
            )
            views.n += n
            shape = (n, at // _HOUR % 24, encoded) if subject.startswith(b"short:") else (n, 0, b"")
            views.ids.setdefault(shape, []).append(entry)
            # A clock that is ahead must not give a view more weight.
            views.weight += n * math.exp2(min(0.0, min(at, arrived) / 1000 - self.at) / half_life)
            if visitors := fields.get(b"visitors") or fields.get(b"visitor"):
                views.visitors.update(visitors.decode(errors="replace").split(","))
        elif kind == b"delete":
            self.deletes.setdefault(subject, []).append(entry)
        else:
            self.others.setdefault(kind, []).append(entry)

    def as_json(self) -> str:
        """Return the input of the counting script; `n` must not be 0."""
        by_day = [self._as_list(*key, views) for key, views in self.views.items()]
        deletes = [
            [subject.decode(), ids, self._recent_keys(subject.decode())]
            for subject, ids in self.deletes.items()
        ]
        return json.dumps(
            {
                "views": by_day,
                "others": [[kind.decode(), ids] for kind, ids in self.others.items()],
                "deletes": deletes,
                "at": self.at,
                "oldest": self.oldest,
                "arrived": self.arrived / self.n,
            }
        )

    def _as_list(self, subject: bytes, day: int, views: Views) -> list[Any]:
        is_link = subject.startswith(b"short:")
        # Older views are counted by day only: the keys of their hours and month may have expired.
        has_details = is_link and day >= self.at // 86_400 - visit_counters.KEPT_DAYS
        shapes = [
            [n, ids, hour, *parse(encoded, n=n)] if has_details else [n, ids]
            for (n, hour, encoded), ids in views.ids.items()
        ]
        day_key = _day_key(day)
        month = day_key[:6] if has_details else ""
        visitors = list(views.visitors)
        return [subject.decode(), day_key, views.n, shapes, views.weight, visitors, month, day]

    def _recent_keys(self, subject: str) -> list[str]:
        if not has_dimensions(subject):
            return []
        return visit_counters.recent_keys(subject, datetime.fromtimestamp(self.at, UTC).date())


def gather(entries: Sequence[tuple[str, Mapping[bytes, bytes]]]) -> Iterator[ViewBatch]:
    """Yield these entries of the stream in batches, oldest first.

    A batch ends once it has _MAX_VISITORS visitors and hosts, so that the script takes only a few
    milliseconds.
    """
    half_life = settings.TREND_HALF_LIFE.total_seconds()
    at = int(entries[-1][0].partition("-")[0]) / 1000 if entries else 0.0
    batch, visitors = ViewBatch(at=at), 0
    for entry, fields in entries:
        batch.add(entry, fields, half_life=half_life)
        visitors += fields.get(b"visitors", b"").count(b",") + 1
        visitors += fields.get(b"dimensions", b"").count(b",")
        if visitors >= _MAX_VISITORS:
            yield batch
            batch, visitors = ViewBatch(at=at), 0
    if visitors:
        yield batch


def _check(kind: bytes, subject: bytes, ahead: int, n: int) -> None:
    """Raise ValueError for an invalid event; its time is `ahead` milliseconds after its arrival."""
    if kind not in _KINDS:
        raise ValueError(f"unknown kind {kind[:40]!r}")
    if not 0 < len(subject) <= _MAX_SUBJECT or not subject.isascii():
        raise ValueError(f"invalid subject {subject[:40]!r}")
    if not -MAX_DAYS * _DAY < ahead < _MAX_CLOCK_LEAD:
        raise ValueError("the time is out of range")
    if not 0 < n <= STREAM_LIMIT:
        raise ValueError(f"invalid number of views: {n}")


@lru_cache(maxsize=512)
def _day_key(number: int) -> str:
    """Return `yyyyMMdd` of the day this many days after 1970-01-01."""
    return day_text(date(1970, 1, 1) + timedelta(days=number))
