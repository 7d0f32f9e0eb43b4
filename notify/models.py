"""Channels, subscriptions, digests and deliveries."""

from datetime import datetime
from typing import ClassVar, Self

import uuid_utils.compat
from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from accounts.actors import DEPLOYMENT, ROLES_THAT_SEE_ALL, Actor, owner_may_receive
from batches.models import Batch
from foundation.database.ids import PublicIdField
from outbox.models import Event


class ChannelKind(models.TextChoices):
    """The kind of a channel. Each kind has a folder in `notify/kinds`."""

    WEBHOOK = "webhook", "Webhook"
    MAIL = "mail", "Email"
    APPRISE = "apprise", "Apprise"
    FEED = "feed", "Feed"


class ChannelState(models.TextChoices):
    """Whether a channel gets events. Labels complete "the channel is"."""

    UNCONFIRMED = "unconfirmed", "waiting for confirmation"
    ACTIVE = "active", "active"
    PAUSED = "paused", "paused"
    DISABLED = "disabled", "disabled"  # automatically; `reason` says why


class ChannelQuerySet(models.QuerySet["Channel"]):
    def permitted(self) -> Self:
        """Return the channels whose owner's rights permit them to get events and send messages.

        The owner has a role and may sign in; channels without an owner are included. Excludes
        callbacks of batches whose token was revoked.
        """
        revoked = Batch.objects.with_revoked_token().filter(pk=OuterRef("batch"))
        return self.filter(Q(batch=None) | ~Exists(revoked)).filter(owner_may_receive("owner"))

    def without_callbacks(self) -> Self:
        """Return all channels except the callbacks of batches."""
        return self.filter(batch=None)

    def receiving(self) -> Self:
        """Return the channels that get events and send messages: active and permitted ones."""
        return self.permitted().filter(state=ChannelState.ACTIVE)


class Channel(models.Model):
    """A destination of messages."""

    id = PublicIdField(kind="channel", primary_key=True)
    kind = models.CharField(max_length=16, choices=ChannelKind.choices)
    name = models.CharField(max_length=100)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="Null: it belongs to the deployment, or is the callback of a service user.",
    )
    created_at = models.DateTimeField()
    settings = models.JSONField(
        default=dict, help_text="Depends on the kind, such as url or address."
    )
    # Encrypted by `foundation.kept_secrets`. For webhooks, a key that begins with `whsec_`; for
    # feeds, part of the URL.
    secret = models.TextField(blank=True)
    former_secret = models.TextField(
        blank=True, help_text="Also signs messages, until former_secret_until."
    )
    former_secret_until = models.DateTimeField(null=True)

    state = models.CharField(
        max_length=16, choices=ChannelState.choices, default=ChannelState.ACTIVE
    )
    reason = models.TextField(
        blank=True, help_text="Why it is disabled or no longer confirmed: a sentence."
    )
    position = models.BigIntegerField(
        help_text="Position in the outbox of the last event that was matched with the channel."
    )
    failing_since = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0, help_text="Consecutive failed attempts.")
    next_attempt_at = models.DateTimeField(
        null=True, help_text="When to send the oldest waiting message; null: none is waiting."
    )
    token = models.UUIDField(null=True, help_text="Identifies the relay that leases the channel.")
    leased_until = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1, editable=False)
    batch = models.OneToOneField(
        Batch,
        on_delete=models.CASCADE,
        null=True,
        editable=False,
        related_name="+",
        help_text="The batch whose callback this is; null for all other channels.",
    )

    objects = ChannelQuerySet.as_manager()

    # The fields that change when the channel is paused, resumed or confirmed.
    STATE_FIELDS: ClassVar = (
        *("state", "reason", "position"),
        *("failing_since", "attempts", "next_attempt_at"),
    )

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "created_at", "id"], name="channel_page"),
            models.Index(
                fields=["next_attempt_at"],
                name="channel_due",
                condition=Q(state="active", next_attempt_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def actor(self) -> Actor:
        """The actor whose rights decide what the channel gets."""
        return DEPLOYMENT if self.owner is None else Actor(self.owner)

    def clear_failures(self, *, now: datetime) -> None:
        """Clear the failures, so that waiting messages are sent immediately. Does not save."""
        self.failing_since, self.attempts = None, 0
        waits = self.deliveries.waiting().exists()
        self.next_attempt_at = now if waits else None


class When(models.TextChoices):
    """When a subscription's events are sent."""

    AT_ONCE = "at_once", "at once"
    HOURLY = "hourly", "every hour"
    DAILY = "daily", "every day"


class Subscription(models.Model):
    """The events and targets that a channel is notified of, and when."""

    id = PublicIdField(kind="subscription", primary_key=True)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="subscriptions")
    created_at = models.DateTimeField()
    # Keys of `notify.matching.WHAT`, such as dead and alive.
    what = models.JSONField(default=list)
    # Filters, combined by AND. They do not apply to events of the deployment.
    host = models.CharField(max_length=255, blank=True, help_text="Also matches its subdomains.")
    reference_prefix = models.CharField(max_length=255, blank=True)
    of_owner = models.ForeignKey(  # owner of the references
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    when = models.CharField(max_length=16, choices=When.choices, default=When.AT_ONCE)
    hour = models.PositiveSmallIntegerField(
        null=True, help_text="The hour of daily digests, 0 to 23."
    )
    time_zone = models.CharField(
        max_length=64, blank=True, help_text="The time zone of `hour`; UTC if blank."
    )
    grouped = models.BooleanField(
        default=True,
        help_text="For at_once: send the first event of a host alone, the rest as one message.",
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{', '.join(self.what)} → {self.channel_id}"


class Gathering(models.Model):
    """A digest: events of a subscription that are waiting to be sent as one message."""

    subscription = models.ForeignKey(
        Subscription, on_delete=models.CASCADE, related_name="gatherings"
    )
    host = models.CharField(
        max_length=255,
        blank=True,
        help_text="A host, :network or :links; blank: an hourly or daily digest.",
    )
    began_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subscription", "host"], name="one_gathering")
        ]

    def __str__(self) -> str:
        return f"{self.host or 'digest'} of {self.subscription_id}"


class GatheredEvent(models.Model):
    """An event in a digest."""

    gathering = models.ForeignKey(Gathering, on_delete=models.CASCADE, related_name="events")
    transition = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["gathering", "transition"], name="gathered_once")
        ]

    def __str__(self) -> str:
        return str(self.transition_id)


class DeliveryState(models.TextChoices):
    """The state of a message."""

    WAITING = "waiting", "waiting"
    DELIVERED = "delivered", "delivered"
    REFUSED = "refused", "failed"  # by the receiver for good, or it could not be composed
    SKIPPED = "skipped", "skipped"  # too old, no longer permitted, or no longer wanted


def permitted_condition() -> Q:
    """Return the condition that a channel's owner may see the delivery now.

    An owner who has become a member may not see messages written for someone who sees everything.
    """
    own = Q(for_all=False) & owner_may_receive("channel__owner")
    return own | owner_may_receive("channel__owner", roles=ROLES_THAT_SEE_ALL)


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def permitted(self) -> Self:
        """Return the deliveries that their channel's owner may see now."""
        return self.filter(permitted_condition())

    def visible_to(self, actor: Actor) -> Self:
        """Return the deliveries that the actor, who may see their channel, may see now."""
        return self if actor.sees_all else self.permitted()

    def waiting(self) -> Self:
        """Return the deliveries to be sent, in the order in which their channels send them."""
        return self.filter(state=DeliveryState.WAITING).order_by("number")

    def older_than(self, at: datetime) -> Self:
        """Return the deliveries created before `at`."""
        return self.filter(created_at__lt=at)


class Delivery(models.Model):
    """A message for a channel, stored before it is sent, and resent byte for byte."""

    number = models.BigAutoField(primary_key=True)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="deliveries")
    # The id of the event, digest, batch or notice, by which receivers recognize repeats.
    message_id = models.UUIDField(default=uuid_utils.compat.uuid7)
    type = models.CharField(max_length=64, help_text="Such as linkwatch.target.dead.")
    subject = models.CharField(max_length=255, help_text="The message in one line.")
    body = models.TextField(help_text="The text to send, as the channel's kind composed it.")
    for_all = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Written for an owner who sees everything, not only their own objects.",
    )
    created_at = models.DateTimeField()
    queued_at = models.DateTimeField(help_text="When it was created, or queued again.")
    state = models.CharField(
        max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveIntegerField(default=0)
    attempted_at = models.DateTimeField(null=True)
    status_code = models.PositiveSmallIntegerField(null=True)
    error = models.TextField(blank=True)
    answer = models.TextField(
        blank=True, help_text="Start of the receiver's response; only operators see it."
    )

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "deliveries"
        indexes: ClassVar = [
            models.Index(fields=["channel", "number"], name="delivery_page"),
            models.Index(
                fields=["channel", "number"],
                name="delivery_waiting",
                condition=Q(state="waiting"),
            ),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "message_id"], name="told_once")
        ]

    def __str__(self) -> str:
        return self.subject

    @property
    def waits(self) -> bool:
        """Whether the delivery must still be sent."""
        return self.state == DeliveryState.WAITING


class ConfirmationMail(models.Model):
    """A confirmation email, recorded so that nobody gets too many."""

    address = models.CharField(max_length=254)  # in lower case
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    sent_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.address
