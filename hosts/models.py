"""The slot, which may have only one fetcher at a time, and its hosts.

The four tables of the requirements have one lockable row in common, the slot: an alias, or a host
without an alias. The tables exist as queries: `Host.objects.queued()` (host queue),
`Host.objects.busy(now)` (busy hosts), `Slot.objects.aliases()` with `.busy(now)` (busy aliases);
the admin has them as filters of its lists.
"""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce, Least
from django.utils.crypto import salted_hmac

MAX_SHOWN_HOSTS = 100  # hosts of an alias that are shown


class Purpose(models.TextChoices):
    """The purpose of a reservation; both share the slot's lease, but each has its own due times."""

    CHECK = "check", "check"  # our checker; due with the host's first target
    FETCH = "fetch", "fetch"  # callers of the API, which schedule hosts themselves

    @property
    def due_field(self) -> str:
        """The field of `Host` with its due time for this purpose."""
        return f"{self.value}_at"

    @property
    def ready_field(self) -> str:
        """The field of `Slot` with its ready time for this purpose."""
        return f"{self.value}_ready_at"


class SlotQuerySet(models.QuerySet["Slot"]):
    def ready(self, purpose: Purpose, now: datetime) -> Self:
        """Return slots that may be reserved at `now`, longest waiting first."""
        return self.filter(**{f"{purpose.ready_field}__lte": now}).order_by(purpose.ready_field)

    def busy(self, now: datetime) -> Self:
        """Return slots whose lease is live at `now`."""
        return self.filter(leased_until__gt=now)

    def asleep(self, now: datetime) -> Self:
        """Return slots that are paused by operators or in a backoff."""
        return self.filter(Q(paused_until__gt=now) | Q(throttled_until__gt=now))

    def aliases(self) -> Self:
        """Return slots of aliases, busy or not."""
        return self.filter(is_alias=True)

    def with_count(self) -> Self:
        """Annotate `host_count`. The cost is linear in these slots' hosts."""
        counts = Host.objects.filter(slot=OuterRef("pk")).order_by().values("slot")
        return self.annotate(host_count=Coalesce(Subquery(counts.values(count=Count("pk"))), 0))

    def with_hosts(self) -> Self:
        """Load `first_hosts`, at most MAX_SHOWN_HOSTS per slot, by name, and `host_count`."""
        first = Host.objects.order_by("name")[:MAX_SHOWN_HOSTS]
        return self.with_count().prefetch_related(
            Prefetch("hosts", queryset=first, to_attr="first_hosts")
        )

    def idle(self, now: datetime) -> Self:
        """Return slots of single hosts without work, lease, delay, backoff or instructions."""
        instructed = Host.objects.filter(slot=OuterRef("pk"), instructions__isnull=False)
        return self.filter(
            ~Exists(instructed),
            is_alias=False,
            delay=None,
            token=None,
            check_ready_at=None,
            fetch_ready_at=None,
            not_before__lte=now,
        )


class Slot(models.Model):
    """A slot, which may have only one fetcher at a time.

    Change it only under its lock. While it is free, a ready time is the later of `not_before` and
    the earliest due time of its hosts, or NULL if none is due. While it is leased, both ready times
    are the lease's end plus a grace, so that it becomes ready by itself after the lease expires.
    """

    is_alias = models.BooleanField()
    key = models.CharField(max_length=255, help_text="The alias, or the name of the one host.")
    not_before = models.DateTimeField(help_text="No requests are sent before this time.")
    # The reason for a backoff, for people: only `not_before` has an effect. A past reason stays
    # until the next backoff.
    paused_until = models.DateTimeField(null=True, blank=True, help_text="By an operator.")
    throttled_until = models.DateTimeField(
        null=True, blank=True, help_text="As its server asked, or by its own answers."
    )
    delay = models.DurationField(
        null=True, blank=True, help_text="Pause after each lease; empty means HOST_DELAY."
    )
    token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_host = models.CharField(max_length=255, blank=True, default="")
    leased_for = models.CharField(max_length=5, choices=Purpose.choices, blank=True, default="")
    # When the leased host is due again if the lease expires: the time it was reserved at, so that a
    # host whose fetchers crash yields to the others of its alias. Empty if it was reserved by name,
    # or if its due time was set during the lease.
    lease_due = models.DateTimeField(null=True, blank=True)
    check_ready_at = models.DateTimeField(null=True, blank=True)
    fetch_ready_at = models.DateTimeField(null=True, blank=True)

    objects = SlotQuerySet.as_manager()

    host_count: int  # only from with_count() and with_hosts()
    first_hosts: "list[Host]"  # only from with_hosts()

    class Meta:
        default_permissions = ()  # rights are defined on hosts and aliases
        constraints = [
            models.UniqueConstraint(fields=["is_alias", "key"], name="slot_key"),
            models.UniqueConstraint(
                fields=["token"], condition=Q(token__isnull=False), name="slot_token"
            ),
            models.CheckConstraint(
                condition=Q(
                    token__isnull=True,
                    leased_until__isnull=True,
                    leased_host="",
                    leased_for="",
                    lease_due__isnull=True,
                )
                | Q(
                    token__isnull=False,
                    leased_until__isnull=False,
                    leased_for__in=Purpose.values,
                ),
                name="slot_lease_is_whole",
            ),
        ]
        indexes = [
            models.Index(
                fields=["check_ready_at"],
                condition=Q(check_ready_at__isnull=False),
                name="slot_check_ready",
            ),
            models.Index(
                fields=["fetch_ready_at"],
                condition=Q(fetch_ready_at__isnull=False),
                name="slot_fetch_ready",
            ),
            models.Index(
                fields=["leased_until"],
                condition=Q(leased_until__isnull=False),
                name="slot_leased_until",
            ),
            models.Index(
                fields=["paused_until"],
                condition=Q(paused_until__isnull=False),
                name="slot_paused",
            ),
            models.Index(
                fields=["throttled_until"],
                condition=Q(throttled_until__isnull=False),
                name="slot_throttled",
            ),
            models.Index(
                fields=["not_before"],
                condition=Q(
                    is_alias=False,
                    delay__isnull=True,
                    token__isnull=True,
                    check_ready_at__isnull=True,
                    fetch_ready_at__isnull=True,
                ),
                name="slot_idle",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def is_paused(self, now: datetime) -> bool:
        """Return whether an operator has paused the slot."""
        return self.paused_until is not None and self.paused_until > now

    def is_left_alone(self, now: datetime) -> bool:
        """Return whether the slot is paused or in a backoff, as in `SlotQuerySet.asleep`."""
        is_throttled = self.throttled_until is not None and self.throttled_until > now
        return is_throttled or self.is_paused(now)

    @property
    def alias(self) -> str | None:
        """The alias of this slot, or None for a single host."""
        return self.key if self.is_alias else None


class HostState(models.TextChoices):
    """The state of a host: exactly one of these."""

    QUEUED = "queued", "queued"
    BUSY = "busy", "busy"
    WAITING = "waiting", "waiting"
    IDLE = "idle", "idle"


# When a host is due next, for any purpose. LEAST with a NULL differs between the databases.
NEXT_AT = Least(Coalesce("check_at", "fetch_at"), Coalesce("fetch_at", "check_at"))


class HostQuerySet(models.QuerySet["Host"]):
    def left_alone(self, names: Collection[str], *, now: datetime) -> "dict[str, Slot]":
        """Return the slots of these hosts that are paused or in a backoff, by the host's name."""
        if not names:
            return {}
        rows = self.select_related("slot").filter(name__among=list(names))
        return {row.name: row.slot for row in rows if row.slot.is_left_alone(now)}

    def with_next(self) -> Self:
        """Annotate `next_at`, the time when each host is due next, or None."""
        return self.annotate(next_at=NEXT_AT)

    def queued(self) -> Self:
        """Return hosts with a due time and a free slot."""
        return self.with_next().filter(next_at__isnull=False, slot__token=None)

    def busy(self, now: datetime) -> Self:
        """Return hosts under a live lease at `now`, with its end as `busy_until`."""
        live = self.filter(slot__leased_until__gt=now, slot__leased_host=F("name"))
        return live.annotate(busy_until=F("slot__leased_until"))

    def waiting(self, now: datetime) -> Self:
        """Return hosts held up by a lease of another host of their alias, or by their own expired
        lease."""
        due = Q(next_at__isnull=False) & ~Q(slot__leased_host=F("name"))
        expired = Q(slot__leased_host=F("name"), slot__leased_until__lte=now)
        return self.with_next().filter(due | expired, slot__leased_until__isnull=False)

    def idle(self) -> Self:
        """Return hosts that are neither due nor leased."""
        return self.with_next().filter(~Q(slot__leased_host=F("name")), next_at__isnull=True)

    def in_state(self, state: HostState, now: datetime) -> Self:
        """Return hosts that are in this state at `now`."""
        match state:
            case HostState.QUEUED:
                return self.queued()
            case HostState.BUSY:
                return self.busy(now)
            case HostState.WAITING:
                return self.waiting(now)
            case HostState.IDLE:
                return self.idle()


class Host(models.Model):
    """One host by its normal name: lower case, punycode, no port, IPv6 in brackets."""

    name = models.CharField(max_length=255)
    slot = models.ForeignKey(Slot, models.PROTECT, related_name="hosts", db_index=False)
    check_at = models.DateTimeField(null=True, blank=True)
    fetch_at = models.DateTimeField(null=True, blank=True)
    # Operators' instructions for the checks of all its targets (`hosts.instructions`); null: none.
    instructions = models.JSONField(null=True, blank=True)
    usual_ms = models.PositiveIntegerField(
        null=True, editable=False, help_text="Until the first byte of its answers, usually."
    )
    slow_ms = models.PositiveIntegerField(
        null=True, editable=False, help_text="The recent value, if it is much larger."
    )

    objects = HostQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name"], name="host_name")]
        indexes = [
            # Not partial, because this index also finds all hosts of a slot.
            models.Index(fields=["slot", "check_at"], name="host_slot_check"),
            models.Index(
                fields=["slot", "fetch_at"],
                condition=Q(fetch_at__isnull=False),
                name="host_slot_fetch",
            ),
            models.Index(NEXT_AT, "id", name="host_next"),
        ]

    def __str__(self) -> str:
        return self.name

    def state(self, now: datetime) -> HostState:
        """Return the state at `now`, as in `HostQuerySet.in_state`."""
        slot = self.slot
        is_due = self.check_at is not None or self.fetch_at is not None
        if slot.leased_until is None:
            return HostState.QUEUED if is_due else HostState.IDLE
        if slot.leased_host == self.name:
            return HostState.BUSY if slot.leased_until > now else HostState.WAITING
        return HostState.WAITING if is_due else HostState.IDLE

    def due(self, purpose: Purpose) -> datetime | None:
        """Return the time when the host is due for `purpose`, or None."""
        at: datetime | None = getattr(self, purpose.due_field)
        return at


class Favicon(models.Model):
    """The icon of a host; `png` is empty if the host has none.

    It has no foreign key, so that version 0.2.0 can delete hosts, and so that the row outlives its
    host: an icon must not be requested again within the month if its host has been deleted.
    """

    host = models.CharField(max_length=255)
    asked_at = models.DateTimeField(db_index=True)
    png = models.BinaryField(default=b"", help_text="As hosts.icon_drawing draws it.")
    digest = models.CharField(
        max_length=16, blank=True, default="", help_text="A digest of the PNG."
    )

    class Meta:
        default_permissions = ()  # users who may see a host may see its icon
        constraints = [models.UniqueConstraint(fields=["host"], name="favicon_host")]

    def __str__(self) -> str:
        return self.host


class Alias(Slot):
    """An alias with its hosts."""

    class Meta:
        proxy = True
        verbose_name_plural = "aliases"


def slot_of(row: Host | Slot) -> Slot:
    """Return the slot of a host, or the alias itself."""
    return row.slot if isinstance(row, Host) else row


def settings_version(row: Host | Slot) -> int:
    """Return a number that changes with what operators set: alias, delay, pause, instructions.

    It is computed, because processes of version 0.2.0 would not increment a column.
    """
    slot = slot_of(row)
    instructions = row.instructions if isinstance(row, Host) else None
    values = [slot.alias, slot.delay, slot.paused_until, instructions]
    text = json.dumps(values, default=str, sort_keys=True)
    return int(salted_hmac("hosts.settings_version", text).hexdigest()[:12], 16)
