"""Batches: requests for the status of many URLs at once."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Exists, OuterRef, Q
from knox.models import AuthToken

from accounts.actors import Actor
from foundation.database.ids import PublicIdField
from foundation.models import TokenTerms
from targets.canonical import MAX_URL_BYTES


class BatchQuerySet(models.QuerySet["Batch"]):
    def visible_to(self, actor: Actor) -> Self:
        """Return the batches that the actor may see: its own, or all.

        A bound token sees only the batches that it created.
        """
        visible = actor.reach(self)
        return visible if actor.bounds is None else visible.filter(token_digest=actor.token_digest)

    def open(self) -> Self:
        """Return the batches that have not ended."""
        return self.filter(ended_at__isnull=True)

    def with_revoked_token(self) -> Self:
        """Return the batches created with a token that was deleted or whose user is inactive."""
        tokens = AuthToken.objects.filter(pk=OuterRef("token_digest"), user__is_active=True)
        return self.filter(~Exists(tokens)).exclude(token_digest="")

    def to_call_back(self) -> Self:
        """Return completed batches whose callback is not queued yet.

        Excludes batches whose owner's account was deleted by version 0.2.0; `delete_old_batches`
        deletes them.
        """
        owners = User.objects.filter(pk=OuterRef("owner_id"))
        return self.filter(Q(owner_id=None) | Exists(owners), has_callback_due=True)


class Batch(models.Model):
    """A request for the status of URLs; those whose last check is too old are checked.

    The foreign key of the owner has no constraint, because version 0.2.0 deletes accounts without
    knowing about this table.
    """

    id = PublicIdField(kind="batch", primary_key=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,  # the index batch_page begins with this column
        db_constraint=False,
        help_text="Null: the deployment's or a service user's.",
    )
    token_digest = models.CharField(
        max_length=128,
        blank=True,
        help_text="Digest of the token that created the batch; blank: a session.",
    )
    created_at = models.DateTimeField(db_index=True)
    fresh_since = models.DateTimeField(help_text="URLs whose last check is older are checked.")
    gives_up_at = models.DateTimeField(help_text="When the batch ends, even with waiting URLs.")
    is_high = models.BooleanField(
        help_text="Whether URLs come before routine checks of their host."
    )
    ended_at = models.DateTimeField(null=True)
    is_cancelled = models.BooleanField(default=False)
    callback_url = models.TextField(blank=True)
    callback_secret = models.TextField(blank=True, help_text="Encrypted; signs the callback.")
    has_callback_due = models.BooleanField(
        default=False, help_text="The batch is done, and its callback is not queued yet."
    )

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        verbose_name_plural = "batches"
        indexes: ClassVar = [
            models.Index(fields=["owner", "created_at", "id"], name="batch_page"),
            models.Index(
                fields=["gives_up_at"], name="batch_open", condition=Q(ended_at__isnull=True)
            ),
            models.Index(
                fields=["ended_at"], name="batch_callback", condition=Q(has_callback_due=True)
            ),
        ]

    def __str__(self) -> str:
        return self.pk

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.ended_at is None:
            return "open"
        return "cancelled" if self.is_cancelled else "done"

    @property
    def has_bound_token(self) -> bool:
        """Whether a bound token created the batch. Queries the database."""
        bound = TokenTerms.objects.filter(bounds__isnull=False)
        return bound.filter(token=self.token_digest).exists()


STATES = ("open", "done", "cancelled")


class ItemState(models.TextChoices):
    """The progress of one URL of a batch."""

    KNOWN = "known", "known"  # the last check was recent enough
    WAITING = "waiting", "waiting"
    CHECKED = "checked", "checked"
    PAUSED = "paused", "paused"  # not checked: the last known status is returned
    NOT_CHECKED = "not_checked", "not checked"  # given up, or cancelled
    INVALID = "invalid", "invalid"  # not a URL, or a URL that must not be checked


class BatchItem(models.Model):
    """One URL of a batch, as submitted. `target_id` is the id of a registered or unregistered
    target."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items", db_index=False)
    number = models.PositiveIntegerField(help_text="The position in the batch, from 0.")
    url = models.CharField(max_length=MAX_URL_BYTES, null=True)  # noqa: DJ001 (null: not a string)
    canonical_url = models.CharField(max_length=MAX_URL_BYTES, blank=True)
    host = models.CharField(max_length=255, blank=True)
    target_id = models.UUIDField(null=True)
    state = models.CharField(max_length=11, choices=ItemState.choices)
    is_high = models.BooleanField(help_text="Copied from the batch.")
    error = models.JSONField(null=True, help_text="Why it is invalid: the API's error envelope.")

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "number"], name="batch_item_page")
        ]
        indexes: ClassVar = [
            models.Index(fields=["target_id"], name="batch_item_target"),
            models.Index(fields=["batch"], name="batch_item_waiting", condition=Q(state="waiting")),
            models.Index(
                fields=["host", "is_high"], name="batch_item_host", condition=Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return self.canonical_url or str(self.url)
