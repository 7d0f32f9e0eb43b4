"""The models of the registry: targets, references, notes, copies, counts and public lists."""

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
]  # models of other modules
MAX_SHOWN_REFERENCES = 100
FAILING = Q(state__in=[State.DEAD.value, State.POTENTIALLY_DEAD.value])
HAS_REASON = ~Q(last_reason="")
RECENT_CHECKS = 30  # checks whose outcomes a target stores


def policy_in_force(
    check_period: timedelta | None, recheck_period: timedelta | None, recheck_threshold: int | None
) -> Policy:
    """Return the policy of a target with these values of its own; for None, the setting applies."""
    return Policy(
        check_period=check_period or settings.CHECK_PERIOD,
        recheck_period=recheck_period or settings.RECHECK_PERIOD,
        recheck_threshold=recheck_threshold or settings.RECHECK_THRESHOLD,
        inconclusive_limit=settings.INCONCLUSIVE_LIMIT,
        dead_recheck_period=settings.DEAD_RECHECK_PERIOD,
    )


def never_seen(via: str = "") -> Q:
    """Return the condition that all checks of a target since its registration or revival were
    inconclusive.

    The first success or failure ends `pending`. Indexes cover the condition. `via` is the lookup
    from the filtered model to the target, such as `target__`.
    """
    return Q((f"{via}state", State.PENDING.value), (f"{via}inconclusive_since__isnull", False))


class TargetQuerySet(models.QuerySet["Target"]):
    def due(self, now: datetime) -> Self:
        """Return targets that are not paused and whose next check is at or before `now`, the
        earliest first."""
        return self.scheduled().filter(next_check_at__lte=now).order_by("next_check_at")

    def needing_attention(self) -> Self:
        """Return targets whose checks are currently inconclusive.

        They include those for which only our own side is at fault; `attention_since` does not.
        """
        return self.filter(inconclusive_since__isnull=False)

    def never_seen(self) -> Self:
        """Return targets whose checks since their registration or revival were all inconclusive,
        for example because of a bot wall, so that it is unknown whether their pages exist."""
        return self.filter(never_seen())

    def set_aside(self) -> Self:
        """Return targets whose last check failed on our own side, and that `services.resume` has
        not made due since."""
        return self.filter(set_aside_at__isnull=False)

    def scheduled(self) -> Self:
        """Return targets that have a next check and are not paused."""
        return self.filter(paused=False, next_check_at__isnull=False)

    def with_references(
        self, by: Actor = DEPLOYMENT, *, among: "ReferenceQuerySet | None" = None
    ) -> Self:
        """Load the first MAX_SHOWN_REFERENCES references of each target (`first_references`), the
        number of all its references (`reference_count`), and its copy, if any.

        Only references that the actor may see are loaded and counted; with `among`, only those
        among these references.
        """
        visible = by.reach(Reference.objects.all() if among is None else among)
        counts = (
            visible.filter(target=OuterRef("pk"))
            .order_by()
            .values("target")
            .values(count=Count("pk"))
        )
        first = visible.order_by("created_at", "pk")[:MAX_SHOWN_REFERENCES]
        first_references = Prefetch("references", queryset=first, to_attr="first_references")
        return (
            self.select_related("copy")
            .annotate(reference_count=Coalesce(Subquery(counts), 0))
            .prefetch_related(first_references)
        )

    def next_due_by_host(self, hosts: Iterable[str]) -> dict[str, datetime | None]:
        """Return the earliest next check of the targets of each host, by name; None if there is
        none.

        Includes unregistered targets, and omits hosts that do not exist. Runs one statement, with
        two index lookups for each host, independent of the number of its targets.
        """
        targets = _earliest(self.scheduled())
        unregistered = _earliest(UnregisteredTarget.objects.filter(next_check_at__isnull=False))
        rows = Host.objects.filter(name__in=list(hosts))
        times_by_name = rows.values_list("name", Subquery(targets), Subquery(unregistered))
        return {name: min(filter(None, times), default=None) for name, *times in times_by_name}


def _earliest(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any, Any]":
    """Return a subquery for a query of hosts: the earliest next check of these rows."""
    rows_of_host = rows.filter(host=OuterRef("name")).order_by("next_check_at")
    return rows_of_host.values("next_check_at")[:1]


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
        help_text="Imported with --quiet: nobody is notified about it until a check succeeds.",
    )

    check_period = models.DurationField(null=True, blank=True)
    recheck_period = models.DurationField(null=True, blank=True)
    recheck_threshold = models.PositiveSmallIntegerField(null=True, blank=True)
    condition = models.CharField(max_length=64, blank=True)
    # Operators' instructions for its checks (`hosts.instructions`); null: those of its host.
    instructions = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(
        default=1,
        editable=False,
        help_text="Incremented by each change of policy, instructions, paused or pinned.",
    )

    state = models.CharField(max_length=16, choices=STATES, default=State.PENDING.value)
    failures = models.PositiveIntegerField(default=0)
    first_failed_at = models.DateTimeField(null=True)
    last_failed_at = models.DateTimeField(
        null=True, editable=False, help_text="When the last failure that counted was found."
    )
    inconclusive_since = models.DateTimeField(null=True)
    attention_since = models.DateTimeField(
        null=True, help_text="The time since which it has needed a person's attention."
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
        default=0, help_text="Number of checks in a row that were decided by HEAD alone."
    )
    moved_to = models.TextField(
        blank=True, help_text="Where permanent redirects led at the last success."
    )
    flags = models.JSONField(
        default=list,
        blank=True,
        help_text="Flags of the page, as conclusive checks last found them.",
    )
    identity = models.JSONField(
        null=True, help_text="Features of the page, to detect that another has replaced it."
    )
    validators = models.JSONField(
        null=True,
        editable=False,
        help_text="With these, the next check asks whether the page has changed; null: it reads the"
        " page.",
    )
    is_internal = models.BooleanField(
        null=True,
        editable=False,
        help_text="Whether checks of the page, or of one that it redirects to, require"
        " ALLOW_NETWORKS; null: no server has responded yet.",
    )
    recent = models.CharField(
        max_length=RECENT_CHECKS,
        blank=True,
        help_text="The outcomes of its last checks, one letter each, newest last.",
    )
    replaced_by = models.ForeignKey(
        "self",
        on_delete=models.DO_NOTHING,
        null=True,
        editable=False,
        db_constraint=False,
        db_index=False,  # the partial index target_replaced is used instead
        related_name="+",
        help_text="The target at the new address, to which a repair has moved all references.",
    )

    objects = TargetQuerySet.as_manager()

    reference_count: int  # only after with_references()
    first_references: "list[Reference]"  # only after with_references()

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
        """The title of its page, as a check last saw it: untrusted text, empty if unknown."""
        return title_of(self.identity or {})

    @property
    def advice(self) -> Advice:
        """The last check in a few words, with a suggested action; NO_ADVICE before the first
        check."""
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
        """The result of the search for copies of its page; None unless it is dead and archives
        were queried."""
        if self.state != State.DEAD.value:
            return None
        copy: TargetCopy | None = getattr(self, "copy", None)
        return copy if copy is not None and copy.result else None

    def load_references(self, by: Actor = DEPLOYMENT) -> None:
        """Load the references that the actor may see, and their number, as `with_references` does
        for many targets."""
        visible = by.reach(self.references.all())
        self.first_references = list(visible.order_by("created_at", "pk")[:MAX_SHOWN_REFERENCES])
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
    """Return the title in a page's identity; empty if it has none."""
    return identity.get("name") or identity.get("title") or ""


def text_of(url: str, canonical_url: str, title: str = "") -> str:
    """Return the search text of a target: its URLs and its title, a line each."""
    return "\n".join(filter(None, dict.fromkeys((url, canonical_url, title))))


class UnregisteredTarget(models.Model):
    """A URL that only batches refer to: it is not watched, listed or counted.

    Checks treat it as a target, by columns of the same names (`targets.unregistered`). When the URL
    is registered, the row becomes a target with the same id, so that it keeps its results. A URL
    may have two rows: the `is_public` one is checked without ALLOW_NETWORKS and operators'
    instructions; the other is for batches of operators.
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
    recent = models.CharField(max_length=RECENT_CHECKS, blank=True)

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
    created_at = models.DateTimeField(help_text="The target's, so that pages are in its order.")

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

    Deleted with its target and with its author's account. It has no foreign-key constraints,
    because 0.2.0, which does not know this table, deletes both. Orphaned notes are never shown.
    """

    MAX_LENGTH = 500

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    text = models.CharField(max_length=MAX_LENGTH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    written_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text


class CopyResult(models.TextChoices):
    """The result of a search for copies of a page in web archives."""

    VERIFIED = "verified", "verified"  # the page as checks last saw it
    POSSIBLE = "possible", "possible"  # a good page, but not provably the same one
    NONE = "none", "no copy found"
    UNAVAILABLE = "unavailable", "archive unavailable"


class TargetCopy(models.Model):
    """The copy of a dead target in web archives, if any, and the time of the next query of archives
    (`archives.copy_queue`).

    It has no foreign-key constraint, because 0.2.0 deletes targets without their copies.
    """

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="copy", db_constraint=False
    )
    before = models.DateTimeField(help_text="When the page began to fail.")
    result = models.CharField(
        max_length=11, choices=CopyResult.choices, blank=True, help_text="Empty: not queried yet."
    )
    archive = models.CharField(max_length=255, blank=True)
    address = models.TextField(blank=True)
    captured_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    ask_again_at = models.DateTimeField(null=True, db_index=True, help_text="Null: never.")
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="Number of queries in a row with the same result."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.address or self.result


class KeptCount(models.Model):
    """A change to a count (`targets.counts`), or the sum of several changes."""

    name = models.CharField(max_length=64)
    amount = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.amount:+} {self.name}"


def begins_with(prefix: str) -> Q:
    """Return the condition that a reference id begins with this prefix, case-sensitively."""
    return sharing.begins_with(prefix, Reference.shared_by_prefix)


class ReferenceQuerySet(models.QuerySet["Reference"]):
    def beginning_with(self, prefix: str) -> Self:
        """Return references whose ids begin with a prefix, case-sensitively. Uses an index."""
        return self.filter(begins_with(prefix))

    def with_occurrences(self) -> Self:
        """Load the `occurrences` of each reference."""
        places = ReferenceOccurrences.objects.filter(pk=OuterRef("pk")).values("places")
        none = Value([], models.JSONField())
        return self.annotate(occurrences=Coalesce(Subquery(places), none))

    def resolve(self, object_id: str, by: Actor, *, to_change: bool = False) -> "list[Reference]":
        """Return the references of one target that the actor means by this id, oldest first.

        These are the actor's own and those without an owner, or else all references that the actor
        may see (with `to_change`, may change).
        """
        visible = by.reach(self.filter(object_id=object_id), to_change=to_change)
        references = list(visible.order_by("created_at", "pk"))
        own = None if by.owner is None else by.owner.pk
        return [row for row in references if row.owner_id in (None, own)] or references


class Reference(models.Model):
    """A reference to a target from an object elsewhere, such as a document. Events about the target
    contain the object's id."""

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

    occurrences: list[dict[str, Any]]  # only after with_occurrences()

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
        """Return the lists that anybody may see now.

        Excludes those whose owner's account is inactive, or no longer a member's or an operator's.
        """
        return self.filter(owner_may_receive("owner", roles=(Role.MEMBER, Role.OPERATOR)))


class PublicList(models.Model):
    """A page and a badge at `/public/NAME`: the status of public targets that its owner refers to.

    There is no foreign-key constraint on the owner, because processes of version 0.2.0 delete
    accounts without knowing about this table.
    """

    NAME_PATTERN = r"[a-z0-9][a-z0-9-]{0,63}"

    name = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(
        max_length=255,
        blank=True,
        help_text="Prefix of the ids of the listed references; empty: all of them.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_constraint=False,
        help_text="The owner of the listed references. Null: those that programs registered.",
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
