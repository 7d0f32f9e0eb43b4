"""Finds the subscriptions that match an event of the outbox, by an index of all of them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from urllib.parse import urlsplit

from django.contrib.auth.models import User

from accounts import teams
from accounts.actors import Actor
from notify.models import Subscription
from outbox.event_kinds import DEPLOYMENT_KINDS, OWNER_KINDS, EventKind
from outbox.models import Event
from targets.state import State

WHAT = {
    "dead": "a page dies",
    "alive": "a dead page works again",
    "attention": "a page needs attention, or no longer does",
    "flags": "a page is flagged, or a flag is cleared",
    "copies": "a copy of a dead page is found in a web archive",
    "repairs": "a reference is moved to its page's new address",
    "links": "a short link is about to expire",
    "batches": "a batch of URLs is done",
    "network": "Linkwatch loses its connection",
    "sinks": "a sink falls behind",
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
_OWNER_WORDS = frozenset(word for kind, word in _WORDS.items() if kind in OWNER_KINDS)
_DEPLOYMENT_WORDS = frozenset(word for kind, word in _WORDS.items() if kind in DEPLOYMENT_KINDS)

_ANY_OWNER = -1  # any owner; otherwise an owner's id, or None for references without an owner
OwnerId = int | None
Condition = tuple[str, OwnerId]  # a prefix of reference ids, and the owner of the references


@dataclass(frozen=True)
class EventFacts:
    """The facts of an event that subscriptions filter by."""

    event: Event

    @cached_property
    def word(self) -> str | None:
        """The event's key in WHAT; None if no subscription can match."""
        row = self.event
        if row.quiet:
            return None
        if row.kind != EventKind.STATE:
            return _WORDS.get(row.kind)
        if row.to_state == State.DEAD:
            return "dead"
        return "alive" if (row.from_state, row.to_state) == (State.DEAD, State.ALIVE) else None

    def can_match(self) -> bool:
        """Whether a subscription may match. Raises for a malformed payload."""
        if self.word is None:
            return False
        _ = self.host, self._referrers
        return True

    @cached_property
    def host(self) -> str:
        """The host of the target or the link's destination; empty for all other events."""
        payload = self.event.payload
        url = payload.get("canonical_url") or payload.get("destination") or ""
        authority = urlsplit(url).netloc
        name, _, port = authority.rpartition(":")
        return name if port.isdigit() else authority

    @cached_property
    def _referrers(self) -> list[tuple[str, OwnerId]]:
        payload = self.event.payload
        if self.event.kind in OWNER_KINDS:
            holders = teams.holders(owner=payload.get("owner"), team=payload.get("team"))
            return [("", holder) for holder in holders]
        ids = payload.get("reference_ids", [])
        return list(zip(ids, payload.get("owners") or [None] * len(ids), strict=True))

    @cached_property
    def owners(self) -> set[OwnerId]:
        """The owners of the references; for a link or a batch, its current holders."""
        return {owner for _, owner in self._referrers}

    def has_reference_of(self, by: Actor) -> bool:
        """Return whether a reference belongs to the actor or to one of its teams."""
        owners = {_pk(by.owner), *by.shared.changeable} & self.owners
        return any(
            by.reaches_reference(owner, object_id, to_change=True)
            for object_id, owner in self._referrers
            if owner in owners
        )

    @cached_property
    def _sorted(self) -> dict[OwnerId, list[str]]:
        by_owner: dict[OwnerId, list[str]] = defaultdict(list)
        for object_id, owner in self._referrers:
            by_owner[owner].append(object_id)
            by_owner[_ANY_OWNER].append(object_id)
        for ids in by_owner.values():
            ids.sort()
        return by_owner

    def meets(self, condition: Condition) -> bool:
        """Whether a reference of this owner has this prefix."""
        prefix, owner_id = condition
        ids = self._sorted.get(owner_id, [])
        index = bisect_left(ids, prefix)
        return index < len(ids) and ids[index].startswith(prefix)

    def met_conditions(self, lengths: Collection[int], *, fewer_than: int) -> set[Condition] | None:
        """Return all conditions with these prefix lengths that the event meets.

        Returns None if that takes `fewer_than` or more steps.
        """
        if len(self._referrers) * len(lengths) >= fewer_than:
            return None
        return {
            (object_id[:length], owner_id)
            for object_id, owner in self._referrers
            for length in lengths
            if length <= len(object_id)
            for owner_id in (owner, _ANY_OWNER)
        }


@dataclass(slots=True)
class _Group:
    """The subscriptions to one key of WHAT with the same host, or without a host."""

    unconditional: list[Subscription] = field(default_factory=list)
    by_reference: dict[Condition, list[Subscription]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)

    def add(self, subscription: Subscription, condition: Condition | None) -> None:
        if condition is None:
            self.unconditional.append(subscription)
        else:
            self.by_reference.setdefault(condition, []).append(subscription)
            self.lengths.add(len(condition[0]))

    def matching(self, event: EventFacts) -> Iterator[Subscription]:
        """Yield the subscriptions that match the event; one may be yielded several times.

        Goes through the event's references or the conditions, whichever are fewer.
        """
        yield from self.unconditional
        met = event.met_conditions(self.lengths, fewer_than=len(self.by_reference))
        if met is None:
            met = set(filter(event.meets, self.by_reference))
        for condition in met:
            yield from self.by_reference.get(condition, ())


def may_know(facts: EventFacts, by: Actor) -> bool:
    """Return whether the actor may receive an event now.

    Members receive events of their own and their teams' references, and of links and batches that
    they hold. Events of references that are shared with everyone go only to owners and teams.
    """
    if not by.may_receive or by.sees_all:
        return by.may_receive
    if facts.event.kind in OWNER_KINDS:
        return facts.word not in _DEPLOYMENT_WORDS and _pk(by.owner) in facts.owners
    return facts.word not in _DEPLOYMENT_WORDS and facts.has_reference_of(by)


class Index:
    """Finds the subscriptions that match an event, out of many."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = defaultdict(_Group)

    def add(self, subscription: Subscription, *, by: Actor) -> None:
        """Add a subscription, limited to what its channel's actor `by` may see."""
        for word in subscription.what:
            if word in _DEPLOYMENT_WORDS:
                if by.sees_all:
                    self._groups[word, ""].add(subscription, None)
                continue
            group = self._groups[word, subscription.host]
            is_shared = word not in _OWNER_WORDS
            for prefix, owner_id in _conditions(subscription, by, is_shared=is_shared):
                is_unconditional = not prefix and owner_id == _ANY_OWNER
                group.add(subscription, None if is_unconditional else (prefix, owner_id))

    def matching(self, event: EventFacts) -> list[Subscription]:
        """Return the subscriptions that match this event, each once, in no particular order."""
        if event.word is None:
            return []
        groups = (self._groups.get((event.word, host)) for host in _suffixes(event.host))
        found = chain.from_iterable(group.matching(event) for group in groups if group)
        return list({one.pk: one for one in found}.values())


def _conditions(subscription: Subscription, by: Actor, *, is_shared: bool) -> set[Condition]:
    """Return the conditions of a subscription: a matching event meets one of them.

    With `is_shared`, includes the references that are shared with the actor's teams.
    """
    prefix, owner_id = subscription.reference_prefix, subscription.of_owner_id
    if by.sees_all:
        return {(prefix, _ANY_OWNER if owner_id is None else owner_id)}
    conditions: set[Condition] = {(prefix, _pk(by.owner))}
    for owner, prefixes in by.shared.changeable.items() if is_shared else ():
        nested = (one for one in prefixes if one.startswith(prefix) or prefix.startswith(one))
        conditions |= {(max(one, prefix, key=len), owner) for one in nested}
    return {condition for condition in conditions if owner_id in (None, condition[1])}


def _pk(owner: User | None) -> int | None:
    return None if owner is None else owner.pk


def _suffixes(host: str) -> Iterator[str]:
    """Yield the host, its parent domains, and an empty string."""
    while host:
        yield host
        _, _, host = host.partition(".")
    yield ""
