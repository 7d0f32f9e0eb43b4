"""Search criteria for targets, as conditions and as selective indexes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.actors import Actor
from hosts.models import Host
from targets.models import (
    FAILING,
    Reference,
    Target,
    TargetFlag,
    TargetQuerySet,
    TargetText,
    begins_with,
    never_seen,
)
from targets.state import State

MAX_TEXT_LENGTH = 200  # characters of a search text
MIN_TEXT_LENGTH = 3  # characters; shorter text matches only the start of a host
_WORD = re.compile(r"[^\W_]{3,}")  # a word that is long enough for trigrams
_FAILING = (State.DEAD, State.POTENTIALLY_DEAD)
# Conditions with an index that has their targets in order of creation.
INDEXED = ("host", "last_reason", "never_seen", "inconclusive_since__isnull", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """Filters of targets; empty filters are ignored."""

    text: str = ""  # in the URL, the title or a reference id; case is ignored
    state: str = ""
    is_unsure: bool | None = None  # currently inconclusive
    is_never_seen: bool | None = None  # as `TargetQuerySet.never_seen`
    is_paused: bool = False
    flag: str = ""
    reason: str = ""
    host: str = ""
    canonical_url: str = ""
    reference: str = ""  # a whole reference id
    reference_start: str = ""
    # The owner of a reference; if this is the actor, also references of the actor's teams.
    owner_id: int | None = None
    is_unowned: bool = False  # with a reference without an owner
    since: datetime | None = None  # its state changed at this time or later
    until: datetime | None = None  # its state changed before this time

    def conditions(self, by: Actor, *, via: str = "") -> dict[str, Q]:
        """Return the condition for each filter that is set, by name; some are in INDEXED.

        They are conditions on targets or, if `via` is `target__`, on references. Only references
        that the actor may see count; if the conditions are on references, the caller filters these.
        """
        plain = {
            "canonical_url": self.canonical_url,
            "host": self.host,
            "last_reason": self.reason,
            "state": self.state,
            "flag_rows__flag": self.flag,
            "paused": self.is_paused,
        }
        conditions = {name: Q((f"{via}{name}", value)) for name, value in plain.items() if value}
        if self.since is not None:
            conditions["since"] = Q((f"{via}state_changed_at__gte", self.since))
        if self.until is not None:
            conditions["until"] = Q((f"{via}state_changed_at__lt", self.until))
        if self.is_unsure is not None:
            name = "inconclusive_since__isnull"
            conditions[name] = Q((f"{via}{name}", not self.is_unsure))
        if self.is_never_seen is not None:
            conditions["never_seen"] = never_seen(via) if self.is_never_seen else ~never_seen(via)
        if terms := self._reference_terms(by):
            conditions["references"] = terms if via else _refers(terms, by)
        if len(self.text) >= MIN_TEXT_LENGTH:
            in_reference = Q(object_id__icontains=self.text)
            in_words = Q((f"{via}words__text__icontains", self.text))
            conditions["text"] = in_words | (in_reference if via else _refers(in_reference, by))
        elif self.text:
            conditions["text"] = Q((f"{via}host__startswith", self.text.lower()))
        return conditions

    def select(self, targets: TargetQuerySet, by: Actor) -> TargetQuerySet:
        """Return the matching targets, for a plain list in order of creation."""
        conditions = self.conditions(by)
        if terms := self._reference_terms(by):  # SQLite would read all targets for an EXISTS
            visible = by.reach(Reference.objects.filter(terms))
            conditions["references"] = Q(pk__in=visible.values("target"))
        return targets.filter(*conditions.values())

    def _reference_terms(self, by: Actor) -> Q:
        """Return the combined conditions on one reference of the target; empty if none is set."""
        terms = Q(object_id=self.reference) if self.reference else Q()
        if self.owner_id:
            terms &= by.held_references(self.owner_id)
        if self.is_unowned:
            terms &= Q(owner=None)
        return terms & begins_with(self.reference_start) if self.reference_start else terms

    def sources(self, by: Actor) -> Iterator[QuerySet[Any]]:
        """Yield a query for each indexed condition: the ids of all targets that meet it.

        Conditions that probably match few targets come first, and text comes last: other
        conditions cost only the rows that are read, but for text, PostgreSQL finds all candidates
        before the first result.
        """
        targets = Target.objects.order_by()
        if self.canonical_url:
            yield targets.filter(canonical_url=self.canonical_url).values_list("pk")
        if terms := self._reference_terms(by):
            yield by.reach(Reference.objects.filter(terms)).values_list("target_id")
        if self.flag:
            yield TargetFlag.objects.filter(flag=self.flag).values_list("target_id")
        if self.since and self.state in _FAILING:
            yield targets.filter(FAILING, state_changed_at__gte=self.since).values_list("pk")
        conditions = self.conditions(by)
        for name in INDEXED:
            if name in conditions:
                yield targets.filter(conditions[name]).values_list("pk")
        yield from self._text_sources(by)

    def _text_sources(self, by: Actor) -> Iterator[QuerySet[Any]]:
        if 0 < len(self.text) < MIN_TEXT_LENGTH:
            hosts = Host.objects.filter(name__startswith=self.text.lower()).values("name")
            yield Target.objects.order_by().filter(host__in=hosts).values_list("pk")
        elif self.text and _is_indexed(self.text):
            texts = TargetText.objects.filter(text__icontains=self.text)
            references = by.reach(Reference.objects.filter(object_id__icontains=self.text))
            yield texts.values_list("target_id").union(
                references.values_list("target_id"), all=True
            )


def _is_indexed(text: str) -> bool:
    """Return whether an index can find this text; if not, PostgreSQL would read the whole table.

    SQLite reads the text of all targets anyway, which is fast at its sizes.
    """
    if connection.vendor == "sqlite":
        return True
    words = _WORD.findall(text)
    if not words or any(word.isascii() for word in words):
        return bool(words)
    with connection.cursor() as cursor:  # a database with locale C only knows ASCII letters
        cursor.execute("SELECT cardinality(show_trgm(%s)) > 0", words[:1])
        return bool(cursor.fetchone()[0])


def _refers(terms: Q, by: Actor) -> Q:
    """Return the condition that a target has a reference that meets `terms` and that the actor may
    see."""
    return Q(Exists(by.reach(Reference.objects.filter(terms, target=OuterRef("pk")))))
