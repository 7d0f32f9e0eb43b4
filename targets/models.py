"""The registry: targets, references, notes, copies and public lists."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Prefetch, Q, Subquery, Value
from django.db.models.functions import Coalesce

from accounts import sharing
from accounts.actors import DEPLOYMENT, Actor, owner_may_receive
from accounts.roles import Role
from foundation.database.ids import PublicIdField
from foundation.moved_names import moved
from hosts.models import Host
from outbox.models import STATES
from targets.advice_provider import NO_ADVICE, Advice, advice_of
from targets.canonical import MAX_URL_BYTES
from targets.repair_models import Repair, ReplacedReference
from targets.scan_models import ReferenceOccurrences, RepositoryScan
from targets.state import Health, Outcome, Policy, State

__all__ = [
    "ReferenceOccurrences",
    "Repair",
    "ReplacedReference",
    "RepositoryScan",
]  # models of another module
SHOWN_REFERENCES = 100
FAILING = Q(state__in=[State.DEAD.value, State.POTENTIALLY_DEAD.value])
HAS_REASON = ~Q(last_reason="")
RECENT = 30  # the number of checks whose outcomes a target stores


def policy_in_force(
    check_period: timedelta | None, recheck_period: timedelta | None, recheck_threshold: int | None
) -> Policy:
    """Return the policy of a target with these own values; None: the settings'."""
    return Policy(
        check_period=check_period or settings.CHECK_PERIOD,
        recheck_period=recheck_period or settings.RECHECK_PERIOD,
        recheck_threshold=recheck_threshold or settings.RECHECK_THRESHOLD,
        inconclusive_limit=settings.INCONCLUSIVE_LIMIT,
        dead_recheck_period=settings.DEAD_RECHECK_PERIOD,
    )


def never_seen(via: str = "") -> Q:
    """Return the condition that targets (directly or by `via`) were never seen.

    The first success or failure ends `pending`. Indexes cover it.
    """
    return Q((f"{via}state", State.PENDING.value), (f"{via}inconclusive_since__isnull", False))


class TargetQuerySet(models.QuerySet["Target"]):
    def due(self, now: datetime) -> Self:
        """Return targets whose next check is at or before `now`, oldest first."""
        return self.scheduled().filter(next_check_at__lte=now).order_by("next_check_at")

    def needing_attention(self) -> Self:
        """Return targets whose checks are currently inconclusive, so that a person should look."""
        return self.filter(inconclusive_since__isnull=False)

    def never_seen(self) -> Self:
        """Return targets whose checks were all inconclusive.

        For example, they have been behind a bot wall since their registration or revival, so it is
        unknown whether they were ever alive.
        """
        return self.filter(never_seen())

    def set_aside(self) -> Self:
        """Return targets whose last check failed on our own side."""
        return self.filter(set_aside_at__isnull=False)

    def scheduled(self) -> Self:
        """Return targets that will be checked."""
        return self.filter(paused=False, next_check_at__isnull=False)

    def with_references(
        self, by: Actor = DEPLOYMENT, *, among: "ReferenceQuerySet | None" = None
    ) -> Self:
        """Load the first references of each target (`first_references`) and their number.

        Only references that the actor may see, and only `among` these. Dead targets come with their
        copies.
        """
        visible = by.reach(Reference.objects.all() if among is None else among)
        counts = (
            visible.filter(target=OuterRef("pk"))
            .order_by()
            .values("target")
            .values(count=Count("pk"))
        )
        first = visible.order_by("created_at", "pk")[:SHOWN_REFERENCES]
        first_references = Prefetch("references", queryset=first, to_attr="first_references")
        return (
            self.select_related("copy")
            .annotate(reference_count=Coalesce(Subquery(counts), 0))
            .prefetch_related(first_references)
        )

    def next_due_by_host(self, hosts: Iterable[str]) -> dict[str, datetime | None]:
        """Return the earliest next check of each host; one index probe per host, independent of its
        size."""
        targets = _earliest(self.scheduled())
        unregistered = _earliest(UnregisteredTarget.objects.filter(next_check_at__isnull=False))
        rows = Host.objects.filter(name__in=list(hosts))
        times_by_name = rows.values_list("name", Subquery(targets), Subquery(unregistered))
        return {name: min(filter(None, times), default=None) for name, *times in times_by_name}


def _earliest(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any, Any]":
    """Return the earliest next check among these rows of a host, for a query of hosts."""
    of_host = rows.filter(host=OuterRef("name")).order_by("next_check_at")
    return of_host.values("next_check_at")[:1]


class Target(models.Model):
    """One watched URL. Its identity is `canonical_url`; checks fetch `url`."""

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
    # Operators' instructions for its checks (`hosts.instructions`); null: those of its host.
    instructions = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Raised by each change by PATCH or in the admin."
    )

    state = models.CharField(max_length=16, choices=STATES, default=State.PENDING.value)
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
    validators = models.JSONField(
        null=True,
        editable=False,
        help_text="By what the next check asks whether its page has changed; null: it reads it.",
    )
    is_internal = models.BooleanField(
        null=True,
        editable=False,
        help_text="Only ALLOW_NETWORKS opens its server, or one that it redirects to; null: nothing"
        " has answered yet.",
    )
    recent = models.CharField(
        max_length=RECENT,
        blank=True,
        help_text="The outcomes of its last checks, a letter each, the newest last.",
    )
    replaced_by = models.ForeignKey(
        "self",
        on_delete=models.DO_NOTHING,
        null=True,
        editable=False,
        db_constraint=False,
        db_index=False,  # the partial index target_replaced is used instead
        related_name="+",
        help_text="What watches the new address for all its references: it is checked rarely.",
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
            models.Index(
                fields=["replaced_by"],
                name="target_replaced",
                condition=Q(replaced_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        """Return the path of its page for operators."""
        return f"/targets/{self.pk}"

    @property
    def title(self) -> str:
        """The last seen title of its page, which is untrusted. Empty without one."""
        return title_of(self.identity or {})

    @property
    def advice(self) -> Advice:
        """The last check in a few words, with a suggested action."""
        if self.last_checked_at is None:
            return NO_ADVICE
        return advice_of(self.last_reason, self.last_status_code, self.flags)

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of its last checks, newest last."""
        by_mark = {outcome.mark: outcome for outcome in Outcome}
        return [by_mark[mark] for mark in self.recent]

    @property
    def shown_copy(self) -> "TargetCopy | None":
        """The copy of its page, if it is dead and archives were asked."""
        if self.state != State.DEAD.value:
            return None
        copy: TargetCopy | None = getattr(self, "copy", None)
        return copy if copy is not None and copy.result else None

    def load_references(self, by: Actor = DEPLOYMENT) -> None:
        """Load the same as `with_references`, without reading all references of the target."""
        visible = by.reach(self.references.all())
        self.first_references = list(visible.order_by("created_at", "pk")[:SHOWN_REFERENCES])
        self.reference_count = visible.count()

    @property
    def health(self) -> Health:
        """The health, as input of the state machine."""
        return Health.of(self)

    @property
    def policy(self) -> Policy:
        """The policy in force: the target's own values, or else those of the settings."""
        return policy_in_force(self.check_period, self.recheck_period, self.recheck_threshold)

    @property
    def condition_in_force(self) -> str:
        """The name of the condition that defines success."""
        return self.condition or settings.CHECK_CONDITION


def title_of(identity: Mapping[str, Any]) -> str:
    """Return the title in a page's identity."""
    return identity.get("name") or identity.get("title") or ""


def text_of(url: str, canonical_url: str, title: str = "") -> str:
    """Return the search text of a target."""
    return "\n".join(filter(None, dict.fromkeys((url, canonical_url, title))))


class UnregisteredTarget(models.Model):
    """A URL that only batches refer to: it is not watched, and in no list or count.

    Checks treat it as a target, by columns of the same names (`targets.unregistered`). When
    registered, it becomes a target with the same id, so that it keeps its results. `is_public`:
    checked without ALLOW_NETWORKS and instructions, as for anonymous visitors.
    """

    id = PublicIdField(kind="target", primary_key=True)
    url = models.CharField(max_length=MAX_URL_BYTES)
    canonical_url = models.CharField(max_length=MAX_URL_BYTES)
    host = models.CharField(max_length=255)
    is_public = models.BooleanField()
    created_at = models.DateTimeField()

    state = models.CharField(max_length=16, choices=STATES, default=State.PENDING.value)
    failures = models.PositiveIntegerField(default=0)
    first_failed_at = models.DateTimeField(null=True)
    last_failed_at = models.DateTimeField(null=True)
    inconclusive_since = models.DateTimeField(null=True)
    attention_since = models.DateTimeField(null=True)
    next_check_at = models.DateTimeField(null=True, help_text="Null: no batch waits for a check.")
    set_aside_at = models.DateTimeField(null=True)
    state_changed_at = models.DateTimeField()
    last_checked_at = models.DateTimeField(null=True)
    last_status_code = models.PositiveSmallIntegerField(null=True)
    last_error = models.TextField(null=True)  # noqa: DJ001 (null means success)
    last_latency_ms = models.PositiveIntegerField(null=True)
    last_reason = models.CharField(max_length=32, blank=True)
    heads = models.PositiveSmallIntegerField(default=0)
    moved_to = models.TextField(blank=True)
    flags = models.JSONField(default=list)
    identity = models.JSONField(null=True)
    is_internal = models.BooleanField(null=True)
    recent = models.CharField(max_length=RECENT, blank=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["canonical_url", "is_public"], name="one_unregistered_per_url"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["host", "next_check_at"],
                name="unregistered_due",
                condition=Q(next_check_at__isnull=False),
            ),
            models.Index(fields=["created_at"], name="unregistered_age"),
        ]

    def __str__(self) -> str:
        return self.url


class TargetText(models.Model):
    """The search text of a target: its URL, as given and canonical, and its title.

    Not a column of the target, because each check would rewrite its trigrams on PostgreSQL.
    """

    target = models.OneToOneField(
        Target,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="words",
        db_constraint=False,  # written by the statement that inserts its target
    )
    text = models.TextField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text


class TargetFlag(models.Model):
    """A current flag of a target, which duplicates `Target.flags` for searches."""

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


class TargetNote(models.Model):
    """A note on a target, for others who may act on it (`targets.notes`).

    Deleted with its target and with its author's account. It has no constraints on these, because
    0.2.0, which does not know this table, deletes both. Orphaned notes are never shown.
    """

    LENGTH = 500

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    text = models.CharField(max_length=LENGTH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    written_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text


class CopyResult(models.TextChoices):
    """The result of a search for copies."""

    VERIFIED = "verified", "verified"  # the page as checks last saw it
    POSSIBLE = "possible", "possible"  # a good page, but not provably the same one
    NONE = "none", "never archived"
    UNAVAILABLE = "unavailable", "archive unavailable"


class TargetCopy(models.Model):
    """The copy of a dead target in web archives, and the time of the next request
    (`archives.copy_queue`).

    It has no constraint on its target, because 0.2.0 deletes targets without it.
    """

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="copy", db_constraint=False
    )
    before = models.DateTimeField(help_text="When the page began to fail.")
    result = models.CharField(
        max_length=11, choices=CopyResult.choices, blank=True, help_text="Empty: not asked yet."
    )
    archive = models.CharField(max_length=255, blank=True)
    address = models.TextField(blank=True)
    captured_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    ask_again_at = models.DateTimeField(null=True, db_index=True, help_text="Null: never.")
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="In a row, with the same result."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.address or self.result


class KeptCount(models.Model):
    """A change of a count (`targets.counts`), or a sum of several."""

    name = models.CharField(max_length=64)
    amount = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.amount:+} {self.name}"


def begins_with(prefix: str) -> Q:
    """Return the condition that ids of references begin with this, case-sensitively."""
    return sharing.begins_with(prefix, Reference.shared_by_prefix)


class ReferenceQuerySet(models.QuerySet["Reference"]):
    def beginning_with(self, prefix: str) -> Self:
        """Return references whose ids begin with a prefix, case-sensitively; uses an index."""
        return self.filter(begins_with(prefix))

    def with_occurrences(self) -> Self:
        """Load the `occurrences` of each reference."""
        places = ReferenceOccurrences.objects.filter(pk=OuterRef("pk")).values("places")
        none = Value([], models.JSONField())
        return self.annotate(occurrences=Coalesce(Subquery(places), none))

    def resolve(self, object_id: str, by: Actor, *, to_change: bool = False) -> "list[Reference]":
        """Return the references of one target that the actor means by this id.

        These are its own and those without an owner; if there are none, all that it may see, or
        change.
        """
        visible = by.reach(self.filter(object_id=object_id), to_change=to_change)
        references = list(visible.order_by("created_at", "pk"))
        own = None if by.owner is None else by.owner.pk
        return [row for row in references if row.owner_id in (None, own)] or references


class Reference(models.Model):
    """An object elsewhere that is notified when the target dies."""

    shared_by_prefix = "object_id"  # see accounts.sharing.ReferenceShare

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="references")
    object_id = models.CharField(max_length=255, db_index=True)
    created_at = models.DateTimeField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        db_index=False,  # reference_owner covers references with an owner
        related_name="+",
    )

    objects = ReferenceQuerySet.as_manager()

    occurrences: list[dict[str, Any]]  # only from with_occurrences()

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


class PublicListQuerySet(models.QuerySet["PublicList"]):
    def shown(self) -> Self:
        """Return lists that anybody may see now, excluding those whose owner lost the right to
        create lists."""
        return self.filter(owner_may_receive("owner", roles=(Role.MEMBER, Role.OPERATOR)))


class PublicList(models.Model):
    """A page and a badge at `/public/NAME`: the status of targets of its owner's references.

    No constraint ties it to its owner: processes of 0.2.0, which do not know it, delete accounts.
    """

    NAME = r"[a-z0-9][a-z0-9-]{0,63}"

    name = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(
        max_length=255, blank=True, help_text="How its reference ids begin; empty: all of them."
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_constraint=False,
        help_text="Whose references it lists. Null: nobody's, which programs registered.",
    )
    created_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)

    objects = PublicListQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the path of its page for users who may change it."""
        return f"/lists/{self.name}"


if not TYPE_CHECKING:
    __getattr__ = moved(
        __name__,
        {
            "Transition": "outbox.models.Event",
            "Sink": "outbox.models.Cursor",
            "DeadLetter": "outbox.models.DeadLetter",
            "Epoch": "outbox.models.Epoch",
        },
    )
