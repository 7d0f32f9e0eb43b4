"""The pages of the user's own account."""

from functools import cached_property
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView
from django.views.generic.edit import FormView

from accounts import audit_log, rights, tokens
from accounts.actors import Actor, actor_of
from accounts.forms import TokenForm
from accounts.models import ReaderSettings, Trace
from accounts.time_zones import own_zone, zone_names
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage

_MAX_AUDIT_ENTRIES = 20  # on the account page, newest first
# The URL name of the page for each kind of object in audit entries.
_URL_NAMES = {
    "target": "target",
    "reference": "target",
    "host": "host",
    "short link": "link",
    "snippet": "snippet-details",
    "channel": "channel",
    "public list": "list",
}


@method_decorator(never_cache, name="dispatch")  # the Back button must not show it after sign-out
class OwnPage(LoginRequiredMixin, View):
    """A page for signed-in users."""

    def user(self) -> User:
        return cast("User", self.request.user)


class ActorPage(PermittedPage):
    """A page for users with `permission_required`; its content depends on the user."""

    @cached_property
    def actor(self) -> Actor:
        """The sender of the request."""
        return actor_of(self.request)


class AccountPage(OwnPage, TemplateView):
    """The user's account, and what they may change about it."""

    template_name = "accounts/account.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.user()
        entries = audit_log.entries_by(user)[:_MAX_AUDIT_ENTRIES]
        context = {
            "role": rights.role_of(user),
            "teams": user.teams.order_by("name"),
            "has_password": user.has_usable_password(),
            "entries": [(entry, _page_of(entry)) for entry in entries],
            "now": database_now(),
            "has_saves": settings.ARCHIVE_SAVES is not None,
            "zone": own_zone(user),
            "zones": sorted(zone_names()),
        }
        return super().get_context_data(**kwargs) | context


class ZoneView(OwnPage):
    """POST sets the time zone of the user's pages; an empty one stands for the browser's."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the account page: people who had to sign in first arrive here."""
        return redirect("account")

    def post(self, request: HttpRequest) -> HttpResponse:
        zone, user = request.POST.get("zone", "").strip(), self.user()
        if zone and zone not in zone_names():
            messages.warning(
                request, f"Unknown time zone: {zone}. Use a name such as Europe/Berlin."
            )
        elif zone:
            ReaderSettings.objects.update_or_create(user=user, defaults={"zone": zone})
            messages.success(request, f"Times are shown in {zone}.")
        else:
            ReaderSettings.objects.filter(user=user).delete()
            messages.success(request, "Times are shown in your browser's time zone.")
        return redirect("account")


def _page_of(entry: Trace) -> str:
    """Return the path of the changed object's page, or an empty string if it has no page."""
    name = _URL_NAMES.get(entry.kind)
    if name is None or not entry.subject or entry.action == "delete":
        return ""
    return reverse(name, args=[entry.subject])


class TokensPage(OwnPage, FormView[TokenForm]):
    """The user's API tokens; a new one is shown once."""

    template_name = "accounts/tokens.html"
    form_class = TokenForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        now = database_now()
        rows = [
            (token, getattr(token, "terms", None), tokens.has_expired(token, now=now))
            for token in tokens.tokens_of(self.user())
        ]
        return super().get_context_data(**kwargs) | {"tokens": rows, "now": now}

    def form_valid(self, form: TokenForm) -> HttpResponse:
        chosen = form.cleaned_data
        try:
            token = tokens.create(
                self.user(),
                name=chosen["name"],
                scope=chosen["scope"],
                lifetime=form.lifetime(),
                bounds=chosen["bounds"].split(),
                by=actor_of(self.request),
            )
        except ApiError as error:
            form.add_error("bounds" if error.code == "invalid_bounds" else None, error.message)
            return self.form_invalid(form)
        context = self.get_context_data(form=TokenForm(), made=token, name=chosen["name"])
        return self.render_to_response(context)


class RevocationView(OwnPage):
    """POST revokes one of the user's tokens and redirects to the list."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        own_tokens, key = tokens.tokens_of(self.user()), request.POST.get("key", "")
        if tokens.revoke(own_tokens, key, now=database_now(), by=actor_of(request)):
            messages.success(request, "Token revoked.")
        else:
            messages.warning(request, "This token no longer exists.")
        return redirect("tokens")
