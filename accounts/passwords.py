"""Passwords: changed by who knows the old one, set anew by a link in a mail."""

from typing import Any

from allauth.account import views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from accounts import traces
from accounts.actors import Actor
from accounts.forms import ResetPasswordForm
from accounts.limits import limited
from foundation.database.clock import database_now


@method_decorator(never_cache, name="dispatch")
class ChangePage(LoginRequiredMixin, views.PasswordChangeView):  # type: ignore[misc]
    """A new password for who is signed in; all other sessions end with the old one."""

    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("account")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.has_usable_password():
            messages.warning(request, "You sign in elsewhere: there is no password to change.")
            return redirect("account")
        return super().dispatch(request, *args, **kwargs)

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed.")
        response: HttpResponse = super().form_valid(form)
        _trace(form.user)
        return response


class ResetPage(views.PasswordResetView):  # type: ignore[misc]
    """Asks where the link is to be sent; says what to do instead where no mail is sent."""

    template_name = "accounts/password_reset.html"
    form_class = ResetPasswordForm

    def get_form_class(self) -> type[ResetPasswordForm]:
        return self.form_class

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL_URL:
            return render(request, "accounts/password_no_mail.html")
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response


class ResetSentPage(views.PasswordResetDoneView):  # type: ignore[misc]
    """Says the same whether the address is known or not."""

    template_name = "accounts/password_reset_sent.html"


@method_decorator(never_cache, name="dispatch")
class NewPasswordPage(views.PasswordResetFromKeyView):  # type: ignore[misc]
    """Where the link of the mail leads: it works once, for an hour."""

    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("sign-in")

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed. Sign in with it.")
        response: HttpResponse = super().form_valid(form)
        _trace(self.reset_user)
        return response


def _trace(user: User) -> None:
    """Write down that a user has a new password; a link of a mail is as good as the old one."""
    subject, now = user.get_username(), database_now()
    traces.write(Actor(user), "change", "account", [subject], now=now, fields=["password"])
