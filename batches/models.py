"""Batches: requests for the status of many URLs at once."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Exists, OuterRef, Q
from knox.models import AuthToken

from accounts.actors import Actor
from foundation.database.ids import PublicIdField
from targets.canonical import MAX_URL_BYTES


class BatchQuerySet(models.QuerySet["Batch"]):
    def visible_to(self, by: Actor) -> Self:
        """Return the batches that the actor may see: its own, or all; for a bound token, those it
        created."""
        visible = by.reach(self)
        return visible if by.bounds is None else visible.filter(token_digest=by.token_digest)

    def open(self) -> Self:
        """Return batches with URLs that may still be checked."""
        return self.filter(ended_at__isnull=True)

    def revoked(self) -> Self:
        """Return batches whose token was deleted, or whose user may no longer sign in."""
        tokens = AuthToken.objects.filter(pk=OuterRef("token_digest"), user__is_active=True)
        return self.filter(~Exists(tokens)).exclude(token_digest="")

    def to_call_back(self) -> Self:
        """Return completed batches whose callback is not queued yet.

        Excludes batches whose account 0.2.0 deleted: `delete_old_batches` deletes those.
        """
        owners = User.objects.filter(pk=OuterRef("owner_id"))
        return self.filter(Q(owner_id=None) | Exists(owners), has_callback_due=True)


class Batch(models.Model):
    """A request for the status of URLs; those whose last check is too old are checked.

    Its owner has no constraint in the database, because 0.2.0, which does not know this table,
    deletes accounts.
    """

    id = PublicIdField(kind="batch", primary_key=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,  # batch_page begins with it
        db_constraint=False,
        help_text="Null: the deployment's or a service user's.",
    )
    token_digest = models.CharField(
        max_length=128, blank=True, help_text="Of the token that made it; blank: in a session."
    )
    created_at = models.DateTimeField(db_index=True)
    fresh_since = models.DateTimeField(help_text="An older check is made again.")
    gives_up_at = models.DateTimeField(help_text="What is not checked by then is not checked.")
    is_high = models.BooleanField(help_text="Before routine checks of the same host.")
    ended_at = models.DateTimeField(null=True)
    is_cancelled = models.BooleanField(default=False)
    callback_url = models.TextField(blank=True)
    callback_secret = models.TextField(blank=True, help_text="Encrypted; signs the callback.")
    has_callback_due = models.BooleanField(
        default=False, help_text="It is done, and the callback is not in a queue yet."
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
    number = models.PositiveIntegerField(help_text="Its place, from 0.")
    url = models.CharField(max_length=MAX_URL_BYTES, null=True)  # noqa: DJ001 (null: not a text)
    canonical_url = models.CharField(max_length=MAX_URL_BYTES, blank=True)
    host = models.CharField(max_length=255, blank=True)
    target_id = models.UUIDField(null=True)
    state = models.CharField(max_length=11, choices=ItemState.choices)
    is_high = models.BooleanField(help_text="As its batch.")
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
