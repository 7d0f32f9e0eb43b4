"""Channels over HTTP: thin views over notify.services."""

from typing import Any

from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import read_body, read_query
from foundation.ids import id_pattern
from notify import redelivery, services
from notify.kinds.mail import addresses
from notify.models import Channel, Delivery, Subscription
from notify.serializers import (
    ChannelChangeSerializer,
    ChannelDraftSerializer,
    ChannelFilters,
    ChannelSerializer,
    ChannelWithSecretSerializer,
    DeliveryFilters,
    DeliverySerializer,
    DeliveryWithBodySerializer,
    RedeliveredSerializer,
    RedeliverySerializer,
    SubscriptionChangeSerializer,
    SubscriptionDraftSerializer,
    SubscriptionFilters,
    SubscriptionSerializer,
)

_CHANNEL_ID = {"pattern": f"^{id_pattern('channel')}$"}


class ChannelViewSet(PagesMixin, viewsets.GenericViewSet[Channel]):
    """Channels: where notifications go."""

    queryset = Channel.objects.all()
    serializer_class = ChannelSerializer
    pagination_class = KeysetPagination
    path_schemas = {"id": _CHANNEL_ID}

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "by": actor_of(self.request)}

    @extend_schema(parameters=[ChannelFilters])
    def list(self, request: Request) -> Response:
        """List channels in order of creation: your own, or all for operators and viewers."""
        filters = read_query(ChannelFilters, request)
        channels = actor_of(request).reach(Channel.objects.select_related("owner"))
        return self.page(channels.filter(**filters))

    @fails(too_many_channels=409, rate_limited=429)
    @extend_schema(
        request=ChannelDraftSerializer,
        responses={201: ChannelWithSecretSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Create a channel; its secret is shown only once, not in a repeated response.

        An email address that is not known to be yours gets a confirmation email; until it is
        confirmed, the channel is `unconfirmed`. A channel without subscriptions gets no events.
        """
        now, by = database_now(), actor_of(request)
        shown: dict[str, Any] = {}

        def create() -> IdempotentAnswer:
            draft = read_body(ChannelDraftSerializer, request)
            channel, secret = services.create_channel(draft, now=now, by=by)
            shown.update(services.secret_fields(channel, secret))
            return IdempotentAnswer(
                201, self.get_serializer(channel).data, f"/v1/channels/{channel.id}"
            )

        response = create_once(request, create, now=now)
        if response.status_code == 201:
            response.data |= shown
        return response

    @extend_schema(responses=ChannelSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a channel, with its state and the reason for it."""
        return self._respond(services.visible_channel(pk, by=actor_of(request)))

    @extend_schema(
        request=ChannelChangeSerializer, responses=ChannelSerializer, parameters=[IF_MATCH]
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change a channel; pause it, or resume it if it is paused or disabled."""
        by = actor_of(request)
        services.visible_channel(pk, by=by)  # a 404 takes precedence over errors in the body
        changes, version = read_body(ChannelChangeSerializer, request), read_if_match(request)
        now = database_now()
        return self._respond(services.change_channel(pk, changes, now=now, by=by, version=version))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a channel with its subscriptions and deliveries."""
        services.delete_channel(pk, now=database_now(), by=actor_of(request))
        return Response(status=204)

    @fails(no_secret=409)
    @extend_schema(request=None, responses=ChannelWithSecretSerializer)
    def rotate(self, request: Request, pk: str) -> Response:
        """Give a webhook or a feed a new secret, shown once.

        For a day, messages are also signed with the previous one; a feed's previous URL stops
        working at once.
        """
        now, by = database_now(), actor_of(request)
        channel, secret = services.rotate_secret(pk, now=now, by=by)
        body = self.get_serializer(channel).data
        return Response({**body, **services.secret_fields(channel, secret)})

    @fails(confirmed=409)
    @extend_schema(request=None, responses={202: ChannelSerializer})
    def confirm(self, request: Request, pk: str) -> Response:
        """Resend the confirmation email, at most a few times a day."""
        by = actor_of(request)
        channel = services.visible_channel(pk, by=by)
        addresses.resend_confirmation(channel, now=database_now(), by=by)
        return self._respond(channel, status=202)

    @fails(not_active=409, no_deliveries=409)
    @extend_schema(request=None, responses={202: DeliverySerializer})
    def test(self, request: Request, pk: str) -> Response:
        """Queue a test message; its delivery will show the result."""
        delivery = redelivery.send_test(pk, now=database_now(), by=actor_of(request))
        return Response(_delivery_json(delivery, request), status=202)

    @fails(not_active=409, no_deliveries=409)
    @extend_schema(request=RedeliverySerializer, responses={202: RedeliveredSerializer})
    def redeliver(self, request: Request, pk: str) -> Response:
        """Requeue all messages created since a given time, with the same ids."""
        by = actor_of(request)
        services.visible_channel(pk, by=by)  # a 404 takes precedence over errors in the body
        since = read_body(RedeliverySerializer, request)["since"]
        count = redelivery.redeliver_since(pk, since, now=database_now(), by=by)
        return Response({"deliveries": count}, status=202)

    def _respond(self, channel: Channel, *, status: int = 200) -> Response:
        return Response(self.get_serializer(channel).data, status=status)


class DeliveryPagination(KeysetPagination):
    """Paginates a channel's deliveries by number, newest first."""

    time_field = None
    id_field = "number"
    newest_first = True


class DeliveryViewSet(PagesMixin, viewsets.GenericViewSet[Any]):
    """A channel's deliveries, which are kept for 30 days."""

    queryset = Channel.objects.all()  # rights are those of channels
    serializer_class = DeliverySerializer
    pagination_class = DeliveryPagination
    # DRF's metadata would look up an object by `pk`, which these URLs don't have.
    metadata_class = None
    path_schemas = {"channel_id": _CHANNEL_ID, "number": {"type": "integer", "minimum": 1}}

    @extend_schema(parameters=[DeliveryFilters])
    def list(self, request: Request, channel_id: str) -> Response:
        """List deliveries, newest first."""
        filters, by = read_query(DeliveryFilters, request), actor_of(request)
        channel, pages = services.visible_channel(channel_id, by=by), DeliveryPagination()
        deliveries = (
            Delivery.objects.filter(channel=channel, **filters).visible_to(by).defer("body")
        )
        rows = pages.paginate_queryset(deliveries.select_related("channel"), request, self)
        return pages.get_paginated_response([_delivery_json(row, request) for row in rows])

    @extend_schema(responses=DeliveryWithBodySerializer)
    def retrieve(self, request: Request, channel_id: str, number: int) -> Response:
        """Return a delivery with its body."""
        delivery = redelivery.visible_delivery(channel_id, number, by=actor_of(request))
        context = {"by": actor_of(request), "channel": delivery.channel}
        return Response(DeliveryWithBodySerializer(delivery, context=context).data)

    @fails(not_active=409, no_deliveries=409)
    @extend_schema(request=None, responses={202: DeliverySerializer})
    def redeliver(self, request: Request, channel_id: str, number: int) -> Response:
        """Queue a delivery again, with the same id."""
        by, now = actor_of(request), database_now()
        delivery = redelivery.redeliver(channel_id, number, now=now, by=by)
        return Response(_delivery_json(delivery, request), status=202)


def _delivery_json(delivery: Delivery, request: HttpRequest | Request) -> Any:
    context = {"by": actor_of(request), "channel": delivery.channel}
    return DeliverySerializer(delivery, context=context).data


class SubscriptionViewSet(PagesMixin, viewsets.GenericViewSet[Subscription]):
    """Subscriptions: the events that a channel gets, and when."""

    queryset = Subscription.objects.all()
    serializer_class = SubscriptionSerializer
    pagination_class = KeysetPagination
    path_schemas = {"id": {"pattern": f"^{id_pattern('subscription')}$"}}

    @extend_schema(parameters=[SubscriptionFilters])
    def list(self, request: Request) -> Response:
        """List the subscriptions of the channels that you can see, in order of creation."""
        filters = read_query(SubscriptionFilters, request)
        rows = Subscription.objects.select_related("of_owner").filter(**filters)
        return self.page(actor_of(request).reach(rows, owner="channel__owner"))

    @fails(not_found=404, too_many_subscriptions=409)
    @extend_schema(
        request=SubscriptionDraftSerializer,
        responses={201: SubscriptionSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Add a subscription to a channel.

        Members get only events about their own and their teams' references, links and batches.
        """
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            fields = read_body(SubscriptionDraftSerializer, request)
            subscription = services.subscribe(fields.pop("channel"), fields, now=now, by=by)
            return IdempotentAnswer(
                201,
                SubscriptionSerializer(subscription).data,
                f"/v1/subscriptions/{subscription.id}",
            )

        return create_once(request, create, now=now)

    @extend_schema(responses=SubscriptionSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a subscription."""
        subscription = services.visible_subscription(pk, by=actor_of(request))
        return Response(SubscriptionSerializer(subscription).data)

    @extend_schema(
        request=SubscriptionChangeSerializer,
        responses=SubscriptionSerializer,
        parameters=[IF_MATCH],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change which events are sent, and when. Digests that have begun are still sent."""
        by = actor_of(request)
        services.visible_subscription(pk, by=by)  # a 404 takes precedence over errors in the body
        changes, version = read_body(SubscriptionChangeSerializer, request), read_if_match(request)
        now = database_now()
        changed = services.change_subscription(pk, changes, now=now, by=by, version=version)
        return Response(SubscriptionSerializer(changed).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a subscription and its digests."""
        services.unsubscribe(pk, now=database_now(), by=actor_of(request))
        return Response(status=204)
