"""Matches events of the outbox with all subscriptions at once, by an index."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from urllib.parse import urlsplit

from django.contrib.auth.models import User

from accounts.actors import Actor
from notify.models import Subscription
from outbox.kinds import OF_DEPLOYMENT, OF_OWNERS, EventKind
from outbox.models import Event
from targets.state import State

WHAT = {
    "dead": "a page died",
    "alive": "a dead page is alive again",
    "attention": "a page needs attention, or is fine again",
    "flags": "a page was flagged, or no longer is",
    "copies": "a copy of a dead page was found in a web archive",
    "repairs": "a reference followed its page to a new address",
    "links": "a short link ends soon",
    "batches": "a batch of URLs is done",
    "network": "Linkwatch lost its connection",
    "sinks": "a sink is behind",
    "disk": "a disk is filling up",
    "schedules": "scheduled tasks are late",
}
_WORDS: Mapping[str, str] = {
    EventKind.FLAG_RAISED: "flags",
    EventKind.FLAG_CLEARED: "flags",
    EventKind.ARCHIVED: "copies",
    EventKind.REPAIRED: "repairs",
    EventKind.ATTENTION_NEEDED: "attention",
    EventKind.ATTENTION_ENDED: "attention",
    EventKind.NETWORK_DOWN: "network",
    EventKind.NETWORK_BACK: "network",
    EventKind.SINK_BEHIND: "sinks",
    EventKind.DISK_FILLING: "disk",
    EventKind.SCHEDULES_LATE: "schedules",
    EventKind.LINK_ENDING: "links",
    EventKind.BATCH_DONE: "batches",
}
_DEPLOYMENTS = frozenset(word for kind, word in _WORDS.items() if kind in OF_DEPLOYMENT)

_ANYBODY = -1  # any owner; otherwise an owner's id, or None for references without an owner
Whose = int | None
Condition = tuple[str, Whose]  # a prefix of references, and their owner


@dataclass(frozen=True)
class EventFacts:
    """The facts of an event that subscriptions filter by."""

    transition: Event

    @cached_property
    def word(self) -> str | None:
        """The word in WHAT; None: no subscription can match."""
        row = self.transition
        if row.quiet:
            return None
        if row.kind != EventKind.STATE:
            return _WORDS.get(row.kind)
        if row.to_state == State.DEAD:
            return "dead"
        return "alive" if (row.from_state, row.to_state) == (State.DEAD, State.ALIVE) else None

    def can_be_told(self) -> bool:
        """Whether a subscription may match. Raises for a malformed payload."""
        if self.word is None:
            return False
        _ = self.host, self._referrers
        return True

    @cached_property
    def host(self) -> str:
        """The host of the target or the link's destination; empty for the deployment's events."""
        said = self.transition.payload
        url = said.get("canonical_url") or said.get("destination") or ""
        authority = urlsplit(url).netloc
        name, _, port = authority.rpartition(":")
        return name if port.isdigit() else authority

    @cached_property
    def _referrers(self) -> list[tuple[str, Whose]]:
        said = self.transition.payload
        if self.transition.kind in OF_OWNERS:
            return [("", said.get("owner"))]
        ids = said.get("reference_ids", [])
        return list(zip(ids, said.get("owners") or [None] * len(ids), strict=True))

    @cached_property
    def owners(self) -> set[Whose]:
        """Owners of the references, or of the link."""
        return {owner for _, owner in self._referrers}

    @cached_property
    def _sorted(self) -> dict[Whose, list[str]]:
        found: dict[Whose, list[str]] = defaultdict(list)
        for object_id, owner in self._referrers:
            found[owner].append(object_id)
            found[_ANYBODY].append(object_id)
        for ids in found.values():
            ids.sort()
        return found

    def meets(self, condition: Condition) -> bool:
        """Whether a reference of this owner has this prefix."""
        prefix, whose = condition
        ids = self._sorted.get(whose, [])
        place = bisect_left(ids, prefix)
        return place < len(ids) and ids[place].startswith(prefix)

    def could_meet(self, lengths: Collection[int], *, fewer_than: int) -> set[Condition] | None:
        """Return all conditions with these lengths of prefixes that it meets; None: too many."""
        if len(self._referrers) * len(lengths) >= fewer_than:
            return None
        return {
            (object_id[:length], whose)
            for object_id, owner in self._referrers
            for length in lengths
            if length <= len(object_id)
            for whose in (owner, _ANYBODY)
        }


@dataclass(slots=True)
class _Group:
    """The subscriptions to one word with the same host, or none."""

    all_of_it: list[Subscription] = field(default_factory=list)
    by_reference: dict[Condition, list[Subscription]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)

    def add(self, subscription: Subscription, condition: Condition | None) -> None:
        if condition is None:
            self.all_of_it.append(subscription)
        else:
            self.by_reference.setdefault(condition, []).append(subscription)
            self.lengths.add(len(condition[0]))

    def wanting(self, event: EventFacts) -> Iterator[Subscription]:
        """Check the event's references or the conditions, whichever are fewer."""
        yield from self.all_of_it
        met = event.could_meet(self.lengths, fewer_than=len(self.by_reference))
        if met is None:
            met = set(filter(event.meets, self.by_reference))
        for condition in met:
            yield from self.by_reference.get(condition, ())


def may_know(event: EventFacts, by: Actor) -> bool:
    """Return whether `by` may receive an event now; members receive what they refer to or own."""
    if not by.may_receive:
        return False
    return by.sees_all or (event.word not in _DEPLOYMENTS and _pk(by.owner) in event.owners)


class Index:
    """Finds the subscriptions that match an event, out of many."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = defaultdict(_Group)

    def add(self, subscription: Subscription, *, by: Actor) -> None:
        """Add a subscription; `by` is its channel's actor, who must be allowed to see events."""
        for word in subscription.what:
            if word in _DEPLOYMENTS:
                if by.sees_all:
                    self._groups[word, ""].add(subscription, None)
                continue
            whose = _whose(subscription, by)
            if subscription.of_owner_id is not None and whose != subscription.of_owner_id:
                continue
            condition = (subscription.reference_prefix, whose)
            unconditional = not subscription.reference_prefix and whose == _ANYBODY
            self._groups[word, subscription.host].add(
                subscription, None if unconditional else condition
            )

    def wanting(self, event: EventFacts) -> list[Subscription]:
        """Return the subscriptions that match this event, unordered."""
        if event.word is None:
            return []
        groups = (self._groups.get((event.word, host)) for host in _suffixes(event.host))
        return list(chain.from_iterable(group.wanting(event) for group in groups if group))


def _whose(subscription: Subscription, by: Actor) -> Whose:
    """Return whose references a subscription may match."""
    if by.sees_all:
        owner: int | None = subscription.of_owner_id
        return _ANYBODY if owner is None else owner
    return _pk(by.owner)


def _pk(owner: User | None) -> int | None:
    return None if owner is None else owner.pk


def _suffixes(host: str) -> Iterator[str]:
    """Yield the host, its parent domains, and an empty string."""
    while host:
        yield host
        _, _, host = host.partition(".")
    yield ""
