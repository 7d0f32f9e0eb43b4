"""Pages that create, change and delete the subscriptions of a channel."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.channels.forms import SubscriptionForm, initial_values
from console.channels.views import ChannelPage
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from notify import services
from notify.models import Channel, Subscription


class SubscriptionPage(ChannelPage):
    """A page with the form for a subscription."""

    def form(self, channel: Channel, *data: Any, **options: Any) -> SubscriptionForm:
        """Return the form for subscriptions of this channel."""
        for_operators = channel.actor.is_operator
        return SubscriptionForm(*data, for_operators=for_operators, **options)

    def show_form(
        self, channel: Channel, form: SubscriptionForm, *, subscription: Subscription | None = None
    ) -> HttpResponse:
        """Return the page with the form."""
        context = {
            "channel": channel,
            "form": form,
            "subscription": subscription,
            "is_mine": channel.owner_id == self.request.user.pk,
        }
        return render(self.request, "console/channels/subscription.html", context)


class SubscriptionCreationPage(SubscriptionPage):
    """Adds a subscription to a channel."""

    permission_required = ("notify.view_channel", "notify.add_subscription")

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        return self.show_form(channel, self.form(channel))

    def post(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        form = self.form(channel, request.POST)
        if not form.is_valid():
            return self.show_form(channel, form)
        try:
            fields = form.validated_fields()
            services.subscribe(channel.id, fields, now=database_now(), by=self.actor)
        except ApiError as error:
            form.show_error(error)
            return self.show_form(channel, form)
        messages.success(request, "Saved.")
        return redirect("channel", channel.id)


class SubscriptionChangePage(SubscriptionPage):
    """Changes a subscription of a channel."""

    permission_required = ("notify.view_channel", "notify.change_subscription")

    def subscription(self) -> Subscription:
        """Return the subscription in the URL; raises Http404 if the channel does not have it."""
        try:
            subscription = services.visible_subscription(self.kwargs["pk"], by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        if subscription.channel_id != self.kwargs["channel_id"]:
            raise Http404
        return subscription

    def get(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        subscription = self.subscription()
        form = self.form(subscription.channel, initial=initial_values(subscription))
        return self.show_form(subscription.channel, form, subscription=subscription)

    def post(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        subscription = self.subscription()
        form = self.form(subscription.channel, request.POST)
        if not form.is_valid():
            return self.show_form(subscription.channel, form, subscription=subscription)
        try:
            services.change_subscription(
                subscription.id,
                form.validated_fields(),
                now=database_now(),
                by=self.actor,
                version=form.cleaned_data["version"],
            )
        except ApiError as error:
            form.show_error(error)
            return self.show_form(subscription.channel, form, subscription=subscription)
        messages.success(request, "Saved.")
        return redirect("channel", channel_id)


class SubscriptionDeletionView(SubscriptionChangePage):
    """POST deletes a subscription; GET redirects to the channel."""

    permission_required = ("notify.view_channel", "notify.delete_subscription")

    def get(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        """Redirect to the channel: people who had to sign in first arrive here."""
        return redirect("channel", self.subscription().channel_id)

    def post(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        services.unsubscribe(self.subscription().id, now=database_now(), by=self.actor)
        messages.success(request, "Removed.")
        return redirect("channel", channel_id)
