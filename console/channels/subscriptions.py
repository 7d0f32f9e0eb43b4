"""Subscriptions of a channel, for people: created, changed and ended."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.channels.forms import SubscriptionForm, initial_of
from console.channels.views import ChannelPage
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from notify import services
from notify.models import Channel, Subscription


class SubscriptionPage(ChannelPage):
    """A page with the form of a subscription."""

    def form(self, channel: Channel, *data: Any, **options: Any) -> SubscriptionForm:
        """Return the form for subscriptions of this channel."""
        for_operators = channel.actor.is_operator
        return SubscriptionForm(*data, for_operators=for_operators, **options)

    def ask(
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
        return self.ask(channel, self.form(channel))

    def post(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        form = self.form(channel, request.POST)
        if not form.is_valid():
            return self.ask(channel, form)
        try:
            fields = form.fields_of()
            services.subscribe(channel.id, fields, now=database_now(), by=self.actor)
        except ApiError as error:
            form.show_error(error)
            return self.ask(channel, form)
        messages.success(request, "Saved. Notifications are now active.")
        return redirect("channel", channel.id)


class SubscriptionChangePage(SubscriptionPage):
    """Changes a subscription of a channel."""

    permission_required = ("notify.view_channel", "notify.change_subscription")

    def subscription(self) -> Subscription:
        """Return the subscription in the URL; raises Http404 if the channel does not have it."""
        try:
            found = services.visible_subscription(self.kwargs["pk"], by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        if found.channel_id != self.kwargs["channel_id"]:
            raise Http404
        return found

    def get(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        found = self.subscription()
        form = self.form(found.channel, initial=initial_of(found))
        return self.ask(found.channel, form, subscription=found)

    def post(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        found = self.subscription()
        form = self.form(found.channel, request.POST)
        if not form.is_valid():
            return self.ask(found.channel, form, subscription=found)
        try:
            services.change_subscription(
                found.id,
                form.fields_of(),
                now=database_now(),
                by=self.actor,
                version=form.cleaned_data["version"],
            )
        except ApiError as error:
            form.show_error(error)
            return self.ask(found.channel, form, subscription=found)
        messages.success(request, "Saved.")
        return redirect("channel", channel_id)


class DeletionView(SubscriptionChangePage):
    """POST ends a subscription."""

    permission_required = ("notify.view_channel", "notify.delete_subscription")

    def get(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        """Redirect to the page: people who had to sign in first arrive here."""
        return redirect("channel", self.subscription().channel_id)

    def post(self, request: HttpRequest, channel_id: str, pk: str) -> HttpResponse:
        services.unsubscribe(self.subscription().id, now=database_now(), by=self.actor)
        messages.success(request, "Removed.")
        return redirect("channel", channel_id)
