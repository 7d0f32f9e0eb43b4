"""The pages that links in emails open, for recipients, signed in or not.

Email scanners follow links, so a GET only shows a button.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from notify.kinds.mail import addresses
from notify.models import Channel


@method_decorator(never_cache, name="dispatch")
class _LinkPage(View):
    """A page with one button; the link identifies the channel."""

    def show(self, request: HttpRequest, find: Callable[[], Channel], **texts: Any) -> HttpResponse:
        """Return the page about the channel that `find` returns, or about an invalid link."""
        try:
            channel = find()
        except ApiError as error:
            context = {"heading": "This link is no longer valid", "sentence": error.message}
            return render(request, "notify/mail/link.html", context, status=error.status_code)
        context = {"address": channel.settings["address"], **texts}
        return render(request, "notify/mail/link.html", context)


class ConfirmationPage(_LinkPage):
    """The page that the link in a confirmation email opens."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        now = database_now()
        return self.show(
            request,
            lambda: addresses.channel_to_confirm(token, now=now),
            heading="Get notifications about dead links?",
            sentence="Linkwatch will send them to this address. Each email contains a link to "
            "unsubscribe.",
            button="Confirm",
        )

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        now = database_now()
        return self.show(
            request,
            lambda: addresses.confirm(token, now=now),
            heading="Confirmed",
            sentence="Linkwatch can now send notifications to this address.",
        )


@method_decorator(csrf_exempt, name="dispatch")  # an email program's POST (RFC 8058)
class UnsubscriptionPage(_LinkPage):
    """The page that an email's unsubscribe link and List-Unsubscribe header open."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return self.show(
            request,
            lambda: addresses.channel_to_unsubscribe(token),
            heading="Unsubscribe from these emails?",
            sentence="If you change your mind, you'll have to confirm this address again.",
            button="Unsubscribe",
        )

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        now = database_now()
        return self.show(
            request,
            lambda: addresses.unsubscribe(token, now=now),
            heading="Unsubscribed",
            sentence="You won't get any more of these emails.",
        )
