"""The registry's rows: targets, who refers to them, and what became of them."""

import sys
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

import uuid_utils.compat
from django.conf import settings
from django.db import connection, models
from django.db.models import Count, Max, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from accounts.actors import DEPLOYMENT, Actor
from foundation.database.ids import PublicIdField
from hosts.models import Host
from targets.canonical import MAX_URL_BYTES
from targets.events.kinds import EventKind
from targets.state import Health, Outcome, Policy, State

SHOWN_REFERENCES = 100
FAILING = Q(state__in=[State.DEAD.value, State.POTENTIALLY_DEAD.value])
HAS_REASON = ~Q(last_reason="")
RECENT = 30  # checks whose outcomes a target keeps


def state_field(
    *, default: State | None = None, blank: bool = False
) -> "models.CharField[str, str]":
    """Return a column that holds a State."""
    choices = [(state.value, state.label) for state in State]
    if default is None:
        return models.CharField(max_length=16, choices=choices, blank=blank)
    return models.CharField(max_length=16, choices=choices, default=default.value)


def policy_in_force(
    check_period: timedelta | None, recheck_period: timedelta | None, recheck_threshold: int | None
) -> Policy:
    """Return the policy of a target with these values of its own; for None those of settings."""
    return Policy(
        check_period=check_period or settings.CHECK_PERIOD,
        recheck_period=recheck_period or settings.RECHECK_PERIOD,
        recheck_threshold=recheck_threshold or settings.RECHECK_THRESHOLD,
        inconclusive_limit=settings.INCONCLUSIVE_LIMIT,
        dead_recheck_period=settings.DEAD_RECHECK_PERIOD,
    )


def never_seen(via: str = "") -> Q:
    """Return the condition on targets, or on rows `via` which they are, that none was ever seen.

    The first success or failure ends `pending`. The indexes of state and of the unsure know it.
    """
    return Q((f"{via}state", State.PENDING.value), (f"{via}inconclusive_since__isnull", False))


class TargetQuerySet(models.QuerySet["Target"]):
    def due(self, now: datetime) -> Self:
        """Targets whose next check is at or before `now`, oldest first."""
        return self.scheduled().filter(next_check_at__lte=now).order_by("next_check_at")

    def needing_attention(self, *, wanted: bool = True) -> Self:
        """Targets whose checks are inconclusive at present, so that a person should look.

        `wanted`: False for all the others.
        """
        return self.filter(inconclusive_since__isnull=not wanted)

    def never_seen(self, *, wanted: bool = True) -> Self:
        """Targets that were checked, but never with another outcome than inconclusive.

        Say, behind a bot wall since they were registered, or revived: whether they ever were alive
        is not known. `wanted`: False for all the others.
        """
        return self.filter(never_seen() if wanted else ~never_seen())

    def set_aside(self) -> Self:
        """Targets whose last check failed on our own side."""
        return self.filter(set_aside_at__isnull=False)

    def scheduled(self) -> Self:
        """Targets that will be checked some time."""
        return self.filter(paused=False, next_check_at__isnull=False)

    def with_references(self, by: Actor = DEPLOYMENT) -> Self:
        """Load the first references of each target (`first_references`) and their number.

        Only those that somebody may know of.
        """
        known = by.reach(Reference.objects.all())
        counts = (
            known.filter(target=OuterRef("pk"))
            .order_by()
            .values("target")
            .values(count=Count("pk"))
        )
        first = known.order_by("created_at", "pk")[:SHOWN_REFERENCES]
        return self.annotate(reference_count=Coalesce(Subquery(counts), 0)).prefetch_related(
            Prefetch("references", queryset=first, to_attr="first_references")
        )

    def referred_to_by(self, object_id: str, by: Actor = DEPLOYMENT) -> Self:
        """Targets with a reference of this id that somebody may know of."""
        known = by.reach(Reference.objects.filter(object_id=object_id))
        return self.filter(pk__in=known.values("target"))

    def next_due_by_host(self, hosts: Iterable[str]) -> dict[str, datetime | None]:
        """Return the earliest next check of each host; one index probe per host, however large."""
        earliest = (
            self.scheduled()
            .filter(host=OuterRef("name"))
            .order_by("next_check_at")
            .values("next_check_at")[:1]
        )
        known = Host.objects.filter(name__in=list(hosts))
        return dict(known.values_list("name", Subquery(earliest)))


class Target(models.Model):
    """One watched URL. Its identity is `canonical_url`; what a check asks for is `url`."""

    id = PublicIdField(kind="target", primary_key=True)
    url = models.CharField(max_length=MAX_URL_BYTES)
    canonical_url = models.CharField(max_length=MAX_URL_BYTES, unique=True)
    host = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    pinned = models.BooleanField(default=False, help_text="Is kept even without references.")
    paused = models.BooleanField(
        default=False, help_text="Not checked while paused; keeps its state."
    )

    quiet = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Imported with --quiet: nobody is notified of it until a check succeeds.",
    )

    check_period = models.DurationField(null=True, blank=True)
    recheck_period = models.DurationField(null=True, blank=True)
    recheck_threshold = models.PositiveSmallIntegerField(null=True, blank=True)
    condition = models.CharField(max_length=64, blank=True)
    # Of operators for its checks (`hosts.instructions`); null: what its host says, if anything.
    instructions = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Raised by each change by PATCH or in the admin."
    )

    state = state_field(default=State.PENDING)
    failures = models.PositiveIntegerField(default=0)
    first_failed_at = models.DateTimeField(null=True)
    last_failed_at = models.DateTimeField(
        null=True, editable=False, help_text="When the last failure that counted was found."
    )
    inconclusive_since = models.DateTimeField(null=True)
    attention_since = models.DateTimeField(
        null=True, help_text="Since when a person should look, as the outbox says it."
    )
    next_check_at = models.DateTimeField(null=True)
    set_aside_at = models.DateTimeField(
        null=True, help_text="When the last check failed on our own side."
    )
    state_changed_at = models.DateTimeField()
    last_checked_at = models.DateTimeField(null=True)
    last_status_code = models.PositiveSmallIntegerField(null=True)
    last_error = models.TextField(null=True)  # noqa: DJ001 (null means success)
    last_latency_ms = models.PositiveIntegerField(null=True)
    last_reason = models.CharField(max_length=32, blank=True)
    heads = models.PositiveSmallIntegerField(
        default=0, help_text="Checks in a row that a HEAD decided."
    )
    moved_to = models.TextField(
        blank=True, help_text="Where permanent redirects led at the last success."
    )
    flags = models.JSONField(
        default=list, blank=True, help_text="Of the last check that was not inconclusive."
    )
    identity = models.JSONField(
        null=True, help_text="What its page was like, to see whether another's takes its place."
    )
    recent = models.CharField(
        max_length=RECENT,
        blank=True,
        help_text="The outcomes of its last checks, a letter each, the newest last.",
    )

    objects = TargetQuerySet.as_manager()

    reference_count: int  # only from with_references()
    first_references: "list[Reference]"  # only from with_references()

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["created_at", "id"], name="target_page"),
            models.Index(fields=["host", "created_at", "id"], name="target_host_page"),
            models.Index(fields=["state", "created_at", "id"], name="target_state_page"),
            models.Index(
                fields=["state_changed_at", "id"], name="target_failing_page", condition=FAILING
            ),
            models.Index(
                fields=["last_reason", "created_at", "id"],
                name="target_reason_page",
                condition=HAS_REASON,
            ),
            models.Index(
                fields=["host", "next_check_at"],
                name="target_due",
                condition=Q(paused=False, next_check_at__isnull=False),
            ),
            models.Index(
                fields=["next_check_at"],
                name="target_next",
                condition=Q(paused=False, next_check_at__isnull=False),
            ),
            models.Index(
                fields=["check_period", "next_check_at"],
                name="target_own_period",
                condition=Q(paused=False, next_check_at__isnull=False, check_period__isnull=False),
            ),
            models.Index(
                fields=["created_at", "id"],
                name="target_unsure_page",
                condition=Q(inconclusive_since__isnull=False),
            ),
            models.Index(
                fields=["set_aside_at", "id"],
                name="target_set_aside",
                condition=Q(set_aside_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        """Return the path of its page for operators."""
        return f"/targets/{self.pk}"

    @property
    def title(self) -> str:
        """The title of its page as checks saw it last; a stranger wrote it. Empty without any."""
        return title_of(self.identity or {})

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of its last checks, the newest last."""
        by_mark = {outcome.mark: outcome for outcome in Outcome}
        return [by_mark[mark] for mark in self.recent]

    def load_references(self, by: Actor = DEPLOYMENT) -> None:
        """Load what `with_references` would, without its look at all references of the target."""
        known = by.reach(self.references.all())
        self.first_references = list(known.order_by("created_at", "pk")[:SHOWN_REFERENCES])
        self.reference_count = known.count()

    @property
    def health(self) -> Health:
        """The health as the state machine sees it."""
        return Health.of(self)

    @property
    def policy(self) -> Policy:
        """The policy in force: the target's own where it has one, else the settings."""
        return policy_in_force(self.check_period, self.recheck_period, self.recheck_threshold)

    @property
    def condition_in_force(self) -> str:
        """The name of the rule that tells success from failure."""
        return self.condition or settings.CHECK_CONDITION


def title_of(identity: Mapping[str, Any]) -> str:
    """Return the title of a page, as its identity has it."""
    return identity.get("name") or identity.get("title") or ""


def text_of(url: str, canonical_url: str, title: str = "") -> str:
    """Return the text by which a target is found."""
    return "\n".join(filter(None, dict.fromkeys((url, canonical_url, title))))


class TargetText(models.Model):
    """The text by which people find a target: its URL, as given and canonical, and its title.

    Not a column of the target: each check would write its trigrams anew on PostgreSQL.
    """

    target = models.OneToOneField(
        Target,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="words",
        db_constraint=False,  # it is written by the statement that makes its target
    )
    text = models.TextField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text


class TargetFlag(models.Model):
    """A flag that a target has at present: `Target.flags` once more, where it can be found."""

    target = models.ForeignKey(
        Target, on_delete=models.CASCADE, related_name="flag_rows", db_index=False
    )
    flag = models.CharField(max_length=32)
    created_at = models.DateTimeField(help_text="Of the target, for pages in its order.")

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(fields=["flag", "created_at", "target"], name="flagged_page")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["target", "flag"], name="one_flag_per_target")
        ]

    def __str__(self) -> str:
        return self.flag


class KeptCount(models.Model):
    """A change of a count (`targets.counts`), or the sum of several: they add up to the count."""

    name = models.CharField(max_length=64)
    amount = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.amount:+} {self.name}"


def begins_with(prefix: str) -> Q:
    """Return the condition on references that their ids begin with this, letter by letter."""
    if connection.vendor == "sqlite":  # whose LIKE knows no case, and uses no index then
        return Q(object_id__gte=prefix, object_id__lt=prefix + chr(sys.maxunicode))
    return Q(object_id__startswith=prefix)


class ReferenceQuerySet(models.QuerySet["Reference"]):
    def beginning_with(self, prefix: str) -> Self:
        """References whose ids begin with this, letter by letter; found by an index."""
        return self.filter(begins_with(prefix))

    def meant(self, object_id: str, by: Actor) -> "list[Reference]":
        """Return those of these references of one target that somebody means by this id.

        Its own and nobody's; where there are none, all that it may know of.
        """
        found = list(by.reach(self.filter(object_id=object_id)).order_by("created_at", "pk"))
        own = None if by.owner is None else by.owner.pk
        return [row for row in found if row.owner_id in (None, own)] or found


class Reference(models.Model):
    """An object elsewhere that wants to know when the target dies."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="references")
    object_id = models.CharField(max_length=255, db_index=True)
    created_at = models.DateTimeField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        db_index=False,  # reference_owner is of those that have one
        related_name="+",
    )

    objects = ReferenceQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["target", "created_at", "id"], name="reference_page"),
            models.Index(
                fields=["owner", "created_at", "id"],
                name="reference_owner",
                condition=Q(owner__isnull=False),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["target", "object_id"],
                name="one_reference_per_object",
                condition=Q(owner__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["target", "owner", "object_id"],
                name="one_reference_per_owner",
                condition=Q(owner__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.object_id


class TransitionQuerySet(models.QuerySet["Transition"]):
    def events(self) -> Self:
        """Numbered transitions into one of EVENT_STATES, in the order of their position."""
        numbered = self.filter(position__isnull=False, quiet=False)
        return numbered.filter(to_state__in=settings.EVENT_STATES).order_by("position")

    def numbered(self) -> Self:
        """All that have a position, in the order of it."""
        return self.filter(position__isnull=False).order_by("position")

    def targets_between_life_and_death(self, *, since: datetime) -> set[str]:
        """Return the targets that died or ceased to be dead at that time or later.

        Short looks into indexes; positions are nearly in the order of time, so leave a margin.
        """
        deaths = self.filter(Q(from_state=State.DEAD) | Q(to_state=State.DEAD)).exclude(target=None)
        fresh = deaths.unnumbered().filter(at__gte=since)
        older = self.numbered().filter(at__lt=since).reverse()
        last = older.values_list("position", flat=True).first() or 0
        found = (
            *fresh.values_list("target"),
            *deaths.filter(position__gt=last).values_list("target"),
        )
        return {target_id for (target_id,) in found}

    def newest_position(self) -> int:
        """The last position given, 0 before the first."""
        return self.aggregate(newest=Max("position"))["newest"] or 0

    def of_states(self) -> Self:
        """Changes of state alone."""
        return self.filter(kind=EventKind.STATE)

    def newest(self, limit: int) -> "list[Transition]":
        """Return the last changes of state, newest first: two short looks into indexes."""
        changes = self.of_states()
        fresh = changes.filter(position__isnull=True).order_by("-at", "-id")[:limit]
        numbered = changes.filter(position__isnull=False).order_by("-position")[:limit]
        found = [*fresh, *numbered]
        return sorted(found, key=lambda row: (row.at, row.id), reverse=True)[:limit]

    def unnumbered(self) -> Self:
        """Transitions that the relay has not numbered yet, oldest first."""
        return self.filter(position__isnull=True).order_by("at", "id")


class Transition(models.Model):
    """A change, of a target's state as a rule: history and outbox in one row.

    It survives its target. Other kinds than STATE have empty states, and those of the deployment
    no target.
    """

    id = models.UUIDField(primary_key=True, default=uuid_utils.compat.uuid7, editable=False)
    target = models.ForeignKey(
        Target, on_delete=models.SET_NULL, null=True, related_name="transitions"
    )
    kind = models.CharField(
        max_length=16,
        choices=[(one.value, one.value) for one in EventKind],
        default=EventKind.STATE.value,
    )
    from_state = state_field(blank=True)
    to_state = state_field(blank=True)
    at = models.DateTimeField()
    payload = models.JSONField(help_text="What the event says, as it was in that transaction.")
    position = models.BigIntegerField(
        null=True, unique=True, help_text="Place in the feed: dense, increasing, given on commit."
    )

    quiet = models.BooleanField(
        default=False,
        db_default=False,
        help_text="It is history alone: nobody is notified, and the feed leaves it out.",
    )

    objects = TransitionQuerySet.as_manager()

    class Meta:
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
    """A time in which each position is that of one event: a restore ends it and begins another.

    The first, since the beginning, has no row. Source: docs/adr/0036-backup.md.
    """

    number = models.BigAutoField(primary_key=True)
    # Random, for another restore of the same backup begins another epoch.
    name = models.CharField(max_length=32, unique=True)
    began_at = models.DateTimeField()
    began_behind = models.BigIntegerField(
        help_text="Positions up to here mean what they meant in the one before."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class Sink(models.Model):
    """Where events go besides the feed (`targets.sinks`), how far it got, which relay feeds it."""

    name = models.CharField(max_length=64, primary_key=True)
    position = models.BigIntegerField(help_text="All events up to here were accepted.")
    token = models.UUIDField(null=True, help_text="Of the relay that feeds it.")
    leased_until = models.DateTimeField(null=True)
    last_sent_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)
    last_error_at = models.DateTimeField(null=True)
    off_since = models.DateTimeField(
        null=True, help_text="No relay has its configuration any more; its history is kept."
    )
    sees_all = models.BooleanField(
        default=False, help_text="Gets every change of state, whatever EVENT_STATES says."
    )

    def __str__(self) -> str:
        return self.name

    def pending(self, position: int | None = None) -> TransitionQuerySet:
        """Numbered events behind its position, or a later one, in order."""
        behind = self.position if position is None else position
        rows = Transition.objects
        return (rows.numbered() if self.sees_all else rows.events()).filter(position__gt=behind)


class DeadLetter(models.Model):
    """An event that a sink can't take, such as one that is too large: set aside, not lost."""

    sink = models.ForeignKey(Sink, on_delete=models.CASCADE, related_name="dead_letters")
    transition = models.ForeignKey(
        Transition, on_delete=models.CASCADE, related_name="dead_letters"
    )
    at = models.DateTimeField()
    error = models.TextField()
    send_again = models.BooleanField(default=False, help_text="The relay tries it once more.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sink", "transition"], name="one_letter_per_event")
        ]

    def __str__(self) -> str:
        return f"{self.transition_id} for {self.sink_id}"
