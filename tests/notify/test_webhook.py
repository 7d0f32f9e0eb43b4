"""Webhooks: signed by the specification, judged by status, behind the guard, never too long."""

import asyncio
import ipaddress
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from notify import secrets
from notify.kinds import kind_of
from notify.kinds.base import Outcome
from notify.models import Channel, Delivery
from targets.services import network_guard
from tests.notify.receivers import receiver

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LOOPBACK = [ipaddress.ip_network("127.0.0.0/8")]


@pytest.fixture(autouse=True)
def _loopback_is_allowed(settings):
    """Receivers of tests are on loopback, which operators' channels may reach."""
    settings.ALLOW_NETWORKS = LOOPBACK
    settings.ALLOW_PORTS = (range(1, 65536),)
    network_guard.cache_clear()
    yield
    network_guard.cache_clear()


def channel_to(url, **fields):
    secret = secrets.new_webhook_secret()
    made = Channel(
        kind="webhook", name="Hook", created_at=NOW, position=0, settings={"url": url}, **fields
    )
    made.secret = secrets.encrypt(secret)
    return made, secret


def delivery_of(channel, body='{"id":"1"}'):
    return Delivery(channel=channel, type="linkwatch.test", subject="A test", body=body)


def send(channel, delivery):
    """Make one attempt in a loop of its own."""

    async def attempt():
        try:
            return await kind_of("webhook").send(channel, delivery)
        finally:
            await kind_of("webhook").close()

    return attempt()


def answered(raw, **fields):
    """Return the attempt at a receiver that answers this, and what it got."""

    async def respond(write):
        await write(raw)

    async def run():
        async with receiver(respond) as got:
            channel, _ = channel_to(got.url, **fields)
            return await send(channel, delivery_of(channel)), got

    return asyncio.run(run())


def test_what_is_sent_verifies_by_the_specifications_own_package():
    async def run():
        async with receiver() as got:
            channel, secret = channel_to(got.url)
            delivery = delivery_of(channel, '{"data":"é"}')
            return await send(channel, delivery), got.requests[0], secret, delivery

    attempt, request, secret, delivery = asyncio.run(run())

    assert (attempt.outcome, attempt.status_code) == (Outcome.ACCEPTED, 204)
    assert Verifier(secret).verify(request.body, request.headers) == {"data": "é"}
    assert request.headers["webhook-id"] == str(delivery.message_id)
    assert request.headers["content-type"].startswith("application/cloudevents+json")
    with pytest.raises(WebhookVerificationError):
        Verifier(secret).verify(request.body + b" ", request.headers)
