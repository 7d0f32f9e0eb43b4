"""Passwords: changed with the old one, or reset through a link in an email."""

from contextlib import suppress
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

import redis
from allauth.account import views
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic.edit import FormView

from accounts import audit_log, tokens
from accounts.actors import Actor
from accounts.forms import (
    ChangePasswordForm,
    NewPasswordForm,
    ResetPasswordForm,
    TokenRevocationForm,
)
from accounts.sign_in_rate_limit import limited
from foundation.database import thread_pool
from foundation.database.clock import database_now
from foundation.valkey.rate_limit import admit

MAX_EMAILS = (3, timedelta(hours=1))  # requests for an email with a link, per address


@method_decorator(never_cache, name="dispatch")
class PasswordChangePage(LoginRequiredMixin, views.PasswordChangeView):  # type: ignore[misc]
    """A new password for a signed-in user; all other sessions end."""

    template_name = "accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.has_usable_password():
            messages.warning(
                request, "You sign in through a provider, so there is no password to change."
            )
            return redirect("account")
        return super().dispatch(request, *args, **kwargs)

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def get_form_class(self) -> type[ChangePasswordForm]:
        return self.form_class

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        about_tokens = _log_and_revoke(form.user, form)
        messages.success(self.request, f"Password changed.{about_tokens}")
        return response


class ResetPage(FormView[ResetPasswordForm]):
    """Asks where to send the link; explains the alternative if the server sends no email."""

    template_name = "accounts/password_reset.html"
    form_class = ResetPasswordForm
    success_url = reverse_lazy("account_reset_password_done")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.EMAIL_URL:
            return render(request, "accounts/password_no_mail.html")
        return super().dispatch(request, *args, **kwargs)

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        """Respond at once, so that the response time reveals nothing about the address."""
        thread_pool.submit(partial(send_links, form.cleaned_data["email"]))
        return super().form_valid(form)


def send_links(email: str) -> None:
    """Email a link for a new password to each active account with this address.

    Does nothing after MAX_EMAILS calls for the address. Accounts without a password sign in through
    a provider, and get no link.
    """
    client = f"address {sha256(email.lower().encode()).hexdigest()}"
    with suppress(redis.RedisError):
        if not admit("POST reset", client, rate=MAX_EMAILS).admitted:
            return
    candidates = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    users = [user for user in candidates if user.has_usable_password()]
    if users:
        request_password_reset(None, email, users, None)


class ResetSentPage(views.PasswordResetDoneView):  # type: ignore[misc]
    """The same page for known and unknown addresses."""

    template_name = "accounts/password_reset_sent.html"


@method_decorator(never_cache, name="dispatch")
class NewPasswordPage(views.PasswordResetFromKeyView):  # type: ignore[misc]
    """The page that the email links to; the link works once, for an hour."""

    template_name = "accounts/password_new.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("sign-in")

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Return the page; 404 for a link that is not valid, so that guesses count as attempts."""
        status = 404 if context.get("token_fail") else None
        response: HttpResponse = super().render_to_response(context, status=status, **kwargs)
        return response

    def get_form_class(self) -> type[NewPasswordForm]:
        return self.form_class

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        about_tokens = _log_and_revoke(self.reset_user, form)
        messages.success(
            self.request, f"Password changed.{about_tokens} Sign in with your new password."
        )
        return response


def _log_and_revoke(user: User, form: TokenRevocationForm) -> str:
    """Log the change and, if requested, revoke tokens; return a sentence about the tokens."""
    subject, now = user.get_username(), database_now()
    audit_log.write(Actor(user), "change", "account", [subject], now=now, fields=["password"])
    if form.cleaned_data["end_tokens"]:
        revoked = tokens.revoke_all(user, now=now)
        return (
            f" {revoked} API token{pluralize(revoked, ' was,s were')} revoked." if revoked else ""
        )
    return " Your API tokens still work." if tokens.tokens_of(user).exists() else ""
