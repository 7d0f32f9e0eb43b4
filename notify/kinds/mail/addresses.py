"""Mail addresses of channels: their readers confirm them, and may unsubscribe.

Links in mails are signed and contain the address, so that they are invalid for any other address.
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
from notify.models import Channel, ChannelState, ConfirmationMail, DeliveryState, Gathering
from outbox.models import Event

LINK_LASTS = timedelta(days=3)
_PER_ADDRESS, _PER_USER, _WINDOW = 3, 10, timedelta(days=1)  # confirmation mails
_confirming = signing.Signer(salt="notify.confirm")
_leaving = signing.Signer(salt="notify.unsubscribe")


def judge(channel: Channel, *, now: datetime, by: Actor) -> None:
    """Make a mail channel with a new address wait for its confirmation, if needed."""
    if _is_own(channel):
        if channel.state == ChannelState.UNCONFIRMED:
            _begin(channel)
    else:
        channel.state = ChannelState.UNCONFIRMED
        channel.reason = ""
        _ask(channel, now=now, by=by)
    channel.save(update_fields=["state", "reason", "position"])


@transaction.atomic
def ask_again(channel: Channel, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Send the confirmation mail again. Raises ApiError `confirmed` (409), `rate_limited`."""
    if channel.state != ChannelState.UNCONFIRMED:
        raise ApiError("confirmed", "There is nothing to confirm.", status=409)
    judge(channel, now=now, by=by)
    audit_log.write(by, "change", "channel", [channel.id], now=now, fields=["state"])


def asking_link(channel: Channel, *, now: datetime) -> str:
    """Return the URL that confirms the address, valid for LINK_LASTS."""
    until = int((now + LINK_LASTS).timestamp())
    named = {"channel": channel.id, "address": channel.settings["address"], "until": until}
    token = _confirming.sign_object(named, compress=True)
    return settings.BASE_URL + reverse("notify:confirm", args=[token])


def find_asked(token: str, *, now: datetime) -> Channel:
    """Return the channel of a confirmation link.

    Raises ApiError `link_over` (404) for an invalid or expired link.
    """
    named = _read(_confirming, token)
    if named["until"] < now.timestamp():
        raise _over()
    return _named(named)


@transaction.atomic
def confirm(token: str, *, now: datetime) -> Channel:
    """Activate the channel of this link. May be called twice.

    Raises ApiError `link_over` (404).
    """
    channel = _locked(find_asked(token, now=now))
    if channel.state == ChannelState.UNCONFIRMED:
        _begin(channel)
        channel.version += 1
        channel.save(update_fields=["state", "reason", "position", "version"])
    return channel


def leaving_link(channel: Channel) -> str:
    """Return the URL that unsubscribes the address; it never expires (RFC 8058)."""
    named = {"channel": channel.id, "address": channel.settings["address"]}
    token = _leaving.sign_object(named, compress=True)
    return settings.BASE_URL + reverse("notify:unsubscribe", args=[token])


def find_left(token: str) -> Channel:
    """Return the channel of an unsubscribe link; raises ApiError `link_over` (404)."""
    return _named(_read(_leaving, token))


@transaction.atomic
def leave(token: str, *, now: datetime) -> Channel:
    """Send no more mails to the address of this link until it is confirmed again.

    Waiting messages and digests are never sent. May be called twice. Raises ApiError `link_over`
    (404).
    """
    channel = _locked(find_left(token))
    if channel.state != ChannelState.UNCONFIRMED:
        channel.state = ChannelState.UNCONFIRMED
        channel.reason = f"Unsubscribed on {now:%Y-%m-%d} through a link in an email."
        channel.version += 1
        channel.save(update_fields=["state", "reason", "version"])
        channel.deliveries.waiting().update(state=DeliveryState.SKIPPED, error="Unsubscribed.")
        Gathering.objects.filter(subscription__channel=channel).delete()
    return channel


def _begin(channel: Channel) -> None:
    """Activate the channel, for later events only."""
    channel.state, channel.reason = ChannelState.ACTIVE, ""
    channel.position = Event.objects.newest_position()


def _is_own(channel: Channel) -> bool:
    """Return whether the owner has proved to own this address, by signing in."""
    known = EmailAddress.objects.filter(user=channel.owner_id, verified=True)
    return (
        channel.owner_id is not None
        and known.filter(email__iexact=channel.settings["address"]).exists()
    )


def _ask(channel: Channel, *, now: datetime, by: Actor) -> None:
    """Send the confirmation mail after the commit; raises ApiError `rate_limited` if there were too
    many."""
    address = channel.settings["address"]
    ConfirmationMail.objects.filter(sent_at__lte=now - _WINDOW).delete()
    recent = ConfirmationMail.objects.all()
    if (
        recent.filter(address=address.lower()).count() >= _PER_ADDRESS
        or recent.filter(asked_by=by.user).count() >= _PER_USER
    ):
        raise ApiError(
            "rate_limited",
            "Too many confirmation emails have been sent; try again tomorrow.",
            status=429,
            headers={"Retry-After": str(int(_WINDOW.total_seconds()))},
        )
    ConfirmationMail.objects.create(address=address.lower(), asked_by=by.user, sent_at=now)
    link = asking_link(channel, now=now)
    context = {"link": link, "by": channel.owner, "days": LINK_LASTS.days}
    send = partial(get_adapter().send_mail, "notify/mail/confirmation", address, context)
    transaction.on_commit(send)


def _read(signer: signing.Signer, token: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = signer.unsign_object(token)
    except signing.BadSignature:
        raise _over() from None
    return found


def _named(named: dict[str, Any]) -> Channel:
    """Return the channel of a link, if it still has the address."""
    channel = Channel.objects.filter(pk=named["channel"]).first()
    if channel is None or channel.settings.get("address") != named["address"]:
        raise _over()
    return channel


def _locked(channel: Channel) -> Channel:
    return Channel.objects.select_for_update().get(pk=channel.pk)


def _over() -> ApiError:
    sentence = "The link is incomplete, has expired or is for another address."
    return ApiError("link_over", sentence, status=404)
