"""Channels, subscriptions and deliveries for tests."""

import factory
from factory.django import DjangoModelFactory

from notify.models import Channel, Delivery, Subscription
from tests.factories import CREATED_AT


class ChannelFactory(DjangoModelFactory):
    """A webhook of the deployment that starts at the beginning of the outbox."""

    class Meta:
        model = Channel

    kind = "webhook"
    name = factory.Sequence(lambda n: f"channel {n}")
    created_at = CREATED_AT
    settings = factory.LazyAttribute(
        lambda one: {"url": "https://a.example/hook"} if one.kind == "webhook" else {}
    )
    position = 0


class SubscriptionFactory(DjangoModelFactory):
    """A subscription to deaths, sent at once."""

    class Meta:
        model = Subscription

    channel = factory.SubFactory(ChannelFactory)
    created_at = CREATED_AT
    what = ["dead"]


class DeliveryFactory(DjangoModelFactory):
    """A delivered message."""

    class Meta:
        model = Delivery

    channel = factory.SubFactory(ChannelFactory)
    type = "linkwatch.target.dead"
    subject = "Dead: http://host.example/page"
    body = "{}"
    created_at = queued_at = CREATED_AT
    state = "delivered"
    attempts = 1
    attempted_at = CREATED_AT
    status_code = 200
