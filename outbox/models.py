"""The outbox: events in order, the cursor of each reader, and refused events."""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar, Self, cast

import uuid_utils.compat
from django.conf import settings
from django.db import models
from django.db.models import Max, Q
from django.db.models.functions import Cast, Length

from outbox.event_kinds import EventKind, State

STATES = [(state.value, state.label) for state in State]
MAX_PAYLOAD_CHARACTERS = 4_000_000  # of payloads read at once: about 100,000 references


class EventQuerySet(models.QuerySet["Event"]):
    def in_feed(self) -> Self:
        """Return the events of the feed: numbered changes into one of EVENT_STATES that are not
        quiet, in the order of position."""
        numbered = self.filter(position__isnull=False, quiet=False)
        return numbered.filter(to_state__in=settings.EVENT_STATES).order_by("position")

    def numbered(self) -> Self:
        """Return events with a position, in order."""
        return self.filter(position__isnull=False).order_by("position")

    def targets_that_entered_or_left(self, state: str, *, since: datetime) -> set[str]:
        """Return the ids of targets that entered or left this state at `since` or later.

        Reads the feed backwards until it reaches an older event. Positions are only roughly
        chronological, so pass an earlier time, to leave a margin.
        """
        changes = self.filter(Q(from_state=state) | Q(to_state=state)).exclude(target=None)
        fresh = changes.unnumbered().filter(at__gte=since)
        older = self.numbered().filter(at__lt=since).reverse()
        last = older.values_list("position", flat=True).first() or 0
        late = changes.filter(position__gt=last)
        targets = (target for rows in (fresh, late) for (target,) in rows.values_list("target"))
        return cast("set[str]", set(targets))

    def newest_position(self) -> int:
        """Return the last assigned position, 0 before the first."""
        return self.aggregate(newest=Max("position"))["newest"] or 0

    def position_before(self, at: datetime) -> int:
        """Return the last position whose event is older than `at`; without such an event, the
        position before the first.

        A binary search, because no index is in order of time. Positions are only roughly
        chronological, so leave a margin.
        """
        first = self.numbered().values_list("position", flat=True).first() or 1
        low, high = first - 1, self.newest_position()
        while low < high:
            middle = (low + high + 1) // 2
            rows = self.filter(position__lte=middle).order_by("-position")
            position, time = rows.values_list("position", "at")[0]
            low, high = (middle, high) if time < at else (low, cast("int", position) - 1)
        return low

    def state_changes(self) -> Self:
        """Return changes of state only."""
        return self.filter(kind=EventKind.STATE)

    def newest(self, limit: int) -> "list[Event]":
        """Return the last `limit` changes of state, newest first."""
        changes = self.state_changes()
        fresh = changes.filter(position__isnull=True).order_by("-at", "-id")[:limit]
        numbered = changes.filter(position__isnull=False).order_by("-position")[:limit]
        return sorted([*fresh, *numbered], key=lambda row: (row.at, row.id), reverse=True)[:limit]

    def chunks(self, *, limit: int | None = None) -> "Iterator[list[Event]]":
        """Yield the first `limit` of these numbered, ordered rows in chunks.

        The payloads of a chunk total at most MAX_PAYLOAD_CHARACTERS, or it has only one row. A row
        may have any number of references, which are in memory several times while they are sent.
        """
        sized = self.annotate(size=Length(Cast("payload", models.TextField())))
        first: int | None = None
        last: int | None = None
        total = 0
        for position, characters in sized.values_list("position", "size")[:limit]:
            if total and total + characters > MAX_PAYLOAD_CHARACTERS:
                yield list(self.filter(position__range=(first, last)))
                total = 0
            first, last = (first if total else position), position
            total += characters
        if total:
            yield list(self.filter(position__range=(first, last)))

    def unnumbered(self) -> Self:
        """Return events that the relay has not numbered yet, oldest first."""
        return self.filter(position__isnull=True).order_by("at", "id")


class Event(models.Model):
    """A change, usually of a target's state: history and outbox in one row.

    It outlives its target. Events of kinds other than STATE have empty states. `target` is null for
    events of the deployment, links and batches, for ARCHIVED and REPAIRED, and once the target is
    deleted.
    """

    id = models.UUIDField(primary_key=True, default=uuid_utils.compat.uuid7, editable=False)
    # A lazy reference: the registry is a higher app. Source: docs/adr/0040-outbox.md.
    target = models.ForeignKey(
        "targets.Target", on_delete=models.SET_NULL, null=True, related_name="transitions"
    )
    kind = models.CharField(
        max_length=16,
        choices=[(kind.value, kind.value) for kind in EventKind],
        default=EventKind.STATE.value,
    )
    from_state = models.CharField(max_length=16, blank=True, choices=STATES)
    to_state = models.CharField(max_length=16, blank=True, choices=STATES)
    at = models.DateTimeField()
    payload = models.JSONField(
        help_text="The data of the event, from the transaction of the change."
    )
    position = models.BigIntegerField(
        null=True,
        unique=True,
        help_text="Place in the feed: dense and increasing, assigned after the commit.",
    )

    quiet = models.BooleanField(
        default=False,
        db_default=False,
        help_text="For the history only: nobody is notified, and the feed omits it.",
    )

    objects = EventQuerySet.as_manager()

    class Meta:
        db_table = "targets_transition"
        indexes: ClassVar = [
            models.Index(fields=["target", "at", "id"], name="transition_page"),
            models.Index(
                fields=["at", "id"],
                name="transition_unnumbered",
                condition=Q(position__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.from_state} → {self.to_state}" if self.to_state else self.kind


class Epoch(models.Model):
    """A period in which each position belongs to one event: a restore begins a new epoch.

    The first epoch has no row. Source: docs/adr/0036-backup.md.
    """

    number = models.BigAutoField(primary_key=True)
    # Random, because each restore of the same backup begins a different epoch.
    name = models.CharField(max_length=32, unique=True)
    began_at = models.DateTimeField()
    began_behind = models.BigIntegerField(
        help_text="Up to here, positions belong to the same events as in the previous epoch."
    )

    class Meta:
        db_table = "targets_epoch"
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class Cursor(models.Model):
    """The position of a reader of the outbox (`outbox.readers`), and the lease of its relay."""

    name = models.CharField(max_length=64, primary_key=True)
    position = models.BigIntegerField(help_text="All events up to here were accepted or refused.")
    token = models.UUIDField(null=True, help_text="Identifies the relay that feeds it.")
    leased_until = models.DateTimeField(null=True)
    last_sent_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)
    last_error_at = models.DateTimeField(null=True)
    off_since = models.DateTimeField(
        null=True, help_text="The time since which no relay has had its configuration."
    )
    sees_all = models.BooleanField(
        default=False, help_text="Gets every event, not only changes into one of EVENT_STATES."
    )

    class Meta:
        db_table = "targets_sink"
        verbose_name = "sink"

    def __str__(self) -> str:
        return self.name

    def pending(self) -> EventQuerySet:
        """Return the numbered events for this reader after its position, in order."""
        rows = Event.objects.numbered() if self.sees_all else Event.objects.in_feed()
        return rows.filter(position__gt=self.position)


class DeadLetter(models.Model):
    """An event that a reader can't take, for example because it is too large; it is set aside, not
    lost."""

    sink = models.ForeignKey(Cursor, on_delete=models.CASCADE, related_name="dead_letters")
    transition = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="dead_letters")
    at = models.DateTimeField()
    error = models.TextField()
    send_again = models.BooleanField(default=False, help_text="The relay will send it once more.")

    class Meta:
        db_table = "targets_deadletter"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sink", "transition"], name="one_letter_per_event")
        ]

    def __str__(self) -> str:
        return f"{self.transition_id} for {self.sink_id}"
