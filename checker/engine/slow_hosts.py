"""The latency of a host's responses. Pure.

A host whose responses take three times as long as usual gets a longer delay: see
`hosts.reservations.slow_host_delay`.
Source: docs/adr/0055-conditional-requests.md, "What servers ask for".
"""

from dataclasses import dataclass
from typing import Self

_MUCH_SLOWER, _RECOVERED = 3.0, 1.5  # times the usual latency
_MIN_DIFFERENCE = 200.0  # milliseconds more than usual
_MAX_MS = 60_000.0  # milliseconds: a slower response counts as this
_RECENT_WEIGHT, _USUAL_WEIGHT = 1 / 4, 1 / 20  # weights of a new response


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLatency:
    """Milliseconds until the first byte of a host's responses, as moving averages."""

    usual: float | None = None  # None: unknown
    recent: float | None = None
    is_slow: bool = False

    @classmethod
    def from_stored(cls, usual_ms: int | None, slow_ms: int | None) -> Self:
        """Return the latency of a host from stored values; `slow_ms`: the recent one if slow."""
        recent = usual_ms if slow_ms is None else slow_ms
        return cls(usual=usual_ms, recent=recent, is_slow=slow_ms is not None)

    @property
    def as_stored(self) -> tuple[int | None, int | None]:
        """The values to store: `usual_ms` and `slow_ms`."""
        usual = None if self.usual is None else max(1, round(self.usual))
        return usual, round(self.recent) if self.is_slow and self.recent is not None else None

    def after(self, ms: float) -> "HostLatency":
        """Return the latency after one more response, whose first byte took `ms` milliseconds.

        The usual latency changes by at most a twentieth, so that one slow response changes little;
        the latency of a host that stays slow eventually becomes the usual one.
        """
        ms = min(ms, _MAX_MS)
        if self.usual is None or self.recent is None:
            return HostLatency(usual=ms, recent=ms)
        recent = self.recent + (ms - self.recent) * _RECENT_WEIGHT
        usual = self.usual + (min(ms, 2 * self.usual) - self.usual) * _USUAL_WEIGHT
        limit = _RECOVERED if self.is_slow else _MUCH_SLOWER
        is_slow = recent >= limit * usual and recent >= usual + _MIN_DIFFERENCE
        return HostLatency(usual=max(usual, 1.0), recent=recent, is_slow=is_slow)

    def differs_from(self, other: "HostLatency") -> bool:
        """Return whether the change is large enough to be stored."""
        if self.is_slow != other.is_slow or self.usual is None or other.usual is None:
            return self != other
        return abs(self.usual - other.usual) > other.usual / 10 + 5
