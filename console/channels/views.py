"""Pages of channels: the list, a new channel, a channel with its deliveries, and its actions."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.account_pages import ActorPage
from accounts.actors import Actor
from accounts.roles import Role
from console.channels.forms import SPANS, ChannelChangeForm, ChannelForm, NewChannelForm
from console.channels.message_bodies import format_body
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from notify import redelivery, services
from notify.kinds import kind_of
from notify.kinds.mail import addresses
from notify.matching import WHAT
from notify.message_texts import TEST
from notify.models import Channel, ChannelKind, ChannelState, DeliveryState, Subscription
from notify.serializers import destination_of, sees_bodies, sees_responses
from notify.views import DeliveryPagination

CHANNELS_PER_PAGE = 50
_MAX_SHOWN_DELIVERIES = 5  # on a channel's page
_MAX_SEARCHED_DELIVERIES = 20  # the newest, searched for the last test
_DELIVERIES_PER_PAGE = 25


class ChannelPage(ActorPage):
    """A page about channels, for users who may see them."""

    permission_required: tuple[str, ...] = ("notify.view_channel",)

    def channel(self) -> Channel:
        """Return the channel in the URL, if the user may see it; raises Http404."""
        try:
            return services.visible_channel(self.kwargs["channel_id"], by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None

    def show(
        self,
        channel: Channel,
        *,
        now: datetime,
        shown_once: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Return the page of a channel; `shown_once`: its `services.secret_fields`."""
        deliveries = channel.deliveries.visible_to(self.actor)
        ordered = deliveries.defer("body", "answer").order_by("-number")
        newest = list(ordered[:_MAX_SEARCHED_DELIVERIES])
        context = {
            "now": now,
            "channel": channel,
            "destination": destination_of(channel, self.actor),
            "subscriptions": [
                (row, "; ".join(WHAT[word] for word in row.what if word in WHAT))
                for row in channel.subscriptions.select_related("of_owner")
            ],
            "spans": [(name, words) for name, (words, _) in SPANS.items()],
            "is_passive": kind_of(channel.kind).passive,
            # The secret itself is missing after a restore from a backup without secrets.
            "has_secret": bool(kind_of(channel.kind).new_secret()),
            "waiting": deliveries.waiting().count(),
            "newest": newest[:_MAX_SHOWN_DELIVERIES],
            "test": next((delivery for delivery in newest if delivery.type == TEST), None),
            "is_mine": channel.owner_id == self.request.user.pk,
            "secrets": _labeled_secrets(shown_once or {}),
        }
        return render(self.request, "console/channels/page.html", context)


def _labeled_secrets(shown_once: dict[str, Any]) -> list[tuple[str, str]]:
    """Return new secrets, each with its label."""
    feeds = shown_once.get("feed", {})
    secrets = {"Secret": shown_once.get("secret")}
    secrets |= {"Atom": feeds.get("atom"), "JSON Feed": feeds.get("json")}
    return [(name, text) for name, text in secrets.items() if text]


class ChannelListPage(ChannelPage):
    """The user's channels; operators and viewers see all. `?failing` selects failing channels."""

    def get(self, request: HttpRequest) -> HttpResponse:
        by, pagination = self.actor, KeysetPagination()
        subscription_count = Count("subscriptions", distinct=True)
        rows = by.reach(
            Channel.objects.select_related("owner").annotate(subscription_count=subscription_count)
        )
        only_failing = "failing" in request.GET
        if only_failing:
            rows = rows.filter(Q(state=ChannelState.DISABLED) | Q(failing_since__isnull=False))
        token = request.GET.get("page_token")
        try:
            channels = pagination.take(rows, limit=CHANNELS_PER_PAGE, token=token)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "now": database_now(),
            "rows": [(channel, destination_of(channel, by)) for channel in channels],
            "sees_all": by.sees_all,
            "only_failing": only_failing,
            "has_subscription": by.reach(
                Subscription.objects.all(), owner="channel__owner"
            ).exists(),
            "is_first": token is None,
            "next_page_token": pagination.next_page_token,
        }
        return render(request, "console/channels/list.html", context)


class ChannelCreationPage(ChannelPage):
    """Creates a channel with its first subscription, shows the secret once, and may send a test."""

    permission_required = (
        "notify.view_channel",
        "notify.add_channel",
        "notify.add_subscription",
    )

    def get(self, request: HttpRequest) -> HttpResponse:
        kinds = self._kinds()
        kind = request.GET.get("kind", ChannelKind.MAIL if settings.EMAIL_URL else kinds[0])
        if kind not in kinds:
            raise Http404
        return self._show(self._form(initial={"kind": kind}))

    def post(self, request: HttpRequest) -> HttpResponse:
        now, data = database_now(), request.POST.copy()
        data.setdefault("kind", request.GET.get("kind", ""))
        form = self._form(data)
        if not form.is_valid():
            return self._show(form)
        try:
            channel, secret = services.create_subscribed_channel(
                form.draft(now=now), form.validated_fields(), now=now, by=self.actor
            )
        except ApiError as error:
            form.show_error(error)
            return self._show(form)
        if channel.state == ChannelState.UNCONFIRMED:
            messages.success(request, "Saved. Notifications start once the address is confirmed.")
        elif kind_of(channel.kind).passive:
            messages.success(request, "Saved. New events will appear in the feed.")
        else:
            messages.success(request, "Saved. Notifications are now active.")
        if form.cleaned_data["test"]:
            self._send_test(channel, now=now)
        if shown := services.secret_fields(channel, secret):
            return self.show(channel, now=now, shown_once=shown)
        return redirect("channel", channel.id)

    def _send_test(self, channel: Channel, *, now: datetime) -> None:
        """Send a test message, if the channel can send messages now."""
        if kind_of(channel.kind).passive or channel.state != ChannelState.ACTIVE:
            return
        try:
            redelivery.send_test(channel.id, now=now, by=self.actor)
        except ApiError as error:
            messages.warning(self.request, error.message)

    def _kinds(self) -> list[ChannelKind]:
        """Return the kinds of channels that the user may create."""
        may_create_all = self.actor.role in (Role.OPERATOR, None)
        return [kind for kind in ChannelKind if may_create_all or not kind_of(kind).operators_only]

    def _form(self, *data: Any, **options: Any) -> NewChannelForm:
        for_operators = self.actor.is_operator
        form = NewChannelForm(*data, kinds=self._kinds(), for_operators=for_operators, **options)
        if self.actor.role is not Role.OPERATOR:
            del form.fields["deployment"]
        return form

    def _show(self, form: NewChannelForm) -> HttpResponse:
        return render(self.request, "console/channels/new.html", {"form": form})


class ChannelDetailPage(ChannelPage):
    """A channel: its status, subscriptions and recent deliveries."""

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        return self.show(self.channel(), now=database_now())


class ChannelChangePage(ChannelPage):
    """Changes a channel's name and destination, without overwriting concurrent changes."""

    permission_required = ("notify.view_channel", "notify.change_channel")

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        shown = kind_of(channel.kind).settings_to_show(channel.settings)
        initial = {**shown, "name": channel.name, "version": channel.version}
        return self._show(channel, ChannelChangeForm(initial=initial, kind=channel.kind))

    def post(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        form = ChannelChangeForm(request.POST, kind=channel.kind)
        if not form.is_valid():
            return self._show(channel, form)
        version = form.cleaned_data["version"]
        try:
            services.change_channel(
                channel_id, form.changes(), now=database_now(), by=self.actor, version=version
            )
        except ApiError as error:
            form.show_error(error)
            return self._show(channel, form)
        messages.success(request, "Saved.")
        return redirect("channel", channel_id)

    def _show(self, channel: Channel, form: ChannelForm) -> HttpResponse:
        context = {"channel": channel, "form": form}
        return render(self.request, "console/channels/change.html", context)


class ChannelActionView(ChannelPage):
    """POST performs an action on a channel and redirects to its page; GET only redirects."""

    permission_required = ("notify.view_channel", "notify.change_channel")

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return redirect("channel", self.channel().id)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        channel = self.channel()
        try:
            sentence = self.act(channel, now=database_now(), by=self.actor)
        except ApiError as error:
            messages.warning(request, error.message)
        else:
            messages.success(request, sentence)
        return redirect("channel", channel.id)

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        """Perform the action; return a sentence that confirms it. Raises ApiError."""
        raise NotImplementedError


class ChannelPauseView(ChannelActionView):
    """POST pauses a channel."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        services.pause(channel.id, now=now, by=by)
        if kind_of(channel.kind).passive:
            return "Paused. The feed gets no new entries until you resume the channel."
        return "Paused. Nothing will be sent until you resume the channel."


class ChannelResumptionView(ChannelActionView):
    """POST resumes a channel."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        services.resume(channel.id, now=now, by=by)
        if kind_of(channel.kind).passive:
            return "Resumed. New events will appear in the feed again."
        return "Resumed. Waiting messages will be sent."


class ChannelTestView(ChannelActionView):
    """POST sends a test message."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        redelivery.send_test(channel.id, now=now, by=by)
        return "Sending a test message."


class ConfirmationResendView(ChannelActionView):
    """POST resends the confirmation email to an address."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        addresses.resend_confirmation(channel, now=now, by=by)
        return "Confirmation email resent."


class RedeliveryView(ChannelActionView):
    """POST resends one message."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        redelivery.redeliver(channel.id, self.kwargs["number"], now=now, by=by)
        return "The message will be resent."


class RedeliveriesView(ChannelActionView):
    """POST resends those messages of the selected period whose bodies are still stored."""

    def act(self, channel: Channel, *, now: datetime, by: Actor) -> str:
        since = self.request.POST.get("since", "")
        if since not in SPANS:
            raise ApiError("invalid", "Select a time span.")
        _, length = SPANS[since]
        count = redelivery.redeliver_since(channel.id, now - length, now=now, by=by)
        return f"{count} message{'' if count == 1 else 's'} will be resent."


class SecretRotationPage(ChannelPage):
    """Asks for confirmation, then gives a channel a new secret and shows the secret once."""

    permission_required = ("notify.view_channel", "notify.change_channel")

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        question, button = "Create a new secret for this channel?", "Create secret"
        sentence = "For one day, messages will also be signed with the old secret."
        if channel.kind == ChannelKind.FEED:
            question, button = "Create new addresses for this feed?", "Create addresses"
            sentence = "The feed's current addresses will stop working."
        context = {
            "question": question,
            "subject": channel.name,
            "sentences": [sentence],
            "button": button,
            "back": reverse("channel", args=[channel.id]),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        now = database_now()
        try:
            channel, secret = services.rotate_secret(self.channel().id, now=now, by=self.actor)
        except ApiError as error:
            messages.warning(request, error.message)
            return redirect("channel", channel_id)
        return self.show(channel, now=now, shown_once=services.secret_fields(channel, secret))


class ChannelDeletionPage(ChannelPage):
    """Asks for confirmation, then deletes a channel."""

    permission_required = ("notify.view_channel", "notify.delete_channel")

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        deleted = (
            "Its event selections and delivery log will be deleted too, and waiting messages "
            "will not be sent."
        )
        if kind_of(channel.kind).passive:
            deleted = "Its event selections and entries will be deleted too."
        context = {
            "question": "Delete this channel?",
            "subject": channel.name,
            "sentences": [f"{deleted} To stop the channel temporarily, pause it instead."],
            "button": "Delete",
            "back": reverse("channel", args=[channel.id]),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel = self.channel()
        services.delete_channel(channel.id, now=database_now(), by=self.actor)
        messages.success(request, f"Deleted: {channel.name}")
        return redirect("channels")


class DeliveriesPage(ChannelPage):
    """A channel's deliveries, newest first; `?state=` selects those in a state."""

    def get(self, request: HttpRequest, channel_id: str) -> HttpResponse:
        channel, pagination = self.channel(), DeliveryPagination()
        state = request.GET.get("state", "")
        condition = Q(state=state) if state in DeliveryState.values else Q()
        token = request.GET.get("page_token")
        rows = channel.deliveries.filter(condition).visible_to(self.actor).defer("body", "answer")
        try:
            deliveries = pagination.take(rows, limit=_DELIVERIES_PER_PAGE, token=token)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "now": database_now(),
            "channel": channel,
            "deliveries": deliveries,
            "states": DeliveryState,
            "state": state if condition else "",
            "is_first": token is None,
            "next_page_token": pagination.next_page_token,
        }
        return render(request, "console/channels/deliveries.html", context)


class DeliveryPage(ChannelPage):
    """One delivery: its body and the receiver's response, as far as the user may see them."""

    def get(self, request: HttpRequest, channel_id: str, number: int) -> HttpResponse:
        try:
            delivery = redelivery.visible_delivery(channel_id, number, by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "now": database_now(),
            "channel": delivery.channel,
            "delivery": delivery,
            "sees_answer": sees_responses(self.actor),
            "body": format_body(delivery.channel, delivery.body) if sees_bodies(self.actor) else "",
        }
        return render(request, "console/channels/delivery.html", context)
