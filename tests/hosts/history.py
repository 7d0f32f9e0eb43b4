"""Judges a history of the holders of slots, without knowing how slots are reserved.

All times are the database's. A holder may work from the moment of its reservation until it
releases, or until its lease ends.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

NO_PAUSE = timedelta(0)


@dataclass(kw_only=True)
class Holding:
    token: str
    host: str
    slot: str  # the host, or its alias
    capped: bool = True  # whether it counts against the cap
    start: datetime
    # When the holder got the lease, if known. The clock behind `start` was read before the live
    # leases were counted, and some of those may have been released in between.
    reported: datetime | None = None
    until: datetime  # end of the lease, as the holder knows it
    released: datetime | None = None
    pause: timedelta = NO_PAUSE  # pause of the slot after the release
    accepted: bool | None = None  # success of the release; None: its holder died first
    # When the release returned, if known. A release that waited for the database until its lease
    # had ended may find that another holder has the slot.
    answered: datetime | None = None

    def release(self, at: datetime, *, pause: timedelta = NO_PAUSE) -> None:
        self.released, self.pause, self.accepted = at, pause, True

    @property
    def end(self) -> datetime:
        return self.until if self.released is None else min(self.released, self.until)

    def free_at(self, grace: timedelta) -> datetime:
        """When the slot may be leased again."""
        if self.released is None or self.accepted is False:
            return self.until + grace
        return self.released + self.pause


def find_faults(
    holdings: Iterable[Holding], *, grace: timedelta, cap: int | None = None
) -> list[str]:
    """Return a sentence for each event in this history that must never happen."""
    held = sorted(holdings, key=lambda holding: holding.start)
    return [
        *_repeated_tokens(held),
        *_wrongly_released(held),
        *_taken_too_early(held, grace),
        *([] if cap is None else _over_the_cap(held, cap)),
    ]


def _repeated_tokens(held: list[Holding]) -> Iterator[str]:
    for token, times in Counter(holding.token for holding in held).items():
        if times > 1:
            yield f"token {token} was given out {times} times"


def _wrongly_released(held: list[Holding]) -> Iterator[str]:
    for holding in held:
        if holding.released is None or holding.accepted is None:
            continue
        was_in_time = holding.released < holding.until
        may_be_lost = holding.answered is not None and holding.answered >= holding.until
        if holding.accepted != was_in_time and (holding.accepted or not may_be_lost):
            yield f"{holding.slot} was wrongly released, or wrongly not: {holding}"


def _taken_too_early(held: list[Holding], grace: timedelta) -> Iterator[str]:
    of_slot: dict[str, list[Holding]] = defaultdict(list)
    for holding in held:
        of_slot[holding.slot].append(holding)
    for slot, ordered in of_slot.items():
        for first, then in pairwise(ordered):
            if then.start < first.end:
                yield f"{slot} was out twice: {first} and {then}"
            elif then.start < first.free_at(grace):
                yield f"{slot} did not rest: {first} and {then}"


def _over_the_cap(held: list[Holding], cap: int) -> Iterator[str]:
    # At equal times, ends come first: a lease that ends at that moment is over.
    spans = [(each.reported or each.start, each.end) for each in held if each.capped]
    spans = [(start, end) for start, end in spans if start < end]
    events = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    running = 0
    for at, step in events:
        running += step
        if running > cap:
            yield f"{running} leases were live at {at}, over the cap of {cap}"
