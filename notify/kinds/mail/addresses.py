"""Email addresses of channels: recipients confirm them, and can unsubscribe.

Links in emails are signed and contain the address, so that they are invalid for any other address.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from foundation.http.errors import ApiError
from notify.message_texts import format_datetime
from notify.models import Channel, ChannelState, ConfirmationMail, DeliveryState, Gathering
from outbox.models import Event

LINK_LIFETIME = timedelta(days=3)
_MAX_PER_ADDRESS, _MAX_PER_USER, _WINDOW = 3, 10, timedelta(days=1)  # confirmation emails
_confirmation_signer = signing.Signer(salt="notify.confirm")
_unsubscribe_signer = signing.Signer(salt="notify.unsubscribe")


def require_confirmation(channel: Channel, *, now: datetime, by: Actor) -> None:
    """Ask for confirmation of the channel's address, unless its owner has verified the address.

    Makes the channel unconfirmed and sends an email; for a verified address, activates an
    unconfirmed channel. Raises ApiError `rate_limited` (429) for too many emails.
    """
    if _is_own(channel):
        if channel.state == ChannelState.UNCONFIRMED:
            _activate(channel, now=now)
    else:
        channel.state = ChannelState.UNCONFIRMED
        channel.reason = ""
        _send_confirmation(channel, now=now, by=by)
    channel.save(update_fields=Channel.STATE_FIELDS)


@transaction.atomic
def resend_confirmation(channel: Channel, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Send the confirmation email again, as `require_confirmation` does.

    Raises ApiError `not_found`, `rate_limited` (429), and `confirmed` (409) unless the channel is
    unconfirmed.
    """
    try:
        channel.refresh_from_db(from_queryset=Channel.objects.select_for_update())
    except Channel.DoesNotExist:
        raise ApiError("not_found", "There is no such channel.", status=404) from None
    if channel.state != ChannelState.UNCONFIRMED:
        raise ApiError("confirmed", "There is nothing to confirm.", status=409)
    require_confirmation(channel, now=now, by=by)
    audit_log.write(by, "resend", "channel", [channel.id], now=now)


def confirmation_link(channel: Channel, *, now: datetime) -> str:
    """Return the URL that confirms the address, valid for LINK_LIFETIME."""
    until = int((now + LINK_LIFETIME).timestamp())
    payload = {"channel": channel.id, "address": channel.settings["address"], "until": until}
    token = _confirmation_signer.sign_object(payload, compress=True)
    return settings.BASE_URL + reverse("notify:confirm", args=[token])


def channel_to_confirm(token: str, *, now: datetime, lock: bool = False) -> Channel:
    """Return the channel of a confirmation link, even if it is already confirmed; locked if `lock`.

    Raises ApiError `link_invalid` (404) for an invalid or expired link.
    """
    payload = _read(_confirmation_signer, token)
    if payload["until"] < now.timestamp():
        raise _link_invalid()
    return _channel_of(payload, lock=lock)


@transaction.atomic
def confirm(token: str, *, now: datetime) -> Channel:
    """Activate this link's channel if it is unconfirmed; return the channel.

    Raises ApiError `link_invalid` (404).
    """
    channel = channel_to_confirm(token, now=now, lock=True)
    if channel.state == ChannelState.UNCONFIRMED:
        _activate(channel, now=now)
        channel.version += 1
        channel.save(update_fields=[*Channel.STATE_FIELDS, "version"])
    return channel


def unsubscribe_link(channel: Channel) -> str:
    """Return the URL that unsubscribes the address; it never expires (RFC 8058)."""
    payload = {"channel": channel.id, "address": channel.settings["address"]}
    token = _unsubscribe_signer.sign_object(payload, compress=True)
    return settings.BASE_URL + reverse("notify:unsubscribe", args=[token])


def channel_to_unsubscribe(token: str, *, lock: bool = False) -> Channel:
    """Return the channel of an unsubscribe link, even if already unsubscribed; locked if `lock`.

    Raises ApiError `link_invalid` (404).
    """
    return _channel_of(_read(_unsubscribe_signer, token), lock=lock)


@transaction.atomic
def unsubscribe(token: str, *, now: datetime) -> Channel:
    """Stop emails to this link's address until the address is confirmed again.

    Skips waiting messages and deletes digests. Returns the channel; does nothing if it is already
    unconfirmed. Raises ApiError `link_invalid` (404).
    """
    channel = channel_to_unsubscribe(token, lock=True)
    if channel.state != ChannelState.UNCONFIRMED:
        channel.state = ChannelState.UNCONFIRMED
        at = format_datetime(now).replace(" ", " at ", 1)
        channel.reason = f"Unsubscribed on {at} through a link in an email."
        channel.version += 1
        channel.save(update_fields=["state", "reason", "version"])
        channel.deliveries.waiting().update(state=DeliveryState.SKIPPED, error="Unsubscribed.")
        Gathering.objects.filter(subscription__channel=channel).delete()
    return channel


def _activate(channel: Channel, *, now: datetime) -> None:
    """Activate the channel, for later events only, and forget earlier failures."""
    channel.state, channel.reason = ChannelState.ACTIVE, ""
    channel.clear_failures(now=now)
    channel.position = Event.objects.newest_position()


def _is_own(channel: Channel) -> bool:
    """Return whether the address is one of the owner's verified addresses."""
    verified = EmailAddress.objects.filter(user=channel.owner_id, verified=True)
    return (
        channel.owner_id is not None
        and verified.filter(email__iexact=channel.settings["address"]).exists()
    )


def _send_confirmation(channel: Channel, *, now: datetime, by: Actor) -> None:
    """Send the confirmation email after the commit; raises ApiError `rate_limited` for too many."""
    address = channel.settings["address"]
    ConfirmationMail.objects.filter(sent_at__lte=now - _WINDOW).delete()
    recent = ConfirmationMail.objects.all()
    if (
        recent.filter(address=address.lower()).count() >= _MAX_PER_ADDRESS
        or recent.filter(asked_by=by.user).count() >= _MAX_PER_USER
    ):
        raise ApiError(
            "rate_limited",
            "Too many confirmation emails have been sent; try again tomorrow.",
            status=429,
            headers={"Retry-After": str(int(_WINDOW.total_seconds()))},
        )
    ConfirmationMail.objects.create(address=address.lower(), asked_by=by.user, sent_at=now)
    link = confirmation_link(channel, now=now)
    context = {
        "base_url": settings.BASE_URL,
        "link": link,
        "by": channel.owner,
        "days": LINK_LIFETIME.days,
    }
    send = partial(get_adapter().send_mail, "notify/mail/confirmation", address, context)
    transaction.on_commit(send)


def _read(signer: signing.Signer, token: str) -> dict[str, Any]:
    try:
        payload: dict[str, Any] = signer.unsign_object(token)
    except signing.BadSignature:
        raise _link_invalid() from None
    return payload


def _channel_of(payload: dict[str, Any], *, lock: bool) -> Channel:
    """Return the channel of a link, locked if `lock`.

    Raises ApiError `link_invalid` if the channel was deleted or has another address.
    """
    rows = Channel.objects.select_for_update() if lock else Channel.objects.all()
    channel = rows.filter(pk=payload["channel"]).first()
    if channel is None or channel.settings.get("address") != payload["address"]:
        raise _link_invalid()
    return channel


def _link_invalid() -> ApiError:
    sentence = (
        "The link is incomplete or has expired, or these notifications no longer exist or go to "
        "another address."
    )
    return ApiError("link_invalid", sentence, status=404)
