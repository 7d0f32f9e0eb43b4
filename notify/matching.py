"""Finds the subscriptions that match an event of the outbox, using an index."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from django.contrib.auth.models import User

from accounts import teams
from accounts.actors import Actor
from notify.models import Subscription
from outbox.event_kinds import DEPLOYMENT_KINDS, OWNER_KINDS, EventKind
from outbox.models import Event
from targets.canonical import InvalidURLError, canonicalize
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
    "network": "Linkwatch goes offline or comes back online",
    "sinks": "a sink falls behind",
    "disk": "a disk is filling up",
    "schedules": "scheduled tasks are late",
}
_CATEGORIES: Mapping[str, str] = {
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
_OWNER_CATEGORIES = frozenset(name for kind, name in _CATEGORIES.items() if kind in OWNER_KINDS)
_DEPLOYMENT_CATEGORIES = frozenset(
    name for kind, name in _CATEGORIES.items() if kind in DEPLOYMENT_KINDS
)

_ANY_OWNER = -1  # an OwnerId that stands for all owners
OwnerId = int | None  # None for references without an owner
Condition = tuple[str, OwnerId]  # a prefix of reference ids, and the owner of the references


@dataclass(frozen=True)
class EventFacts:
    """The facts about an event by which subscriptions filter."""

    event: Event

    @cached_property
    def category(self) -> str | None:
        """The event's key in WHAT; None if no subscription can match."""
        row = self.event
        if row.quiet:
            return None
        if row.kind != EventKind.STATE:
            return _CATEGORIES.get(row.kind)
        if row.to_state == State.DEAD:
            return "dead"
        return "alive" if (row.from_state, row.to_state) == (State.DEAD, State.ALIVE) else None

    def can_match(self) -> bool:
        """Whether a subscription can match. May raise anything for a malformed payload."""
        if self.category is None:
            return False
        _ = self.host, self._references
        return True

    @cached_property
    def host(self) -> str:
        """The normalized host of the target or of the link's destination; empty for all other
        events, and for an invalid URL."""
        payload = self.event.payload
        url = payload.get("canonical_url") or payload.get("destination") or ""
        try:
            return canonicalize(url).host
        except InvalidURLError:
            return ""

    @cached_property
    def _references(self) -> list[tuple[str, OwnerId]]:
        payload = self.event.payload
        if self.event.kind in OWNER_KINDS:
            holders = teams.holders(owner=payload.get("owner"), team=payload.get("team"))
            return [("", holder) for holder in holders]
        ids = payload.get("reference_ids", [])
        return list(zip(ids, payload.get("owners") or [None] * len(ids), strict=True))

    @cached_property
    def owners(self) -> set[OwnerId]:
        """The owners of the references; for a link or a batch, its current holders."""
        return {owner for _, owner in self._references}

    def has_reference_of(self, by: Actor) -> bool:
        """Return whether a reference belongs to the actor or to one of its teams."""
        owners = {_pk(by.owner), *by.shared.changeable} & self.owners
        return any(
            by.reaches_reference(owner, object_id, to_change=True)
            for object_id, owner in self._references
            if owner in owners
        )

    @cached_property
    def _ids_by_owner(self) -> dict[OwnerId, list[str]]:
        by_owner: dict[OwnerId, list[str]] = defaultdict(list)
        for object_id, owner in self._references:
            by_owner[owner].append(object_id)
            by_owner[_ANY_OWNER].append(object_id)
        for ids in by_owner.values():
            ids.sort()
        return by_owner

    def meets(self, condition: Condition) -> bool:
        """Return whether a reference meets the condition."""
        prefix, owner_id = condition
        ids = self._ids_by_owner.get(owner_id, [])
        index = bisect_left(ids, prefix)
        return index < len(ids) and ids[index].startswith(prefix)

    def met_conditions(self, lengths: Collection[int], *, step_limit: int) -> set[Condition] | None:
        """Return all conditions with these prefix lengths that the event meets.

        Returns None if that takes `step_limit` or more steps.
        """
        if len(self._references) * len(lengths) >= step_limit:
            return None
        return {
            (object_id[:length], owner_id)
            for object_id, owner in self._references
            for length in lengths
            if length <= len(object_id)
            for owner_id in (owner, _ANY_OWNER)
        }


@dataclass(slots=True)
class _Group:
    """The subscriptions to one key of WHAT for the same host, or for any host."""

    unconditional: list[Subscription] = field(default_factory=list)
    by_condition: dict[Condition, list[Subscription]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)

    def add(self, subscription: Subscription, condition: Condition | None) -> None:
        if condition is None:
            self.unconditional.append(subscription)
        else:
            self.by_condition.setdefault(condition, []).append(subscription)
            self.lengths.add(len(condition[0]))

    def matching(self, event: EventFacts) -> Iterator[Subscription]:
        """Yield the subscriptions that match the event; a subscription may be yielded repeatedly.

        Goes through the event's references or through the conditions, whichever are fewer.
        """
        yield from self.unconditional
        met = event.met_conditions(self.lengths, step_limit=len(self.by_condition))
        if met is None:
            met = set(filter(event.meets, self.by_condition))
        for condition in met:
            yield from self.by_condition.get(condition, ())


def may_receive_event(facts: EventFacts, by: Actor) -> bool:
    """Return whether the actor may receive this event now.

    Members receive events of their own and their teams' references, and of links and batches that
    they hold. Events of references that are shared with everyone go only to owners and teams.
    """
    if not by.may_receive or by.sees_all:
        return by.may_receive
    if facts.event.kind in OWNER_KINDS:
        return facts.category not in _DEPLOYMENT_CATEGORIES and _pk(by.owner) in facts.owners
    return facts.category not in _DEPLOYMENT_CATEGORIES and facts.has_reference_of(by)


class SubscriptionIndex:
    """Finds which of many subscriptions match an event."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = defaultdict(_Group)

    def add(self, subscription: Subscription, *, by: Actor) -> None:
        """Add a subscription, limited to what its channel's actor `by` may see."""
        for category in subscription.what:
            if category in _DEPLOYMENT_CATEGORIES:
                if by.sees_all:
                    self._groups[category, ""].add(subscription, None)
                continue
            group = self._groups[category, subscription.host]
            has_references = category not in _OWNER_CATEGORIES
            for prefix, owner_id in _conditions(subscription, by, with_shared=has_references):
                is_unconditional = not prefix and owner_id == _ANY_OWNER
                group.add(subscription, None if is_unconditional else (prefix, owner_id))

    def matching(self, event: EventFacts) -> list[Subscription]:
        """Return the subscriptions that match this event, each once, in no particular order."""
        if event.category is None:
            return []
        groups = (self._groups.get((event.category, host)) for host in _suffixes(event.host))
        found = chain.from_iterable(group.matching(event) for group in groups if group)
        return list({subscription.pk: subscription for subscription in found}.values())


def _conditions(subscription: Subscription, by: Actor, *, with_shared: bool) -> set[Condition]:
    """Return the conditions of a subscription: a matching event meets one of them.

    `with_shared` includes the references that are shared with the actor's teams.
    """
    prefix, owner_id = subscription.reference_prefix, subscription.of_owner_id
    if by.sees_all:
        return {(prefix, _ANY_OWNER if owner_id is None else owner_id)}
    conditions: set[Condition] = {(prefix, _pk(by.owner))}
    for owner, prefixes in by.shared.changeable.items() if with_shared else ():
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
