"""The pace of a host's answers: a host three times slower than usual is requested half as often.
Pure.

Source: docs/adr/0055-conditional-requests.md, "What servers ask for".
"""

from dataclasses import dataclass
from typing import Self

_MUCH_SLOWER, _RECOVERED = 3.0, 1.5  # times the usual
_NOTICEABLE = 200.0  # milliseconds more than usual
_LONGEST = 60_000.0  # milliseconds: a slower answer counts as this
_OF_RECENT, _OF_USUAL = 1 / 4, 1 / 20  # weights of a new answer


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPace:
    """Milliseconds until the first byte of a host's answers; means that fade."""

    usual: float | None = None  # None: unknown
    recent: float | None = None
    is_slow: bool = False

    @classmethod
    def known(cls, usual_ms: int | None, slow_ms: int | None) -> Self:
        """Return the stored pace of a host; `slow_ms` is its recent pace, if it is slow."""
        recent = usual_ms if slow_ms is None else slow_ms
        return cls(usual=usual_ms, recent=recent, is_slow=slow_ms is not None)

    @property
    def kept(self) -> tuple[int | None, int | None]:
        """The values to store: `usual_ms` and `slow_ms`."""
        usual = None if self.usual is None else max(1, round(self.usual))
        return usual, round(self.recent) if self.is_slow and self.recent is not None else None

    def after(self, ms: float) -> "HostPace":
        """Return the pace with one more answer.

        The usual pace changes by at most a twentieth, so that one slow answer changes little; the
        pace of a host that stays slow eventually becomes the usual one.
        """
        ms = min(ms, _LONGEST)
        if self.usual is None or self.recent is None:
            return HostPace(usual=ms, recent=ms)
        recent = self.recent + (ms - self.recent) * _OF_RECENT
        usual = self.usual + (min(ms, 2 * self.usual) - self.usual) * _OF_USUAL
        limit = _RECOVERED if self.is_slow else _MUCH_SLOWER
        is_slow = recent >= limit * usual and recent >= usual + _NOTICEABLE
        return HostPace(usual=max(usual, 1.0), recent=recent, is_slow=is_slow)

    def differs_from(self, other: "HostPace") -> bool:
        """Return whether the change is large enough to be stored."""
        if self.is_slow != other.is_slow or self.usual is None or other.usual is None:
            return self != other
        return abs(self.usual - other.usual) > other.usual / 10 + 5
