"""Operations on channels and subscriptions. Each call is one transaction.

Functions take `now`, the database's time, so that all processes agree.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.ids import is_id
from notify import delivery_queue
from notify.kinds import kind_of
from notify.kinds.feed import feeds
from notify.kinds.mail import addresses
from notify.models import Channel, ChannelKind, ChannelState, DeliveryState, Subscription, When
from outbox.models import Event

CHANNEL, SUBSCRIPTION = "channel", "subscription"  # in the audit log
FORMER_SECRET_LIFETIME = timedelta(days=1)
MAX_CHANNELS = 100  # per owner
MAX_SUBSCRIPTIONS = 100  # per channel
OPERATOR_CATEGORIES = frozenset({"network", "sinks", "disk", "schedules"})


@transaction.atomic
def create_channel(
    fields: Mapping[str, Any], *, now: datetime, by: Actor = DEPLOYMENT
) -> tuple[Channel, str]:
    """Create a channel; return it and its secret, which can't be shown again ("" if it has none).

    `fields`: kind, name, settings; `since` to begin in the past; `deployment` for a channel without
    an owner, like all channels that service users create. Raises ApiError `invalid`,
    `too_many_channels` (409), and `rate_limited` (429) for too many confirmation emails.
    """
    owner = None if fields.get("deployment") else by.owner
    if fields.get("deployment") and not _may_create_shared(by):
        raise _invalid("deployment", "Only operators can create shared channels.")
    if Channel.objects.without_callbacks().filter(owner=owner).count() >= MAX_CHANNELS:
        raise ApiError(
            "too_many_channels",
            f"{'You already have' if owner else 'There are already'} {MAX_CHANNELS} channels; "
            "delete one first.",
            status=409,
        )
    channel = Channel(
        kind=fields["kind"], name=fields["name"], owner=owner, created_at=now, position=0
    )
    channel.position = _start_position(fields.get("since"), now=now)
    channel.settings = _clean(channel, fields.get("settings", {}))
    secret = kind_of(channel.kind).new_secret()
    channel.secret = secrets.encrypt(secret) if secret else ""
    channel.save(force_insert=True)
    if channel.kind == ChannelKind.MAIL:
        addresses.require_confirmation(channel, now=now, by=by)
    audit_log.write(by, "create", CHANNEL, [channel.id], now=now)
    return channel, secret


@transaction.atomic
def create_subscribed_channel(
    fields: Mapping[str, Any],
    subscription: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
) -> tuple[Channel, str]:
    """Create a channel with a subscription, as `create_channel` and `subscribe` do, or neither."""
    channel, secret = create_channel(fields, now=now, by=by)
    subscribe(channel.id, subscription, now=now, by=by)
    return channel, secret


@transaction.atomic
def change_channel(
    channel_id: str,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
    version: int | None = None,
) -> Channel:
    """Change the name, the settings and whether the channel is `paused`, if given.

    Raises ApiError `not_found`; `version_mismatch` (412) if the channel's version is not
    the given `version`; `invalid`; and `rate_limited` (429) for too many confirmation emails.
    """
    channel = visible_channel(channel_id, by=by, lock=True)
    check_version(channel.version, version)
    if "name" in changes:
        channel.name = changes["name"]
    if "settings" in changes:
        cleaned = _clean(channel, changes["settings"])
        is_changed = cleaned != channel.settings
        channel.settings = cleaned
        if is_changed and channel.kind == ChannelKind.MAIL:
            waiting = channel.deliveries.waiting()
            waiting.update(
                state=DeliveryState.SKIPPED, error="Not sent: the channel's address was changed."
            )
            addresses.require_confirmation(channel, now=now, by=by)
        if is_changed:
            channel.clear_failures(now=now)
    if "paused" in changes:
        _pause(channel) if changes["paused"] else _resume(channel, now=now)
    channel.version += bool(changes)
    channel.save(update_fields=["name", "settings", *Channel.STATE_FIELDS, "version"])
    audit_log.write(by, "change", CHANNEL, [channel.id], now=now, fields=changes.keys())
    return channel


def _pause(channel: Channel) -> None:
    """Pause the channel if it is active; waiting messages are kept."""
    if channel.state == ChannelState.ACTIVE:
        channel.state = ChannelState.PAUSED


def _resume(channel: Channel, *, now: datetime) -> None:
    """Resume a paused or disabled channel where it stopped, starting with its waiting messages.

    Events older than `delivery_queue.MAX_AGE` are skipped, and a message states their number. An
    unconfirmed channel stays unconfirmed.
    """
    if channel.state in (ChannelState.PAUSED, ChannelState.DISABLED):
        channel.state, channel.reason = ChannelState.ACTIVE, ""
        channel.clear_failures(now=now)


def pause(channel_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> Channel:
    """Pause this channel. Raises ApiError `not_found`."""
    return change_channel(channel_id, {"paused": True}, now=now, by=by)


def resume(channel_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> Channel:
    """Resume this channel. Raises ApiError `not_found`."""
    return change_channel(channel_id, {"paused": False}, now=now, by=by)


@transaction.atomic
def delete_channel(channel_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Delete a channel with its subscriptions and deliveries. Raises ApiError `not_found`."""
    channel = visible_channel(channel_id, by=by, lock=True)
    audit_log.write(by, "delete", CHANNEL, [channel.id], now=now)
    channel.delete()


@transaction.atomic
def rotate_secret(channel_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> tuple[Channel, str]:
    """Give the channel a new secret; return both. The secret cannot be shown again.

    For a day, webhooks are also signed with the former secret; a feed's former URL is invalid at
    once. Raises ApiError `not_found`, and `no_secret` (409) for kinds without one.
    """
    channel = visible_channel(channel_id, by=by, lock=True)
    secret = kind_of(channel.kind).new_secret()
    if not secret:
        raise ApiError("no_secret", "A channel of this kind has no secret.", status=409)
    if channel.kind == ChannelKind.WEBHOOK:
        channel.former_secret = channel.secret
        channel.former_secret_until = now + FORMER_SECRET_LIFETIME
    channel.secret = secrets.encrypt(secret)
    channel.version += 1
    channel.save(update_fields=["secret", "former_secret", "former_secret_until", "version"])
    audit_log.write(by, "change", CHANNEL, [channel.id], now=now, fields=["secret"])
    return channel, secret


def secret_fields(channel: Channel, secret: str) -> dict[str, Any]:
    """Return the fields that show a new secret: a feed's URLs, or `secret`; {} without a secret."""
    if channel.kind == ChannelKind.FEED:
        return {"feed": feeds.feed_urls(channel, secret)}
    return {"secret": secret} if secret else {}


def visible_channel(channel_id: str, *, by: Actor, lock: bool = False) -> Channel:
    """Return a channel that `by` may see, locked if `lock`; raises ApiError `not_found`."""
    rows = Channel.objects.select_for_update(of=("self",)) if lock else Channel.objects.all()
    channel = None
    if is_id("channel", channel_id):
        visible = by.reach(rows).select_related("owner")
        channel = visible.filter(pk=channel_id).first()
    if channel is None:
        raise ApiError("not_found", "There is no such channel.", status=404)
    return channel


@transaction.atomic
def subscribe(
    channel_id: str, fields: Mapping[str, Any], *, now: datetime, by: Actor = DEPLOYMENT
) -> Subscription:
    """Add a subscription with these validated fields to the channel, and return it.

    Raises ApiError `not_found`, `invalid`, `too_many_subscriptions` (409).
    """
    channel = visible_channel(channel_id, by=by, lock=True)
    if channel.subscriptions.count() >= MAX_SUBSCRIPTIONS:
        raise ApiError(
            "too_many_subscriptions",
            f"The channel already has {MAX_SUBSCRIPTIONS} event selections; remove one first.",
            status=409,
        )
    subscription = Subscription(channel=channel, created_at=now, **fields)
    _check(subscription)
    subscription.save(force_insert=True)
    audit_log.write(by, "create", SUBSCRIPTION, [subscription.id], now=now)
    return subscription


@transaction.atomic
def change_subscription(
    subscription_id: str,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
    version: int | None = None,
) -> Subscription:
    """Change these fields. Digests that have begun are still sent.

    Raises ApiError `not_found`, `invalid`, and `version_mismatch` (412) as for channels.
    """
    subscription = visible_subscription(subscription_id, by=by, lock=True)
    check_version(subscription.version, version)
    for name, value in changes.items():
        setattr(subscription, name, value)
    _check(subscription)
    subscription.version += bool(changes)
    subscription.save(update_fields=[*changes, "version"])
    fields = changes.keys()
    audit_log.write(by, "change", SUBSCRIPTION, [subscription.id], now=now, fields=fields)
    return subscription


@transaction.atomic
def unsubscribe(subscription_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Delete a subscription and its digests. Raises ApiError `not_found`."""
    subscription = visible_subscription(subscription_id, by=by)
    delivery_queue.lock_ids([subscription.channel_id])  # like all code that writes its digests
    audit_log.write(by, "delete", SUBSCRIPTION, [subscription.id], now=now)
    subscription.delete()


def visible_subscription(subscription_id: str, *, by: Actor, lock: bool = False) -> Subscription:
    """Return a subscription whose channel `by` may see, locked if `lock`.

    Raises ApiError `not_found`.
    """
    rows = Subscription.objects.all()
    if lock:
        rows = rows.select_for_update(of=("self",))
    subscription = None
    if is_id("subscription", subscription_id):
        rows = by.reach(rows, owner="channel__owner")
        visible = rows.select_related("channel__owner", "of_owner")
        subscription = visible.filter(pk=subscription_id).first()
    if subscription is None:
        raise ApiError("not_found", "There is no such subscription.", status=404)
    return subscription


def _check(subscription: Subscription) -> None:
    """Raise ApiError `invalid` for a missing hour, or events that the owner may not get."""
    owner = subscription.channel.actor
    if not owner.is_operator:
        if OPERATOR_CATEGORIES & set(subscription.what):
            *others, last = sorted(OPERATOR_CATEGORIES)
            listed = f"{', '.join(others)} and {last}"
            raise _invalid("what", f"Only operators can subscribe to {listed}.")
        if subscription.of_owner not in (None, owner.user):
            raise _invalid("owner", "Only operators can subscribe to other people's references.")
    if subscription.when == When.DAILY and subscription.hour is None:
        raise _invalid("hour", "Must be an hour from 0 to 23.")


def _may_create_shared(by: Actor) -> bool:
    """Return whether the actor may create channels of the deployment, as service users may."""
    return by.user is None or by.role in (Role.OPERATOR, None)


def _clean(channel: Channel, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as the channel's kind stores them; raises ApiError `invalid`."""
    kind, owner = kind_of(channel.kind), channel.actor
    if kind.operators_only and not owner.is_operator:
        raise _invalid("kind", "Only operators can create channels of this kind.")
    return kind.clean(settings, by=owner)


def _start_position(since: datetime | None, *, now: datetime) -> int:
    """Return the position after which a channel begins: the newest, or the last before `since`.

    Raises ApiError `invalid` for a time in the future or more than MAX_AGE ago.
    """
    if since is None:
        return Event.objects.newest_position()
    if not now - delivery_queue.MAX_AGE <= since <= now:
        days = delivery_queue.MAX_AGE.days
        raise _invalid("since", f"Must be a time within the last {days} days.")
    older = Event.objects.numbered().filter(at__lt=since).reverse()
    return older.values_list("position", flat=True).first() or 0


def _invalid(field: str, problem: str) -> ApiError:
    details = {field: [problem]}
    return ApiError("invalid", "The request has invalid fields.", details=details)
